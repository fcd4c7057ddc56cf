"""`/.well-known/security.txt` (RFC 9116): whom to tell of a hole in this service."""

from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.http import require_safe

DAYS = 180
"""For how long the answer is good; who reads it later asks again."""


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Name the contacts that the operator has set; without one there is no such file."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = [f"Contact: {each}" for each in settings.SECURITY_CONTACT]
    lines += [f"Expires: {today + timedelta(days=DAYS):%Y-%m-%dT%H:%M:%SZ}"]
    lines += ["Preferred-Languages: " + ", ".join(code for code, _ in settings.LANGUAGES)]
    lines += [f"Canonical: {settings.PUBLIC_URL}{request.path}"] if settings.PUBLIC_URL else []
    lines += [f"Policy: {settings.SECURITY_POLICY}"] if settings.SECURITY_POLICY else []
    return HttpResponse("".join(f"{line}\n" for line in lines), content_type="text/plain; charset=utf-8")


urlpatterns = [path("security.txt", security_txt, name="security-txt")]
