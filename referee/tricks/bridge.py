"""The remedy of Bridge for a revoke: which tricks are given up, and who gets them instead (IR-4)."""

from referee.engine.event_kinds import Event
from referee.engine.events import Penalty, Transfer
from referee.engine.phases import FINISHED
from referee.engine.rulings import Irregularity, Reason
from referee.tricks.resolve import resolve
from referee.tricks.state import Taken, TrickState


def give_up(hand: TrickState, found: Irregularity, why: str) -> tuple[Event, ...] | Reason:
    """Return the events that give tricks up, or say when they can be told.

    Where counting shows that one of several acts of a player was unlawful, and not which, they are told
    only if it makes no difference.

    Tricks that are worth points move as tricks. Where an exact bid counts, giving a trick up could
    help the offender; there the offender gets the lower, everybody else the higher of both scores.
    """
    offender = found.offender
    if offender is None:
        return Reason("remedy-nobody", ("REC-18",))
    if hand.rules.bidding and hand.phase is not FINISHED:
        return Reason("remedy-at-end", ("IR-4",))
    outcomes = [give_up_for(hand, offender, number, why) for number in tricks_of(hand, found)]
    waiting = next((outcome for outcome in outcomes if isinstance(outcome, Reason)), None)
    if waiting is not None:
        return waiting
    if any(outcome != outcomes[0] for outcome in outcomes):
        return Reason("remedy-which-trick", ("IR-4", "REC-18"), {"seat": offender})
    return outcomes[0]


def tricks_of(hand: TrickState, found: Irregularity) -> list[int]:
    """Return the numbers of the tricks in which the offence can have been: one, unless it was found by counting."""
    acts = found.claims or (found.event,)
    plays = [*(trick.plays for trick in hand.taken), hand.plays]
    numbers = [number for number, trick in enumerate(plays, 1) if any(play[2] in acts for play in trick)]
    return numbers or [found.trick or 0]


def give_up_for(hand: TrickState, offender: int, number: int, why: str) -> tuple[Event, ...] | Reason:
    """Return the events that give tricks up for a revoke in this trick."""
    tricks = tricks_given_up(hand, offender, number)
    if isinstance(tricks, Reason):
        return tricks
    heirs = [heir(hand, trick, offender) for trick in tricks]
    moved = tuple(
        Transfer(offender, seat, heirs.count(seat), why)
        for seat in range(hand.rules.players)
        if seat in heirs and seat != offender
    )
    return lower_and_higher(hand, offender, moved, why) if hand.EXACT_BIDS else moved


def tricks_given_up(hand: TrickState, seat: int, number: int) -> list[Taken] | Reason:
    """Return the trick of the offence if the offender won it, and the next one won (IR-4)."""
    if not 0 < number <= len(hand.taken):
        return Reason("remedy-next-trick", ("IR-4",), {"seat": seat})
    own = [trick for trick in hand.taken[number - 1 :] if trick.winner == seat]
    most = 2 if hand.taken[number - 1].winner == seat else 1
    if len(own) < most and hand.phase is not FINISHED:
        return Reason("remedy-next-trick", ("IR-4",), {"seat": seat})
    by_result = hand.won[seat] > sum(trick.winner == seat for trick in hand.taken)
    given = own[:most]
    if not all(trick.plays for trick in given) or (len(own) < most and by_result):
        return Reason("remedy-unseen", ("IR-4", "REC-19"))
    return given


def heir(hand: TrickState, trick: Taken, seat: int) -> int:
    """Return who would have won a trick if this seat's card could not win (IR-4).

    The card still defines the suit led. A trick that no other card could win stays where it is.
    """
    at = hand.copy()
    at.trump, at.plays, at.lead, at.follows = trick.trump, (), None, hand.rules.nobody
    for play in trick.plays:
        if at.lead is None:
            at.open_suit(play[0], play[1], play[3])
        at.plays += (play,)
    follows, trumps = at.follows, at.trumps()
    others = [p for p in trick.plays if p[0] != seat and (follows[p[0]] | trumps[p[0]]) >> p[1] & 1]
    if not others:
        return trick.winner
    return resolve(others, follows, trumps, hand.rules.ranks, at.tie_rule())[0][0]


def lower_and_higher(hand: TrickState, offender: int, moved: tuple[Transfer, ...], why: str) -> tuple[Event, ...]:
    """Return penalties that give the offender the lower, the others the higher of both scores (IR-4)."""
    after = hand.copy()
    after.transfers += tuple((t.from_seat, t.to_seat, t.tricks) for t in moved)
    pairs = zip(hand.points() or (), after.points() or (), strict=True)
    due = [(min if seat == offender else max)(now, then) - now for seat, (now, then) in enumerate(pairs)]
    return tuple(Penalty(seat, points, why) for seat, points in enumerate(due) if points)
