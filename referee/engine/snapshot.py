"""Saves and loads a table's state as JSON: what later rulings need, without the rules."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from operator import attrgetter, is_
from typing import Any

from referee.engine.cards import Card
from referee.engine.hand import Hand
from referee.engine.rules import Rules, Setup, changed_rules
from referee.engine.state import Phase, kinds_inside
from referee.engine.table import TableState
from referee.engine.texts import Listing, Noun, Phrase

VERSION = 1
KIND = "$"
"""The key that holds the kind of a saved value."""
SHARED_KINDS: dict[str, type] = {kind.__name__: kind for kind in (Phrase, Noun, Listing)}
"""Kinds of values in the facts of a reason, in any game."""
SETUP = tuple(f.name for f in fields(Setup))
HEAD = attrgetter("first_dealer", "carried", "earned", "counted", "before", "bags", "rules")
PLAIN = frozenset({int, str, bool, float, type(None)})
"""Types that JSON holds as they are."""
write = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Return a saved state as text: no spaces, keys in their given order."""


class OldSnapshot(ValueError):  # noqa: N818 - outdated, not an error
    """The state was saved by another version of the referee; rebuild it from the log."""


def dump_table(table: TableState) -> dict[str, Any]:
    """Return a table's state as JSON-like data; ``load_table`` restores an equal state."""
    saved: dict[str, Any] = json.loads(save_table(table).text)
    return saved


def _dump_head(table: TableState) -> dict[str, Any]:
    return {
        "version": VERSION,
        "first_dealer": table.first_dealer,
        "carried": list(table.carried),
        "earned": list(table.earned),
        "counted": table.counted,
        **({"before": table.before} if table.before else {}),
        **({"bags": list(table.bags)} if table.bags else {}),
    } | ({"options": dict(table.rules.chosen)} if table.changed else {})


@dataclass(frozen=True, slots=True)
class Saved:
    """A state with its saved text, and the texts of its head (under an empty name) and of its hand's parts."""

    table: TableState
    text: str
    parts: Mapping[str, str]


def save_table(table: TableState, before: Saved | None = None) -> Saved:
    """Return a table's state as JSON text, reusing the texts of what the state shares with ``before``."""
    hand = table.hand
    if hand is None:
        return Saved(table, write(_dump_head(table) | {"hand": None}), {})
    old, texts = (None, {}) if before is None else (before.table.hand, before.parts)
    same = before is not None and all(map(is_, HEAD(table), HEAD(before.table)))
    parts = {"": texts[""] if same and "" in texts else write(_dump_head(table))[:-1]}
    for name in ("setup", *hand.VALUES):
        value, text = getattr(hand, name), texts.get(name)
        stood: Any = getattr(old, name, None)
        if text is None or value is not stood:
            if value.__class__ is int:
                text = str(value)
            elif value.__class__ is Setup:
                text = write({key: _dump(getattr(value, key)) for key in SETUP})
            elif text and value.__class__ is tuple is stood.__class__ and _goes_on(value, stood):
                text = f"{text[:-1]},{write(_dump(value[len(stood) :]))[1:]}"
            else:
                text = write(_dump(value))
        parts[name] = text
    values = ",".join([f'"{name}":{parts[name]}' for name in hand.VALUES])
    own = "" if hand.coming is None else f',"options":{write(dict(hand.rules.chosen))}'
    return Saved(table, f'{parts[""]},"hand":{{"setup":{parts["setup"]},"values":{{{values}}}{own}}}}}', parts)


def _goes_on(value: tuple[Any, ...], before: tuple[Any, ...]) -> bool:
    return 0 < len(before) < len(value) and all(map(is_, value, before))


def load_table(rules: Rules, saved: Mapping[str, Any]) -> TableState:
    """Load a saved state of a table that began with ``rules``; raises ``OldSnapshot`` if its format has changed."""
    if saved.get("version") != VERSION:
        raise OldSnapshot
    hand = saved["hand"]
    try:
        now = changed_rules(rules, saved["options"]) if "options" in saved else rules
        loaded = None if hand is None else _load_hand(rules, now, hand)
    except (KeyError, TypeError, ValueError, AttributeError) as misfit:
        raise OldSnapshot from misfit
    head = saved["first_dealer"], tuple(saved["carried"]), tuple(saved["earned"]), saved["counted"]
    return TableState(now, *head, loaded, saved.get("before", 0), tuple(saved.get("bags", ())))


def _load_hand(opening: Rules, now: Rules, saved: Mapping[str, Any]) -> Hand:
    """Load the hand of a table that began with the rules ``opening`` and now has the rules ``now``."""
    rules = changed_rules(opening, saved["options"]) if "options" in saved else now
    hand_class = rules.game.hand_class
    kinds = SHARED_KINDS | kinds_inside(hand_class)
    if tuple(saved["values"]) != hand_class.VALUES:
        raise OldSnapshot
    setup = Setup(**{name: _load(value, rules, kinds) for name, value in saved["setup"].items()})
    hand = hand_class(rules, setup)
    for name, value in saved["values"].items():
        setattr(hand, name, _load(value, rules, kinds))
    hand.resume()
    hand.coming = now if "options" in saved else None
    hand.opening = None if rules.options == opening.options else opening
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
    name = kind.__name__
    if issubclass(kind, Card):
        return lambda card: {KIND: "card", "v": card.index}
    if issubclass(kind, Phase):
        return lambda phase: {KIND: name, "v": str(phase)}
    if issubclass(kind, Enum):
        return lambda member: {KIND: name, "v": member.value}
    if is_dataclass(kind):
        parts = attrgetter(
            *[f.name for f in fields(kind)], "__class__"
        )  # always two names or more, so the result is a tuple
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
