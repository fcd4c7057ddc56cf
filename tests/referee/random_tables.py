"""Random tables of every game that has a generator."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from hypothesis import note
from hypothesis import strategies as st

from referee.engine.records import Record, Replay, load_record, replay
from referee.engine.rules import Refused
from tests.games.discovery import RANDOM
from tests.seeds import FIRST

Json = dict[str, Any]
Makers = Mapping[str, Callable[[Random], Json]]


def records(*games: str) -> st.SearchStrategy[Json]:
    """Draw random records of these games, or of all."""
    return st.builds(_record, st.sampled_from(games or tuple(RANDOM)), st.integers(0, 2**32 - 1))


def _record(game: str, seed: int) -> Json:
    note(f"the record of {game} by seed {seed}")
    return RANDOM[game](Random(seed))


def replayed(game: str, seeds: int, makers: Makers = RANDOM) -> Iterator[tuple[int, Record, Replay]]:
    """Yield this many random records of a game with their seeds, judged; those refused as a whole are left out."""
    for seed in range(FIRST, FIRST + seeds):
        try:
            record = load_record(makers[game](Random(seed)))
            judged = replay(record)
        except Refused:
            continue
        yield seed, record, judged
