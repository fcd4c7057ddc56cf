"""Remedies a hand offers for an irregularity, in a guided ruling or without one."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from referee.engine.event_kinds import Event
from referee.engine.events import Penalty, Redeal
from referee.engine.rules import Rules
from referee.engine.rulings import Certainty, Irregularity, Reason, Remedy
from referee.engine.sheet import HandParts
from referee.engine.state import FINISHED, VOID, Phase
from referee.engine.texts import AND, Listing

Amends = tuple[tuple[int, Event | None], ...]
"""Entries of a hand that are put right, by their places in it: what stands there instead, ``None`` for nothing."""


Scores = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Owed:
    """What others lost by an infraction, as the cards lay: the scores of a hand, per seat (IR-6).

    As ``played``; ``repaired`` by giving up tricks (IR-4); ``lawful``, as the cards lay. ``lawful`` is what is certain:
    of several cards that would have followed, the one that gave the others least. ``better`` is what is due: for the
    others the better of the last two, for the offender's side the worse. ``harmed`` get more by it. ``gives_up``:
    tricks can be given up in this game.
    """

    offender: int
    played: Scores
    repaired: Scores
    lawful: Scores
    better: Scores
    harmed: tuple[int, ...]
    gives_up: bool = True

    @property
    def reason(self) -> Reason:
        if not self.harmed:
            form = "" if self.gives_up else "equity-enough-points"
            return Reason("equity-enough", ("IR-6",), {"seat": self.offender}, form)
        lawful, repaired = (
            Listing(tuple(scores[seat] for seat in self.harmed), last=AND) for scores in (self.lawful, self.repaired)
        )
        facts = {"seat": self.offender, "seats": self.harmed, "lawful": lawful, "repaired": repaired}
        return Reason("equity-owed", ("IR-6",), facts, "" if self.gives_up else "equity-owed-points")


class Charge(NamedTuple):
    """An act that someone can be accused of, as the record tells it: whose, in which trick, by which event.

    ``cleared`` says why the record disproves the accusation; ``None``: it does not. ``event`` is ``None`` for an act
    that is not recorded, because no one saw it or because it was only just done.
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


class Remedied:
    """What every game offers, and what guided rulings ask of a hand; a game says what is different with it."""

    __slots__ = ()

    phase: Phase

    GUIDES: ClassVar[tuple[str, ...]] = ()
    """The folders whose guides this hand has, beside those for any table and those of its own game."""

    @classmethod
    def guide_applies(cls, needs: str, rules: Rules) -> bool:
        return False

    def guide_knows(self, fact: str) -> bool | None:
        """Return what this hand knows of a fact that only its game has; ``None``: it does not."""
        return None

    def acted(self, events: Sequence[Event]) -> Iterator[Acted]:
        """Yield the recorded acts in tricks, in order."""
        acts = (place for place, event in enumerate(events) if event.kind.in_trick and not event.kind.coarse)
        tricks = self.describe()["tricks"]
        done = ((trick["number"], play["seat"]) for trick in tricks for play in trick["plays"])
        return (Acted(place, *each) for place, each in zip(acts, done, strict=False))

    def charges(self, act: str, events: Sequence[Event]) -> Sequence[Charge] | None:
        """Return every act of a kind that can have been done in this hand; ``None``: this hand cannot tell. Who is in
        none of them cannot have done it."""
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
        return Reason("no-claims", ("IR-14",))

    def owed(self, found: Irregularity, events: Sequence[Event]) -> Owed | Reason | None:
        """Return what others lost by an infraction, or why no one can know; ``None`` if nothing can be lost so."""
        return None

    def make_good(self, found: Irregularity, events: Sequence[Event], why: str) -> tuple[Event, ...] | Reason:
        """Return the events that give the others what they would have had without an infraction (IR-6)."""
        return Reason("equity-no-tricks", ("IR-6",))

    # -- what is offered when something irregular has happened, and the events that carry it out ----

    PROVED_REMEDIES: ClassVar[tuple[str, ...]] = ("correct", "stand", "hand-zero", "penalty", "redeal")
    """What this game offers when an infraction is proved, by the codes of ``REMEDIES``."""
    SEEN_REMEDIES: ClassVar[tuple[str, ...]] = ("stand", "take-back", "penalty", "redeal")
    """What every game offers when an irregular act was recorded as it was."""
    AS_PROVED: ClassVar[tuple[str, ...]] = ()
    """Infractions that cost the same when they are recorded as they were as when they are proved later."""
    REMEDIES: ClassVar[Mapping[str, Remedy]] = {
        "correct": Remedy(
            "If the entry is wrong, correct it; then no one is blamed for anything.", ("IR-16",), "It was a wrong tap"
        ),
        "stand": Remedy("Let it stand and play on.", ("IR-9",), "Let it stand", over="Let it stand."),
        "hand-zero": Remedy("The offender scores nothing for this hand.", ("IR-4",), "Nothing for this hand"),
        "penalty": Remedy("Agree on a number of points for the offender to lose.", ("REC-13",), "Take points away"),
        "redeal": Remedy("Declare the hand void; the same dealer deals again.", ("IR-4", "REC-14"), "Deal again"),
        "take-back": Remedy("Take the cards back and play something legal.", ("IR-2", "IR-8", "IR-15"), "Take it back"),
    }
    """Every remedy that hands of this game know, by its code; a game adds its own."""
    LATE_REMEDIES: ClassVar[tuple[str, ...]] = ("correct", "stand", "penalty")
    """What is left once the next hand is dealt, or this one is void: no score moves by itself any more (IR-5)."""

    @abstractmethod
    def scores(self) -> tuple[int, ...] | None:
        """Return each seat's score in this hand, where it is settled; the hand knows."""

    def offered(self, found: Irregularity) -> tuple[str, ...]:
        """Return the codes of the remedies for a finding, as the hand stands."""
        if self.phase is VOID:
            codes = self.LATE_REMEDIES
        elif found.certainty is not Certainty.SEEN:
            codes = self.PROVED_REMEDIES
        else:
            codes = self.SEEN_REMEDIES
            if found.code in self.AS_PROVED:
                codes = tuple(dict.fromkeys((*codes[:2], *self.PROVED_REMEDIES)))
        return tuple(code for code in codes if self.applies(code, found))

    def remedy(self, code: str, found: Irregularity | None) -> Remedy:
        """Return a remedy for a finding, or what a guide takes for one, as the hand stands."""
        said = self.REMEDIES[code]
        return replace(said, text=said.over) if said.over and self.phase in (FINISHED, VOID) else said

    def strikes(self, remedy: str, found: Irregularity) -> tuple[int, ...]:
        return ()

    def applies(self, remedy: str, found: Irregularity) -> bool:
        """Return whether a remedy can still be had; cards are taken back only where cards were played."""
        return remedy != "take-back" or self.laid_cards(found.event)

    def laid_cards(self, event: int) -> bool:
        return True

    def carry_out(self, remedy: str, found: Irregularity, why: str) -> tuple[Event, ...] | Reason:
        """Return the events that carry out a remedy, none where nothing changes; ``why`` stands in the record. A reason
        says why, or until when, they cannot be told."""
        match remedy:
            case "stand" | "correct":
                return ()
            case "redeal":
                return (Redeal(why),)
            case "hand-zero":
                if found.offender is None:
                    return Reason("remedy-nobody", ("REC-18",))
                late = self.phase is FINISHED
                return self.score_nothing(found.offender, why) if late else Reason("remedy-at-end", ("IR-4",))
            case "take-back":
                return Reason("remedy-take-back", ("IR-2",))
        if found.offender is None:
            return Reason("remedy-nobody", ("REC-18",))
        return Reason("remedy-agree", ("REC-13",), {"seat": found.offender})

    def score_nothing(self, offender: int, why: str) -> tuple[Event, ...]:
        """Return the penalties that leave an offender nothing for this hand; a loss stays a loss (IR-4)."""
        scores = self.scores() or ()
        return tuple(Penalty(seat, -scores[seat], why) for seat in self.scored_with(offender) if scores[seat] > 0)

    def scored_with(self, seat: int) -> tuple[int, ...]:
        """Return the seats on whose lines a seat's score of this hand is written."""
        return (seat,)
