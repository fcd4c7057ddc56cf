"""An event loop with a clock of its own: who sleeps in it is woken at once, in order, however busy the machine is.

For what waits for time and for threads of the loop. Sockets and other processes have the clock of the world.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
MOMENT = 0.05
"""Seconds after which it is looked again whether a thread is done; when it is, it says so earlier."""


class Patience(selectors.DefaultSelector):
    """Waits for nothing but threads, and keeps how long it should have waited."""

    passed = 0.0
    threads = 0

    def select(self, timeout: float | None = None) -> Any:
        """Return what is there now; where nothing can be done, let the time be over."""
        if self.threads:
            return super().select(MOMENT if timeout is None else min(timeout, MOMENT))
        assert timeout is not None, "Nothing would ever happen here."
        self.passed += max(timeout, 0)
        return super().select(0)


class Clock(asyncio.SelectorEventLoop):
    """A loop in which time passes only while nothing else can be done."""

    def __init__(self) -> None:
        self._patience = Patience()
        super().__init__(self._patience)

    def time(self) -> float:
        """Return the seconds that were waited here."""
        return self._patience.passed

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> Any:  # type: ignore[override]
        """Run it in a thread; meanwhile no time passes. Of what types it is, nobody here needs to know."""
        future = super().run_in_executor(executor, func, *args)
        self._patience.threads += 1
        future.add_done_callback(self._back)
        return future

    def _back(self, _: object) -> None:
        self._patience.threads -= 1


def by_the_clock(story: Coroutine[Any, Any, T]) -> T:
    """Run a story to its end, by a clock of its own."""
    with asyncio.Runner(loop_factory=Clock) as runner:
        return runner.run(story)
