"""A whole hand of every game, recorded on a phone by taps alone: no card moves under the thumb, and the score is what a
second adjudicator says."""

import pytest
from playwright.sync_api import expect

from referee.engine.records import dump_record, load_record
from tests.e2e.test_felt_fits import PLACES, moved
from tests.e2e.thumb import TABLES, Thumb, shown, whole_hand
from tests.games.discovery import ORACLES

pytestmark = pytest.mark.smoke


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_whole_hand_is_recorded_by_taps_and_no_card_moves(phone, screenshot, game, players):
    told = whole_hand(game, players)
    told["seats"] = [f"{name} of the long name" if seat % 2 else name for seat, name in enumerate(told["seats"])]
    events = told["hands"][0]["events"]
    expected = ORACLES[game](told)
    thumb = Thumb(phone)
    thumb.start_table(told)
    phone.wait_for_load_state()  # before its style sheets are there, a page has other places
    before = phone.evaluate(PLACES)
    for position, event in enumerate(events):
        thumb.record(event)
        after = phone.evaluate(PLACES)
        assert moved(before, after) == {}, event
        before = after
        if position == len(events) // 2:
            screenshot(phone, f"{game}-{players}-in-the-middle")
    totals = phone.locator(".sheet tfoot td").all_inner_texts()
    assert [int(total.replace("−", "-")) for total in totals] == expected["totals"]
    for seat in expected["winners"]:
        expect(phone.locator(".winners h2")).to_contain_text(told["seats"][seat])
    expect(phone.locator(".tag.warn")).to_have_count(0)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    if game == "ace-trump":
        assert thumb.taps == len(events) == 36, "one tap a card"
    screenshot(phone, f"{game}-{players}-finished")


def test_the_pad_fits_a_small_phone(phone, screenshot):
    phone.set_viewport_size({"width": 344, "height": 740})
    thumb = Thumb(phone)
    thumb.open_table(dump_record(load_record({"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2})))
    boxes = [card.bounding_box() for card in phone.locator(".pad .card").all()]
    assert len(boxes) == 36
    assert all(box and box["width"] >= 48 and box["height"] >= 48 for box in boxes)
    assert len({round(box["y"]) for box in boxes if box}) == 6
    assert max(box["y"] + box["height"] for box in boxes if box) <= 740
    screenshot(phone, "pad-344")


def test_an_irregular_play_asks_the_table(phone, screenshot):
    thumb = Thumb(phone)
    thumb.open_table(dump_record(load_record({"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2})))
    phone.get_by_text("Someone else played").tap()
    phone.locator("form[data-event=play] .chip", has_text="Cy").tap()
    phone.get_by_role("button", name="Diplomat").tap()
    expect(phone.get_by_role("heading", name="The rules do not allow that")).to_be_visible()
    expect(phone.locator("#message")).to_contain_text("Cy acted out of turn; it was Ann’s turn.")
    screenshot(phone, "ruling")
    phone.get_by_role("button", name="It was played like that").tap()
    shown(phone, 1)
    expect(phone.locator(".status")).to_have_text("Ann’s turn")
    phone.get_by_role("button", name="Undo").tap()
    shown(phone, 2)
    expect(phone.get_by_role("button", name="Diplomat")).to_be_enabled()
    expect(phone.locator("#announce")).to_have_text("Ann’s turn")


def test_another_phone_looks_on(phone, second_phone):
    thumb = Thumb(phone)
    thumb.open_table(dump_record(load_record({"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2})))
    thumb.record({"type": "play", "seat": 0, "cards": ["8MS"]})
    second_phone.goto("/")
    second_phone.get_by_label("Its code").fill(phone.locator(".site .code").inner_text().lower())
    second_phone.get_by_role("button", name="Open").tap()
    expect(second_phone.get_by_role("img", name="Diplomat")).to_be_visible()
    expect(second_phone.locator("main form")).to_have_count(0)
