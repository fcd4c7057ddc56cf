"""What a browser shows when an address leads nowhere, or an act is not taken."""

from math import ceil

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from scoring.services.database_away import SECONDS_AWAY
from scoring.services.exceptions import TooMany


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that there is no such page; a view that looked for something says what."""
    reason = exception.args[0] if type(exception) is Http404 and exception.args else ""
    text = reason if isinstance(reason, str) else ""
    return _page(request, _("There is nothing here"), text or _("This address leads to no page."), status=404)


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that this may not be done."""
    return _page(request, _("That is not allowed"), _("This device may not do that."), status=403)


def not_understood(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that what was sent makes no sense."""
    return _page(request, _("That was not understood"), _("Go back, and try it again."), status=400)


def not_from_here(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say that a form came without the mark of this device, which a browser without cookies cannot send."""
    text = _("This form belongs to another visit, or the browser keeps no cookies. Open the page again, and try again.")
    return _page(request, _("That was not taken"), text, status=403)


def not_now(request: HttpRequest) -> HttpResponse:
    """Say that the database is away, full or read-only: nothing was done."""
    text = _("The server cannot reach its records now; nothing was lost. Try again in a moment.")
    response = _page(request, _("Not now"), text, status=503)
    response["Retry-After"] = str(SECONDS_AWAY)
    response._has_been_logged = True  # type: ignore[attr-defined]  # once for all, not once for each
    return response


def too_many(request: HttpRequest, why: TooMany) -> HttpResponse:
    """Say that too many wrong codes came from here, and when to come back."""
    response = render(request, "scoring/too_many.html", {"minutes": ceil(why.wait / 60)}, status=429)
    response["Retry-After"] = str(ceil(why.wait))
    return response


def broken(request: HttpRequest) -> HttpResponse:
    """Say that the program failed."""
    text = _("Something broke on our side. What you recorded is safe, and whoever runs this can read what went wrong.")
    return _page(request, _("That did not work"), text, status=500)


def _page(request: HttpRequest, title: str, text: str, *, status: int) -> HttpResponse:
    return render(request, "scoring/error.html", {"title": title, "text": text}, status=status)
