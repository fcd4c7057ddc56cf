"""What goes says so beforehand, and what was judged says by which rules."""

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator

from referee.api.deprecation import Ending
from referee.api.option_schema import options_schema
from referee.api.views.decks import DecksView
from referee.engine.catalogue import all_games, find_game

ENDING = Ending(datetime(2027, 1, 1, tzinfo=UTC), datetime(2028, 1, 1, tzinfo=UTC), "/api/v2/decks/")


@pytest.mark.made_up  # the schema is that of today, in which nothing goes
def test_it_works(api, monkeypatch):
    assert not {"Deprecation", "Sunset", "Link"} & api.get("decks/").headers.keys()
    monkeypatch.setattr(DecksView, "ends", ENDING, raising=False)
    answer = api.get("decks/")
    assert answer["Deprecation"] == "@1798761600"
    assert answer["Sunset"] == "Sat, 01 Jan 2028 00:00:00 GMT"
    assert answer["Link"] == '</api/v2/decks/>; rel="successor-version"'


def test_the_schema_marks_what_goes(monkeypatch):
    monkeypatch.setattr(DecksView, "ends", ENDING, raising=False)
    paths = SchemaGenerator().get_schema(public=True)["paths"]
    assert paths["/api/v1/decks/"]["get"]["deprecated"]
    assert "deprecated" not in paths["/api/v1/games/"]["get"]


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
