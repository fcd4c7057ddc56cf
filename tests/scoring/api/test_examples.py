"""What the schema shows of every operation was really asked and answered, and is what the schema says it is."""

import re
from collections.abc import Iterator
from copy import deepcopy
from functools import reduce
from operator import getitem
from typing import Any

import pytest

from deploy.examples import EXCHANGES, dumped
from tests.clients.evening import play_evening
from tests.strict_answers import description

UNFINISHED = "202"
"""An import that goes on when it is sent again: what it has become is shown."""


def operations() -> Iterator[dict[str, Any]]:
    for path in description().schema["paths"].values():
        yield from path.values()


def contents(where: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from where.get("content", {}).values()


@pytest.mark.django_db
def test_they_were_asked_and_answered_as_they_stand():
    assert dumped(play_evening()) == EXCHANGES.read_text(encoding="utf-8"), "`make clients` writes them anew."


def test_every_operation_shows_what_it_takes_and_what_it_gives():
    missing = [
        f"{each['operationId']} {status}"
        for each in operations()
        for status, where in (("request", each.get("requestBody", {})), *each["responses"].items())
        if status == "request" or (status.startswith("2") and status != UNFINISHED)
        for content in contents(where)
        if not content.get("examples")
    ]
    assert not missing


def test_every_operation_has_a_description_of_its_own():
    told: dict[str, list[str]] = {}
    for each in operations():
        told.setdefault(each.get("description", ""), []).append(each["operationId"])
    assert "" not in told
    assert [names for names in told.values() if len(names) > 1] == [["stream_group", "stream_table"]]


def test_every_example_is_as_its_schema_says():
    known, wrong = description(), []
    for each in operations():
        bodies = [(content, known.taken(content["schema"])) for content in contents(each.get("requestBody", {}))]
        bodies += [
            (content, known.validator(content["schema"]))
            for answer in each["responses"].values()
            for content in contents(answer)
        ]
        for content, validator in bodies:
            for name, example in content.get("examples", {}).items():
                errors = validator.iter_errors(example["value"])
                wrong += [f"{each['operationId']} {name} {error.instance_path}: {error.message}" for error in errors]
    assert not wrong


def test_every_day_and_moment_in_them_is_typed():
    """Of the keys that begin with `x_` nothing is said."""
    known, loose = description(), set()
    for each in operations():
        for content in (content for answer in each["responses"].values() for content in contents(answer)):
            for example in content.get("examples", {}).values():
                for place in moments(example["value"]):
                    changed = deepcopy(example["value"])
                    reduce(getitem, place[:-1], changed)[place[-1]] = "soon"
                    if known.validator(content["schema"]).is_valid(changed):
                        loose.add(f"{each['operationId']} {place[-1]}")
    assert not loose


def moments(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where in an example a day stands, or a day and a time."""
    if isinstance(value, str) and MOMENT.fullmatch(value):
        yield place
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        if not str(key).startswith("x_"):
            yield from moments(each, (*place, key))


MOMENT = re.compile(r"\d{4}-\d\d-\d\d(T.*)?")


@pytest.mark.parametrize("name", ["tables", "groups"])
def test_the_streams_are_described(name):
    stream = description().schema["paths"][f"/api/v1/{name}/{{code}}/stream/"]["get"]
    assert "text/event-stream" in stream["responses"]["200"]["content"]
