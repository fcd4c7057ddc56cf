"""Who has played on this device before, so that nobody has to be typed twice."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest

from referee.engine.game import Game
from referee.engine.reader import as_seen
from scoring.queries.access import open_tables
from scoring.queries.played import PLAYED
from scoring.services.devices import devices_of

LATEST = 30
"""Tables that are looked at for who sat there."""
MOST_GROUPS = 3
MOST_NAMES = 12


@dataclass(frozen=True, slots=True)
class Known:
    """A chip to tap: who it seats, and the form's address with them seated."""

    names: tuple[str, ...]
    query: str

    @property
    def label(self) -> str:
        """Return what stands on the chip."""
        return ", ".join(self.names)


def recent_groups(request: HttpRequest) -> list[tuple[str, ...]]:
    """Return who sat together at the tables of this device, the latest first."""
    rows = open_tables(devices_of(request.COOKIES)).order_by(PLAYED.desc())
    return list(dict.fromkeys(tuple(seats) for seats in rows.values_list("seats", flat=True)[:LATEST]))


def groups_for(game: Game, groups: Sequence[tuple[str, ...]]) -> list[Known]:
    """Return the groups of a size this game is played by."""
    fitting = [group for group in groups if len(group) in game.players][:MOST_GROUPS]
    return [Known(group, _query(group)) for group in fitting]


def names_for(
    game: Game, groups: Sequence[tuple[str, ...]], seated: Sequence[str], *, along: Sequence[tuple[str, str]] = ()
) -> list[Known]:
    """Return the people who do not sit here yet; each chip seats one more, and the address keeps what comes along."""
    names = list(dict.fromkeys(name for group in groups for name in group))
    if len(seated) >= game.players[-1]:
        return []
    here = {as_seen(name) for name in seated}
    missing = [name for name in names if as_seen(name) not in here][:MOST_NAMES]
    return [Known((name,), _query((*seated, name), along)) for name in missing]


def _query(names: Sequence[str], along: Sequence[tuple[str, str]] = ()) -> str:
    return "?" + urlencode([*along, *(("name", name) for name in names)])
