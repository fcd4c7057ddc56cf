"""A new game is one new module: a toy, played through every part of the referee without touching any."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from referee.engine.adjudication import adjudicate, describe_replay
from referee.engine.event_kinds import UNSAID
from referee.engine.game import all_games, find_game, with_game
from referee.engine.records import Replay, dump_record, load_event, load_record, replay
from referee.engine.rules import Refused
from referee.engine.rulings import Verdict
from referee.engine.snapshot import dump_table, load_table
from referee.engine.table import TableState, deal, judge, open_table
from tests import toy
from tests.referee.telling import Json, plays

HAND = plays("0:4H 1:6H 1:2H 0:3H 0:7S 1:2S 0:5C 1:KC 1:2D 0:3S")
FIVE = {"cards": 5}


def told(*hands: list[Json], **more: Any) -> Json:
    """Make a record of the toy."""
    events = [{"events": hand} for hand in hands]
    game = {"game": "plain-whist", "options": FIVE, "seats": ["Ann", "Bob"], "first_dealer": 1}
    return {**game, "hands": events, **more}


@pytest.fixture(autouse=True)
def _catalogue() -> Iterator[None]:
    with with_game(toy.GAME):
        yield


def test_it_works():
    answer = adjudicate(load_record(told(HAND)))
    hand = answer["hands"][0]
    assert answer["rejected"] is None
    assert [trick["winner"] for trick in hand["tricks"]] == [1, 0, 0, 1, 0]
    assert (hand["phase"], hand["scores"], answer["totals"]) == ("finished", [3, 2], [3, 2])
    assert hand["tricks"][0]["reason"] == {
        "code": "highest-follower",
        "text": "The 6 of hearts is the highest card that follows.",
        "clauses": ["TOY-3"],
        "facts": {"card": "6H"},
    }
    assert [trick["trump"] for trick in hand["tricks"]] == ["S"] * 5
    assert [trick["reason"] and trick["reason"]["code"] for trick in hand["tricks"]][2:] == [
        "highest-trump",
        "highest-follower",
        "highest-trump",
    ]
    assert [line["points"] for line in hand["score_lines"]] == [3, 2]
    assert answer["next"] == {"number": 2, "dealer": 0, "seating": [0, 1], "hand_size": [5, 5]}


def test_hands_follow_one_another_to_the_games_own_end():
    second = plays("1:4S 0:6S 0:2S 1:3S 1:7H 0:2H 1:5C 0:KC 0:2D 1:3H")
    answer = adjudicate(load_record(told(HAND, second)))
    assert (answer["totals"], answer["finished"], answer["winners"]) == ([5, 5], True, [0, 1])


def test_a_later_card_proves_that_a_player_could_have_followed():
    hand = adjudicate(load_record(told(plays("0:4H 1:2D 0:3D 1:6H"))))["hands"][0]
    finding = hand["irregularities"][0]
    assert (finding["code"], finding["certainty"], finding["seat"]) == ("revoke", "proved", 1)
    assert (finding["event"], finding["proved_by"]) == ([0, 1], [[0, 3]])
    assert "Bob did not follow with the 2 of diamonds and now shows the 6 of hearts" in finding["reason"]["text"]


@pytest.mark.parametrize(
    ("events", "verdict", "code"),
    [
        ("0:1X", "impossible", "not-in-deck"),
        ("4:3S", "impossible", "no-such-seat"),
        ("0:3S 1:3S", "impossible", "already-played"),
        ("0:3S 0:4S", "impossible", "too-many-cards"),
        ("1:3S", "irregular", "out-of-turn"),
    ],
)
def test_what_cannot_be_or_must_be_accepted(events: str, verdict: str, code: str):
    rejected = adjudicate(load_record(told(plays(events))))["rejected"]
    assert rejected is not None
    assert (rejected["verdict"], rejected["reason"]["code"]) == (verdict, code)
    if verdict == "irregular":
        assert adjudicate(load_record(told(plays(events + "!"))))["rejected"] is None


def test_notes_penalties_redeals_and_ends_come_for_nothing():
    settled = [*HAND, {"type": "note", "text": "tea"}, {"type": "penalty", "seat": 1, "points": 4}, {"type": "end"}]
    answer = adjudicate(load_record(told(settled)))
    assert (answer["totals"], answer["finished"], answer["winners"]) == ([3, 6], True, [1])
    assert adjudicate(load_record(told([{"type": "redeal"}], HAND)))["hands"][1]["dealer"] == 1
    assert adjudicate(load_record(told([{"type": "bid", "seat": 0, "tricks": 1}])))["rejected"]


def test_event_by_event_saved_and_loaded_each_time_it_is_the_same():
    record = load_record(told(plays("0:4H 1:2D 0:3D 1:6H")))
    table = deal(open_table(record.rules, first_dealer=1))
    for event in record.hands[0].events:
        assert isinstance(table, TableState)
        before = json.dumps(dump_table(table))
        ruling = judge(table, event)
        assert ruling.verdict is Verdict.ACCEPTED
        assert json.dumps(dump_table(table)) == before
        table = load_table(record.rules, json.loads(json.dumps(dump_table(ruling.table))))
    assert isinstance(table, TableState)
    assert table.hand is not None
    stepwise = Replay((table.hand,), table)
    assert describe_replay(stepwise, record.seats) == describe_replay(replay(record), record.seats)


def test_a_record_is_written_with_canonical_codes_and_read_again():
    record = load_record(told(plays("0:king-of-spades 1:5♠")))
    data = dump_record(record)
    assert [event["cards"] for event in data["hands"][0]["events"]] == [["KS"], ["5S"]]
    assert dump_record(load_record(data)) == data
    assert UNSAID not in data["hands"][0]["events"][0].values()


def test_its_house_rules_are_checked_like_those_of_every_game():
    stand = {"cards": 13, "bidding": False, "hook": False, "revoke": "stand"}
    assert load_record(told(options={"revoke": "stand"})).rules.options == stand
    with pytest.raises(Refused, match="There is no option"):
        load_record(told(options={"ties": "early"}))
    with pytest.raises(Refused, match="played by 2 to 4 players"):
        load_record(told() | {"seats": ["Ann"]})


def test_it_says_what_the_record_can_take_next():
    table = deal(open_table(load_record(told()).rules, first_dealer=1))
    assert isinstance(table, TableState)
    assert table.hand is not None
    ask, *rest = table.hand.asks()
    assert (ask.event, ask.seats, len(ask.fields[0].choices)) == ("play", (0,), 52)
    assert [other.event for other in rest] == ["trick", "result"]
    after = judge(table, load_event(HAND[0])).table
    assert after.hand is not None
    assert "4H" not in after.hand.asks()[0].fields[0].choices


# -- over HTTP --------------------------------------------------------------------------------


def test_the_api_judges_it():
    body = told(HAND)
    answer = Client().post("/api/v1/referee/judge/", body, content_type="application/json")
    assert answer.status_code == 200
    assert answer.json() == json.loads(json.dumps(adjudicate(load_record(body))))


def test_the_api_lists_it_and_shows_its_rules():
    client = Client()
    shown = client.get("/api/v1/games/plain-whist/").json()
    assert shown["name"] == "Plain Whist"
    assert list(shown["options"]["properties"]) == ["cards", "bidding", "hook", "revoke"]
    assert "plain-whist" in [game["id"] for game in client.get("/api/v1/games/").json()]
    clauses = client.get("/api/v1/games/plain-whist/rulebook/").json()
    assert {"TOY-1", "TOY-2", "TOY-3", "TOY-4"} <= {clause["id"] for clause in clauses}


# -- nothing else -----------------------------------------------------------------------------


def test_the_toy_needs_only_what_the_referee_offers_to_every_game():
    tree = ast.parse(Path(toy.__file__).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {module for module in imported if module != "typing"} == {
        "referee.engine.rules", "referee.engine.questions", "referee.engine.rulebook", "referee.engine.rulings",
        "referee.packs", "referee.tricks.hand", "referee.tricks.questions",
    }  # fmt: skip
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]


class Elevenses(toy.PlainWhist):
    """Another game, for a while."""

    id = "elevenses"


def test_a_game_joins_the_catalogue_for_a_while_and_leaves_it_as_it_was():
    before = all_games()
    with with_game(Elevenses()) as other:
        assert find_game("elevenses") is other
        with with_game(Elevenses()) as third:
            assert find_game("elevenses") is third
        assert find_game("elevenses") is other
    assert all_games() == before
