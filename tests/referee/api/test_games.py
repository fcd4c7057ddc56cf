"""GET games/: the list of games."""

from referee.engine.catalogue import all_games, with_game
from tests.referee.api.conftest import problem
from tests.toy import GAME as TOY


def test_it_works(api):
    games = api.get("games/").json()
    assert [game["id"] for game in games] == [game.id for game in all_games()]
    first = games[0]
    assert (first["id"], first["players"], first["deck"]) == ("ace-trump", [2, 3, 4, 5, 6], "decktet")
    assert "P. D. Magnus" in first["source"]


def test_a_toy_game_is_listed(api):
    with with_game(TOY):
        assert "plain-whist" in [game["id"] for game in api.get("games/").json()]


def test_head_answers_without_a_body(api):
    response = api.client.head("/api/v1/games/")
    assert (response.status_code, response.content) == (200, b"")


def test_options_names_the_methods(api):
    response = api.client.options("/api/v1/games/")
    assert response.status_code == 200
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"


def test_another_format_is_406(api):
    assert problem(api.get("games/", accept="text/html"), 406)["code"] == "not-acceptable"
    assert api.get("games/", accept="*/*").status_code == 200


def test_a_wrong_method_is_405(api):
    assert problem(api.post("games/", {}), 405)
