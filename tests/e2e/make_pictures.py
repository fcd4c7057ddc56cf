"""Takes the documentation's pictures: `make run`, and beside it `.venv/bin/python -m tests.e2e.make_pictures`.

Pass the server's address if it is not http://localhost:8000.
"""

import sys
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import ROOT, chromium, follow
from tests.e2e.scenes import REVOKE, imported
from tests.e2e.thumb import whole_hand

FOLDER = ROOT / "docs" / "images"
SERVER = "http://localhost:8000"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
LAPTOP = {"viewport": {"width": 1180, "height": 720}}

Data = dict[str, Any]


def main() -> None:
    server = sys.argv[1].rstrip("/") if len(sys.argv) > 1 else SERVER
    with chromium() as browser:
        table = played("ace-trump", 4, plays=18, before=[[3, 4, 1, 1], [2, 2, 3, 2]])
        keep(look(browser, server, table, PHONE), "table-phone")
        page = look(browser, server, proved(), PHONE | {"color_scheme": "dark"})
        keep(page, "finding-phone-dark")
        table = played("ace-trump", 4, plays=20, before=[[3, 4, 1, 1], [2, 2, 3, 2]])
        keep(look(browser, server, table, LAPTOP | {"color_scheme": "dark"}, "screen/"), "screen-dark")


def played(game: str, players: int, *, plays: int, before: Sequence[list[int]] = ()) -> Data:
    """Return a table in the middle of its last hand; earlier hands are recorded by result."""
    told = whole_hand(game, players, house_rules=False)
    events = told["hands"][0]["events"]
    last = [i for i, event in enumerate(events) if event["type"] in ("play", "pass")][plays - 1]
    hands = [{"events": [{"type": "result", "tricks": tricks}]} for tricks in before]
    return told | {
        "end": {"kind": "score", "value": 30},
        "first_dealer": (told["first_dealer"] - len(before)) % players,
        "hands": [*hands, {"events": events[: last + 1]}],
    }


def proved() -> Data:
    """Return a table where a revoke has just been proved."""
    seats = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 0}
    return seats | {"hands": [{"events": list(REVOKE)}]}


def look(browser: Browser, server: str, table: Data, window: Data, tail: str = "") -> Page:
    """Open a table on its own device."""
    page = browser.new_context(**window).new_page()
    follow(page, server + imported(server, table))
    if tail:
        page.goto(page.url + tail)
    expect(page.locator("body")).to_have_attribute("data-live", "open")
    return page


def keep(page: Page, name: str) -> None:
    page.wait_for_timeout(500)
    page.screenshot(path=FOLDER / f"{name}.png")


if __name__ == "__main__":
    main()
