"""Decks, games, rulebooks, versions, examples, and single questions."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from referee.api.questions import QUESTIONS
from referee.api.schema import EXAMPLES
from referee.engine.game import all_games, find_game, with_game
from tests.games.discovery import version_kept
from tests.golden.make import version_of
from tests.referee.api.conftest import problem
from tests.toy import GAME as TOY

# --- GET decks/{deck}/: the cards of one deck


def test_a_deck_lists_its_suits_and_cards(api):
    deck = api.get("decks/decktet/").json()
    assert [suit["code"] for suit in deck["suits"]] == list("MSWLYK")
    cards = {card["code"]: card for card in deck["cards"]}
    assert cards["XM"] == {"code": "XM", "name": "Huntress", "rank": "X", "suits": ["M"], "title": "Crown of Moons"}


@pytest.mark.parametrize(
    ("deck", "size"), [("decktet", 36), ("decktet-extended", 45), ("french", 52), ("french-2", 104)]
)
def test_every_deck_lists_all_its_cards(api, deck, size):
    answer = api.get(f"decks/{deck}/").json()
    assert answer["size"] == size
    assert len({card["code"] for card in answer["cards"]}) == size
    assert all(card["name"] for card in answer["cards"])


def test_an_unknown_deck_is_404_and_lists_the_known_ones(api):
    detail = problem(api.get("decks/tarot/"), 404)["detail"]
    assert detail.endswith("The decks are: decktet, decktet-extended, french, french-2.")


# --- GET games/{game}/: players, deck and house rules of one game


def test_a_game_lists_its_options_with_their_clauses(api):
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


def test_a_toy_game_has_its_pages_and_answers_questions_too(api):
    with with_game(TOY):
        game = api.get("games/plain-whist/").json()
        listed, rulebook = api.get("games/").json(), api.get("games/plain-whist/rulebook/").json()
        answer = api.post("referee/score/", {"game": "plain-whist", "tricks": 5}).json()
    assert (game["deck"], game["decks"]) == ("french", dict.fromkeys("234", "french"))
    assert game["questions"] == ["deal", "legal", "score", "trick"]
    assert list(game["options"]["properties"]) == ["cards", "bidding", "hook", "revoke"]
    assert "plain-whist" in [game["id"] for game in listed]
    assert rulebook[0]["id"] == "TOY-1"
    assert answer["points"] == 5
    assert answer["lines"][0]["reason"]["clauses"] == answer["reason"]["clauses"] == ["TOY-4"]


@pytest.mark.parametrize(
    "name", ["no-such-game", "ACE-TRUMP", "..", "%00", "%ED%A0%80", "x" * 3000, "ace-trump%0A", "🂡"]
)
def test_an_unknown_game_is_404_and_lists_the_known_ones(api, name):
    assert problem(api.get(f"games/{name}/"), 404)["code"] in ("unknown-game", "not-found")


# --- GET games/: the list of games


def test_games_are_listed(api):
    games = api.get("games/").json()
    assert [game["id"] for game in games] == [game.id for game in all_games()]
    first = games[0]
    assert (first["id"], first["players"], first["deck"]) == ("ace-trump", [2, 3, 4, 5, 6], "decktet")
    assert "P. D. Magnus" in first["source"]


def test_other_methods_and_formats_are_refused(api):
    response = api.client.head("/api/v1/games/")
    assert (response.status_code, response.content) == (200, b"")
    response = api.client.options("/api/v1/games/")
    assert response.status_code == 200
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"
    assert problem(api.get("games/", accept="text/html"), 406)["code"] == "not-acceptable"
    assert api.get("games/", accept="*/*").status_code == 200
    assert problem(api.post("games/", {}), 405)


# --- GET games/{game}/rulebook/: every clause that a reason can cite


def test_a_rulebook_holds_the_clauses_its_game_can_cite(api):
    clauses = {clause["id"]: clause for clause in api.get("games/ace-trump/rulebook/").json()}
    assert clauses["AT-9"].keys() >= {"id", "title", "text", "source", "basis", "part"}
    assert clauses["AT-9"]["basis"] == "seed"
    assert {clause["part"] for clause in clauses.values()} == {"ace-trump", "decktet", "irregularities", "record"}
    parts = {clause["part"] for clause in api.get("games/ace-pit/rulebook/").json()}
    assert parts == {"ace-pit", "irregularities", "record"}


# --- An adjudication names the version of its rules


def test_a_verdict_cites_its_rules(api, monkeypatch):
    record = {"game": "ace-trump", "seats": ["Ann", "Bob"], "first_dealer": 0}
    assert api.post("referee/judge/", record).json()["rules_version"] == 1
    monkeypatch.setattr(type(find_game("ace-trump")), "rules_version", 2)
    assert api.post("referee/judge/", record).json()["rules_version"] == 2
    assert api.get("games/ace-trump/").json()["rules_version"] == 2


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_changed_clauses_require_a_new_version(game):
    assert version_kept(game.id) == version_of(game), "tests/golden/make.py says what to do."


# --- The API answers what the schema shows


def holds(answer, expected):
    """Return whether the answer contains everything expected; it may contain more."""
    if isinstance(expected, dict):
        return isinstance(answer, dict) and all(k in answer and holds(answer[k], v) for k, v in expected.items())
    if isinstance(expected, list):
        same_length = isinstance(answer, list) and len(answer) == len(expected)
        return same_length and all(holds(a, e) for a, e in zip(answer, expected, strict=True))
    return answer == expected and type(answer) is type(expected)


@pytest.mark.parametrize(
    ("name", "example"),
    [(name, example) for name, examples in EXAMPLES.items() for example in examples],
    ids=lambda value: value if isinstance(value, str) else value.title,
)
def test_an_example_in_the_schema_is_answered_as_shown(api, name, example):
    answer = api.post(f"referee/{name}/", example.request).json()
    assert holds(answer, example.answer), answer


def test_every_question_has_an_example():
    assert set(EXAMPLES) == {"judge", "what-if", "audit", "guide", *(question.name for question in QUESTIONS)}


# --- Single questions over HTTP: each is answered for the games that declare it

ROUND = {"game": "american-deuce", "cards_left": [0, 3, 11, 8], "dealt": [13, 13, 13, 13]}
BEATS = {"decks": 1, "suit_order": ["S", "H", "C", "D"], "on": ["2S"], "play": ["4S", "4H", "4D", "4C"]}


@pytest.mark.parametrize(
    ("question", "body", "expected"),
    [
        ("suit", {"card": "8YK", "ruling_card": "XM"}, {"suit": "Y"}),
        ("ransom", {"cards": ["XM", "XY", "9MS", "6MW"]}, {"winner": 2, "suits": ["M", "S"]}),
        ("ransom", {"cards": ["PMSL", "9LK"], "options": {"pawns": True}}, {"winner": 0}),
        ("response", {"laid": "8H", "response": ["7H", "9H"]}, {"winner": "responder", "points": 95}),
        ("beats", BEATS, {"beats": True}),
        ("beats", BEATS | {"play": ["4S", "5H"]}, {"beats": False, "combination": None}),
    ],
)
def test_the_game_may_be_omitted_if_only_one_answers_the_question(api, question, body, expected):
    answer = api.post(f"referee/{question}/", body).json()
    assert {key: answer[key] for key in expected} == expected
    assert answer["reason"]["clauses"]


def test_points_can_be_listed_for_every_seat(api):
    answer = api.post("referee/score/", ROUND).json()
    for seat, points in enumerate(answer["points"]):
        assert sum(line["points"] for line in answer["lines"] if line["seat"] == seat) == points


PLAYS = [{"cards": ["XM"]}, {"cards": ["9WY"]}, {"cards": ["AY"]}]
TIDES = {"game": "ace-trump", "players": 5, "options": {"tides": True}}
TRICK: dict[str, Any] = {"game": "ace-trump", "plays": PLAYS}


@pytest.mark.parametrize(
    ("question", "body", "status", "code", "pointer"),
    [
        ("trick", {}, 400, "missing-key", "/game"),
        ("trick", TRICK | {"game": None}, 400, "wrong-type", "/game"),
        ("trick", TRICK | {"plays": [1]}, 400, "wrong-type", "/plays/0"),
        ("trick", TRICK | {"game": "no-such-game"}, 422, "unknown-game", "/game"),
        ("trick", TRICK | {"game": "ace-pit"}, 422, "unknown-question", "/game"),
        ("trick", TRICK | {"plays": [*PLAYS, {"cards": ["XM"]}]}, 422, "already-played", "/plays/3/cards/0"),
        ("suit", {"ruling_card": "XM"}, 400, "missing-key", "/card"),
        ("ransom", {"cards": ["PMSL", "9LK"]}, 422, "not-in-deck", "/cards/0"),
        ("response", {"laid": "8H", "response": []}, 422, "wrong-count", "/response"),
        ("score", ROUND | {"cards_left": [1, 3, 11, 8]}, 422, "bad-result", "/cards_left"),
        ("deal", TIDES, 422, "option-conflict", "/options/tides"),
        ("beats", BEATS | {"on": ["2S*"]}, 422, "not-in-deck", "/on/0"),
        ("beats", BEATS | {"under_five_of_a_kind": 1}, 400, "wrong-type", "/under_five_of_a_kind"),
    ],
)
def test_an_invalid_question_is_a_problem_with_a_pointer(api, question, body, status, code, pointer):
    said = api.refused(f"referee/{question}/", body, status)
    assert (said["code"], said["errors"][0]["pointer"]) == (code, pointer)


def test_a_refused_question_names_the_games_that_answer_it(api):
    detail = api.refused("referee/trick/", TRICK | {"game": "ace-pit"}, 422)["detail"]
    assert "ace-trump, ransom-trump, wildcat-chicane" in detail
