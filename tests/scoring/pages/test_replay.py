"""A hand once more, trick by trick; the big screen; and the same people again."""

import re

import pytest

from scoring.models import Table
from tests.scoring.pages.reading import tells, text

REVOKE = [("0", "8MS"), ("1", "AW"), ("2", "XM"), ("1", "2SY"), ("2", "5SW"), ("0", "7SK")]
"""Bob throws an Ace of Waves on Moons and Suns, wins with it, and then leads a Sun."""


def play_hands(device, hands, **more):
    """Record so many hands by their results, and return the table's address."""
    address = device.open_table(names=["Ann", "Bob"], dealer=0, **more)
    for number in range(hands):
        tricks = [str(3 + number), str(6 - number)]
        assert device.tap(address, "result", tricks=tricks).status_code == 302
    return address


def play_cards(device, cards):
    address = device.open_table()
    for seat, card in cards:
        assert device.tap(address, "play", seat=seat, cards=card).status_code == 302
    return address


def test_it_works(device):
    address = play_cards(device, REVOKE)
    assert f'href="{address}hands/1/"' in device.get(address).content.decode()
    page = device.get(f"{address}hands/1/")
    assert "Trick 1 of 2" in text(page)
    assert "Bob wins. The Ace of Waves is the highest trump." in text(page)
    assert '/games/ace-trump/#AT-9"' in page.content.decode()


def test_tricks_follow_one_another_by_links(device):
    address = play_cards(device, REVOKE)
    first = device.get(f"{address}hands/1/").content.decode()
    assert re.search(r'rel="next" href="\?trick=2"', first)
    assert 'rel="prev"' not in first
    second = device.get(f"{address}hands/1/?trick=2")
    assert "Trick 2 of 2" in text(second)
    assert 'rel="next"' not in second.content.decode()


def test_an_irregular_act_stands_beside_the_card_that_contradicts_it(device):
    page = text(device.get(f"{play_cards(device, REVOKE)}hands/1/"))
    assert re.search(r"8 M S Ann led .* A W Bob played no .* 2 S Y Bob showed", page), page


def test_a_hand_recorded_by_its_result_has_its_score(device):
    address = play_hands(device, 2)
    page = text(device.get(f"{address}hands/1/"))
    assert "No trick of this hand is recorded." in page
    assert "Ann +3" in page
    assert "Hand 2" in page


def test_there_is_no_such_hand_or_trick(device):
    address = play_cards(device, REVOKE)
    assert device.get(f"{address}hands/2/").status_code == 404
    assert device.get(f"{address}hands/0/").status_code == 404
    for wanted in ("99", "0", "-1", "x", "9" * 50):
        assert device.get(f"{address}hands/1/", {"trick": wanted}).status_code == 200


@pytest.mark.parametrize(
    ("game", "players", "event"),
    [
        ("american-deuce", 4, {"event": "suit", "seat": "0", "suit": "H"}),
        ("ace-pit", 2, {"event": "play", "seat": "1", "cards": "8H"}),
        ("wildcat-chicane", 3, {"event": "ruling-card", "seat": "1", "cards": "XM"}),
        ("ransom-trump", 2, {"event": "ransom", "seat": "1", "cards": "9MS"}),
    ],
)
def test_a_hand_of_any_game_is_shown(device, game, players, event):
    address = device.open_table(game, [f"Player {n}" for n in range(players)], dealer=0)
    assert device.tap(address, **event).status_code == 302
    assert device.get(f"{address}hands/1/").status_code == 200
    assert device.get(f"{address}screen/").status_code == 200


def test_the_big_screen_shows_the_trick_and_has_no_controls(device, other):
    address = play_cards(device, REVOKE[:2])
    page = other.get(f"{address}screen/")
    assert "Cy’s turn" in text(page)
    assert 'aria-label="Diplomat (8 of Moons and Suns)"' in page.content.decode()
    shown = page.content.decode().partition("<footer")[0]  # below it there is nothing but the language
    assert "<form" not in shown
    assert "<button" not in shown
    fragment = other.get(f"{address}screen/", headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in fragment
    assert 'data-version="2"' in fragment


def test_the_same_people_again_go_on_with_the_next_dealer(device):
    address = play_hands(device, 1, end="hands", **{"end-hands": "1", "option-ties": "1"})
    home = device.get("/").content.decode()
    again = re.search(r'href="([^"]*again=[^"]*)"', home)
    assert again is not None
    assert f"/new/ace-trump/?again={address.split('/')[2]}" == again[1]
    form = device.get(again[1]).content.decode()
    assert re.findall(r'name="name" value="([^"]*)"', form)[:2] == ["Ann", "Bob"]
    assert re.search(r'name="dealer" value="1" checked', form), "Ann dealt, so Bob deals now."
    assert "ties to the earlier card (Early Bird)</button>" in form


def test_people_who_played_before_sit_down_by_a_tap(device, other):
    device.open_table(names=["Ann", "Bob", "Cy"])
    form = device.get("/new/ransom-trump/").content.decode()
    assert 'href="?name=Ann&amp;name=Bob&amp;name=Cy"' in form
    seated = device.get("/new/ransom-trump/?name=Ann").content.decode()
    assert 'href="?name=Ann&amp;name=Bob" data-name="Bob"' in seated
    assert not tells(other.get("/new/ransom-trump/"), "Bob")
    assert "same people" not in device.get("/new/ace-pit/").content.decode(), "Three do not play a game for two."


def test_finished_tables_are_told_from_running_ones(device):
    play_hands(device, 1, end="hands", **{"end-hands": "1"})
    running = play_cards(device, REVOKE[:1])
    page = device.get("/")
    assert re.search(
        r"Go on with .*Hand 1: Ann.0 · Bob.0 · Cy.0.* Played on this device .*Bob wins\. Ann.3 · Bob.6", text(page)
    )
    assert page.content.decode().index(running) < page.content.decode().index("again=")
    assert Table.objects.filter(finished=True).count() == 1


def test_a_private_table_shows_none_of_it_to_others(device, other):
    address = play_hands(device, 1, private="1")
    for path in ("hands/1/", "screen/"):
        assert device.get(address + path).status_code == 200
        assert other.get(address + path).status_code == 404
    assert not tells(other.get(f"/new/ace-trump/?again={address.split('/')[2]}"), "Ann")


def test_a_finished_table_offers_its_tricks_where_there_are_some(device):
    address = device.open_table("ace-pit", ["Ann", "Bob"], end="hands", **{"end-hands": "1"})
    device.tap(address, "trick", winner="1", points="10")
    assert "Trick by trick" not in text(device.get(address))
    device.tap(address, "result", points=["60", "10"])
    assert f'href="{address}hands/1/">Trick by trick' in device.get(address).content.decode()
    by_results = play_hands(device, 1, end="hands", **{"end-hands": "1"})
    assert "Trick by trick" not in text(device.get(by_results))


def test_a_hand_is_checked_in_full_when_somebody_asks(device):
    address = play_cards(device, REVOKE)
    assert "Check this hand" in text(device.get(f"{address}hands/1/"))
    page = text(device.get(f"{address}hands/1/?audit=1"))
    assert "Not every card of this hand is known. Irregular acts, as far as they can be seen: 1." in page
    assert re.search(r"Bob did not follow .* proved · trick 1", page)
    assert "Hands that were not entered: 3." in page
