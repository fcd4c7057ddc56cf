"""Per-process caches of each table's last written state and of links, so that the next card needs no read.

An entry may be stale: every write checks it in its own statement, so nothing here is invalidated by other processes.
"""

from dataclasses import dataclass

from referee.engine.catalogue import find_game
from referee.engine.snapshot import Saved
from scoring.models import Link, Table
from scoring.queries import clock
from scoring.queries.latest import RecentCache
from scoring.queries.state import Standing


@dataclass(frozen=True, slots=True)
class CachedState:
    """A table as it was written, with the referee's state and the text that this is saved as. Nobody changes it."""

    row: Table
    saved: Saved

    @property
    def usable(self) -> bool:
        """Return whether its game is still the one it was judged by, and nothing lies face down at it."""
        game = self.saved.table.rules.game
        return not self.row.choosing and find_game(game.id) is game


state_cache: RecentCache[str, CachedState] = RecentCache(1000)
"""By code."""


def cached_state(row: Table) -> CachedState | None:
    """Return a table as this process left it, where that is how it is stored now."""
    cached = state_cache.get(row.code)
    if cached is None or not cached.usable:
        return None
    return cached if (cached.row.version, cached.row.updated) == (row.version, row.updated) else None


def cached_standing(row: Table) -> Standing:
    """Return where a table stands at this moment, without loading what this process knows."""
    cached = cached_state(row)
    if cached is None:
        return clock.standing_now(row)
    return clock.now(Standing(cached.row, cached.saved.table.rules, cached.saved.table))


link_cache: RecentCache[tuple[str, ...], Link] = RecentCache(4000)
"""By code of the table, and hash of the token or of the device."""
