"""House rules that change between two hands, over the API (REC-23)."""

import io

import pytest
from rest_framework.test import APIClient

from scoring.models import Table
from scoring.queries.verifying import differences
from tests.referee.rules_events import rules
from tests.scoring.conftest import OpenTable, holder, open_table, play

EARLY, TEA = rules(ties="early"), {"type": "note", "text": "tea"}
HAND = {"type": "result", "tricks": [4, 4, 4]}
CROWNS = [play(1, "8MS"), play(2, "XS"), play(0, "XM")]


@pytest.fixture
def between(table: OpenTable) -> OpenTable:
    """The table with one hand played."""
    table.record(HAND)
    return table


def post(client: APIClient, table: OpenTable, *events: dict, **query: str):
    address = f"/api/v1/tables/{table.code}/events/"
    return client.post(address, {"events": list(events)}, format="json", query_params=query)


def seen(table: OpenTable) -> dict:
    told: dict = holder(table.token).get(f"/api/v1/tables/{table.code}/").json()
    return told["state"]


def test_it_works(ann, between):
    answer = post(ann, between, EARLY)
    assert (answer.status_code, answer.json()["version"]) == (201, 2)
    assert (seen(between)["options"]["ties"], seen(between)["options_now"]["ties"]) == ("symbol", "early")
    post(ann, between, *CROWNS)
    first, second = seen(between)["hands"]
    assert ("options" in first, second["options"]["ties"], second["tricks"][0]["winner"]) == (False, "early", 2)
    assert not differences(between.row)


def test_it_is_asked_for_between_two_hands_only(ann, table):
    asks = f"/api/v1/tables/{table.code}/asks/"

    def asked() -> list[str]:
        return [ask["event"] for ask in ann.get(asks).json()["beside"]]

    assert "rules" not in asked()
    table.record(HAND)
    (ask,) = [ask for ask in ann.get(asks).json()["beside"] if ask["event"] == "rules"]
    assert [(field["name"], field["type"]) for field in ask["fields"]] == [("options", "options")]
    table.record(*CROWNS)
    assert "rules" not in asked()


def test_it_can_be_tried_and_is_refused_with_its_clause(ann, bob, between):
    assert post(ann, between, EARLY, dry_run="1").status_code == 200
    assert "options_now" not in seen(between)
    answer = post(ann, between, rules(hook=True))
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-rules")
    assert answer.json()["ruling"]["reason"]["clauses"] == ["REC-23", "AT-Q15"]
    assert post(ann, between, {"type": "rules"}).status_code == 400
    assert post(bob, between, EARLY).json()["code"] == "not-your-seat"
    post(ann, between, *CROWNS)
    assert post(ann, between, EARLY).json()["code"] == "wrong-phase"


def test_it_is_undone_and_amended_and_what_follows_is_judged_anew(ann, between):
    post(ann, between, EARLY)
    ann.post(f"/api/v1/tables/{between.code}/undo/")
    assert "options_now" not in seen(between)
    seq = post(ann, between, EARLY).json()["version"]
    post(ann, between, *CROWNS)
    body = {"seq": seq, "event": rules(ties="late"), "reason": "misheard"}
    changed = ann.post(f"/api/v1/tables/{between.code}/amendments/", body, format="json")
    assert changed.status_code == 201
    (trick,) = changed.json()["changes"]["tricks"]
    assert (trick["before"]["winner"], trick["after"]["winner"]) == (2, 0)
    struck = ann.post(f"/api/v1/tables/{between.code}/amendments/", body | {"seq": 8, "event": None}, format="json")
    assert struck.status_code == 201
    assert "options" not in seen(between)["hands"][1]
    assert not differences(between.row)


def test_a_hand_that_is_no_longer_over_keeps_no_change_of_rules(ann, between):
    post(ann, between, EARLY)
    body = {"seq": 1, "event": play(0, "8MS")}
    answer = ann.post(f"/api/v1/tables/{between.code}/amendments/", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "later-event-not-taken")


def test_it_stands_in_record_text_and_spreadsheet_and_comes_back_the_same(ann, between):
    post(ann, between, EARLY)
    post(ann, between, *CROWNS, TEA)
    address = f"/api/v1/tables/{between.code}/record/"
    record = ann.get(address).json()
    assert record["options"]["ties"] == "symbol"
    assert record["hands"][0]["events"][1] == EARLY
    text = ann.get(address, query_params={"as": "text", "annotate": "1"}).content.decode()
    assert "House rules: ties = early" in text
    assert '"{""ties"":""early""}"' in ann.get(address, query_params={"as": "csv"}).content.decode()
    for body, kind in ((record, "json"), (text, None)):
        brought = (
            ann.post("/api/v1/tables/import/", body, format="json")
            if kind
            else ann.post("/api/v1/tables/import/", io.StringIO(text).read(), content_type="text/plain")
        )
        assert brought.status_code == 201, brought.content
        row = Table.objects.get(code=brought.json()["code"])
        assert not differences(row)
        again = holder(brought.json()["token"]).get(f"/api/v1/tables/{row.code}/record/").json()
        assert again["hands"][0]["events"][1] == EARLY


def test_those_who_go_on_elsewhere_take_the_rules_of_now_along(ann, between):
    post(ann, between, EARLY)
    body = {"seats": ["Ann", "Bob", "Dot"]}
    answer = ann.post(f"/api/v1/tables/{between.code}/continue/", body, format="json")
    assert answer.json()["state"]["options"]["ties"] == "early"


def test_choices_made_in_secret_for_the_next_hand_are_taken_back(db):
    table = open_table(game="ransom-trump")
    table.record({"type": "result", "tricks": [5, 4, 0]})
    player = holder(table.link("player", 1))
    address = f"/api/v1/tables/{table.code}/events/"
    player.post(address, {"type": "ransom", "seat": 1, "cards": ["AS"], "sealed": True}, format="json")
    told = holder(table.token).get(f"/api/v1/tables/{table.code}/").json()
    assert told["sealed"] == [1], told
    post(holder(table.token), table, rules(pawns=True))
    assert holder(table.token).get(f"/api/v1/tables/{table.code}/").json()["sealed"] == []


def test_what_if_keeps_the_changes_that_were_made(ann, between):
    post(ann, between, rules(ties="late"))
    post(ann, between, *CROWNS)
    answer = ann.get(f"/api/v1/tables/{between.code}/what-if/", query_params={"pawns": "true"}).json()
    assert [option["key"] for option in answer["changed"]] == ["pawns"]
    assert answer["hands"][1]["tricks"][0]["now"]["winner"] == 0
    answer = ann.get(f"/api/v1/tables/{between.code}/what-if/", query_params={"ties": "early"}).json()
    assert answer["hands"][1]["tricks"][0]["now"]["winner"] == 2
