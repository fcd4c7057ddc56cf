"""The headers that make writing safe to retry and safe to race."""

import re
from uuid import UUID

from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from scoring.models import Link
from scoring.services import keys

TAG = re.compile(r'\s*(?:W/)?"(\d{1,9})"\s*')


def etag(version: int) -> str:
    """Return the entity tag of a table at a version."""
    return f'"{version}"'


def not_modified(request: Request, version: int) -> bool:
    """Return whether the caller already has this version."""
    header = request.headers.get("If-None-Match")
    return header is not None and (header.strip() == "*" or version in _versions(header))


def caller_of(request: Request, link: Link) -> keys.Caller:
    """Return who acts, and how, from its headers and the caller's link."""
    return keys.Caller(by=link.name, link=link.pk, seat=link.seat, expected=_expected(request), key=key_of(request))


def _expected(request: Request) -> int | None:
    header = request.headers.get("If-Match")
    if header is None or header.strip() == "*":
        return None
    versions = _versions(header)
    if len(versions) != 1:
        raise ParseError('If-Match holds one version in quotes, as the ETag has it: "12".')
    return versions[0]


def _versions(header: str) -> list[int]:
    return [int(found[1]) for part in header.split(",") if (found := TAG.fullmatch(part))]


def key_of(request: Request) -> str | None:
    """Return the idempotency key in its usual form, however it was written."""
    header = request.headers.get("Idempotency-Key")
    if header is None:
        return None
    try:
        return str(UUID(header.strip().strip('"')))
    except ValueError:
        raise ParseError("An Idempotency-Key is a UUID.") from None
