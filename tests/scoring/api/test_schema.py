"""The schema as tools read it: shapes have names, answers tell their headers, events are a union."""

import ast
import json
import math
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import referee
from deploy.docs import whole_schema
from referee.engine.catalogue import all_games, event_kinds, phases
from referee.engine.reader import LARGEST
from referee.engine.strict_json import LARGEST_EXACT
from scoring.api.schema import HEADERS


@pytest.fixture(scope="module")
def schema():
    from rest_framework.test import APIClient

    return APIClient().get("/api/v1/schema/", headers={"accept": "application/json"}).json()


def operation(schema, name):
    return next(each for path in schema["paths"].values() for each in path.values() if each.get("operationId") == name)


def test_what_has_a_name_is_referred_to(schema):
    told = json.dumps(schema)
    unused = {name for name in schema["components"]["schemas"] if f'"#/components/schemas/{name}"' not in told}
    assert not unused


def test_every_reference_leads_somewhere(schema):
    for part in json.dumps(schema).split('"$ref": "#/components/schemas/')[1:]:
        assert part.partition('"')[0] in schema["components"]["schemas"]


def test_an_event_to_record_is_one_of_the_kinds(schema):
    body = operation(schema, "record_events")["requestBody"]["content"]["application/json"]["schema"]
    assert body == {"$ref": "#/components/schemas/EventsToRecord"}
    events = schema["components"]["schemas"]["EventsToRecord"]
    assert events["properties"]["events"]["items"] == {"$ref": "#/components/schemas/Event"}
    assert {"$ref": "#/components/schemas/Event"} in events["else"]["anyOf"]
    kinds = schema["components"]["schemas"]["Event"]
    assert kinds["discriminator"]["propertyName"] == "type"
    assert set(kinds["discriminator"]["mapping"]) == set(event_kinds())


def test_games_phases_and_codes_are_listed(schema):
    told = schema["components"]["schemas"]
    assert told["GameId"]["enum"] == [game.id for game in all_games()]
    assert told["Phase"]["enum"] == [str(phase) for phase in phases()]
    assert {"revoke", "joint-revoke"} <= set(told["IrregularityCode"]["enum"])
    assert {"no-such-table", "moved-on"} <= set(told["ProblemCode"]["enum"])


def test_answers_tell_their_headers(schema):
    answers = operation(schema, "record_events")["responses"]
    limits = {"RateLimit", "RateLimit-Policy"}
    assert {"ETag", "Idempotent-Replayed", "X-Request-Id"} | limits == set(answers["201"]["headers"])
    assert answers["201"]["headers"]["ETag"]["required"]
    assert limits <= set(operation(schema, "judge")["responses"]["200"]["headers"])
    assert limits.isdisjoint(operation(schema, "get_table")["responses"]["200"]["headers"])
    assert "Retry-After" in answers["429"]["headers"]
    assert "Link" in operation(schema, "get_log")["responses"]["200"]["headers"]
    assert "Location" in operation(schema, "open_table")["responses"]["201"]["headers"]
    told = {name for path in schema["paths"].values() for each in path.values() for answer in each["responses"].values()
            for name in answer["headers"]}  # fmt: skip
    assert set(HEADERS) <= told


@pytest.mark.parametrize("name", ["get_table", "get_log", "get_record", "get_asks", "open_table"])
def test_a_token_may_be_sent_and_need_not(schema, name):
    assert operation(schema, name)["security"] == [{"token": []}, {}]


def without_examples(shape):
    """Return a schema without what it shows, which no client is made of."""
    if isinstance(shape, list):
        return [without_examples(each) for each in shape]
    if not isinstance(shape, dict):
        return shape
    return {key: without_examples(value) for key, value in shape.items() if key != "examples"}


def test_what_generators_write_down_wrong_is_not_in_it(schema):
    told = json.dumps(without_examples(schema))
    assert '"const": true' not in told
    assert '"const": false' not in told
    titles = list(schema["components"]["schemas"])
    assert len({name.lower() for name in titles}) == len(titles)


def test_whatever_can_be_typed_is(schema):
    """Save the answers in a ruling, kept as they were sent, parts of facts, and what has no keys at all."""
    left = ("/answers/items", "/Fact/anyOf/1/items", "/schemas/Nothing")
    assert not [place for place in places_without_a_type(schema, "") if not place.endswith(left)]


@pytest.mark.parametrize(("where", "largest"), [("requestBody", LARGEST), ("parameters", LARGEST_EXACT)])
def test_a_number_of_a_request_goes_no_further_than_its_reader(schema, where, largest):
    """Else a caller who trusts the schema is refused."""
    numbers = list(numbers_sent(schema, where))
    assert len(numbers) > 20
    assert not [place for place, each in numbers if not -largest <= each.get("minimum", -math.inf)]
    assert not [place for place, each in numbers if not each.get("maximum", math.inf) <= largest]


@pytest.mark.parametrize("value", [2**53, "a", None, [{"b": [-1.5, {}]}]])
def test_an_own_key_holds_any_json(schema, value):
    assert note_of_the_schema(schema).is_valid({"type": "note", "text": "Hm.", "x_own": value})


@pytest.mark.parametrize("value", [2**53 + 1, [{"b": [1e300]}]])
def test_an_own_key_holds_no_number_that_the_reader_refuses(schema, value):
    assert not note_of_the_schema(schema).is_valid({"type": "note", "text": "Hm.", "x_own": value})


def note_of_the_schema(schema):
    return Draft202012Validator({"$ref": "#/components/schemas/NoteEvent", "components": schema["components"]})


def numbers_sent(schema, where):
    """Yield every whole number that a request holds, in its parameters or body, with its place."""
    left = dict(schema["components"]["schemas"])
    sent = [(f"{method} {path}", each.get(where))
            for path, operations in schema["paths"].items() for method, each in operations.items()]  # fmt: skip
    while sent:
        place, shape = sent.pop()
        if isinstance(shape, list):
            sent += [(f"{place}/{number}", each) for number, each in enumerate(shape)]
        elif isinstance(shape, dict):
            if shape.get("type") == "integer" or (isinstance(shape.get("type"), list) and "integer" in shape["type"]):
                yield place, shape
            sent += [(f"{place}/{key}", each) for key, each in shape.items() if not key.startswith("example")]
            name = shape.get("$ref", "").rpartition("/")[2] if isinstance(shape.get("$ref"), str) else ""
            sent.append((name, left.pop(name, None)))


def places_without_a_type(shape, place):
    """Yield where a schema takes anything."""
    if isinstance(shape, list):
        for number, each in enumerate(shape):
            yield from places_without_a_type(each, f"{place}/{number}")
    elif isinstance(shape, dict):
        keys = shape.keys() - {"description", "title", "default", "examples", "readOnly"}
        names = place.rsplit("/", 2)
        if not keys and (names[-2:-1] == ["properties"] or names[-1] in ("schema", "items", "additionalProperties")):
            yield place
        more = shape.get("additionalProperties")
        if shape.get("type") == "object" and not {"properties", "patternProperties"} & keys and not more:
            yield place
        for key, each in shape.items():
            if key not in ("examples", "example", "if", "then", "else"):
                yield from places_without_a_type(each, f"{place}/{key}")


def test_every_code_of_a_reason_is_listed(schema):
    known = schema["components"]["schemas"]["ReasonCode"]["enum"]
    assert {"revoke", "highest-trump", "joint-revoke", "read", "audit-clean", "penalty-card"} <= set(known)
    given = {code for code in codes_given() if code not in ("", "no", "yes")}
    assert len(given) > 100
    assert given <= set(known)
    assert set(remedies_offered()) <= set(schema["components"]["schemas"]["RemedyCode"]["enum"])


def codes_given():
    """Find the code in every call that gives a reason, where it stands in plain text."""
    for file in Path(referee.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("Reason", "impossible")
            ):
                yield from (each.value for each in node.args[:1] if isinstance(each, ast.Constant))


def remedies_offered():
    """Find what hands offer by its code."""
    for game in all_games():
        yield from (*game.hand_class.PROVED_REMEDIES, *game.hand_class.SEEN_REMEDIES)


def test_names_are_what_a_programmer_would_call_them(schema):
    told = schema["components"]["schemas"]
    assert not [name for name in told if name.endswith(("Request", "Enum", "Serializer")) or name.startswith("Patched")]
    lists = {each["operationId"] for path in schema["paths"].values() for each in path.values()
             if "Link" in each["responses"].get("200", {}).get("headers", ())}  # fmt: skip
    assert {name for name in lists if not name.startswith("list_")} == {"get_log", "what_if_in_season"}


def test_defaults_are_among_the_values(schema):
    for path in schema["paths"].values():
        for each in path.values():
            for asked in each.get("parameters", ()):
                kind = asked["schema"]
                assert "enum" not in kind or kind.get("default", kind["enum"][0]) in kind["enum"], asked


def test_it_is_made_once(client, schema):
    client.get("/api/v1/schema/", headers={"accept-language": "de"})
    before = whole_schema.cache_info().misses
    assert client.get("/api/v1/schema/").json() == schema
    assert whole_schema.cache_info().misses == before
