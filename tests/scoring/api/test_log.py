"""The log and the record of a table, exported and imported."""

import csv
import json
import re
from io import StringIO
from typing import Any

import pytest
from rest_framework.test import APIClient

from referee.notation.cells import cell
from scoring.models import Table
from tests.scoring.conftest import ACE_TRUMP, OpenTable, holder, open_table, play
from tests.scoring.groups import result

# --- GET tables/{code}/events/


@pytest.fixture
def url(table):
    return f"{table.url}events/"


def test_the_log_says_who_recorded_undid_and_corrected_what_and_why(stranger, table, url):
    table.record(play(0, "8MS"), play(1, "XS"), by="scorekeeper")
    table.undo(by="scorekeeper")
    table.keeper.post(f"{table.url}amendments/", {"seq": 1, "event": play(0, "9MS"), "reason": "misread"})
    told = stranger.get(url).json()
    assert told["version"] == 4
    keys = ("seq", "event", "amends", "amended_by", "reason", "by")
    assert [tuple(entry[key] for key in keys) for entry in told["events"]] == [
        (1, play(0, "8MS"), None, 4, "", "scorekeeper"),
        (2, play(1, "XS"), None, 3, "", "scorekeeper"),
        (3, None, 2, None, "", "scorekeeper"),
        (4, play(0, "9MS"), 1, None, "misread", "scorekeeper"),
    ]


def test_the_after_parameter_returns_only_later_events(stranger, table, url):
    table.record(play(0, "8MS"), play(1, "XS"))
    assert [entry["seq"] for entry in stranger.get(url, {"after": "1"}).json()["events"]] == [2]


# --- GET tables/{code}/record/

FORMULAS = ("=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", '=HYPERLINK("http://x","y")')
FULL_WIDTH = ("＝1+1", "＋1", "－1+1", "＠SUM(A1)")
ELSEWHERE = (
    "a;=1+1;b", "a; =1+1", "a\t+1", 'a;"=1+1"', 'a, b;"@SUM(A1)', "a\n-1", 'a"\r\n=1', "a;;＝1", ";=1;", "a; \t -1",
)  # fmt: skip


@pytest.fixture
def url_record(table):
    table.record(play(0, "8MS"), play(1, "XS"), play(2, "XM"))
    return f"{table.url}record/"


def rows(answer):
    return list(csv.reader(StringIO(answer.content.decode(), newline="")))


def test_the_record_contains_only_current_entries(stranger, scorekeeper, table):
    table.record(play(0, "9MS"), play(1, "XS"))
    table.undo()
    assert scorekeeper.post(f"{table.url}amendments/", {"seq": 1, "event": play(0, "8MS")}).status_code == 201
    table.record({"type": "redeal"}, result(12, 0, 0), play(1, "9MS"))
    told = stranger.get(f"{table.url}record/").json()
    assert (told["format"], told["first_dealer"]) == ("table-record/1", 2)
    assert told["hands"] == [
        {"events": [play(0, "8MS"), {"type": "redeal"}]},
        {"events": [result(12, 0, 0)]},
        {"events": [play(1, "9MS")]},
    ]


def test_the_stateless_referee_judges_the_record_the_same(stranger, table):
    table.record(play(0, "8MS"), play(1, "AW"), play(2, "XM"), play(1, "9MS"))
    told = stranger.get(f"{table.url}record/").json()
    judged = stranger.post("/api/v1/referee/judge/", told).json()
    state = stranger.get(table.url).json()["state"]
    assert [found["seq"] for found in state["hands"][0]["irregularities"]] == [2]
    for found in state["hands"][0]["irregularities"]:
        for of_the_log in ("seq", "proved_by_seq", "settled", "accepted"):  # a record has no log
            del found[of_the_log]
    assert judged == state


def test_the_text_record_can_include_comments_and_scores(stranger, url_record):
    answer = stranger.get(url_record, {"as": "text"})
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert "1. Ann 8MS, Bob XS, Cy XM\n" in answer.content.decode()
    assert "#" not in answer.content.decode()
    text = stranger.get(url_record, {"as": "text", "annotate": "1"}).content.decode()
    assert "# Cy wins the trick." in text
    assert "== Score sheet ==" in text
    assert "Totals: Ann 0, Bob 0, Cy 1" in text


def test_the_json_record_can_include_scores(stranger, url_record):
    told = stranger.get(url_record, {"annotate": "1"}).json()
    assert told["hands"][0]["x_scores"] == [0, 0, 1]
    assert told["x_totals"] == [0, 0, 1]


def test_events_are_exported_as_csv(stranger, url_record):
    answer = stranger.get(url_record, {"as": "csv"})
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    head, table, *told = rows(answer)
    assert (table[2], json.loads(table[-1])["seats"]) == ("record", ["Ann", "Bob", "Cy"])
    assert [dict(zip(head, row, strict=True))["cards"] for row in told] == ["8MS", "XS", "XM"]
    assert [dict(zip(head, row, strict=True))["player"] for row in told] == ["Ann", "Bob", "Cy"]


def test_the_score_sheet_is_exported_as_csv(stranger, url_record, table):
    table.record({"type": "penalty", "seat": 1, "points": -5})
    assert rows(stranger.get(url_record, {"as": "csv", "part": "scores"})) == [
        ["hand", "phase", "Ann", "Bob", "Cy"],
        ["1", "play", "0", " -5", "1"],
        ["total", "", "0", " -5", "1"],
    ]


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("text/plain", "text/plain; charset=utf-8"),
        ("text/csv", "text/csv; charset=utf-8"),
        ("application/json", "application/json"),
        ("*/*", "application/json"),
        ("text/html;q=0.9, text/csv", "text/csv; charset=utf-8"),
    ],
)
def test_the_accept_header_selects_the_format(stranger, url_record, accept, kind):
    assert stranger.get(url_record, HTTP_ACCEPT=accept)["Content-Type"] == kind


def test_an_unacceptable_accept_header_is_406(stranger, url_record):
    answer = stranger.get(url_record, HTTP_ACCEPT="image/png")
    assert answer.status_code == 406
    assert answer["Content-Type"] == "application/problem+json"


def test_the_json_is_canonical(stranger, url_record):
    told = stranger.get(url_record)
    assert told.content.decode() == json.dumps(told.json(), ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_no_csv_cell_can_be_read_as_a_formula(stranger, db, separator):
    """A German spreadsheet reads a semicolon as the end of a cell."""
    told = FORMULAS + FULL_WIDTH + ELSEWHERE
    names = [re.sub(r"[\x00-\x1f]", "", text) for text in told]  # line breaks and tabs occur only in remarks
    for place in range(0, len(names) - 2, 3):
        table = open_table(seats=[f"{name}{number}" for number, name in enumerate(names[place : place + 3])])
        for text in told[place : place + 3]:
            penalty = {"type": "penalty", "seat": 0, "points": -3, "reason": text}
            note = {"type": "note", "text": text, "x_note": text, f"x_{text}": text}
            table.record(note, {"type": "note", "text": f"x, {text}"}, penalty)
        for part in ("events", "scores"):
            text = stranger.get(f"{table.url}record/", {"as": "csv", "part": part}).content.decode()
            cells = [cell for row in csv.reader(StringIO(text, newline=""), delimiter=separator) for cell in row]
            risky = "=+@＝＋－＠" if separator == "," else "=+-@＝＋－＠"  # in CSV with commas a number may be negative
            assert not [cell for cell in cells if cell.lstrip(' "\t\r\n')[:1] in tuple(risky)]
            assert separator != "," or not [cell for cell in cells if cell[:1] in tuple("=+-@＝＋－＠\t\r\n")]


def test_a_negative_number_stays_a_number():
    assert int(cell(-3)) == -3
    assert cell("-3") == "'-3"


# --- POST tables/import/

URL = "/api/v1/tables/import/"
HANDS: list[dict[str, Any]] = [
    {"events": [result(12, 0, 0), {"type": "note", "text": "well played", "x_mood": "fine"}]},
    {"events": [play(1, "8MS"), play(0, "XS", accepted=True)], "x_place": ["kitchen", None]},
]
RECORD: dict[str, Any] = {
    "format": "table-record/1",
    "game": "ace-trump",
    "options": {"ties": "early"},
    "seats": ["Ann", "Bob", "Cy"],
    "first_dealer": 2,
    "carried": [3, 0, -2],
    "hands": HANDS,
    "x_source": "paper",
}
TEXT = """Game: ace-trump
Seats: Ann, Bob, Cy
First dealer: Cy
# a comment
== Hand 1 ==
1. Ann 8MS, Bob XS, Cy XM
"""


KNOWN = ["8MS", "XS", "AY", "2MK", "3MW", "4MS", "5YK", "6LK", "7SK", "9WY", "XM", "AM"]
"""The cards of a hand that somebody has entered."""


def imported(record, **kind):
    answer = APIClient().post(URL, record, **kind)
    assert answer.status_code == 201, answer.json()
    return OpenTable(answer.json()["code"], answer.json()["token"])


def record_of(table):
    return table.keeper.get(f"{table.url}record/").json()


def as_text(client, body):
    return client.post(URL, body, content_type="text/plain; charset=utf-8")


def test_a_record_becomes_a_table(stranger):
    answer = stranger.post(URL, RECORD)
    assert answer.status_code == 201
    table = answer.json()
    assert table.keys() == {"code", "version", "token", "links"}, "what holds a token is small, and tells nothing else"
    assert (table["version"], answer["ETag"], answer["Location"]) == (4, '"4"', table["links"]["self"])
    state = stranger.get(table["links"]["self"]).json()["state"]
    assert state["totals"] == [15, 0, -2]
    assert [i["code"] for i in state["hands"][-1]["irregularities"]] == ["out-of-turn"]
    assert holder(table["token"]).post(table["links"]["events"], play(2, "XM")).status_code == 201


def test_a_text_record_inside_json_is_imported(stranger):
    assert stranger.get(imported({"text": TEXT}).url).json()["state"]["totals"] == [0, 0, 1]
    assert stranger.post(URL, {"text": 4}).json()["errors"][0]["pointer"] == "/text"
    assert stranger.post(URL, {"text": TEXT, "game": "x"}).status_code == 400


def test_a_csv_record_is_imported(stranger):
    table = imported(RECORD)
    cells = stranger.get(f"{table.url}record/", {"as": "csv"}).content
    assert record_of(imported(cells, content_type="text/csv; charset=utf-8")) == record_of(table)
    judged = stranger.post("/api/v1/referee/judge/", cells, content_type="text/csv").json()
    state = stranger.get(table.url).json()["state"]
    assert (judged["totals"], judged["rejected"]) == (state["totals"], None)
    wrong = stranger.post(URL, cells.replace(b"8MS", b"E9"), content_type="text/csv").json()
    assert (wrong["code"], wrong["errors"][0]["line"]) == ("not-in-deck", 6)


def test_a_full_log_is_imported(stranger, table, scorekeeper):
    events = f"{table.url}events/"
    scorekeeper.post(events, {"events": [play(0, "8MS"), play(1, "XS"), play(2, "XM")]})
    scorekeeper.post(f"{table.url}undo/")
    amended = {"seq": 1, "event": play(0, "9MS"), "reason": "a slip"}
    scorekeeper.post(f"{table.url}amendments/", amended)
    address = f"{table.url}record/?full=1"
    told = stranger.get(address)
    rows = told.json()["log"]
    assert [(row["seq"], row["amends"], row["amended_by"], row["reason"]) for row in rows] == [
        (1, None, 5, ""), (2, None, None, ""), (3, None, 4, ""), (4, 3, None, ""), (5, 1, None, "a slip"),
    ]  # fmt: skip
    assert {row["by"] for row in rows} == {"scorekeeper"}
    assert table.code not in told.content.decode()
    back = imported(told.content, content_type="application/json")
    assert stranger.get(f"{back.url}record/?full=1").content == told.content
    assert stranger.get(f"{address}&as=csv").json()["code"] == "bad-query"
    for broken in ({"log": rows[1:]}, {"log": [rows[0]] * 2}, {"id": "x"}, {"finished_at": "now"}):
        refused = stranger.post(URL, told.json() | broken)
        assert (refused.status_code, refused.json()["code"]) == (422, "bad-log"), broken
    rows[0]["colour"] = "red"
    for key, value in (("colour", "red"), ("people", []), ("log", rows)):
        refused = stranger.post(URL, told.json() | {key: value})
        assert (refused.status_code, refused.json()["code"]) == (400, "unknown-key"), key


def test_a_refused_full_log_names_the_entry_and_the_reason(stranger, table, scorekeeper):
    events = f"{table.url}events/"
    scorekeeper.post(events, {"events": [play(0, "8MS"), play(1, "XS"), play(2, "XM")]})
    log = stranger.get(f"{table.url}record/?full=1").json()
    log["log"][1]["event"]["cards"] = ["8MS"]
    answer = stranger.post(URL, log).json()
    assert (answer["code"], answer["errors"][0]["pointer"]) == ("already-played", "/log/1")
    assert answer["ruling"]["verdict"] == "impossible"
    log["log"][1]["event"] = {"type": "dance"}
    answer = stranger.post(URL, log).json()
    assert (answer["code"], answer["errors"][0]["pointer"]) == ("bad-log", "/log/1/type")
    assert "must be one of" in answer["detail"]
    del log["log"][2]["at"]
    answer = stranger.post(URL, log).json()
    assert (answer["code"], answer["errors"][0]["pointer"]) == ("bad-log", "/log/2")
    assert not Table.objects.exclude(code=table.code).exists()


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("text/plain", TEXT.replace("Ann", "Änn").encode("utf-16"), 201),
        ("text/plain; charset=windows-1252", TEXT.replace("Ann", "Änn").encode("cp1252"), 201),
        ("text/plain; charset=ISO-8859-1", TEXT.replace("Ann", "Änn").encode("latin-1"), 201),
        ("text/plain; charset=nope", TEXT.replace("Ann", "Änn").encode(), 201),
        ("text/plain; charset=idna", TEXT.encode(), 201),
        ("text/plain", TEXT.replace("\n", "\r").encode(), 201),
        ("text/plain", TEXT.replace("Ann", "Änn").encode("cp1252"), 400),
        ("text/csv", "Ä".encode("cp1252"), 400),
        ("text/plain; charset=utf-16-le", b"x", 400),
    ],
)
def test_a_text_is_read_in_the_encoding_named_by_the_request(stranger, kind, body, status):
    answer = stranger.post(URL, body, content_type=kind)
    assert answer.status_code == status, answer.json()
    if status == 400:
        assert (answer.json()["code"], answer.json()["title"]) == ("not-utf-8", "The text is not in UTF-8")


def test_a_column_added_by_the_user_is_left_out_and_reported(stranger):
    record = json.dumps(RECORD | {"hands": []}).replace('"', '""')
    cells = f'hand,event,type,seat,cards,other,Remark\n,,record,,,"{record}",\n1,1,play,0,8MS,,well done\n'
    answer = stranger.post(URL, cells, content_type="text/csv").json()
    assert (answer["version"], answer["columns_passed_over"]) == (1, ["Remark"])


def test_entered_hands_are_kept_and_judged_against(db):
    hands = [{"events": [play(0, "8MS")], "known": {"0": KNOWN}}]
    table = imported(ACE_TRUMP | {"hands": hands})
    assert record_of(table)["hands"] == hands
    table.undo()
    assert table.keeper.post(f"{table.url}events/", play(0, "9MS")).json()["code"] == "not-in-hand"


def test_entered_hands_survive_an_amendment_of_an_earlier_hand(db):
    hands = [{"events": [result(12, 0, 0)]}, {"events": [play(1, "8MS")], "known": {"1": KNOWN}}]
    table = imported(RECORD | {"hands": hands})
    amendments = f"{table.url}amendments/"
    assert table.keeper.post(amendments, {"seq": 1, "event": result(0, 12, 0)}).status_code == 201
    assert record_of(table)["hands"][1] == hands[1]
    assert table.keeper.post(amendments, {"seq": 2, "event": play(1, "9MS")}).json()["code"] == "not-in-hand"


def test_an_imported_empty_hand_is_dealt_and_running(stranger):
    table = imported(RECORD | {"hands": [HANDS[0], {"events": []}]})
    assert stranger.get(table.url).json()["state"]["hands"][-1]["phase"] == "play"
    assert record_of(table)["hands"][1] == {"events": []}
    table.undo()
    assert record_of(table)["hands"] == [{"events": HANDS[0]["events"][:1]}]


@pytest.mark.parametrize(
    ("events", "code", "verdict"),
    [
        ([play(1, "8MS"), play(2, "8MS")], "already-played", "impossible"),
        ([play(1, "8MS"), play(0, "XS")], "out-of-turn", "irregular"),
    ],
)
def test_a_refused_event_is_named_and_nothing_changes(stranger, events, code, verdict):
    answer = stranger.post(URL, RECORD | {"hands": [HANDS[0], {"events": events}]})
    assert answer.status_code == 422
    told = answer.json()
    assert (told["code"], told["hand"], told["event"]) == (code, 2, 1)
    assert told["errors"][0]["pointer"] == "/hands/1/events/1"
    assert told["ruling"]["verdict"] == verdict
    assert not Table.objects.exists()


def test_text_errors_name_line_and_column(stranger):
    answer = as_text(stranger, TEXT.replace("Cy XM", "Cy XS"))
    assert answer.status_code == 422
    told = answer.json()
    assert (told["code"], told["hand"], told["event"]) == ("already-played", 1, 2)
    assert [told["errors"][0][key] for key in ("pointer", "line", "column")] == ["", 6, 21]


def test_stated_scores_that_differ_are_named(stranger):
    hands = [HANDS[0] | {"x_scores": [12, 0, 1]}]
    answer = stranger.post(URL, RECORD | {"hands": hands, "x_totals": [15, 0, -1]})
    assert answer.status_code == 422
    assert [(e["pointer"], e["code"]) for e in answer.json()["errors"]] == [
        ("/hands/0/x_scores/2", "other-score"),
        ("/x_totals/2", "other-score"),
    ]
    assert not Table.objects.exists()


@pytest.mark.parametrize("stated", [None, 15, [15, 0], ["15", 0, -2], [15, False, -2], {"Ann": 15}])
def test_stated_scores_of_the_wrong_type_are_refused(stranger, stated):
    answer = stranger.post(URL, RECORD | {"hands": HANDS[:1], "x_totals": stated})
    assert answer.json()["code"] == "other-score"


def test_matching_stated_scores_are_not_stored(db):
    hands = [HANDS[0] | {"x_scores": [12, 0, 0]}]
    told = record_of(imported(RECORD | {"hands": hands, "x_totals": [15, 0, -2]}))
    assert "x_totals" not in told
    assert "x_scores" not in told["hands"][0]


def test_a_stated_score_sheet_that_differs_is_named(stranger):
    table = imported({"text": TEXT})
    text = stranger.get(f"{table.url}record/", {"as": "text", "annotate": "1"}).content.decode()
    answer = as_text(stranger, text.replace("Totals: Ann 0", "Totals: Ann 9"))
    assert answer.status_code == 422
    line = text.split("\n").index("Totals: Ann 0, Bob 0, Cy 1") + 1
    assert [answer.json()["errors"][0][key] for key in ("line", "column")] == [line, 1]


@pytest.mark.parametrize(
    ("body", "status", "where"),
    [
        (b"Game: no-such-game\nSeats: Ann, Bob\nFirst dealer: Ann", 422, (1, 7)),
        (b"Game: ace-trump\nSeats: Ann, Bob\nFirst dealer: Zoe", 400, (3, 15)),
        (b"\n", 400, (2, 1)),
        (b"Game: ace-trump\nSeats: Ann\x00, Bob", 400, (2, 1)),
        (b"Game: \xff", 400, (None, None)),
    ],
)
def test_text_that_is_not_a_record_is_refused(stranger, body, status, where):
    answer = as_text(stranger, body)
    assert answer.status_code == status
    wrong = answer.json()["errors"][0]
    assert (wrong["pointer"], wrong.get("line"), wrong.get("column")) == ("", *where)


@pytest.mark.parametrize(
    ("wrong", "status", "pointer"),
    [
        ({"game": "no-such-game"}, 422, "/game"),
        ({"colour": "red"}, 400, "/colour"),
        ({"hands": [{"events": [{"type": "play", "seat": 0}]}]}, 400, "/hands/0/events/0/cards"),
        ({"hands": [{"known": {"0": ["8MS"]}}]}, 422, "/hands/0/known/0"),
        ({"hands": [{"known": {"0": ["ZZ"]}}]}, 422, "/hands/0/known/0/0"),
        ({"hands": [{}, {}]}, 422, "/hands/1"),
    ],
)
def test_an_impossible_record_is_refused(stranger, wrong, status, pointer):
    answer = stranger.post(URL, RECORD | wrong)
    assert answer.status_code == status
    assert answer.json()["errors"][0]["pointer"] == pointer
    assert not Table.objects.exists()


def test_other_import_formats_are_refused(stranger):
    assert stranger.post(URL, "<a/>", content_type="text/xml").status_code == 415
    assert stranger.post(URL, "[]", content_type="application/json").status_code == 400
