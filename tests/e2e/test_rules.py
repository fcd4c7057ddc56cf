"""House rules and clauses in a browser."""

import re

from playwright.sync_api import expect

from referee.engine.game import all_games
from tests.e2e.conftest import follow
from tests.e2e.scenes import imported
from tests.e2e.test_for_everybody import complaints
from tests.e2e.thumb import Thumb, plate, shown

# --- A rule opens over the table, and the decision below stays


def test_a_rule_can_be_read_during_a_decision(phone, screenshot):
    thumb = Thumb(phone)
    seats = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy", "Dot"], "first_dealer": 0, "options": {"ties": "early"}}
    thumb.open_table(seats)
    thumb.record({"type": "play", "seat": 1, "cards": ["8MS"]})
    plate(phone, "Ann").tap()
    phone.locator("#table button[value='9MS']").tap()
    decision = phone.locator("#message")
    expect(decision).to_be_visible()
    before = phone.url
    decision.locator("a[href*='#']").last.tap()
    sheet = phone.locator("dialog.rule-sheet")
    expect(sheet).to_be_visible()
    assert complaints(phone) == []
    screenshot(phone, "rule-sheet")
    phone.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(decision).to_be_visible()
    assert phone.url == before
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    phone.locator(".tools").get_by_role("link", name="Referee").tap()
    phone.get_by_role("link", name="Ask about a rule").tap()
    expect(phone.get_by_role("heading", name="Who wins this trick?")).to_be_visible()
    expect(phone.locator(".entered .card[title^='Diplomat']")).to_be_visible()
    phone.get_by_role("link", name="Back to the table").tap()
    shown(phone, 1)


def test_a_rulebook_is_searched_and_printed_on_two_pages(page, screenshot):
    for game in all_games():
        page.goto(f"/games/{game.id}/")
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) <= 2, game.id
    page.goto("/games/ace-trump/")
    page.get_by_label("Find a rule").fill("late bird")
    expect(page.locator(".clause-text")).to_have_count(1)
    page.get_by_role("link", name="An example").click()
    expect(page.locator("dialog.rule-sheet")).to_contain_text("under Late Bird the later one")
    screenshot(page, "rulebook-sheet")


def test_a_table_is_printed_on_two_pages(page, server):
    results = [{"type": "result", "tricks": [number % 4, 3 - number % 4, 9]} for number in range(40)]
    told = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 0}
    end = {"type": "end"}
    hands = [{"events": [each]} for each in results[:-1]] + [{"events": [results[-1], end]}]
    follow(page, imported(server.url, told | {"hands": hands}))
    page.get_by_role("link", name="Print").click()
    expect(page.get_by_role("row", name="Total")).to_be_visible()
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) <= 2


def test_a_first_trick_is_learned_by_tapping(phone, screenshot):
    phone.goto("/games/ace-trump/teach/")
    phone.locator("#guess-3-9WY").tap()
    expect(phone.locator("#step-3 .verdict")).to_contain_text("Not quite.")
    phone.locator("#guess-3-3MW").tap()
    expect(phone.locator("#step-3 .verdict")).to_contain_text("Right!")
    assert phone.url.endswith("/teach/")
    assert complaints(phone) == []
    screenshot(phone, "teach")
