"""How processes start, and what `PUBLIC_URL` says of every request."""

import fcntl
import gc
import os
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connection
from django.urls import get_resolver

# --- How processes start: what each does before it answers the first request, and what only one of several does

NEW_OBJECTS = 10_000
"""So many more objects than there were make the collector look for those that nobody reaches.

Python's own number, 700, is one request here: a fifth of the time of a card was spent on looking, and found little,
as nearly everything goes by itself once its request is answered.
"""
LOCK_NUMBER = 0x63617264
"""What PostgreSQL calls the lock of those that start at once: any number that nothing else there locks."""


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


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Let nobody else bring database and files up to date: by a file in the folder, and by a lock of PostgreSQL."""
    handle = os.open(folder / "start.lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        with _held_by_database():
            yield
    finally:
        os.close(handle)


@contextmanager
def _held_by_database() -> Iterator[None]:
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK_NUMBER])
    try:
        yield
    finally:
        # A connection that was lost has let go of it by itself.
        with suppress(OperationalError), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK_NUMBER])


# --- What `PUBLIC_URL` says of every request: it came over TLS, unless a proxy of our own says otherwise
# The way from the proxy to here has no TLS, so neither server nor request know of it; without this, links would begin
# with `http` and cookies would go over it.

Asgi = Callable[[Any, Any, Any], Awaitable[None]]
Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


class OverTls:
    """Has an application of ASGI see the scheme of the public address."""

    def __init__(self, application: Asgi) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if settings.OVER_TLS and scope["type"] == "http":
            scope["scheme"] = "https"
        await self._application(scope, receive, send)


def over_tls(application: Wsgi) -> Wsgi:
    """Has an application of WSGI see the scheme of the public address."""

    def see(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if settings.OVER_TLS:
            environ["wsgi.url_scheme"] = "https"
        return application(environ, start_response)

    return see
