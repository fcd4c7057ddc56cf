"""The page of speeds says what was measured, and everything that is measured was."""

from tests.bench.report import FOLDER, PAGE, PICTURE, Found, all_results, picture, release, with_table
from tests.bench.table import BY_KEY, PARTS, ROWS, Figure, Goal


def test_every_row_of_this_release_was_measured():
    latest = all_results()[0]
    assert latest.release == release()
    assert [found.row for found in latest.rows] == [row.key for row in ROWS]
    for found in latest.rows:
        row = BY_KEY[found.row]
        assert (found.what, found.unit, found.beside, found.goal) == (row.what, row.unit, row.beside, row.goal)
        assert found.command == f"make bench ONLY={row.part}"
        if found.met:
            assert found.figure
            assert found.ratio
            assert Goal.read(found.goal).met(found.figure, found.ratio)


def test_the_page_and_its_picture_are_made_of_it():
    assert PAGE.read_text() == with_table(PAGE.read_text(), all_results())
    assert PICTURE.read_text() == picture(all_results())


def test_each_part_is_a_measurement():
    files = {path.stem.removeprefix("bench_") for path in (FOLDER.parents[1] / "tests/bench").glob("bench_*.py")}
    assert files == set(PARTS)


def test_a_goal_that_is_missed_is_told():
    row = BY_KEY["taps/tap/sqlite"]
    bound = Goal.read(row.goal).bound
    better, worse = (Found.of(row, Figure(row.key, 9, bound * times)) for times in (0.5, 2))
    assert (better.met, better.share(), worse.met, worse.share()) == (True, 2, False, 0.5)
