"""Hearts at a table: secret passes, what only their owners may read, and the pages of a hand."""

import re

import pytest
from rest_framework.test import APIClient

from tests.games.hearts.telling import passes, took
from tests.referee.telling import Json, exercises, plays
from tests.scoring.conftest import OpenTable, holder, open_table, play
from tests.scoring.groups import make_group
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.phones import address_of, with_link

pytestmark = pytest.mark.django_db
NAMES = ["Ann", "Bob", "Cy", "Dee"]
OPENED = {"game": "hearts", "seats": NAMES, "first_dealer": 3, "end": {"kind": "open"}}
GIVEN = ("QS KS AS", "2S 3S 4S", "5S 6S 7S", "8S 9S 10S")


@pytest.fixture
def hearts() -> OpenTable:
    return open_table(**OPENED)


def record(table: OpenTable, *events: Json) -> None:
    answer = table.keeper.post(f"{table.url}events/", {"events": [*events]})
    assert answer.status_code == 201, answer.json()


def passed(table: OpenTable, *given: str) -> list[APIClient]:
    """Pass these cards from seat 0 on, each on its player's own phone; return all four phones."""
    made = [table.keeper.post(f"{table.url}links/", {"role": "player", "seat": seat}).json() for seat in range(4)]
    own = [holder(link["token"]) for link in made]
    for seat, cards in enumerate(given):
        assert own[seat].post(f"{table.url}events/", passes(seat, cards, sealed=True)).status_code == 201
    return own


@exercises("HE-3")
def test_passes_are_secret_until_all_are_in_and_passed_cards_until_the_end(hearts):
    own = passed(hearts, *GIVEN[:3])
    assert own[3].get(hearts.url).json()["sealed"] == [0, 1, 2]
    assert "QS" not in own[3].get(f"{hearts.url}events/").content.decode()
    own[3].post(f"{hearts.url}events/", passes(3, GIVEN[3], sealed=True))
    state = own[3].get(hearts.url).json()["state"]["hands"][-1]
    assert (state["phase"], state["pass_to"]) == ("play", [1, 2, 3, 0])
    for address in ("events/", "record/", "record/?as=text", "record/?as=csv"):
        assert "QS" not in hearts.keeper.get(f"{hearts.url}{address}").content.decode(), address
    assert "QS" not in hearts.keeper.get(f"/t/{hearts.code}/log/").content.decode()
    record(hearts, took(26, 0, 0, 0))
    told = own[3].get(f"{hearts.url}record/").json()["hands"][0]["events"]
    assert [event["cards"] for event in told[:4]] == [cards.split() for cards in GIVEN]


@exercises("HE-3")
def test_a_group_archive_shows_passes_only_once_the_hand_is_over():
    group = make_group(*NAMES)
    table = group.open_table(**OPENED, options={})
    passed(table, *GIVEN)
    assert "QS" not in group.archive()
    record(table, took(26, 0, 0, 0))
    assert "QS" in group.archive()


@exercises("HE-3")
def test_everyone_passes_again_if_passes_clash(hearts):
    own = passed(hearts, *GIVEN[:3], "QS 9S 10S")
    table = own[0].get(hearts.url).json()
    assert (table["sealed"], table["state"]["hands"]) == ([], [])


@exercises("HE-3")
def test_the_first_card_ends_the_passing(hearts):
    own = passed(hearts, GIVEN[0])
    record(hearts, play(2, "2C"))
    assert own[0].get(hearts.url).json()["sealed"] == []
    assert own[3].post(f"{hearts.url}events/", play(3, "3C")).status_code == 201


def own_cards(device: Device, table: OpenTable) -> str:
    """Return what a phone's page of the table says about cards passed by and to its player."""
    page = device.get(address_of(table)).content.decode().lower()
    return page.partition('id="own-cards"')[2].partition("</details>")[0]


@exercises("HE-3")
def test_only_giver_and_receiver_can_look_at_passed_cards_again(hearts):
    own, address = passed(hearts, GIVEN[0]), address_of(hearts)
    pages = [with_link(hearts, "player", seat) for seat in range(4)]
    assert not any(own_cards(page, hearts) for page in pages)
    for seat in (1, 2, 3):
        own[seat].post(f"{hearts.url}events/", passes(seat, GIVEN[seat], sealed=True))
    told = [own_cards(page, hearts) for page in pages]
    assert ["queen of spades" in each for each in told] == [True, True, False, False]
    assert ["10 of spades" in each for each in told] == [True, False, False, True]
    assert told[0].index("you passed") < told[0].index("passed to you")
    for page in with_link(hearts, "scorekeeper"), Device():
        for there in (address, f"{address}log/", f"{address}hands/1/", f"{address}export/full/"):
            answer = page.get(there).content.decode()
            assert "own-cards" not in answer
            shown = there != address and ('"QS"' in answer or "queen of spades" in answer.lower())
            assert not shown, there
    record(hearts, took(26, 0, 0, 0))
    assert not any(own_cards(page, hearts) for page in pages)


@exercises("HE-8")
def test_plates_count_the_points_taken_so_far(hearts):
    record(hearts, *plays("2:2C 3:3C 0:4C 1:AC 1:AS 2:QS 3:3S 0:4S"))
    page = with_link(hearts, "scorekeeper").get(address_of(hearts)).content.decode()
    assert re.findall(r'seat-total">(\d+)<', page) == ["0", "13", "0", "0"]


@exercises("HE-10")
def test_shooting_the_moon_is_the_headline_of_the_hand(hearts):
    record(hearts, took(26, 0, 0, 0))
    page = with_link(hearts, "scorekeeper").get(address_of(hearts)).content.decode()
    scene = page.partition('id="scene-title"')[2].partition("</section>")[0]
    assert "Ann shot the moon" in scene
