"""The end of a hand: what it brought, who is ahead now, and how it goes on."""

import re
from html import unescape

import pytest

from scoring.models import Role, Table
from scoring.services.tables import make_link
from tests.scoring.pages.reading import text


def result(device, address, *tricks):
    assert device.tap(address, "result", tricks=[str(each) for each in tricks]).status_code == 302


def scene(device, address):
    """Return what the scene says, its texts one after the other; nothing where there is none."""
    found = re.search(r'<section class="scene".*?</section>', device.get(address).content.decode(), re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", found[0])).split()) if found else ""


@pytest.fixture
def address(device):
    return device.open_table(names=["Ann", "Bob", "Cy"])


def test_it_works(device, address):
    assert not scene(device, address)
    result(device, address, 5, 4, 3)
    shown = scene(device, address)
    assert shown.startswith("Hand 1 is over. Ann takes the lead, by 1.")
    assert "Ann 5 tricks +5 5 Bob 4 tricks +4 4 Cy 3 tricks +3 3" in shown
    assert shown.endswith("Ann deals 12 cards to each. Bob begins. Next hand Stop here Change the house rules")


def test_who_was_ahead_stays_so_or_is_overtaken(device, address):
    result(device, address, 5, 4, 3)
    result(device, address, 6, 3, 3)
    assert "Ann stays ahead, by 4." in scene(device, address)
    result(device, address, 0, 12, 0)
    assert "Bob takes the lead, by 8." in scene(device, address)
    assert scene(device, address).index("Bob") < scene(device, address).index("Ann 0 tricks")
    result(device, address, 8, 0, 4)
    assert "Ann & Bob are level." in scene(device, address)


def test_partners_are_ahead_together(device):
    address = device.open_table(names=["Ann", "Bob", "Cy", "Dot"], **{"option-partners": "1"})
    result(device, address, 4, 1, 3, 1)
    assert "Ann & Cy take the lead, by 5." in scene(device, address)


def test_a_hand_that_is_void_says_so(device, address):
    device.tap(address, "play", seat="0", cards="8MS")
    device.tap(address, "redeal")
    assert scene(device, address).startswith("Hand 1 is void.")


def test_it_goes_when_the_next_hand_begins_and_comes_back_when_that_is_undone(device, address):
    result(device, address, 5, 4, 3)
    device.tap(address, "play", seat="1", cards="8MS")
    assert not scene(device, address)
    device.post(f"{address}undo/")
    assert "Hand 1 is over." in scene(device, address)


def test_who_looks_on_sees_it_but_does_not_begin_the_next_hand(device, other, address):
    result(device, address, 5, 4, 3)
    assert "Ann takes the lead" in scene(other, address)
    assert "Next hand" not in scene(other, address)
    screen = text(other.get(f"{address}screen/"))
    assert "Ann takes the lead, by 1." in screen
    assert "Next hand" not in screen


def test_points_that_are_hidden_stay_so(device):
    address = device.open_table("ace-pit", ["Ann", "Bob"], **{"option-totals": "1"})
    device.tap(address, "result", points=["70", "70"])
    shown = scene(device, address)
    assert "Hand 1 is over." in shown
    assert "70" not in shown
    assert "level" not in shown


def test_the_best_trick_is_named_where_tricks_are_worth_more_or_less(device):
    address = device.open_table("ace-pit", ["Ann", "Bob"], 0)
    for seat, cards in (("1", ["8H"]), ("0", ["7H", "9H"]), ("0", ["AD"]), ("1", ["2C"])):
        assert device.tap(address, "play", seat=seat, cards=cards).status_code == 302
    device.tap(address, "result", points=["185", "100"])
    assert "Best trick, number 1: Ann wins with Spoon 30 + Pin 25 + Flush 40: 95 points." in scene(device, address)
    trumps = device.open_table(names=["Ann", "Bob", "Cy"])
    for player, card in enumerate(("8MS", "2WL", "9MS")):
        device.tap(trumps, "play", seat=str(player), cards=card)
    result(device, trumps, 4, 4, 4)
    assert "Best trick" not in scene(device, trumps)


def test_the_end_of_the_game_ranks_everybody(device, other):
    address = device.open_table(names=["Ann", "Bob", "Cy"], end="hands", **{"end-hands": "1"})
    result(device, address, 3, 4, 5)
    assert "By 1 point." in text(device.get(address))
    assert 'data-text="Cy wins. Cy 5, Bob 4, Ann 3"' in device.get(address).content.decode()
    for page in (device.get(address), other.get(f"{address}screen/")):
        shown = text(page)
        assert shown.index("Cy wins.") < shown.index("Cy 5 tricks +5 5") < shown.index("Bob 4 tricks +4 4")


def test_the_new_offices_are_told(device):
    address = device.open_table("american-deuce", ["Ann", "Bob", "Cy", "Dot"])
    device.tap(address, "result", cards_left=["4", "3", "0", "7"])
    assert "Cy President-Elect" in scene(device, address)


def test_a_player_agrees_from_the_own_phone_and_the_sheet_says_so(device, other, address):
    result(device, address, 5, 4, 3)
    other.post(f"{address}join/", {"token": make_link(Table.objects.get(), Role.PLAYER, seat=1)})
    assert "I agree with this result" not in scene(device, address)
    assert "I agree with this result" in scene(other, address)
    assert other.post(f"{address}hands/1/confirm/").status_code == 302
    assert "✓ Bob agrees." in scene(device, address)
    assert "I agree with this result" not in scene(other, address)
    result(device, address, 6, 3, 3)
    page = device.get(address).content.decode()
    assert "Agreed: Bob" in page
    assert device.post(f"{address}hands/1/confirm/").status_code == 403
    assert "Bob agrees with hand 1" in device.get(f"{address}log/").content.decode()


def test_nobody_agrees_with_a_hand_that_was_taken_back_meanwhile(device, other, address):
    result(device, address, 5, 4, 3)
    other.post(f"{address}join/", {"token": make_link(Table.objects.get(), Role.PLAYER, seat=1)})
    device.post(f"{address}undo/")
    late = other.post(f"{address}hands/1/confirm/")
    assert late.status_code == 412
    assert "Somebody else was faster" in text(late)


def test_where_a_card_is_answered_the_scene_tells_every_answer_and_the_best_there_was(device):
    address = device.open_table("ace-pit", names=["Ann", "Bob"])
    laid = ("2C", "7H"), ("4D", "9S"), ("6H", "JC"), ("8S", "3C"), ("10C", "5C"), ("QD", "5D"), ("KH", "AD")
    for number, (card, answer) in enumerate(laid, 1):
        device.tap(address, "play", seat="1", cards=card)
        device.tap(address, "play", seat="0", cards=[answer])
        if number == 1:
            assert "Which cards Ann held is not known." in text(device.get(address))
    told = scene(device, address)
    assert "Bob +10" in told
    assert re.search(r"Best answer in Ann’s hand: A \S+ ?, Ace Pit 50: 50 points\.", told)
    assert "No answer in Ann’s hand was worth more." in told


@pytest.mark.parametrize(
    ("points", "told"),
    [
        ([10, 25, 10, 10, 10, 10, 10], "Best trick, number 2"),
        ([10, 25, 25, 10, 10, 10, 10], "Best tricks: 2 & 3, 25 points each."),
    ],
    ids=["one", "several"],
)
def test_the_best_tricks_of_a_hand_are_told(device, points, told):
    address = device.open_table("ace-pit", ["Ann", "Bob"], dealer=0)
    leader = 1
    for worth in points:
        winner = leader if worth == 10 else 1 - leader
        assert device.tap(address, "trick", winner=str(winner), points=str(worth)).status_code == 302
        leader = winner
    assert told in unescape(text(device.get(address)))
