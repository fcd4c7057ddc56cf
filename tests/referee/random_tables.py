"""Random tables of every game, and the plain second adjudicator that judges them independently."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from hypothesis import note
from hypothesis import strategies as st

from referee.engine.catalogue import find_game
from tests.oracle import acepit, acepit_records, climbing, climbing_records, tricks, tricks_records

Json = dict[str, Any]
TRICK_GAMES = ("ace-trump", "ransom-trump", "wildcat-chicane")

MAKERS: dict[str, Callable[[Random], Json]] = {
    **{game: partial(tricks_records.random_record, game=game) for game in TRICK_GAMES},
    "american-deuce": climbing_records.random_record,
    "ace-pit": acepit_records.random_record,
}
ORACLES: dict[str, Callable[[Json], Json]] = {
    **dict.fromkeys(TRICK_GAMES, tricks.judge),
    "american-deuce": climbing.judge,
    "ace-pit": acepit.judge,
}
INVALID = (tricks.Invalid, climbing.Invalid)
"""What the second adjudicators raise for a record that is refused as a whole."""

HERE = tuple(game for game in MAKERS if find_game(game))
"""The games there are, of those that a second adjudicator knows."""


def records(*games: str) -> st.SearchStrategy[Json]:
    """Draw random records of these games, or of all there are."""
    return st.builds(_record, st.sampled_from(games or HERE), st.integers(0, 2**32 - 1))


def _record(game: str, seed: int) -> Json:
    note(f"the record of {game} by seed {seed}")
    return MAKERS[game](Random(seed))
