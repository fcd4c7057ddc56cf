"""A case that a guide is asked about: the house rules, what was answered, and the record as far as there is one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from referee.engine.event_kinds import Event
from referee.engine.game import Game
from referee.engine.hand import Hand
from referee.engine.rules import Rules
from referee.engine.rulings import Irregularity
from referee.engine.table import TableState
from referee.guides.reading import Guide

WHO, TRICK = "who", "trick"
"""The questions whose answers say whose act it was, and in which trick."""


@dataclass(frozen=True, slots=True)
class Laid:
    """What a seat did in a trick: its event's place in the hand, the number of the trick, the seat."""

    event: int
    trick: int
    seat: int


@dataclass(frozen=True, slots=True)
class Looked:
    """A hand of a record: the table as it stands, the hand, and its events as far as they were taken."""

    table: TableState
    hand: Hand
    events: Sequence[Event]

    @property
    def late(self) -> bool:
        """Return whether another hand has been dealt since."""
        last = self.table.hand
        return last is not None and last.setup.index != self.hand.setup.index

    def start(self) -> TableState:
        """Return the table with this hand just dealt; only of the last one."""
        return replace(self.table, hand=type(self.hand)(self.hand.rules, self.hand.setup))

    def plays(self) -> tuple[Laid, ...]:
        """Return what was done in the tricks whose cards were recorded, in order."""
        acts = [place for place, event in enumerate(self.events) if event.kind.in_trick and event.kind.field("seat")]
        laid = [(trick["number"], play["seat"]) for trick in self.hand.describe()["tricks"] for play in trick["plays"]]
        return tuple(Laid(place, *found) for place, found in zip(acts, laid, strict=False))


@dataclass(frozen=True, slots=True)
class Case:
    """What is to be ruled: by which guide, under which rules, with which answers, and on which record.

    ``names`` are the players'; without any they are called by the numbers of their seats.
    """

    guide: Guide
    game: Game
    rules: Rules
    answers: Mapping[str, object]
    looked: Looked | None = None
    names: Sequence[str] = ()
    _plays: list[tuple[Laid, ...]] = field(default_factory=list, repr=False)

    @property
    def seat(self) -> int | None:
        """Return whose act it is."""
        seat = self.answers.get(WHO)
        return seat if isinstance(seat, int) else None

    @property
    def facts(self) -> dict[str, object]:
        """Return the facts for the places in texts."""
        return {} if self.seat is None else {"seat": self.seat}

    @property
    def side(self) -> tuple[int, ...]:
        """Return the seats that stand together with whose act it is."""
        return () if self.seat is None else self.rules.sides[self.seat]

    @property
    def plays(self) -> tuple[Laid, ...]:
        """Return what was done in tricks, as far as there is a record."""
        if not self._plays:
            self._plays.append(() if self.looked is None else self.looked.plays())
        return self._plays[0]

    def act(self) -> Laid | None:
        """Return what it is about, where the record holds it.

        That is what the player did in the trick that was named; else an irregularity of the kind in question; else
        what the player did in the trick that runs.
        """
        own = [laid for laid in self.plays if laid.seat == self.seat]
        if TRICK in self.answers:
            return next((laid for laid in own if laid.trick == self.answers[TRICK]), None)
        found = {each.event for each in self._irregular()}
        last = next((laid for laid in reversed(own) if laid.event in found), None)
        if last is not None or self.looked is None:
            return last
        running = self.looked.hand.trick_number()
        return next((laid for laid in reversed(own) if laid.trick == running), None)

    def finding(self) -> Irregularity | None:
        """Return the irregularity that the record holds of this act; the same decision settles it."""
        act = self.act()
        found = [each for each in self._irregular() if act is None or each.event == act.event]
        return found[-1] if found else None

    def _irregular(self) -> Iterator[Irregularity]:
        if self.looked is None or not self.guide.irregular:
            return
        for each in self.looked.hand.irregularities:
            if each.code == self.guide.irregular and each.offender == self.seat and self.looked.hand.tells(each):
                yield each
