"""The remedies a hand offers for an irregularity, and what guided rulings ask of a hand."""

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
"""Corrections of a hand's entries: (place, what stands there instead), ``None`` to strike the entry."""


Scores = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Owed:
    """What an infraction cost the others, as scores of the hand per seat (IR-6).

    As ``played``, as ``repaired`` by giving up tricks (IR-4), and as ``lawful`` play would have gone with these cards;
    of several cards that would have followed, the one that gave the others least counts. ``better`` is what is due: for
    the others the better of the last two, for the offender's side the worse. ``harmed`` are the seats that gain by it.
    ``gives_up``: tricks can be given up in this game.
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
    """An act of which a seat can be accused, as the record has it.

    ``cleared`` says why the record disproves the accusation; ``None`` if it does not. ``event`` is ``None`` for an act
    that is not recorded, because nobody saw it or it was only just done.
    """

    seat: int
    trick: int | None = None
    event: int | None = None
    cleared: Reason | None = None


class Acted(NamedTuple):
    """What a seat did in a trick; ``event`` is its place in the hand."""

    event: int
    trick: int
    seat: int


class Remedied:
    """The remedies that every game offers, and hooks for guided rulings; games override what differs."""

    __slots__ = ()

    phase: Phase

    GUIDES: ClassVar[tuple[str, ...]] = ()
    """The folders whose guides this hand has, besides those for any table and its own game's."""

    @classmethod
    def guide_applies(cls, needs: str, rules: Rules) -> bool:
        return False

    def guide_knows(self, fact: str) -> bool | None:
        """Return what this hand knows of a fact specific to its game; ``None`` if nothing."""
        return None

    def acted(self, events: Sequence[Event]) -> Iterator[Acted]:
        """Yield the recorded acts in tricks, in order."""
        acts = (place for place, event in enumerate(events) if event.kind.in_trick and not event.kind.coarse)
        tricks = self.describe()["tricks"]
        done = ((trick["number"], play["seat"]) for trick in tricks for play in trick["plays"])
        return (Acted(place, *each) for place, each in zip(acts, done, strict=False))

    def charges(self, act: str, events: Sequence[Event]) -> Sequence[Charge] | None:
        """Return every act of a kind that can have been done in this hand; ``None`` if the hand cannot tell."""
        return None

    def guide_amends(self, remedy: str, events: Sequence[Event]) -> Amends | Reason | None:
        """Return the corrections of a remedy specific to this game, or why it is impossible; ``None`` for others."""
        return None

    @abstractmethod
    def describe(self) -> HandParts:
        """Return this game's part of the hand's adjudication; see ``Hand``."""

    def guide_records(self, remedy: str) -> tuple[Event, ...]:
        """Return the events that carry out a remedy specific to this game; ``()`` for other remedies."""
        return ()

    def rest_goes_to(self, seat: int) -> Event | Reason:
        return Reason("no-claims", ("IR-14",))

    def owed(self, found: Irregularity, events: Sequence[Event]) -> Owed | Reason | None:
        """Return what an infraction cost the others, or why nobody can know; ``None`` if it cannot cost anything."""
        return None

    def make_good(self, found: Irregularity, events: Sequence[Event], why: str) -> tuple[Event, ...] | Reason:
        """Return the events that give the others what lawful play would have brought (IR-6), or why there are none."""
        return Reason("equity-no-tricks", ("IR-6",))

    # -- remedies for an irregularity, and the events that carry them out --------------------------

    PROVED_REMEDIES: ClassVar[tuple[str, ...]] = ("correct", "stand", "hand-zero", "penalty", "redeal")
    """What this game offers when an infraction is proved, as codes of ``REMEDIES``."""
    SEEN_REMEDIES: ClassVar[tuple[str, ...]] = ("stand", "take-back", "penalty", "redeal")
    """What every game offers when an irregular act was recorded as such."""
    AS_PROVED: ClassVar[tuple[str, ...]] = ()
    """Infractions that cost the same whether they are recorded as such or proved later."""
    REMEDIES: ClassVar[Mapping[str, Remedy]] = {
        "correct": Remedy(
            "If the entry is wrong, correct it; then no one is blamed for anything.", ("IR-16",), "It was a wrong tap"
        ),
        "stand": Remedy("Let it stand and play on.", ("IR-9",), "Let it stand", over="Let it stand."),
        "hand-zero": Remedy("The offender scores nothing for this hand.", ("IR-4",), "No points for this hand"),
        "penalty": Remedy("Agree on a number of points for the offender to lose.", ("REC-13",), "Take points away"),
        "redeal": Remedy("Declare the hand void; the same dealer deals again.", ("IR-4", "REC-14"), "Deal again"),
        "take-back": Remedy("Take the cards back and play something legal.", ("IR-2", "IR-8", "IR-15"), "Take it back"),
    }
    """The remedies of this game's hands, by code; games add their own."""
    LATE_REMEDIES: ClassVar[tuple[str, ...]] = ("correct", "stand", "penalty")
    """What is left once the next hand is dealt or this one is void: no score changes by itself (IR-5)."""

    @abstractmethod
    def scores(self) -> tuple[int, ...] | None:
        """Return each seat's score in this hand; see ``Hand``."""

    def offered(self, found: Irregularity) -> tuple[str, ...]:
        """Return the codes of the remedies for a finding, in the hand's present state."""
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
        """Return a remedy for a finding, worded for the hand's present state."""
        said = self.REMEDIES[code]
        return replace(said, text=said.over) if said.over and self.phase in (FINISHED, VOID) else said

    def strikes(self, remedy: str, found: Irregularity) -> tuple[int, ...]:
        return ()

    def applies(self, remedy: str, found: Irregularity) -> bool:
        """Return whether a remedy is still possible; only cards that were played can be taken back."""
        return remedy != "take-back" or self.laid_cards(found.event)

    def laid_cards(self, event: int) -> bool:
        return True

    def carry_out(self, remedy: str, found: Irregularity, why: str) -> tuple[Event, ...] | Reason:
        """Return the events that carry out a remedy, giving ``why`` as the reason, or why they are not yet known."""
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
        """Return the penalties that leave an offender no points for this hand; a loss remains a loss (IR-4)."""
        scores = self.scores() or ()
        return tuple(Penalty(seat, -scores[seat], why) for seat in self.scored_with(offender) if scores[seat] > 0)

    def scored_with(self, seat: int) -> tuple[int, ...]:
        """Return the seats whose score lines include this seat's score of the hand."""
        return (seat,)
