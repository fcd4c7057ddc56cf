"""An event loop with a virtual clock: sleepers wake at once, in order, however busy the machine is.

It suits code that waits for time and for the loop's threads. Sockets and other processes use the real clock.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
MOMENT = 0.05
"""How often to check whether a thread is done, in seconds; normally it reports earlier."""


class Patience(selectors.DefaultSelector):
    """A selector that waits only for threads and keeps track of how long it would have waited."""

    passed = 0.0
    threads = 0

    def select(self, timeout: float | None = None) -> Any:
        """Return the events that are ready; if nothing can run, let the time pass."""
        if self.threads:
            return super().select(MOMENT if timeout is None else min(timeout, MOMENT))
        assert timeout is not None, "Nothing would ever happen here."
        self.passed += max(timeout, 0)
        return super().select(0)


class Clock(asyncio.SelectorEventLoop):
    """A loop in which time passes only when nothing else can run."""

    def __init__(self) -> None:
        self._patience = Patience()
        super().__init__(self._patience)

    def time(self) -> float:
        return self._patience.passed

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> Any:  # type: ignore[override]
        """Run a function in a thread; no time passes meanwhile. The types of its arguments do not matter here."""
        future = super().run_in_executor(executor, func, *args)
        self._patience.threads += 1
        future.add_done_callback(self._back)
        return future

    def _back(self, _: object) -> None:
        self._patience.threads -= 1


def by_the_clock(story: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=Clock) as runner:
        return runner.run(story)
