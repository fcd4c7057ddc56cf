"""An adjudication names the version of the rules that it was made by."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from referee.api.option_schema import options_schema
from referee.engine.catalogue import all_games, find_game


def test_a_verdict_says_by_which_rules(api, monkeypatch):
    record = {"game": "ace-trump", "seats": ["Ann", "Bob"], "first_dealer": 0}
    assert api.post("referee/judge/", record).json()["rules_version"] == 1
    monkeypatch.setattr(type(find_game("ace-trump")), "rules_version", 2)
    assert api.post("referee/judge/", record).json()["rules_version"] == 2
    assert api.get("games/ace-trump/").json()["rules_version"] == 2


GAMES = Path(__file__).resolve().parents[2] / "games"


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_whoever_changes_clauses_or_house_rules_thinks_of_the_version(game):
    """Beside the tests of each game stand its version, and a digest of its clauses and house rules."""
    described: Any = options_schema(game)["properties"]
    options = {key: value.get("default") for key, value in described.items()}
    shape = [[clause.id for clause in game.rulebook()], options, list(game.players)]
    digest = hashlib.sha256(json.dumps(shape).encode()).hexdigest()[:12]
    kept = GAMES / game.id.replace("-", "_") / "rules_version.txt"
    assert f"{game.rules_version} {digest}\n" == kept.read_text(), f"Think of the version, then write it to {kept}"
