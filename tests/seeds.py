"""Where random records begin: at the same place in every run of the tests, anywhere in a hunt (see ``tests.hunt``)."""

import os

from hypothesis import settings

HUNT = "hunt"
"""The profile of a hunt, by which hypothesis draws other examples each time."""
AGAIN = "again"
"""The profile of tests that are run again on another database: what they try was tried on the first."""
FIRST = int(os.environ.get("SEED") or 0)
"""The first of the seeds that a test goes through one by one."""


def as_often_as(*, always: int, hunting: int, again: int = 0) -> int:
    """Return how often a test tries: in every run, in one of the many rounds of a hunt, again on another database."""
    return {HUNT: hunting, AGAIN: again or always}.get(settings.get_current_profile_name(), always)
