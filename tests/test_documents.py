"""What the documents say is so.

Every address and house rule has its line, every block of code is run or declared as shown, every link leads somewhere,
and every page is found from the first one, among its kind.
"""

import json
import re
import shlex
from pathlib import Path

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tests.documents import PAGES, blocks
from tests.referee.api.test_documentation import holds
from tests.scoring.api.test_documentation import run
from tests.scoring.conftest import ACE_TRUMP, play

ROOT = Path(__file__).parent.parent
DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
KINDS = {"tutorial", "how-to", "reference", "explanation", "clients"}
SHOWN = {"text", "json"}
"""What is looked at and not typed: drawings, headers, notation, and the answer to the command above."""
RUN_BY = {
    "docs/reference/api.md": "tests/referee/api/test_documentation.py::test_a_command_of_the_page_answers_as_shown",
    "docs/reference/tables.md": (
        "tests/scoring/api/test_documentation.py::test_the_commands_of_the_page_answer_as_shown"
    ),
    "docs/reference/notation.md": (
        "tests/referee/test_notation.py::test_the_example_of_the_reference_is_what_is_written"
    ),
    "docs/how-to/back-up.md": "tests/deploy/test_backup.py::test_every_command_of_the_page_does_what_it_says",
    "docs/how-to/run-a-service.md": (
        "tests/deploy/test_run_a_service.py::test_every_block_of_the_page_does_what_it_says"
    ),
    "docs/clients/python/README.md": "tests/clients/test_small_clients.py::test_the_example_for_python_runs",
    "docs/clients/typescript/README.md": (
        "tests/clients/test_small_clients.py::test_the_client_for_typescript_compiles_and_records"
    ),
}
"""Pages whose blocks another test runs as they stand."""


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_is_made_is_as_it_would_be_made_now(page):
    assert page.read_text(encoding="utf-8") == PAGES[page](), f"{page.name} is old: make clients"


def routes(resolver: URLResolver, before: str = "") -> list[str]:
    found = []
    for each in resolver.url_patterns:
        route = before + str(each.pattern)
        found += routes(each, route) if isinstance(each, URLResolver) else [route]
        assert isinstance(each, URLPattern | URLResolver)
    return found


def test_every_address_for_programs_has_its_line():
    page = (ROOT / "docs/reference/addresses.md").read_text()
    ours = {re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route) for route in routes(get_resolver())
            if route.startswith(("api/", "health/", ".well-known/"))}  # fmt: skip
    assert len(ours) > 70
    named = set(re.findall(r"`(/[^`]+)`", page))
    named = {re.sub(r"\{\w+\}", "{}", each) for each in named}
    assert {f"/{re.sub(r'{[^}]+}', '{}', route)}" for route in ours} <= named


# -- Blocks of code ------------------------------------------------------------


def commands(block: str) -> list[str]:
    """Return the commands of a block, each in one piece."""
    found, waiting = [], ""
    for line in block.splitlines():
        waiting += ("\n" if waiting else "") + line
        if waiting.count("'") % 2 == 0 and waiting.count('"') % 2 == 0:
            found.append(waiting)
            waiting = ""
    return [each for each in found if each.strip() and not each.startswith("#")]


def test_every_block_is_run_or_declared_as_shown():
    unknown = []
    for page in DOCS:
        languages = {language for language, _ in blocks(page)}
        known = SHOWN | {"sh"} | ({"python", "ts"} if name(page) in RUN_BY else set())
        unknown += [f"{name(page)}: ```{each}" for each in languages - known]
    assert not unknown, "A block says ```sh where it is run, and ```text where it is shown"


def test_the_tests_that_run_a_page_are_there_and_read_it():
    for page, test in RUN_BY.items():
        path, _, function = test.partition("::")
        source = (ROOT / path).read_text()
        assert f"def {function}(" in source, test
        assert Path(page).name in source or Path(page).stem in source or "README.md" in source, (page, test)


@pytest.mark.django_db
@pytest.mark.parametrize("page", [page for page in DOCS if name(page) not in RUN_BY], ids=name)
def test_the_commands_of_a_page_do_what_they_say(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    client = Client()
    opened = client.post("/api/v1/tables/", ACE_TRUMP, content_type="application/json").json()
    api, head = f"/api/v1/tables/{opened['code']}", {"Authorization": f"Bearer {opened['token']}"}
    for event in (play(0, "8MS"), play(1, "XS"), play(2, "XM")):
        client.post(f"{api}/events/", event, content_type="application/json", headers=head)
    for ending, shape in (("txt", "text"), ("csv", "csv"), ("json", "json")):
        Path(f"evening.{ending}").write_bytes(client.get(f"{api}/record/", {"as": shape}).content)
    told = list(blocks(page))
    for at, (language, block) in enumerate(told):
        for command in commands(block) if language == "sh" else ():
            said = carry_out(client, command, opened)
            if said is not None and at + 1 < len(told) and told[at + 1][0] == "json":
                assert holds(said, json.loads(told[at + 1][1])), (command, said)


def carry_out(client, command, opened):
    """Do what somebody types; return what is answered, if anything is."""
    words = shlex.split(command)
    if words[0] == "make":
        assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(), re.MULTILINE), command
        return None
    assert words[0] == "curl", f"{command}: say here how it is run"
    typed = command.replace("$CODE", opened["code"]).replace("$TOKEN", opened["token"]).replace(" -s ", " ")
    typed = typed.replace("http://localhost:8000", "$HOST")
    if brought := re.search(r"--data-binary @(\S+)", typed):
        typed = typed.replace(brought[0], "-d " + shlex.quote(Path(brought[1]).read_text()))
    answer = run(client, typed)
    assert answer.status_code in (200, 201), (command, answer.content)
    return answer.json()


# -- Links, and the four kinds ------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def links(page: Path) -> list[tuple[str, str]]:
    """Return where a page leads within the project: file and anchor."""
    found = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL))
    return [tuple(each.partition("#")[::2]) for each in found if "://" not in each]


@pytest.mark.parametrize("page", [*DOCS, ROOT / "CONTRIBUTING.md"], ids=name)
def test_every_link_leads_somewhere(page):
    for file, anchor in links(page):
        there = (page.parent / file).resolve() if file else page
        assert there.exists(), f"{file}#{anchor}"
        assert not anchor or anchor in anchors(there), f"{file}#{anchor}"


def test_every_page_is_of_one_kind_and_found_from_the_first():
    index = ROOT / "docs/README.md"
    found = {(index.parent / file).resolve() for file, _ in links(index)}
    pages = [page for page in DOCS if page.parent not in (ROOT, index.parent)]
    assert {page.relative_to(ROOT / "docs").parts[0] for page in pages} == KINDS
    missing = [name(page) for page in pages if page.resolve() not in found and "clients" not in page.parts]
    assert not missing, f"docs/README.md does not lead to {missing}"
