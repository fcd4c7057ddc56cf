"""GET tables/{code}/record/"""

import csv
import json
import re
from io import StringIO

import pytest

from referee.notation.cells import cell
from tests.scoring.conftest import open_table, play

FORMULAS = ("=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", '=HYPERLINK("http://x","y")')
FULL_WIDTH = ("＝1+1", "＋1", "－1+1", "＠SUM(A1)")
ELSEWHERE = (
    "a;=1+1;b",
    "a; =1+1",
    "a\t+1",
    'a;"=1+1"',
    'a, b;"@SUM(A1)',
    "a\n-1",
    'a"\r\n=1',
    "a;;＝1",
    ";=1;",
    "a; \t -1",
)


@pytest.fixture
def url(table):
    table.record(play(0, "8MS"), play(1, "XS"), play(2, "XM"))
    return f"/api/v1/tables/{table.code}/record/"


def rows(answer):
    return list(csv.reader(StringIO(answer.content.decode(), newline="")))


def test_it_works(stranger, table):
    result = {"type": "result", "tricks": [12, 0, 0]}
    table.record(play(0, "8MS"), play(1, "XS"))
    table.undo()
    table.record({"type": "redeal"}, result, play(1, "9MS"))
    told = stranger.get(f"/api/v1/tables/{table.code}/record/").json()
    assert told["format"] == "table-record/1"
    assert told["first_dealer"] == 2
    assert told["hands"] == [
        {"events": [play(0, "8MS"), {"type": "redeal"}]},
        {"events": [result]},
        {"events": [play(1, "9MS")]},
    ]


def test_the_stateless_referee_says_the_same_of_it(stranger, table):
    table.record(play(0, "8MS"), play(1, "AW"), play(2, "XM"), play(1, "9MS"))
    told = stranger.get(f"/api/v1/tables/{table.code}/record/").json()
    judged = stranger.post("/api/v1/referee/judge/", told, format="json").json()
    state = stranger.get(f"/api/v1/tables/{table.code}/").json()["state"]
    assert [found["seq"] for found in state["hands"][0]["irregularities"]] == [2]
    for found in state["hands"][0]["irregularities"]:
        for of_the_log in ("seq", "proved_by_seq", "settled", "accepted"):  # a record knows no log
            del found[of_the_log]
    assert judged == state


def test_what_was_amended_or_taken_back_is_not_in_it(scorekeeper, url, table):
    table.record(play(2, "9MS"))
    table.undo()
    scorekeeper.post(f"/api/v1/tables/{table.code}/amendments/", {"seq": 1, "event": play(0, "9MS")}, format="json")
    events = scorekeeper.get(url).json()["hands"][0]["events"]
    assert [event["cards"] for event in events] == [["9MS"], ["XS"], ["XM"]]


def test_as_text(stranger, url):
    answer = stranger.get(url, {"as": "text"})
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert "1. Ann 8MS, Bob XS, Cy XM\n" in answer.content.decode()
    assert "#" not in answer.content.decode()


def test_as_text_with_comments_and_the_score_sheet(stranger, url):
    text = stranger.get(url, {"as": "text", "annotate": "1"}).content.decode()
    assert "# Cy wins the trick." in text
    assert "== Score sheet ==" in text
    assert "Totals: Ann 0, Bob 0, Cy 1" in text


def test_json_can_state_the_scores(stranger, url):
    told = stranger.get(url, {"annotate": "1"}).json()
    assert told["hands"][0]["x_scores"] == [0, 0, 1]
    assert told["x_totals"] == [0, 0, 1]


def test_events_as_csv(stranger, url):
    answer = stranger.get(url, {"as": "csv"})
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    head, table, *told = rows(answer)
    assert (table[2], json.loads(table[-1])["seats"]) == ("record", ["Ann", "Bob", "Cy"])
    assert [dict(zip(head, row, strict=True))["cards"] for row in told] == ["8MS", "XS", "XM"]
    assert [dict(zip(head, row, strict=True))["player"] for row in told] == ["Ann", "Bob", "Cy"]


def test_the_score_sheet_as_csv(stranger, url, table):
    table.record({"type": "penalty", "seat": 1, "points": -5})
    assert rows(stranger.get(url, {"as": "csv", "part": "scores"})) == [
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
def test_what_the_caller_accepts_is_sent(stranger, url, accept, kind):
    assert stranger.get(url, HTTP_ACCEPT=accept)["Content-Type"] == kind


def test_what_nobody_can_send_is_not_acceptable(stranger, url):
    answer = stranger.get(url, HTTP_ACCEPT="image/png")
    assert answer.status_code == 406
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("query", [{"as": "xml"}, {"annotate": "yes"}, {"part": "all"}])
def test_an_unknown_choice_is_malformed(stranger, url, query):
    assert stranger.get(url, query).status_code == 400


def test_a_wrong_code_is_not_found_in_any_format(stranger):
    answer = stranger.get("/api/v1/tables/ZZZZZZZZ/record/", {"as": "csv"})
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"


def test_the_json_is_canonical(stranger, url):
    told = stranger.get(url)
    assert told.content.decode() == json.dumps(told.json(), ensure_ascii=False, separators=(",", ":"))


def names_of(formula):
    """Names that begin like a formula; line breaks and tabs stand in remarks alone."""
    name = re.sub(r"[\x00-\x1f]", "", formula)
    return [f"{name}{n}" for n in range(3)]


@pytest.mark.parametrize("formula", FORMULAS + FULL_WIDTH)
def test_no_cell_can_be_taken_for_a_formula(stranger, db, formula):
    table = open_table(seats=names_of(formula))
    table.record({"type": "note", "text": formula}, {"type": "penalty", "seat": 0, "points": -3, "reason": formula})
    table.record({"type": "note", "text": "x", f"x_{formula}": formula})
    url = f"/api/v1/tables/{table.code}/record/"
    for part in ("events", "scores"):
        found = rows(stranger.get(url, {"as": "csv", "part": part}))
        assert not [text for row in found for text in row if text[:1] in tuple("=+-@＝＋－＠\t\r\n")]
        assert not [text for row in found for text in row if text.lstrip()[:1] in tuple("=+@＝＋－＠")]


@pytest.mark.parametrize("separator", [";", "\t"])
@pytest.mark.parametrize("formula", ELSEWHERE + FULL_WIDTH)
def test_nor_where_cells_are_parted_otherwise(stranger, db, formula, separator):
    """A German spreadsheet takes a semicolon for the end of a cell."""
    table = open_table(seats=names_of(formula))
    table.record({"type": "note", "text": formula, "x_note": formula}, {"type": "note", "text": f"x, {formula}"})
    url = f"/api/v1/tables/{table.code}/record/"
    for part in ("events", "scores"):
        text = stranger.get(url, {"as": "csv", "part": part}).content.decode()
        found = csv.reader(StringIO(text, newline=""), delimiter=separator)
        assert not [shown for row in found for shown in row if shown.lstrip(' "\t\r\n')[:1] in tuple("=+-@＝＋－＠")]


def test_a_negative_number_stays_a_number():
    assert int(cell(-3)) == -3
    assert cell("-3") == "'-3"
