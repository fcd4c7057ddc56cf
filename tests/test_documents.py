"""Commands in the documents work, and their links resolve."""

import json
import re
import shlex
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.documents import PAGES, blocks
from tests.referee.api.test_catalogue import holds
from tests.scoring.conftest import ACE_TRUMP, play

ROOT = Path(__file__).parent.parent
MAKEFILE = (ROOT / "Makefile").read_text()
DOCS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
OWN_TESTS = {"notation", "back-up", "run-a-service", "run-a-large-service"}
"""Pages whose commands are run by tests of their own."""


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_generated_pages_are_up_to_date(page):
    assert page.read_text(encoding="utf-8") == PAGES[page](), f"{page.name} is old: make pages"


def commands(page: Path) -> list[tuple[str, str]]:
    """Return a page's commands that are tested here, and the JSON shown below each."""
    found, told = [], list(blocks(page))
    for at, (language, block) in enumerate(told):
        shown = told[at + 1][1] if at + 1 < len(told) and told[at + 1][0] == "json" else ""
        waiting = ""
        for line in block.splitlines() if language == "sh" else ():
            waiting += ("\n" if waiting else "") + line
            if waiting.count("'") % 2 == waiting.count('"') % 2 == 0:
                found.append((waiting, shown))
                waiting = ""
    return [each for each in found if each[0].startswith("curl")]


def run(client: Client, command: str) -> Any:
    words = iter(shlex.split(command)[1:])
    path, headers, body, method = "", {"Host": "localhost:8000"}, "", ""
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


SHOWN = [page for page in DOCS if page.stem not in OWN_TESTS and commands(page)]


def test_pages_with_requests_are_found():
    assert {"README", "api", "tables"} <= {page.stem for page in SHOWN}


@pytest.mark.django_db
@pytest.mark.parametrize("page", SHOWN, ids=name)
def test_requests_on_a_page_are_answered_as_shown(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    client = Client()
    opened = client.post("/api/v1/tables/", ACE_TRUMP, content_type="application/json").json()
    api, head = f"/api/v1/tables/{opened['code']}", {"Authorization": f"Bearer {opened['token']}"}
    for event in (play(0, "8MS"), play(1, "XS"), play(2, "XM")):
        client.post(f"{api}/events/", event, content_type="application/json", headers=head)
    for ending, shape in (("txt", "text"), ("csv", "csv"), ("json", "json")):
        Path(f"evening.{ending}").write_bytes(client.get(f"{api}/record/", {"as": shape}).content)
    for command, shown in commands(page):
        typed = command.replace("$CODE", opened["code"]).replace("$TOKEN", opened["token"]).replace(" -s ", " ")
        typed = typed.replace("http://localhost:8000", "$HOST")
        if brought := re.search(r"--data-binary @(\S+)", typed):
            typed = typed.replace(brought[0], "-d " + shlex.quote(Path(brought[1]).read_text()))
        answer = run(client, typed)
        expected = json.loads(shown or "{}")
        assert (answer.status_code < 300) != ("status" in expected), (command, answer.content)
        assert not shown or holds(answer.json(), expected), (command, answer.json())
        if "$HOST/api/v1/tables/ " in typed:  # the page goes on with the table this opened
            opened = answer.json()


def test_every_make_target_on_a_page_exists():
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
    code = re.compile(r"^```\w*\n(.*?)^```|`([^`\n]+)`", re.MULTILINE | re.DOTALL)
    called = {
        (name(page), target)
        for page in DOCS
        for pieces in code.findall(page.read_text())
        for target in re.findall(r"^(?:[A-Z_]+=\S+ +)*make (?:[A-Z_]+=\S+ +)*([a-z-]+)", "".join(pieces), re.MULTILINE)
    }
    assert len(called) > 10
    assert {each for each in called if each[1] not in targets} == set()


def test_modules_named_by_pages_and_make_can_be_run():
    told = [*(page.read_text() for page in DOCS), MAKEFILE]
    modules = {module for text in told for module in re.findall(r"python3? -m (\w+(?:\.\w+)*)", text)}
    assert len(modules) > 10
    assert {module for module in modules if not can_be_run(module)} == set()


def can_be_run(module: str) -> bool:
    """Return whether it is a package with a ``__main__``, or a module that checks its name."""
    spec = find_spec(module)
    if spec and spec.submodule_search_locations is not None:
        return find_spec(f"{module}.__main__") is not None
    return bool(spec and spec.origin and "__main__" in Path(spec.origin).read_text())


def test_every_link_resolves():
    dead = []
    for page in DOCS:
        text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            file, _, anchor = link.partition("#")
            there = (page.parent / file).resolve() if file else page
            if "://" not in link and (not there.exists() or (anchor and anchor not in anchors(there))):
                dead.append(f"{name(page)}: {link}")
    assert dead == []


def anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
