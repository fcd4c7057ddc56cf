"""Choosing a language: kept on this device, and back to the page where it was chosen."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.urls import Resolver404, resolve, reverse
from django.utils.http import escape_leading_slashes, url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

A_YEAR = 365 * 24 * 3600
LONGEST_ADDRESS = 4000
SHOWN_ON = {
    "record": "table",
    "undo": "table",
    "settle": "table",
    "make-link": "share",
    "revoke-link": "share",
    "privacy": "share",
}
"""Acts that a browser without scripts may stand at, and the pages that show what came of them."""


@require_POST
def choose_language(request: HttpRequest) -> HttpResponseBase:
    """Keep the language chosen, and show the same page in it."""
    response = HttpResponseRedirect(_page(request))
    chosen = request.POST.get("language", "")
    if chosen in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME, chosen, max_age=A_YEAR, samesite="Lax", secure=request.is_secure()
        )
    return response


def _page(request: HttpRequest) -> str:
    """Return where somebody was: the browser knows it better than the page, which a script may have changed."""
    for address in (request.headers.get("Referer", ""), request.POST.get("next", "")):
        ours = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
        if ours and len(address) <= LONGEST_ADDRESS:
            parts = urlsplit(address)
            path = f"/{parts.path.removeprefix('/')}"
            # Without its host, an address whose path begins with two slashes would name another one.
            here = escape_leading_slashes(parts._replace(scheme="", netloc="", path=path).geturl())
            return _that_can_be_shown(path) or here
    return reverse("scoring:home")


def _that_can_be_shown(path: str) -> str:
    """Return the page on which an act is shown, if the path is that of one."""
    try:
        found = resolve(path)
    except Resolver404:
        return ""
    page = SHOWN_ON.get(found.url_name or "")
    return reverse(f"scoring:{page}", args=[found.kwargs["code"]]) if page and "scoring" in found.namespaces else ""
