"""Presence on every device, and a player's phone that shows that player's view."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_for_everybody import complaints, table
from tests.e2e.test_sharing import phones
from tests.e2e.thumb import Thumb, shown


def keeper(phone: Page, game: str, players: int) -> str:
    Thumb(phone).open_table(table(game, players))
    return phone.url


def link(phone: Page, address: str, name: str) -> str:
    """Make a link on the share sheet, and leave that page open."""
    phone.goto(f"{address}share/")
    phone.get_by_role("button", name=name, exact=True).tap()
    return phone.locator("#made-url").inner_text()


def glyph(tab: Page, name: str):
    """Return the sign that a player's own phone is connected."""
    return tab.locator(".seat", has=tab.locator(".seat-name", has_text=name)).locator(".phone")


def test_a_phones_presence_shows_on_every_device(phone, second_phone, page, browser, server):
    address = keeper(phone, "ace-trump", 3)
    bobs = link(phone, address, "Bob")
    second_phone.goto(address)
    page.goto(f"{address}screen/")
    for tab in (second_phone, page):
        expect(tab.locator("body")).to_have_attribute("data-live", "open")
        expect(glyph(tab, "Bob")).to_be_hidden()
    row = phone.locator(".row", has_text="Bob")
    expect(row.get_by_text("connected")).to_be_hidden()
    with phones(browser, server, [bobs]) as (bob,):
        for tab in (second_phone, page):
            expect(glyph(tab, "Bob")).to_be_visible()
            expect(glyph(tab, "Ann")).to_be_hidden()
        expect(row.get_by_text("connected")).to_be_visible()
        expect(phone.locator(".connected")).to_contain_text("Bob’s phone")
        expect(glyph(bob, "Bob")).to_be_visible()
        assert glyph(second_phone, "Bob").get_attribute("title") == "own phone connected"
    for tab in (second_phone, page):
        expect(glyph(tab, "Bob")).to_be_hidden()
    expect(row.get_by_text("connected")).to_be_hidden()


def test_spectators_and_scorekeepers_are_counted(phone, second_phone, page):
    address = keeper(phone, "ace-trump", 3)
    phone.get_by_role("button", name="Invite").tap()
    told = phone.locator(".connected-list")
    expect(told.locator("[data-present=scorekeepers]")).to_have_text("Keeping score: 1")
    expect(told.locator("[data-present=spectators]")).to_be_hidden()
    second_phone.goto(address)
    page.goto(f"{address}screen/")
    expect(told.locator("[data-present=spectators]")).to_have_text("Watching: 2")
    expect(page.locator("[data-present=spectators]")).to_be_visible()
    second_phone.goto("about:blank")
    expect(told.locator("[data-present=spectators]")).to_have_text("Watching: 1")


def test_presence_stays_when_a_card_is_played(phone, browser, server):
    address = keeper(phone, "ace-trump", 3)
    bobs = link(phone, address, "Bob")
    phone.goto(address)
    with phones(browser, server, [bobs]) as (bob,):
        expect(glyph(phone, "Bob")).to_be_visible()
        assert bob.locator("#table").get_attribute("data-version") == "0"
        phone.evaluate("""() => {
            window.blinks = 0;
            new MutationObserver(() => requestAnimationFrame(() => {
                if (!document.querySelector('.phone[data-present="seat-1"]').checkVisibility()) window.blinks++;
            })).observe(document.getElementById("table"), { attributes: true, childList: true, subtree: true });
        }""")
        phone.locator('#table button[value="8MS"]').tap()
        shown(phone, 1)
        expect(glyph(phone, "Bob")).to_be_visible()
        assert phone.evaluate("window.blinks") == 0


def test_offline_no_one_is_shown_as_connected(phone):
    keeper(phone, "ace-trump", 3)
    phone.get_by_role("button", name="Invite").tap()
    listed = phone.locator("[data-present=scorekeepers]")
    expect(listed).to_be_visible()
    phone.route("**/stream/*", lambda route: route.abort())
    phone.evaluate("dispatchEvent(new Event('online'))")
    expect(phone.locator("body")).to_have_attribute("data-live", "reconnecting")
    expect(listed).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_players_phone_is_accessible(phone, browser, server, scheme):
    address = keeper(phone, "wildcat-chicane", 4)
    made = [link(phone, address, name) for name in ("Ann", "Bob")]
    with phones(browser, server, made) as (ann, bob):
        for tab in (phone, ann, bob):
            tab.emulate_media(color_scheme=scheme)
        bob.get_by_role("button", name="Crown of Moons").tap()
        bob.locator("#peek summary").tap()
        expect(glyph(ann, "Bob")).to_be_visible()
        for tab in (phone, ann, bob):
            assert complaints(tab) == []


def test_only_a_tap_on_a_players_phone_reveals_their_choice(phone, browser, server):
    address = keeper(phone, "ransom-trump", 3)
    made = [link(phone, address, name) for name in ("Ann", "Bob")]
    phone.goto(address)
    with phones(browser, server, made) as (ann, bob):
        expect(ann.locator(".status")).to_have_text("Put a ransom card face down.")
        ann.get_by_role("button", name="Crown of Moons").tap()
        expect(ann.locator("#secret")).to_contain_text("You have chosen.")
        expect(ann.locator("#own-choice")).to_be_hidden()
        ann.locator("#peek summary").tap()
        expect(ann.locator("#own-choice")).to_contain_text("Crown of Moons")
        ann.locator("#change summary").tap()
        ann.get_by_role("button", name="Crown of Suns").tap()
        expect(ann.locator("#own-choice")).to_contain_text("Crown of Suns")
        for other in (phone, bob):
            expect(other.locator("#secret")).to_have_text("Chosen so far: Ann")
            expect(other.locator("#own-choice")).to_have_count(0)


def test_a_phone_announces_its_players_turn_and_all_cards_fit(phone, browser, server):
    address = keeper(phone, "wildcat-chicane", 4)
    made = [link(phone, address, name) for name in ("Bob", "Cy")]
    phone.goto(address)
    thumb = Thumb(phone)
    for seat, card in enumerate(("XM", "AK", "XY", "AW")):
        thumb.record({"type": "ruling-card", "seat": seat, "cards": [card]})
    with phones(browser, server, made) as (bob, cy):
        expect(bob.locator(".seat").first).to_contain_text("BOTTOM")
        expect(bob.locator(".felt")).to_contain_text("Your trump Knots")
        expect(bob.locator(".status")).to_have_text("You bid: how many tricks?")
        expect(cy.locator(".status")).to_have_text("Bob bids: how many tricks?")
        bob.get_by_role("button", name="2", exact=True).tap()
        expect(cy.locator(".status")).to_have_text("You bid: how many tricks?")
        expect(cy.locator("#announce")).to_have_text("You bid: how many tricks?")
        expect(phone.locator(".status")).to_have_text("Cy bids: how many tricks?")
        thumb.version += 1
        for seat in (2, 3, 0):
            thumb.record({"type": "bid", "seat": seat, "tricks": 2})
        expect(bob.locator(".status")).to_have_text("You lead.")
        last = bob.locator("form[data-event=play] .card").last.bounding_box()
        assert last is not None
        assert last["y"] + last["height"] <= 740
        assert bob.evaluate("document.documentElement.scrollWidth") <= 360
