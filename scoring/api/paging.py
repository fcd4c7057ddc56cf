"""Long lists, a part at a time: `next` in the answer, and the `Link` header, lead to the part that follows.

The pagination of Django REST framework cuts querysets and puts them under ``results``. Disputes are folded out of the
log, a group's history has cursors of its own, and every list here has its name, with what belongs beside it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.strict_json import LARGEST_EXACT
from scoring.api.bodies import Digits
from scoring.api.headers import next_address

T = TypeVar("T")
MOST_ITEMS, USUAL_ITEMS = 500, 100
LONGEST_CURSOR = 80
NO_CURSOR = "This is no cursor of this list."
CURSOR = r"^-?[0-9]+(\.-?[0-9]+)*$"
Place = tuple[int, ...]
"""Where something stands in a list; a list ascends by it, and it stays the same while others come and go."""


class PageQuery(serializers.Serializer[Any]):
    """Which part of a list is wanted."""

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
    """Return the part of a list that a ``PageQuery`` asks for."""
    after = _place(query["cursor"])
    left = [item for item in items if not after or place(item) > after]
    shown = left[: query["limit"]]
    return Part(shown, ".".join(map(str, place(shown[-1]))) if len(left) > len(shown) else "")


def _place(cursor: str) -> Place:
    return tuple(map(int, cursor.split("."))) if cursor else ()


def paged(
    request: Request, body: Mapping[str, Any], following: str | int | None, headers: Mapping[str, str] | None = None
) -> Response:
    """Answer a part of a list; ``following`` is the cursor of the next one, nothing after the last."""
    return leading_on(body, next_address(request, following or None), headers)


def leading_on(body: Mapping[str, Any], address: str | None, headers: Mapping[str, str] | None = None) -> Response:
    """Answer a part of a list with the address of the next one, as a key and as a header."""
    links = {} if address is None else {"Link": f'<{address}>; rel="next"'}
    return Response({**body, "next": address}, headers={**(headers or {}), **links})
