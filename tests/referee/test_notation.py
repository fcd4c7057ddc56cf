"""The notation: what is written is read back unchanged."""

import csv
import random
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.engine.game import all_games, with_game
from referee.engine.records import dump_record, load_record
from referee.engine.rules import Refused
from referee.notation import check_sheet, read_cells, read_text, split_sheet, write_cells, write_sheet, write_text
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
