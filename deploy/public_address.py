"""What `PUBLIC_URL` says of every request: it came over TLS, unless a proxy of our own says otherwise.

The way from the proxy to here has no TLS, so neither server nor request know of it; without this, links would begin
with `http` and cookies would go over it.
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from django.conf import settings

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
