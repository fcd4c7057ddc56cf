"""The events of Ransom Trump."""

from referee.engine.event_kinds import Line, event_kind
from referee.engine.events import CardAside
from referee.games.decktet_tricks.events import NameTrump

__all__ = ["NameTrump", "Ransom"]


@event_kind(
    "ransom",
    Line("Ransom", "{seat} {cards}", shared=True),
    says="A seat’s ransom card.",
    log="{seat} offers {cards} as ransom",
    by_player=True,
    secret=True,
)
class Ransom(CardAside):
    """A seat's ransom card (RT-3)."""
