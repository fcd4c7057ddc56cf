"""Creating, changing and deleting a group's seasons."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from referee.engine.reader import Reader
from scoring.groups.acts.groups import first_of, group_turn
from scoring.models import Group, Season
from scoring.operating.acts.database import past_deadlocks
from scoring.tables.acts.exceptions import NoSuchSeason
from scoring.tables.acts.keys import Caller

MOST_SEASONS = 100
MOST_EVENINGS = 400


@past_deadlocks
def add_season(code: str, values: Mapping[str, Any], caller: Caller) -> Season:
    """Create a season; ``ranked_by`` defaults to the group's ranking. Raises ``Refused``."""
    with group_turn(code, caller, caller.fingerprint("season", _told(values))) as turn:
        if turn.repeats:
            return _season(turn.group, turn.made)
        season = Season(group=turn.group, **{**values, "ranked_by": values.get("ranked_by") or turn.group.ranked_by})
        check_season(season)
        if turn.group.seasons.count() >= MOST_SEASONS:
            reader = Reader()
            reader.value("/name", "A group can have up to 100 seasons.")
            reader.check()
        season.save()
        turn.made = season.pk
        return season


@past_deadlocks
def change_season(code: str, number: int, changes: Mapping[str, Any], caller: Caller) -> Season:
    """Change the given fields; setting ``last`` clears ``evenings``, and vice versa.

    Raises ``NoSuchSeason`` and ``Refused``.
    """
    with group_turn(code, caller, caller.fingerprint("change-season", [number, _told(changes)])) as turn:
        season = _season(turn.group, number)
        if turn.repeats:
            return season
        for name, value in changes.items():
            setattr(season, name, value)
        if changes.get("last") and "evenings" not in changes:
            season.evenings = None
        if changes.get("evenings") and "last" not in changes:
            season.last = None
        check_season(season)
        season.save()
        return season


@past_deadlocks
def delete_season(code: str, number: int, caller: Caller) -> None:
    """Delete a season; its tables stay. Raises ``NoSuchSeason``."""
    with group_turn(code, caller, caller.fingerprint("delete-season", number)) as turn:
        if not turn.repeats:
            _season(turn.group, number).delete()


def _season(group: Group, number: int | None) -> Season:
    return first_of(Season.objects.filter(group=group, pk=number or 0), NoSuchSeason)


def _told(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in values.items()}


def check_season(season: Season) -> None:
    reader = Reader()
    if season.last is not None and season.evenings is not None:
        reader.value("/evenings", "A season ends on a day or after a number of evenings, not both.")
    if season.last is not None and season.last < season.first:
        reader.value("/last", "The last day is before the first.")
    if season.evenings is not None and not 1 <= season.evenings <= MOST_EVENINGS:
        reader.value("/evenings", "A season has 1 to 400 evenings.")
    reader.check()
