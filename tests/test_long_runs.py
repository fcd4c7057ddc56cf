"""What long runs leave behind: the page shows every line of the file, and a run that is ended writes what it did."""

import os
import signal

import pytest

from tests.long_runs import BEGIN, END, PAGE, Begun, runs, with_runs


def test_the_page_shows_every_run_and_no_other():
    page = PAGE.read_text(encoding="utf-8")
    assert page.count(BEGIN) == page.count(END) == 1
    assert page == with_runs(page, runs())


@pytest.fixture
def begun(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"Before.\n{BEGIN}\nold\n{END}\nAfter.\n")
    return Begun("make nothing", seeds="7", file=tmp_path / "new" / "runs.jsonl", page=page)


def test_each_run_is_a_line_and_a_row_of_the_page(begun, tmp_path):
    kept = [begun.keep(tried=f"{number} things", outcome="nothing was found", longest="0.1 s") for number in (1, 2)]
    assert runs(tmp_path / "new" / "runs.jsonl") == kept
    page = (tmp_path / "page.md").read_text()
    assert page.startswith(f"Before.\n{BEGIN}\n| day | commit |")
    assert page.endswith(f"{END}\nAfter.\n")
    first, second = [line for line in page.splitlines() if "make nothing" in line]
    assert "| 2 things | 0.1 s | nothing was found |" in first
    assert "| `make nothing` | 7 | 1 things |" in second
    assert "old" not in page


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_ends_a_run_is_told_how_far_it_was(begun, number):
    before = signal.getsignal(number)
    with begun.until_a_signal():
        os.kill(os.getpid(), number)
        assert signal.getsignal(number) is before, "the next one ends it"
    run = begun.keep(tried="1 thing", outcome="nothing was found")
    assert run.outcome == f"ended early by {number.name}; nothing was found"


def test_what_cannot_look_is_broken_off(begun):
    with pytest.raises(KeyboardInterrupt), begun.until_a_signal(at_once=True):
        os.kill(os.getpid(), signal.SIGTERM)
    assert begun.ended_by == "SIGTERM"
