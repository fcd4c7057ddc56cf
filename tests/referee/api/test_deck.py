"""GET decks/{deck}/: the cards of a deck."""

import pytest

from tests.referee.api.conftest import problem


def test_it_works(api):
    deck = api.get("decks/decktet/").json()
    assert [suit["code"] for suit in deck["suits"]] == list("MSWLYK")
    cards = {card["code"]: card for card in deck["cards"]}
    assert cards["XM"] == {
        "code": "XM",
        "name": "Huntress",
        "rank": "X",
        "suits": ["M"],
        "title": "Crown of Moons",
    }


@pytest.mark.parametrize(
    ("deck", "size"), [("decktet", 36), ("decktet-extended", 45), ("french", 52), ("french-2", 104)]
)
def test_every_deck_is_complete(api, deck, size):
    answer = api.get(f"decks/{deck}/").json()
    assert answer["size"] == size
    assert len({card["code"] for card in answer["cards"]}) == size
    assert all(card["name"] for card in answer["cards"])


def test_an_unknown_deck_is_404_and_names_those_there_are(api):
    assert "decktet-extended" in problem(api.get("decks/tarot/"), 404)["detail"]
