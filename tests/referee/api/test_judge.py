"""POST referee/judge/: a record in, its adjudication out."""

from typing import Any

import pytest

from referee.engine.catalogue import with_game
from tests.referee.api.conftest import problem
from tests.toy import GAME as TOY

RECORD: dict[str, Any] = {
    "format": "table-record/1",
    "game": "ace-trump",
    "options": {"ties": "early"},
    "end": {"kind": "hands", "value": 4},
    "seats": ["Ann", "Bob", "Cy"],
    "first_dealer": 2,
    "hands": [
        {
            "events": [
                {"type": "play", "seat": 0, "cards": ["8MS"]},
                {"type": "play", "seat": 1, "cards": ["XS"]},
                {"type": "play", "seat": 2, "cards": ["XM"]},
                {"type": "play", "seat": 1, "cards": ["AY"]},
            ]
        }
    ],
}


def test_it_works(api):
    judged = api.post("referee/judge/", RECORD).json()
    (hand,) = judged["hands"]
    assert hand["tricks"][0]["winner"] == 1
    assert hand["tricks"][0]["reason"]["code"] == "earlier-of-equals"
    assert (hand["trump"], hand["to_act"], judged["totals"]) == ("Y", [2], [0, 1, 0])
    assert judged["rejected"] is None
    assert judged["next"] is None


def test_every_reason_of_an_answer_has_a_sentence_and_a_clause(api):
    def reasons(value):
        if isinstance(value, dict):
            if "clauses" in value:
                yield value
            for item in value.values():
                yield from reasons(item)
        elif isinstance(value, list):
            for item in value:
                yield from reasons(item)

    known = {clause["id"] for clause in api.get("games/ace-trump/rulebook/").json()}
    found = list(reasons(api.post("referee/judge/", RECORD).json()))
    assert found
    for reason in found:
        assert reason["text"]
        assert set(reason["clauses"]) & known == set(reason["clauses"]) != set()


def test_an_event_that_is_not_taken_stops_the_record_and_not_the_answer(api):
    events = [*RECORD["hands"][0]["events"][:3], {"type": "play", "seat": 1, "cards": ["XS"]}]
    judged = api.post("referee/judge/", {**RECORD, "hands": [{"events": events}]})
    assert judged.status_code == 200
    rejected = judged.json()["rejected"]
    assert (rejected["hand"], rejected["event"], rejected["verdict"]) == (0, 3, "impossible")
    assert rejected["reason"]["code"] == "already-played"
    assert len(judged.json()["hands"][0]["tricks"]) == 1


def test_names_people_use_for_cards_come_back_as_codes(api):
    events = [{"type": "play", "seat": 0, "cards": ["the Huntress"]}]
    judged = api.post("referee/judge/", {**RECORD, "hands": [{"events": events}]}).json()
    assert judged["hands"][0]["tricks"][0]["plays"] == [{"seat": 0, "cards": ["XM"]}]


def test_a_toy_game_is_judged_without_any_change_to_the_api(api):
    record = {"game": "plain-whist", "options": {"cards": 1}, "seats": ["Ann", "Bob"], "first_dealer": 1}
    events = [{"type": "play", "seat": 0, "cards": ["QH"]}, {"type": "play", "seat": 1, "cards": ["KH"]}]
    with with_game(TOY):
        judged = api.post("referee/judge/", {**record, "hands": [{"events": events}]}).json()
    assert judged["totals"] == [0, 1]
    assert judged["hands"][0]["score_lines"][0]["reason"]["clauses"] == ["TOY-4"]
    assert api.refused("referee/judge/", record, 422)["code"] == "unknown-game"


@pytest.mark.parametrize(
    ("change", "pointer", "code"),
    [
        ({"seats": 3}, "/seats", "wrong-type"),
        ({"first_dealer": "2"}, "/first_dealer", "wrong-type"),
        ({"first_dealer": True}, "/first_dealer", "wrong-type"),
        ({"first_dealer": 2.5}, "/first_dealer", "wrong-type"),
        ({"players": 3}, "/players", "unknown-key"),
        ({"options": {"ties": 1}}, "/options/ties", "wrong-type"),
        ({"hands": {}}, "/hands", "wrong-type"),
        ({"hands": [7]}, "/hands/0", "wrong-type"),
        ({"hands": [{"events": [{"type": "shout"}]}]}, "/hands/0/events/0/type", "unknown-event"),
        ({"hands": [{"events": [{"type": "bid", "seat": 0}]}]}, "/hands/0/events/0/tricks", "missing-key"),
        (
            {"hands": [{"events": [{"type": "play", "seat": 0, "cards": [8]}]}]},
            "/hands/0/events/0/cards/0",
            "wrong-type",
        ),
    ],
)
def test_a_wrong_shape_is_400_and_says_where(api, change, pointer, code):
    said = api.refused("referee/judge/", RECORD | change, 400)
    assert (said["errors"][0]["pointer"], said["code"]) == (pointer, code)


@pytest.mark.parametrize(
    ("change", "pointer", "code"),
    [
        ({"format": "table-record/2"}, "/format", "bad-format"),
        ({"game": "no-such-game"}, "/game", "unknown-game"),
        ({"seats": ["Ann"], "first_dealer": 0}, "/seats", "bad-players"),
        ({"seats": ["Ann"] * 9}, "/seats", "bad-players"),
        ({"first_dealer": 3}, "/first_dealer", "bad-value"),
        ({"options": {"luck": True}}, "/options/luck", "unknown-option"),
        ({"options": {"ties": "never"}}, "/options/ties", "bad-option"),
        ({"options": {"hook": True}}, "/options/hook", "option-conflict"),
        ({"end": {"kind": "hands", "value": 0}}, "/end/value", "bad-end"),
        ({"hands": [{"known": {"0": ["8MS"]}}]}, "/hands/0/known/0", "bad-known"),
    ],
)
def test_what_is_well_formed_and_cannot_be_is_422(api, change, pointer, code):
    said = api.refused("referee/judge/", RECORD | change, 422)
    assert (said["errors"][0]["pointer"], said["code"]) == (pointer, code)


def test_several_mistakes_are_all_reported(api):
    said = api.refused("referee/judge/", {"hands": 1, "seats": [1, 2], "bogus": 0}, 400)
    assert {error["pointer"] for error in said["errors"]} >= {"/hands", "/seats/0", "/seats/1", "/bogus"}


def test_more_events_than_an_evening_has_are_refused(api):
    events = [{"type": "pass", "seat": 0}] * 20_001
    said = api.refused("referee/judge/", RECORD | {"hands": [{"events": events}]}, 422)
    assert said["code"] == "too-many-events"


def test_other_methods_are_405(api):
    response = api.get("referee/judge/")
    assert problem(response, 405)["code"] == "method-not-allowed"
    assert response.headers["Allow"] == "POST, OPTIONS"


def test_what_takes_too_long_is_413(api, settings):
    from referee.api.views import judge

    assert settings.SECONDS_TO_JUDGE == 5
    clock = iter(range(0, 100, 6))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(judge, "thread_time", clock.__next__)
        said = api.refused("referee/judge/", RECORD, 413)
    assert said["code"] == "too-costly"
    assert api.post("referee/judge/", RECORD).status_code == 200
