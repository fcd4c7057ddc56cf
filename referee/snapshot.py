"""Saving and loading the state of a table as a small JSON-like value.

Only what later rulings need is in it: the sums of earlier hands and the hand in progress. The
rules of the table are not part of it; they belong to the record's head.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Any

from referee.cards import Card
from referee.hand import Hand, Phase, Rules, Setup
from referee.rulings import Certainty
from referee.table import Table

VERSION = 1
KIND = "$"
"""The key under which a saved value tells its kind."""
SHARED_KINDS: tuple[type, ...] = (Phase, Certainty)
SETUP = tuple(f.name for f in fields(Setup))
PLAIN = frozenset({int, str, bool, float, type(None)})
"""What JSON holds as it is."""


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
    setup = {name: _dump(getattr(hand.setup, name)) for name in SETUP}
    return {"setup": setup, "values": {name: _dump(getattr(hand, name)) for name in hand.VALUES}}


def _load_hand(rules: Rules, saved: Mapping[str, Any]) -> Hand:
    kinds = {kind.__name__: kind for kind in (*SHARED_KINDS, *rules.game.hand_class.PARTS)}
    setup = Setup(**{name: _load(value, rules, kinds) for name, value in saved["setup"].items()})
    hand = rules.game.hand_class(rules, setup)
    for name, value in saved["values"].items():
        setattr(hand, name, _load(value, rules, kinds))
    return hand


def _dump(value: Any) -> Any:
    kind = value.__class__
    if kind in PLAIN:
        return value
    if kind is tuple:
        return [part if part.__class__ in PLAIN else _dump(part) for part in value]
    return _dumper(kind)(value)


@cache
def _dumper(kind: type) -> Callable[[Any], Any]:
    """Return how a value of this kind is saved; what a kind looks like is asked once."""
    name = kind.__name__
    if issubclass(kind, Card):
        return lambda card: {KIND: "card", "v": card.index}
    if issubclass(kind, Enum):
        return lambda member: {KIND: name, "v": member.value}
    if is_dataclass(kind):
        parts = attrgetter(*[f.name for f in fields(kind)], "__class__")  # always more than one, so always a tuple
        return lambda value: {KIND: name, "v": [_dump(part) for part in parts(value)[:-1]]}
    if issubclass(kind, tuple):
        return lambda value: {KIND: name, "v": [_dump(part) for part in value]}
    if issubclass(kind, Mapping):
        return lambda value: {KIND: "map", "v": {key: _dump(part) for key, part in value.items()}}
    return lambda value: value


def _load(saved: Any, rules: Rules, kinds: Mapping[str, type]) -> Any:
    if saved.__class__ in PLAIN:
        return saved
    if saved.__class__ is list:
        return tuple([part if part.__class__ in PLAIN else _load(part, rules, kinds) for part in saved])
    kind, value = saved[KIND], saved["v"]
    if kind == "card":
        return rules.pack.cards[value]
    if kind == "map":
        return {key: _load(part, rules, kinds) for key, part in value.items()}
    if value.__class__ is not list:
        return kinds[kind](value)
    return kinds[kind](*[_load(part, rules, kinds) for part in value])
