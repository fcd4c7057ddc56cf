"""Disputes and guided rulings in a browser."""

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
        cy.get_by_label("The hand waits for the ruling").check()
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
        cy.get_by_role("button", name="I agree").tap()
        expect(cy.locator(".ruled")).to_contain_text("decided by both sides")
        screenshot(cy, "dispute-agreed")
        for tab in (phone, page):
            expect(tab.locator(".called")).to_have_count(0)
        phone.goto(table)
        phone.locator("button.card[value='7SK']").tap()
        expect(phone.locator(".caught h2").first).to_contain_text("Revoke: Bob")
        expect(page.locator(".caught h2").first).to_contain_text("Revoke: Bob")
        cy.goto(f"{table}log/")
        expect(cy.locator(".log")).to_contain_text("Dispute 1 agreed: One point to Cy.")


# --- A guided ruling under the thumb: from a table, answer by answer, to what to do now, carried out with one tap

TRUMPED = [
    *(("0", "AY"), ("1", "XY"), ("2", "2SY"), ("1", "5ML"), ("2", "7ML"), ("0", "XM"), ("0", "8MS"), ("1", "4YK")),
    *(("2", "9MS"), ("1", "3MW"), ("2", "6MW"), ("0", "4MS"), ("2", "2WL"), ("0", "4WL"), ("1", "7WY")),
]
"""Bob trumps the third trick although he could follow, and wins it and the fifth."""
SEATS = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2}


class Keeper:
    """Who keeps the score: a phone, and a program that tells the table what was played."""

    def __init__(self, tab: Page) -> None:
        self.tab = tab
        opened = tab.request.post("/api/v1/tables/", data=SEATS).json()
        self.address, token = f"/api/v1/tables/{opened['code']}/", opened["token"]
        self.headers = {"Authorization": f"Bearer {token}"}
        made = tab.request.post(f"{self.address}links/", data={"role": "scorekeeper"}, headers=self.headers).json()
        self.page = f"/t/{opened['code']}/"
        tab.goto(f"{self.page}join/#{made['token']}")
        tab.wait_for_url(f"**{self.page}")

    def record(self, *events: dict[str, object]) -> None:
        """Record what was played; the page follows."""
        done = self.tab.request.post(f"{self.address}events/", data={"events": list(events)}, headers=self.headers)
        assert done.status == 201, done.text()
        self.tab.wait_for_url(f"**{self.page}*")  # the way back from a ruling may still be under way
        self.tab.goto(self.page)


def walk(tab: Page, situation: str, *answers: str) -> None:
    """Go from the table to a ruling, by the answers that the record does not know."""
    tab.get_by_role("link", name="What went wrong?").tap()
    tab.locator(".situation strong", has_text=situation).tap()
    for answer in answers:
        tab.locator(".answer").get_by_text(answer, exact=True).tap()


def back(tab: Page) -> None:
    """Go back to the table."""
    tab.get_by_role("link", name="Ace Trump").tap()


def test_trails_from_a_table_to_what_to_do_now(phone, screenshot):
    keeper = Keeper(phone)
    # a wrong number of cards, before the first card (IR-10)
    walk(phone, "A hand has too many", "Bob")
    expect(phone.locator(".now")).to_contain_text("the same dealer deals again")
    screenshot(phone, "guide-again")
    back(phone)
    keeper.record({"type": "play", "seat": 1, "cards": ["8MS"], "accepted": True})
    # a lead out of turn goes back (IR-8)
    walk(phone, "Somebody led out of turn")
    expect(phone.locator(".now")).to_have_text("Bob takes the card back, and whoever has the lead plays first.")
    phone.get_by_role("button", name="Take it back").tap()
    expect(phone.locator("#table")).to_contain_text("Ann")
    keeper.record(*({"type": "play", "seat": int(seat), "cards": [card]} for seat, card in TRUMPED))
    # a card that was shown (IR-7), a remark (IR-17) and one step back
    walk(phone, "Somebody said too much")
    phone.get_by_role("link", name="One step back").tap()
    phone.get_by_role("link", name="A card was shown").tap()
    phone.locator(".answer").get_by_text("Cy", exact=True).tap()
    expect(phone.locator(".cites")).to_contain_text("IR-7")
    back(phone)
    # a claim that nobody doubts ends the hand (IR-14)
    walk(phone, "Somebody claims", "Cy", "All tricks that are left are mine", "No")
    phone.get_by_role("button", name="They get the rest").tap()
    expect(phone.locator("#table")).to_contain_text("Hand 1 is over")
    # the revoke of the third trick is paid for at the price that was shown (IR-4)
    walk(phone, "Somebody did not follow", "Bob", "Trick 3")
    paying = phone.get_by_role("button", name="Give up tricks")
    expect(paying).to_contain_text("Bob 3 → 1")
    screenshot(phone, "guide-pay")
    paying.tap()
    expect(phone.locator("#table")).to_contain_text("Bob")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
