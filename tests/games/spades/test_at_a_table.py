"""Spades at a stored table: carried bags, blind nils by a tap, and its page."""

import pytest

from tests.games.spades.telling import bid, quick
from tests.referee.telling import Json, exercises
from tests.scoring.conftest import OpenTable, holder, open_table
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.reading import text

pytestmark = pytest.mark.django_db
SEATS = ["Ann", "Bob", "Cy", "Dee"]


def table(**more: object) -> OpenTable:
    return open_table(game="spades", seats=SEATS, first_dealer=3, **more)


def record(at: OpenTable, *events: Json) -> None:
    answer = holder(at.token).post(f"/api/v1/tables/{at.code}/events/", {"events": list(events)})
    assert answer.status_code == 201, answer.json()


@exercises("SP-10")
def test_bags_carry_over_to_the_next_table():
    at = table()
    record(at, *quick("3 2 3 4", "5 2 4 2"))
    following = holder(at.token).post(f"/api/v1/tables/{at.code}/continue/", {"seats": SEATS}).json()
    told = holder(following["token"]).get(f"/api/v1/tables/{following['code']}/record/").json()
    assert (told["carried"], told["carried_bags"]) == ([63, -60, 63, -60], [3, 0, 3, 0])
    on = f"/api/v1/tables/{following['code']}/"
    assert holder(following["token"]).post(f"{on}events/", {"events": bid(3, 3, 3, 3, first=1)}).status_code == 201
    assert holder(following["token"]).get(on).json()["state"]["hands"][0]["bags"] == [3, 0, 3, 0]


@exercises("SP-10")
def test_a_table_can_start_with_bags_but_not_too_many():
    record(table(carried_bags=[9, 0, 9, 0]), *quick("3 2 3 4", "5 2 4 2"))
    body = {"game": "spades", "seats": SEATS, "first_dealer": 3, "carried_bags": [10, 0, 10, 0]}
    assert holder("").post("/api/v1/tables/", body).status_code in (401, 422)


@pytest.fixture
def device() -> Device:
    return Device()


@exercises("SP-5")
def test_one_tap_bids_blind_nil(device: Device):
    address = device.open_table("spades", SEATS, 3, **{"option-blind_nil": "1"})
    page = device.get(address)
    assert "Blind nil" in text(page)
    device.post(f"{address}record/", {"event": "bid", "seat": "0", "place": "1", "version": "0"})
    assert "Ann bids 0 (blind)" in text(device.get(f"{address}log/"))
    again = {"event": "bid", "seat": "0", "place": "1", "version": "0"}
    assert device.post(f"{address}record/", again).status_code == 302  # a repeated tap
    plain = {"event": "bid", "seat": "0", "tricks": "0", "version": "0"}
    assert device.post(f"{address}record/", plain).status_code == 412  # nil, but not blind
    device.post(f"{address}record/", {"event": "bid", "seat": "1", "version": "1"})  # nothing chosen records nothing
    assert "Bob bids" not in text(device.get(f"{address}log/"))


def test_partners_are_marked_as_one_side(device: Device):
    page = text(device.get(device.open_table("spades", SEATS, 3)))
    assert page.count("plays with Cy") == page.count("plays with Ann") == 1
    alone = text(device.get(device.open_table("spades", SEATS, 3, **{"option-partners": "1"})))
    assert "plays with" not in alone
