"""The notation as people type it on any keyboard, and as their programs save and change it."""

import csv
import re
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine.options import Refused
from referee.engine.records import dump_record, load_record
from referee.notation import (
    SHEET_HEADING,
    check_sheet,
    for_people,
    read_cells,
    read_text,
    write_cells,
    write_csv,
    write_sheet,
    write_text,
)
from referee.notation.cells import bare, cell
from referee.notation.encodings import read_file
from tests.referee.test_notation import PLAY, record_of


@pytest.mark.parametrize("game", ["Oh Hell", "OH-HELL", "oh  hell", '"Oh Hell"', "ＯＨ－ＨＥＬＬ", "oh_hell"])
def test_a_game_is_named_as_people_name_it(game):
    assert read_text(f"Game: {game}\nSeats: Ann, Bob, Cy\nFirst dealer: Ann\n").rules.game.id == "oh-hell"


def test_the_marks_of_east_asian_keyboards_are_read_as_plain_ones():
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
def test_lines_end_as_any_system_ends_them(ends):
    record = read_text("Game: ace-trump\nSeats: Ann, Bob, Cy\nFirst dealer: Cy\n== Hand 1 ==\nNote: tea\n1. Ann 8MS\n")
    text = write_text(record) + f"\n{SHEET_HEADING}\n{write_sheet(record)}"
    other = text.replace("\n", ends)
    assert dump_record(read_text(other)) == dump_record(record)
    check_sheet(other, record)
    with pytest.raises(Refused, match="line 12"):
        check_sheet(other.replace("2 cards", "3 cards").replace("12 cards", "13 cards"), record)
    cells = write_cells(dump_record(record)).replace("\r\n", ends)
    assert dump_record(read_cells(cells).record) == dump_record(record)


def test_columns_that_somebody_added_are_passed_over_and_named():
    data = record_of(hands=[{"events": [PLAY, PLAY | {"seat": 1, "cards": ["XS"]}]}])
    rows = list(csv.reader(StringIO(write_cells(data), newline="")))
    added = [["Remark", "", "seat"], ["", "", ""], ["nice!", "=SUM(A1)", "7"], ["", "", ""]]
    text = write_csv([*([*row, *more] for row, more in zip(rows, added, strict=True)), [""] * len(rows[0]) + ["sum"]])
    reading = read_cells(text)
    assert dump_record(reading.record) == dump_record(load_record(data))
    assert reading.passed_over == ("Remark", f"#{len(rows[0]) + 2}", "seat")


@pytest.mark.parametrize("decimal", [".", ","])
def test_what_excel_opens_comes_back(decimal):
    data = record_of(hands=[{"events": [PLAY, {"type": "note", "text": "Müller,=1+1;-2"}]}], carried=[0, -3, 2])
    text = write_cells(data, for_people(decimal))
    assert text[0] == "\ufeff"
    assert dump_record(read_cells(text).record) == dump_record(load_record(data))
    assert dump_record(read_cells(read_file(text.encode("utf-16"))).record) == dump_record(load_record(data))
    assert dump_record(read_cells(read_file(text[1:].encode("cp1252"))).record) == dump_record(load_record(data))


@given(st.text(st.sampled_from("'\t\r\n ;,\"=+-@a＝"), max_size=8), st.sampled_from([".", ","]))
def test_no_text_is_a_formula_wherever_a_cell_may_begin(text, decimal):
    dialect = for_people(decimal)
    written = cell(text, dialect)
    assert bare(written, dialect.separator) == text
    parts = re.split(r'[;\t\r\n,][\s"]*' if decimal == "," else r'[;\t\r\n][\s"]*', written)
    assert not any(part.lstrip().startswith(tuple("=+-@＝")) for part in parts)


@given(st.floats(-(10**6), 10**6) | st.integers(-(10**9), 10**9), st.sampled_from([".", ","]))
def test_a_number_is_never_kept_from_being_a_number(number, decimal):
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
def test_a_file_is_read_in_the_encoding_in_which_programs_save_it(body, text):
    assert read_file(body) == text


@pytest.mark.parametrize(
    "body", ["Łódź".encode("cp1250"), "Müller".encode("cp850"), b"\x89PNG\r\n\x1a\n", b"\xff\xfea"]
)
def test_a_file_that_cannot_be_read_says_how_to_save_it(body):
    with pytest.raises(Refused) as refused:
        read_file(body)
    assert refused.value.problems[0].code == "not-utf-8"
    assert "CSV UTF-8" in refused.value.problems[0].detail
