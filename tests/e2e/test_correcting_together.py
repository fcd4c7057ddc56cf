"""Swapped entries are corrected together with taps alone."""

import pytest
from playwright.sync_api import expect

from tests.e2e.test_amending import wide
from tests.e2e.test_for_everybody import complaints
from tests.e2e.test_slips import tap_card
from tests.e2e.thumb import import_here, shown

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
