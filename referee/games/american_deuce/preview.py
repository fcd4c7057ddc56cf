"""What cards tapped together would be: the combination, and whether it beats what lies (AD-10)."""

from referee.engine.asks import Preview
from referee.engine.events import Play
from referee.engine.rulings import Reason, Refusal
from referee.games.american_deuce.beating import CLAUSES, Lying, compare
from referee.games.american_deuce.combinations import Combination, list_cards, name_combination, recognise
from referee.games.american_deuce.tricks import RoundTricks, no_combination


def preview_play(hand: RoundTricks, event: Play) -> Preview | None:
    """Name the combination, and say whether it could be played now; whose turn it is does not matter."""
    if not event.cards or hand.no_such_seat(event.seat):
        return None
    found = hand.find_cards(event.cards)
    if isinstance(found, Refusal):
        return Preview(False, (found.reason,))
    cards = hand.cards(found)
    combination = recognise(cards)
    if combination is None:
        why = no_combination(event.seat, cards)
        return Preview(False, (Reason("no-combination-asked", why.clauses, {"play": list_cards(cards)}),))
    named = Reason("composed", (CLAUSES[combination.kind],), {"play": name_combination(combination)})
    riot = hand.riot_led(event.seat, found, combination)
    odd = hand.play_oddities(event.seat, found, combination, riot)
    against = tuple(oddity.reason for oddity in odd if oddity.code in ("riot-led", "does-not-beat"))
    if against:
        return Preview(False, (named, *against))
    return Preview(True, (named, *beaten(hand, combination)))


def beaten(hand: RoundTricks, combination: Combination) -> tuple[Reason, ...]:
    """Return why a combination beats what lies; nothing for a lead."""
    if hand.last is None:
        return ()
    lying = Lying(len(hand.last.cards), recognise(hand.cards(hand.last.cards)))
    options, five = hand.rules.options, hand.five
    return (compare(combination, lying, suits=hand.suits, options=options, under_five=five).reason,)
