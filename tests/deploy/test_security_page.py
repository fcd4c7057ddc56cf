"""The page of security lines is whole, and what it names is there."""

import ast
import re
from functools import cache
from math import log2

from scoring.models.table import ALPHABET, RECOVERY_LENGTH, new_code
from scoring.services.devices import new_secret
from scoring.services.links import new_token
from tests.deploy.managing import ROOT

PAGE = (ROOT / "docs/reference/security.md").read_text()
ROWS = re.findall(r"^\| ([\d.]+(?:-[\d.]+)?) \| ([^|]+) \| (.+) \|$", PAGE, re.MULTILINE)
LINES = """
1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4 5.1:1 5.2:3
5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 8.4:1 9.1:3
9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4
13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4
17.3:2
"""
"""The sections of ASVS 5.0.0, and how many lines of levels 1 and 2 each has; they come before those of level 3."""
ALL = [f"{name}.{at}" for name, _, most in (each.partition(":") for each in LINES.split())
       for at in range(1, int(most) + 1)]  # fmt: skip


@cache
def functions(path: str) -> set[str]:
    """Return the names of the functions of a file of tests, those in classes, too."""
    tree = ast.parse((ROOT / path).read_text())
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_line_of_the_two_levels_stands_there_once():
    found = []
    for name, _, _ in ROWS:
        first, _, last = name.partition("-")
        found += ALL[ALL.index(first) : ALL.index(last or first) + 1]
    assert found == ALL
    assert len(ALL) == 253


def test_every_test_that_is_named_is_there():
    named = re.findall(r"(tests/[\w/]+\.py)::(\w+)", PAGE)
    assert len(named) > 100
    assert [f"{path}::{name}" for path, name in named if name not in functions(path)] == []


def test_each_line_has_a_test_or_a_reason():
    bare = [name for name, _, told in ROWS if not ("tests/" in told or "](" in told or len(told.split()) > 1)]
    assert not bare
    unreasoned = [name for name, _, told in ROWS if "Not met" in told and not re.search(r"Not met[^.]{8,}\.?", told)]
    assert not unreasoned


def test_what_nobody_may_guess_is_long_enough():
    made = [(new_token(), new_secret(), new_code(RECOVERY_LENGTH)) for _ in range(50)]
    assert len({each for three in made for each in three}) == 150
    assert all(len(token) * 6 >= 192 and len(secret) * 6 >= 256 for token, secret, _ in made)
    assert RECOVERY_LENGTH * log2(len(ALPHABET)) > 112
