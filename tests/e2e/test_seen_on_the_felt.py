"""What lies on the felt is visible on every screen: each card of a play, its player, and the whole verdict."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import follow, open_tab
from tests.e2e.pads import SUITS
from tests.e2e.thumb import plate, play, shown

NAMES = ["Anna", "Ben", "Clara", "Dominik", "Eva", "Fay", "Gus", "Hal"]
SCREENS: dict[str, dict[str, Any]] = {
    "phone": {"width": 360, "height": 740, "has_touch": True, "is_mobile": True},
    "tablet": {"width": 820, "height": 1180, "has_touch": True},
    "laptop": {"width": 1280, "height": 800},
    "across": {"width": 1024, "height": 768},
    "television": {"width": 1920, "height": 1080},
}


def one_each(kind, *cards):
    return [{"type": kind, "seat": seat, "cards": [card]} for seat, card in enumerate(cards)]


FIVE = ["3S", "4H", "5C", "6D", "7S"]
TURNED = [{"type": "turn-up", "card": "5H"}, *({"type": "bid", "seat": seat, "tricks": 0} for seat in range(6))]
TABLES = {
    "pair-in-ace-pit": ("ace-pit", 2, 0, [play(1, "8H"), play(0, "7H", "9H")], 3),
    "pair": ("american-deuce", 4, 0, [*SUITS, play(0, "7S", "7H"), play(1, "8S", "8H")], 2),
    "triple": ("american-deuce", 4, 0, [*SUITS, play(0, "7S", "7H", "7C")], 3),
    "five": ("american-deuce", 4, 0, [*SUITS, play(0, *FIVE), play(1, "4S", "5H", "6C", "7D", "8S")], 5),
    "five-of-eight": ("american-deuce", 8, 0, [*SUITS, play(0, *FIVE)], 5),
    "suits-read": (
        "wildcat-chicane", 4, 3,
        [*one_each("ruling-card", "XM", "AK", "XY", "AS"), *({"type": "bid", "seat": s, "tricks": 2} for s in range(4)),
         *one_each("play", "8MS", "XS", "9MS", "7SK")], 4,
    ),
    "made-trump": ("ace-trump", 4, 3, one_each("play", "8MS", "XS", "2MK", "AS"), 4),
    "seven": ("oh-hell", 7, 6, [*TURNED, {"type": "bid", "seat": 6, "tricks": 1}, play(0, "2H"), play(1, "3H")], 2),
}  # fmt: skip

LYING = """() => [...document.querySelectorAll(".felt :is(.before, .to-beat) .card, .felt .reads")].map((card) => {
  const box = card.getBoundingClientRect();
  let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
  for (let around = card.parentElement; around && !around.matches(".felt"); around = around.parentElement) {
    const style = getComputedStyle(around), edge = around.getBoundingClientRect();
    if (style.overflow === "visible" && !/paint|strict|content/.test(style.contain)) continue;
    [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
    [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
  }
  const felt = card.closest(".felt").getBoundingClientRect(), card_ = card.matches(".card");
  const inside = box.left >= felt.left - 12 && box.right <= felt.right + 12 && box.bottom <= felt.bottom + 12;
  return { card: card_, what: card.title || card.textContent, width: box.width, height: box.height, inside,
    whole: right - left > box.width - 1 && bottom - top > box.height - 1 };
})"""
CUT = """() => [...document.querySelectorAll(".felt :is(.felt-foot, .status, .seat-name, .seat-facts, .badge)")]
  .filter((part) => part.checkVisibility())
  .filter((part) => part.scrollHeight > part.clientHeight + 2 || part.scrollWidth > part.clientWidth + 1
    || part.getBoundingClientRect().bottom > part.closest(".felt").getBoundingClientRect().bottom)
  .map((part) => `${part.className}: ${part.textContent}`)"""


def opened(tab: Page, name: str, screen: str) -> int:
    """Open a table with these events on a screen; return the number of cards on the felt."""
    game, players, dealer, events, lying = TABLES[name]
    told = {"format": "table-record/1", "game": game, "seats": NAMES[:players], "first_dealer": dealer, "options": {}}
    answer = tab.request.post("/api/v1/tables/import/", data=told | {"hands": [{"events": events}]})
    assert answer.ok, answer.text()
    table = answer.json()
    if screen == "television":
        tab.goto(f"/t/{table['code']}/screen/")
        expect(tab.locator(".felt")).to_be_visible()
    else:
        follow(tab, f"/t/{table['code']}/join/#{table['token']}")
        shown(tab, len(events))
        tab.evaluate("document.querySelectorAll('.caught, .raised').forEach((news) => news.remove())")
    return lying


@pytest.mark.parametrize("screen", SCREENS)
def test_every_card_on_the_felt_is_fully_visible(browser, server, screenshot, screen):
    with open_tab(browser, server, **SCREENS[screen]) as tab:
        for name in TABLES:
            lying = opened(tab, name, screen)
            found = tab.evaluate(LYING)
            cards = [each for each in found if each["card"]]
            assert len(cards) == lying, (name, found)
            unseen = [each for each in found if min(each["width"], each["height"]) < 12 or not each["whole"]]
            assert unseen == [], name
            assert [each["what"] for each in found if not each["inside"]] == [], name
            screenshot(tab, f"felt-{name}-{screen}")


@pytest.mark.parametrize("screen", SCREENS)
def test_the_verdict_and_the_plates_are_not_clipped(browser, server, screen):
    with open_tab(browser, server, **SCREENS[screen]) as tab:
        for name in TABLES:
            opened(tab, name, screen)
            assert tab.evaluate(CUT) == [], name


def test_a_pending_bid_is_shown_on_its_plate(browser, server):
    """It stands on the bidder's light plate at a table of many players."""
    with open_tab(browser, server, **SCREENS["phone"]) as tab:
        told = {"game": "oh-hell", "seats": NAMES[:7], "first_dealer": 6, "options": {}}
        table = tab.request.post("/api/v1/tables/import/", data=told | {"hands": [{"events": TURNED[:2]}]}).json()
        follow(tab, f"/t/{table['code']}/join/#{table['token']}")
        shown(tab, 2)
        ink = tab.locator(".acting .bid strong").evaluate("(bid) => getComputedStyle(bid).color")
        assert ink == "rgb(35, 28, 22)"


def test_someone_else_played_can_be_tapped_at_a_table_of_eight(browser, server):
    """Nothing covers the key; the bar that sends several cards is at the bottom of the screen."""
    with open_tab(browser, server, **SCREENS["phone"]) as tab:
        opened(tab, "five-of-eight", "phone")
        plate(tab, "Fay").tap()
        expect(tab.locator("form[data-event=play] input[name=seat]:checked")).to_have_value("5")


def test_seats_are_legible_from_the_sofa(browser, server):
    """In climbing games no one counts tricks, and titles are as large as the screen allows."""
    with open_tab(browser, server, **SCREENS["television"]) as tab:
        opened(tab, "pair", "television")
        expect(tab.locator(".seat-fact.tricks:visible")).to_have_count(0)
        titles = tab.locator(".seat-fact.title")
        expect(titles).to_have_count(4)
        for title in titles.all():
            assert title.evaluate("(title) => parseFloat(getComputedStyle(title).fontSize)") >= 16
            assert title.evaluate("(title) => title.scrollWidth <= title.clientWidth"), title.inner_text()
