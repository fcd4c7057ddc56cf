"""What holds for every page while the database is away."""

from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from scoring.pages.views.errors import not_now
from scoring.services.database_away import database_is_away


class DatabaseAway:
    """Answers 503 with a page that says so; the API has its own handler."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        answer: HttpResponseBase | Awaitable[HttpResponseBase] = self.get_response(request)
        return answer

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Turn what the database raised into a page; anything else is left to Django."""
        if not isinstance(exception, OperationalError | InterfaceError):
            return None
        database_is_away(exception)
        return not_now(request)
