"""What the documents tell people to type is there: targets of make with what they take, and modules that can be run."""

import re
import shlex
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
MAKEFILE = (ROOT / "Makefile").read_text()
RULES = dict(re.findall(r"^([a-z-]+):([^\n]*\n(?:\t[^\n]*\n)*)", MAKEFILE, re.MULTILINE))
"""What each target needs and does."""
SHOWN = re.findall(r"^[a-z-]+:.*## .*: (make .*)$", MAKEFILE, re.MULTILINE)
"""How the list of targets shows the call of some."""
SETTINGS = set(re.findall(r"^### `(\w+)`$", (ROOT / "docs/reference/settings.md").read_text(), re.MULTILINE))
CALL = re.compile(r"^ *(?:[A-Z_]+=\S+ +)*make +\S.*$", re.MULTILINE)
EACH_PAGE = pytest.mark.parametrize("page", DOCS, ids=lambda page: str(page.relative_to(ROOT)))


def calls_of_make(page: Path) -> list[str]:
    """Return each call of make that a page shows as code: in a block, set in, or within a line of text."""
    code = re.findall(r"^```\w*\n(.*?)^```|`([^`\n]+)`|^( {4}\S.*)$", page.read_text(), re.MULTILINE | re.DOTALL)
    return [call.strip() for pieces in code for piece in pieces for call in CALL.findall(piece)]


def unknown(call: str) -> list[str]:
    """Return what of a call of make is no target, or a variable that no target of the call knows."""
    words = [word for word in shlex.split(call, comments=True) if word not in ("make", "...")]
    variables = [word.partition("=")[0] for word in words if "=" in word]
    targets = [word for word in words if "=" not in word]
    known = [target for target in targets if target in RULES]
    return [target for target in targets if target not in RULES] + [
        each for each in variables if each != "PYTHON" and not any(takes(target, each) for target in known)
    ]


def takes(target: str, variable: str) -> bool:
    """Return whether a variable means anything to a target: to its rule, to the service, or to the tests."""
    if f"$({variable})" in RULES[target] or (target == "run" and variable in SETTINGS):
        return True
    return target in ("test", "pytest") and f'environ.get("{variable}"' in read_by_tests()


@cache
def read_by_tests() -> str:
    return "\n".join(path.read_text() for path in (ROOT / "tests").rglob("*.py"))


@EACH_PAGE
def test_make_knows_what_it_is_called_with(page):
    assert {call: unknown(call) for call in calls_of_make(page) if unknown(call)} == {}


def test_make_shows_itself_as_it_can_be_called():
    assert len(SHOWN) > 5
    assert {call: unknown(call) for call in SHOWN if unknown(call)} == {}


@pytest.mark.parametrize(
    ("call", "wrong"),
    [
        ("HTTPS=1 make run PORT=80", []),
        ('make pictures SCREENS="tablet television"', []),
        ("make hunt TIMES=5", ["TIMES"]),
        ("MINUTES=5 make run", ["MINUTES"]),
        ("make peace", ["peace"]),
        ("PICTURES=1 make pytest", []),
        ("PICTUERS=1 make pytest", ["PICTUERS"]),
    ],
)
def test_what_make_does_not_know_is_told(call, wrong):
    assert unknown(call) == wrong


def test_what_the_documents_show_is_found():
    """A look that finds nothing would find nothing wrong."""
    words = " ".join(call for page in DOCS for call in calls_of_make(page))
    assert {*re.findall(r"make (\w+)", words)} >= {
        "run",
        "test",
        "bench",
        "faults",
        "hunt",
        "requests",
        "slow",
        "audit",
    }
    assert {*re.findall(r"(\w+)=", words)} >= {"MINUTES", "TIMES", "N", "SCREENS", "PORT", "HOST", "ONLY", "PICTURES"}
    modules = {name for page in DOCS for name in modules_of(page.read_text())}
    assert modules >= {"pytest", "deploy.run", "tests.golden.make", "tests.bench.million"}


# -- Modules ------------------------------------------------------------------------------


def modules_of(text: str) -> list[str]:
    """Return the modules that a text has Python run, wherever they stand in it."""
    return re.findall(r"python3? -m (\w+(?:\.\w+)*)", text)


def can_be_run(name: str) -> bool:
    """Return whether Python has something to run: a package with a ``__main__``, or a module that looks for it."""
    try:
        spec = find_spec(name)
        if spec and spec.submodule_search_locations is not None:
            return find_spec(f"{name}.__main__") is not None
    except ModuleNotFoundError:
        return False
    return bool(spec and spec.origin and re.search(r"if __name__ == .__main__.:", Path(spec.origin).read_text()))


@EACH_PAGE
def test_every_module_that_is_to_be_run_can_be(page):
    assert [name for name in modules_of(page.read_text()) if not can_be_run(name)] == []


def test_every_module_that_make_runs_can_be():
    assert [name for name in re.findall(r"\$\(BIN\)/python -m (\S+)", MAKEFILE) if not can_be_run(name)] == []


@pytest.mark.parametrize("name", ["tests.faults.load", "tests.e2e", "tests.gone", "gone.too"])
def test_a_module_that_cannot_be_run_is_told(name):
    assert not can_be_run(name)
