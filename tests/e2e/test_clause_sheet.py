"""A rule opens over the table, and what is decided below stays."""

from playwright.sync_api import expect

from tests.e2e.test_for_everybody import complaints
from tests.e2e.thumb import Thumb, shown


def test_a_rule_is_read_in_the_middle_of_a_decision(phone, screenshot):
    thumb = Thumb(phone)
    seats = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy", "Dot"], "first_dealer": 0, "options": {"ties": "early"}}
    thumb.open_table(seats)
    thumb.record({"type": "play", "seat": 1, "cards": ["8MS"]})
    phone.get_by_text("somebody else").tap()
    phone.locator(".who .chip").nth(0).tap()
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
    phone.get_by_role("link", name="Ask the referee").tap()
    expect(phone.get_by_role("heading", name="Who wins this trick?")).to_be_visible()
    expect(phone.locator(".entered .card[title^='Diplomat']")).to_be_visible()
    phone.get_by_role("link", name="Back to the table").tap()
    shown(phone, 1)
