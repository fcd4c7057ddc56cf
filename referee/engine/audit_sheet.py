"""A full check of hands as JSON holds it."""

from dataclasses import replace
from typing import TypedDict

from referee.engine.adjudication import describe_rejected
from referee.engine.audit import Audit
from referee.engine.guided import Owed
from referee.engine.hand import Hand
from referee.engine.records import Replay
from referee.engine.rulings import Certainty, Irregularity, Reason
from referee.engine.sheet import DescribedReason, DescribedRejection, Irregular, PerSeat, Position
from referee.engine.what_if_sheet import View


class DescribedOwed(TypedDict):
    """What others lost by an infraction, as the cards lay (IR-6): scores per seat, ``None`` where nobody can know."""

    played: PerSeat | None
    repaired: PerSeat | None
    lawful: PerSeat | None
    better: PerSeat | None
    harmed: list[int]
    reason: DescribedReason


class Infraction(Irregular):
    """An irregular act; ``equity`` is what the others lost by it."""

    proved_by: list[Position]
    equity: DescribedOwed | None


class DescribedAudit(TypedDict):
    """A hand checked in full. ``complete``: every card is known; ``clean``: nothing was irregular, if that is known."""

    number: int
    complete: bool
    clean: bool | None
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


def _owed(owed: Owed | Reason, view: View) -> DescribedOwed:
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
