"""What headers say: that writing is safe to retry and to race, who may keep an answer, which part of a list follows."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from django.utils.cache import get_conditional_response
from django.utils.http import parse_etags
from django.utils.translation import get_language
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.reader import LARGEST_EXACT
from scoring.models import GroupLink, Link, Table
from scoring.models.fields import CanonicalJSONField
from scoring.tables.acts import keys
from scoring.tables.api.bodies import Digits


def etag(version: int) -> str:
    return f'"{version}"'


PLAIN = tuple(field.attname for field in Table._meta.concrete_fields if not isinstance(field, CanonicalJSONField))
"""The columns of a table that are no JSON, whichever there are."""


def etag_now(row: Table, link: Link | None, beside: Mapping[str, Any]) -> str:
    """Tag a table as it is, for this link and language; ``beside`` is what is told of other tables and the group."""
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
        by=link.name, link=link.pk, seat=link.seat, expected=_expected(request), key=key_of(request),
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
        raise ParseError('If-Match holds one version in quotes, as the ETag has it: "12".')
    return int(versions[0])


def key_of(request: Request) -> str | None:
    """Return the idempotency key in its usual form; only zeros or ones is none that anybody made for a request."""
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


# --- Long lists, a part at a time: `next` in the answer, and the `Link` header, lead to the part that follows
# The pagination of Django REST framework cuts querysets and puts them under ``results``. Disputes are folded out of the
# log, a group's history has cursors of its own, and every list here has its name, with what belongs beside it.

T = TypeVar("T")
MOST_ITEMS, USUAL_ITEMS = 500, 100
LONGEST_CURSOR = 80
NO_CURSOR = "This is no cursor of this list."
CURSOR = r"^-?[0-9]+(\.-?[0-9]+)*$"
Place = tuple[int, ...]  # where something stands in a list, whatever else comes and goes


class PageQuery(serializers.Serializer[Any]):
    cursor = serializers.RegexField(
        CURSOR, max_length=LONGEST_CURSOR, default="", help_text="From where on, as `next` has it.",
        error_messages={"invalid": NO_CURSOR},
    )  # fmt: skip
    limit = Digits(min_value=1, max_value=MOST_ITEMS, default=USUAL_ITEMS, help_text="Entries in one answer.")

    def validate_cursor(self, cursor: str) -> str:
        if any(abs(number) > LARGEST_EXACT for number in _place(cursor)):
            raise serializers.ValidationError(NO_CURSOR)
        return cursor


class Part(NamedTuple):
    """A part of a list, and the cursor of what follows; empty where nothing does."""

    items: Sequence[Any]
    following: str


def part_of(items: Iterable[T], place: Callable[[T], Place], query: Mapping[str, Any]) -> Part:
    after = _place(query["cursor"])
    left = [item for item in items if not after or place(item) > after]
    shown = left[: query["limit"]]
    return Part(shown, ".".join(map(str, place(shown[-1]))) if len(left) > len(shown) else "")


def _place(cursor: str) -> Place:
    return tuple(map(int, cursor.split("."))) if cursor else ()


def paged(
    request: Request, body: Mapping[str, Any], following: str | int | None, headers: Mapping[str, str] | None = None
) -> Response:
    address = None
    if following:
        query = request.query_params.copy()
        query["cursor"] = str(following)
        address = f"{request.path}?{query.urlencode()}"
    return leading_on(body, address, headers)


def leading_on(body: Mapping[str, Any], address: str | None, headers: Mapping[str, str] | None = None) -> Response:
    links = {} if address is None else {"Link": f'<{address}>; rel="next"'}
    return Response({**body, "next": address}, headers={**(headers or {}), **links})
