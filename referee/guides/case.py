"""A case that a guide is asked about: the house rules, what was answered, and the record as far as there is one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from referee.engine.event_kinds import Event
from referee.engine.game import Game
from referee.engine.guided import Acted, Charge
from referee.engine.hand import Hand
from referee.engine.rules import Rules
from referee.engine.rulings import Irregularity, Reason, Refusal
from referee.engine.table import TableState, hand_for
from referee.guides.charges import charges_of
from referee.guides.reading import Guide

WHO, TRICK = "who", "trick"
"""The questions whose answers say whose act it was, and in which trick."""


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

    def coming(self) -> Hand | None:
        """Return the next hand, where this one is over and nothing of the next one is recorded."""
        if self.late or not self.hand.is_over() or self.table.finished():
            return None
        dealt = hand_for(self.table)
        return None if isinstance(dealt, Refusal) else dealt.hand

    def start(self) -> TableState:
        """Return the table with this hand just dealt; only of the last one."""
        return replace(self.table, hand=type(self.hand)(self.hand.rules, self.hand.setup))

    def plays(self) -> tuple[Acted, ...]:
        """Return what was done in the tricks whose cards were recorded, in order."""
        return tuple(self.hand.acted(self.events))


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
    _plays: list[tuple[Acted, ...]] = field(default_factory=list, repr=False)
    _charges: list[Sequence[Charge] | None] = field(default_factory=list, repr=False)

    @property
    def seat(self) -> int | None:
        """Return whose act it is: who was named, or where nobody is asked for the only one whom the record leaves."""
        seat = self.answers.get(WHO)
        if WHO not in self.guide.questions:
            left = {each.seat for each in self.charges or () if each.cleared is None}
            return left.pop() if len(left) == 1 else None
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
    def plays(self) -> tuple[Acted, ...]:
        """Return what was done in tricks, as far as there is a record."""
        if not self._plays:
            self._plays.append(() if self.looked is None else self.looked.plays())
        return self._plays[0]

    @property
    def charges(self) -> Sequence[Charge] | None:
        """Return every act of the kind in question that the record knows; ``None`` where anybody can have done it."""
        if not self._charges:
            looked, act = self.looked, self.guide.act
            found = (
                None
                if looked is None
                else charges_of(act, looked.hand, looked.events, looked.coming() if act == "lead" else None)
            )
            self._charges.append(found)
        return self._charges[0]

    def open_charges(self) -> list[Charge]:
        """Return the acts that the accusation can still mean, by what was answered so far."""
        return [each for each in self._accused() if each.cleared is None]

    def _accused(self) -> Iterator[Charge]:
        trick, who = self.answers.get(TRICK), self.answers.get(WHO)
        for each in self.charges or ():
            if who in (None, each.seat) and (trick is None or each.trick in (None, trick)):
                yield each

    def disproof(self) -> tuple[Reason, ...]:
        """Return why the record disproves the accusation, act by act after its sum; nothing where it does not."""
        if self.charges is None or self.open_charges():
            return ()
        why: list[Reason] = []
        for each in self._accused():
            if each.cleared is not None and each.cleared not in why:
                why.append(each.cleared)
        if len(why) == 1:
            return tuple(why)
        cleared = self.guide.cleared
        assert cleared is not None
        text = cleared.text if self.seat is None else cleared.of_seat
        return (Reason("disproved", cleared.clauses, self.facts, text), *(why if self.seat is not None else ()))

    def act(self) -> Acted | None:
        """Return what it is about, where the record holds it.

        That is the last act that the accusation can mean; where the record cannot tell, what the player did in the
        trick that was named, else an irregularity of the kind in question, else what the player did in the trick
        that runs.
        """
        own = [laid for laid in self.plays if laid.seat == self.seat]
        if self.charges is not None and self.seat is not None:
            meant = {each.event for each in self.open_charges()}
            return next((laid for laid in reversed(own) if laid.event in meant), None)
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

    def settled(self) -> Irregularity | None:
        """Return the finding that a decision about this act settles: its own, or one that counts it among others."""
        found, act = self.finding(), self.act()
        if found is not None or act is None or self.looked is None or not self.guide.irregular:
            return found
        hand, kind = self.looked.hand, self.guide.irregular
        joint = (each for each in hand.irregularities if act.event in each.claims and kind in each.code)
        return next((each for each in joint if hand.tells(each)), None)

    def _irregular(self) -> Iterator[Irregularity]:
        if self.looked is None or not self.guide.irregular:
            return
        for each in self.looked.hand.irregularities:
            if each.code == self.guide.irregular and each.offender == self.seat and self.looked.hand.tells(each):
                yield each
