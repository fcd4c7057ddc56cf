"""Secret choices: what the referee asks for, whatever the game calls it, and what a device has chosen itself."""

from collections.abc import Mapping
from typing import Any

from referee.engine.asks import Ask
from referee.engine.event_kinds import Event
from referee.engine.rulings import Refusal
from referee.engine.table import TableState, hand_for
from scoring.models import Link, SecretChoice, Table

Choosing = Mapping[str, Any]
"""What a table says of secret choices: the seats that have ``chosen``, and those that choose ``again``."""


def with_hand(state: TableState) -> TableState:
    """Return the table with the hand in progress, or the one that comes next; as it is where none can come."""
    dealt = hand_for(state)
    return state if isinstance(dealt, Refusal) else dealt


def secret_ask(state: TableState, event: str | None = None) -> Ask | None:
    """Return what is to be chosen in secret now, of this kind of event or any; ``None``: nothing."""
    hand = with_hand(state).hand
    asks = () if hand is None else hand.asks()
    return next((ask for ask in asks if ask.secret and event in (None, ask.event)), None)


def is_secret(state: TableState, event: Event) -> bool:
    """Return whether an event is a secret choice that its seat has to make now."""
    ask = secret_ask(state, event.type)
    return ask is not None and getattr(event, "seat", None) in ask.seats


def own_choice(row: Table, link: Link) -> dict[str, Any] | None:
    """Return what was put face down on the device that asks, for its holder to look at; nobody else may.

    Another link of the same seat does not show it: who can make links could look at everybody's choices.
    """
    if link.seat is None or link.device_table is None:
        return None
    own = SecretChoice.objects.filter(table=row, device_table=link.device_table, seat=link.seat)
    event: dict[str, Any] | None = own.values_list("event", flat=True).first()
    return event
