"""Spades at a stored table: carried bags, blind nils by a tap, and its page."""

import pytest
from rest_framework.test import APIClient

from tests.games.spades.telling import bid, quick
from tests.referee.telling import Json, exercises
from tests.scoring.conftest import OpenTable, open_table
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.reading import text

pytestmark = pytest.mark.django_db
SEATS = ["Ann", "Bob", "Cy", "Dee"]


OPENED = {"game": "spades", "seats": SEATS, "first_dealer": 3}


def record(table: OpenTable, *events: Json) -> None:
    answer = table.keeper.post(f"{table.url}events/", {"events": [*events]})
    assert answer.status_code == 201, answer.json()


def bags_at(table: OpenTable) -> list[int]:
    bags: list[int] = table.keeper.get(table.url).json()["state"]["hands"][0]["bags"]
    return bags


@exercises("SP-10")
def test_bags_carry_over_to_the_next_table():
    first = open_table(**OPENED)
    record(first, *quick("3 2 3 4", "5 2 4 2"))
    second = first.go_on(*SEATS)
    told = second.keeper.get(f"{second.url}record/").json()
    assert (told["carried"], told["carried_bags"]) == ([63, -60, 63, -60], [3, 0, 3, 0])
    record(second, *bid(3, 3, 3, 3, first=1))
    assert bags_at(second) == [3, 0, 3, 0]


@exercises("SP-10")
def test_a_table_can_start_with_bags_but_not_too_many():
    table = open_table(**OPENED, carried_bags=[9, 0, 9, 0])
    record(table, *quick("3 2 3 4", "5 2 4 2"))
    assert bags_at(table) == [2, 0, 2, 0]
    refused = APIClient().post("/api/v1/tables/", OPENED | {"carried_bags": [10, 0, 10, 0]})
    assert refused.status_code == 422


@exercises("SP-5")
def test_one_tap_bids_blind_nil():
    device = Device()
    address = device.open_table("spades", SEATS, 3, **{"option-blind_nil": "1"})
    page = device.get(address)
    assert "Blind nil" in text(page)
    blind = {"event": "bid", "seat": "0", "place": "1", "version": "0"}
    device.post(f"{address}record/", blind)
    assert "Ann bids 0 (blind)" in text(device.get(f"{address}log/"))
    assert device.post(f"{address}record/", blind).status_code == 302  # a repeated tap
    plain = {"event": "bid", "seat": "0", "tricks": "0", "version": "0"}
    assert device.post(f"{address}record/", plain).status_code == 412  # nil, but not blind
    device.post(f"{address}record/", {"event": "bid", "seat": "1", "version": "1"})  # nothing chosen records nothing
    assert "Bob bids" not in text(device.get(f"{address}log/"))


def test_partners_are_marked_as_one_side():
    device = Device()
    page = text(device.get(device.open_table("spades", SEATS, 3)))
    assert page.count("plays with Cy") == page.count("plays with Ann") == 1
    alone = text(device.get(device.open_table("spades", SEATS, 3, **{"option-partners": "1"})))
    assert "plays with" not in alone
