"""The rulebook: every clause of every game in our own words, read from one file per game."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
SHARED = ("decktet", "irregularities", "record")
"""Files whose clauses belong to every game that needs them."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: what it says, who is credited, and whether it is stated, derived or chosen.

    ``basis`` is ``seed`` (the source states it), ``derived`` (it follows) or ``default`` (the
    source is silent and this is the choice made here).
    """

    id: str
    title: str
    text: str
    source: str
    basis: str


@cache
def clauses(name: str) -> tuple[Clause, ...]:
    """Return the clauses of one file, in reading order; none where there is no such file."""
    path = FOLDER / f"{name}.toml"
    if not path.exists():
        return ()
    book = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(
        Clause(c["id"], c["title"], c["text"], c.get("source", book["source"]), c["basis"]) for c in book["clause"]
    )


@cache
def title(name: str) -> str:
    """Return the title of one file of the rulebook."""
    book = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    return str(book["title"])


def shared() -> tuple[Clause, ...]:
    """Return the clauses that belong to no single game."""
    return tuple(clause for name in SHARED for clause in clauses(name))
