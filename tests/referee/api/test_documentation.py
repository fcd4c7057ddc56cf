"""What the documentation shows is what the API answers."""

import json
import re
import shlex
from pathlib import Path

import pytest

from referee.api.examples import EXAMPLES
from referee.api.questions import QUESTIONS

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "api.md"
SHOWN = re.findall(r"```sh\n(curl .*?)```\n\n```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def holds(answer, expected):
    """Return whether the answer holds everything that is expected; it may hold more."""
    if isinstance(expected, dict):
        return isinstance(answer, dict) and all(k in answer and holds(answer[k], v) for k, v in expected.items())
    if isinstance(expected, list):
        same_length = isinstance(answer, list) and len(answer) == len(expected)
        return same_length and all(holds(a, e) for a, e in zip(answer, expected, strict=True))
    return answer == expected and type(answer) is type(expected)


def run(api, command):
    """Do what the curl command does."""
    words = iter(shlex.split(command)[1:])
    path, headers, body = "", {"host": "localhost:8000"}, None
    for word in words:
        if word == "-H":
            name, _, value = next(words).partition(": ")
            headers[name.lower()] = value
        elif word == "-d":
            body = next(words)
        else:
            path = word.removeprefix("$HOST/api/v1/")
    if body is None:
        return api.get(path, **headers)
    return api.post(path, body, content_type=headers.pop("content-type"), **headers)


def test_it_works():
    assert len(SHOWN) >= 6


@pytest.mark.parametrize(("command", "expected"), SHOWN, ids=range(len(SHOWN)))
def test_a_command_of_the_page_answers_as_shown(api, command, expected):
    answer = run(api, command).json()
    assert holds(answer, json.loads(expected)), answer


@pytest.mark.parametrize(
    ("name", "example"),
    [(name, example) for name, examples in EXAMPLES.items() for example in examples],
    ids=lambda value: value if isinstance(value, str) else value.title,
)
def test_an_example_of_the_schema_answers_as_shown(api, name, example):
    answer = api.post(f"referee/{name}/", example.request).json()
    assert holds(answer, example.answer), answer


def test_every_question_has_an_example():
    assert set(EXAMPLES) == {"judge", "what-if", "audit", "guide", *(question.name for question in QUESTIONS)}
