"""ASGI application, as run by the server."""

import os
from email.message import Message as Headers
from typing import Any

from django.conf import settings
from servestatic import ServeStaticASGI

from deploy.handler import LeanASGIHandler
from deploy.measuring import Measured, metrics_are_kept
from deploy.pocket import POLICY
from deploy.startup import load_all, set_up

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")


POCKET = "/pocket/"


def _add_headers(headers: Headers, path: str, url: str) -> None:
    headers.add_header("X-Content-Type-Options", "nosniff")
    if url.startswith(POCKET):
        headers.add_header("Content-Security-Policy", f"{POLICY}; frame-ancestors 'none'")


def get_application() -> Any:
    set_up()
    from deploy.life import live  # imports models, which need the setup

    handler = LeanASGIHandler()
    load_all()
    files = ServeStaticASGI(
        handler,
        root=settings.STATIC_ROOT,
        prefix=settings.STATIC_URL,
        allow_all_origins=False,
        add_headers_function=_add_headers,
    )
    pocket = settings.VAR_DIR / "pocket"
    if (pocket / "index.html").exists():  # make pocket
        files.index_file = "index.html"
        files.add_files(pocket, prefix=POCKET)
    counted = Measured(files) if settings.ACCESS_LOG or metrics_are_kept() else files

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await live(receive, send)
            return
        # Behind a proxy, requests arrive without TLS; without this, links would begin with `http`, and cookies would
        # not be secure. `X-Forwarded-Proto` of a trusted proxy may override it.
        if settings.OVER_TLS and scope["type"] == "http":
            scope["scheme"] = "https"
        await counted(scope, receive, send)

    return application


application = get_application()
