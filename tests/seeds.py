"""Seeds of random records: fixed in every test run, arbitrary in a hunt (see ``tests.hunt``)."""

import os

from hypothesis import settings

HUNT = "hunt"
"""The hypothesis profile of a hunt, which draws new examples each time."""
AGAIN = "again"
"""The profile of tests repeated on another database, which need few examples."""
FIRST = int(os.environ.get("SEED") or 0)
"""The first of the seeds a test iterates over."""


def as_often_as(*, always: int, hunting: int, again: int = 0) -> int:
    """Return how many tries a test makes: in every run, in one round of a hunt, or again on another database."""
    return {HUNT: hunting, AGAIN: again or always}.get(settings.get_current_profile_name(), always)
