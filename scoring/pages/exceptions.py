"""What holds for every page that cannot be shown now."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from scoring.pages.views.errors import not_found, not_now, too_many
from scoring.services.database_away import database_is_away, is_away
from scoring.services.exceptions import NoSuchGroup, NoSuchTable, TooMany


class PageExceptions(MiddlewareMixin):
    """Answers who comes too often or too late, and all while the database is away; the API has its own handler."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Turn what a view raised into a page that says when to come back; anything else is left to Django."""
        if isinstance(exception, TooMany):
            return too_many(request, exception)
        if isinstance(exception, NoSuchTable | NoSuchGroup):  # another process has deleted it meanwhile
            return not_found(request, Http404(str(exception)))
        if is_away(exception):
            database_is_away(exception)
            return not_now(request)
        return None
