"""Process start-up, before the first request."""

import gc
import os
import sys

import django
from django.core.exceptions import ImproperlyConfigured
from django.urls import get_resolver

NEW_OBJECTS = 10_000
"""Allocations between garbage collections.

Python's default, 700, is reached within one request: collecting took a fifth of the time needed to record a card and
freed little, since reference counting frees nearly all objects.
"""


def set_up() -> None:
    """Load the settings, exiting with a message if one is invalid. Also sets a private umask."""
    os.umask(0o077)
    try:
        django.setup(set_prefix=False)
    except ImproperlyConfigured as problem:
        sys.exit(f"A setting is wrong: {problem}")


def metrics_are_kept() -> bool:
    """Return whether a parent process collects and serves metrics."""
    return "PROMETHEUS_MULTIPROC_DIR" in os.environ


def load_all() -> None:
    """Import all views and exempt them from garbage collection, which took 5% of the start-up time."""
    gc.disable()
    _ = get_resolver().url_patterns
    gc.freeze()
    gc.enable()
    gc.set_threshold(NEW_OBJECTS)
