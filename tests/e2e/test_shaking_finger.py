"""A shaking finger: a double tap acts once, whatever has moved under it meanwhile."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pads import SUITS
from tests.e2e.thumb import SHAKE, Thumb, import_here, shown

RUNNING = """Game: ace-trump
Seats: Anna, Ben, Clara
First dealer: Clara
== Hand 1 ==
1. Anna 8MS, Ben XS, Clara XM
2. Clara 9MS
"""
OVER = """Game: ace-trump
Seats: Anna, Ben, Clara
First dealer: Clara
== Hand 1 ==
Result: tricks Anna 4, Ben 4, Clara 4
"""


def shake(phone: Page, selector: str, pause: int) -> None:
    """Tap twice in one place."""
    box = phone.locator(selector).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    phone.touchscreen.tap(x, y)
    phone.wait_for_timeout(pause)
    phone.touchscreen.tap(x, y)


def rows(phone: Page) -> int:
    return int(phone.locator("#table").get_attribute("data-version") or 0)


@pytest.mark.parametrize("pause", [0, 30, 60, 150])
def test_undo_tapped_twice_removes_one_entry(phone, pause):
    import_here(phone, RUNNING)
    shown(phone, 4)
    shake(phone, "#undo", pause)
    shown(phone, 5)
    phone.wait_for_timeout(500)
    assert rows(phone) == 5
    phone.locator("#undo").tap()  # after a pause, undo goes further back
    shown(phone, 6)


def test_a_waiting_undo_is_not_sent_twice(phone):
    import_here(phone, RUNNING)
    shown(phone, 4)
    phone.context.set_offline(True)
    phone.locator("#undo").tap()
    phone.wait_for_timeout(500)
    phone.locator("#undo").tap()
    phone.context.set_offline(False)
    shown(phone, 5)
    phone.wait_for_timeout(700)
    assert rows(phone) == 5


def bid(seat):
    return {"type": "bid", "seat": seat, "tricks": 1}


def laid(kind, *cards):
    return [{"type": kind, "seat": seat, "cards": [card]} for seat, card in enumerate(cards)]


RANSOM = laid("ransom", "XM", "AK", "XY")
RULING = laid("ruling-card", "XM", "AK", "XY")
PASSING = {
    "a bid at Ace Trump": ("ace-trump", {"bidding": True}, [], "button[name=tricks][value='1']"),
    "the last bid, where cards come": (
        "ace-trump",
        {"bidding": True},
        [bid(1), bid(2)],
        "button[name=tricks][value='1']",
    ),
    "a bid at Ransom Trump": ("ransom-trump", {"bidding": True}, RANSOM, "button[name=tricks][value='1']"),
    "a bid at Wildcat Chicane": ("wildcat-chicane", {}, RULING, "button[name=tricks][value='1']"),
    "a bid at Oh Hell": ("oh-hell", {}, [{"type": "turn-up", "card": "5H"}], "button[name=tricks][value='1']"),
    "a suit at American Deuce": ("american-deuce", {}, [], "form[data-event=suit] button[value=S]"),
    "a pass": ("american-deuce", {}, [*SUITS, {"type": "play", "seat": 0, "cards": ["7S"]}], "#do-pass"),
    "a card": ("ace-trump", {}, [], "#table button[name=cards][value='8MS']"),
    "a card of several": ("american-deuce", {}, SUITS, "form[data-event=play] label.card:has([value='7S'])"),
    "a card at Ace Pit": ("ace-pit", {}, [], "#table .pad .card >> nth=20"),
    "who won the trick": ("ace-trump", {}, [], "form[data-event=trick] button >> nth=0"),
}
PLAYERS = {"american-deuce": 4, "ace-pit": 2}


def about_to(phone, name):
    """Open a table at which this comes next; return the thumb and the element to tap."""
    game, options, events, target = PASSING[name]
    players = PLAYERS.get(game, 3)
    seats = ["Ann", "Bob", "Cy", "Dee"][:players]
    thumb = Thumb(phone)
    thumb.open_table({"game": game, "seats": seats, "first_dealer": 0, "options": options})
    for event in events:
        thumb.record(event)
    if name == "who won the trick":
        phone.locator("details:has(form[data-event=trick]) > summary").tap()
    phone.locator(target).scroll_into_view_if_needed()
    phone.wait_for_timeout(SHAKE)
    return thumb, target


@pytest.mark.parametrize("pause", [0, 30, 80, 200])
@pytest.mark.parametrize("name", PASSING)
def test_a_double_tap_does_not_act_for_the_next_player(phone, name, pause):
    thumb, target = about_to(phone, name)
    shake(phone, target, pause)
    shown(phone, thumb.version + 1)
    phone.wait_for_timeout(SHAKE)
    assert rows(phone) == thumb.version + 1
    expect(phone.locator("#amendment")).to_be_hidden()
    expect(phone.locator("#message")).to_have_count(0)


def test_fast_taps_play_cards_for_successive_players(phone):
    """Tapping the same button again at once is deliberate if cards were selected in between."""
    thumb, target = about_to(phone, "a card of several")
    phone.locator(".single-or-several .chip", has_text="Several").tap()
    cards = [phone.locator(target.replace("7S", card)) for card in ("7S", "7H", "8S", "8H")]
    boxes = [button.bounding_box() for button in (*cards, phone.locator("form[data-event=play] .submit .primary"))]
    first, second, third, fourth, play = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    for version, pair in enumerate([(first, second), (third, fourth)], thumb.version + 1):
        for place in (*pair, play):
            phone.touchscreen.tap(*place)
        shown(phone, version)


@pytest.mark.parametrize("seconds", [0.1, 0.3, 1])
def test_a_double_tap_acts_once_on_a_slow_server(phone, seconds):
    thumb, target = about_to(phone, "a bid at Oh Hell")

    def wait(route):
        phone.wait_for_timeout(1000 * seconds)
        route.continue_()

    phone.route("**/record/", wait)
    shake(phone, target, 60)
    shown(phone, thumb.version + 1)
    phone.wait_for_timeout(700)
    assert rows(phone) == thumb.version + 1


def test_offline_double_taps_act_once_each(phone):
    thumb, target = about_to(phone, "a bid at Ace Trump")
    phone.context.set_offline(True)
    for _ in range(2):
        shake(phone, target, 60)
        phone.wait_for_timeout(SHAKE)
    phone.context.set_offline(False)
    shown(phone, thumb.version + 2)
    phone.wait_for_timeout(700)
    assert rows(phone) == thumb.version + 2


def test_the_next_player_may_bid_the_same_a_moment_later(phone):
    thumb, _ = about_to(phone, "a bid at Ace Trump")
    for seat in (1, 2, 0):
        thumb.record(bid(seat))
    log = phone.request.get(f"/api/v1/tables/{phone.url.split('/')[4]}/events/").json()["events"]
    assert [entry["event"]["seat"] for entry in log] == [1, 2, 0]


def test_holding_a_key_bids_once(phone):
    thumb, target = about_to(phone, "a bid at Ace Trump")
    phone.locator(target).focus()
    for _ in range(8):
        phone.keyboard.down("Enter")  # the key repeats
        phone.wait_for_timeout(100)
    phone.keyboard.up("Enter")
    shown(phone, thumb.version + 1)
    phone.wait_for_timeout(500)
    assert rows(phone) == thumb.version + 1


@pytest.mark.parametrize("pause", [0, 60])
def test_a_second_tap_on_next_hand_plays_no_card(phone, pause):
    import_here(phone, OVER)
    shown(phone, 1)
    shake(phone, ".next-hand > summary", pause)
    phone.wait_for_timeout(700)
    assert rows(phone) == 1
    expect(phone.locator(".table-main .pad .card").first).to_be_visible()


def test_ending_a_game_needs_a_deliberate_second_tap(phone, screenshot):
    import_here(phone, OVER)
    shown(phone, 1)
    shake(phone, ".end-game > summary", 60)
    phone.wait_for_timeout(500)
    assert rows(phone) == 1
    expect(phone.locator(".ends p")).to_be_visible()
    screenshot(phone, "end-game")
    shake(phone, "#end-game", 60)
    shown(phone, 2)
    phone.wait_for_timeout(500)
    assert rows(phone) == 2
    expect(phone.locator(".winners")).to_be_visible()


def test_the_first_card_of_a_hand_has_a_fixed_place(phone):
    import_here(phone, OVER)
    shown(phone, 1)
    phone.locator(".next-hand > summary").tap()
    phone.wait_for_timeout(400)
    first = phone.locator(".table-main .pad .card").first
    before = first.bounding_box()
    first.tap()
    shown(phone, 2)
    after = phone.locator(".table-main .pad .card").first.bounding_box()
    assert before is not None
    assert after is not None
    assert before["y"] == after["y"]


def test_more_house_rules_open_on_the_first_press_after_typing_names(page):
    page.goto("/new/ace-trump/")
    page.locator("#name-0").fill("Anna")
    page.locator("#name-1").click()
    page.keyboard.type("Ben")
    page.locator("#more-rules > summary").evaluate("(fold) => fold.scrollIntoView({ block: 'center' })")
    box = page.locator("#more-rules > summary").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.wait_for_timeout(300)  # the sentence of the rules is redrawn meanwhile
    page.mouse.up()
    page.wait_for_timeout(600)
    expect(page.locator("#more-rules")).to_have_attribute("open", "")


def test_more_house_rules_stay_open_when_the_sentence_is_redrawn(phone):
    phone.goto("/new/ace-trump/")
    phone.locator("#name-0").fill("Anna")
    phone.locator("#name-1").tap()
    phone.keyboard.type("Ben")
    phone.locator("#more-rules > summary").tap()
    phone.wait_for_timeout(900)
    expect(phone.locator("#more-rules")).to_have_attribute("open", "")


@pytest.mark.parametrize("pause", [60, 150, 250])
def test_a_toggle_button_reacts_once_to_a_double_tap(phone, pause):
    import_here(phone, OVER)
    shown(phone, 1)
    phone.locator("#more > summary").tap()
    menu = phone.locator("#more")
    fold = menu.locator("summary", has_text="Announce revokes only")
    below = menu.get_by_role("link", name="Change players").bounding_box()
    assert below
    assert below["y"] >= fold.evaluate("(fold) => fold.parentElement.getBoundingClientRect().bottom") + 8
    fold.tap()
    phone.wait_for_timeout(500)  # the fold has opened
    button = "form[data-event=hold-findings] button"
    phone.locator(button).scroll_into_view_if_needed()
    shake(phone, button, pause)
    shown(phone, 2)
    phone.wait_for_timeout(700)
    assert rows(phone) == 2
