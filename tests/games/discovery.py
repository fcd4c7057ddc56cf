"""Finds what the games' folders hold beside their tests: random records, second adjudicators, worked rulings.

A game's folder, ``tests/games/<game>/``, may hold

- ``random_records.py`` with ``random_record(rng)``, whose records may be broken off, irregular or refused as a whole,
  and ``honest_record(rng)``, in which no one breaks a rule and every card of every hand is entered;
- ``oracle.py`` with ``judge(record)``, which answers as the referee does, without sentences, and ``Invalid``,
  which it raises for a record refused as a whole;
- ``cases.jsonl`` with worked rulings, one per line;
- ``golden_variants.py`` and ``golden.txt``: see ``tests/golden/make.py``.

All laws and comparisons use them; a game without a second adjudicator is not compared.
"""

import json
import re
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

from referee.engine.game import all_games

Json = dict[str, Any]
GAMES = Path(__file__).parent


def folder_of(game: str) -> Path:
    """Return the path of a game's tests and records."""
    return GAMES / game.replace("-", "_")


class Golden(NamedTuple):
    """A golden record: its game's folder, its name, and its text with the score sheet."""

    folder: str
    name: str
    text: str


def golden_of(game: str) -> list[Golden]:
    """Return a game's golden records by name; each is below a line ``==== name ====``."""
    _version, *parts = _parts_of(game)
    texts = (text.rstrip("\n") + "\n" for text in parts[1::2])
    return [Golden(folder_of(game).name, name, text) for name, text in zip(parts[::2], texts, strict=True)]


def version_kept(game: str) -> str:
    """Return the version of a game's rules that stands above its golden records; empty if none does."""
    return _parts_of(game)[0].strip()


def _parts_of(game: str) -> list[str]:
    file = folder_of(game) / "golden.txt"
    return re.split(r"^==== (.+) ====\n", file.read_text() if file.exists() else "", flags=re.MULTILINE)


def keep_golden(game: str, records: Iterable[tuple[str, str]], *, version: str = "") -> None:
    """Write a game's golden records, given as names and texts, below the version of its rules."""
    version = version or version_kept(game)
    parts = [f"{version}\n"] if version else []
    parts += [f"==== {name} ====\n{text}" for name, text in sorted(records)]
    (folder_of(game) / "golden.txt").write_text("\n".join(parts))


def module_of(game: str, name: str) -> ModuleType | None:
    """Return a module of a game's folder, or ``None`` if it does not exist."""
    folder = folder_of(game)
    return import_module(f"tests.games.{folder.name}.{name}") if (folder / f"{name}.py").exists() else None


def parts_of_all(name: str, part: str) -> dict[str, Any]:
    """Return this attribute of every game that has such a module, by game."""
    modules = {game.id: module_of(game.id, name) for game in all_games()}
    return {game: getattr(module, part) for game, module in modules.items() if hasattr(module, part)}


ORACLES: dict[str, Callable[[Json], Json]] = parts_of_all("oracle", "judge")
"""The plain second adjudicators, by game."""
INVALID: tuple[type[Exception], ...] = tuple(set(parts_of_all("oracle", "Invalid").values()))
"""The exceptions they raise for a record refused as a whole."""
RANDOM: dict[str, Callable[[Random], Json]] = parts_of_all("random_records", "random_record")
"""Generators of arbitrary records, by game."""
HONEST: dict[str, Callable[[Random], Json]] = parts_of_all("random_records", "honest_record")
"""Generators of records in which no one breaks a rule and every card is entered, by game."""
JUDGED = tuple(game.id for game in all_games() if game.revoke is not None)
"""The games whose plays the referee judges; the others only keep score."""
COMPARED = tuple(game for game in RANDOM if game in ORACLES)
"""The games whose random records both adjudicators judge."""
CASES: tuple[Json, ...] = tuple(
    json.loads(line)
    for game in all_games()
    for file in folder_of(game.id).glob("cases.jsonl")
    for line in file.read_text(encoding="utf-8").splitlines()
)
"""Worked rulings: a question (``ask``, ``body``), what the answer must contain (``expect``), and its clauses."""
