"""In which language a request is answered: pages in that of their device, the API always in English."""

from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language_from_request, override

from referee.api.middleware import PREFIX

API = "en"
"""Programs read codes; the sentences beside them are for whoever writes the program."""


class Language:
    """Chooses by what was chosen on this device, else by what its browser asks for, else English.

    It stands before all that may say something in words of the pages, and leaves its thread as it was.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        language = language_for(request)
        if self.is_async:
            return self._answer_async(request, language)
        with override(language):
            return labelled(self.get_response(request), request, language)

    async def _answer_async(self, request: HttpRequest, language: str) -> HttpResponseBase:
        with override(language):
            return labelled(await self.get_response(request), request, language)


def language_for(request: HttpRequest) -> str:
    """Return the language to answer in: the API's own, or the one chosen on a device or asked for by its browser."""
    return API if request.path_info.startswith(PREFIX) else get_language_from_request(request)


def labelled(response: HttpResponseBase, request: HttpRequest, language: str) -> HttpResponseBase:
    """Say which language this is, and to every cache on what that depends; a page is for its own device only."""
    response.headers.setdefault("Content-Language", language)
    if not request.path_info.startswith(PREFIX):
        response.headers.setdefault("Cache-Control", "private, no-cache")
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
    return response
