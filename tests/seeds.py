"""Seeds of random records: fixed in every test run, arbitrary in a hunt (see ``tests.hunt``)."""

import os
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

HUNT = "hunt"
"""The hypothesis profile of a hunt, which draws new examples each time."""
AGAIN = "again"
"""The profile of tests repeated on another database, which need few examples."""
QUICK = "quick"
"""The profile of `make quick`, in which costly comparisons and properties try about a third of their examples."""
FIRST = int(os.environ.get("SEED") or 0)
"""The first of the seeds a test iterates over."""

Item = TypeVar("Item")


def as_often_as(*, always: int, hunting: int = 0, again: int = 0, quick: int = 0) -> int:
    """Return how many tries a test makes: in every run, in one round of a hunt, again on another database, or in
    `make quick`.
    """
    tries = {HUNT: hunting or always, AGAIN: again or always, QUICK: quick or always}
    return tries.get(settings.get_current_profile_name(), always)


def sampled(items: Sequence[Item]) -> Sequence[Item]:
    """Return all items of a list; in `make quick`, every third."""
    return items[:: as_often_as(always=1, quick=3)]
