"""The rules of a table: a game with its options, when it ends, and how each hand is dealt."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from referee.engine.cards import Pack
from referee.engine.options import Option


@dataclass(frozen=True, slots=True)
class EndRule:
    """When the table ends (REC-16): ``open``, at a ``score``, after ``hands``, or by ``time``."""

    kind: str = "open"
    value: int | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """How a hand is dealt.

    ``seating`` lists the seats clockwise; ``sizes`` the cards each seat is dealt, by seat
    (``None``: not known from the record); ``known`` the hands somebody entered, as bit masks;
    ``carry`` what a game carries over from the hand before (a trump suit), ``carry_open`` that cards
    nobody recorded may have changed it.
    """

    index: int
    dealer: int
    seating: tuple[int, ...]
    sizes: tuple[int, ...] | None
    known: tuple[int | None, ...] = ()
    carry: str | None = None
    carry_open: bool = False


class Declared(Protocol):
    """What the rules of a table know of their game; every ``referee.engine.game.Game`` is one."""

    id: ClassVar[str]
    name: ClassVar[str]
    players: ClassVar[tuple[int, ...]]

    @property
    def hand_class(self) -> type[object]:
        """Return the class of its hands, which ``referee.engine.hand.class_of`` looks at."""

    def all_options(self) -> tuple[Option, ...]:
        """Return its options and those of every table."""

    def first(self, rules: Any, dealer: int) -> Setup:
        """Return how the first hand is dealt."""

    def following(self, hand: Any, totals: tuple[int, ...]) -> Setup:
        """Return how the hand after this finished one is dealt."""

    def can_hold(self, rules: Any, cards: int) -> bool:
        """Return whether a hand of these cards (a bit mask) can have been dealt."""


@dataclass(frozen=True)
class Rules:
    """The rules of one table: a game with its options, for a number of players.

    ``sides`` lists, per seat, the seats whose scores are added together (partners). Games derive
    from this class to keep what follows from the options at hand.
    """

    game: Declared
    players: int
    options: Mapping[str, Any]
    pack: Pack
    end: EndRule
    sides: tuple[tuple[int, ...], ...]
