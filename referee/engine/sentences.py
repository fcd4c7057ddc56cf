"""The referee's sentences for players, in English, by the code of their reason.

They stand in files called ``sentences.toml``, those of a game in its folder. Facts are filled in by name: cards say
themselves ("the Sea (Crown of Waves)"; ``:The`` starts a sentence), seats are replaced by the players' names. Other
languages translate these templates, and say each fact in the form that its place there asks.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

REFEREE = Path(__file__).parent.parent
TABLES = ("sentences", "irregular", "impossible")
"""What a file holds: sentences, and the titles of acts that are irregular and of events that are impossible."""


@cache
def table(name: str) -> Mapping[str, str]:
    """Return one of ``TABLES``, put together from every file; no code stands in two of them."""
    merged: dict[str, str] = {}
    for path in sorted(REFEREE.rglob("sentences.toml")):
        own = tomllib.loads(path.read_text(encoding="utf-8")).get(name, {})
        twice = own.keys() & merged.keys()
        assert not twice, f"{path} says again what stands elsewhere: {sorted(twice)}"
        merged |= own
    return merged


def codes() -> frozenset[str]:
    """Return the codes that a reason can carry; some are those of the sentences by which one code is told apart."""
    return frozenset().union(*map(table, TABLES))


def sentences() -> Mapping[str, str]:
    """Return the English sentence of every reason, with places for its facts, by the code or phrase of the reason."""
    return table("sentences")
