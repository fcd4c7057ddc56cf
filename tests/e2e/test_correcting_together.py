"""Entries that were mistaken for one another are corrected together, by nothing but taps."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_amending import import_here, wide
from tests.e2e.test_for_everybody import complaints
from tests.e2e.test_slips import tap_card
from tests.e2e.thumb import shown

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


def cards_of_the_trick(phone: Page) -> list[str]:
    record = phone.request.get(phone.url.split("?")[0].split("amend/")[0] + "export/json/").json()
    return [event["cards"][0] for event in record["hands"][0]["events"] if event["type"] == "play"]


def correct(phone: Page, wrong: str, right: str) -> None:
    """Tap a card among the keys of the table, and in the sheet the one it really was."""
    tap_card(phone.locator("#table .pad"), wrong)
    expect(phone.locator("#amendment .recorded")).to_be_visible()
    say(phone, right)


def say(phone: Page, right: str) -> None:
    phone.locator(f"#amendment .pad [value='{right}']").tap()


def together(phone: Page) -> None:
    phone.locator("#amendment").get_by_role("link", name="That one was wrong, too").tap()
    expect(phone.locator("#amendment").get_by_role("heading", name="Together with")).to_be_visible()


@pytest.mark.parametrize(("first", "second"), [("2C", "3C"), ("3C", "2C")])
def test_two_cards_that_were_swapped_are_put_right_in_either_order(phone, screenshot, first, second):
    import_here(phone, SWAPPED)
    shown(phone, 7)
    correct(phone, first, second)
    expect(phone.locator("#amendment .message")).to_contain_text("has been played already")
    screenshot(phone, f"swapped-{first}-in-the-way")
    assert complaints(phone) == []
    assert wide(phone) <= 360
    together(phone)
    screenshot(phone, f"swapped-{first}-other")
    assert complaints(phone) == []
    say(phone, first)
    expect(phone.locator("#amendment").get_by_role("heading", name="This changes")).to_be_visible()
    phone.locator("#amendment #save").tap()
    shown(phone, 9)
    assert cards_of_the_trick(phone) == ["3C", "2C", "4C"]


@pytest.mark.parametrize("wrong", [("2C", "3C", "4C"), ("4C", "2C", "3C")])
def test_three_cards_that_changed_places_are_put_right_together(phone, wrong):
    """Ann's, Bob's and Cy's cards were each noted for the next player."""
    import_here(phone, SWAPPED)
    shown(phone, 7)
    meant = {"2C": "3C", "3C": "4C", "4C": "2C"}
    correct(phone, wrong[0], meant[wrong[0]])
    for card in wrong[1:]:
        together(phone)
        expect(phone.locator("#amendment section[aria-labelledby=wrong]")).to_contain_text(f"{card[0]} of clubs")
        say(phone, meant[card])
    phone.locator("#amendment #save").tap()
    shown(phone, 10)
    assert cards_of_the_trick(phone) == ["3C", "4C", "2C"]


HOOKED = """Game: oh-hell
Seats: Ann, Bob, Cy
First dealer: Cy
Option: largest = 2
Option: course = up-down
== Hand 1 ==
Bids: Ann 1, Bob 0, Cy 1
Result: tricks Ann 1, Bob 0, Cy 0
== Hand 2 ==
Turned up: 5H
Bids: Bob 1, Cy 0, Ann 0
"""


def test_a_bid_of_the_dealer_is_judged_with_the_corrected_bid_before_it(phone, screenshot):
    """Bob had said 2: a bid of 1 is lawful then, and 0 is the forbidden one (OH-5)."""
    import_here(phone, HOOKED)
    phone.get_by_text("Log", exact=True).tap()
    phone.get_by_role("link", name="Correct an entry").tap()
    phone.get_by_role("link", name="Bob bids 1").tap()
    phone.locator("#amend button[name=tricks][value='2']").tap()
    expect(phone.locator("#message")).to_contain_text("The hook forbids 0")
    screenshot(phone, "hooked-later")
    assert complaints(phone) == []
    phone.get_by_role("link", name="That one was wrong, too").tap()
    struck = phone.locator("#amend button.struck")
    expect(struck).to_have_count(1)
    expect(struck).to_have_attribute("value", "0")
    phone.locator("#amend button[name=tricks][value='1']").tap()
    expect(phone.get_by_role("heading", name="This changes")).to_be_visible()


def test_a_forbidden_bid_that_was_made_all_the_same_stands_with_the_corrected_one(phone, screenshot):
    import_here(phone, HOOKED)
    phone.get_by_text("Log", exact=True).tap()
    phone.get_by_role("link", name="Correct an entry").tap()
    phone.get_by_role("link", name="Bob bids 1").tap()
    phone.locator("#amend button[name=tricks][value='2']").tap()
    phone.get_by_role("button", name="It was so all the same").tap()
    expect(phone.locator("#amend")).to_contain_text("Now irregular")
    screenshot(phone, "hooked-preview")
    phone.locator("#save").tap()
    shown(phone, 10)
    record = phone.request.get(phone.url.split("?")[0] + "export/json/").json()
    assert [event.get("accepted", False) for event in record["hands"][1]["events"][1:]] == [False, False, True]


@pytest.mark.parametrize("width", [360, 344])
def test_no_key_of_the_sheet_is_too_narrow_for_its_card(phone, width):
    phone.set_viewport_size({"width": width, "height": 740})
    import_here(phone, SWAPPED)
    shown(phone, 7)
    tap_card(phone.locator("#table .pad"), "2C")
    expect(phone.locator("#amendment .pad [value='10H']")).to_be_visible()
    tight = """(cards) => cards.filter((card) => card.scrollWidth > card.clientWidth).map((card) => card.value)"""
    assert phone.locator("#amendment .pad .card").evaluate_all(tight) == []
