"""GET games/{game}/rulebook/: every clause that a reason can cite."""

import pytest

from referee.engine.catalogue import all_games, with_game
from referee.engine.rulebook import BASES
from tests.referee.api.conftest import problem
from tests.toy import GAME as TOY


def test_it_works(api):
    clauses = {clause["id"]: clause for clause in api.get("games/ace-trump/rulebook/").json()}
    assert clauses["AT-9"].keys() >= {"id", "title", "text", "source", "basis", "part"}
    assert clauses["AT-9"]["basis"] == "seed"
    assert {clause["part"] for clause in clauses.values()} == {"ace-trump", "decktet", "irregularities", "record"}


@pytest.mark.parametrize("game", [game.id for game in all_games()])
def test_every_clause_is_complete_and_stands_once(api, game):
    clauses = api.get(f"games/{game}/rulebook/").json()
    assert len({clause["id"] for clause in clauses}) == len(clauses) > 20
    for clause in clauses:
        assert all(clause.values())
        assert clause["basis"] in BASES


def test_games_with_other_cards_do_not_quote_the_decktet(api):
    parts = {clause["part"] for clause in api.get("games/ace-pit/rulebook/").json()}
    assert parts == {"ace-pit", "irregularities", "record"}


def test_a_toy_game_brings_its_own(api):
    with with_game(TOY):
        assert api.get("games/plain-whist/rulebook/").json()[0]["id"] == "TOY-1"


def test_an_unknown_game_is_404(api):
    assert problem(api.get("games/no-such-game/rulebook/"), 404)
