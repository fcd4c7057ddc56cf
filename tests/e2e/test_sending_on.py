"""An address goes to the others in one tap, at whatever address the table itself is open."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import follow
from tests.e2e.scenes import imported
from tests.e2e.test_for_everybody import complaints, table
from tests.e2e.thumb import Thumb

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
"""At an address without encryption a page has no clipboard."""


def opened(phone, script=""):
    """Open the table's page on a phone of this kind, with all that is there to share."""
    phone.add_init_script(f"delete Navigator.prototype.share; {script}")
    Thumb(phone).open_table(table("ace-trump", 3))
    phone.locator("#share summary").first.tap()
    return phone.locator("#share .address").inner_text()


@pytest.fixture
def button(phone):
    return phone.locator("#share [data-send]")


def test_a_phone_that_can_sends_it(phone, button):
    address = opened(phone, SENDS)
    expect(button).to_have_accessible_name("Send")
    button.tap()
    phone.wait_for_function("window.sent.length === 1")
    assert phone.evaluate("window.sent[0].url") == address


def test_who_closes_the_sheet_wanted_nothing(phone, button):
    opened(phone, CLOSES_THE_SHEET)
    button.tap()
    expect(button).to_be_focused()
    expect(phone.get_by_text("Copied")).to_have_count(0)


def test_another_copies_it(phone, button):
    phone.context.grant_permissions(["clipboard-read", "clipboard-write"])
    address = opened(phone)
    expect(button).to_have_accessible_name("Copy")
    button.tap()
    expect(phone.locator("#share").get_by_text("Copied")).to_be_visible()
    assert phone.evaluate("navigator.clipboard.readText()") == address
    assert complaints(phone) == []


def test_at_home_too(phone, button):
    address = opened(phone, AT_HOME)
    button.tap()
    expect(phone.locator("#share").get_by_text("Copied")).to_be_visible()
    assert phone.evaluate("window.pasted") == address
    expect(button).to_be_focused()


def test_how_a_game_ended_is_sent_with_its_ranking(phone, server):
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


def test_a_new_link_is_sent_like_it(phone):
    opened(phone, SENDS)
    phone.goto(f"{phone.url}share/")
    phone.get_by_role("button", name="Ann", exact=True).tap()
    phone.locator("#made [data-send]").tap()
    phone.wait_for_function("window.sent.length === 1")
    assert phone.evaluate("window.sent[0].url") == phone.locator("#made-url").inner_text()


def test_so_is_an_answer_of_the_referee(phone):
    phone.add_init_script(SENDS)
    phone.goto("/ask/ace-trump/trick/?cards=8MS&cards=XS")
    phone.locator(".to-send [data-send]").tap()
    phone.wait_for_function("window.sent.length === 1")
    assert phone.evaluate("window.sent[0].url") == phone.url


def test_the_picture_of_a_game_is_sent_as_a_photo_or_kept(phone, server):
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
