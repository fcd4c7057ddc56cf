"""POST referee/what-if/: a record in, what it would be under other house rules out."""

import pytest

from tests.referee.api.test_judge import RECORD


def test_it_works(api):
    answer = api.post("referee/what-if/", {"record": RECORD, "options": {"ties": "symbol"}}).json()
    (hand,) = answer["hands"]
    assert [each["now"]["winner"] for each in hand["tricks"]] == [2, None]
    assert hand["tricks"][0]["change"]["text"] == "By these rules trick 1 goes to Cy, not to Bob."
    assert answer["totals"] == {"then": [0, 1, 0], "now": [0, 0, 1]}
    assert [(found["code"], found["then"], found["now"]) for found in hand["irregularities"]] == [
        ("out-of-turn", False, True)
    ]


def test_without_options_nothing_changes(api):
    answer = api.post("referee/what-if/", {"record": RECORD}).json()
    assert (answer["changed"], answer["hands"][0]["changed"]) == ([], False)


def test_what_stops_a_record_stops_it_here_too(api):
    events = [*RECORD["hands"][0]["events"], {"type": "play", "seat": 0, "cards": ["XS"]}]
    answer = api.post("referee/what-if/", {"record": RECORD | {"hands": [{"events": events}]}}).json()
    assert answer["rejected"]["reason"]["code"] == "already-played"


@pytest.mark.parametrize(
    ("body", "status", "pointer", "code"),
    [
        ({"options": {}}, 400, "/record", "missing-key"),
        ({"record": RECORD, "option": {}}, 400, "/option", "unknown-key"),
        ({"record": RECORD, "options": []}, 400, "/options", "wrong-type"),
        ({"record": RECORD, "options": {"ties": 1}}, 400, "/options/ties", "wrong-type"),
        ({"record": RECORD | {"seats": 3}}, 400, "/record/seats", "wrong-type"),
        ({"record": RECORD, "options": {"ties": "highest"}}, 422, "/options/ties", "bad-option"),
        ({"record": RECORD, "options": {"colour": "red"}}, 422, "/options/colour", "unknown-option"),
        ({"record": RECORD, "options": {"partners": True}}, 422, "/options/partners", "option-conflict"),
        ({"record": RECORD | {"options": {"ties": "x"}}}, 422, "/record/options/ties", "bad-option"),
        (
            {"record": RECORD | {"hands": [{"known": {"0": ["8MS"]}, "events": []}]}},
            422,
            "/record/hands/0/known/0",
            "bad-known",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(api, body, status, pointer, code):
    said = api.refused("referee/what-if/", body, status)
    assert (said["errors"][0]["pointer"], said["code"]) == (pointer, code)


def test_what_takes_too_long_is_413(api):
    from referee.api.views import what_if

    clock = iter(range(0, 100, 6))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(what_if, "thread_time", clock.__next__)
        said = api.refused("referee/what-if/", {"record": RECORD}, 413)
    assert said["code"] == "too-costly"
