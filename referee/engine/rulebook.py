"""The rulebook: the clauses of every game in our own words, one file per game, with examples."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from referee.engine.questions import FilledIn
from referee.engine.rules import Options

REFEREE = Path(__file__).parent.parent
SHARED = ("decktet", "irregularities", "record")
"""Books whose clauses apply to more than one game."""


BASES = ("seed", "common", "derived", "default")
"""What a clause can rest on; see ``Clause``."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a rulebook.

    ``basis`` is ``seed`` (the source states it), ``common`` (it is played so everywhere), ``derived`` (it follows) or
    ``default`` (the source is silent, or tables differ, and this is the choice made here).
    """

    id: str
    title: str
    text: str
    source: str
    basis: str


@cache
def read(name: str) -> Mapping[str, Any]:
    """Return a file of ``referee``, such as ``engine/record.toml``; empty if there is none."""
    path = REFEREE / name
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def of_game(game: str, name: str) -> Mapping[str, Any]:
    """Return a file of a game's folder; empty if there is none."""
    return read(f"games/{game.replace('-', '_')}/{name}")


def book(name: str) -> Mapping[str, Any]:
    return of_game(name, "rules.toml") or read(f"engine/{name}.toml") or read(f"packs/{name}.toml")


@cache
def clauses(name: str) -> tuple[Clause, ...]:
    """Return the clauses of one book, in reading order; empty if there is no such book."""
    found = book(name)
    return tuple(
        Clause(c["id"], c["title"], c["text"], c.get("source", found["source"]), c["basis"])
        for c in found.get("clause", ())
    )


@cache
def books() -> tuple[str, ...]:
    games = sorted(path.parent.name.replace("_", "-") for path in REFEREE.glob("games/*/rules.toml"))
    return (*games, *SHARED)


def title(name: str) -> str:
    return str(book(name)["title"])


def shared() -> tuple[Clause, ...]:
    return tuple(clause for name in SHARED for clause in clauses(name))


def is_clause(name: str) -> bool:
    return any(clause.id == name for book in books() for clause in clauses(book))


@dataclass(frozen=True, slots=True, eq=False)
class ShownExample:
    """An example from a game's ``examples.toml``, answered by the game itself, so it cannot be wrong."""

    clauses: tuple[str, ...]
    question: str
    values: FilledIn
    options: Options


@cache
def examples(game: str) -> tuple[ShownExample, ...]:
    """Return the examples of a game, in the order of its file; empty if it has none."""
    found = []
    for one in of_game(game, "examples.toml").get("example", ()):
        values = {blank: tuple(str(texts).split()) for blank, texts in one["given"].items()}
        found.append(ShownExample(tuple(one["shows"]), one["ask"], values, one.get("options", {})))
    return tuple(found)


def examples_of(game: str, clause: str) -> Iterable[ShownExample]:
    """Return the examples of a clause; those that list it earlier come first."""
    found = (example for example in examples(game) if clause in example.clauses)
    return sorted(found, key=lambda example: example.clauses.index(clause))
