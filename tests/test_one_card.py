"""The page that tells the way of one card names what there is, and says what it costs."""

import re
import sys
from pathlib import Path
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.pages.views.table import show_recorded
from tests.scoring.pages.conftest import Device

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/explanation/one-card.md").read_text()
DRAWING = PAGE.split("```")[1].splitlines()[1:]
FILES = [path for folder in ("scoring", "referee", "deploy") for path in (ROOT / folder).rglob("*.[pj][ys]")]


def named(line):
    """Return the files that a line names, each by the end of its path."""
    for name in re.findall(r"[\w/]+\.(?:py|js)\b", line):
        found = [path for path in FILES if f"/{path.relative_to(ROOT)}".endswith(f"/{name}")]
        assert found, f"{name} is no file"
        yield from found


def ours(names):
    """Return the modules of ours that a request crosses, without what stands around every view."""
    around = ("scoring.pages.exceptions", "referee.api.middleware")
    return {name for name in names if name.split(".")[0] in ("scoring", "referee") and name not in around}


def test_it_fits_one_screen():
    assert len(DRAWING) <= 40
    assert max(map(len, DRAWING)) <= 100


@pytest.mark.parametrize("line", [*DRAWING, *re.findall(r"`\S+\(\)`", PAGE)])
def test_every_name_is_true(line):
    sources = [path.read_text() for path in list(named(line)) or FILES]
    for name in [*re.findall(r"(\w+)\(\)", line), *re.findall(r"\.py +([A-Z]\w+) ", line)]:
        defined = re.compile(rf"\b(?:class|const|def) {name}\b")
        assert any(defined.search(text) for text in sources), f"{name} is not there"


def test_a_card_costs_what_it_says(db: None):
    device = Device()
    address = device.open_table()
    device.get(address)
    recording: set[str] = set()
    drawing: set[str] = set()

    def note(frame, happening, _):
        if happening == "call":
            now = drawing if drawing or frame.f_code is show_recorded.__code__ else recording
            now.add(str(frame.f_globals.get("__name__", "")))

    def tap(card):
        headers = {"HX-Request": "true", "Idempotency-Key": str(uuid4())}
        return device.post(f"{address}record/", {"event": "play", "seat": "", "cards": card}, headers=headers)

    tap("8MS")
    with CaptureQueriesContext(connection) as statements:
        sys.setprofile(note)
        try:
            answer = tap("XS")
        finally:
            sys.setprofile(None)
    assert answer["Recorded-Version"] == "2"
    words = [each["sql"].split()[0] for each in statements]
    assert [word for word in words if word not in ("BEGIN", "SAVEPOINT", "RELEASE")] == ["UPDATE", "INSERT"]
    recording, drawing = (ours(names) for names in (recording, drawing - recording))
    (counts,) = re.findall(
        r"fewer than (\d+)\s+modules, some (\d+) of them the referee's:"
        r" some (\d+) until the card is recorded, and some (\d+) more",
        PAGE,
    )
    most, judging, until, more = map(int, counts)
    crossed = recording | drawing
    assert len(crossed) < most, sorted(crossed)
    referee = [name for name in crossed if name.startswith("referee.")]
    for names, some in ((referee, judging), (recording, until), (drawing, more)):
        assert abs(len(names) - some) < 5, sorted(names)
