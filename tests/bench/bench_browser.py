"""Browser benchmarks: a first visit, and how long a tapped card takes to show on a slow phone with the fullest pads."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page

from referee.engine.records import dump_record, load_record
from tests.bench.table import Figure
from tests.e2e.conftest import Server, chromium, open_tab
from tests.e2e.test_budgets import FIRST_VISIT, counted, visit_first
from tests.e2e.test_taps import TEN
from tests.e2e.thumb import Thumb, shown
from tests.scoring.live.driving import serving

ROUNDS = int(os.environ.get("ROUNDS", "5"))
SLOWDOWN = 4
AT_ONCE, BETWEEN_TAPS = 4, 150
"""Taps per round, and the milliseconds between them: as fast as two thumbs."""
EXTRAS = {"pawns": True, "courts": True, "excuse": True}
CARDS = [*TEN, "AS", "AL", "AY", "AK", "2SY", "2WL", "3MW", "3LY", "4MS", "4YK"]
"""Ace Trump cards that never prompt a question: whoever plays them may have had to."""
PAIRS = [f"{rank}{suit}" for rank in ("4", "5", "6", "7", "8", "9", "10", "J", "Q", "K") for suit in "SH"]
"""American Deuce pairs, each of which beats the one before."""
BAREST = """<!doctype html><meta name="viewport" content="width=device-width"><body>"""
SQUARES = """() => {
  for (let number = 0; number < 20; number++) {
    const square = document.body.appendChild(document.createElement("button"));
    square.style.cssText = `position: fixed; width: 60px; height: 60px; left: ${60 * (number % 5)}px`;
    square.style.top = `${60 * Math.floor(number / 5)}px`;
    square.addEventListener("click", () => (square.style.background = "red"));
  }
}"""
WATCH_TAPS = """() => {
  window.slowest = 0;
  const note = (duration) => (window.slowest = Math.max(window.slowest, duration));
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId) note(duration);
  }).observe({ type: "event", durationThreshold: 16 });
  // Whatever keeps the page busy, such as showing an answer, would keep the next tap waiting.
  new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => note(duration))).observe({
    type: "longtask",
  });
}"""
MIDDLES = """(elements) => elements.map((element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [(element.querySelector("input") ?? element).value, [x + width / 2, y + height / 2]];
})"""

Round = Callable[[int], None]


class SlowPhone:
    """A finger on a phone with a slow processor.

    It taps a card's known position without querying the page first, which would be work for the phone.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session = page.context.new_cdp_session(page)

    def places(self, selector: str) -> dict[str, tuple[float, float]]:
        """Return the centers of these buttons or labels, by value."""
        return dict(self.page.locator(selector).evaluate_all(MIDDLES))

    def tap(self, place: tuple[float, float]) -> None:
        self.page.touchscreen.tap(*place)
        self.page.wait_for_timeout(BETWEEN_TAPS)

    def slowest(self, play: Round, number: int) -> float:
        """Return the milliseconds the slowest tap of a round took to show."""
        self.page.evaluate("slowest = 0")
        self.session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        play(number)
        self.page.wait_for_timeout(2 * BETWEEN_TAPS)
        self.session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        return float(self.page.evaluate("slowest"))


def open_barest_page(slow: SlowPhone) -> Round:
    """Open a page of twenty squares that turn red; return a function that taps one round."""
    slow.page.set_content(BAREST)
    slow.page.evaluate(SQUARES)

    def play(number: int) -> None:
        for at in range(number * AT_ONCE, (number + 1) * AT_ONCE):
            slow.tap((30 + 60 * (at % 5), 30 + 60 * (at // 5)))

    return play


def open_all_extras(slow: SlowPhone) -> Round:
    """Open a table with all 45 Decktet cards; return a function that taps one round."""
    record = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy", "Dot"], "first_dealer": 0, "options": EXTRAS}
    Thumb(slow.page).open_table(dump_record(load_record(record)))
    cards = slow.places("#table button[name=cards]")

    def play(number: int) -> None:
        for card in CARDS[number * AT_ONCE : (number + 1) * AT_ONCE]:
            slow.tap(cards[card])
        shown(slow.page, (number + 1) * AT_ONCE + bool(number), timeout=30_000)
        if number == 0:
            # What these cards prove would replace the keys.
            slow.page.locator("#more > summary").tap()
            slow.page.locator("#more-hold-findings > summary").tap()
            slow.page.locator("#more-hold-findings button").tap()
            shown(slow.page, AT_ONCE + 1)
            slow.page.locator("#more > summary").tap()
            slow.page.evaluate("scrollTo(0, 0)")

    return play


def open_two_packs(slow: SlowPhone) -> Round:
    """Open a table with 104 cards, played in pairs; return a function that taps one round."""
    record = {"game": "american-deuce", "seats": ["Ann", "Bob", "Cy", "Dot", "Eve"], "first_dealer": 0}
    thumb = Thumb(slow.page)
    thumb.open_table(dump_record(load_record(record)))
    for seat, suit in enumerate("SHC"):
        thumb.record({"type": "suit", "seat": seat, "suit": suit})
    slow.page.locator("#table input[value=several]").tap()
    cards = slow.places("#table label.card:visible")

    def play(number: int) -> None:
        for pair in (2 * number, 2 * number + 1):
            for card in PAIRS[2 * pair : 2 * pair + 2]:
                slow.tap(cards[card])
            slow.page.locator("form[data-event=play] .submit .primary").tap()
            shown(slow.page, thumb.version + pair + 1, timeout=30_000)

    return play


@contextmanager
def slow_phone(browser: Browser, server: Server) -> Iterator[SlowPhone]:
    """Open a tab with as many pixels as a phone has."""
    with open_tab(browser, server, width=360, height=740, has_touch=True, is_mobile=True, device_scale_factor=2) as tab:
        yield SlowPhone(tab)


def first_visits(browser: Browser, server: Server, table: str) -> Iterator[Figure]:
    """Open a table in a fresh browser: bytes on the wire, and the time relative to a one-word page."""
    with open_tab(browser, server, width=360, height=740) as tab, counted(server) as (address, _, came):
        visit_first(tab, address, table)
        size = sum(map(len, came))
        tab.goto("about:blank")
    yield Figure("browser/bytes", size, size / FIRST_VISIT)
    took = []
    for _ in range(ROUNDS):
        row = []
        for path in (table, "/health/live"):
            with open_tab(browser, server, width=360, height=740) as tab:
                tab.goto(path, wait_until="load")
                row.append(float(tab.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")))
        took.append(row)
    drawn, one_word = (median(each) for each in zip(*took, strict=True))
    yield Figure("browser/shown", drawn, drawn / one_word)


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as var, serving(Path(var)) as house, chromium() as browser:
        server = Server(f"http://127.0.0.1:{house.port}")
        yield from first_visits(browser, server, f"/t/{house.open_table().code}/")
        for key, open_pad in (("decktet", open_all_extras), ("two-packs", open_two_packs)):
            with slow_phone(browser, server) as bare, slow_phone(browser, server) as phone:
                pages = [(phone, open_pad(phone)), (bare, open_barest_page(bare))]
                for slow, _ in pages:
                    slow.page.evaluate(WATCH_TAPS)
                took = [[slow.slowest(play, number) for slow, play in pages] for number in range(ROUNDS)]
            tap, barest = (median(each) for each in zip(*took, strict=True))
            yield Figure(f"browser/{key}", tap, tap / barest)
