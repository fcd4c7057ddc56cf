"""Saving and loading the state of a table as a small JSON-like value.

Only what later rulings need is in it: the sums of earlier hands and the hand in progress. The
rules of the table are not part of it; they belong to the record's head.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from referee.cards import Card
from referee.hand import Hand, Phase, Rules, Setup
from referee.rulings import Certainty
from referee.table import Table

VERSION = 1
KIND = "$"
"""The key under which a saved value tells its kind."""
SHARED_KINDS: tuple[type, ...] = (Phase, Certainty)


def dump_table(table: Table) -> dict[str, Any]:
    """Save the state of a table."""
    return {
        "version": VERSION,
        "first_dealer": table.first_dealer,
        "carried": list(table.carried),
        "earned": list(table.earned),
        "counted": table.counted,
        "hand": None if table.hand is None else _dump_hand(table.hand),
    }


def load_table(rules: Rules, saved: Mapping[str, Any]) -> Table:
    """Load a state saved by ``dump_table`` under the same rules."""
    hand = saved["hand"]
    return Table(
        rules,
        saved["first_dealer"],
        tuple(saved["carried"]),
        tuple(saved["earned"]),
        saved["counted"],
        None if hand is None else _load_hand(rules, hand),
    )


def _dump_hand(hand: Hand) -> dict[str, Any]:
    setup = {f.name: _dump(getattr(hand.setup, f.name)) for f in fields(Setup)}
    return {"setup": setup, "values": {name: _dump(getattr(hand, name)) for name in hand.VALUES}}


def _load_hand(rules: Rules, saved: Mapping[str, Any]) -> Hand:
    kinds = {kind.__name__: kind for kind in (*SHARED_KINDS, *rules.game.hand_class.PARTS)}
    setup = Setup(**{name: _load(value, rules, kinds) for name, value in saved["setup"].items()})
    hand = rules.game.hand_class(rules, setup)
    for name, value in saved["values"].items():
        setattr(hand, name, _load(value, rules, kinds))
    return hand


def _dump(value: Any) -> Any:
    if isinstance(value, Card):
        return {KIND: "card", "v": value.index}
    if isinstance(value, Enum):
        return {KIND: type(value).__name__, "v": value.value}
    if is_dataclass(value):
        parts = [_dump(getattr(value, f.name)) for f in fields(value)]
        return {KIND: type(value).__name__, "v": parts}
    if isinstance(value, tuple):
        parts = [_dump(part) for part in value]
        return {KIND: type(value).__name__, "v": parts} if hasattr(value, "_fields") else parts
    if isinstance(value, Mapping):
        return {KIND: "map", "v": {key: _dump(part) for key, part in value.items()}}
    return value


def _load(saved: Any, rules: Rules, kinds: Mapping[str, type]) -> Any:
    if isinstance(saved, list):
        return tuple(_load(part, rules, kinds) for part in saved)
    if not isinstance(saved, dict):
        return saved
    kind, value = saved[KIND], saved["v"]
    if kind == "card":
        return rules.pack.cards[value]
    if kind == "map":
        return {key: _load(part, rules, kinds) for key, part in value.items()}
    parts = [_load(part, rules, kinds) for part in value] if isinstance(value, list) else [value]
    return kinds[kind](*parts)
