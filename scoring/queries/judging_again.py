"""A table judged once more: a hand in full, all as it lay by other rules. What nobody is to hear yet stays unsaid."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.engine.audit import audit_hand
from referee.engine.audit_sheet import DescribedAudit, describe_audit
from referee.engine.bounds import TooCostly, Watch
from referee.engine.options import Refused
from referee.engine.reading import stored_event
from referee.engine.records import load_record
from referee.engine.table import end_by_time
from referee.engine.translation import ENGLISH, Language
from referee.engine.what_if import judge_as_it_lay
from referee.engine.what_if_sheet import DescribedWhatIf, View, describe_what_if
from scoring.models import Table
from scoring.queries.chains import by_distance, carried_now, tables_before
from scoring.queries.clock import judging_watch, time_is_up
from scoring.queries.log import record, standing_events
from scoring.queries.points import points_hidden
from scoring.queries.state import Standing, hand_played, standing


def what_if(at: Standing, options: Mapping[str, object], language: Language = ENGLISH) -> DescribedWhatIf:
    """Describe what a table would be under other rules.

    Where points are hidden it says none, and what the table wants to hear only when the hand is over is not in it.
    Raises ``Refused`` for options that cannot be, and ``TooCostly``.
    """
    watch = judging_watch()
    carried = carried_then(at.row, options, watch)
    found = judge_as_it_lay(load_record(record(at.row), stored=True, watch=watch), options, watch, carried)
    if time_is_up(at.row):
        judged = replace(found.then, table=end_by_time(found.then.table))
        found = replace(found, then=judged, table=end_by_time(found.table))
    view = View(at.names, language, points=not points_hidden(at), holds=True)
    return describe_what_if(found, view, watch)


def carried_then(row: Table, options: Mapping[str, object], watch: Watch) -> tuple[int, ...]:
    """Return what a table would carry, had its game been played by other rules at the tables before it, too.

    A table that cannot be judged by them counts as it was.
    """
    made: list[Sequence[int]] = []
    for earlier in reversed([*tables_before(row)] if row.carried_from else []):
        carried = carried_now(earlier, by_distance(made))
        try:
            found = judge_as_it_lay(load_record(record(earlier), stored=True, watch=watch), options, watch, carried)
        except TooCostly:
            raise
        except Refused:
            made.append(standing(earlier).state.totals())
        else:
            made.append(found.table.totals() if found.scored else found.then.table.totals())
    return carried_now(row, by_distance(made))


def audited(at: Standing, index: int, language: Language = ENGLISH) -> DescribedAudit | None:
    """Check one hand of a table, by its index from 0; ``None`` where the table has no such hand."""
    if at.hand is None or not 0 <= index <= at.hand.setup.index:
        return None
    hand = at.hand if at.hand.setup.index == index else hand_played(at.row, index)
    events = [stored_event(entry.event) for entry in standing_events(at.row, hand=index)]
    checked = audit_hand(hand, events[: hand.events], judging_watch())
    return describe_audit(checked, View(at.names, language, holds=True))
