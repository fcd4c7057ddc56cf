"""Sharing links, results and answers, and forgetting tables."""

from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import follow, open_tab
from tests.e2e.scenes import imported
from tests.e2e.test_for_everybody import complaints, table
from tests.e2e.test_taps import open_table as open_trump
from tests.e2e.test_taps import tap, wait_until
from tests.e2e.thumb import SHAKE, Thumb

# --- Ann shares her table with links, and the others choose in secret on their own phones


@contextmanager
def phones(browser, server, addresses):
    """Open each address on its own phone."""
    opened = [open_tab(browser, server, width=360, height=740, has_touch=True, is_mobile=True) for _ in addresses]
    tabs = [each.__enter__() for each in opened]
    try:
        for tab, address in zip(tabs, addresses, strict=True):
            tab.goto(address)
        yield tabs
    finally:
        for each in opened:
            each.__exit__(None, None, None)


def open_table(phone):
    Thumb(phone).open_table(table("ransom-trump", 3))
    return phone.url


def links(phone, table):
    """Make a link for each player, as the page shows it."""
    phone.goto(f"{table}share/")
    made = []
    for name in ("Ann", "Bob", "Cy"):
        phone.get_by_role("button", name=name, exact=True).tap()
        expect(phone.locator("#made-title")).to_have_text(f"Link: {name}")
        expect(phone.locator("#made .qr")).to_have_js_property("complete", True)
        assert phone.locator("#made .qr").evaluate("image => image.naturalWidth") > 100
        assert complaints(phone) == []
        made.append(phone.locator("#made-url").inner_text())
    return made


def test_ransom_cards_are_chosen_in_secret_on_three_phones_and_shown_together(phone, browser, server):
    table = open_table(phone)
    made = links(phone, table)
    phone.goto(table)
    with phones(browser, server, made) as (ann, bob, cy):
        assert [tab.url for tab in (ann, bob, cy)] == [table] * 3
        bob.get_by_role("button", name="Crown of Moons").tap()
        expect(bob.locator("#secret")).to_contain_text("You have chosen.")
        for watcher in (phone, ann, cy):
            expect(watcher.locator("#secret")).to_have_text("Chosen so far: Bob")
            assert watcher.evaluate("document.documentElement.scrollWidth") <= 360
        assert complaints(bob) == []
        bob.locator("#change summary").tap()
        bob.get_by_role("button", name="Crown of Suns").tap()
        ann.get_by_role("button", name="Crown of Suns").tap()
        expect(ann.locator("#secret")).to_contain_text("You have chosen.")
        cy.get_by_role("button", name="Ace of Waves").tap()
        for watcher in (phone, ann, bob, cy):
            expect(watcher.locator("#secret")).to_contain_text("These choices clash: everyone chooses again.")
        ann.get_by_role("button", name="Crown of Moons").tap()
        bob.get_by_role("button", name="Crown of Suns").tap()
        cy.wait_for_timeout(SHAKE)  # sooner, in the same place, it would count as a double tap
        cy.get_by_role("button", name="Ace of Waves").tap()
        for watcher in (phone, ann, bob, cy):
            expect(watcher.locator(".play-cards.turned")).to_have_count(3)
            expect(watcher.locator("#secret")).to_have_count(0)


# --- A device's copy of a table is removed with its right, or on request

COPIES = """caches.open('pages').then((pages) => pages.keys())
    .then((all) => all.map(({ url }) => new URL(url).pathname).sort())"""
ASKED = "performance.getEntriesByType('resource').length"


def kept(phone, path):
    wait_until(phone, f"caches.match('{path}').then(Boolean)")


def close(phone, table):
    """Make a table private."""
    phone.goto(f"{table}share/")
    phone.get_by_role("button", name="Make it private").tap()


def test_a_revoked_device_loses_everything_and_stops_polling(phone, browser, server):
    table = open_table(phone)
    path = "/t/" + table.rstrip("/").rsplit("/", 1)[1] + "/"
    made = links(phone, table)[:1]
    close(phone, table)
    with phones(browser, server, made) as (ann,):
        ann.get_by_role("button", name="Crown of Moons").tap()
        expect(ann.locator("#own-choice")).to_have_count(1)
        typed = path.lower()
        ann.goto(f"{typed}log/")
        ann.goto(f"{path}log/")
        ann.goto("/")
        ann.goto(path)
        expect(ann.locator("#own-choice")).to_have_count(1)
        for page in ("/", path, f"{path}log/"):
            kept(ann, page)
        phone.goto(f"{table}share/")
        phone.get_by_label("Turn off Ann’s link").tap()
        phone.get_by_role("button", name="Yes, turn it off").and_(phone.locator("details[open] button")).tap()
        expect(ann.locator("h1")).to_have_text("Page not found")
        assert not [copy for copy in ann.evaluate(COPIES) if copy.lower().startswith(typed)]
        ann.wait_for_load_state("networkidle")
        asked = ann.evaluate(ASKED)
        ann.wait_for_timeout(3000)
        assert ann.evaluate(ASKED) == asked
        ann.context.set_offline(True)
        for page in (path, f"{path}log/"):
            ann.goto(page)
            expect(ann.locator("body")).not_to_contain_text("Crown of Moons")
            expect(ann.locator("body")).not_to_contain_text("Bob")


def test_a_page_that_slept_through_a_revocation_stops_polling(phone, browser, server):
    """No stream told it: it finds out when it reconnects."""
    table = open_table(phone)
    with phones(browser, server, [table]) as (eve,):
        expect(eve.locator("body")).to_have_attribute("data-live", "open")
        eve.evaluate("dispatchEvent(new Event('pagehide'))")
        close(phone, table)
        eve.evaluate("dispatchEvent(new Event('online'))")
        expect(eve.locator("h1")).to_have_text("Page not found")


def test_a_copy_does_not_contain_the_players_own_choice(phone, browser, server):
    table = open_table(phone)
    with phones(browser, server, links(phone, table)[:1]) as (ann,):
        ann.get_by_role("button", name="Crown of Moons").tap()
        expect(ann.locator("#own-choice")).to_have_count(1)
        ann.reload()
        expect(ann.locator("#own-choice")).to_have_count(1)
        kept(ann, "/t/" + table.rstrip("/").rsplit("/", 1)[1] + "/")
        ann.context.set_offline(True)
        ann.reload()
        expect(ann.locator("#secret")).to_contain_text("You have chosen.")
        expect(ann.locator("#own-choice")).to_have_count(0)
        ann.context.set_offline(False)
        ann.reload()
        expect(ann.locator("#own-choice")).to_have_count(1)


def test_a_table_is_forgotten_on_this_device(phone):
    code = open_trump(phone)
    tap(phone, "8MS")
    kept(phone, f"/t/{code}/")
    phone.goto("/")
    phone.locator("#forget summary").tap()
    assert complaints(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    phone.locator("#forget button").tap()
    expect(phone.locator("#forget")).to_have_count(0)
    assert not [copy for copy in phone.evaluate(COPIES) if code in copy]
    expect(phone.locator("body")).not_to_contain_text("Ann")
    phone.goto(f"/t/{code}/")
    expect(phone.locator("body")).to_contain_text("You are watching.")


# --- An address is shared with one tap, whatever address the table itself is open at

SENDS = """
window.sent = [];
navigator.share = async (what) => { window.sent.push(what); };
"""
CLOSES_THE_SHEET = """
navigator.share = async () => { throw new DOMException("closed", "AbortError"); };
"""
AT_HOME = """
Object.defineProperty(navigator, "clipboard", { value: undefined });
window.pasted = "";
document.addEventListener("copy", () => { window.pasted = document.activeElement.value; });
"""
"""Without TLS a page has no clipboard."""


def opened(phone, script=""):
    """Open the table's page on a phone of this kind, with everything that can be shared."""
    phone.add_init_script(f"delete Navigator.prototype.share; {script}")
    Thumb(phone).open_table(table("ace-trump", 3))
    phone.get_by_role("button", name="Invite").tap()
    expect(phone.locator("#invite .qr")).to_be_visible()
    return phone.locator("#invite .address").inner_text()


@pytest.fixture
def button(phone):
    return phone.locator("#invite [data-send]")


def test_a_phone_with_a_share_sheet_shares(phone, button):
    address = opened(phone, SENDS)
    expect(button).to_have_accessible_name("Send")
    button.tap()
    phone.wait_for_function("window.sent.length === 1")
    assert phone.evaluate("window.sent[0].url") == address


def test_closing_the_share_sheet_shares_nothing(phone, button):
    opened(phone, CLOSES_THE_SHEET)
    button.tap()
    expect(button).to_be_focused()
    expect(phone.get_by_text("Copied")).to_have_count(0)


def test_a_phone_without_a_share_sheet_copies(phone, button):
    phone.context.grant_permissions(["clipboard-read", "clipboard-write"])
    address = opened(phone)
    expect(button).to_have_accessible_name("Copy")
    button.tap()
    expect(phone.locator("#invite").get_by_text("Copied")).to_be_visible()
    assert phone.evaluate("navigator.clipboard.readText()") == address
    assert complaints(phone) == []


def test_sharing_works_on_plain_http_too(phone, button):
    address = opened(phone, AT_HOME)
    button.tap()
    expect(phone.locator("#invite").get_by_text("Copied")).to_be_visible()
    assert phone.evaluate("window.pasted") == address
    expect(button).to_be_focused()


def test_a_final_result_is_shared_with_its_ranking(phone, server):
    phone.context.grant_permissions(["clipboard-read", "clipboard-write"])
    phone.add_init_script("delete Navigator.prototype.share")
    seats = {
        "game": "ace-trump",
        "seats": ["Ann", "Bob", "Cy"],
        "first_dealer": 0,
        "end": {"kind": "hands", "value": 1},
    }
    follow(phone, imported(server.url, seats | {"hands": [{"events": [{"type": "result", "tricks": [3, 4, 5]}]}]}))
    phone.locator(".winners [data-send]").tap()
    expect(phone.locator(".winners").get_by_text("Copied")).to_be_visible()
    sent = phone.evaluate("navigator.clipboard.readText()")
    assert sent == f"Ace Trump: Cy wins. Cy 5, Bob 4, Ann 3\n{phone.url}"


def test_a_new_link_is_shared(phone):
    opened(phone, SENDS)
    phone.goto(f"{phone.url}share/")
    phone.get_by_role("button", name="Ann", exact=True).tap()
    phone.locator("#made [data-send]").tap()
    phone.wait_for_function("window.sent.length === 1")
    assert phone.evaluate("window.sent[0].url") == phone.locator("#made-url").inner_text()


def test_a_referees_answer_is_shared(phone):
    phone.add_init_script(SENDS)
    phone.goto("/ask/ace-trump/trick/?cards=8MS&cards=XS")
    phone.locator(".to-send [data-send]").tap()
    phone.wait_for_function("window.sent.length === 1")
    assert phone.evaluate("window.sent[0].url") == phone.url


def test_the_picture_of_a_game_is_shared_or_saved(phone, server):
    told = table("ace-trump", 3) | {"end": {"kind": "hands", "value": 1}}
    phone.add_init_script("delete Navigator.prototype.canShare;")
    follow(phone, imported(server.url, told | {"hands": [{"events": [{"type": "result", "tricks": [5, 4, 3]}]}]}))
    with phone.expect_download() as kept:
        phone.get_by_role("link", name="Picture").tap()
    assert kept.value.suggested_filename == f"{phone.url.split('/')[4]}.png"
    assert kept.value.path().read_bytes().startswith(b"\x89PNG")
    phone.evaluate("() => { window.sent = []; navigator.canShare = () => true; }")
    phone.evaluate("() => { navigator.share = async ({ files }) => { sent.push(files[0].type); }; }")
    phone.get_by_role("link", name="Picture").tap()
    phone.wait_for_function("() => sent[0] === 'image/png'")
