"""Cursor pagination by `next` in the body and the `Link` header.

DRF's pagination slices querysets under ``results``. Here disputes are folded from the log, what-if stops at a time
limit, and each list has its own name and sibling fields.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypedDict, TypeVar

from django.utils.translation import gettext_lazy
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from scoring.groups.reads.group_tables import LONGEST_CURSOR, Place, cursor_of, place_of
from scoring.tables.api.bodies import Digits

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
    """Query parameters of a paginated list."""

    cursor = CursorField(
        max_length=LONGEST_CURSOR, required=False, help_text="Where the page starts; taken from `next`."
    )
    limit = Digits(
        min_value=1,
        max_value=MOST_ITEMS,
        default=USUAL_ITEMS,
        help_text="The maximum number of entries in one response.",
    )


class Paginator:
    """One page of a list, and its response.

    Lazy lists are read from ``after`` on, up to ``limit`` + 1 entries; a list that knows its next page sets
    ``following``.
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

    def answer(self, body: Mapping[str, Any]) -> Response:
        request, address = self.view.request, None
        if self.following:
            query = request.query_params.copy()
            query["cursor"] = cursor_of(type(self.view).__name__, self.following)
            address = f"{request.path}?{query.urlencode()}"
        links = {} if address is None else {"Link": f'<{address}>; rel="next"'}
        return Response({**body, "next": address}, headers=links)
