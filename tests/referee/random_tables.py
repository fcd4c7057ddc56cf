"""Random tables of every game that has a generator."""

from random import Random
from typing import Any

from hypothesis import note
from hypothesis import strategies as st

from tests.games.discovery import RANDOM

Json = dict[str, Any]


def records(*games: str) -> st.SearchStrategy[Json]:
    """Draw random records of these games, or of all."""
    return st.builds(_record, st.sampled_from(games or tuple(RANDOM)), st.integers(0, 2**32 - 1))


def _record(game: str, seed: int) -> Json:
    note(f"the record of {game} by seed {seed}")
    return RANDOM[game](Random(seed))
