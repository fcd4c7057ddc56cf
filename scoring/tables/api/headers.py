"""HTTP headers: idempotency, preconditions (ETag), caching."""

import hashlib
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils.cache import get_conditional_response
from django.utils.http import parse_etags
from django.utils.translation import get_language
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from scoring.models import GroupLink, Link, Table
from scoring.models.fields import CanonicalJSONField
from scoring.tables.acts import keys


def etag(version: int) -> str:
    return f'"{version}"'


PLAIN = tuple(field.attname for field in Table._meta.concrete_fields if not isinstance(field, CanonicalJSONField))
"""The non-JSON columns of a table."""


def etag_now(row: Table, link: Link | None, beside: Mapping[str, Any]) -> str:
    """Return a table's ETag for a link and language; ``beside`` is response content from other rows."""
    told = (*(getattr(row, name) for name in PLAIN), row.seats, row.carried, row.ruled_by, row.choosing)
    right = None if link is None else (link.pk, link.role)
    words = repr((told, row.disputes, sorted(beside.items()), right, get_language()))
    return f'"{row.version}-{hashlib.sha256(words.encode()).hexdigest()[:16]}"'


def not_modified(request: Request, tag: str) -> bool:
    answer = get_conditional_response(request, tag)
    return answer is not None and answer.status_code == 304


MAX_UUID = (1 << 128) - 1


def caller_of(request: Request, link: Link) -> keys.Caller:
    return keys.Caller(
        by=link.name, link=link.pk, seat=link.plays, sits=link.seat, expected=_expected(request), key=key_of(request),
        receipt=receipt_of(request),
    )  # fmt: skip


def group_caller_of(request: Request, link: GroupLink) -> keys.Caller:
    return keys.Caller(
        by=link.name or link.role, link=link.pk, expected=_expected(request), key=key_of(request),
        receipt=receipt_of(request),
    )  # fmt: skip


def receipt_of(request: Request) -> str:
    if request.method != "DELETE" or not request.auth:
        return ""
    key = key_of(request)
    return "" if key is None else keys.hashed("receipt", key, request.path, str(request.auth))


def _expected(request: Request) -> int | None:
    tags = parse_etags(request.headers.get("If-Match", "*"))
    if tags == ["*"]:
        return None
    versions = [tag.removeprefix("W/").strip('"').partition("-")[0] for tag in tags]
    if len(versions) != 1 or not (versions[0].isascii() and versions[0].isdecimal() and len(versions[0]) < 10):
        raise ParseError('If-Match must hold one version in quotes, as in the ETag: "12".')
    return int(versions[0])


def key_of(request: Request) -> str | None:
    """Return the request's idempotency key as a canonical UUID. Raises for a malformed, nil or max UUID."""
    header = request.headers.get("Idempotency-Key")
    if header is None:
        return None
    try:
        key = UUID(header.strip().strip('"'))
    except ValueError:
        raise ParseError("An Idempotency-Key must be a UUID.") from None
    if key.int in (0, MAX_UUID):
        raise ParseError("An Idempotency-Key must be a UUID made for this request.")
    return str(key)
