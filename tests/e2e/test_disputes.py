"""Disputes and rulings in a browser."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import follow
from tests.e2e.scenes import _posted as posted
from tests.e2e.scenes import opened
from tests.e2e.test_for_everybody import complaints
from tests.e2e.test_sharing import phones

PLAYS = [
    {"type": "play", "seat": seat, "cards": [card]}
    for seat, card in ((0, "8MS"), (1, "4WL"), (2, "XM"), (2, "2MK"), (0, "3MW"))
]
TABLE = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2}


@pytest.fixture
def address(server):
    """The address with which a phone can keep the score of a table in its second trick."""
    return opened(server.url, TABLE, PLAYS)


def link(server, address: str, seat: int) -> str:
    path, token = address.split("join/#")
    made = posted(f"{server.url}/api/v1/tables/{path.split('/')[2]}/links/", {"role": "player", "seat": seat}, token)
    return str(made["url"])


def fits(tab: Page) -> None:
    assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


# --- From the table to a ruling: the number of taps, none of them after scrolling


class Thumb:
    """Taps visible elements and counts the taps."""

    def __init__(self, tab: Page) -> None:
        self.tab, self.taps = tab, 0

    def __call__(self, found: Locator) -> None:
        found.wait_for()
        self.tab.wait_for_timeout(400)
        box = found.evaluate("(it) => [it.getBoundingClientRect().top, it.getBoundingClientRect().bottom]")
        assert 0 <= box[0] < box[1] <= 740, f"{found} is not in sight: {box}"
        assert self.tab.evaluate("scrollY") == 0
        found.tap()
        self.taps += 1


def referee(tab: Page) -> Locator:
    return tab.locator(".tools .tool").first


def card(tab: Page, code: str) -> Locator:
    return tab.locator(f'#table button[name=cards][value="{code}"]')


def recorded(tab: Page) -> str:
    return tab.request.get(f"{tab.url.partition('?')[0]}log/").text()


def test_a_proved_revoke_is_ruled_on_in_two_taps(phone, address):
    follow(phone, address)
    thumb = Thumb(phone)
    thumb(card(phone, "7SK"))
    expect(phone.locator(".caught h2").first).to_contain_text("Bob had a")
    thumb(phone.locator(".caught .price", has_text="Let it stand"))
    expect(phone.locator(".caught:visible")).to_have_count(0)
    assert thumb.taps == 2


def test_an_exposed_card_is_ruled_on_in_three_taps(phone, address, screenshot):
    follow(phone, address)
    thumb = Thumb(phone)
    thumb(referee(phone))
    expect(phone.get_by_role("link", name="Card shown")).to_be_visible()
    screenshot(phone, "referee")
    assert complaints(phone) == []
    thumb(phone.get_by_role("link", name="Card shown"))
    thumb(phone.locator("#referee").get_by_role("link", name="Bob"))
    expect(phone.locator("#referee .verdict")).to_contain_text("Bob picks the card up again.")
    assert thumb.taps == 3
    screenshot(phone, "ruling")
    assert complaints(phone) == []
    thumb(phone.get_by_role("button", name="Do it"))
    expect(phone.locator("#referee")).to_be_hidden()
    expect(phone.locator(".felt-foot")).to_contain_text("Bob picks the card up again")


def test_a_misdeal_is_redealt_in_three_taps(phone, server):
    follow(phone, opened(server.url, TABLE, []))
    thumb = Thumb(phone)
    thumb(referee(phone))
    thumb(phone.get_by_role("link", name="Misdeal"))
    expect(phone.locator("#referee .verdict")).to_contain_text("deals again")
    thumb(phone.get_by_role("button", name="Do it"))
    expect(phone.locator("#referee")).to_be_hidden()
    assert thumb.taps == 3
    expect(phone.locator(".felt-foot")).to_contain_text("the same dealer takes all the cards back")
    assert "Misdeal: " in recorded(phone)


def test_a_lead_out_of_turn_is_taken_back_in_three_taps(phone, server, screenshot):
    follow(phone, opened(server.url, TABLE, PLAYS[:3]))
    thumb = Thumb(phone)
    thumb(phone.locator(".sits-1 .plate"))
    thumb(card(phone, "9MS"))
    expect(phone.locator("#message")).to_contain_text("Out of turn")
    expect(phone.locator("#message .button")).to_have_text(["Bob takes it back", "Wrong tap", "It stands"])
    screenshot(phone, "out-of-turn")
    thumb(phone.get_by_role("button", name="Bob takes it back"))
    expect(phone.locator("#message")).to_have_count(0)
    assert thumb.taps == 3
    expect(phone.locator("#waiting")).to_be_hidden()
    assert "Led out of turn: Bob takes the card back" in recorded(phone)
    card(phone, "9MS").tap()
    expect(phone.locator(".felt-foot")).to_contain_text("Cy is ahead")


def test_a_player_stops_play_in_two_taps_without_typing(phone, browser, server, address):
    follow(phone, address)
    with phones(browser, server, [link(server, address, 1)]) as (bob,):
        thumb = Thumb(bob)
        thumb(referee(bob))
        thumb(bob.get_by_role("button", name="We disagree"))
        expect(bob.get_by_role("heading", name="What the record shows")).to_be_visible()
        assert thumb.taps == 2
        expect(phone.locator(".called")).to_contain_text("Bob calls the referee")
        expect(phone.locator(".called")).to_contain_text("play is paused")


def test_a_ruling_a_player_rejects_becomes_a_dispute(phone, browser, server, address, screenshot):
    bobs, cys = (link(server, address, seat) for seat in (1, 2))
    follow(phone, address)
    with phones(browser, server, [bobs, cys]) as (bob, cy):
        referee(phone).tap()
        phone.get_by_role("link", name="Card shown").tap()
        phone.locator("#referee").get_by_role("link", name="Bob").tap()
        phone.get_by_role("button", name="Do it").tap()
        for tab in (bob, cy):
            expect(tab.locator(".just-ruled")).to_contain_text("Bob picks the card up again.")
        screenshot(cy, "just-ruled")
        cy.locator(".just-ruled").get_by_text("I agree", exact=True).tap()
        expect(cy.locator(".just-ruled")).to_be_hidden()
        for tab in (phone, bob, cy):
            expect(tab.get_by_text("Cy agrees.")).to_be_visible()
        bob.get_by_role("button", name="I don’t agree").tap()
        expect(bob.get_by_role("heading", name="“I don’t agree.”")).to_be_visible()
        for tab in (phone, cy):
            expect(tab.locator(".called")).to_contain_text("Bob calls the referee")
        screenshot(bob, "not-agreed")
        phone.locator(".called").tap()
        phone.get_by_role("button", name="Bob is not right").tap()
        expect(bob.locator(".ruling")).to_contain_text("Bob is not right")


# --- A heated dispute on three phones: raised on one, answered on another, shown on the third


def test_three_phones_settle_a_heated_dispute(phone, page, browser, server, address, screenshot):
    bobs, cys = (link(server, address, seat) for seat in (1, 2))
    follow(phone, address)
    table = phone.url.partition("?")[0]
    page.goto(f"{table}screen/")
    with phones(browser, server, [bobs, cys]) as (bob, cy):
        referee(cy).tap()
        cy.get_by_role("link", name="Something else").tap()
        cy.get_by_label("What’s wrong?").fill("Bob, you had a Sun!")
        cy.locator(".point-card", has_text="Bob").last.tap()
        expect(cy.get_by_label("Pause the hand until")).to_be_checked()
        cy.get_by_role("button", name="Settle it").tap()
        expect(cy.get_by_role("heading", name="What the record shows")).to_be_visible()
        expect(cy.locator("#tells")).to_be_visible()
        expect(cy.get_by_text("The record proves no mistake here.")).to_be_visible()
        fits(cy)
        screenshot(cy, "dispute-called")
        for tab in (phone, bob, page):
            expect(tab.locator(".called")).to_contain_text("Cy calls the referee")
            expect(tab.locator(".called")).to_contain_text("play is paused")
            fits(tab)
        screenshot(phone, "dispute-on-the-table")
        phone.locator("button.card[value='7SK']").tap()
        expect(phone.locator("#message")).to_contain_text("The referee was called")
        bob.locator(".called").tap()
        bob.get_by_label("What you offer").fill("One point to Cy.")
        bob.get_by_role("button", name="Make this offer").tap()
        expect(bob.get_by_text("The other side can agree now.")).to_be_visible()
        expect(cy.get_by_text("One point to Cy.")).to_be_visible()
        cy.get_by_role("button", name="I agree", exact=True).tap()
        expect(cy.locator(".ruling")).to_contain_text("decided by both of them")
        screenshot(cy, "dispute-agreed")
        for tab in (phone, page):
            expect(tab.locator(".called")).to_have_count(0)
        phone.goto(table)
        phone.locator("button.card[value='7SK']").tap()
        expect(phone.locator(".caught h2").first).to_contain_text("Bob had a")
        expect(page.locator(".caught h2").first).to_contain_text("Bob had a")
        cy.goto(f"{table}log/")
        expect(cy.locator(".log")).to_contain_text("Dispute 1, agreed: One point to Cy.")
