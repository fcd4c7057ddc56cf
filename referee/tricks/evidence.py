"""What an infraction in a trick looks like on the table: the card led, the card played, the card shown later.

Cards are told as the player reads them who laid them, so that everybody sees which suits match (REC-17).
"""

from collections.abc import Iterable

from referee.engine.rulings import Act, Certainty, Irregularity, LaidCard
from referee.tricks.resolve import UNSEEN, Played
from referee.tricks.state import TrickState


def acts_of(hand: TrickState, found: Irregularity) -> tuple[Act, ...]:
    """Return the acts that a finding is about: the one that was unlawful, or those that cannot all have been lawful."""
    if found.certainty is Certainty.SEEN and found.code not in hand.AS_PROVED:
        return ()
    acts = (act_of(hand, event) for event in found.claims or (found.event,))
    return tuple(act for act in acts if act is not None)


def card_shown(hand: TrickState, found: Irregularity) -> LaidCard | None:
    """Return the card that contradicts what the act claimed, and in which suits; none where it was found otherwise."""
    if found.certainty is not Certainty.PROVED:
        return None
    done, later = _laid(hand, found.event), _laid(hand, found.proved_by[-1])
    if done is None or later is None:
        return None
    _, before, play = done
    number, _, shown = later
    return laid_card(hand, shown, number, denied(as_it_lay(hand, before), play))


def act_of(hand: TrickState, event: int) -> Act | None:
    """Return what was done with one of a hand's events: a card to a trick, and what it claimed."""
    found = _laid(hand, event)
    if found is None or found[2][1] == UNSEEN:
        return None
    number, before, play = found
    trick = as_it_lay(hand, before)
    claimed = denied(trick, play)
    suits = tuple(suit.code for suit in hand.rules.pack.suits if within(hand, play[0], suit.code, claimed))
    led = next((each for each in before if each[1] == trick.lead and each[1] != UNSEEN), None)
    return Act(
        led=None if led is None else laid_card(hand, led, number, trick.follows[led[0]]),
        played=laid_card(hand, play, number, claimed),
        claims=suits,
    )


def laid_card(hand: TrickState, play: Played, trick: int, demanded: int) -> LaidCard:
    """Return a card as its player reads it; the suits that match are those of which every card was asked for."""
    seat, card, *_ = play
    reads = [suit.code for suit in hand.rules.pack.suits if hand.reading_of(seat, suit.code) >> card & 1]
    printed = hand.rules.pack.cards[card]
    reads.sort(key=printed.suits.index)
    matches = tuple(suit for suit in reads if within(hand, seat, suit, demanded))
    return LaidCard(seat, trick, printed.code, tuple(reads), matches)


def within(hand: TrickState, seat: int, suit: str, cards: int) -> bool:
    """Return whether every card that is of a suit to a seat is among some cards."""
    own = hand.reading_of(seat, suit)
    return own != 0 and not own & ~cards


def denied(trick: TrickState, play: Played) -> int:
    """Return the cards that a play denied holding, with the trick as it lay before it."""
    seat, card, *_ = play
    return trick.denial(seat, card) if trick.plays else trick.lead_denial(seat, card)


def as_it_lay(hand: TrickState, plays: Iterable[Played]) -> TrickState:
    """Lay these cards once more, on a copy of the hand, for what had to be followed after them."""
    trick = hand.copy()
    trick.plays, trick.lead, trick.follows = (), None, hand.rules.nobody
    for play in plays:
        trick.settle_lead(play[0], play[1], play[3])
        trick.plays += (play,)
    return trick


def _laid(hand: TrickState, event: int) -> tuple[int, tuple[Played, ...], Played] | None:
    """Return the play of an event: the number of its trick, what lay there before, the play itself."""
    for number, plays in enumerate([*(trick.plays for trick in hand.taken), hand.plays], 1):
        for place, play in enumerate(plays):
            if play[2] == event:
                return number, plays[:place], play
    return None
