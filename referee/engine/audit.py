"""Full check of a hand: with every card known, each infraction is certain or ruled out (REC-19)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, TypedDict

from referee.engine.adjudication import View, describe_rejected
from referee.engine.cards import UNSEEN
from referee.engine.event_kinds import Event
from referee.engine.events import Bid, Play
from referee.engine.hand import Hand
from referee.engine.records import Record, Replay, replay
from referee.engine.remedied import Owed
from referee.engine.replaying import STEP, Watch, no_watch
from referee.engine.rulings import Certainty, Irregularity, Reason, Verdict
from referee.engine.sheet import DescribedReason, DescribedRejected, Irregular, PerSeat, Position, SeatNumbers

# A hand played to its last card shows what everyone was dealt. It is judged again with these hands entered, so that
# every card is checked against the hand it came from; irregularities are noted and play goes on.


@dataclass(frozen=True, slots=True)
class Audit:
    """What a full check of a hand found.

    ``infractions`` have the certainty that the record gives them. ``unchecked`` says what could not be checked; it is
    empty if the check is ``complete``. ``plays`` and ``bids`` are the numbers checked.
    """

    judged: Hand
    infractions: tuple[Irregularity, ...]
    unchecked: tuple[Reason, ...]
    plays: int
    bids: int
    owed: tuple[Owed | Reason | None, ...] = ()
    """For each infraction, what it cost the others beyond its repair (IR-6), or why nobody can know."""

    @property
    def complete(self) -> bool:
        """Return whether the hand is over and everything in it was checked."""
        return self.judged.is_over() and not self.unchecked

    @property
    def clean(self) -> bool | None:
        """Return whether no infraction was found; ``None`` if no card could be checked."""
        return None if not (self.infractions or self.plays or self.complete) else not self.infractions

    @property
    def verdict(self) -> Reason:
        count = len(self.infractions)
        if self.clean is None:
            return Reason("audit-no-cards", ("REC-19",), {}, "audit-bids-only" if self.bids else "")
        so_far = "" if self.complete else "so-far-"
        code = f"audit-{so_far}{'found' if count else 'clean'}"
        return Reason(code, ("REC-19",), {"count": count} if count else {})


def audit(record: Record, watch: Watch = no_watch) -> tuple[Replay, tuple[Audit, ...]]:
    """Check every hand of a record as far as it is valid; raises what ``replay`` raises."""
    judged = replay(record, watch)
    pairs = zip(judged.hands, record.hands, strict=False)
    return judged, tuple(audit_hand(hand, written.events[: hand.events], watch) for hand, written in pairs)


def audit_hand(judged: Hand, events: Sequence[Event], watch: Watch = no_watch) -> Audit:
    """Check one judged hand, given its events; raises what ``watch`` raises."""
    known = judged.hands_shown()
    again = judged
    if known != judged.setup.known and any(known):
        again = judged.rules.game.hand_class(judged.rules, replace(judged.setup, known=known))
        for place, event in enumerate(events):
            if place % STEP == 0:
                watch()
            refusal = again.take(event)
            if refusal is not None and refusal.verdict is Verdict.IRREGULAR:
                refusal = again.take(replace(event, accepted=True))
            if refusal is not None:  # the hands do not fit the record: keep the first judgement
                again = judged
                break
    looked_at = [event for event in events if isinstance(event, Play) and UNSEEN not in event.cards]
    proved = {(each.code, each.event): each for each in judged.irregularities if each.certainty is Certainty.PROVED}
    infractions = tuple(proved.get((found.code, found.event), found) for found in again.irregularities)
    owed = tuple(judged.owed(found, events) for found in infractions)
    bids = sum(isinstance(event, Bid) for event in events)
    return Audit(again, infractions, tuple(again.unchecked()), len(looked_at), bids, owed)


# --- The JSON shapes of a full check

Scores = Annotated[PerSeat | None, "Points of the hand, per seat."]


class DescribedEquity(TypedDict):
    """What a revoke cost the others. Points as played, with tricks given up (IR-4), with lawful play, and the better
    result for the others (IR-6); null if unknown.
    """

    played: Scores
    repaired: Scores
    lawful: Scores
    better: Scores
    harmed: SeatNumbers
    reason: DescribedReason


class Infraction(Irregular):
    """An irregular act: `seen` by itself or against a known hand, `proved` by a later card, or `joint`."""

    proved_by: list[Position]
    equity: DescribedEquity | None


class DescribedAudit(TypedDict):
    """The full check of one hand."""

    number: int
    complete: Annotated[bool, "Whether the hand is over and everything in it was checked."]
    clean: Annotated[
        bool | None, "No irregularity was found, as far as could be checked; null if no card could be checked."
    ]
    verdict: DescribedReason
    infractions: list[Infraction]
    unchecked: Annotated[list[DescribedReason], "What could not be checked."]
    plays: Annotated[int, "The number of plays that were checked."]
    bids: Annotated[int, "The number of bids that were checked."]


class DescribedAudits(TypedDict):
    """The full check of every hand of a record."""

    hands: list[DescribedAudit]
    rejected: DescribedRejected | None


def describe_audit(checked: Audit, view: View) -> DescribedAudit:
    """Describe a full check; with ``view.holds``, findings that are still held back are left out."""
    hand = checked.judged
    held = view.holds and hand.holds_back()
    announced = [
        (found, owed)
        for found, owed in zip(checked.infractions, checked.owed, strict=True)
        if not held or found.certainty is Certainty.SEEN
    ]
    shown = replace(checked, infractions=tuple(found for found, _ in announced))
    infractions: list[Infraction] = [
        {
            **view.irregular(found, hand),
            "proved_by": [list(hand.position(event)) for event in found.proved_by],
            "equity": None if owed is None or not view.points else _owed(owed, view),
        }
        for found, owed in announced
    ]
    return {
        "number": hand.setup.index + 1,
        "complete": shown.complete,
        "clean": shown.clean,
        "verdict": view.reason(shown.verdict),
        "infractions": infractions,
        "unchecked": [view.reason(reason) for reason in shown.unchecked],
        "plays": shown.plays,
        "bids": shown.bids,
    }


def _owed(owed: Owed | Reason, view: View) -> DescribedEquity:
    if isinstance(owed, Reason):
        nothing = view.reason(owed)
        return {"played": None, "repaired": None, "lawful": None, "better": None, "harmed": [], "reason": nothing}
    return {
        "played": list(owed.played),
        "repaired": list(owed.repaired),
        "lawful": list(owed.lawful),
        "better": list(owed.better),
        "harmed": list(owed.harmed),
        "reason": view.reason(owed.reason),
    }


def describe_audits(judged: Replay, checked: tuple[Audit, ...], view: View) -> DescribedAudits:
    rejected = None if judged.rejected is None else describe_rejected(judged.rejected, view.names)
    return {"hands": [describe_audit(each, view) for each in checked], "rejected": rejected}
