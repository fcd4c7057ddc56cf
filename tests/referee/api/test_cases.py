"""A worked ruling of every question, asked over HTTP: the answer is the one that the game gives.

That every case is ruled as expected is tested with the game itself, see ``tests/referee/test_cases.py``.
"""

import pytest

from tests.games.discovery import CASES

ONE_OF_EACH = {(case["body"]["game"], case["ask"]): case for case in reversed(CASES)}.values()


@pytest.mark.parametrize("case", ONE_OF_EACH, ids=[case["id"] for case in ONE_OF_EACH])
def test_the_case_is_ruled_as_expected(api, case):
    response = api.post(case["ask"], case["body"])
    assert response.status_code == 200, response.content
    answer = response.json()
    assert {key: answer[key] for key in case["expect"]} == case["expect"]
    reason = answer["reason"]
    assert reason["text"]
    assert reason["code"]
    known = {clause["id"] for clause in api.get(f"games/{case['body']['game']}/rulebook/").json()}
    assert reason["clauses"]
    assert set(reason["clauses"]) <= known
