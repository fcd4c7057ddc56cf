"""The score curve and what is left to the target."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.pages.show.curve import HEIGHT, LETTER, WIDTH, draw, scale, spread
from tests.scoring.pages.reading import text
from tests.scoring.pages.test_replay import play_hands

TOTALS = st.integers(-2000, 2000)


def test_a_table_shows_its_curve_and_the_same_in_numbers(device):
    address = play_hands(device, 2)
    assert "curve-line" not in device.get(address).content.decode(), "It is drawn for who opens it."
    page = device.get(f"{address}?open=curve").content.decode()
    assert page.count('class="curve-line"') == 2
    dashes = re.findall(r'curve-line" points="[^"]*"( stroke-dasharray="[^"]*")?', page)
    assert len(set(dashes)) == 2, "Lines differ in more than colour."
    assert "The numbers" in page


def test_there_is_no_curve_before_the_first_hand(device):
    assert "fold-curve" not in device.get(device.open_table()).content.decode()


def test_what_is_left_to_the_target_is_told_per_player(device):
    address = play_hands(device, 1, end="score", **{"end-score": "40"})
    found = re.search(r"still needs\s+(\d+)\s+(\d+)", text(device.get(address)))
    assert found is not None
    assert sum(map(int, found.groups())) == 80 - 9


@given(st.lists(st.tuples(TOTALS, TOTALS, TOTALS), min_size=1, max_size=40), st.none() | st.integers(1, 500))
def test_every_line_stays_in_the_picture(rows, target):
    drawn = draw(("Ann", "Bob", "Cy"), (("0", (0, 0, 0)), *((str(n), row) for n, row in enumerate(rows, 1))), target)
    for line in drawn.lines:
        assert len(line.marks) == len(rows) + 1
        assert all(0 <= mark.x <= WIDTH and 0 <= mark.y <= HEIGHT for mark in line.marks)
        assert line.points.count(",") == len(line.marks)


@given(TOTALS, st.integers(0, 2000))
def test_the_scale_holds_every_total_in_a_few_round_numbers(lowest, more):
    ticks = scale(lowest, lowest + more)
    assert ticks[0] <= lowest
    assert lowest + more <= ticks[-1]
    assert 2 <= len(ticks) <= 7


@pytest.mark.parametrize("heights", [[100.0] * 8, [190.0, 195.0, 10.0], [0.0]])
def test_names_at_the_end_do_not_lie_on_one_another(heights):
    placed = sorted(spread(heights, 13, 196))
    assert all(below - above >= 13 for above, below in pairwise(placed))
    assert placed[-1] <= 196


def test_a_long_name_is_whole_at_the_end_of_its_line():
    short, long = ("Ann", "Bartholomäusmaximilianferdinand")
    lines = draw([short, long], [("0", (0, 0)), ("1", (3, 5))]).lines
    assert [line.name for line in lines] == [short, long]
    assert lines[0].squeezed is None
    assert lines[1].label.x + 8 + (lines[1].squeezed or len(long) * LETTER) <= WIDTH
    alone = draw([short, "Maximilian"], [("0", (0, 0)), ("1", (3, 5))]).lines[1]
    assert alone.squeezed is None
    assert alone.label.x + 8 + len("Maximilian") * LETTER <= WIDTH
