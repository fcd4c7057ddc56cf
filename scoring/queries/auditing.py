"""A hand of a table checked in full; what nobody is to hear yet stays unsaid."""

from referee.engine.audit import audit_hand
from referee.engine.audit_sheet import DescribedAudit, describe_audit
from referee.engine.reading import stored_event
from referee.engine.translation import ENGLISH, Language
from referee.engine.what_if_sheet import View
from scoring.queries.clock import judging_watch
from scoring.queries.log import standing_events
from scoring.queries.state import Standing, hand_played


def audited(at: Standing, index: int, language: Language = ENGLISH) -> DescribedAudit | None:
    """Check one hand of a table, by its index from 0; ``None`` where the table has no such hand."""
    if at.hand is None or not 0 <= index <= at.hand.setup.index:
        return None
    hand = at.hand if at.hand.setup.index == index else hand_played(at.row, index)
    events = [stored_event(entry.event) for entry in standing_events(at.row, hand=index)]
    checked = audit_hand(hand, events[: hand.events], judging_watch())
    return describe_audit(checked, View(at.names, language, holds=True))
