"""Examples of clauses: single questions that a game answers by itself, so that no example can be wrong.

They stand in the game's folder in ``examples.toml``. An example names the clauses it shows, the question that is asked,
what is filled in there, and the house rules that it needs.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from referee.engine.options import Options
from referee.engine.questions import FilledIn
from referee.engine.rulebook import REFEREE


@dataclass(frozen=True, slots=True, eq=False)
class ShownExample:
    """An example: the clauses it shows, the game's question, what is filled in, the house rules it needs."""

    clauses: tuple[str, ...]
    question: str
    values: FilledIn
    options: Options


@cache
def examples(game: str) -> tuple[ShownExample, ...]:
    """Return the examples of a game, in the order of its file; none where it has no such file."""
    path = REFEREE / "games" / game.replace("-", "_") / "examples.toml"
    if not path.exists():
        return ()
    return tuple(_example(one) for one in tomllib.loads(path.read_text(encoding="utf-8"))["example"])


def _example(one: Mapping[str, Any]) -> ShownExample:
    values = {blank: tuple(str(texts).split()) for blank, texts in one["given"].items()}
    return ShownExample(tuple(one["shows"]), one["ask"], values, one.get("options", {}))


def examples_of(game: str, clause: str) -> Iterable[ShownExample]:
    """Return the examples that show a clause, those first that show it before others."""
    found = (example for example in examples(game) if clause in example.clauses)
    return sorted(found, key=lambda example: example.clauses.index(clause))
