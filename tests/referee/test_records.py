"""Reading and writing records: every wrong shape is found, with its place, and nothing else is refused."""

import json
from typing import Any

import pytest

from referee.engine.bounds import MOST_EVENTS
from referee.engine.options import Refused
from referee.engine.reading import load_event
from referee.engine.records import dump_record, load_record
from tests.referee.telling import NOTE, Json, exercises, judged, judged_record, plays, told

GOOD = told(plays("0:8MS 1:9MS"), options={"ties": "early"}, end={"kind": "hands", "value": 4}, carried=[1, 2, 3])


def changed(path: str, value: object) -> Json:
    """Change one place of a good record; ``...`` takes the key away."""
    data: Json = json.loads(json.dumps(GOOD))
    *parents, last = [int(part) if part.isdigit() else part for part in path.strip("/").split("/")]
    place: Any = data
    for part in parents:
        place = place[part]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return data


def test_a_record_is_read_and_written_again():
    written = dump_record(load_record(GOOD))
    assert written["options"]["ties"] == "early"
    assert {key: written[key] for key in GOOD if key != "options"} == {
        key: GOOD[key] for key in GOOD if key != "options"
    }
    assert dump_record(load_record(written)) == written


MALFORMED = [
    # where, what stands there, the code
    ("/seats", "Ann", "wrong-type"),
    ("/seats/0", 1, "wrong-type"),
    ("/seats/0", "x" * 61, "wrong-type"),
    ("/first_dealer", ..., "missing-key"),
    ("/first_dealer", ..., "missing-key"),
    ("/first_dealer", True, "wrong-type"),
    ("/first_dealer", ..., "missing-key"),
    ("/game", 7, "wrong-type"),
    ("/options", [], "wrong-type"),
    ("/options/ties", 3, "wrong-type"),
    ("/end/kind", None, "wrong-type"),
    ("/end/value", "4", "wrong-type"),
    ("/end/until", 4, "unknown-key"),
    ("/carried/0", "1", "wrong-type"),
    ("/carried", {}, "wrong-type"),
    ("/hands", {}, "wrong-type"),
    ("/hands/0", [], "wrong-type"),
    ("/hands/0/events", {}, "wrong-type"),
    ("/hands/0/dealer", 1, "unknown-key"),
    ("/hands/0/known", [], "wrong-type"),
    ("/hands/0/events/0", "play", "wrong-type"),
    ("/hands/0/events/0/type", "shout", "unknown-event"),
    ("/hands/0/events/0/type", None, "unknown-event"),
    ("/hands/0/events/0/seat", ..., "missing-key"),
    ("/hands/0/events/0/seat", None, "wrong-type"),
    ("/hands/0/events/0/seat", 10**30, "wrong-type"),
    ("/hands/0/events/0/cards", "8MS", "wrong-type"),
    ("/hands/0/events/0/cards/0", 8, "wrong-type"),
    ("/hands/0/events/0/cards", ..., "missing-key"),
    ("/hands/0/events/0/suit", 1, "wrong-type"),
    ("/hands/0/events/0/accepted", "yes", "wrong-type"),
    ("/hands/0/events/0/trump", "M", "unknown-key"),
    ("/dealer", 0, "unknown-key"),
]


@pytest.mark.parametrize(("place", "value", "code"), MALFORMED)
def test_a_wrong_shape_is_malformed_and_says_where(place: str, value: object, code: str):
    with pytest.raises(Refused) as refusal:
        load_record(changed(place, value))
    assert refusal.value.malformed
    problem = refusal.value.problems[0]
    assert (problem.pointer, problem.code) == (place, code)
    assert problem.detail.endswith(".")


WRONG = [
    ("/format", "table-record/2", "bad-format", "/format"),
    ("/game", "bridge", "unknown-game", "/game"),
    ("/seats", [], "bad-players", "/seats"),
    ("/seats", ["Ann"], "bad-players", "/seats"),
    ("/seats", ["Ann"] * 9, "bad-players", "/seats"),
    ("/seats/1", " ", "bad-value", "/seats/1"),
    ("/first_dealer", 3, "bad-value", "/first_dealer"),
    ("/first_dealer", -1, "bad-value", "/first_dealer"),
    ("/carried", [1, 2], "bad-value", "/carried"),
    ("/options/ties", "never", "bad-option", "/options/ties"),
    ("/options/tie", "early", "unknown-option", "/options/tie"),
    ("/end/kind", "boredom", "bad-end", "/end/kind"),
    ("/end", {"kind": "open", "value": 3}, "bad-end", "/end/value"),
    ("/end/value", 0, "bad-end", "/end/value"),
    ("/end/value", -4, "bad-end", "/end/value"),
]


@pytest.mark.parametrize(("place", "value", "code", "pointer"), WRONG)
def test_what_is_well_formed_but_cannot_be_says_where(place: str, value: object, code: str, pointer: str):
    with pytest.raises(Refused) as refusal:
        load_record(changed(place, value))
    assert not refusal.value.malformed
    assert (pointer, code) in [(problem.pointer, problem.code) for problem in refusal.value.problems]


def test_all_problems_are_told_at_once_but_no_more_than_anybody_reads():
    with pytest.raises(Refused) as refusal:
        load_record(changed("/hands/0/events", [{"type": "shout"}] * 1000))
    assert len(refusal.value.problems) == 20


def test_too_many_events_are_refused_before_they_are_judged():
    with pytest.raises(Refused, match="at most"):
        load_record(told([NOTE] * (MOST_EVENTS + 1)))


@pytest.mark.parametrize("data", [None, [], "record", 3, {}, {"seats": None}, {"hands": [[]]}])
def test_anything_else_is_refused_too(data: object):
    with pytest.raises(Refused) as refusal:
        load_record(data)
    assert refusal.value.malformed


def test_keys_that_start_with_x_are_kept_everywhere():
    data = told([plays("0:8MS")[0] | {"x_by": "Ann"}], x_place="the kitchen")
    data["hands"][0]["x_photo"] = 7
    written = dump_record(load_record(data))
    assert (written["x_place"], written["hands"][0]["x_photo"]) == ("the kitchen", 7)
    assert written["hands"][0]["events"][0]["x_by"] == "Ann"


@exercises("REC-3", "REC-5")
def test_a_value_of_the_right_type_that_cannot_be_is_for_the_referee():
    for event, code in (("9:8MS", "no-such-seat"), ("0:nothing", "not-in-deck")):
        answer = judged(plays(event))
        assert answer["rejected"]["reason"]["code"] == code
    assert judged([{"type": "play", "seat": 0, "cards": []}])["rejected"]["reason"]["code"] == "wrong-count"


def test_an_answer_uses_canonical_codes_whatever_was_typed():
    events = plays("0:diplomat 1:9sm 2:nM")
    answer = judged(events)
    assert [play["cards"] for play in answer["hands"][0]["tricks"][0]["plays"]] == [["8MS"], ["9MS"], ["XM"]]
    written = dump_record(load_record(told(events)))
    assert [event["cards"][0] for event in written["hands"][0]["events"]] == ["8MS", "9MS", "XM"]


def test_what_was_left_out_differs_from_null_where_it_matters():
    unsaid = {"type": "trick", "winner": 0}
    for event in (unsaid, unsaid | {"trump": None}):
        written = dump_record(load_record(told([event])))
        assert written["hands"][0]["events"] == [event]


@pytest.mark.parametrize("end", [{"kind": "open"}, {"kind": "score", "value": 30}, {"kind": "hands", "value": 3}])
def test_every_kind_of_end(end: Json):
    assert judged(end=end)["end"] == end


@exercises("REC-16", "WC-18", "AT-14")
@pytest.mark.parametrize(
    ("game", "end"),
    [("ace-trump", {"kind": "open"}), ("ransom-trump", {"kind": "open"}),
     ("wildcat-chicane", {"kind": "score", "value": 40})],
)  # fmt: skip
def test_every_game_has_its_own_end_where_none_is_given(game: str, end: Json):
    assert judged(game=game)["end"] == end


def test_an_empty_record_names_the_first_deal():
    answer = judged_record(told())
    assert (answer["hands"], answer["finished"], answer["winners"]) == ([], False, [])
    assert answer["next"] == {"number": 1, "dealer": 2, "seating": [0, 1, 2], "hand_size": [12, 12, 12]}


def test_a_single_event_is_read_by_itself():
    assert load_event(plays("0:8MS")[0]).type == "play"
    with pytest.raises(Refused) as refusal:
        load_event({"type": "play", "seat": "0"})
    assert [problem.pointer for problem in refusal.value.problems] == ["/seat", "/cards"]
