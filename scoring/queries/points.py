"""Whether a table's points are hidden, and what is told of it then. The game says whether; everybody asks here."""

from referee.engine.adjudication import describe_hand, describe_table
from referee.engine.sheet import Adjudication
from scoring.models import Table
from scoring.queries.clock import standing_now
from scoring.queries.log import hands_as_they_were
from scoring.queries.rules import rules_of
from scoring.queries.state import ChangedPart, Standing, adjudication, changed, current_hand


def may_hide_points(row: Table) -> bool:
    """Return whether a table's house rules hide points while the game runs."""
    rules = rules_of(row)
    return rules.game.hides_points(rules.options)


def points_hidden(at: Standing) -> bool:
    """Return whether nobody is to see the points of a table now: not before the game is over.

    A game that other people go on with at another table, with the totals of this one, is not over either.
    """
    if not may_hide_points(at.row):
        return False
    if at.state.hides_points() or not at.state.finished():
        return at.state.hides_points()
    read = vars(at.row)
    following = read["following"] if "following" in read else Table.objects.filter(previous=at.row).first()
    return following is not None and points_hidden(standing_now(following))


def adjudication_shown(at: Standing) -> Adjudication:
    """Describe everything about a table that may be shown now."""
    if not points_hidden(at):
        return adjudication(at)
    played = [hand.state.hand for hand in hands_as_they_were(at.row, at.row.version)[:-1]]
    left = [describe_hand(hand, at.names, points=False) for hand in played if hand is not None]
    last = current_hand(at, points=False)
    hands = left if last is None else [*left, last]
    return {**describe_table(at.state, points=False), "hands": hands, "rejected": None}


def changed_shown(at: Standing) -> ChangedPart:
    """Describe what an event can have changed, as far as it may be shown now."""
    return changed(at.state, at.names, points=not points_hidden(at))


def totals_shown(at: Standing) -> tuple[int, ...] | None:
    """Return the totals, or ``None`` while they are hidden."""
    return None if points_hidden(at) else at.state.totals()
