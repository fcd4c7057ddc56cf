"""Secret choices: what the referee asks for, whatever the game calls it, and what a device has chosen itself."""

from collections.abc import Mapping
from typing import Any

from referee.engine.asks import Ask
from referee.engine.catalogue import event_kinds
from referee.engine.event_kinds import Event
from referee.engine.rulings import Refusal
from referee.engine.table import TableState, hand_for
from scoring.models import Link, Role, SecretChoice, Table

Choosing = Mapping[str, Any]
"""What a table says of secret choices: the seats that have ``chosen``, and those that choose ``again``."""


def with_hand(state: TableState) -> TableState:
    """Return the table with the hand in progress, or the one that comes next; as it is where none can come."""
    dealt = hand_for(state)
    return state if isinstance(dealt, Refusal) else dealt


def secret_ask(state: TableState, event: str | None = None) -> Ask | None:
    """Return what is to be chosen in secret now, of this kind of event or any; ``None``: nothing."""
    if event is not None and not event_kinds()[event].secret:  # a card asks for no look at all that may come next
        return None
    hand = with_hand(state).hand
    asks = () if hand is None else hand.asks()
    return next((ask for ask in asks if ask.secret and event in (None, ask.event)), None)


def is_secret(state: TableState, event: Event) -> bool:
    """Return whether an event is a secret choice that its seat has to make now."""
    ask = secret_ask(state, event.type)
    return ask is not None and getattr(event, "seat", None) in ask.seats


def own_choices(row: Table, link: Link) -> list[dict[str, Any]]:
    """Return what was put face down by players on the device that asks, for its holder to look at; nobody else may.

    The device may have other links by now. What a scorekeeper put down for a seat is not shown: that phone lies in the
    middle. Nor does another phone of the same seat show it: who can make links could look at everybody's choices.
    """
    if link.device_table is None or not link.records:
        return []
    own = SecretChoice.objects.filter(table=row, device__tables=link.device_table, by__startswith=Role.PLAYER)
    return list(own.order_by("seat").values_list("event", flat=True))
