"""Opening lead of the lowest club, by the player who holds it."""

from typing import ClassVar

from referee.engine.events import Play, Turn
from referee.engine.rulings import Oddity, Reason
from referee.engine.state import PLAY
from referee.tricks.broken import BrokenHand
from referee.tricks.rules import UNSEEN

LEADS_LOW = Turn(
    "{seat} leads the lowest club.",
    "You lead the lowest club.",
    "The player who holds the lowest club leads it.",
    "The player who holds the lowest club leads it.",
)


class LowClubHand(BrokenHand):
    """A hand opened with the lowest club, if house rule ``OPENING`` says so.

    Unless entered hands show it, the holder is unknown until the card is played. If some cards are not dealt, the
    lowest club may be among them; then any club may be led.
    """

    OPENING: ClassVar[str] = "opening"
    LOW_CLUB: ClassVar[str] = "low-club"

    def leads_low(self) -> bool:
        return bool(self.rules.options[self.OPENING] == self.LOW_CLUB)

    def opens_low(self) -> bool:
        """Return whether the next lead is the opening lead and must be the lowest club."""
        return self.leads_low() and self.phase is PLAY and self.is_first_trick() and not self.plays

    def lowest_club(self) -> int:
        clubs = self.rules.suited["C"][0]
        return clubs & -clubs

    def lies_aside(self) -> bool:
        """Return whether some cards were not dealt."""
        return self.total * self.rules.players < len(self.rules.pack)

    def holder(self) -> int | None:
        """The seat that holds the lowest club, if known."""
        low, known = self.lowest_club(), self.entered() or (None,) * self.rules.players
        able = [seat for seat in range(self.rules.players) if self.placed(seat) & low]
        if not able and not self.lies_aside():
            able = [seat for seat, cards in enumerate(known) if cards is None]
        return able[0] if len(able) == 1 else None

    def to_act(self) -> tuple[int, ...]:
        if not self.opens_low():
            return super().to_act()
        holder = self.holder()
        return tuple(range(self.rules.players)) if holder is None else (holder,)

    def odd_lead(self, event: Play, card: int, oddities: list[Oddity]) -> None:
        if not self.opens_low() or card == UNSEEN:
            return
        low = self.lowest_club()
        may = self.rules.suited["C"][0] if self.lies_aside() and self.holder() is None else low
        if not may >> card & 1:
            cards = self.rules.pack.cards
            facts = {"seat": event.seat, "card": cards[card], "low": cards[low.bit_length() - 1]}
            oddities.append(Oddity("wrong-opening", event.seat, Reason("wrong-opening", self.CITES["lead"][:1], facts)))

    def turn_to_play(self) -> Turn:
        return LEADS_LOW if self.opens_low() else super().turn_to_play()
