"""The rulebook of a game."""

import re

import pytest

from referee.engine import rulebook
from referee.engine.catalogue import all_games


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_it_works(device, game):
    page = device.get(f"/games/{game.id}/").content.decode()
    clauses = [clause.id for clause in game.rulebook()]
    assert clauses
    assert all(f'id="{clause}"' in page for clause in clauses)
    assert "our choice where the source is silent" in page


def test_every_clause_has_one_place(device):
    for game in all_games():
        anchors = re.findall(r' id="([^"]+)"', device.get(f"/games/{game.id}/").content.decode())
        assert len(anchors) == len(set(anchors))


def test_the_deck_belongs_to_the_games_that_use_it(device):
    decktet = rulebook.clauses("decktet")[0]
    assert f'id="{decktet.id}"' in device.get("/games/ace-trump/").content.decode()
    assert f'id="{decktet.id}"' not in device.get("/games/ace-pit/").content.decode()


def test_an_unknown_game_is_not_found(device):
    assert device.get("/games/no-such-game/").status_code == 404
