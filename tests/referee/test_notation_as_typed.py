"""Text as people type it and programs save it: what is understood, and where errors are reported."""

import csv
import re
import time
import timeit
from io import StringIO

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.engine.records import dump_record, load_record
from referee.engine.replaying import MOST_EVENTS
from referee.engine.rules import Refused
from referee.notation import (
    SHEET_HEADING,
    check_sheet,
    for_people,
    read_cells,
    read_placed,
    read_text,
    write_cells,
    write_csv,
    write_sheet,
    write_text,
)
from referee.notation.cells import bare, cell
from referee.notation.words import read_file
from tests.referee.telling import plays, told

# --- The notation as people type it on any keyboard, and as programs save and change it


@pytest.mark.parametrize("game", ["Oh Hell", "OH-HELL", "oh  hell", '"Oh Hell"', "ＯＨ－ＨＥＬＬ", "oh_hell"])
def test_a_game_is_recognized_by_its_common_names(game):
    assert read_text(f"Game: {game}\nSeats: Ann, Bob, Cy\nFirst dealer: Ann\n").rules.game.id == "oh-hell"


def test_full_width_punctuation_is_accepted():
    text = """Game：Ace Trump
Option：ties ＝ early
End：hands ４
Seats：Ann，Bob、"Cy，jr"
First dealer：＠２
Carried：Ann １，Bob ２
＝＝ Hand 1 ＝＝
１．Ann 8MS，Bob XS ！，"Cy，jr"：XM
Note：so：it，was
"""
    record = read_text(text)
    assert record.seats == ("Ann", "Bob", "Cy，jr")
    assert (record.first_dealer, record.carried, record.rules.end.value) == (2, (1, 2, 0), 4)
    events = dump_record(record)["hands"][0]["events"]
    assert [each.get("cards") for each in events] == [["8MS"], ["XS"], ["XM"], None]
    assert events[1]["accepted"]
    assert events[3]["text"] == "so：it，was"
    assert dump_record(read_text(write_text(record))) == dump_record(record)


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_any_line_ending_is_accepted(ends):
    record = read_text("Game: ace-trump\nSeats: Ann, Bob, Cy\nFirst dealer: Cy\n== Hand 1 ==\nNote: tea\n1. Ann 8MS\n")
    text = write_text(record) + f"\n{SHEET_HEADING}\n{write_sheet(record)}"
    other = text.replace("\n", ends)
    assert dump_record(read_text(other)) == dump_record(record)
    check_sheet(other, record)
    with pytest.raises(Refused, match="line 12"):
        check_sheet(other.replace("2 cards", "3 cards").replace("12 cards", "13 cards"), record)
    cells = write_cells(dump_record(record)).replace("\r\n", ends)
    assert dump_record(read_cells(cells).record) == dump_record(record)


def test_a_column_added_by_the_user_is_left_out_and_reported():
    data = told(plays("0:8MS 1:XS"))
    rows = list(csv.reader(StringIO(write_cells(data), newline="")))
    added = [["Remark", "", "seat"], ["", "", ""], ["nice!", "=SUM(A1)", "7"], ["", "", ""]]
    text = write_csv([*([*row, *more] for row, more in zip(rows, added, strict=True)), [""] * len(rows[0]) + ["sum"]])
    reading = read_cells(text)
    assert dump_record(reading.record) == dump_record(load_record(data))
    assert reading.passed_over == ("Remark", f"#{len(rows[0]) + 2}", "seat")


@pytest.mark.parametrize("decimal", [".", ","])
def test_an_excel_round_trip_preserves_the_record(decimal):
    data = told([*plays("0:8MS"), {"type": "note", "text": "Müller,=1+1;-2"}], carried=[0, -3, 2])
    text = write_cells(data, for_people(decimal))
    assert text[0] == "\ufeff"
    assert dump_record(read_cells(text).record) == dump_record(load_record(data))
    assert dump_record(read_cells(read_file(text.encode("utf-16"))).record) == dump_record(load_record(data))
    assert dump_record(read_cells(read_file(text[1:].encode("cp1252"))).record) == dump_record(load_record(data))


@given(st.text(st.sampled_from("'\t\r\n ;,\"=+-@a＝"), max_size=8), st.sampled_from([".", ","]))
def test_no_text_becomes_a_formula_in_any_cell(text, decimal):
    dialect = for_people(decimal)
    written = cell(text, dialect)
    assert bare(written, dialect.separator) == text
    parts = re.split(r'[;\t\r\n,][\s"]*' if decimal == "," else r'[;\t\r\n][\s"]*', written)
    assert not any(part.lstrip().startswith(tuple("=+-@＝")) for part in parts)


@given(st.floats(-(10**6), 10**6) | st.integers(-(10**9), 10**9), st.sampled_from([".", ","]))
def test_numbers_stay_numbers(number, decimal):
    written = cell(number, for_people(decimal))
    assert float(written.replace(decimal, ".")) == pytest.approx(number, abs=0.0001)
    assert "'" not in written


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("Müller".encode(), "Müller"),
        ("\ufeffMüller".encode(), "Müller"),
        ("\ufeffMüller".encode("utf-16-le"), "Müller"),
        ("\ufeffMüller".encode("utf-16-be"), "Müller"),
        ("Müller".encode("utf-16-le"), "Müller"),
        ("Müller".encode("utf-16-be"), "Müller"),
        ("Müller’s – Œuvre".encode("cp1252"), "Müller’s – Œuvre"),
        (b"", ""),
    ],
)
def test_a_file_is_read_in_any_encoding_programs_save(body, text):
    assert read_file(body) == text


@pytest.mark.parametrize(
    "body", ["Łódź".encode("cp1250"), "Müller".encode("cp850"), b"\x89PNG\r\n\x1a\n", b"\xff\xfea"]
)
def test_an_unreadable_file_is_refused_with_how_to_save_it(body):
    with pytest.raises(Refused) as refused:
        read_file(body)
    assert refused.value.problems[0].code == "not-utf-8"
    assert "CSV UTF-8" in refused.value.problems[0].detail


# --- Errors in a text are reported with their place, and no text causes a crash

HEAD = "Game: ace-trump\nSeats: Ann, Bob, Cy\nFirst dealer: Cy\n"


@pytest.mark.parametrize(
    ("text", "where", "said"),
    [
        ("", "line 1, column 1", "no line such as “Game: ace-trump”"),
        ("Game: ace-trump\nSeats: Ann, Bob\n", "line 3, column 1", "no line such as “First dealer: Ann”"),
        ("Game: no-such-game\nSeats: Ann, Bob\nFirst dealer: Ann", "line 1, column 7", "The games are"),
        ("Colour: red", "line 1, column 1", "must begin with one of: Format:, Game:"),
        ("First dealer: Ann", "line 1, column 15", "Name the players before"),
        ("Seats: Ann, Bob\nFirst dealer: Dot", "line 2, column 15", "A player expected: Ann, Bob"),
        (HEAD + "Option: ties = never", "line 4, column 9", "symbol, early, late"),
        (HEAD + "Option: ties", "line 4, column 9", "key = value"),
        (HEAD + "Option: no_such = true", "line 4, column 9", "no_such"),
        (HEAD + "End: some day", "line 4, column 6", "hands 4"),
        (HEAD + "End: hands", "line 4, column 6", "whole number"),
        (HEAD + "== Deal 1 ==", "line 4, column 1", "== Hand 1 =="),
        (HEAD + "== Hand 1 ==\n1. Ann 8MS, Dot XS", "line 5, column 13", "A player expected"),
        (HEAD + "== Hand 1 ==\n  1. Ann 8MS, Bob", "line 5, column 18", "A card expected"),
        (HEAD + "== Hand 1 ==\n1. Ann 8MS ! Bob XS", "line 5, column 14", "A comma"),
        (HEAD + '== Hand 1 ==\nPenalty: Ann -5 "talk', "line 5, column 17", "not closed"),
        (HEAD + "== Hand 1 ==\nPenalty: Ann five", "line 5, column 14", "A whole number expected. Found: “five”"),
        (HEAD + "== Hand 1 ==\nBids: Ann 3\nHm.", "line 6, column 1", "a trick number"),
        (HEAD + '== Hand 1 ==\nEvent: {"type": "dance"}', "line 5, column 8", "must be one of"),
        (HEAD + '== Hand 1 ==\nx_a: {"b": 1, "b": 2}', "line 5, column 6", "twice"),
        (HEAD + "x_a: NaN", "line 4, column 6", "NaN"),
        (HEAD + "x_a: " + "[" * 100_000, "line 4, column 6", "nest"),
        (HEAD + "x_a: " + "9" * 10_000, "line 4, column 6", "not a JSON value"),
        (HEAD + '== Hand 1 ==\nNote: "\\ud800"', "line 5, column 7", "can’t be stored"),
        (HEAD + "== Hand 1 ==\nNote: a\0b", "line 5, column 1", "can’t be stored"),
        (HEAD + '== Hand 1 ==\n1. Ann 8MS {"y": 1}', "line 5, column 12", "start with x_"),
        (HEAD + "== Hand 1 ==\nResult: tricks Ann 3, Ann 4", "line 5, column 23", "already has a number"),
        (HEAD + "== Hand 1 ==\nResult: tricks Ann 3, Bob 4", "line 5, column 28", "Every player"),
    ],
)  # fmt: skip
def test_errors_are_named_with_a_pointer(text, where, said):
    with pytest.raises(Refused) as refused:
        read_text(text)
    problem = refused.value.problems[0]
    assert problem.pointer == where
    assert said in problem.detail


def test_all_mistakes_are_reported_at_once_with_their_places():
    reading = read_placed(HEAD + "== Hand 1 ==\n\n1. Ann 8MS, Bob XS\nNote: tea")
    assert reading.where("/hands/0/events/1/cards/0") == "line 6, column 13"
    assert reading.where("/hands/0/events/2") == "line 7, column 7"
    assert reading.where("/seats/1") == "line 2, column 13"
    with pytest.raises(Refused) as refused:
        read_text(HEAD + "== Hand 1 ==\n1. Dot 8MS\n2. Ann 8MS,\nBids: Ann x" + "\nwhat" * 50)
    problems = refused.value.problems
    assert [p.pointer for p in problems[:3]] == ["line 5, column 4", "line 6, column 12", "line 7, column 11"]
    assert len(problems) == 20
    with pytest.raises(Refused) as refused:
        read_text(HEAD + "== Hand 1 ==\n" + "Note: x\n" * (MOST_EVENTS + 5))
    assert refused.value.problems[0].code == "too-many-events"
    assert refused.value.problems[0].pointer == f"line {MOST_EVENTS + 5}, column 7"


def answered(text: str) -> None:
    """Read a text: it is a record, or refused with the position of the error."""
    try:
        read_text(text)
    except Refused as refused:
        strange = [p for p in refused.problems if not re.fullmatch(r"line \d+, column \d+", p.pointer)]
        if strange:
            pytest.fail(f"no place: {strange}")


PIECES = st.sampled_from(
    ["Ann", "Bob", "8MS", "won", "by", "trump", "none", "points", "last", "tricks", "cards", "left", "gives", "gets"]
    + list(',;!():"{}@-3') + ["@9", '"a"', '{"x_a": 1}', "nobody", "constipated", "passes", "x_k"]
)  # fmt: skip
STARTS = st.sampled_from(
    ["1.", "Trick:", "Bids:", "Ransom:", "Ruling cards:", "Trump:", "Suits:", "Drop a deuce:", "Result:", "Note:"]
    + ["Remark:", "Penalty:", "Transfer:", "Redeal", "Table ends:", "Known:", "Event:", "x_a:", '"x_b":', "=="]
    + ["Seats:", "Option:", "End:", "Carried:", "First dealer:", "Format:"]
)  # fmt: skip
LINES = st.builds(lambda start, pieces: " ".join([start, *pieces]), STARTS, st.lists(PIECES, max_size=8))


@given(st.text(max_size=300))
@example("\n==")
@example('"')
def test_random_text_never_crashes(text):
    answered(text)
    answered(HEAD + "== Hand 1 ==\n" + text)


@given(st.lists(LINES, max_size=6), st.booleans())
@settings(max_examples=300)
def test_random_lines_never_crash(lines, in_hand):
    answered(HEAD + ("== Hand 1 ==\n" if in_hand else "") + "\n".join(lines))


@pytest.mark.parametrize(
    "piece",
    ["1. Ann 8MS", ",", "(", " ", '"', '"\\', "{", "@", ";", "won by Ann ", "\n", "# ", "a:", "Ann, ", "[", "-", "1"],
)
def test_reading_time_is_linear(piece):
    """Ten times the text takes about ten times as long; a backtracking reader would take a hundred times."""
    for head in ("", HEAD + "== Hand 1 ==\n", HEAD + "== Hand 1 ==\n1. ", HEAD + "x_a: ", "Seats: "):
        long, short = head + piece * 100_000, head + piece * 10_000
        assert any(seconds(long) < 40 * seconds(short) + 0.05 for _ in range(3))


def seconds(text: str) -> float:
    return timeit.timeit(lambda: answered(text), number=1, timer=time.process_time)
