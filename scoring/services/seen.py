"""Tables as this process left them, so that the next card needs no look: most are written to by one phone.

What is kept is a guess and may be out of date. Whoever writes asks the database in the same statement whether it is
true, so nothing here needs to be told when others write or a link is revoked.
"""

from dataclasses import dataclass

from referee.engine.catalogue import find_game
from referee.engine.snapshot import Saved
from scoring.models import Link, Table
from scoring.queries import clock
from scoring.queries.latest import Latest
from scoring.queries.state import Standing


@dataclass(frozen=True, slots=True)
class Seen:
    """A table as it was written, with the referee's state and the text that this is saved as. Nobody changes it."""

    row: Table
    saved: Saved

    @property
    def usable(self) -> bool:
        """Return whether its game is still the one it was judged by, and nothing lies face down at it."""
        game = self.saved.table.rules.game
        return not self.row.choosing and find_game(game.id) is game


tables: Latest[str, Seen] = Latest(1000)
"""By code."""


def known(row: Table) -> Seen | None:
    """Return a table as this process left it, where that is how it is stored now."""
    seen = tables.get(row.code)
    fits = seen is not None and seen.usable and (seen.row.version, seen.row.updated) == (row.version, row.updated)
    return seen if fits else None


def known_standing(row: Table) -> Standing:
    """Return where a table stands at this moment, without loading what this process knows."""
    seen = known(row)
    if seen is None:
        return clock.standing_now(row)
    return clock.now(Standing(seen.row, seen.saved.table.rules, seen.saved.table))


links: Latest[tuple[str, ...], Link] = Latest(4000)
"""By code of the table, and hash of the token or of the device."""
