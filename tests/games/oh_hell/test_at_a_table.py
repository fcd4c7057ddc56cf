"""Oh Hell at a table, from hand to hand."""

import re
from typing import Any

import pytest
from rest_framework.test import APIClient

from scoring.models import Table
from tests.games.oh_hell.telling import THREE, quick
from tests.referee.telling import Json, bids, turn_up
from tests.scoring.conftest import OpenTable, holder, open_table
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.reading import text

# --- Oh Hell at a stored table: secret bids, the course on the page, the log

pytestmark = pytest.mark.django_db
SEATS = ["Ann", "Bob", "Cy"]


def table(**options: object) -> OpenTable:
    return open_table(game="oh-hell", options=THREE | options)


def test_simultaneous_bids_are_secret_until_all_are_in():
    at = table(bidding="together")
    assert at.keeper.post(f"{at.url}events/", turn_up("7H")).status_code == 201
    for bid in bids("2:1 0:1"):
        answer = holder(at.link("player", bid["seat"])).post(f"{at.url}events/", bid)
        assert answer.status_code == 201
        assert "ruling" not in answer.json()
    running = at.keeper.get(at.url).json()
    assert (running["sealed"], running["state"]["hands"][0]["bids"]) == ([0, 2], [None] * 3)
    last = holder(at.link("player", 1)).post(f"{at.url}events/", bids("1:1")[0])
    assert last.status_code == 201  # they add up: there is no hook
    shown = at.keeper.get(at.url).json()["state"]["hands"][0]
    assert (shown["bids"], shown["phase"], shown["irregularities"]) == ([1, 1, 1], "play", [])


def test_the_scorekeeper_enters_the_turned_up_card():
    at = table()
    assert holder(at.link("player", 2)).post(f"{at.url}events/", turn_up("7H")).status_code == 403
    assert at.keeper.post(f"{at.url}events/", turn_up("7H")).status_code == 201


@pytest.fixture
def device() -> Device:
    return Device()


def opened(device: Device) -> str:
    """Open a table through the form with a largest hand of three cards; return its address."""
    return device.open_table("oh-hell", SEATS, 2, **{"option-largest": "3", "end": "course"})


def test_the_page_shows_hand_sizes_turned_card_bids_and_log(device: Device):
    address = opened(device)
    page = text(device.get(address))
    assert "Turn up a card for trump." in page
    assert "The card turned up sets trump. Tap it here." in page
    assert "bid so far" not in page
    assert "One full sequence" in page
    assert device.tap(address, "turn-up", card="7H").status_code == 302
    after = device.get(address)
    assert "Ann bids: how many tricks?" in text(after)
    assert 'aria-label="7 of hearts"' in after.content.decode()
    assert "Turned up: 7 of hearts" in text(device.get(f"{address}log/"))
    device.tap(address, "bid", seat="0", tricks="3")
    assert re.search(r"Tricks bid so far: 3 of \d+\.", text(device.get(address)))


def course(page: str) -> list[tuple[str, str]]:
    """Return the hands of the course as a page shows them: their state and their number of cards."""
    shown = re.search(r'<ol class="course".*?</ol>', page, re.DOTALL)
    return re.findall(r'<li(?: class="(\w+)")?[^>]*>\s*(\d+)', shown.group()) if shown else []


def test_the_course_follows_the_tables_hand_sizes(device: Device):
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


def test_the_suit_of_an_unseen_turned_card_can_be_recorded(device: Device):
    address = opened(device)
    assert device.tap(address, "turn-up", suit="D").status_code == 302
    assert "Trump Diamonds" in " ".join(text(device.get(address)).split())
    assert "Turned up: ? (Diamonds)" in text(device.get(f"{address}log/"))


def test_the_largest_hand_may_be_left_to_the_number_of_players(device: Device):
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


# --- Continuing Oh Hell with others: house rules and course follow the number of players

FIVE = ["Ann", "Bob", "Cy", "Dee", "Eve"]


def oh_hell(seats: list[str], hands: int = 0, **more: Any) -> OpenTable:
    """A table of Oh Hell after this many hands."""
    table = open_table(game="oh-hell", end={"kind": "course"}, seats=seats, **more)
    for _ in range(hands):
        record_hand(table)
    return table


def state(table: OpenTable) -> Json:
    answer: Json = table.keeper.get(table.url).json()["state"]
    return answer


def record_hand(table: OpenTable) -> int:
    """Record the next hand by its bids and result; return its number of cards."""
    coming = state(table)["next"]
    size: int = coming["hand_size"][0]
    table.record(*quick(size, dealer=coming["dealer"], players=len(coming["hand_size"])))
    return size


def test_a_rule_that_does_not_fit_the_player_count_is_named_and_can_be_changed():
    table = oh_hell(FIVE, options={"largest": 10})
    assert table.row.options["largest"] == 10
    answer = table.keeper.post(f"{table.url}continue/", {"seats": [*FIVE, "Flo"]})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/options/largest")
    assert answer.json()["errors"][0]["detail"] == "Largest hand cannot be 10; it takes a whole number from 1 to 8."
    told = state(table.go_on(*FIVE, "Flo", options={"largest": 8}))
    assert (told["options"]["largest"], told["next"]["hand_size"][0]) == (8, 8)


def test_a_rule_can_be_changed_between_two_hands():
    table = oh_hell(FIVE, hands=1)
    table.record({"type": "rules", "options": {"hook": False}})
    options = state(table.go_on(*FIVE, "Flo"))["options"]
    assert (options["largest"], options["hook"]) == (8, False)


@pytest.mark.parametrize(
    ("before", "after", "hands", "sizes"),
    [
        (3, 4, 2, [8, 7]),  # 10 9 | 8 7
        (5, 6, 1, [8, 7]),  # 10 | 9 would follow: limited to the largest
        (5, 6, 4, [6, 5]),
        (6, 5, 2, [6, 5]),
        (5, 6, 11, [3, 4]),  # on the way up
        (5, 6, 17, [8]),  # 9 would follow, then 10: another hand of 8
    ],
)
def test_a_continued_table_continues_its_course_of_hands(before, after, hands, sizes):
    names = [*FIVE, "Flo"]
    table = oh_hell(names[:before], hands).go_on(*names[:after])
    assert [record_hand(table) for _ in sizes] == sizes
    assert state(table)["finished"] == (hands == 17)
    assert state(table)["hands"][0]["hand_of_course"]
    record = table.keeper.get(f"{table.url}record/").json()
    written, cells = (table.keeper.get(f"{table.url}record/?as={form}").content.decode() for form in ("text", "csv"))
    for told_as in (record, {"text": written}, {"csv": cells}):
        opened = table.keeper.post("/api/v1/tables/import/", told_as).json()
        again = OpenTable(opened["code"], opened["token"])
        assert again.keeper.get(f"{again.url}record/").json() == record


@pytest.mark.parametrize(("game", "hands_before"), [("oh-hell", 19), ("ace-trump", 1)])
def test_hands_before_are_allowed_only_in_a_course(game: str, hands_before: int):
    told = {"game": game, "seats": FIVE, "first_dealer": 0, "hands_before": hands_before}
    answer = APIClient().post("/api/v1/tables/", told)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/hands_before")


def test_a_rule_that_does_not_fit_the_new_player_count_is_named(device):
    address = device.open_table("oh-hell", FIVE, **{"option-largest": "9"})
    answer = device.post(f"{address}continue/", {"name": [*FIVE, "Flo"]})
    assert answer.status_code == 422
    assert "Largest hand cannot be 9; it takes a whole number from 1 to 8." in text(answer)
    assert re.search(r'name="option-largest"[^>]* value="8"', answer.content.decode())
    answer = device.post(f"{address}continue/", {"name": [*FIVE, "Flo"], "option-largest": "8"})
    assert answer.status_code == 302
    assert Table.objects.get(previous__isnull=False).options["largest"] == 8
