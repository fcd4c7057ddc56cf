"""What each process does before it answers the first request."""

import gc
import os
import sys

import django
from django.core.exceptions import ImproperlyConfigured
from django.urls import get_resolver

NEW_OBJECTS = 10_000
"""So many more objects than there were make the collector look for those that nobody reaches.

Python's own number, 700, is one request here: a fifth of the time of a card was spent on looking, and found little,
as nearly everything goes by itself once its request is answered.
"""


def set_up() -> None:
    """Read the settings; one that is wrong ends the process with a sentence.

    What the process writes is its owner's alone: in it are names, and what somebody has chosen in secret.
    """
    os.umask(0o077)
    try:
        django.setup(set_prefix=False)
    except ImproperlyConfigured as problem:
        sys.exit(f"A setting is wrong: {problem}")


def load_all() -> None:
    """Load all views, and keep what is there by now out of the collector's way.

    What is loaded stays: to look for what does not took a twentieth of a start, and found a hundredth of it.
    """
    gc.disable()
    _ = get_resolver().url_patterns
    gc.freeze()
    gc.enable()
    gc.set_threshold(NEW_OBJECTS)
