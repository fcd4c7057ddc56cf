"""What the record, or the house rules, can answer by themselves in a guide."""

from collections.abc import Callable, Mapping

from referee.engine.events import Bid, Play
from referee.engine.phases import FINISHED, PLAY
from referee.engine.rulings import Reason
from referee.guides.case import TRICK, Case
from referee.guides.reading import NO, YES

Fact = Callable[[Case], bool | None]
"""Returns what a case knows of a fact; ``None``: nothing."""


def partners(case: Case) -> bool:
    """Return whether players score together, by the house rules."""
    return any(len(side) > 1 for side in case.rules.sides)


def first_card(case: Case) -> bool | None:
    """Return whether a card has been played in the hand that is looked at; of one that is over it may be the next."""
    looked = case.looked
    if looked is None or (looked.hand.is_over() and not looked.late):
        return None
    return bool(case.plays) or bool(looked.hand.describe()["tricks"]) or looked.hand.is_over()


def next_played(case: Case) -> bool | None:
    """Return whether somebody else has played to the trick after the act."""
    act = case.act()
    if act is None:
        return None
    return any(laid.event > act.event and laid.seat != act.seat for laid in case.plays)


def beaten(case: Case) -> bool | None:
    """Return whether somebody else has played cards after the act; passing beats nothing (IR-15)."""
    act = case.act()
    if act is None or case.looked is None:
        return None
    events = case.looked.events
    later = (laid for laid in case.plays if laid.event > act.event and laid.seat != act.seat)
    return any(isinstance(events[laid.event], Play) for laid in later) or _recorded_since(case, act.event)


def played_on(case: Case) -> bool | None:
    """Return whether the player, or a partner, has played to a later trick."""
    act = case.act()
    if act is None:
        return True if _tricks_since(case) else None
    return any(laid.trick > act.trick and laid.seat in case.side for laid in case.plays) or _recorded_since(
        case, act.event
    )


def next_led(case: Case) -> bool | None:
    """Return whether a later trick than that of the act has begun."""
    act = case.act()
    if act is None:
        return None
    return any(laid.trick > act.trick for laid in case.plays) or _recorded_since(case, act.event)


def _tricks_since(case: Case) -> bool:
    """Return whether another trick is over since the one that was named, of which no card was recorded."""
    trick, looked = case.answers.get(TRICK), case.looked
    running = None if looked is None else looked.hand.trick_number()
    return isinstance(trick, int) and running is not None and running > trick + 1


def _recorded_since(case: Case, event: int) -> bool:
    """Return whether tricks, or the rest of the hand, were told without their cards since."""
    assert case.looked is not None
    return any(each.kind.coarse for each in case.looked.events[event + 1 :])


def last_trick(case: Case) -> bool | None:
    """Return whether the act was in the last trick of the hand: nobody held a card any more once it was over."""
    act, looked = case.act(), case.looked
    if act is None or looked is None:
        return None
    last = max(laid.trick for laid in case.plays)
    if act.trick != last or _recorded_since(case, act.event):
        return False
    played = {laid.seat for laid in case.plays if laid.trick == last}
    return all(left == (seat not in played) for seat, left in enumerate(looked.hand.cards_left()))


def hand_over(case: Case) -> bool | None:
    """Return whether the hand is finished."""
    return None if case.looked is None else case.looked.hand.phase is FINISHED


def next_dealt(case: Case) -> bool | None:
    """Return whether another hand has begun since."""
    return None if case.looked is None else case.looked.late


def next_scored(case: Case) -> bool | None:
    """Return whether a later hand has been scored."""
    looked = case.looked
    if looked is None or (not looked.late and looked.hand.is_over()):
        return None
    last = looked.table.hand
    if not looked.late or last is None:
        return False
    return last.setup.index > looked.hand.setup.index + 1 or last.phase is FINISHED


def next_bid(case: Case) -> bool | None:
    """Return whether somebody has bid after the player, or play has begun."""
    if case.looked is None or case.seat is None:
        return None
    bids = [each for each in case.looked.events if isinstance(each, Bid)]
    own = next((place for place, bid in enumerate(bids) if bid.seat == case.seat), None)
    if own is None:
        return None
    return any(bid.seat != case.seat for bid in bids[own + 1 :]) or bool(case.plays)


def first_trick_over(case: Case) -> bool | None:
    """Return whether the first trick of the hand is over."""
    if case.looked is None or case.looked.hand.phase is not PLAY:
        return None
    return (case.looked.hand.trick_number() or 0) > 1


FACTS: Mapping[str, Fact] = {
    "partners": partners,
    "first-card": first_card,
    "next-played": next_played,
    "beaten": beaten,
    "played-on": played_on,
    "next-led": next_led,
    "last-trick": last_trick,
    "hand-over": hand_over,
    "next-dealt": next_dealt,
    "next-scored": next_scored,
    "next-bid": next_bid,
    "first-trick-over": first_trick_over,
}
BY_RULES = frozenset({"partners"})
"""Facts that the house rules decide, whatever the record holds."""


def known(fact: str, case: Case) -> Reason | None:
    """Return why a question need not be asked, with ``yes`` or ``no`` as its code; ``None``: it has to be."""
    if fact in FACTS:
        answer = FACTS[fact](case)
    else:
        answer = None if case.looked is None or not fact else case.looked.hand.guide_knows(fact)
    if answer is None:
        return None
    code = YES if answer else NO
    return Reason(code, ("REC-19",), case.facts, f"known-{fact}-{code}")
