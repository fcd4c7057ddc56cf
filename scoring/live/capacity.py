"""How many streams a process holds, and that nobody takes the room of all others."""

import resource
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

# A process keeps room for other requests, in the server's queue and among its open files.
MOST_STREAMS = min(8000, resource.getrlimit(resource.RLIMIT_NOFILE)[0] * 3 // 4)
SHARE_FOR_ALL = 0.75
"""The part of the room that is given to whoever comes; the rest is kept for addresses that have only a few streams."""
FEW = 50
"""A household, or a table with its guests, and a page or two more on each of its phones."""


class Capacity:
    """The streams of a process, counted by the addresses they came from."""

    def __init__(self) -> None:
        self._by_address: Counter[str] = Counter()
        self._taken = 0

    def is_full(self) -> bool:
        """Return whether nobody may open one more."""
        return self._taken >= MOST_STREAMS

    def is_crowded_by(self, address: str) -> bool:
        """Return whether room is scarce and this address has its part of it."""
        return self._taken >= MOST_STREAMS * SHARE_FOR_ALL and self._by_address[address] >= FEW

    @contextmanager
    def place(self, address: str) -> Iterator[None]:
        """Count a stream for as long as it is open."""
        self._taken += 1
        self._by_address[address] += 1
        try:
            yield
        finally:
            self._taken -= 1
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]
