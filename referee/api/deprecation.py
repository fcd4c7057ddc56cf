"""What the API will stop doing, and since when it says so: the headers of an answer whose address is going to go."""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.http import http_date
from drf_spectacular.openapi import AutoSchema


@dataclass(frozen=True, slots=True)
class Ending:
    """An address that goes: announced ``since`` a moment, gone ``until`` another one, and what is there ``instead``.

    A view names it as ``ends``; its answers then say so (RFC 9745, RFC 8594), and so does the schema.
    """

    since: datetime
    until: datetime
    instead: str = ""


def announce_ending(request: HttpRequest, response: HttpResponseBase) -> None:
    """Say in an answer that its address goes, where that is so."""
    view = getattr(request.resolver_match, "func", None)
    ends: Ending | None = getattr(getattr(view, "cls", None), "ends", None)
    if ends is None:
        return
    response["Deprecation"] = f"@{ends.since.astimezone(UTC).timestamp():.0f}"
    response["Sunset"] = http_date(ends.until.timestamp())
    if ends.instead:
        more = [f'<{ends.instead}>; rel="successor-version"', *filter(None, [response.get("Link")])]
        response["Link"] = ", ".join(more)


class TellingAutoSchema(AutoSchema):
    """Describes a view; one that goes is marked as deprecated."""

    def is_deprecated(self) -> bool:
        return bool(super().is_deprecated()) or getattr(self.view, "ends", None) is not None
