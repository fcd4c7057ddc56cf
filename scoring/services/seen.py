"""Tables as this process left them, so that the next card needs no look: most are written to by one phone.

What is kept is a guess and may be out of date. Whoever writes asks the database in the same statement whether it is
true, so nothing here needs to be told when others write or a link is revoked.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from threading import Lock
from typing import Generic, TypeVar

from referee.engine.catalogue import find_game
from referee.engine.snapshot import Saved
from scoring.models import Link, Table

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Seen:
    """A table as it was written, with the referee's state and the text that this is saved as. Nobody changes it."""

    row: Table
    saved: Saved

    @property
    def usable(self) -> bool:
        """Return whether its game is still the one it was judged by, and nothing lies face down at it."""
        game = self.saved.table.rules.game
        return not self.row.hidden and find_game(game.id) is game


class Latest(Generic[Key, Value]):
    """What was kept last, up to so much; threads may share it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[Key, Value] = {}
        self._keeping = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Key) -> Value | None:
        return self._kept.get(key)

    def keep(self, key: Key, value: Value) -> None:
        """Keep a value, and forget the one that was kept longest ago."""
        with self._keeping:
            self._kept.pop(key, None)
            self._kept[key] = value
            if len(self._kept) > self._most:
                self._kept.pop(next(iter(self._kept)))

    def forget(self, key: Key) -> None:
        with self._keeping:
            self._kept.pop(key, None)


tables: Latest[str, Seen] = Latest(1000)
"""By code."""
links: Latest[tuple[str, str], Link] = Latest(4000)
"""By code of the table and hash of the token; a link never changes, but for being revoked."""
