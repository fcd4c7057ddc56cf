"""What all resources share over HTTP: preconditions (ETag), idempotency keys, and pages of a list."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypedDict, TypeVar
from uuid import UUID

from django.utils.cache import get_conditional_response
from django.utils.http import parse_etags
from django.utils.translation import get_language, gettext_lazy
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from scoring.groups.reads.group_tables import LONGEST_CURSOR, Place, cursor_of, place_of
from scoring.models import GroupLink, Link, Table
from scoring.models.fields import CanonicalJSONField
from scoring.tables.acts import keys
from scoring.tables.api.bodies import Digits


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


def caller_of(request: Request, link: Link | GroupLink) -> keys.Caller:
    seat, sits = (link.plays, link.seat) if isinstance(link, Link) else (None, None)
    return keys.Caller(
        by=link.name or link.role, link=link.pk, seat=seat, sits=sits, expected=_expected(request),
        key=key_of(request), receipt=receipt_of(request),
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


# --- Pages of a list, by `next` in the body and the `Link` header
# DRF's pagination slices querysets under ``results``. Here disputes are folded from the log, what-if stops at a time
# limit, and each list has its own name and sibling fields.

T = TypeVar("T")
SHAPE: Any = TypedDict  # type checkers want literal names
MOST_ITEMS, USUAL_ITEMS = 500, 100


def page_of(name: str, says: str, **entries: type) -> Any:
    """Return the shape of a page: the type of its entries, under their key, and the address of the next page."""
    shape = SHAPE(name, {key: list[entry] for key, entry in entries.items()} | {"next": str | None})  # type: ignore[valid-type]
    shape.__doc__ = says
    return shape


class CursorField(serializers.CharField):
    default_error_messages = {"invalid": gettext_lazy("This cursor doesn’t belong to this list.")}

    def to_internal_value(self, data: Any) -> Any:
        place = place_of(type(self.context["view"]).__name__, super().to_internal_value(data))
        return self.fail("invalid") if place is None else place


class PageQuery(serializers.Serializer[Any]):
    cursor = CursorField(
        max_length=LONGEST_CURSOR, required=False, help_text="Where the page starts; taken from `next`."
    )
    limit = Digits(
        min_value=1,
        max_value=MOST_ITEMS,
        default=USUAL_ITEMS,
        help_text="The maximum number of entries in one response.",
    )


def by_id(entry: Any) -> Place:
    return (entry.pk,)


class Paginator:
    """One page of a list, and its response.

    Lazy lists are read from ``after`` on, up to ``limit`` + 1 entries; a list that knows its next page gives its place
    as ``following``.
    """

    def __init__(self, view: APIView, query: Mapping[str, Any], most: int = MOST_ITEMS) -> None:
        self.view, self.limit = view, min(query["limit"], most)
        self.after: Place = query.get("cursor", ())
        self.following: Place = ()

    def cut(self, items: Iterable[T], place: Callable[[T], Place]) -> Sequence[T]:
        """Return the entries of this page; ``items`` are sorted by their place."""
        left = [item for item in items if place(item) > self.after]
        shown = left[: self.limit]
        self.following = place(shown[-1]) if len(left) > len(shown) else ()
        return shown

    def answer(self, body: Mapping[str, Any], following: Place = ()) -> Response:
        request, address, following = self.view.request, None, following or self.following
        if following:
            query = request.query_params.copy()
            query["cursor"] = cursor_of(type(self.view).__name__, following)
            address = f"{request.path}?{query.urlencode()}"
        links = {} if address is None else {"Link": f'<{address}>; rel="next"'}
        return Response({**body, "next": address}, headers=links)


def paged(
    view: Any, name: str, items: Iterable[T], describe: Callable[[T], Any], place: Callable[[T], Place] = by_id,
    **beside: Any,
) -> Response:  # fmt: skip
    """Return a page of a list that is sorted by ``place``, under its name, ``beside`` what else the response has."""
    pages = Paginator(view, view.query(PageQuery))
    return pages.answer({**beside, name: [describe(item) for item in pages.cut(items, place)]})
