"""A full check of hands as JSON holds it."""

from dataclasses import replace
from typing import Annotated, TypedDict

from referee.engine.adjudication import describe_rejected
from referee.engine.audit import Audit
from referee.engine.guided import Owed
from referee.engine.hand import Hand
from referee.engine.records import Replay
from referee.engine.rulings import Certainty, Irregularity, Reason
from referee.engine.sheet import DescribedReason, DescribedRejected, Irregular, PerSeat, Position, SeatNumbers
from referee.engine.what_if_sheet import View

Scores = Annotated[PerSeat | None, "Points of the hand, per seat."]


class DescribedEquity(TypedDict):
    """What others lost by a revoke, as the cards lay: points as played, as repaired by giving up tricks (IR-4), as they
    would lawfully have been, and the better result for the others (IR-6); null where nobody can know.
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
    return {
        "number": hand.setup.index + 1,
        "complete": shown.complete,
        "clean": shown.clean,
        "verdict": view.reason(shown.verdict),
        "infractions": [_infraction(found, owed, hand, view) for found, owed in announced],
        "unchecked": [view.reason(reason) for reason in shown.unchecked],
        "plays": shown.plays,
        "bids": shown.bids,
    }


def _infraction(found: Irregularity, owed: Owed | Reason | None, hand: Hand, view: View) -> Infraction:
    return {
        **view.irregular(found, hand),
        "proved_by": [list(hand.position(event)) for event in found.proved_by],
        "equity": None if owed is None or not view.points else _owed(owed, view),
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
    """Describe the check of every hand of a record."""
    rejected = None if judged.rejected is None else describe_rejected(judged.rejected, view.names)
    return {"hands": [describe_audit(each, view) for each in checked], "rejected": rejected}
