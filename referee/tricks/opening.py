"""A first trick that begins with the low card of a suit, whoever holds it."""

from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from referee.engine.events import Play, Turn
from referee.engine.rulings import Oddity, Reason
from referee.engine.sheet import TrickEntry
from referee.engine.state import PLAY
from referee.tricks.rules import UNSEEN, Played
from referee.tricks.state import TrickState

OPENS = Turn("{seat} leads.", "You lead.", "{card:The} leads: tap who has it.")


class LowOpening(TrickState):
    """Who holds the low card leads it to the first trick; until it lies there nobody may know who that is.

    Where cards were left over it may be among them, and any card of its suit may be led.
    """

    OPENED: ClassVar[str] = "wrong-opening"

    @abstractmethod
    def low_card(self) -> int:
        """Return the card that opens, as the pack has it."""

    @abstractmethod
    def opens_low(self) -> bool:
        """Return whether the table plays so."""

    if TYPE_CHECKING:

        def is_first_trick(self) -> bool:
            """Return whether no trick is over; a single question may say otherwise."""

    def low_aside(self) -> bool:
        """Return whether the low card may not have been dealt."""
        return len(self.rules.pack) > self.total * self.rules.players

    def holder(self) -> int | None:
        """Return who is known to hold the low card."""
        low, seats = self.low_card(), range(self.rules.players)
        return next((seat for seat in seats if self.opens_low() and self.sure(seat) >> low & 1), None)

    def anyone_leads(self) -> bool:
        """Return whether nobody knows yet who leads the first trick."""
        open_lead = self.phase is PLAY and self.is_first_trick() and not self.plays
        return open_lead and self.opens_low() and self.holder() is None

    def turn_to_play(self) -> Turn:
        turn: Turn = super().turn_to_play()  # type: ignore[misc]  # what shows a hand has it
        return replace(OPENS, facts={"card": self.rules.pack.cards[self.low_card()]}) if self.anyone_leads() else turn

    def to_act(self) -> tuple[int, ...]:
        return tuple(range(self.rules.players)) if self.anyone_leads() else super().to_act()

    def odd_lead(self, event: Play, card: int, oddities: list[Oddity]) -> None:
        """Collect a first lead of another card than the low one."""
        low, cards = self.low_card(), self.rules.pack.cards
        if self.plays or card in (UNSEEN, low) or not (self.is_first_trick() and self.opens_low()):
            return
        aside = self.low_aside() and not self.sure(event.seat) >> low & 1
        if not aside or cards[card].suits != cards[low].suits:
            facts = {"seat": event.seat, "card": cards[card], "low": cards[low]}
            oddities.append(Oddity(self.OPENED, event.seat, Reason(self.OPENED, self.CITES["lead"][:1], facts)))

    def entry(self, number: int, leader: int, plays: tuple[Played, ...]) -> TrickEntry:
        told: TrickEntry = super().entry(number, leader, plays)  # type: ignore[misc]  # what shows a hand has it
        if number == 1 and not plays and self.opens_low() and self.holder() is None:
            told["leader"] = None
        return told
