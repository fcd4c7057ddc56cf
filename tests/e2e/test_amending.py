"""Correcting a wrong card in three taps, with a preview of what that changes, and swapped ones together."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_for_everybody import complaints
from tests.e2e.test_slips import tap_at, tap_card
from tests.e2e.thumb import import_here, shown

TEXT = """Game: ace-trump
Seats: Ann, Bob, Cy
First dealer: Cy
== Hand 1 ==
Result: tricks Ann 4, Bob 4, Cy 4
== Hand 2 ==
1. Bob 8MS, Cy 3MW, Ann XS
2. Ann 9MS, Bob 2MK, Cy 4MS
Note: the window was open
Penalty: Cy -3 "late"
"""


def wide(phone: Page) -> int:
    return int(phone.evaluate("document.documentElement.scrollWidth"))


def test_a_wrong_card_is_corrected_in_three_taps(phone, screenshot):
    import_here(phone, TEXT)
    shown(phone, 9)
    screenshot(phone, "amend-0-table")
    phone.locator(".before .plays-link").first.evaluate("(link) => link.click()")  # as without the script
    expect(phone.locator("#trick-2")).to_be_in_viewport(ratio=1)
    screenshot(phone, "amend-1-trick")
    assert complaints(phone) == []
    phone.locator("#trick-2 .entry", has_text="Bob").tap()
    expect(phone.get_by_role("heading", name="What was it really?")).to_be_visible()
    screenshot(phone, "amend-2-card")
    assert complaints(phone) == []
    assert wide(phone) <= 360
    phone.locator(".pad [value=XM]").tap()
    expect(phone.get_by_role("heading", name="What changes")).to_be_visible()
    expect(phone.locator(".changes")).to_contain_text("Bob 4 to 5")
    expect(phone.locator(".changes")).to_contain_text("Trick 2: Bob instead of Ann")
    screenshot(phone, "amend-3-preview")
    assert complaints(phone) == []
    phone.get_by_role("button", name="Save correction").tap()
    shown(phone, 10)
    expect(phone.locator(".sheet tfoot td").nth(1)).to_have_text("5")
    phone.get_by_text("Download", exact=True).tap()
    screenshot(phone, "amend-4-saved")
    with phone.expect_download() as download:
        phone.get_by_role("link", name="Text", exact=True).tap()
    assert "2. Ann 9MS, Bob XM, Cy 4MS" in download.value.path().read_text(encoding="utf-8")


def test_a_hand_can_be_browsed_and_an_entry_deleted(phone, screenshot):
    import_here(phone, TEXT)
    phone.get_by_text("Log", exact=True).tap()
    phone.get_by_role("link", name="Correct an entry").tap()
    phone.wait_for_url("**/amend/")
    screenshot(phone, "amend-hand")
    assert complaints(phone) == []
    phone.get_by_role("link", name="Cy: −3 points (late)").tap()
    phone.wait_for_url("**/amend/*/")
    screenshot(phone, "amend-penalty")
    assert complaints(phone) == []
    phone.get_by_role("link", name="Delete this entry").tap()
    expect(phone.locator(".changes")).to_contain_text("Cy 1 to 4")
    screenshot(phone, "amend-strike")
    phone.get_by_label("Note").fill("she was not")
    phone.get_by_role("button", name="Save correction").tap()
    shown(phone, 10)
    phone.get_by_text("Log", exact=True).tap()
    expect(phone.locator(".log").first).to_contain_text("she was not")


ASTRAY = """Game: ace-trump
Seats: Anna, Ben, Clara, Dominik
First dealer: Dominik
== Hand 1 ==
1. Anna 8MS, Ben XS, Clara XM, Dominik 2MK
2. Clara 9MS, Dominik 4MS, Anna 5SW, Ben 6SY
3. Clara 5YK
"""
"""Clara's 3MW was tapped as XM, so later cards are recorded for the wrong players."""


def lie(phone: Page) -> list[str]:
    """Return the player shown with each card on the table."""
    return phone.locator(".seat:has(.before .card) .seat-name").all_inner_texts()


def correct_clara(phone: Page, text: str) -> None:
    """Import a record and look at what her right card changes."""
    import_here(phone, text)
    phone.get_by_text("Tricks of this hand").tap()
    phone.get_by_role("link", name="Correct trick 1").tap()
    phone.locator("#trick-1 .entry", has_text="Clara").tap()
    phone.locator(".pad [value='3MW']").tap()


def test_a_slip_that_moved_a_trick_is_corrected_with_the_later_cards(phone, screenshot):
    correct_clara(phone, ASTRAY)
    expect(phone.locator(".changes")).to_contain_text("Trick 1: Ben instead of Clara")
    expect(phone.locator(".moved li li")).to_have_count(5)
    expect(phone.locator(".moved li li").first).to_contain_text("Ben")
    screenshot(phone, "rethread-preview")
    assert complaints(phone) == []
    assert wide(phone) <= 360
    phone.get_by_role("button", name="Do it").tap()
    shown(phone, 15)
    assert lie(phone) == ["Ben"]
    screenshot(phone, "rethread-done")


def test_later_entries_that_no_longer_fit_are_corrected_in_turn(phone, screenshot):
    """The first card that does not fit is asked about; those behind it follow by themselves."""
    correct_clara(phone, ASTRAY.replace("3. Clara 5YK", "3. Clara 5YK, Dominik 3MW, Anna 7SK"))
    expect(phone.locator("#message")).to_contain_text("up to here: Dominik plays")
    screenshot(phone, "rethread-stuck")
    assert complaints(phone) == []
    phone.get_by_role("button", name="Undo back to here").tap()
    expect(phone.get_by_role("heading", name="Taken back: tap these again")).to_be_visible()
    screenshot(phone, "rethread-struck")
    assert complaints(phone) == []
    phone.get_by_role("button", name="Do it").tap()
    shown(phone, 19)
    expect(phone.locator("#message")).to_be_visible()
    screenshot(phone, "rethread-waiting")
    assert complaints(phone) == []
    phone.get_by_role("button", name="Tap another instead").tap()
    phone.locator(".table-main .pad [value='4WL']").tap()
    shown(phone, 21)
    assert lie(phone) == ["Ben", "Clara", "Dominik"]


def test_a_gray_key_tells_who_played_its_card_from_the_keyboard_beside_an_open_log_too(phone):
    import_here(phone, ASTRAY)
    shown(phone, 9)
    phone.get_by_text("Log", exact=True).tap()
    expect(phone.get_by_role("link", name="Correct an entry")).to_be_visible()
    phone.locator("#table .pad [value=XM]").focus()
    phone.keyboard.press("Enter")
    expect(phone.locator("#amendment .recorded")).to_contain_text("Clara plays")
    assert phone.evaluate("document.querySelectorAll('#amend').length") == 1
    phone.keyboard.press("Escape")
    expect(phone.locator("#amendment")).to_be_hidden()
    shown(phone, 9)


@pytest.mark.parametrize("where", ["#table .before [title*=Castle]", "#table .pad [value=XM]"])
def test_any_card_tells_who_played_it_and_can_be_corrected_in_place(phone, screenshot, where):
    import_here(phone, ASTRAY.replace("Clara 5YK", "Clara 7SK"))
    shown(phone, 9)
    phone.evaluate("window.stays = true")
    address = phone.url
    tap_at(phone.locator(where))
    sheet = phone.locator("#amendment")
    expect(sheet.locator(".recorded")).to_contain_text("Clara plays")
    expect(sheet.locator(".recorded")).to_contain_text("Trick")
    screenshot(phone, f"played-{'lying' if 'before' in where else 'grey'}")
    assert complaints(phone) == []
    assert wide(phone) <= 360
    sheet.locator(".pad [value='3MW']").tap()
    expect(sheet.get_by_role("heading", name="What changes")).to_be_visible()
    expect(sheet.locator("#save")).to_be_in_viewport(ratio=1)
    screenshot(phone, f"played-preview-{'lying' if 'before' in where else 'grey'}")
    sheet.locator("#save").tap()
    expect(sheet).to_be_hidden()
    shown(phone, 15 if "pad" in where else 10)
    assert phone.evaluate("window.stays")
    assert phone.url == address
    phone.locator(".table-main .pad button:not(.gone)").first.tap()
    shown(phone, 16 if "pad" in where else 11)


# --- Swapped entries are corrected together

SWAPPED = """Game: oh-hell
Seats: Ann, Bob, Cy
First dealer: Cy
Option: largest = 3
Option: course = down
== Hand 1 ==
Turned up: 5H
Bids: Ann 1, Bob 1, Cy 0
1. Ann 2C, Bob 3C, Cy 4C
"""


@pytest.mark.parametrize(("first", "second"), [("2C", "3C"), ("3C", "2C")])
def test_two_swapped_cards_are_corrected_in_either_order(phone, screenshot, first, second):
    import_here(phone, SWAPPED)
    shown(phone, 7)
    sheet = phone.locator("#amendment")
    tap_card(phone.locator("#table .pad"), first)
    expect(sheet.locator(".recorded")).to_be_visible()
    sheet.locator(f".pad [value='{second}']").tap()
    expect(sheet.locator(".message")).to_contain_text("has already been played")
    screenshot(phone, f"swapped-{first}-in-the-way")
    assert complaints(phone) == []
    assert wide(phone) <= 360
    sheet.get_by_role("link", name="That one was wrong too").tap()
    expect(sheet.get_by_role("heading", name="Together with")).to_be_visible()
    screenshot(phone, f"swapped-{first}-other")
    assert complaints(phone) == []
    sheet.locator(f".pad [value='{first}']").tap()
    expect(sheet.get_by_role("heading", name="What changes")).to_be_visible()
    sheet.locator("#save").tap()
    shown(phone, 9)
    record = phone.request.get(phone.url.split("?")[0].split("amend/")[0] + "export/json/").json()
    played = [event["cards"][0] for event in record["hands"][0]["events"] if event["type"] == "play"]
    assert played == ["3C", "2C", "4C"]


@pytest.mark.parametrize("width", [360, 344])
def test_no_key_on_the_sheet_is_too_narrow_for_its_card(phone, width):
    phone.set_viewport_size({"width": width, "height": 740})
    import_here(phone, SWAPPED)
    shown(phone, 7)
    tap_card(phone.locator("#table .pad"), "2C")
    expect(phone.locator("#amendment .pad [value='10H']")).to_be_visible()
    tight = """(cards) => cards.filter((card) => card.scrollWidth > card.clientWidth).map((card) => card.value)"""
    assert phone.locator("#amendment .pad .card").evaluate_all(tight) == []
