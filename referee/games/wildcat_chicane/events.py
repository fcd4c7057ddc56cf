"""The event of Wildcat Chicane."""

from referee.engine.event_kinds import Line, event_kind
from referee.engine.events import CardAside


@event_kind(
    "ruling-card",
    Line("Ruling cards", "{seat} {cards}", shared=True),
    says="A seat’s ruling card.",
    log="{seat} shows {cards} as ruling card",
    by_player=True,
    secret=True,
)
class RulingCard(CardAside):
    """A seat's ruling card (WC-3)."""
