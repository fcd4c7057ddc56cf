"""What every process does before it answers the first request."""

import gc

from django.urls import get_resolver

NEW_OBJECTS = 10_000
"""So many more objects than there were make the collector look for those that nobody reaches.

Python's own number, 700, is one request here: a fifth of the time of a card was spent on looking, and found little,
as nearly everything goes by itself once its request is answered.
"""


def load_all() -> None:
    """Load all views, and keep what is there by now out of the collector's way."""
    _ = get_resolver().url_patterns
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
