"""Every worked ruling, asked of the game itself: the answer holds at least what the case expects."""

import json
from pathlib import Path
from typing import Any

import pytest

from referee.engine.catalogue import find_game
from referee.engine.rulings import Reason, ScoreLine
from tests.referee.telling import clause_ids

TEXT = (Path(__file__).parents[1] / "data" / "cases.jsonl").read_text(encoding="utf-8")
CASES = [json.loads(line) for line in TEXT.splitlines() if line.strip()]
HERE = [case for case in CASES if find_game(case["body"]["game"])]


@pytest.mark.parametrize("case", HERE, ids=[case["id"] for case in HERE])
def test_the_game_rules_as_expected(case: dict[str, Any]):
    game = find_game(case["body"]["game"])
    assert game is not None
    answer = game.answer(case["ask"].split("/")[1], case["body"])
    assert {key: answer[key] for key in case["expect"]} == case["expect"]
    assert isinstance(answer["reason"], Reason)
    assert answer["reason"].text
    assert answer["reason"].clauses
    assert set(answer["reason"].clauses) <= clause_ids()
    if "points" in answer:
        points = answer["points"]
        lines = [each.points if isinstance(each, ScoreLine) else each["points"] for each in answer["lines"]]
        assert sum(lines) == (sum(points) if isinstance(points, list) else points)
