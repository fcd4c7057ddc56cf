"""Whose turn it is and what is asked, said where people look: on the felt, and beside the form in front."""

import re

import pytest

from tests.scoring.pages.reading import text

NAMES = ["Anna", "Ben", "Clara", "Dominik"]


def lit(page):
    """Return who is marked as the one whose turn it is."""
    return re.findall(r'<li class="seat acting.*?seat-name[^>]*>([^<]*)<', page.content.decode(), re.DOTALL)


def status(page):
    return re.sub(
        r"\s+", " ", re.findall(r'<p class="status[^>]*>(.*?)</p>', page.content.decode(), re.DOTALL)[0]
    ).strip()


@pytest.fixture
def chicane(device):
    address = device.open_table("wildcat-chicane", NAMES, dealer=3)
    device.get(f"{address}?depth=result")
    return address


def test_a_bid_before_the_ruling_cards_says_whose_it_is(device, chicane):
    page = device.get(chicane)
    assert status(page) == "Anna bids: how many tricks?"
    assert lit(page) == ["Anna"]
    assert "Anna bids: how many tricks?" in re.findall(r'<span class="who-turn">(.*?)</span>', page.content.decode())[0]
    device.tap(chicane, "bid", seat="0", tricks="2")
    page = device.get(chicane)
    assert "Ben bids: how many tricks?" in text(page)
    assert lit(page) == ["Ben"]


def test_the_result_of_a_hand_stands_beside_what_was_bid(device, chicane):
    for seat, tricks in enumerate("2104"):
        device.tap(chicane, "bid", seat=str(seat), tricks=tricks)
    page = device.get(chicane)
    assert re.findall(r'bid-made">(bid \d)<', page.content.decode())[:4] == ["bid 2", "bid 1", "bid 0", "bid 4"]
    assert status(page) == "Result of the hand"
    assert lit(page) == []


def test_who_records_every_card_is_asked_for_the_ruling_cards(device):
    address = device.open_table("wildcat-chicane", NAMES, dealer=3)
    page = device.get(address)
    assert lit(page) == ["Anna", "Ben", "Clara", "Dominik"]
    assert "Anna bids: how many tricks?" in text(page), "in the fold below"


def test_the_order_of_suits_goes_with_its_round(device):
    address = device.open_table("american-deuce", NAMES, dealer=0)
    for seat, suit in enumerate("SHC"):
        device.tap(address, "suit", seat=str(seat), suit=suit)
    assert "Suits from high to low" in device.get(address).content.decode()
    device.tap(address, "result", cards_left=["3", "0", "8", "2"])
    page = device.get(address)
    assert "Suits from high to low" not in page.content.decode()
    assert "President-Elect" in text(page)
    assert "Ben names the next suit" in text(page)


def test_a_table_without_an_end_stops_at_the_end_of_a_hand(device, other):
    address = device.open_table(names=["Anna", "Ben", "Clara"])
    device.tap(address, "result", tricks=["4", "4", "4"])
    assert 'id="stop-here"' in device.get(address).content.decode()
    assert 'id="stop-here"' not in other.get(address).content.decode()
    device.tap(address, "end")
    assert 'id="stop-here"' not in device.get(address).content.decode()
    counted = device.open_table(names=["Anna", "Ben", "Clara"], **{"end": "hands", "end-hands": "3"})
    device.tap(counted, "result", tricks=["4", "4", "4"])
    assert 'id="stop-here"' not in device.get(counted).content.decode()


def test_dealing_without_names_says_what_is_missing(device):
    answer = device.post("/new/ace-trump/", {"name": ["", "", ""], "dealer": "0", "end": "open"})
    assert answer.status_code == 422
    assert "Who plays? Write the names first." in text(answer)
    assert "Nobody sits" not in text(answer)


def test_a_long_reason_does_not_hide_what_was_recorded(device):
    address = device.open_table(names=["Anna", "Ben", "Clara"])
    for seat, card in enumerate(("8MS", "2MK", "3MW")):
        device.tap(address, "play", seat=str(seat), cards=card)
    why = "Ben did not follow with the Ace of Knots and now shows the Soldier"
    device.tap(address, "penalty", seat="1", points="5", reason=why, **{"points-way": "takes"})
    page = text(device.get(address))
    assert "Recorded: Ben: −5 points" in page
    assert "shows the Soldier" not in page.partition("Score sheet")[0], "the log has it whole"
