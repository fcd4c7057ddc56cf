"""Events whose cards stay hidden until the end of their hand, such as passed cards."""

from collections.abc import Mapping
from typing import Any

from referee.engine.game import event_kinds
from referee.engine.table import TableState

UNSEEN = "?"


def is_veiled(event: Mapping[str, Any]) -> bool:
    kind = event_kinds().get(event["type"])
    return kind is not None and kind.veiled


def veiled(event: Mapping[str, Any], hand: int, state: TableState) -> Mapping[str, Any]:
    """Return an event of a hand (from 0) with hidden cards as `?` while the hand is in progress."""
    runs = state.hand is not None and state.hand.setup.index == hand and not state.hand.is_over()
    return {**event, "cards": [UNSEEN for _ in event["cards"]]} if runs and is_veiled(event) else event
