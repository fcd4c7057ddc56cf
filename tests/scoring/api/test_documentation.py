"""What the page about the API of tables shows is what it answers, one command after the other."""

import json
import re
import shlex
from pathlib import Path

import pytest
from django.test import Client

from tests.referee.api.test_documentation import holds

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "tables.md"
SHOWN = re.findall(r"```sh\n(curl .*?)```\n\n```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def run(client, command):
    """Do what the curl command does."""
    words = iter(shlex.split(command)[1:])
    path, headers, body, method = "", {}, "", ""
    for word in words:
        match word:
            case "-H":
                name, _, value = next(words).partition(": ")
                headers[name] = value
            case "-d":
                body = next(words)
            case "-X":
                method = next(words)
            case _:
                path = word.removeprefix("$HOST")
    method = method or ("POST" if body else "GET")
    content_type = headers.pop("Content-Type", "application/octet-stream")
    return client.generic(method, path, body, content_type=content_type, headers=headers)


@pytest.mark.django_db
def test_the_commands_of_the_page_answer_as_shown():
    assert len(SHOWN) >= 6
    client, opened = Client(), {"code": "", "token": ""}
    for command, expected in SHOWN:
        answer = run(client, command.replace("$CODE", opened["code"]).replace("$TOKEN", opened["token"])).json()
        assert holds(answer, json.loads(expected)), (command, answer)
        opened = opened if opened["code"] else answer
