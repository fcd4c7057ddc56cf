"""What the naive referees of the French-card games share: cards, shapes and options.

This is an oracle for differential tests. It is written from the rules alone, recomputes whatever it can, and prefers
plain statements to speed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

Json = dict[str, Any]

RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
SUITS = ("S", "H", "C", "D")
UNSEEN = "?"
FORMAT = "table-record/1"
RECORD_KEYS = {"format", "game", "options", "end", "seats", "first_dealer", "carried", "hands"}
EVENT_TYPES = {
    "play", "bid", "ransom", "trump", "ruling-card", "suit", "drop-deuce", "pass", "trick",
    "result", "note", "end", "penalty", "transfer", "redeal",
}  # fmt: skip
REVOKES = ("ask", "stand", "bridge", "hand-zero", "redeal")


class Invalid(Exception):  # noqa: N818 - the record is refused; no program failed
    """The request is malformed or impossible as a whole: answered with 400 or 422."""


class Refused(Exception):  # noqa: N818 - the record is refused; no program failed
    """An event is not accepted: `verdict` is impossible or irregular, `code` says why."""

    def __init__(self, code: str, verdict: str = "impossible") -> None:
        super().__init__(code)
        self.code = code
        self.verdict = verdict


def require(condition: bool, code: str) -> None:
    """Refuse the event as impossible unless the condition holds."""
    if not condition:
        raise Refused(code)


def demand(condition: bool, message: str) -> None:
    """Refuse the whole request unless the condition holds."""
    if not condition:
        raise Invalid(message)


# --- cards -----------------------------------------------------------------------------------


def french_deck(decks: int) -> list[str]:
    """All codes of one pack, or of two with `*` for the trump deck."""
    marks = ("",) if decks == 1 else ("", "*")
    return [rank + suit + mark for rank in RANKS for suit in SUITS for mark in marks]


def canonical(text: str, decks: int) -> str | None:
    """The code of the card as typed, or None if the deck has no such card."""
    code = text.strip().upper()
    if code.startswith("T"):
        code = "10" + code[1:]
    return code if code in french_deck(decks) else None


def canonical_all(texts: Iterable[str], decks: int) -> list[str]:
    """The codes of all cards, or `Invalid`: for single questions and entered hands."""
    codes = [canonical(text, decks) for text in texts]
    demand(None not in codes, "no such card")
    demand(len(set(codes)) == len(codes), "a card twice")
    return [code for code in codes if code is not None]


# --- shapes ----------------------------------------------------------------------------------


def is_int(value: object) -> bool:
    """Whether the value is a whole number; true and false are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value: object) -> bool:
    return isinstance(value, str)


def list_of(test: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(test(item) for item in value)


def or_null(test: Callable[[object], bool]) -> Callable[[object], bool]:
    """Null, or something that passes the test."""
    return lambda value: value is None or test(value)


def is_points(value: object) -> bool:
    return isinstance(value, dict) and all(is_int(item) for item in value.values())


Shape = dict[str, Callable[[object], bool]]
COMMON_EVENTS: dict[str, tuple[Shape, Shape]] = {
    "play": ({"seat": is_int, "cards": list_of(is_text)}, {"suit": is_text}),
    "note": ({"text": is_text}, {"seat": or_null(is_int)}),
    "penalty": ({"seat": is_int, "points": is_int}, {"reason": is_text}),
    "redeal": ({}, {"reason": is_text}),
    "end": ({}, {"reason": is_text}),
}


def check_event(event: object, shapes: dict[str, tuple[Shape, Shape]]) -> None:
    """Raise `Invalid` unless the event has the fields of its type, each with the right type."""
    if not isinstance(event, dict):
        raise Invalid("an event is an object")
    demand(event.get("type") in EVENT_TYPES, "unknown event type")
    if event["type"] not in shapes:
        return
    needed, allowed = shapes[event["type"]]
    known = {**needed, **allowed, "accepted": lambda value: isinstance(value, bool)}
    demand(all(name in event for name in needed), "a field is missing")
    for name, value in event.items():
        if name == "type" or name.startswith("x_"):
            continue
        demand(name in known and known[name](value), f"bad field {name}")


# --- options ---------------------------------------------------------------------------------


def filled_options(given: object, allowed: dict[str, tuple[Any, ...]]) -> Json:
    """Options with defaults; the first allowed value is the default."""
    if not isinstance(given, dict):
        raise Invalid("options are an object")
    table = {**allowed, "revoke": REVOKES}
    for key, value in given.items():
        demand(key in table, f"unknown option {key}")
        same = [item for item in table[key] if item == value and type(item) is type(value)]
        demand(bool(same), f"bad value of {key}")
    return {key: given.get(key, values[0]) for key, values in table.items()}


def checked_end(end: object, default: Json) -> Json:
    if end is None:
        return default
    if not isinstance(end, dict) or end.get("kind") not in ("open", "score", "hands"):
        raise Invalid("bad end")
    if end["kind"] == "open":
        demand(set(end) == {"kind"}, "an open end has no value")
    else:
        demand(set(end) == {"kind", "value"} and is_int(end["value"]), "bad end")
        demand(end["value"] > 0, "an end has a positive value")
    return end
