"""Site-wide pages (manifest, service worker, well-known paths, errors), and the display settings of a device."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Any, NamedTuple, TypeVar

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_POST, require_safe
from django.views.i18n import set_language
from markupsafe import Markup

from scoring.operating.acts.database import SECONDS_AWAY, database_is_away, is_away
from scoring.tables.acts.exceptions import NoSuchGroup, NoSuchTable, TooMany
from scoring.tables.acts.keys import KEYS_ARE_KEPT

View = TypeVar("View", bound=Callable[..., Any])


def _mark(name: str) -> Callable[[View], View]:
    def marked(view: View) -> View:
        setattr(view, name, True)
        return view

    return marked


costly = _mark("costly")  # may take seconds of processor time
looks_back = _mark("looks_back")  # reads history, which grows with every evening
KEPT = (
    "django_htmx/htmx-2.min.js", "scoring/app.js", "scoring/app.css", "scoring/symbols.svg", "scoring/icon.svg",
)  # fmt: skip
"""Static files of table pages, cached on the device from the first visit on."""
PAPER = "#f3ecdf"
GREEN = "#1b5a49"


@require_GET
@cache_control(no_cache=True)
def manifest(request: HttpRequest) -> JsonResponse:
    home = reverse("scoring:home")
    icons = [{"src": static("scoring/icon.svg"), "sizes": "any", "type": "image/svg+xml"}]
    for name, purpose in (("icon", "any"), ("maskable", "maskable")):
        for size in (192, 512):
            address = static(f"scoring/icons/{name}-{size}.png")
            icons.append({"src": address, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose})
    manifest = {
        "id": home,
        "lang": get_language(),
        "name": _("Card table"),
        "short_name": _("Card table"),
        "description": _("Real cards. Honest scores. Keeps score and settles arguments."),
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": GREEN,
        "icons": icons,
    }
    return JsonResponse(manifest, content_type="application/manifest+json")


@require_GET
@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """Serve the service worker from the root, so that its scope covers every page."""
    from rjsmin import jsmin  # slow to import: 5% of the start on a phone, which doesn't need it

    context = {
        "files": json.dumps([static(name) for name in KEPT]),
        "static": json.dumps(settings.STATIC_URL),
        "choices": json.dumps([reverse("scoring:language"), reverse("scoring:display")]),
        "offline": json.dumps(reverse("scoring:offline")),
    }
    script = jsmin(render_to_string("scoring/worker.js", context, request))  # drops comments
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")


@require_GET
@cache_control(no_cache=True)
def offline(request: HttpRequest) -> HttpResponse:
    """The page that the service worker shows without a network."""
    text = _(
        "This page isn’t on your phone, but your games are. Keep tapping cards there: they are sent as soon as the "
        "network is back."
    )
    return _page(request, _("No connection"), text, status=200)


@require_GET
def privacy_page(request: HttpRequest) -> HttpResponse:
    context = {"days": settings.KEEP_TABLES_DAYS, "keys": KEYS_ARE_KEPT.days}
    return render(request, "scoring/privacy.html", context)


DAYS = 180  # until ``Expires``


def _text(*lines: str) -> HttpResponse:
    return HttpResponse("".join(f"{line}\n" for line in lines), content_type="text/plain; charset=utf-8")


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Serve security.txt (RFC 9116) with the operator's contacts, or a 404 if there are none."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return _text(
        *(f"Contact: {each}" for each in settings.SECURITY_CONTACT),
        f"Expires: {today + timedelta(days=DAYS):%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: " + ", ".join(code for code, _name in settings.LANGUAGES),
        *([f"Canonical: {settings.PUBLIC_URL}{request.path}"] if settings.PUBLIC_URL else ()),
        *([f"Policy: {settings.SECURITY_POLICY}"] if settings.SECURITY_POLICY else ()),
    )


@require_safe
def robots_txt(request: HttpRequest) -> HttpResponse:
    """Serve robots.txt (RFC 9309), which excludes tables and groups."""
    return _text("User-agent: *", *(f"Disallow: /{place}/" for place in ("t", "g", "read", "api", "admin")))


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    return redirect(static("scoring/icon.svg"))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Render a 404; a view can give the text in ``Http404``."""
    reason = exception.args[0] if type(exception) is Http404 and exception.args else ""
    text = reason if isinstance(reason, str) else ""
    return _page(request, _("Page not found"), text or _("There’s nothing at this address."), status=404)


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, _("That’s not allowed"), _("This phone can’t do that."), status=403)


def not_understood(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, _("We didn’t understand that"), _("Go back and try again."), status=400)


def not_from_here(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Render the 403 for a failed CSRF check."""
    text = _("The page was open for too long, or your browser blocks cookies. Reload it and try again.")
    return _page(request, _("That didn’t go through"), text, status=403)


def not_now(request: HttpRequest) -> HttpResponse:
    """Render a 503 during a database outage."""
    text = _("The server can’t reach its database. Nothing is lost. Try again in a moment.")
    if settings.POCKET:
        text = _("This phone has no room left. Nothing is lost. Make some room, and try again.")
    response = _page(request, _("Not now"), text, status=503)
    response["Retry-After"] = str(SECONDS_AWAY)
    response._has_been_logged = True  # type: ignore[attr-defined]  # ``database_is_away`` has logged it
    return response


def too_many(request: HttpRequest, why: TooMany) -> HttpResponse:
    """Render a 429 after too many wrong codes, with ``Retry-After``."""
    minutes = ceil(why.wait / 60)
    text = ngettext(
        "Too many wrong codes came from here. Try again in a minute, or ask for a link.",
        "Too many wrong codes came from here. Try again in %(minutes)s minutes, or ask for a link.",
        minutes,
    )
    context = {"title": _("Too many wrong codes"), "text": text % {"minutes": minutes}, "waits": True}
    response = render(request, "scoring/error.html", context, status=429)
    response["Retry-After"] = str(ceil(why.wait))
    return response


def broken(request: HttpRequest) -> HttpResponse:
    text = _("Something broke on our side. What you recorded is safe, and the error is in the server’s log.")
    return _page(request, _("That didn’t work"), text, status=500)


def _page(request: HttpRequest, title: str, text: str, *, status: int) -> HttpResponse:
    return render(request, "scoring/error.html", {"title": title, "text": text}, status=status)


class PageExceptions(MiddlewareMixin):
    """Middleware that renders rate limits and database outages as pages; the API has its own exception handler."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, TooMany):
            return too_many(request, exception)
        if isinstance(exception, NoSuchTable | NoSuchGroup):  # deleted meanwhile by another process
            return not_found(request, Http404(str(exception)))
        if is_away(exception):
            database_is_away(exception)
            return not_now(request)
        return None


# --- Display settings of a device, in one cookie: theme, deck, card size, hand, sound
# The cookie lists non-default values, as ``theme-dark.deck-four``. Pages carry them as ``data-`` attributes of the root
# element; ``display.js`` reads and writes the same cookie, so cached pages follow too.

COOKIE = "display"
A_YEAR = 365 * 24 * 3600
CHOICES = {
    "theme": ("light", "dark"),
    "deck": ("four",),
    "cards": ("large",),
    "hand": ("left",),
    "sound": ("on",),
}
"""Values of each setting besides its default, which is empty."""


class Display(NamedTuple):
    """A device's settings; empty means the default."""

    theme: str = ""
    deck: str = ""
    cards: str = ""
    hand: str = ""
    sound: str = ""

    @property
    def attributes(self) -> Markup:
        chosen = (Markup(' data-{}="{}"').format(name, value) for name, value in self._asdict().items() if value)
        return Markup().join(chosen)

    @property
    def cookie(self) -> str:
        return ".".join(f"{name}-{value}" for name, value in self._asdict().items() if value)

    def changed(self, posted: Mapping[str, str]) -> "Display":
        """Return a copy changed by a form; unknown values are ignored."""
        return self._replace(
            **{name: posted[name] for name, known in CHOICES.items() if posted.get(name) in {"", *known}}
        )


def display_of(cookies: Mapping[str, str]) -> Display:
    """Parse the cookie; unknown values are ignored.

    >>> display_of({"display": "theme-dark.deck-four.hand-third"})
    Display(theme='dark', deck='four', cards='', hand='', sound='')
    """
    return Display().changed(dict(part.partition("-")[::2] for part in cookies.get(COOKIE, "")[:200].split(".")))


def display(request: HttpRequest) -> dict[str, object]:
    """Context processor that adds the device's settings."""
    return {"display": display_of(request.COOKIES)}


@require_POST
def choose_display(request: HttpRequest) -> HttpResponseBase:
    """Store settings in the cookie, and redirect to the page where they were chosen."""
    chosen = display_of(request.COOKIES).changed(request.POST.dict())
    response: HttpResponseBase = set_language(request)  # without a language, it only redirects back
    if chosen.cookie:
        response.set_cookie(COOKIE, chosen.cookie, max_age=A_YEAR, samesite="Lax", secure=request.is_secure())
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response
