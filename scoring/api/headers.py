"""What headers and addresses say: that writing is safe to retry and to race, who may keep an answer, what follows."""

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
from scoring.services import keys
from scoring.services.short_lived import hashed


def etag(version: int) -> str:
    """Return the entity tag of a table at a version."""
    return f'"{version}"'


def etag_now(row: Table, link: Link | None, beside: Mapping[str, Any]) -> str:
    """Return the entity tag of a table as it is, for who has a link to it, in the language of the request.

    ``beside`` is what is told of other tables and of the group. ``If-Match`` compares the version alone.
    """
    told = (row.updated, row.seats, row.carried, row.private, row.ruled_by, row.shares_rulings, row.choosing)
    right = None if link is None else (link.pk, link.role)
    words = repr((told, row.disputes, sorted(beside.items()), right, get_language()))
    return f'"{row.version}-{hashlib.sha256(words.encode()).hexdigest()[:16]}"'


def not_modified(request: Request, tag: str) -> bool:
    """Return whether the caller already has what this tag stands for."""
    answer = get_conditional_response(request, tag)
    return answer is not None and answer.status_code == 304


MAX_UUID = (1 << 128) - 1


def caller_of(request: Request, link: Link) -> keys.Caller:
    """Return who acts, and how, from its headers and the caller's link."""
    return keys.Caller(
        by=link.name, link=link.pk, seat=link.seat, expected=_expected(request), key=key_of(request),
        receipt=receipt_of(request),
    )  # fmt: skip


def group_caller_of(request: Request, link: GroupLink) -> keys.Caller:
    """Return who acts at a group, and how, from its headers and the caller's link."""
    return keys.Caller(
        by=link.name or link.role, link=link.pk, expected=_expected(request), key=key_of(request),
        receipt=receipt_of(request),
    )  # fmt: skip


def receipt_of(request: Request) -> str:
    """Return by what a request is known that may take away the right to send it; nothing without a key."""
    if request.method != "DELETE" or not request.auth:
        return ""
    key = key_of(request)
    return "" if key is None else hashed("receipt", key, request.path, str(request.auth))


def _expected(request: Request) -> int | None:
    tags = parse_etags(request.headers.get("If-Match", "*"))
    if tags == ["*"]:
        return None
    versions = [tag.removeprefix("W/").strip('"').partition("-")[0] for tag in tags]
    if len(versions) != 1 or not (versions[0].isascii() and versions[0].isdecimal() and len(versions[0]) < 10):
        raise ParseError('If-Match holds one version in quotes, as the ETag has it: "12".')
    return int(versions[0])


def next_address(request: Request, cursor: str | int | None) -> str | None:
    """Return the address of what follows this answer from a cursor on; ``None`` where nothing does."""
    if cursor is None:
        return None
    query = request.query_params.copy()
    query["cursor"] = str(cursor)
    return f"{request.path}?{query.urlencode()}"


def key_of(request: Request) -> str | None:
    """Return the idempotency key in its usual form, however it was written.

    One of nothing but zeros, or of ones, is none: who forgot to make one would be taken for everybody else who did.
    """
    header = request.headers.get("Idempotency-Key")
    if header is None:
        return None
    try:
        key = UUID(header.strip().strip('"'))
    except ValueError:
        raise ParseError("An Idempotency-Key is a UUID.") from None
    if key.int in (0, MAX_UUID):
        raise ParseError("An Idempotency-Key is a UUID made for this request.")
    return str(key)
