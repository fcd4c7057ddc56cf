"""A small memory of what came last."""

from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


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
