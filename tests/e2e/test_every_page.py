"""Every page as people see it: on a phone and a laptop, light and dark, in every language."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from scoring.page_urls import urlpatterns
from tests.e2e.conftest import Server, follow, open_tab
from tests.e2e.scenes import scenes
from tests.e2e.test_for_everybody import EVERYTHING, complaints, wrong_names

PHONE: dict[str, Any] = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}
LAPTOP: dict[str, Any] = {"width": 1280, "height": 800}
LOOKS = [
    pytest.param(PHONE, "en", id="phone"),
    pytest.param(LAPTOP, "en", id="laptop"),
    *(pytest.param(PHONE, code, id=f"phone-{code}") for code, _name in settings.LANGUAGES if code != "en"),
]
THEMES = {"light": EVERYTHING, "dark": ("color-contrast",)}
"""What axe checks in each theme; what a theme cannot change is checked once."""
ALIKE = re.compile(
    r"(rulebook|new)-(?!ace-trump|group|table)|table-(?!ace-trump).*-(play|over)"
    r"|table-(ransom|wildcat|oh).*-half|question-(ransom|suit|score)"
)
"""Pages without anything unique, which axe and the laptop skip."""
ACTS = {
    "answer-request", "take-score",
    "confirm", "delete-group", "delete-table", "display", "dispute-act", "forget", "forget-device", "forget-group",
    "distinct-people", "forget-person", "give-table", "group-recovery", "guide-carry-out", "join-group", "keep-score",
    "language", "make-link", "make-reading", "merge-people", "move-device", "person", "play-again", "precedent",
    "privacy", "record", "redo", "revoke-group-link", "revoke-link", "set-language", "settle", "table-names",
    "table-referee", "undo", "say-of-evening", "say-of-table", "undo-import",
}  # fmt: skip
"""Addresses that accept only POST."""
BEHIND = {
    "ask-here", "ask-here-about", "dictated", "export", "evening-picture", "export-group", "manifest", "picture",
    "preview", "score-code", "worker",
}  # fmt: skip
"""Addresses no one visits directly."""
LANGUAGE_AND_WIDTH = "[document.documentElement.lang, document.documentElement.scrollWidth]"
OVERFLOWING = """
() => [...document.querySelectorAll("button, .button, summary, h1, h2, h3, th, td, label, legend, .row-main, p")]
  .filter((e) => e.checkVisibility() && getComputedStyle(e).display !== "inline" && !e.matches(".visually-hidden"))
  .filter((e) => e.scrollWidth > e.clientWidth + 1
    || !e.closest(".scroll") && e.getBoundingClientRect().right > innerWidth + 1)
  .map((e) => `too wide: ${e.tagName}.${e.className} “${e.textContent.trim().slice(0, 40)}”`)
"""
"""Elements whose text overflows them or the screen."""
BROKEN = r"""
() => [...document.querySelectorAll("thead th, .group-tabs a, .segments > *")].flatMap((head) => {
  const broken = [], texts = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) for (const word of texts.currentNode.data.matchAll(/[\p{L}\p{M}\u00AD]{2,}/gu)) {
    const place = document.createRange();
    place.setStart(texts.currentNode, word.index);
    place.setEnd(texts.currentNode, word.index + word[0].length);
    const lines = new Set([...place.getClientRects()].filter((line) => line.width).map((line) => Math.round(line.top)));
    const softly = word[0].includes("\u00AD") || head.closest(".upright");
    if (lines.size > 1 && !softly) broken.push(`broken word: ${word[0]}`);
  }
  return broken;
})
"""
"""Words broken across lines in the heads of tables and in tabs."""
TABS_IN_A_ROW = """
() => [...document.querySelectorAll(".group-tabs, .page > .segments")].flatMap((row) => {
  const box = row.getBoundingClientRect();
  return box.height > 60 ? [`tabs in several rows: ${box.height} px`] : [];
})
"""
"""A row of tabs that wraps."""


@cache
def everything(server: str) -> tuple[tuple[str, str], ...]:
    """Return all scenes, their tables opened once on this server."""
    return tuple(scenes(server))


@cache
def device(server: str) -> list[Any]:
    """Return the cookies of the one device that visits all scenes: a link's address works for one device only."""
    return []


@pytest.fixture
def tab(browser: Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[Page]:
    screen, language = (request.getfixturevalue(name) for name in ("screen", "language"))
    with open_tab(browser, server, **screen, locale=language) as tab:
        tab.context.add_cookies(device(server.url))
        yield tab
        device(server.url)[:] = [kept for kept in tab.context.cookies() if str(kept.get("name")).startswith("device-")]


@pytest.mark.parametrize(("screen", "language"), LOOKS)
def test_every_page_fits_and_is_accessible(tab, server, screenshot, request, screen, language):
    look = request.node.callspec.id
    wrong = {}
    for name, address in everything(server.url):
        if screen is LAPTOP and ALIKE.match(name):
            continue
        there = urlsplit(address).path.removesuffix("join/" if "#" in address else "")
        follow(tab, address)
        if name == "who":  # the link opens the group and asks once whose phone it is
            tab.locator(".picks, .group-tabs").first.wait_for()
            there += "who/"
            tab.goto(there)
        shown, width = tab.evaluate(LANGUAGE_AND_WIDTH)
        assert shown == language
        troubles = [] if width <= screen["width"] else [f"scrolls sideways: {width} px"]
        troubles += [] if urlsplit(tab.url).path == there else [f"leads to {tab.url}"]
        troubles += tab.evaluate(OVERFLOWING) + tab.evaluate(TABS_IN_A_ROW) + tab.evaluate(BROKEN)
        for theme, rules in THEMES.items() if language == "en" else ():
            tab.emulate_media(color_scheme=theme)
            screenshot(tab, f"{look}-{theme}/{name}")
            if screen is PHONE and not ALIKE.match(name):
                troubles += complaints(tab, rules)
        if troubles:
            wrong[name] = troubles
    assert not wrong, "\n".join(f"{name}: {troubles}" for name, troubles in wrong.items())


def test_text_at_200_percent_scrolls_no_page_sideways(browser, server):
    wide = {}
    with open_tab(browser, server, **PHONE) as tab:
        tab.context.add_cookies(device(server.url))
        for name, address in everything(server.url):
            follow(tab, address)
            tab.evaluate("document.documentElement.style.fontSize = '200%'")
            tab.wait_for_timeout(60)  # a script measures the text size
            if (width := tab.evaluate("document.documentElement.scrollWidth")) > PHONE["width"]:
                wide[name] = width
    assert not wide


OPEN_FOLDS = """() => {
  const closed = [...document.querySelectorAll("details:not([open])")];
  for (const fold of closed) fold.open = true;
  return closed.length + document.querySelectorAll("details[open] > [data-folded]").length;
}"""


def test_no_id_appears_twice(browser, server):
    """Folds count, including those loaded when opened."""
    wrong = {}
    with open_tab(browser, server, **LAPTOP) as tab:
        tab.context.add_cookies(device(server.url))
        for name, address in everything(server.url):
            follow(tab, address)
            for _round in range(20):
                if not tab.evaluate(OPEN_FOLDS):
                    break
                tab.wait_for_timeout(50)
            if found := wrong_names(tab):
                wrong[name] = found
    assert not wrong


def test_every_address_is_visited(server):
    shown = "\n".join(f"{name} {address}" for name, address in everything(server.url))
    pages = {str(pattern.name) for pattern in urlpatterns} - ACTS - BEHIND
    missing = [name for name in pages if name.removesuffix("-table") not in shown]
    assert not missing


def test_the_api_documentation_opens_an_operation(page):
    page.goto("/api/v1/docs/")
    page.locator("#operations-tables-record_events .opblock-summary-control").click()
    opened = page.locator("#operations-tables-record_events .opblock-body")
    expect(opened.locator(".responses-table").first).to_be_visible()
    opened.get_by_role("tab", name="Schema").first.click()
    expect(opened.get_by_text("stays face down until the last one is in").first).to_be_visible()
