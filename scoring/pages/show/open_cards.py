"""What lies open on the table beside the tricks: cards turned up, and the course of the hands to come."""

from collections.abc import Mapping
from typing import NamedTuple

from referee.engine.sheet import FaceUp
from referee.packs import Pack
from scoring.pages.show.cards import Face, Symbol, face
from scoring.queries.state import Standing


class OpenCard(NamedTuple):
    """A card, or a suit alone, that lies open for the whole hand, and what it is called."""

    label: str
    faces: tuple[Face, ...]
    suit: Symbol | None


class Step(NamedTuple):
    """One hand of the course of a game: how many cards it has; ``done`` is played, ``now`` is played or comes next."""

    size: int
    done: bool
    now: bool


def open_card(shown: FaceUp, pack: Pack, known: Mapping[str, Symbol]) -> OpenCard:
    """Return what lies open as a page shows it: drawn cards, or the suit alone."""
    faces = tuple(face(pack, code) for code in shown["cards"] if code in pack.codes)
    return OpenCard(shown["label"], faces, None if faces else known.get(shown["suit"] or ""))


def course_of(at: Standing) -> tuple[Step, ...]:
    """Return the hands of a whole game, where their sizes are known before it begins.

    A table that goes on after the last one begins the course anew. One that is over shows what it has played, one
    that ends after so many hands no more than those.
    """
    sizes = at.rules.game.course(at.rules)
    if not sizes:
        return ()
    over, done = at.state.finished(), at.state.hands_done()
    earlier = max(0, done - 1 if over else done) // len(sizes) * len(sizes)
    here = done - earlier
    left = 0 if over else at.state.hands_left()
    shown = sizes if left is None else sizes[: here + left]
    return tuple(Step(size, place < here, place == here) for place, size in enumerate(shown))
