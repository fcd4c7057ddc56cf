"""What programs look for at fixed addresses: whom to tell of a hole, what search engines leave alone, an icon."""

from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import path
from django.views.decorators.http import require_safe

DAYS = 180  # for how long the answer is good; who reads it later asks again


def _text(*lines: str) -> HttpResponse:
    return HttpResponse("".join(f"{line}\n" for line in lines), content_type="text/plain; charset=utf-8")


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Name the contacts that the operator has set (RFC 9116); without one there is no such file."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return _text(
        *(f"Contact: {each}" for each in settings.SECURITY_CONTACT),
        f"Expires: {today + timedelta(days=DAYS):%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: " + ", ".join(code for code, _ in settings.LANGUAGES),
        *([f"Canonical: {settings.PUBLIC_URL}{request.path}"] if settings.PUBLIC_URL else ()),
        *([f"Policy: {settings.SECURITY_POLICY}"] if settings.SECURITY_POLICY else ()),
    )


@require_safe
def robots_txt(request: HttpRequest) -> HttpResponse:
    """Ask search engines to leave tables and groups alone (RFC 9309): they are for who knows a code."""
    return _text("User-agent: *", *(f"Disallow: /{place}/" for place in ("t", "g", "read", "api", "admin")))


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    return redirect(static("scoring/icon.svg"))


urlpatterns = [
    path(".well-known/security.txt", security_txt, name="security-txt"),
    path("robots.txt", robots_txt, name="robots-txt"),
    path("favicon.ico", favicon, name="favicon"),
]
