"""Disputes in a browser."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import follow
from tests.e2e.scenes import _posted as posted
from tests.e2e.scenes import opened
from tests.e2e.test_sharing import phones

# --- Three phones through a heated dispute: it is called on one, answered on another, and the third shows all of it

PLAYS = [
    {"type": "play", "seat": seat, "cards": [card]}
    for seat, card in ((0, "8MS"), (1, "4WL"), (2, "XM"), (2, "2MK"), (0, "3MW"))
]
TABLE = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2}


@pytest.fixture
def address(server):
    """The address that lets a phone keep the score of a table in its second trick."""
    return opened(server.url, TABLE, PLAYS)


def link(server, address: str, seat: int) -> str:
    path, token = address.split("join/#")
    made = posted(f"{server.url}/api/v1/tables/{path.split('/')[2]}/links/", {"role": "player", "seat": seat}, token)
    return str(made["url"])


def fits(tab: Page) -> None:
    assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_three_phones_settle_a_heated_dispute(phone, page, browser, server, address, screenshot):
    bobs, cys = (link(server, address, seat) for seat in (1, 2))
    follow(phone, address)
    table = phone.url.partition("?")[0]
    page.goto(f"{table}screen/")
    with phones(browser, server, [bobs, cys]) as (bob, cy):
        cy.get_by_role("link", name="Referee", exact=True).tap()
        cy.get_by_label("What is wrong?").fill("Bob, you had a Sun!")
        cy.locator(".point-card", has_text="Bob").last.tap()
        cy.get_by_label("Pause the hand until").check()
        cy.get_by_role("button", name="Call the referee").tap()
        expect(cy.get_by_role("heading", name="What the record tells")).to_be_visible()
        expect(cy.locator("#tells")).to_be_visible()
        expect(cy.get_by_text("Nothing that was recorded contradicts it.")).to_be_visible()
        fits(cy)
        screenshot(cy, "dispute-called")
        for tab in (phone, bob, page):
            expect(tab.locator(".called")).to_contain_text("Cy calls the referee")
            expect(tab.locator(".called")).to_contain_text("the hand waits")
            fits(tab)
        screenshot(phone, "dispute-on-the-table")
        phone.locator("button.card[value='7SK']").tap()
        expect(phone.locator("#message")).to_contain_text("The referee was called")
        bob.locator(".called").tap()
        bob.get_by_label("What you offer").fill("One point to Cy.")
        bob.get_by_role("button", name="Offer it").tap()
        expect(bob.get_by_text("The other side can agree now.")).to_be_visible()
        expect(cy.get_by_text("One point to Cy.")).to_be_visible()
        cy.get_by_role("button", name="Yes").tap()
        expect(cy.locator(".ruling")).to_contain_text("decided by both sides")
        screenshot(cy, "dispute-agreed")
        for tab in (phone, page):
            expect(tab.locator(".called")).to_have_count(0)
        phone.goto(table)
        phone.locator("button.card[value='7SK']").tap()
        expect(phone.locator(".caught h2").first).to_contain_text("Bob had a")
        expect(page.locator(".caught h2").first).to_contain_text("Bob had a")
        cy.goto(f"{table}log/")
        expect(cy.locator(".log")).to_contain_text("Dispute 1 agreed: One point to Cy.")
