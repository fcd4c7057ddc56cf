"""The games there are, found by looking into ``referee.games``."""

import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module

from referee import games
from referee.game import Game


@cache
def _found() -> dict[str, Game]:
    modules = (import_module(f"referee.games.{m.name}") for m in pkgutil.iter_modules(games.__path__))
    held = [module.GAME for module in modules if hasattr(module, "GAME")]
    return {game.id: game for game in sorted(held, key=lambda game: ORDER.get(game.id, len(ORDER)))}


ORDER = {"ace-trump": 0, "ransom-trump": 1, "wildcat-chicane": 2, "american-deuce": 3, "ace-pit": 4}
"""The order in which the first five are listed; others follow by name of their module."""


def all_games() -> tuple[Game, ...]:
    """Return every game."""
    return tuple(_found().values())


def find_game(name: str) -> Game | None:
    """Return the game of this id, or ``None``."""
    return _found().get(name)


@contextmanager
def with_game(game: Game) -> Iterator[Game]:
    """Have one more game in the catalogue, or another one under its id, for a while."""
    found = _found()
    before = found.get(game.id)
    found[game.id] = game
    try:
        yield game
    finally:
        if before is None:
            del found[game.id]
        else:
            found[game.id] = before
