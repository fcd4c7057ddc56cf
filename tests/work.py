"""How much work code does, counted and not timed: the same on every machine at any time."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def steps(work: Callable[[], object]) -> int:
    """Return the number of Python lines the work runs, one for each round of a loop on a single line; a call into C
    counts as one.
    """
    counted = 0

    def step(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal counted
        counted += event == "line"
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        work()
    finally:
        sys.settrace(before)
    return counted


def growth(work: Callable[[Any], object], small: Any, large: Any) -> float:
    """Return the ratio of work between the large case and the small one; each runs once before it is counted."""
    work(small)
    return steps(lambda: work(large)) / steps(lambda: work(small))
