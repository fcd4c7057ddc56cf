"""The example evening calls every operation of tables and groups; everything it is answered is named and typed."""

import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache, reduce
from operator import getitem
from typing import Any

import pytest

from tests.clients.evening import Exchange, play_evening
from tests.strict_answers import description


@pytest.fixture
def evening(db) -> list[Exchange]:
    return played()


@cache
def played() -> list[Exchange]:
    return play_evening()


def operations() -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    """Yield each operation by its method and its address."""
    for path, methods in description().schema["paths"].items():
        for method, operation in methods.items():
            yield (method, re.sub(r"\{[^}]*\}", "<>", path)), operation


def key(each: Exchange) -> tuple[str, str]:
    return each.method, re.sub("<[^>]*>", "<>", each.route)


def test_the_evening_calls_every_operation_of_tables_and_groups(evening):
    asked, missing = {key(each) for each in evening}, []
    for name, operation in operations():
        answers = any(status.startswith("2") and "content" in told for status, told in operation["responses"].items())
        if answers and re.match("/api/v1/(tables|groups)/", name[1]) and name not in asked:
            missing.append(operation["operationId"])
    assert missing == []


def test_every_operation_has_its_own_description():
    told: dict[str, list[str]] = {}
    for _, each in operations():
        told.setdefault(each.get("description", ""), []).append(each["operationId"])
    assert "" not in told
    assert [names for names in told.values() if len(names) > 1] == [["stream_group", "stream_table"]]


def test_every_date_and_time_in_an_answer_is_typed(evening):
    known, loose, by_key = description(), set(), dict(operations())
    for each in evening:
        schema = by_key[key(each)]["responses"][each.status]["content"][each.answer_type]["schema"]
        for place in moments(each.answer):
            changed = deepcopy(each.answer)
            reduce(getitem, place[:-1], changed)[place[-1]] = "soon"
            if known.validator(schema).is_valid(changed):
                loose.add(f"{each.method} {each.route} {place[-1]}")
    assert not loose


def moments(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the places of dates and times in an answer."""
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d(T.*)?", value):
        yield place
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inner:
        if not str(name).startswith("x_"):
            yield from moments(each, (*place, name))


@pytest.mark.parametrize("name", ["tables", "groups"])
def test_the_streams_are_described(name):
    stream = description().schema["paths"][f"/api/v1/{name}/{{code}}/stream/"]["get"]
    assert "text/event-stream" in stream["responses"]["200"]["content"]
