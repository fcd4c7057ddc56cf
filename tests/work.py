"""How much work a piece of code is, counted and not timed: the same on every machine, at every hour."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def steps(work: Callable[[], object]) -> int:
    """Return how many instructions of Python the work takes; what is written in C counts as one."""
    counted = 0

    def step(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal counted
        counted += event == "opcode"
        return step

    def enter(frame: FrameType, event: str, _: Any) -> Any:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return step

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        work()
    finally:
        sys.settrace(before)
    return counted


def growth(work: Callable[[Any], object], small: Any, large: Any) -> float:
    """Return how many times the work of the small case the large one is; each is done once before it is counted."""
    work(small)
    return steps(lambda: work(large)) / steps(lambda: work(small))
