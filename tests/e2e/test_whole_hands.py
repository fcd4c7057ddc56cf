"""A whole hand of every game, recorded on a phone by taps alone: no card moves under the thumb, and the score is what a
second adjudicator says."""

import pytest
from playwright.sync_api import expect

from tests.e2e.test_felt_fits import PLACES, moved
from tests.e2e.thumb import TABLES, Thumb, totals, whole_hand
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
    assert totals(phone) == expected["totals"]
    for seat in expected["winners"]:
        expect(phone.locator("#outcome")).to_contain_text(told["seats"][seat])
    expect(phone.locator(".tag.warn")).to_have_count(0)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    if game == "ace-trump":
        assert thumb.taps == len(events) == 36, "one tap a card"
    screenshot(phone, f"{game}-{players}-finished")
