"""The ASGI application: Django without one thread per request."""

import gc
import os
from typing import Any

import django
from django.core.handlers.asgi import ASGIHandler
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")


class LeanASGIHandler(ASGIHandler):
    """Runs the synchronous parts of all requests in one thread.

    Django opens a thread for each request and keeps it as long as the answer lasts: an open stream costs a thread,
    and a short request costs the start and the end of one. With a single thread streams cost none, and SQLite gets
    the one writer it likes. A service with more to do runs more processes.
    """

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            raise ValueError(f"This application speaks HTTP, not {scope['type']}.")
        await self.handle(scope, receive, send)


def get_application() -> LeanASGIHandler:
    django.setup(set_prefix=False)
    handler = LeanASGIHandler()
    _ = get_resolver().url_patterns  # load all views now, not while the first guest waits
    # What is loaded by now stays: without it the collector has less to look through in the middle of a request.
    gc.collect()
    gc.freeze()
    return handler


application = get_application()
