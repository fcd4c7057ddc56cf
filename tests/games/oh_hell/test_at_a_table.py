"""Oh Hell at a stored table: bids in secret, the course on the page, what the log says."""

import re

import pytest

from tests.games.oh_hell.telling import turn_up
from tests.referee.telling import Json
from tests.scoring.conftest import OpenTable, holder, open_table
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.reading import text

pytestmark = pytest.mark.django_db
SEATS = ["Ann", "Bob", "Cy"]


def table(**options: object) -> OpenTable:
    """Open a table of three whose largest hand has three cards."""
    return open_table(game="oh-hell", seats=SEATS, first_dealer=2, options={"largest": 3, **options})


def bid(seat: int, tricks: int) -> Json:
    """Return the event of a bid."""
    return {"type": "bid", "seat": seat, "tricks": tricks}


def test_bids_made_together_are_chosen_in_secret_and_shown_at_once():
    at = table(bidding="together")
    url = f"/api/v1/tables/{at.code}/"
    assert holder(at.token).post(f"{url}events/", turn_up("7H")).status_code == 201
    players = [holder(at.link("player", seat)) for seat in range(3)]
    for seat, tricks in ((2, 1), (0, 1)):
        answer = players[seat].post(f"{url}events/", bid(seat, tricks))
        assert answer.status_code == 201
        assert "ruling" not in answer.json()
    running = holder(at.token).get(url).json()
    assert (running["sealed"], running["state"]["hands"][0]["bids"]) == ([0, 2], [None] * 3)
    assert players[1].post(f"{url}events/", bid(1, 1)).status_code == 201  # they add up: there is no hook
    shown = holder(at.token).get(url).json()["state"]["hands"][0]
    assert (shown["bids"], shown["phase"], shown["irregularities"]) == ([1, 1, 1], "play", [])


def test_a_card_is_turned_up_by_whoever_keeps_the_score():
    at = table()
    url = f"/api/v1/tables/{at.code}/"
    assert holder(at.link("player", 2)).post(f"{url}events/", turn_up("7H")).status_code == 403
    assert holder(at.token).post(f"{url}events/", turn_up("7H")).status_code == 201


@pytest.fixture
def device() -> Device:
    """The device of whoever opens tables."""
    return Device()


def opened(device: Device, **rules: str) -> str:
    """Open a table through the form, the largest hand of three cards, and return its address."""
    chosen = {"option-largest": "3", "end": "course"} | {f"option-{key}": value for key, value in rules.items()}
    return device.open_table("oh-hell", SEATS, 2, **chosen)


def test_the_page_shows_the_course_the_card_and_the_log(device: Device):
    address = opened(device)
    page = text(device.get(address))
    assert "Next: Card turned up" in page
    assert "One course of hands" in page
    assert device.tap(address, "turn-up", card="7H").status_code == 302
    after = device.get(address)
    assert "Ann’s turn" in text(after)
    assert 'aria-label="7 of hearts"' in after.content.decode()
    assert "Turned up: 7 of hearts" in text(device.get(f"{address}log/"))


def course(page: str) -> list[tuple[str, str]]:
    """Return the hands of the course as a page shows them: how, and how many cards."""
    shown = re.search(r'<ol class="course".*?</ol>', page, re.DOTALL)
    return re.findall(r'<li(?: class="(\w+)")?[^>]*>\s*(\d+)', shown.group()) if shown else []


def test_the_course_is_as_long_as_the_table_plays(device: Device):
    by_course = device.get(opened(device)).content.decode()
    assert course(by_course) == [("now", "3"), ("", "2"), ("", "1"), ("", "2"), ("", "3")]
    address = device.open_table("oh-hell", SEATS, 2, **{"option-largest": "3", "end": "hands", "end-hands": "2"})
    assert course(device.get(address).content.decode()) == [("now", "3"), ("", "2")]
    for seat in range(3):
        device.tap(address, "bid", seat=str(seat), tricks="0")
    device.tap(address, "result", tricks=["3", "0", "0"])
    assert course(device.get(address).content.decode()) == [("done", "3"), ("now", "2")]
    device.tap(address, "end", reason="late")
    assert course(device.get(address).content.decode()) == [("done", "3")]


def test_of_a_card_that_nobody_saw_its_suit_is_recorded(device: Device):
    address = opened(device)
    assert device.tap(address, "turn-up", suit="D").status_code == 302
    assert "Trump Diamonds" in " ".join(text(device.get(address)).split())
    assert "Turned up: ? (Diamonds)" in text(device.get(f"{address}log/"))


def test_a_form_may_leave_the_largest_hand_to_the_number_of_players(device: Device):
    address = device.open_table(
        "oh-hell", [*SEATS, "Dot", "Eve", "Flo", "Gus"], 0, **{"option-largest": "", "end": "course"}
    )
    course = device.get(f"/api/v1/tables/{address.split('/')[2]}/").json()["state"]["course"]
    assert course == [7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7]
    crowded = device.post(
        "/new/oh-hell/", {"name": [*SEATS, "Dot", "Eve"], "dealer": "0", "end": "course", "option-largest": "11"}
    )
    assert crowded.status_code == 422
    assert "a whole number from 1 to 10" in text(crowded)


def test_what_is_bid_so_far_is_counted_and_what_to_turn_up_is_said(device: Device):
    address = opened(device)
    page = text(device.get(address))
    assert "Turn the next card up: its suit is trump." in page
    assert "Bid so far" not in page
    device.tap(address, "turn-up", card="4H")
    device.tap(address, "bid", seat="0", tricks="3")
    assert re.search(r"Bid so far: 3 of \d+ tricks\.", text(device.get(address)))
