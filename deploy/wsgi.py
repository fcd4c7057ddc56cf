"""WSGI application: pages and API without streams, for services that run several processes."""

import os
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler

from deploy.startup import load_all, set_up

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
set_up()
handler = WSGIHandler()
load_all()


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    if settings.OVER_TLS:  # as in `deploy.asgi`
        environ["wsgi.url_scheme"] = "https"
    return handler(environ, start_response)
