"""Hearts at a table: secret passes, what only their owners may read, and the pages of a hand."""

import re
from typing import Any

import pytest

from tests.games.hearts.telling import passes
from tests.referee.telling import exercises
from tests.scoring.conftest import holder, open_table, play
from tests.scoring.groups import make_group
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.phones import address_of, with_link

pytestmark = pytest.mark.django_db
NAMES = ["Ann", "Bob", "Cy", "Dee"]
GIVEN = ("QS KS AS", "2S 3S 4S", "5S 6S 7S", "8S 9S 10S")


@pytest.fixture
def hearts():
    return open_table(game="hearts", seats=NAMES, first_dealer=3, end={"kind": "open"})


def phones(table) -> list[Any]:
    keeper, links = holder(table.token), f"/api/v1/tables/{table.code}/links/"
    made = [keeper.post(links, {"role": "player", "seat": seat}, format="json").json() for seat in range(4)]
    return [holder(link["token"]) for link in made]


@exercises("HE-3")
def test_passes_are_secret_until_all_are_in_and_passed_cards_until_the_end(hearts):
    path, own = f"/api/v1/tables/{hearts.code}/", phones(hearts)
    for seat, cards in enumerate(GIVEN[:3]):
        assert own[seat].post(f"{path}events/", passes(seat, cards, sealed=True), format="json").status_code == 201
    assert own[3].get(path).json()["sealed"] == [0, 1, 2]
    assert "QS" not in own[3].get(f"{path}events/").content.decode()
    own[3].post(f"{path}events/", passes(3, GIVEN[3], sealed=True), format="json")
    state = own[3].get(path).json()["state"]["hands"][-1]
    assert (state["phase"], state["pass_to"]) == ("play", [1, 2, 3, 0])
    for address in ("events/", "record/", "record/?as=text", "record/?as=csv"):
        assert "QS" not in holder(hearts.token).get(f"{path}{address}").content.decode(), address
    assert "QS" not in holder(hearts.token).get(f"/t/{hearts.code}/log/").content.decode()
    holder(hearts.token).post(f"{path}events/", {"type": "result", "points": [26, 0, 0, 0]}, format="json")
    told = own[3].get(f"{path}record/").json()["hands"][0]["events"]
    assert [event["cards"] for event in told[:4]] == [cards.split() for cards in GIVEN]


@exercises("HE-3")
def test_a_group_archive_shows_passes_only_once_the_hand_is_over():
    group = make_group(*NAMES)
    table = group.open_table(game="hearts", seats=NAMES, options={}, first_dealer=3, end={"kind": "open"})
    path, own = f"/api/v1/tables/{table.code}/", phones(table)
    for seat, cards in enumerate(GIVEN):
        assert own[seat].post(f"{path}events/", passes(seat, cards, sealed=True), format="json").status_code == 201
    assert "QS" not in archive_of(group)
    holder(table.token).post(f"{path}events/", {"type": "result", "points": [26, 0, 0, 0]}, format="json")
    assert "QS" in archive_of(group)


def archive_of(group) -> str:
    answer: Any = group.member.get(f"{group.url}archive/")
    return b"".join(answer.streaming_content).decode()


@exercises("HE-3")
def test_everyone_passes_again_if_passes_clash(hearts):
    path, own = f"/api/v1/tables/{hearts.code}/", phones(hearts)
    for seat, cards in enumerate((*GIVEN[:3], "QS 9S 10S")):
        own[seat].post(f"{path}events/", passes(seat, cards, sealed=True), format="json")
    assert own[0].get(path).json()["sealed"] == []
    assert own[0].get(path).json()["state"]["hands"] == []


@exercises("HE-3")
def test_the_first_card_ends_the_passing(hearts):
    path, own = f"/api/v1/tables/{hearts.code}/", phones(hearts)
    own[0].post(f"{path}events/", passes(0, GIVEN[0], sealed=True), format="json")
    assert holder(hearts.token).post(f"{path}events/", play(2, "2C"), format="json").status_code == 201
    assert own[0].get(path).json()["sealed"] == []
    assert own[3].post(f"{path}events/", play(3, "3C"), format="json").status_code == 201


@exercises("HE-3")
def test_only_giver_and_receiver_can_look_at_passed_cards_again(hearts):
    path, own, address = f"/api/v1/tables/{hearts.code}/", phones(hearts), address_of(hearts)
    pages = [with_link(hearts, "player", seat) for seat in range(4)]
    others = [with_link(hearts, "scorekeeper"), Device()]

    def own_cards(device: Device) -> str:
        page = device.get(address).content.decode().lower()
        return page.partition('id="own-cards"')[2].partition("</details>")[0]

    own[0].post(f"{path}events/", passes(0, GIVEN[0], sealed=True), format="json")
    assert not any(map(own_cards, pages))
    for seat in (1, 2, 3):
        own[seat].post(f"{path}events/", passes(seat, GIVEN[seat], sealed=True), format="json")
    queen = "queen of spades"
    assert [queen in own_cards(page) for page in pages] == [True, True, False, False]
    assert ["10 of spades" in own_cards(page) for page in pages] == [True, False, False, True]
    assert own_cards(pages[0]).index("you passed") < own_cards(pages[0]).index("passed to you")
    for page in others:
        for there in (address, f"{address}log/", f"{address}hands/1/", f"{address}export/full/"):
            answer = page.get(there).content.decode()
            assert "own-cards" not in answer
            shown = there != address and ('"QS"' in answer or "queen of spades" in answer.lower())
            assert not shown, there
    holder(hearts.token).post(f"{path}events/", {"type": "result", "points": [26, 0, 0, 0]}, format="json")
    assert not any(map(own_cards, pages))


@exercises("HE-8")
def test_plates_count_the_points_taken_so_far(hearts):
    path = f"/api/v1/tables/{hearts.code}/"
    for seat, card in ((2, "2C"), (3, "3C"), (0, "4C"), (1, "AC"), (1, "AS"), (2, "QS"), (3, "3S"), (0, "4S")):
        assert holder(hearts.token).post(f"{path}events/", play(seat, card), format="json").status_code == 201
    page = with_link(hearts, "scorekeeper").get(address_of(hearts)).content.decode()
    assert re.findall(r'seat-total">(\d+)<', page) == ["0", "13", "0", "0"]


@exercises("HE-10")
def test_shooting_the_moon_is_the_headline_of_the_hand(hearts):
    path = f"/api/v1/tables/{hearts.code}/"
    result = {"type": "result", "points": [26, 0, 0, 0]}
    assert holder(hearts.token).post(f"{path}events/", result, format="json").status_code == 201
    page = with_link(hearts, "scorekeeper").get(address_of(hearts)).content.decode()
    scene = page.partition('id="scene-title"')[2].partition("</section>")[0]
    assert "Ann shot the moon" in scene
