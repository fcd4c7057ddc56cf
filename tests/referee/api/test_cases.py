"""Every worked ruling, asked over HTTP: the answer holds at least what the case expects."""

import json
from pathlib import Path

import pytest

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    if line.strip()
]


def test_there_are_cases_for_every_question():
    asked = {case["ask"] for case in CASES}
    names = ("trick", "legal", "suit", "ransom", "beats", "response", "score", "deal")
    assert asked == {f"referee/{name}/" for name in names}
    assert len({case["id"] for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
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
