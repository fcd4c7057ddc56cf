"""The events of American Deuce alone: suits named, the exchange and what puts it right, seats of the next round."""

from typing import Annotated

from referee.engine.event_kinds import (
    CardSeenOrNot,
    Event,
    Flag,
    Line,
    Numbers,
    Seat,
    SeatOrNobody,
    Shown,
    SuitCode,
    event_kind,
)


@event_kind(
    "suit",
    Line("Suits", "{seat} {suit}", shared=True),
    says="A seat names the next highest suit.",
    log="{seat} names {suit}",
    prompt="{seat} names the next suit",
    by_player=True,
)
class NameSuit(Event):
    """President-Elect, Vice or Secretary names the next highest suit (AD-5)."""

    seat: Seat
    suit: SuitCode


@event_kind(
    "drop-deuce",
    Line("Drop a deuce", "{king|nobody} {constipated}", ("gives {given}", "gets {returned}")),
    says="The President-Elect asked for a deuce.",
    log="Drop a Deuce: {king} gave {given}, got {returned}",
)
class DropDeuce(Event):
    """The President-Elect asked for a deuce, and what was exchanged (AD-7, AD-8).

    ``king`` is the seat that holds the King of diamonds. ``given`` went to the President-Elect, ``returned`` came from
    her; ``?`` where unseen.
    """

    king: SeatOrNobody
    constipated: Flag = False
    given: CardSeenOrNot = None
    returned: CardSeenOrNot = None

    def problem(self) -> str | None:
        """Refuse cards, or a Constipated King, where there is no king."""
        if self.king is None and (self.given is not None or self.returned is not None or self.constipated):
            return "Without a king nothing is exchanged: no cards, and nobody is constipated."
        return None


@event_kind(
    "seating",
    Line("Seating", "places {places}"),
    says="After a round: how the players sit in the next one, where the score would seat them otherwise.",
    log="Seats of the next round, from the President-Elect on: {numbers}",
    label="Seats of the next round",
    stays=True,
)
class Seating(Event):
    """How the players sit in the next round (AD-Q23): for each seat its place clockwise, 1 for the President-Elect."""

    places: Annotated[Numbers, Shown("Place", 1)]


@event_kind(
    "put-right",
    Line("Put right", "{given} for {returned}"),
    says="A wrong exchange was put right after the first trick: a card for the President-Elect, one for the King.",
    log="The exchange was put right: {given} for {returned}",
    aside=True,
)
class PutRight(Event):
    """A wrong exchange is put right after the first trick (IR-12).

    ``given`` goes to the President-Elect, ``returned`` comes from her; ``?`` where unseen.
    """

    given: CardSeenOrNot
    returned: CardSeenOrNot
