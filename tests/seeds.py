"""Where random records begin: at the same place in every run of the tests, anywhere in a hunt (see ``tests.hunt``)."""

import os

from hypothesis import settings

HUNT = "hunt"
"""The profile of a hunt, by which hypothesis draws other examples each time."""
FIRST = int(os.environ.get("SEED") or 0)
"""The first of the seeds that a test goes through one by one."""


def as_often_as(*, always: int, hunting: int) -> int:
    """Return how often a test tries, in every run of the tests or in one of the many rounds of a hunt."""
    return hunting if settings.get_current_profile_name() == HUNT else always
