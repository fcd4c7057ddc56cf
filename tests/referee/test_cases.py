"""Every worked ruling, put to the game itself: the answer contains at least what the case expects."""

from typing import Any

import pytest

from referee.engine.game import all_games, find_game
from referee.engine.rulings import Reason, ScoreLine
from tests.games.discovery import CASES
from tests.referee.telling import clause_ids


def test_every_question_of_a_game_with_cases_has_a_case():
    asked = {(case["body"]["game"], case["ask"]) for case in CASES}
    games = {game for game, _ in asked}
    assert len(games) >= 5
    questions = {question.name for game in all_games() if game.id in games for question in game.QUESTIONS}
    assert {ask for _, ask in asked} == {f"referee/{name}/" for name in questions}
    assert len({case["id"] for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_game_gives_the_expected_ruling(case: dict[str, Any]):
    game = find_game(case["body"]["game"])
    assert game is not None
    answer = game.answer(case["ask"].split("/")[1], case["body"])
    assert {key: answer[key] for key in case["expect"]} == case["expect"]
    assert isinstance(answer["reason"], Reason)
    assert answer["reason"].code
    assert answer["reason"].text
    assert answer["reason"].clauses
    assert set(answer["reason"].clauses) <= clause_ids()
    if "points" in answer:
        points = answer["points"]
        lines = [each.points if isinstance(each, ScoreLine) else each["points"] for each in answer["lines"]]
        assert sum(lines) == (sum(points) if isinstance(points, list) else points)
