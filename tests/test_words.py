"""One word for one thing, as CONTRIBUTING has them: what code, pages and files call the acts at a table."""

import ast
import re
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

from scoring.pages.urls import urlpatterns

ROOT = Path(__file__).resolve().parent.parent

SAYING = {"said", "told", "asked", "given"}
"""Verbs of saying: a name that says so does not say what the thing is."""
ALLOWED = {
    "referee/games/american_deuce/": "`given` is a field of the event `drop-deuce`: the card to the President-Elect",
    "referee/engine/sheet.py": "`given` is a key of a hand in the API: the tricks that went to another seat",
}
"""Where one of them is the word of a game or of the API."""


def names_in(tree):
    """Yield every name that a module gives to something or calls something by."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.arg(arg=name) | ast.Name(id=name) | ast.Attribute(attr=name):
                yield name
            case ast.keyword(arg=str(name)) | ast.ExceptHandler(name=str(name)):
                yield name
            case ast.alias(name=name, asname=other):
                yield from (name.rsplit(".", 1)[-1], other or "")


def saying():
    """Return by file, from the root of the house, how many names are verbs of saying."""
    found = Counter[str]()
    for folder in ("scoring", "referee", "deploy"):
        for path in (ROOT / folder).rglob("*.py"):
            names = [path.stem, *names_in(ast.parse(path.read_text()))]
            found[str(path.relative_to(ROOT))] += sum(name.lower().strip("_") in SAYING for name in names)
    return +found


def test_no_name_is_a_verb_of_saying():
    assert [path for path in sorted(saying()) if not path.startswith(tuple(ALLOWED))] == []


@pytest.mark.parametrize("place", ALLOWED)
def test_what_is_allowed_is_needed(place):
    assert [path for path in saying() if path.startswith(place)]


ACTS = {
    "record": ("recording", "record"),
    "undo": ("undoing", "undo"),
    "amend": ("amending", "amend"),
    "dispute": ("disputing", "raise_dispute"),
    "confirm": ("confirming", "confirm_hand"),
    "continue": ("continuing", "continue_table"),
    "import": ("importing", "import_record"),
    "link": ("links", "add_link"),
    "revoke": ("links", "revoke_link"),
}
"""Acts that write, each with its module among the services and what there does it."""
WITH_PAGES = {*ACTS, "settle", "export"}
"""Acts that have addresses of pages; a secret choice is recorded like everything else."""


@pytest.mark.parametrize("act", ACTS)
def test_an_act_has_a_service_of_its_name(act):
    module, does = ACTS[act]
    assert callable(getattr(import_module(f"scoring.services.{module}"), does))
    assert act in does


@pytest.mark.parametrize("act", sorted(WITH_PAGES))
def test_address_name_and_view_of_an_act_have_its_word(act):
    of_the_act = 0
    for pattern in urlpatterns:
        if str(pattern.name).endswith("-as-before"):  # its address is that of an earlier release
            continue
        view = pattern.callback.__name__.split("_")
        path, name = re.split(r"[/<:>]", str(pattern.pattern)), (pattern.name or "").split("-")
        has = [bool({act, f"{act}s"} & set(words)) for words in (path, name, view)]
        assert has in ([True] * 3, [False] * 3), pattern
        of_the_act += all(has)
    assert of_the_act


OTHER_WORDS = {
    "agree": "confirm", "agreement": "confirm", "bringing": "import", "brought": "import", "download": "export",
    "away": "export", "back": "undo", "correct": "amend", "correction": "amend", "way": "depth",
}  # fmt: skip
"""Words that once named an act or the depth, each with the word that it has."""
OTHERWISE = {"database_away.py", "_back_to_table.html"}
"""Files that mean something else by them."""


def test_no_file_has_another_word_for_an_act():
    folders = (ROOT / "scoring", ROOT / "templates")
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in {".py", ".html", ".js", ".css"}]
    own = [path for path in files if path.parent.name != "migrations" and path.name not in OTHERWISE]
    assert [path.name for path in own if OTHER_WORDS.keys() & set(re.split(r"[_.]", path.stem))] == []
