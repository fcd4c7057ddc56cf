"""A game without pages of its own can be played on the common ones."""

import pytest

from referee.engine.events import Ask, Field
from referee.engine.game import with_game
from tests.scoring.pages.reading import UNFOLDED, text
from tests.scoring.pages.test_sharing import join, make_link
from tests.toy import TEN_CARDS as GAME
from tests.toy import TenCards, WhistHand

HAND = ["3R", "5R", "4B", "1B", "1R", "2R", "2B", "3B", "5B", "4R"]


@pytest.fixture(autouse=True)
def _toy():
    with with_game(GAME):
        yield


def test_a_toy_game_is_listed_with_its_rules(device):
    assert GAME.tagline in device.get("/").content.decode()
    assert 'id="TOY-2"' in device.get(f"/games/{GAME.id}/").content.decode()


def test_a_toy_game_can_be_played_to_its_end(device):
    address = device.open_table(GAME.id, ["Ann", "Bob"], dealer=0, end="hands", **{"end-hands": "1"})
    for card in HAND:
        page = device.get(address)
        seat = "0" if "Ann leads." in text(page) or "Ann plays" in text(page) else "1"
        assert f'value="{card}"' in page.content.decode()
        assert device.tap(address, "play", seat=seat, cards=card).status_code == 302
    page = device.get(address + UNFOLDED)
    assert "win" in text(page)
    assert "is the highest card that follows suit." in text(page)
    assert f'/games/{GAME.id}/#TOY-3"' in page.content.decode()


def test_a_trump_set_by_the_deal_is_shown_before_the_first_event(device):
    assert "R Trump Reds" in text(device.get(device.open_table(GAME.id, ["Ann", "Bob"], dealer=0)))


def test_rulings_of_a_toy_game_ask_the_table_too(device):
    address = device.open_table(GAME.id, ["Ann", "Bob"], dealer=0)
    answer = device.tap(address, "play", seat="0", cards="3R")
    assert answer.status_code == 409
    assert "Ann acted out of turn; it was Bob’s turn." in text(answer)


def test_suits_of_a_toy_game_are_shown_by_letters(device):
    page = device.get(device.open_table(GAME.id, ["Ann", "Bob"], dealer=0)).content.decode()
    assert page.count('aria-label="Reds ') == 5
    assert '<span class="symbol letter" aria-hidden="true">R</span>' in page


class WaitingHand(WhistHand):
    """A hand of the toy game in which the table turns a card before anyone plays."""

    def to_act(self) -> tuple[int, ...]:
        """Return no seat: it is the table's turn."""
        return ()

    def asks(self) -> tuple[Ask, ...]:
        """Return what the table must record."""
        return (Ask("note", "Bottom card"), Ask("play", "Play without it", (0, 1), (Field("cards", "cards", "Card"),)))


class Waiting(TenCards):
    """The toy game with a card to turn."""

    hand_class = WaitingHand


def test_the_page_says_what_to_record_when_no_one_is_to_act(device):
    with with_game(Waiting()):
        page = device.get(device.open_table(GAME.id, ["Ann", "Bob"], dealer=0))
    assert "Next: Bottom card" in text(page)


def test_players_phones_are_not_asked_for_the_tables_entry(device):
    with with_game(Waiting()):
        address = device.open_table(GAME.id, ["Ann", "Bob"], dealer=0)
        phone = join(make_link(device, address, "player:0"))
        assert 'data-event="play"' in device.get(address).content.decode()
        assert 'data-event="play"' not in phone.get(address).content.decode()
