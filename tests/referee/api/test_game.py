"""GET games/{game}/: players, deck and house rules of one game."""

import pytest
from jsonschema import Draft202012Validator

from referee.engine.catalogue import all_games, with_game
from tests.referee.api.conftest import problem
from tests.toy import GAME as TOY


def test_it_works(api):
    game = api.get("games/ace-trump/").json()
    assert game["name"] == "Ace Trump"
    assert game["decks"] == dict.fromkeys("23456", "decktet")
    assert game["end"] == {"kind": "open", "value": None}
    ties = game["options"]["properties"]["ties"]
    assert ties["title"] == "Equal ranks"
    assert ties["default"] == "symbol"
    assert [value["const"] for value in ties["oneOf"]] == ["symbol", "early", "late"]
    assert "AT-V2" in ties["x-clauses"]
    assert {"trick", "legal", "score", "deal"} <= set(game["questions"])


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_the_options_are_a_json_schema_that_their_defaults_obey(api, game):
    schema = api.get(f"games/{game.id}/").json()["options"]
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    fewest = game.players[0]
    defaults = {
        key: option["x-by-players"][str(fewest)]["default"] if "x-by-players" in option else option["default"]
        for key, option in schema["properties"].items()
    }
    assert validator.is_valid(defaults)
    assert not validator.is_valid({"luck": True})
    assert dict(game.rules(defaults, fewest).options) == defaults
    for key, option in schema["properties"].items():
        assert option["title"]
        assert option["description"]
        assert option["x-clauses"]
        assert not validator.is_valid({key: []})
        for value in option.get("oneOf", []):
            assert validator.is_valid({key: value["const"]})
            assert value["title"]


def test_a_toy_game_has_its_page(api):
    with with_game(TOY):
        game = api.get("games/plain-whist/").json()
    assert (game["deck"], game["decks"]) == ("french", dict.fromkeys("234", "french"))
    assert game["questions"] == ["deal", "legal", "score", "trick"]
    assert list(game["options"]["properties"]) == ["cards", "bidding", "hook", "revoke"]


@pytest.mark.parametrize(
    "name", ["no-such-game", "ACE-TRUMP", "..", "%00", "%ED%A0%80", "x" * 3000, "ace-trump%0A", "🂡"]
)
def test_an_unknown_game_is_404_and_names_those_there_are(api, name):
    assert problem(api.get(f"games/{name}/"), 404)["code"] in ("unknown-game", "not-found")


def test_the_problem_names_the_games(api):
    assert "ace-trump" in problem(api.get("games/no-such-game/"), 404)["detail"]
