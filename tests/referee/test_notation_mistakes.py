"""The notation: what is wrong in a text is named with its place, and no text is met with a crash."""

import re
import time
import timeit

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.engine.bounds import MOST_EVENTS
from referee.engine.options import Refused
from referee.notation import read_placed, read_text

HEAD = "Game: ace-trump\nSeats: Ann, Bob, Cy\nFirst dealer: Cy\n"


@pytest.mark.parametrize(
    ("text", "where", "said"),
    [
        ("", "line 1, column 1", "no line such as “Game: ace-trump”"),
        ("Game: ace-trump\nSeats: Ann, Bob\n", "line 3, column 1", "no line such as “First dealer: Ann”"),
        ("Game: no-such-game\nSeats: Ann, Bob\nFirst dealer: Ann", "line 1, column 7", "The games are"),
        ("Colour: red", "line 1, column 1", "begins with one of: Format:, Game:"),
        ("First dealer: Ann", "line 1, column 15", "Name the players before"),
        ("Seats: Ann, Bob\nFirst dealer: Dot", "line 2, column 15", "A player is expected: Ann, Bob"),
        (HEAD + "Option: ties = never", "line 4, column 9", "symbol, early, late"),
        (HEAD + "Option: ties", "line 4, column 9", "key = value"),
        (HEAD + "Option: no_such = true", "line 4, column 9", "no_such"),
        (HEAD + "End: some day", "line 4, column 6", "hands 4"),
        (HEAD + "End: hands", "line 4, column 6", "whole number"),
        (HEAD + "== Deal 1 ==", "line 4, column 1", "== Hand 1 =="),
        (HEAD + "== Hand 1 ==\n1. Ann 8MS, Dot XS", "line 5, column 13", "A player is expected"),
        (HEAD + "== Hand 1 ==\n  1. Ann 8MS, Bob", "line 5, column 18", "A card is expected"),
        (HEAD + "== Hand 1 ==\n1. Ann 8MS ! Bob XS", "line 5, column 14", "A comma"),
        (HEAD + '== Hand 1 ==\nPenalty: Ann -5 "talk', "line 5, column 17", "not closed"),
        (HEAD + "== Hand 1 ==\nPenalty: Ann five", "line 5, column 14", "A whole number is expected. “five”"),
        (HEAD + "== Hand 1 ==\nBids: Ann 3\nHm.", "line 6, column 1", "a trick’s number"),
        (HEAD + '== Hand 1 ==\nEvent: {"type": "dance"}', "line 5, column 8", "type is one of"),
        (HEAD + '== Hand 1 ==\nx_a: {"b": 1, "b": 2}', "line 5, column 6", "twice"),
        (HEAD + "x_a: NaN", "line 4, column 6", "NaN"),
        (HEAD + "x_a: " + "[" * 100_000, "line 4, column 6", "nest"),
        (HEAD + "x_a: " + "9" * 10_000, "line 4, column 6", "no JSON value"),
        (HEAD + '== Hand 1 ==\nNote: "\\ud800"', "line 5, column 7", "cannot be stored"),
        (HEAD + "== Hand 1 ==\nNote: a\0b", "line 5, column 1", "cannot be stored"),
        (HEAD + '== Hand 1 ==\n1. Ann 8MS {"y": 1}', "line 5, column 12", "start with x_"),
        (HEAD + "== Hand 1 ==\nResult: tricks Ann 3, Ann 4", "line 5, column 23", "has a number already"),
        (HEAD + "== Hand 1 ==\nResult: tricks Ann 3, Bob 4", "line 5, column 28", "Every player"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_place(text, where, said):
    with pytest.raises(Refused) as refused:
        read_text(text)
    problem = refused.value.problems[0]
    assert problem.pointer == where
    assert said in problem.detail


def test_places_lead_back_to_the_text():
    reading = read_placed(HEAD + "== Hand 1 ==\n\n1. Ann 8MS, Bob XS\nNote: tea")
    assert reading.where("/hands/0/events/1/cards/0") == "line 6, column 13"
    assert reading.where("/hands/0/events/2") == "line 7, column 7"
    assert reading.where("/seats/1") == "line 2, column 13"


def test_several_mistakes_are_named_at_once():
    with pytest.raises(Refused) as refused:
        read_text(HEAD + "== Hand 1 ==\n1. Dot 8MS\n2. Ann 8MS,\nBids: Ann x" + "\nwhat" * 50)
    problems = refused.value.problems
    assert [p.pointer for p in problems[:3]] == ["line 5, column 4", "line 6, column 12", "line 7, column 11"]
    assert len(problems) == 20


def test_a_text_has_as_many_events_as_a_record():
    with pytest.raises(Refused) as refused:
        read_text(HEAD + "== Hand 1 ==\n" + "Note: x\n" * (MOST_EVENTS + 5))
    assert refused.value.problems[0].code == "too-many-events"
    assert refused.value.problems[0].pointer == f"line {MOST_EVENTS + 5}, column 7"


def answered(text: str) -> None:
    """Read a text: it is a record, or refused with the place of what is wrong."""
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
def test_no_text_is_met_with_a_crash(text):
    answered(text)
    answered(HEAD + "== Hand 1 ==\n" + text)


@given(st.lists(LINES, max_size=6), st.booleans())
@settings(max_examples=300)
def test_no_lines_are_met_with_a_crash(lines, in_hand):
    answered(HEAD + ("== Hand 1 ==\n" if in_hand else "") + "\n".join(lines))


@pytest.mark.parametrize(
    "piece",
    ["1. Ann 8MS", ",", "(", " ", '"', '"\\', "{", "@", ";", "won by Ann ", "\n", "# ", "a:", "Ann, ", "[", "-", "1"],
)
def test_reading_takes_time_in_proportion(piece):
    """Ten times the text takes about ten times as long; a way of reading that goes back again takes a hundred."""
    for head in ("", HEAD + "== Hand 1 ==\n", HEAD + "== Hand 1 ==\n1. ", HEAD + "x_a: ", "Seats: "):
        assert seconds(head + piece * 100_000) < 40 * seconds(head + piece * 10_000) + 0.05


def seconds(text: str) -> float:
    """Return how long the processor needs to read a text, other work of the machine left out."""
    return min(timeit.repeat(lambda: answered(text), number=1, repeat=3, timer=time.process_time))
