"""The rules engine needs nothing but Python: the import contracts check this for Django, this test for every
package.
"""

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REFEREE = ROOT / "referee"
CORE = [
    path
    for path in sorted(REFEREE.rglob("*.py"))
    if path != REFEREE / "apps.py" and not path.is_relative_to(REFEREE / "api")
]
# A verdict may depend only on the record.
OUTSIDE_WORLD = {"random", "secrets", "time", "datetime", "socket", "subprocess", "threading", "asyncio", "uuid"}


def imported(path):
    """Yield the first name of every module that a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0] if not node.level else "referee"


def test_the_core_needs_only_the_standard_library():
    allowed = {"referee"} | (sys.stdlib_module_names - OUTSIDE_WORLD)
    assert [(str(path), names) for path in CORE if (names := set(imported(path)) - allowed)] == []
