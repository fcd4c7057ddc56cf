"""A bounded cache within a process."""

from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class RecentCache(Generic[Key, Value]):
    """The entries that were written last, up to ``most`` of them; threads may share it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: dict[Key, Value] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Key) -> Value | None:
        return self._entries.get(key)

    def put(self, key: Key, value: Value) -> None:
        """Write an entry, and drop the one that was written longest ago."""
        with self._lock:
            self._entries.pop(key, None)
            self._entries[key] = value
            if len(self._entries) > self._most:
                self._entries.pop(next(iter(self._entries)))

    def drop(self, key: Key) -> None:
        with self._lock:
            self._entries.pop(key, None)
