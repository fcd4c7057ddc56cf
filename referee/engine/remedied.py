"""What a hand offers when something irregular has happened, and the events that carry it out."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from referee.engine.event_kinds import Event
from referee.engine.events import Penalty, Redeal
from referee.engine.phases import FINISHED, VOID, Phase
from referee.engine.rulings import Certainty, Irregularity, Reason, Remedy


class Remedied:
    """What every game offers; a game says what is different with it."""

    __slots__ = ()

    phase: Phase

    PROVED_REMEDIES: ClassVar[tuple[str, ...]] = ("correct", "stand", "hand-zero", "penalty", "redeal")
    """What this game offers when an infraction is proved, by the codes of ``REMEDIES``."""
    SEEN_REMEDIES: ClassVar[tuple[str, ...]] = ("stand", "take-back", "penalty", "redeal")
    """What every game offers when an irregular act was recorded as it was."""
    AS_PROVED: ClassVar[tuple[str, ...]] = ()
    """Infractions that cost the same when they are recorded as they were as when they are proved later."""
    REMEDIES: ClassVar[Mapping[str, Remedy]] = {
        "correct": Remedy(
            "If the entry is wrong, correct it; nothing is then held against anybody.", ("IR-16",), "It was a wrong tap"
        ),
        "stand": Remedy("Let it stand and play on.", ("IR-9",), "Let it stand", over="Let it stand."),
        "hand-zero": Remedy("The offender scores nothing for this hand.", ("IR-4",), "Nothing for this hand"),
        "penalty": Remedy("Agree on a penalty: points that the offender loses.", ("REC-13",), "Take points away"),
        "redeal": Remedy("Declare the hand void; the same dealer deals again.", ("IR-4", "REC-14"), "Deal again"),
        "take-back": Remedy(
            "Take the cards back and play something lawful.", ("IR-2", "IR-8", "IR-15"), "Take it back"
        ),
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
        """Return the places of the entries that are struck before the events of a remedy are recorded."""
        return ()

    def applies(self, remedy: str, found: Irregularity) -> bool:
        """Return whether a remedy can still be had; cards are taken back only where cards were played."""
        return remedy != "take-back" or self.laid_cards(found.event)

    def laid_cards(self, event: int) -> bool:
        """Return whether an event of this hand put cards on the table."""
        return True

    def carry_out(self, remedy: str, found: Irregularity, why: str) -> tuple[Event, ...] | Reason:
        """Return the events that carry out a remedy, none where nothing changes; ``why`` stands in the record.

        A reason says why, or until when, they cannot be told.
        """
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
