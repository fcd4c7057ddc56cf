"""The rules engine needs nothing but Python: what the import contracts say of Django, this says of every package."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
REFEREE = ROOT / "referee"
CORE = [
    path
    for path in sorted(REFEREE.rglob("*.py"))
    if path != REFEREE / "apps.py" and not path.is_relative_to(REFEREE / "api")
]
# A verdict may depend on the record and nothing else.
OUTSIDE_WORLD = {"random", "secrets", "time", "datetime", "socket", "subprocess", "threading", "asyncio", "uuid"}


def imported(path):
    """Yield the first name of every module that a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0] if not node.level else "referee"


@pytest.mark.parametrize("path", CORE, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_core_needs_only_the_standard_library(path):
    assert {name for name in imported(path) if name != "referee"} <= sys.stdlib_module_names - OUTSIDE_WORLD


def test_a_line_of_a_template_is_not_longer_than_one_of_python():
    files = [path for path in (ROOT / "templates").rglob("*") if path.is_file()]
    assert {".html", ".js", ".svg"} <= {path.suffix for path in files}
    lines = [(path, line) for path in files for line in path.read_text().splitlines()]
    assert [(path.name, line.strip()) for path, line in lines if len(line) >= 120] == []


def test_the_browser_ends_with_its_folder():
    """A fixture of a package ends with it; of a plain folder never, and its event loop breaks whatever comes after."""
    folder = ROOT / "tests" / "e2e"
    assert 'scope="package"' in (folder / "conftest.py").read_text()
    assert (folder / "__init__.py").is_file()
    assert (folder.parent / "__init__.py").is_file(), "else its modules have two names"
