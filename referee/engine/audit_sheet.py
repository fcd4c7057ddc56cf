"""A full check of hands as JSON holds it."""

from dataclasses import replace
from typing import TypedDict

from referee.engine.adjudication import describe_rejected
from referee.engine.audit import Audit
from referee.engine.records import Replay
from referee.engine.rulings import Certainty
from referee.engine.sheet import DescribedReason, DescribedRejection, Position
from referee.engine.what_if_sheet import View


class Infraction(TypedDict):
    """An irregular act: whose, when, how it is known, and why."""

    code: str
    certainty: str
    seat: int | None
    suspects: list[int]
    event: Position
    trick: int | None
    proved_by: list[Position]
    reason: DescribedReason


class DescribedAudit(TypedDict):
    """A hand checked in full. ``complete``: every card is known; ``clean``: nothing was irregular."""

    number: int
    complete: bool
    clean: bool
    verdict: DescribedReason
    infractions: list[Infraction]
    unchecked: list[DescribedReason]
    plays: int
    bids: int


class DescribedAudits(TypedDict):
    """All hands of a record checked, and what stopped it."""

    hands: list[DescribedAudit]
    rejected: DescribedRejection | None


def describe_audit(checked: Audit, view: View) -> DescribedAudit:
    """Describe a full check; what is held back until the hand is over is left out where ``view`` says so."""
    hand = checked.judged
    held = view.holds and hand.holds_back()
    found = [each for each in checked.infractions if not held or each.certainty is Certainty.SEEN]
    shown = replace(checked, infractions=tuple(found))
    return {
        "number": hand.setup.index + 1,
        "complete": shown.complete,
        "clean": not found,
        "verdict": view.reason(shown.verdict),
        "infractions": [
            {
                "code": each.code,
                "certainty": each.certainty.value,
                "seat": each.seat,
                "suspects": list(each.suspects),
                "event": list(hand.position(each.event)),
                "trick": each.trick,
                "proved_by": [list(hand.position(event)) for event in each.proved_by],
                "reason": view.reason(each.reason),
            }
            for each in found
        ],
        "unchecked": [view.reason(reason) for reason in shown.unchecked],
        "plays": shown.plays,
        "bids": shown.bids,
    }


def describe_audits(judged: Replay, checked: tuple[Audit, ...], view: View) -> DescribedAudits:
    """Describe the check of every hand of a record."""
    rejected = None if judged.rejected is None else describe_rejected(judged.rejected, view.names)
    return {"hands": [describe_audit(each, view) for each in checked], "rejected": rejected}
