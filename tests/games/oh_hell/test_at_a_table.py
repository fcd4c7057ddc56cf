"""Oh Hell at a table, from hand to hand."""

import re

import pytest
from rest_framework.test import APIClient

from scoring.models import Table
from tests.referee.telling import Json, turn_up
from tests.scoring.conftest import OpenTable, holder, open_table
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.reading import text

# --- Oh Hell at a stored table: secret bids, the course on the page, the log

pytestmark = pytest.mark.django_db
SEATS = ["Ann", "Bob", "Cy"]


def table(**options: object) -> OpenTable:
    return open_table(game="oh-hell", seats=SEATS, first_dealer=2, options={"largest": 3, **options})


def bid(seat: int, tricks: int) -> Json:
    return {"type": "bid", "seat": seat, "tricks": tricks}


def test_simultaneous_bids_are_secret_until_all_are_in():
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


def test_the_scorekeeper_enters_the_turned_up_card():
    at = table()
    url = f"/api/v1/tables/{at.code}/"
    assert holder(at.link("player", 2)).post(f"{url}events/", turn_up("7H")).status_code == 403
    assert holder(at.token).post(f"{url}events/", turn_up("7H")).status_code == 201


@pytest.fixture
def device() -> Device:
    return Device()


def opened(device: Device, **rules: str) -> str:
    """Open a table through the form with a largest hand of three cards; return its address."""
    chosen = {"option-largest": "3", "end": "course"} | {f"option-{key}": value for key, value in rules.items()}
    return device.open_table("oh-hell", SEATS, 2, **chosen)


def test_the_page_shows_hand_sizes_turned_card_and_log(device: Device):
    address = opened(device)
    page = text(device.get(address))
    assert "Turn up a card for trump." in page
    assert "One full sequence" in page
    assert device.tap(address, "turn-up", card="7H").status_code == 302
    after = device.get(address)
    assert "Ann bids: how many tricks?" in text(after)
    assert 'aria-label="7 of hearts"' in after.content.decode()
    assert "Turned up: 7 of hearts" in text(device.get(f"{address}log/"))


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


def test_bids_so_far_are_counted_and_the_card_to_turn_up_is_shown(device: Device):
    address = opened(device)
    page = text(device.get(address))
    assert "The card turned up sets trump. Tap it here." in page
    assert "bid so far" not in page
    device.tap(address, "turn-up", card="4H")
    device.tap(address, "bid", seat="0", tricks="3")
    assert re.search(r"Tricks bid so far: 3 of \d+\.", text(device.get(address)))


# --- Continuing Oh Hell with others: house rules and course follow the number of players

OH_HELL = {"game": "oh-hell", "end": {"kind": "course"}}
FIVE = ["Ann", "Bob", "Cy", "Dee", "Eve"]


def oh_hell(seats, hands=0, **more):
    """A table of Oh Hell after this many hands, each recorded by bids and a result."""
    table = open_table(**OH_HELL, seats=list(seats), **more)
    for _ in range(hands):
        state = holder(table.token).get(f"/api/v1/tables/{table.code}/").json()["state"]
        size, dealer = state["next"]["hand_size"][0], state["next"]["dealer"]
        left = [(dealer + place) % len(seats) for place in range(1, len(seats) + 1)]
        bid = [{"type": "bid", "seat": seat, "tricks": 0} for seat in left[:-1]]
        last = 1 if size != 1 else 0
        table.record(*bid, {"type": "bid", "seat": left[-1], "tricks": last})
        table.record({"type": "result", "tricks": [size, *[0] * (len(seats) - 1)]})
    return table


def went_on(table, seats, **more):
    answer = holder(table.token).post(f"/api/v1/tables/{table.code}/continue/", {"seats": [*seats], **more})
    assert answer.status_code == 201, answer.json()
    return answer.json()


def test_a_rule_that_does_not_fit_the_player_count_is_named_and_can_be_changed(db):
    table = oh_hell(FIVE, options={"largest": 10})
    assert table.row.options["largest"] == 10
    url = f"/api/v1/tables/{table.code}/continue/"
    answer = holder(table.token).post(url, {"seats": [*FIVE, "Flo"]})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/options/largest")
    assert answer.json()["errors"][0]["detail"] == "Largest hand cannot be 10; it takes a whole number from 1 to 8."
    told = went_on(table, [*FIVE, "Flo"], options={"largest": 8})
    assert (told["state"]["options"]["largest"], told["state"]["next"]["hand_size"][0]) == (8, 8)


def test_a_rule_can_be_changed_between_two_hands(db):
    table = oh_hell(FIVE, hands=1)
    table.record({"type": "rules", "options": {"hook": False}})
    told = went_on(table, [*FIVE, "Flo"])
    assert (told["state"]["options"]["largest"], told["state"]["options"]["hook"]) == (8, False)


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
def test_a_continued_table_continues_its_course_of_hands(db, before, after, hands, sizes):
    names = [*FIVE, "Flo"]
    told = went_on(oh_hell(names[:before], hands), names[:after])
    table = OpenTable(told["code"], told["token"])
    me, url = holder(table.token), f"/api/v1/tables/{table.code}/"
    found: list[int] = []
    while len(found) < len(sizes):
        coming = me.get(url).json()["state"]["next"]
        found.append(coming["hand_size"][0])
        seats = [(coming["dealer"] + place) % after for place in range(1, after + 1)]
        table.record(
            *({"type": "bid", "seat": seat, "tricks": int(seat == seats[-1] and found[-1] > 1)} for seat in seats)
        )
        table.record({"type": "result", "tricks": [found[-1], *[0] * (after - 1)]})
    assert found == sizes
    assert me.get(url).json()["state"]["finished"] == (hands == 17)
    assert me.get(url).json()["state"]["hands"][0]["hand_of_course"]
    record = me.get(f"{url}record/").json()
    written, cells = (me.get(f"{url}record/?as={form}").content.decode() for form in ("text", "csv"))
    for told_as in (record, {"text": written}, {"csv": cells}):
        again = me.post("/api/v1/tables/import/", told_as).json()
        assert holder(again["token"]).get(f"/api/v1/tables/{again['code']}/record/").json() == record


def test_hands_before_are_allowed_only_in_a_course(db):
    stranger = APIClient()
    told = {**OH_HELL, "seats": FIVE, "first_dealer": 0}
    assert stranger.post("/api/v1/tables/", {**told, "hands_before": 19}).status_code == 422
    answer = stranger.post(
        "/api/v1/tables/", {"game": "ace-trump", "seats": FIVE, "first_dealer": 0, "hands_before": 1}
    )
    assert answer.json()["errors"][0]["pointer"] == "/hands_before"


def test_a_rule_that_does_not_fit_the_new_player_count_is_named(device):
    five = ("Ann", "Bob", "Cy", "Dee", "Eve")
    address = device.open_table("oh-hell", five, **{"option-largest": "9"})
    answer = device.post(f"{address}continue/", {"name": [*five, "Flo"]})
    assert answer.status_code == 422
    assert "Largest hand cannot be 9; it takes a whole number from 1 to 8." in text(answer)
    assert re.search(r'name="option-largest"[^>]* value="8"', answer.content.decode())
    answer = device.post(f"{address}continue/", {"name": [*five, "Flo"], "option-largest": "8"})
    assert answer.status_code == 302
    assert Table.objects.get(previous__isnull=False).options["largest"] == 8
