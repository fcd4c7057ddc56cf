"""The schema as tools read it: shapes have names, answers tell their headers, events are a union."""

import json

import pytest

from deploy.docs import _schema
from referee.engine.catalogue import all_games, event_kinds, phases
from scoring.api.components import COMPONENTS, HEADERS


@pytest.fixture(scope="module")
def schema():
    from rest_framework.test import APIClient

    return APIClient().get("/api/v1/schema/", headers={"accept": "application/json"}).json()


def operation(schema, name):
    return next(each for path in schema["paths"].values() for each in path.values() if each.get("operationId") == name)


def test_what_has_a_name_is_referred_to(schema):
    told = json.dumps(schema)
    for name in COMPONENTS:
        assert f'"#/components/schemas/{name}"' in told, name


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
    assert {"ETag", "Idempotent-Replayed", "X-Request-Id"} == set(answers["201"]["headers"])
    assert "Retry-After" in answers["429"]["headers"]
    assert "Location" in operation(schema, "open_table")["responses"]["201"]["headers"]
    told = {name for path in schema["paths"].values() for each in path.values() for answer in each["responses"].values()
            for name in answer["headers"]}  # fmt: skip
    assert set(HEADERS) <= told


@pytest.mark.parametrize("name", ["get_table", "get_log", "get_record", "get_asks", "open_table"])
def test_a_token_may_be_sent_and_need_not(schema, name):
    assert operation(schema, name)["security"] == [{"token": []}, {}]


def test_what_generators_write_down_wrong_is_not_in_it(schema):
    told = json.dumps(schema)
    assert '"const": true' not in told
    assert '"const": false' not in told
    titles = list(schema["components"]["schemas"])
    assert len({name.lower() for name in titles}) == len(titles)


def test_defaults_are_among_the_values(schema):
    for path in schema["paths"].values():
        for each in path.values():
            for asked in each.get("parameters", ()):
                kind = asked["schema"]
                assert "enum" not in kind or kind.get("default", kind["enum"][0]) in kind["enum"], asked


def test_it_is_made_once_for_each_language(client, schema):
    client.get("/api/v1/schema/", headers={"accept-language": "de"})
    before = _schema.cache_info().misses
    for language in ("en", "de"):
        assert client.get("/api/v1/schema/", headers={"accept-language": language}).status_code == 200
    assert _schema.cache_info().misses == before
