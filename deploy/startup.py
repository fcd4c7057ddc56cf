"""Process start-up, before the first request."""

import gc
import os
import sys

import django
from django.core.exceptions import ImproperlyConfigured
from django.urls import get_resolver

NEW_OBJECTS = 10_000
"""The garbage collector's threshold.

Python's default, 700, is reached in one request: collecting took a fifth of the time of a card and found little, since
nearly all objects are freed by reference counting.
"""


def set_up() -> None:
    """Load the settings; a wrong one ends the process with a sentence. Sets a private umask."""
    os.umask(0o077)
    try:
        django.setup(set_prefix=False)
    except ImproperlyConfigured as problem:
        sys.exit(f"A setting is wrong: {problem}")


def load_all() -> None:
    """Import all views and freeze them for the garbage collector, whose passes took a twentieth of a start."""
    gc.disable()
    _ = get_resolver().url_patterns
    gc.freeze()
    gc.enable()
    gc.set_threshold(NEW_OBJECTS)
