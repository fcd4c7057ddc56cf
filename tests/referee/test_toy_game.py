"""A new game is one new module: a toy goes through every part of the referee without changes to it."""

from collections.abc import Iterator
from typing import Any

import pytest

from referee.engine.adjudication import adjudicate
from referee.engine.game import all_games, find_game, with_game
from referee.engine.records import load_record
from referee.engine.rules import Refused
from tests import toy
from tests.referee.telling import Json, plays

HAND = plays("0:4H 1:6H 1:2H 0:3H 0:7S 1:2S 0:5C 1:KC 1:2D 0:3S")
FIVE = {"cards": 5}


def told(*hands: list[Json], **more: Any) -> Json:
    events = [{"events": hand} for hand in hands]
    game = {"game": "plain-whist", "options": FIVE, "seats": ["Ann", "Bob"], "first_dealer": 1}
    return {**game, "hands": events, **more}


@pytest.fixture(autouse=True)
def _catalogue() -> Iterator[None]:
    with with_game(toy.GAME):
        yield


def test_an_external_game_is_judged_and_explained():
    answer = adjudicate(load_record(told(HAND)))
    hand = answer["hands"][0]
    assert answer["rejected"] is None
    assert [trick["winner"] for trick in hand["tricks"]] == [1, 0, 0, 1, 0]
    assert (hand["phase"], hand["scores"], answer["totals"]) == ("finished", [3, 2], [3, 2])
    assert hand["tricks"][0]["reason"] == {
        "code": "highest-follower",
        "text": "The 6 of hearts is the highest card that follows suit.",
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


def test_hands_follow_each_other_until_the_games_own_end():
    second = plays("1:4S 0:6S 0:2S 1:3S 1:7H 0:2H 1:5C 0:KC 0:2D 1:3H")
    answer = adjudicate(load_record(told(HAND, second)))
    assert (answer["totals"], answer["finished"], answer["winners"]) == ([5, 5], True, [0, 1])


def test_notes_penalties_redeals_and_ends_work_without_extra_code():
    settled = [*HAND, {"type": "note", "text": "tea"}, {"type": "penalty", "seat": 1, "points": 4}, {"type": "end"}]
    answer = adjudicate(load_record(told(settled)))
    assert (answer["totals"], answer["finished"], answer["winners"]) == ([3, 6], True, [1])
    assert adjudicate(load_record(told([{"type": "redeal"}], HAND)))["hands"][1]["dealer"] == 1
    assert adjudicate(load_record(told([{"type": "bid", "seat": 0, "tricks": 1}])))["rejected"]


def test_a_toys_house_rules_are_checked_like_any_others():
    stand = {"cards": 13, "bidding": False, "hook": False, "revoke": "stand"}
    assert load_record(told(options={"revoke": "stand"})).rules.options == stand
    with pytest.raises(Refused, match="There is no option"):
        load_record(told(options={"ties": "early"}))
    with pytest.raises(Refused, match="is for 2 to 4 players"):
        load_record(told() | {"seats": ["Ann"]})


# -- nothing else -----------------------------------------------------------------------------


class Elevenses(toy.PlainWhist):
    """Another game, registered temporarily."""

    id = "elevenses"


def test_a_temporary_game_leaves_the_catalogue_unchanged():
    before = all_games()
    with with_game(Elevenses()) as other:
        assert find_game("elevenses") is other
        with with_game(Elevenses()) as third:
            assert find_game("elevenses") is third
        assert find_game("elevenses") is other
    assert all_games() == before
