"""A whole hand of every game, recorded on a phone with taps alone: no card moves under the thumb, and the score is the
second adjudicator's.
"""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import follow
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
    phone.wait_for_load_state()  # before its style sheets have loaded, a page has another layout
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


def test_cards_are_passed_on_each_players_phone_before_a_whole_hand(phone, second_phone, screenshot):
    told = whole_hand("hearts", 4)
    events, players = told["hands"][0]["events"], range(4)
    passed = [[event["cards"][0] for event in events if event["seat"] == (seat + 1) % 4][:3] for seat in players]
    opened = phone.request.post("/api/v1/tables/import/", data=told | {"hands": []}).json()
    table, head = f"/api/v1/tables/{opened['code']}/", {"Authorization": f"Bearer {opened['token']}"}
    link = phone.request.post(f"{table}links/", headers=head, data={"role": "player", "seat": 0}).json()
    follow(second_phone, f"/t/{opened['code']}/join/#{link['token']}")
    own = Thumb(second_phone)
    form = second_phone.locator("form.ask[data-event=pass-cards]")
    lowest = max(box["y"] + box["height"] for card in form.locator("label.card").all() if (box := card.bounding_box()))
    assert lowest <= (form.locator(".submit").bounding_box() or {})["y"], "no card lies below the button"
    for card in passed[0]:
        own.tap(form.locator("label.card", has=second_phone.locator(f"input[value='{card}']")))
    own.tap(form.locator(".submit .primary"))
    expect(second_phone.locator("#secret")).to_contain_text("You have chosen.")
    screenshot(second_phone, "hearts-passed")
    for seat in (1, 2, 3):
        body = {"type": "pass-cards", "seat": seat, "cards": passed[seat]}
        assert phone.request.post(f"{table}events/", headers=head, data=body).ok
    follow(second_phone, f"/t/{opened['code']}/")
    own.tap(second_phone.locator("#own-cards summary"))
    seen = second_phone.locator("#own-cards .card")
    expect(seen).to_have_count(6)
    follow(phone, f"/t/{opened['code']}/join/#{opened['token']}")
    expect(phone.locator("#own-cards")).to_have_count(0)
    keeper = Thumb(phone)
    keeper.version = int(phone.locator("#table").get_attribute("data-version") or 0)
    for event in events:
        keeper.record(event)
    expected = ORACLES["hearts"](told)["totals"]
    totals = phone.locator(".sheet tfoot tr:first-child td").all_inner_texts()
    assert [int(total.replace("−", "-")) for total in totals] == expected
    assert second_phone.evaluate("document.documentElement.scrollWidth") <= 360
