"""The notation: what is written is read back unchanged, and what people type and programs save is understood."""

import csv
import random
import re
import time
import timeit
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.engine.game import all_games, with_game
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
    split_sheet,
    write_cells,
    write_csv,
    write_sheet,
    write_text,
)
from referee.notation.cells import bare, cell
from referee.notation.words import read_file
from tests.games.discovery import RANDOM
from tests.referee.telling import NOTE, known, plays, told, trick
from tests.seeds import as_often_as, sampled
from tests.toy import TEN_CARDS


def comes_back(data: dict) -> str:
    """Assert that a record round-trips with and without comments; return the text."""
    record = load_record(data)
    text = write_text(record)
    assert dump_record(read_text(text)) == dump_record(record)
    assert write_text(read_text(text)) == text
    annotated = write_text(record, annotate=True)
    assert dump_record(read_text(annotated)) == dump_record(record)
    assert dump_record(read_cells(write_cells(dump_record(record))).record) == dump_record(record)
    stripped = [line for line in annotated.splitlines() if not line.startswith("#")]
    assert stripped == text.splitlines()
    return text


@pytest.mark.parametrize("game", RANDOM)
@given(seed=st.integers(0, 10**9))
@settings(max_examples=as_often_as(always=15, quick=5), deadline=None)
def test_a_written_record_is_read_back_unchanged(game, seed):
    data = RANDOM[game](random.Random(seed))
    try:
        load_record(data)
    except Refused:
        return  # some records are refused as a whole
    comes_back(data)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda rows: rows[:1], 1),  # no table
        (lambda rows: ["a,b", *rows[1:]], 1),  # no columns
        (lambda rows: [*rows[:2], rows[1], *rows[2:]], 3),  # two tables
        (lambda rows: [*rows[:2], rows[2].replace("1,", "3,", 1)], 3),  # a hand out of sequence
        (lambda rows: [*rows[:2], rows[2].replace("play", "plop")], 3),
        (lambda rows: [*rows[:3], rows[3].replace(",0,", ",x,", 1)], 4),
        (lambda rows: [rows[0], rows[1].replace("{", "["), *rows[2:]], 2),
        (lambda rows: [*rows[:2], rows[2] + "\0"], 3),
    ],
)
def test_an_invalid_spreadsheet_is_refused_with_the_line(change, line):
    rows = write_cells(told([PLAY, PLAY])).splitlines()
    with pytest.raises(Refused) as why:
        read_cells("\r\n".join(change(rows)))
    assert why.value.problems[0].pointer.startswith(f"line {line},")


PLAY = {"type": "play", "seat": 0, "cards": ["8MS"]}


def test_a_spreadsheet_may_use_other_separators_capitals_and_player_names():
    text = write_cells(told([PLAY | {"accepted": True}]))
    rows = list(csv.reader(StringIO(text, newline="")))
    rows[2][3], rows[2][-2] = "", "TRUE"
    kept = StringIO()
    csv.writer(kept, delimiter=";").writerows(rows)
    read = read_cells(f"\ufeff{kept.getvalue()}").record
    assert dump_record(read)["hands"][0]["events"] == [PLAY | {"accepted": True}]


CARDS = st.sampled_from(["8MS", "diplomat", "XM", "?", "-", "9SK", "", "passes", "won", "!", "a b", "none", '"', "{"])
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30) | CARDS
SEATS = st.integers(-2, 9) | st.just(10**9)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
EXTRA = st.dictionaries(TEXTS.map("x_{}".format), JSON, max_size=2)
NUMBERS = st.lists(st.integers(-(10**9), 10**9), max_size=4)


def event(kind: str, optional: dict[str, Any] | None = None, **fields: Any) -> st.SearchStrategy[dict]:
    """Events of one kind with these fields, with or without the optional ones."""
    may = {**(optional or {}), "accepted": st.booleans()}
    known = st.fixed_dictionaries({"type": st.just(kind), **fields}, optional=may)
    return st.builds(lambda given, extra: {**given, **extra}, known, EXTRA | st.just({}))


HANDS = st.lists(CARDS | TEXTS, max_size=3)
REASON = {"reason": TEXTS}
EVENTS = st.one_of(
    event("play", {"suit": TEXTS}, seat=SEATS, cards=HANDS),
    event("bid", seat=SEATS, tricks=st.integers(-9, 99)),
    event("ransom", seat=SEATS, cards=HANDS),
    event("trump", seat=SEATS, suit=TEXTS),
    event("ruling-card", seat=SEATS, cards=HANDS),
    event("suit", seat=SEATS, suit=TEXTS),
    event("drop-deuce", {"given": CARDS | TEXTS, "returned": TEXTS, "constipated": st.booleans()}, king=SEATS),
    event("drop-deuce", king=st.none()),
    event("pass", seat=SEATS),
    event(
        "trick",
        {
            "trump": st.none() | TEXTS,
            "last": CARDS,
            "points": st.dictionaries(TEXTS | st.just("1"), st.integers(-9, 99), max_size=2),
        },
        winner=SEATS,
    ),
    event("result", {"tricks": NUMBERS, "cards_left": NUMBERS, "points": NUMBERS, "last": TEXTS}),
    event("note", {"seat": SEATS}, text=TEXTS),
    event("penalty", REASON, seat=SEATS, points=st.integers(-50, 50)),
    event("transfer", REASON, from_seat=SEATS, to_seat=SEATS, tricks=st.integers(-3, 9)),
    event("redeal", REASON),
    event("end", REASON),
)
NAMES = (TEXTS | st.sampled_from(["Ann", "ann", "won", "Anna Maria", "O, Neil", "@1", "3", "nobody"])).filter(str.strip)


@given(
    seats=st.lists(NAMES, min_size=2, max_size=6),
    hands=st.lists(
        st.builds(
            lambda events, known, extra: {"events": events, "known": known, **extra},
            st.lists(EVENTS, max_size=5),
            st.dictionaries(st.sampled_from("0123456"), HANDS, max_size=2),
            EXTRA,
        ),
        max_size=3,
    ),
    carried=st.integers(-5, 5),
    extra=EXTRA,
)
@settings(max_examples=as_often_as(always=200, quick=60), deadline=None)
def test_every_record_round_trips(seats, hands, carried, extra):
    carries = [carried + 3 * seat for seat in range(len(seats))]
    try:
        data = told(*hands, seats=seats, first_dealer=0, carried=carries, **extra)
        load_record(data)
    except Refused:
        return  # a text of 2,000 characters and the like
    comes_back(data)


@pytest.mark.parametrize("end", [{"kind": "open"}, {"kind": "score", "value": 7}, {"kind": "time", "value": 90}])
def test_every_end_round_trips(end):
    comes_back(told(end=end))


EVERY_OPTION = [
    pytest.param(game, option, id=f"{game.id}-{option.key}") for game in all_games() for option in game.all_options()
]


@pytest.mark.parametrize(("game", "option"), EVERY_OPTION)
def test_every_value_of_an_option_round_trips(game, option):
    for value in option.values or (option.span or (0, 0)):
        for players in game.players:
            data = told(game=game.id, players=players, options={option.key: value})
            try:
                load_record(data)
            except Refused:
                continue  # only some numbers of players can choose it
            comes_back(data)


PLAYED = told([*plays("0:8MS 1:XS 2:XM 1:AY"), NOTE, *plays("0:9MS!")], options={"ties": "early"})


def test_a_trick_is_written_on_one_line():
    assert comes_back(PLAYED).splitlines() == [
        "Format: table-record/1",
        "Game: ace-trump",
        "Option: ties = early",
        "End: open",
        "Seats: Ann, Bob, Cy",
        "First dealer: Cy",
        "",
        "== Hand 1, Cy deals ==",
        "1. Ann 8MS, Bob XS, Cy XM",
        "2. Bob AY",
        "Note: tea",
        "2. Ann 9MS !",
    ]


@pytest.mark.parametrize(
    "names",
    [
        ["Pass", "Trick", "Result"], ["Jack", "JH", "7"], ["Bids", "Note", "Hand 2"], ["won", "tricks", "?"],
        ["1.", "== Hand 2 ==", "last"], ["Penalty", "Ann 3", "Ann"], ["trump", "suit", "S"], ["Deuce", "nobody", "to"],
    ],
)  # fmt: skip
def test_names_that_are_notation_keywords_round_trip(names):
    for seed in range(as_often_as(always=3, quick=1)):
        for game in sampled([*RANDOM]):
            data = RANDOM[game](random.Random(seed))
            count = len(data["seats"])
            data["seats"] = [*names, "Dee", "Eve", "Fay", "Gus", "Hal"][:count]
            comes_back(data)


def test_the_referees_comments_are_written_on_request():
    said = [line for line in write_text(load_record(PLAYED), annotate=True).splitlines() if line[:1] == "#"]
    assert said[0].startswith("# Bob wins the trick.")
    assert said[1].startswith("# Irregular, out-of-turn: Ann")


def test_unjudged_events_are_written_too():
    text = comes_back(told([PLAY, PLAY, PLAY]))
    assert text.splitlines()[-3:] == ["1. Ann 8MS", "Trick: Ann 8MS", "Trick: Ann 8MS"]
    text = comes_back(told(known([PLAY], s0="8MS 8MS")))
    assert text.splitlines()[-2:] == ["Known: Ann 8MS 8MS", "Trick: Ann 8MS"]


def test_loose_spelling_is_accepted():
    text = """\ufeffgame:ace-trump
      seats:  Ann ,Bob,  "Cy"
      FIRST DEALER: cy
      # a remark without a player
      == HAND one ==
      1. ann: diplomat, BOB "the Bard", Cy 8 !\r
      17.won by @1 trump none
      penalty: bob −3 "late"
      == score sheet ==
      anything"""
    events = dump_record(read_text(text))["hands"][0]["events"]
    penalty = {"type": "penalty", "seat": 1, "points": -3, "reason": "late"}
    assert events == [*plays("0:8MS 1:XS 2:8!"), trick(1, trump=None), penalty]


def test_every_game_writes_its_tricks_as_lines():
    data = told(plays("0:3B 1:5B 1:1B 0:2B"), game=TEN_CARDS.id, players=2)
    with with_game(TEN_CARDS):
        assert comes_back(data).splitlines()[-2:] == ["1. Ann 3B, Bob 5B", "2. Bob 1B, Ann 2B"]
        assert "  1. Bob wins with 5B, trump R: highest-follower (TOY-3)" in write_sheet(load_record(data)).splitlines()


def test_a_stated_score_sheet_is_compared():
    record = load_record(PLAYED)
    text = write_text(record) + "\n== Score sheet ==\n" + write_sheet(record)
    check_sheet(text, record)
    check_sheet(write_text(record), record)
    assert split_sheet(text)[1] == write_sheet(record)
    with pytest.raises(Refused) as refused:
        check_sheet(text.replace("Totals: Ann 0", "Totals: Ann 1"), record)
    assert refused.value.problems[0].pointer == f"line {text[: text.index('Totals')].count(chr(10)) + 1}, column 1"
    assert "Totals: Ann 0" in refused.value.problems[0].detail
    with pytest.raises(Refused):
        check_sheet(text + "Winners: Ann\n", record)


def test_the_example_in_the_reference_is_what_is_written():
    page = (Path(__file__).parents[2] / "docs" / "reference" / "notation.md").read_text()
    example = page.split("```text\n")[1].split("```")[0]
    record = read_text(example)
    stated, sheet = split_sheet(example)
    written = write_text(record, annotate=True)
    assert without_words(stated) == without_words(written)
    assert sheet == write_sheet(record)


def without_words(text: str) -> list[str]:
    """The lines of a text, with comments reduced to their presence."""
    return [line if line[:1] != "#" else "#" for line in text.rstrip().splitlines()]


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
