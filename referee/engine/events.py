"""Events: what happened at the table, as it was recorded.

An event says what somebody saw; whether it may stand is the referee's business. Card codes and
suits are kept as they were typed, so that the ruling can speak of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar


class Unsaid(Enum):
    """A field that was left out, where leaving it out differs from saying ``null``."""

    UNSAID = "unsaid"


UNSAID = Unsaid.UNSAID
NOTHING: Mapping[str, object] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What every event may carry: the table's consent to an irregularity, and ``x_`` keys."""

    type: ClassVar[str]
    accepted: bool = False
    extra: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Play(Event):
    """A seat plays cards; under *called suit* a lead names the suit to follow."""

    type: ClassVar[str] = "play"
    seat: int
    cards: tuple[str, ...]
    suit: str | None = None


@dataclass(frozen=True, slots=True)
class Bid(Event):
    """A seat bids a number of tricks."""

    type: ClassVar[str] = "bid"
    seat: int
    tricks: int


@dataclass(frozen=True, slots=True)
class Ransom(Event):
    """A seat's ransom card (RT-3)."""

    type: ClassVar[str] = "ransom"
    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NameTrump(Event):
    """The ransom winner chooses trump (RT-7)."""

    type: ClassVar[str] = "trump"
    seat: int
    suit: str


@dataclass(frozen=True, slots=True)
class RulingCard(Event):
    """A seat's ruling card (WC-3)."""

    type: ClassVar[str] = "ruling-card"
    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NameSuit(Event):
    """President-Elect, Vice or Secretary names the next highest suit (AD-5)."""

    type: ClassVar[str] = "suit"
    seat: int
    suit: str


@dataclass(frozen=True, slots=True)
class DropDeuce(Event):
    """The President-Elect asked for a deuce, and what was exchanged (AD-7, AD-8).

    ``given`` went to the President-Elect, ``returned`` came from her; ``?`` where unseen.
    """

    type: ClassVar[str] = "drop-deuce"
    king: int | None
    constipated: bool = False
    given: str | None = None
    returned: str | None = None


@dataclass(frozen=True, slots=True)
class Pass(Event):
    """A seat passes (AD-11)."""

    type: ClassVar[str] = "pass"
    seat: int


@dataclass(frozen=True, slots=True)
class Trick(Event):
    """A trick recorded by its winner, without its cards."""

    type: ClassVar[str] = "trick"
    winner: int
    trump: str | Unsaid | None = UNSAID
    last: str | None = None
    points: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Result(Event):
    """The rest of a hand recorded by its result: one of the three lists, per seat."""

    type: ClassVar[str] = "result"
    tricks: tuple[int, ...] | None = None
    cards_left: tuple[int, ...] | None = None
    points: tuple[int, ...] | None = None
    last: str | None = None


@dataclass(frozen=True, slots=True)
class Note(Event):
    """A remark without effect."""

    type: ClassVar[str] = "note"
    text: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Penalty(Event):
    """The table changes a seat's score by ``points`` (may be negative)."""

    type: ClassVar[str] = "penalty"
    seat: int
    points: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Transfer(Event):
    """The table moves tricks from one seat to another."""

    type: ClassVar[str] = "transfer"
    from_seat: int
    to_seat: int
    tricks: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Redeal(Event):
    """The table declares the hand void; the same dealer deals again."""

    type: ClassVar[str] = "redeal"
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class End(Event):
    """The players agree to end the table here."""

    type: ClassVar[str] = "end"
    reason: str | None = None


EVENTS: dict[str, type[Event]] = {
    kind.type: kind
    for kind in (
        Play, Bid, Ransom, NameTrump, RulingCard, NameSuit, DropDeuce, Pass, Trick, Result,
        Note, Penalty, Transfer, Redeal, End,
    )
}  # fmt: skip
"""Every kind of event by its name in records."""
