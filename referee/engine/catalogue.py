"""The games there are, found by looking into ``referee.games``."""

import pkgutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from referee.engine.event_kinds import EventKind
from referee.engine.events import SHARED_EVENTS
from referee.engine.game import Game
from referee.engine.phases import FINISHED, PLAY, VOID, Phase
from referee.engine.rules import EndKind

GAMES = "referee.games"
"""The package whose folders are the games; looked into by name, because no rule of the engine knows a game."""


@cache
def _found() -> dict[str, Game]:
    folders = (folder.name for folder in pkgutil.iter_modules(import_module(GAMES).__path__))
    modules = (import_module(f"{GAMES}.{name}.game") for name in folders if find_spec(f"{GAMES}.{name}.game"))
    held = [module.GAME for module in modules]
    return {game.id: game for game in sorted(held, key=lambda game: (game.place, game.id))}


def all_games() -> tuple[Game, ...]:
    """Return every game whose folder is there, in the order in which people are offered them."""
    return tuple(_found().values())


@cache
def event_kinds() -> Mapping[str, EventKind]:
    """Return every kind of event by its name in records: those that games share, then those of single games."""
    kinds: dict[str, EventKind] = {}
    for event in (*SHARED_EVENTS, *(event for game in all_games() for event in game.events)):
        known = kinds.setdefault(event.kind.name, event.kind)
        assert known is event.kind, f"two kinds of event are called {event.kind.name!r}"
    return kinds


def phases() -> tuple[Phase, ...]:
    """Return every phase in which a hand of any game can be, in the order in which games name them."""
    found = [phase for game in all_games() for phase in game.phases]
    return tuple(dict.fromkeys((*found, PLAY, FINISHED, VOID)))


def end_kinds() -> tuple[EndKind, ...]:
    """Return every way in which a table of some game can end."""
    return tuple({kind.name: kind for game in all_games() for kind in game.ends}.values())


def find_game(name: str) -> Game | None:
    """Return the game of this id, or ``None``."""
    return _found().get(name)


@contextmanager
def with_game(game: Game) -> Iterator[Game]:
    """Have one more game in the catalogue, or another one under its id, for a while."""
    found = _found()
    before = found.get(game.id)
    found[game.id] = game
    event_kinds.cache_clear()
    try:
        yield game
    finally:
        if before is None:
            del found[game.id]
        else:
            found[game.id] = before
        event_kinds.cache_clear()
