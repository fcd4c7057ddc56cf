"""What a hand answers and does in a guided ruling; a game says what is different with it."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from referee.engine.event_kinds import Event
from referee.engine.rules import Rules
from referee.engine.rulings import Irregularity, Reason
from referee.engine.sheet import HandParts
from referee.engine.translation import AND, Listing

Amends = tuple[tuple[int, Event | None], ...]
"""Entries of a hand that are put right, by their places in it: what stands there instead, ``None`` for nothing."""


Scores = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Owed:
    """What others lost by an infraction, as the cards lay: the scores of a hand, per seat (IR-6).

    As ``played``; ``repaired`` by giving up tricks (IR-4); ``lawful``, as the cards lay. ``lawful`` is what is certain:
    of several cards that would have followed, the one that gave the others least. ``better`` is what is due: for the
    others the higher of the last two, for the offender's side the lower. ``harmed`` get more by it.
    """

    offender: int
    played: Scores
    repaired: Scores
    lawful: Scores
    better: Scores
    harmed: tuple[int, ...]

    @property
    def reason(self) -> Reason:
        """Return in a sentence what it comes to."""
        if not self.harmed:
            return Reason("equity-enough", ("IR-6",), {"seat": self.offender})
        facts = {
            "seat": self.offender,
            "seats": self.harmed,
            "lawful": Listing(tuple(self.lawful[seat] for seat in self.harmed), last=AND),
            "repaired": Listing(tuple(self.repaired[seat] for seat in self.harmed), last=AND),
        }
        return Reason("equity-owed", ("IR-6",), facts)


class Charge(NamedTuple):
    """An act that somebody can be accused of, as the record tells it: whose, in which trick, by which event.

    ``cleared`` says why the record disproves the accusation; ``None``: it does not. ``event`` is ``None`` for an act
    that is not recorded, because nobody saw it or because it was only just done.
    """

    seat: int
    trick: int | None = None
    event: int | None = None
    cleared: Reason | None = None


class Acted(NamedTuple):
    """What a seat did in a trick: its event's place in the hand, the number of the trick, the seat."""

    event: int
    trick: int
    seat: int


class Guided:
    """What guided rulings ask of a hand beside its record."""

    __slots__ = ()

    GUIDES: ClassVar[tuple[str, ...]] = ()
    """The folders whose guides this hand has, beside those for any table and those of its own game."""

    @classmethod
    def guide_applies(cls, needs: str, rules: Rules) -> bool:
        """Return whether the house rules have what a guide needs."""
        return False

    def guide_knows(self, fact: str) -> bool | None:
        """Return what this hand knows of a fact that only its game has; ``None``: it does not."""
        return None

    def acted(self, events: Sequence[Event]) -> Iterator[Acted]:
        """Yield what was done in the tricks whose cards were recorded, in order."""
        acts = (place for place, event in enumerate(events) if event.kind.in_trick and not event.kind.coarse)
        tricks = self.describe()["tricks"]
        done = ((trick["number"], play["seat"]) for trick in tricks for play in trick["plays"])
        return (Acted(place, *each) for place, each in zip(acts, done, strict=False))

    def charges(self, act: str, events: Sequence[Event]) -> Sequence[Charge] | None:
        """Return every act of a kind that can have been done in this hand; ``None``: this hand cannot tell.

        Who is in none of them cannot have done it.
        """
        return None

    def guide_amends(self, remedy: str, events: Sequence[Event]) -> Amends | Reason | None:
        """Return the entries that a remedy puts right, where only this game knows; a reason says why it cannot."""
        return None

    @abstractmethod
    def describe(self) -> HandParts:
        """Return this game's part of the adjudication of the hand; the hand knows."""

    def guide_records(self, remedy: str) -> tuple[Event, ...]:
        """Return the events that carry out a remedy whoever it is for, where only this game knows; else none."""
        return ()

    def rest_goes_to(self, seat: int) -> Event | Reason:
        """Return the event that gives all tricks that are left to a seat."""
        return Reason("no-claims", ("IR-14",))

    def owed(self, found: Irregularity, events: Sequence[Event]) -> Owed | Reason | None:
        """Return what others lost by an infraction, or why nobody can know; ``None`` where nothing can be lost so."""
        return None

    def make_good(self, found: Irregularity, events: Sequence[Event], why: str) -> tuple[Event, ...] | Reason:
        """Return the events that give the others what they would have had without an infraction (IR-6)."""
        return Reason("equity-no-tricks", ("IR-6",))
