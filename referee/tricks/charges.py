"""Which acts of a hand of tricks can have been unlawful, as far as the record tells, and why the others were not.

A card that did not follow can have been a revoke as long as its player may have held one that follows. Where nobody
saw the cards, every accusation stays open.
"""

from collections.abc import Iterator, Sequence

from referee.engine.guided import Charge
from referee.engine.phases import BIDDING, FINISHED, PLAY, VOID
from referee.engine.rulings import Certainty, Reason
from referee.tricks.evidence import as_it_lay, denied
from referee.tricks.resolve import UNSEEN, Played
from referee.tricks.state import TrickState


def revokes(hand: TrickState) -> Iterator[Charge]:
    """Yield for each seat and trick whether it can have failed to follow."""
    for number, plays in tricks_shown(hand):
        if plays:
            leader, _, event, _ = plays[0]
            led = Reason("cleared-led", hand.CITES["follow"], {"seat": leader, "trick": number})
            yield Charge(leader, number, event, led)
        for place, play in enumerate(plays[1:], 1):
            yield Charge(play[0], number, play[2], _followed(hand, number, plays[:place], play))
        yield from _not_seen(hand, number, plays)


def trump_leads(hand: TrickState) -> Iterator[Charge]:
    """Yield for each seat and trick whether it can have led what it may not lead."""
    clauses = hand.CITES.get("trump-led", hand.CITES["lead"])
    for number, plays in tricks_shown(hand):
        if not plays:
            yield from _not_seen(hand, number, plays)
            continue
        leader = plays[0]
        yield Charge(leader[0], number, leader[2], _lawful_lead(hand, number, leader, clauses))
        for seat in range(hand.rules.players):
            if seat != leader[0]:
                facts = {"seat": seat, "other": leader[0], "trick": number}
                yield Charge(seat, number, cleared=Reason("cleared-other-led", clauses, facts))
    if hand.phase is PLAY and hand.taken and not hand.plays and not hand.blind:
        for seat in hand.to_act():
            yield Charge(seat, len(hand.taken) + 1)


def unlawful_cards(hand: TrickState) -> Iterator[Charge]:
    """Yield for each card, and each seat whose card was not seen, whether it can have been unlawful in any way."""
    accepted = {found.event for found in hand.irregularities if found.certainty is Certainty.SEEN}
    leads = {each.event: each.cleared for each in trump_leads(hand) if each.event is not None}
    for each in revokes(hand):
        if each.event in accepted:
            yield each._replace(cleared=None)
        elif each.event in leads and each.cleared is not None:
            lead = leads[each.event]
            any_card = lead is not None and "trump-led" not in hand.CITES
            yield each if any_card else each._replace(cleared=lead)
        else:
            yield each


def bids_made(hand: TrickState) -> Iterator[Charge]:
    """Yield whose bid can be changed: those recorded, and the one that is due."""
    for seat, bid in enumerate(hand.bids):
        due = hand.phase is BIDDING and seat in hand.to_act()
        why = Reason("cleared-no-bid", hand.CITES.get("bid", hand.CITES["tricks"])[-1:], {"seat": seat})
        yield Charge(seat, cleared=None if bid is not None or due else why)


def claims_of_rest(hand: TrickState) -> Iterator[Charge]:
    """Yield who can claim the tricks that are left: anybody, while there are some."""
    why = None if hand.phase is PLAY else Reason("nothing-to-claim", ("IR-14",))
    for seat in range(hand.rules.players):
        yield Charge(seat, cleared=why)


CHARGES = {
    "revoke": revokes,
    "trump-led": trump_leads,
    "unlawful-card": unlawful_cards,
    "bid": bids_made,
    "claim": claims_of_rest,
}
"""The acts of a hand of tricks of which somebody can be accused."""


def tricks_shown(hand: TrickState) -> Iterator[tuple[int | None, tuple[Played, ...]]]:
    """Yield every trick with what was seen of it: those played, the one that runs, those told by the result alone.

    Of a hand of which nothing is recorded yet it is one trick without a number; of one recorded without its cards the
    trick that runs is among them.
    """
    for number, trick in enumerate(hand.taken, 1):
        yield number, trick.plays
    running = len(hand.taken) + 1
    if hand.plays:
        yield running, hand.plays
    elif hand.phase is FINISHED:
        for number in range(running, hand.total + 1):
            yield number, ()
    elif hand.phase is not VOID and not hand.taken:
        yield None, ()
    elif hand.phase is PLAY and hand.blind:
        yield running, ()


def _not_seen(hand: TrickState, number: int | None, plays: Sequence[Played]) -> Iterator[Charge]:
    """Yield a charge for everybody whose card to a trick is not recorded."""
    there = {play[0] for play in plays}
    for seat in range(hand.rules.players):
        if seat not in there:
            yield Charge(seat, number)


def _followed(hand: TrickState, number: int | None, before: Sequence[Played], play: Played) -> Reason | None:
    """Return why a card was lawful to follow with; ``None`` where it may not have been."""
    seat, card, *_ = play
    trick = as_it_lay(hand, before)
    if card == UNSEEN or (trick.lead == UNSEEN and not trick.follows[seat]):
        return None
    cards, clauses = hand.rules.pack.cards, trick.follow_clauses()
    facts: dict[str, object] = {"seat": seat, "trick": number, "card": cards[card]}
    demanded = denied(trick, play)
    if demanded:
        return None if may_have_held(hand, number, play, demanded) else Reason("cleared-had-none", clauses, facts)
    if trick.lead is None or not trick.follows[seat] >> card & 1:
        return Reason("cleared-free", clauses, facts)
    if trick.lead == UNSEEN:
        return Reason("cleared-followed-suit", clauses, facts)
    return Reason("cleared-followed", clauses, facts | {"led": cards[trick.lead]})


def _lawful_lead(hand: TrickState, number: int | None, play: Played, clauses: tuple[str, ...]) -> Reason | None:
    """Return why a card was lawful to lead; ``None`` where it may not have been."""
    seat, card, *_ = play
    if card == UNSEEN:
        return None
    facts: dict[str, object] = {"seat": seat, "trick": number, "card": hand.rules.pack.cards[card]}
    demanded = denied(as_it_lay(hand, ()), play)
    if not demanded:
        return Reason("cleared-lead", clauses, facts)
    return None if may_have_held(hand, number, play, demanded) else Reason("cleared-only-trumps", clauses, facts)


def may_have_held(hand: TrickState, number: int | None, play: Played, cards: int) -> bool:
    """Return whether a seat may still have held one of some cards after its play to a trick."""
    seat, _, event, _ = play
    later = 0
    for _, plays in tricks_shown(hand):
        for other, card, when, _ in plays:
            if other == seat and when > event and card != UNSEEN:
                later |= 1 << card
    if later & cards:
        return True
    if later.bit_count() >= hand.total - (number or 0):
        return False
    unseen = hand.rules.pack.members(hand.may_hold(seat) & cards)
    return any(hand.beyond_deal(seat, card) is None for card in unseen)
