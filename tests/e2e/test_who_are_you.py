"""A phone is a person: a name is tapped once, and every table of the group knows whose phone it is."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import open_tab
from tests.e2e.test_for_everybody import complaints
from tests.e2e.thumb import Thumb, shown

NAMES = ("Anna", "Ben", "Clara")


def tab(browser, server):
    return open_tab(browser, server, width=360, height=740, has_touch=True, is_mobile=True)


@pytest.fixture
def anna(phone):
    """Anna's phone, which has created a group."""
    phone.goto("/g/new/")
    phone.get_by_label("Name of the group").fill("Thursday")
    for place, name in enumerate(NAMES):
        phone.locator(f"#people-{place}").fill(name)
    phone.get_by_role("button", name="Start the group").tap()
    expect(phone.get_by_role("heading", name="Who are you?")).to_be_visible()
    phone.get_by_role("button", name="Anna").tap()
    phone.wait_for_url(re.compile(r"/g/[A-Z0-9]{8}/$"))
    return phone


@pytest.fixture
def invitation(anna):
    """The link Anna sends to everyone."""
    group = anna.url
    anna.goto(f"{group}links/")
    anna.get_by_role("button", name="Make a link").tap()
    address = anna.locator("#made-url").inner_text()
    anna.goto(group)
    return address


def say(tab, invitation, name):
    """Open a group by its link and tap a name; return the number of taps."""
    thumb = Thumb(tab)
    tab.goto(invitation)
    thumb.tap(tab.locator(".pick-me", has_text=name))
    tab.wait_for_url(re.compile(r"/g/[A-Z0-9]{8}/$"))
    return thumb.taps


def deal(anna, game):
    """Open a table of the group on Anna's phone with the default seating: everyone plays."""
    code = anna.url.rstrip("/").rsplit("/", 1)[1]
    anna.goto(f"/new/{game}/?group={code}")
    anna.locator("#deal").tap()
    shown(anna, 0)
    return anna.url.partition("?")[0]


def test_three_phones_and_a_television_play_a_game(anna, invitation, browser, server, page):
    """Only the group's link is scanned; the television's code grants nothing."""
    with tab(browser, server) as ben, tab(browser, server) as clara, tab(browser, server) as stranger:
        assert say(ben, invitation, "Ben") == 1
        assert say(clara, invitation, "Clara") == 1
        group = anna.url
        table = deal(anna, "ransom-trump")
        page.goto(f"{table}screen/")
        code = page.locator(".code").inner_text().replace("-", "")
        for phone, name in ((ben, "Ben"), (clara, "Clara")):
            thumb = Thumb(phone)
            phone.goto(group)
            thumb.tap(phone.locator(f"a[href*='/t/{code}/']").first)
            expect(phone.locator(".own-phone")).to_be_visible()
            expect(phone.locator(".seat").first).to_contain_text(name)
            assert thumb.taps == 1
        # A secret choice on Ben's phone: his own, and on no other.
        ben.get_by_role("button", name="Crown of Moons").tap()
        expect(ben.locator("#secret")).to_contain_text("You have chosen.")
        for other in (anna, clara, page):
            expect(other.locator("#own-choice")).to_have_count(0)
        expect(clara.locator("#secret")).to_have_text("Chosen so far: Ben")
        # A stranger has read the code from the television.
        stranger.goto(f"/t/{code}/")
        expect(stranger.locator("#pad, form[data-event]")).to_have_count(0)
        stranger.goto(invitation.partition("#")[0])
        expect(stranger.get_by_label("The link")).to_be_visible()
        stranger.goto(f"/t/{code}/who/")
        stranger.locator(".pick-me", has_text="Ben").tap()
        stranger.get_by_role("button", name="Yes, I’m Ben").tap()
        expect(stranger.locator(".watching")).to_contain_text("You asked to join as Ben.")
        assert stranger.locator("form[data-event], #own-choice").count() == 0
        # Anna refuses with one tap, and the pad has not moved.
        line = anna.locator("#asking .asking-line")
        expect(line).to_contain_text("Another phone wants to be Ben’s.")
        line.get_by_role("button", name="No").tap()
        expect(stranger.locator(".watching")).to_contain_text("The scorekeeper said no.")
        expect(ben.locator("#peek")).to_be_visible()


def test_a_guest_is_let_in_with_one_tap(anna, browser, server):
    group, table = anna.url, deal(anna, "ransom-trump")
    before = anna.locator("#table").bounding_box()
    with tab(browser, server) as guest:
        thumb = Thumb(guest)
        guest.goto(table)
        thumb.tap(guest.get_by_role("link", name="I’m playing"))
        thumb.tap(guest.locator(".pick-me", has_text="Ben"))
        expect(guest.locator(".watching")).to_contain_text("Now it’s up to the scorekeeper.")
        line = anna.locator("#asking .asking-line")
        expect(line).to_contain_text("Ben wants to join.")
        assert anna.locator("#table").bounding_box() == before
        assert complaints(anna) == []
        keeper = Thumb(anna)
        keeper.tap(line.get_by_role("button", name="Let in"))
        expect(guest.locator(".own-phone")).to_be_visible()
        assert (thumb.taps, keeper.taps) == (2, 1)
        # From now on it is seen as Ben's phone.
        expect(anna.locator(".seat", has_text="Ben").locator(".phone")).to_be_visible()
        guest.get_by_role("button", name="Crown of Moons").tap()
        expect(guest.locator("#secret")).to_contain_text("You have chosen.")
        # It has a seat at this table, but no access to the group.
        guest.goto(group)
        expect(guest.get_by_text("Thursday")).to_have_count(0)


def test_another_member_takes_over_the_score_with_one_tap(anna, invitation, browser, server):
    with tab(browser, server) as ben, tab(browser, server) as clara:
        for phone, name in ((ben, "Ben"), (clara, "Clara")):
            say(phone, invitation, name)
        table = deal(anna, "ace-trump")
        for phone in (ben, clara):
            phone.goto(table)
            expect(phone.locator(".own-phone")).to_be_visible()
        anna.goto("about:blank")  # its battery is empty
        line = ben.locator(".asking-line")
        expect(line).to_contain_text("The scorekeeper is gone.")
        thumb = Thumb(ben)
        thumb.tap(line.get_by_role("button", name="Keep score here"))
        expect(ben.locator("#table:not(.own-phone)")).to_be_visible()
        assert thumb.taps == 1
        ben.locator('#table button[value="8MS"]').tap()
        shown(ben, 2)
        ben.goto(f"{table}log/")
        expect(ben.locator("main")).to_contain_text("Ben’s phone keeps score from here on")
        expect(ben.locator("main")).to_contain_text("Ben (scorekeeper)")
        anna.goto(table)
        expect(anna.locator(".asking-line")).to_contain_text("Ben’s phone keeps score from here on.")
        anna.locator(".asking-line").get_by_role("button", name="OK").tap()
        expect(anna.locator(".asking-line")).to_have_count(0)


def test_a_phone_turned_off_loses_its_seat_at_once(anna, invitation, browser, server):
    group = anna.url
    with tab(browser, server) as ben:
        say(ben, invitation, "Ben")
        table = deal(anna, "ransom-trump")
        ben.goto(table)
        expect(ben.locator(".own-phone")).to_be_visible()
        anna.goto(f"{group}links/")
        row = anna.locator(".row", has_text="Ben")
        row.locator("summary").tap()
        row.get_by_role("button", name="Yes, turn it off").tap()
        expect(ben.locator(".own-phone")).to_have_count(0)
        expect(ben.locator("form[data-event]")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_who_are_you_question_is_accessible(anna, scheme):
    anna.emulate_media(color_scheme=scheme)
    anna.goto(f"{anna.url}who/")
    assert complaints(anna) == []
