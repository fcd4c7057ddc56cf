"""GET decks/: the list of decks."""

from referee.engine.catalogue import with_game
from tests.ten_cards import GAME as TEN_CARDS


def test_it_works(api):
    decks = {deck["id"]: deck["size"] for deck in api.get("decks/").json()}
    assert decks == {"decktet": 36, "decktet-extended": 45, "french": 52, "french-2": 104}


def test_a_toy_game_brings_its_cards(api):
    with with_game(TEN_CARDS):
        assert {"id": "ten-cards", "name": "Ten Cards", "size": 10} in api.get("decks/").json()
