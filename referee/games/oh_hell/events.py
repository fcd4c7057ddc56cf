"""The event of Oh Hell: a card is turned up for trump."""

from typing import Annotated

from referee.engine.event_kinds import Event, FieldType, Line, SuitCode, card_code, event_kind
from referee.engine.reader import Reader

UNSEEN = "?"
"""Stands for a card of which only the suit was seen."""
TurnedCard = Annotated[
    str,
    FieldType(
        "card",
        Reader.text,
        {"type": "string", "maxLength": 60, "description": "A card, or `?` where only its suit was seen."},
        card_code,
    ),
]
"""A card by its code, or ``?``."""


@event_kind(
    "turn-up",
    Line("Turned up", "{card} ({suit})"),
    says="The card turned up for trump.",
    log="Turned up: {card} ({suit})",
)
class TurnUp(Event):
    """The card turned up for trump; of ``?`` the suit is said (OH-3, OH-Q2)."""

    card: TurnedCard
    suit: SuitCode | None = None
