"""Full check of a hand: with every card known, each infraction is certain or ruled out (REC-19)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, TypedDict

from referee.engine.adjudication import describe_rejected
from referee.engine.event_kinds import Event
from referee.engine.events import Bid, Play
from referee.engine.hand import Hand, class_of
from referee.engine.records import Record, Replay, replay
from referee.engine.remedied import Owed
from referee.engine.replaying import STEP, Watch, no_watch
from referee.engine.rulings import Certainty, Irregularity, Reason, Verdict
from referee.engine.sheet import DescribedReason, DescribedRejected, Irregular, PerSeat, Position, SeatNumbers
from referee.engine.what_if_sheet import View

# Played to its last card a hand shows what everybody was dealt. It is judged once more with these hands as entered
# ones, so that every card is judged against the hand it came from; whatever is irregular is noted and play goes on.


@dataclass(frozen=True, slots=True)
class Audit:
    """What a full check of a hand found.

    ``infractions`` are irregular acts with the certainty that the record gives them; ``unchecked`` says what could
    not be checked, nothing where the hand is ``complete``. ``plays`` and ``bids`` is how many were looked at.
    """

    judged: Hand
    infractions: tuple[Irregularity, ...]
    unchecked: tuple[Reason, ...]
    plays: int
    bids: int
    owed: tuple[Owed | Reason | None, ...] = ()
    """For each infraction what the others lost by it beside what is made good (IR-6), or why nobody can know."""

    @property
    def complete(self) -> bool:
        """Return whether the hand is over and nothing in it was left unchecked."""
        return self.judged.is_over() and not self.unchecked

    @property
    def clean(self) -> bool | None:
        """Return whether nothing was irregular, as far as could be checked; ``None`` if no card could be."""
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
    """Check every hand of a record as far as it is taken; raises what ``replay`` raises."""
    judged = replay(record, watch)
    pairs = zip(judged.hands, record.hands, strict=False)
    return judged, tuple(audit_hand(hand, written.events[: hand.events], watch) for hand, written in pairs)


def audit_hand(judged: Hand, events: Sequence[Event], watch: Watch = no_watch) -> Audit:
    """Check one hand that was judged with these events; raises what ``watch`` raises."""
    known = judged.hands_shown()
    again = judged
    if known != judged.setup.known and any(known):
        again = class_of(judged.rules)(judged.rules, replace(judged.setup, known=known))
        for place, event in enumerate(events):
            if place % STEP == 0:
                watch()
            refusal = again.take(event)
            if refusal is not None and refusal.verdict is Verdict.IRREGULAR:
                refusal = again.take(replace(event, accepted=True))
            if refusal is not None:  # the hands do not fit the record after all: what was judged before stands
                again = judged
                break
    looked_at = [event for event in events if isinstance(event, Play) and UNSEEN not in event.cards]
    proved = {(each.code, each.event): each for each in judged.irregularities if each.certainty is Certainty.PROVED}
    infractions = tuple(proved.get((found.code, found.event), found) for found in again.irregularities)
    owed = tuple(judged.owed(found, events) for found in infractions)
    bids = sum(isinstance(event, Bid) for event in events)
    return Audit(again, infractions, tuple(again.unchecked()), len(looked_at), bids, owed)


UNSEEN = "?"
"""How a card is written that nobody saw."""


# --- A full check of hands as JSON holds it

Scores = Annotated[PerSeat | None, "Points of the hand, per seat."]


class DescribedEquity(TypedDict):
    """What others lost by a revoke, as the cards lay: points as played, as repaired by giving up tricks (IR-4), as they
    would lawfully have been, and the better result for the others (IR-6); null if unknown.
    """

    played: Scores
    repaired: Scores
    lawful: Scores
    better: Scores
    harmed: SeatNumbers
    reason: DescribedReason


class Infraction(Irregular):
    """An irregular act: `seen` by itself or against a hand that is known, `proved` by a later card, or `joint`."""

    proved_by: list[Position]
    equity: DescribedEquity | None


class DescribedAudit(TypedDict):
    """A hand checked in full."""

    number: int
    complete: Annotated[bool, "The hand is over and nothing in it was left unchecked."]
    clean: Annotated[bool | None, "Nothing was irregular, as far as could be checked; null where no card could be."]
    verdict: DescribedReason
    infractions: list[Infraction]
    unchecked: Annotated[list[DescribedReason], "What could not be checked."]
    plays: Annotated[int, "So many plays were looked at."]
    bids: Annotated[int, "So many bids were looked at."]


class DescribedAudits(TypedDict):
    """Every hand of a record, checked in full."""

    hands: list[DescribedAudit]
    rejected: DescribedRejected | None


def describe_audit(checked: Audit, view: View) -> DescribedAudit:
    """Describe a full check; what is held back until the hand is over is left out where ``view`` says so."""
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
