"""What holds for every API operation in the schema, whatever it does."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from django.test import Client
from rest_framework.test import APIClient

from referee.api.questions import QUESTIONS
from scoring.models import Table
from tests.scoring.api.conftest import kept
from tests.scoring.conftest import ACE_TRUMP
from tests.scoring.roles import LIMITS, House, furnish
from tests.seeds import as_often_as
from tests.strict_answers import description

pytestmark = pytest.mark.django_db
RECORD = ACE_TRUMP | {"format": "table-record/1", "hands": []}
BODIES: dict[str, Any] = {
    "open_table": ACE_TRUMP, "import_record": RECORD, "record_events": {"type": "note", "text": "Hm."}, "judge": RECORD,
    "audit": {"record": RECORD}, "create_group": {"name": "Us"},
    **{f"ask_{question.name}": question.examples[0].request for question in QUESTIONS},
}  # fmt: skip
"""Valid bodies to which an unknown key is added, so that it is the only error."""


class Operation(NamedTuple):
    """An operation of the schema, at an address that exists."""

    name: str
    method: str
    path: str
    described: dict[str, Any]

    def parameters(self, where: str) -> list[dict[str, Any]]:
        return [each for each in self.described.get("parameters", ()) if each["in"] == where]

    def is_of_group(self) -> bool:
        return self.path.startswith("/api/v1/groups/")

    def takes_json(self) -> bool:
        return "application/json" in self.described.get("requestBody", {}).get("content", {})


@pytest.fixture
def house(db, settings) -> House:
    for limit in LIMITS:
        setattr(settings, limit, 0)
    return furnish(private=False)


def operations() -> Iterator[Operation]:
    for path, methods in description().schema["paths"].items():
        for method, described in methods.items():
            yield Operation(described["operationId"], method, path, described)


def path_of(operation: Operation, house: House) -> str:
    """Return the address filled with the house's values."""
    code = house.group.code if operation.is_of_group() else house.table.code
    named = {"code": code, "game": "ace-trump", "deck": "french", "number": 1, "table": house.table.code}
    return operation.path.format(day=house.arguments["day"], **named)


def client_of(operation: Operation, house: House) -> APIClient:
    """Return a client with every right the operation needs."""
    client, role = APIClient(), "member" if operation.is_of_group() else "scorekeeper"
    if operation.described["security"]:
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {house.tokens[role]}")
    return client


def ask(operation: Operation, house: House, query: str = "", **more: Any) -> Any:
    """Send a request with this query, and a valid body with these keys added or replaced."""
    client, path = client_of(operation, house), f"{path_of(operation, house)}?{query}"
    if operation.method == "get":
        return client.get(path)
    return getattr(client, operation.method)(path, BODIES.get(operation.name, {}) | more)


EVERY = {each.name: each for each in operations() if each.name not in ("stream_table", "stream_group")}
WRITES = [each for each in EVERY.values() if each.method != "get"]


@pytest.mark.parametrize("query", ["nonsense=1", "dryrun"])
def test_an_unknown_parameter_is_refused_everywhere(house, query):
    before = kept()
    for operation in EVERY.values():
        answer = ask(operation, house, query)
        assert (answer.status_code, answer.json()["code"]) == (400, "unknown-parameter"), operation.name
        assert answer.json()["errors"][0]["parameter"] == query.partition("=")[0]
    assert kept() == before


def test_the_streams_reject_unknown_parameters_too(house):
    for path in (f"tables/{house.table.code}/stream/", f"groups/{house.group.code}/stream/"):
        answer = Client().get(f"/api/v1/{path}?nonsense=1")
        assert (answer.status_code, answer.json()["code"]) == (400, "unknown-parameter")


def test_a_parameter_may_appear_only_once(house):
    before, asked = kept(), 0
    for operation in EVERY.values():
        for each in operation.parameters("query"):
            if each.get("explode") and each["schema"]["type"] == "object":
                continue
            answer, asked = ask(operation, house, f"{each['name']}=1&{each['name']}=0"), asked + 1
            assert (answer.status_code, answer.json()["code"]) == (400, "duplicate-key"), (operation.name, each["name"])
    assert asked > 30
    assert kept() == before


TRIED = {"record_events", "undo", "amend"}
"""The operations with a dry run; all others refuse the parameter."""


def test_a_dry_run_changes_nothing(house):
    Table.objects.filter(code=house.table.code).update(finished=False)
    before = kept()
    for operation in WRITES:
        answer = ask(operation, house, "dry_run=1", **({"seq": 3, "event": None} if operation.name == "amend" else {}))
        told = answer.json()
        if operation.name in TRIED:
            assert (answer.status_code, told["dry_run"]) == (200, True), operation.name
        else:
            assert (answer.status_code, told["code"]) == (400, "unknown-parameter"), operation.name
        assert kept() == before, operation.name
    declared = {each.name for each in WRITES if any(p["name"] == "dry_run" for p in each.parameters("query"))}
    assert declared == TRIED


@pytest.mark.parametrize("value", ["true", "yes", "", "2", "%00"])
def test_dry_run_is_0_or_1(house, value):
    for name in TRIED:
        answer = ask(EVERY[name], house, f"dry_run={value}")
        assert answer.status_code == 400, name
        assert "0, 1" in answer.json()["detail"] or value == "%00"


def test_an_unknown_key_in_a_body_is_refused_everywhere(house):
    before, asked = kept(), 0
    for operation in WRITES:
        for key in ("bogus", "dry_run"):
            answer, asked = ask(operation, house, "", **{key: True}), asked + 1
            codes = {each["code"] for each in answer.json().get("errors", ())}
            assert answer.status_code == 400, (operation.name, answer.content)
            assert "unknown-key" in codes, (operation.name, codes)
    assert asked > 60
    assert kept() == before


# -- numbers --------------------------------------------------------------------------------


LARGE = (2**53 + 1, 2**63 - 1, 2**63, 2**64, 10**18, 10**30, -(2**63) - 1)
ODD = (*LARGE, f"1{'0' * 5000}", "1e400", "1.5", "-1", "-0", "٣", "1_0", "NaN", "0x10")
ODD_TRIED = as_often_as(always=len(ODD), quick=4)
"""The number of odd values each parameter is given: not all the same ones, if not all."""


def test_overlong_query_numbers_are_answered(house):
    asked = 0
    for operation in EVERY.values():
        for turn, each in enumerate(operation.parameters("query")):
            start = (len(operation.name) + turn * ODD_TRIED) % len(ODD)
            for value in (ODD * 2)[start : start + ODD_TRIED]:
                answer, asked = ask(operation, house, f"{each['name']}={value}"), asked + 1
                assert answer.status_code < 500, (operation.name, each["name"], value)
                if each["schema"].get("type") == "integer":
                    assert answer.status_code == 400, (operation.name, each["name"], value)
    assert asked > 30 * ODD_TRIED


def test_a_query_number_out_of_bounds_is_told_its_bounds(house):
    told = ask(EVERY["list_group_tables"], house, "limit=-1").json()
    assert told["detail"] == "limit: A whole number from 1 to 500 is needed here."


@pytest.mark.parametrize("value", [2**53 + 1, 10**30, -(10**16), 1e16])
def test_overlong_body_numbers_are_answered(house, value):
    before = kept()
    for operation in WRITES:
        if operation.takes_json():
            answer = ask(operation, house, seat=value, x_number=value)
            assert (answer.status_code, answer.json()["code"]) == (400, "bad-number"), operation.name
    assert kept() == before


HEADERS = ("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH", "HTTP_IDEMPOTENCY_KEY", "HTTP_LAST_EVENT_ID")


@pytest.mark.parametrize("value", ['"9007199254740993"', '"1-x"'])
def test_overlong_version_headers_are_answered(house, value):
    tried = as_often_as(always=len(HEADERS), quick=1)
    for number, operation in enumerate(EVERY.values()):
        start = number % len(HEADERS)
        for name in (HEADERS * 2)[start : start + tried]:
            client = client_of(operation, house)
            answer = client.generic(
                operation.method.upper(), path_of(operation, house), "{}", "application/json", **{name: value}
            )
            assert answer.status_code < 500, (operation.name, name)
