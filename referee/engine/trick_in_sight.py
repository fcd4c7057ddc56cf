"""What everybody at the table sees of a hand while it runs, beside its record."""

from referee.engine.asks import FaceUp, Preview
from referee.engine.event_kinds import Event
from referee.engine.rulings import Reason


class OpenInformation:
    """What a hand says of the trick that runs, and of what is to be done with real cards."""

    __slots__ = ()

    def ahead(self) -> int | None:
        """Return whose cards would take the trick if no more were played; ``None`` where nobody can say."""
        return None

    def to_beat(self) -> int | None:
        """Return whose play the next one has to beat, in a game of that kind."""
        return None

    def demanded_suits(self) -> tuple[str, ...]:
        """Return the suits that whoever is to play is asked for, as this player reads them."""
        return ()

    def why_trump(self) -> Reason | None:
        """Return since when, or by what, trump is what it is; ``None`` where that goes without saying."""
        return None

    def struck_out(self) -> tuple[int, ...]:
        """Return the seats whose cards, set aside for all to see, cancel one another."""
        return ()

    def suit_read(self) -> str:
        """Return which suit of a card whoever is to act reads, ``first`` or ``last``; empty: all of them."""
        return ""

    def instructions(self) -> tuple[Reason, ...]:
        """Return what has to be done with the real cards now, before anything can be recorded."""
        return ()

    def face_up(self) -> tuple[FaceUp, ...]:
        """Return the cards that lie open on the table for the whole hand, such as one that was turned up for trump."""
        return ()

    def preview(self, event: Event) -> Preview | None:
        """Say what an event would be before it is recorded, in games that have something to say."""
        return None
