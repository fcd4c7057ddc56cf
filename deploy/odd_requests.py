"""What no browser and no honest program sends is refused before any view reads it."""

from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.core.exceptions import BadRequest, DisallowedHost
from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase

from referee.api.middleware import PREFIX

OWN_READERS = (PREFIX, "/import/")
"""Where bodies have a reader of their own, which says at which place a NUL stands."""
LONGEST_HOST = 253 + len(":65535")
"""The longest name that the net knows, and a port."""


class OddRequests:
    """Refuses with 400 the name of a host that cannot be, and NUL in an address, a query or a form.

    No database stores a NUL, and no QR code holds an address of any length.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        refuse_odd(request)
        answer: HttpResponseBase | Awaitable[HttpResponseBase] = self.get_response(request)
        return answer


def refuse_odd(request: HttpRequest) -> None:
    """Raise ``BadRequest`` for what cannot be meant."""
    try:
        host = request.get_host()
    except DisallowedHost:
        raise BadRequest("This is not the name of this server.") from None
    if len(host) > LONGEST_HOST:
        raise BadRequest("No host has a name of this length.")
    api = request.path_info.startswith(PREFIX)  # there, an address that is none answers 404 like any other
    form = request.method == "POST" and not request.path_info.startswith(OWN_READERS)
    if ("\0" in request.path_info and not api) or has_nul(request.GET) or (form and has_nul(request.POST)):
        raise BadRequest("NUL is no character of any text.")


def has_nul(values: QueryDict) -> bool:
    """Return whether a name or a value holds a NUL."""
    return any("\0" in name or any("\0" in value for value in several) for name, several in values.lists())
