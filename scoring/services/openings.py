"""How many tables and groups one address may open in an hour: each stays, and takes room, for good.

What goes on from a table that somebody has a right to is not counted: a club that plays all day is no flood.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from django.conf import settings

from scoring.services.addresses import client_address, is_here
from scoring.services.exceptions import TooMany
from scoring.services.keys import replayed
from scoring.services.limits import HOUR, count_one, standing_tally, tally_key

OPENING = "opening"
"""How the key of a tally of openings begins."""


def key_of_openings(address: str) -> str:
    """Return under what the openings of an address are counted."""
    return tally_key(OPENING, address)


def openings_left(address: str) -> tuple[int, int] | None:
    """Return how many openings an address has left, and in how many seconds it has all again; ``None``: no limit."""
    most = settings.OPENINGS_PER_HOUR
    if not most or is_here(address):
        return None
    tally = standing_tally(key_of_openings(address))
    return (most, HOUR) if tally is None else (max(most - tally.count, 0), max(int(tally.until - time.time()), 1))


def check_openings(address: str) -> None:
    """Raise ``TooMany`` where an address has opened as much as it may."""
    left = openings_left(address)
    if left is not None and not left[0]:
        raise TooMany(left[1])


def count_opening(address: str) -> None:
    """Count one more."""
    if settings.OPENINGS_PER_HOUR and not is_here(address):
        count_one(key_of_openings(address))


@contextmanager
def one_opening(meta: Mapping[str, object]) -> Iterator[None]:
    """Open something for whoever asks; what is refused, and a retry, counts for nothing. Raises ``TooMany``."""
    address = client_address(meta)
    check_openings(address)
    replayed.set(False)
    yield
    if not replayed.get():
        count_opening(address)
