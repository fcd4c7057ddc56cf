"""Malformed input to find what breaks: JSON, texts, forms and addresses, changed slightly at random."""

import re
from copy import deepcopy
from random import Random
from typing import Any

WORDS = (
    "", " ", "?", "0", "-1", "-+1", "1e9", "1.5", "9" * 30, "8MS", "KD", "9S*", "10S", "PMYK", "the Huntress", "M", "S",
    "XS,XK", "🂡", "ﬀ", "İ", "\u202e", "\u200b", "\u0663", "\u00b2", "\uff11", "\x7f", "{0}", "{seat.__class__}", "%s",
    "e\N{COMBINING ACUTE ACCENT}" * 40, "x" * 3000, "null", "true", "[]", "__proto__", "'", '"', "<b>", "=1+1", "../..",
    "//evil.example/", "K7PQM2XW", "play", "note", "redeal", "scorekeeper", "player:1", "2026-11-23", "9999-12-31",
    "a\nb", "\ud800", "nul\0here", "de", "early", "text", "csv",
)  # fmt: skip
NUMBERS = (-3, -1, 0, 1, 2, 3, 7, 8, 59, 300, 10**9, 10**9 + 1, -(10**18), 2**31, 2**63, 10**40, 0.5, -0.0, 1e300)
KEYS = ("game", "options", "seats", "hands", "events", "known", "type", "cards", "seat", "accepted", "x_a", "text", "")


def odd(rng: Random, depth: int = 0) -> Any:
    kind = rng.randrange(10 if depth < 3 else 8)
    if kind < 3:
        return rng.choice(WORDS)
    if kind < 6:
        return rng.choice(NUMBERS)
    if kind < 8:
        return rng.choice((None, True, False))
    if kind == 8:
        return [odd(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(KEYS): odd(rng, depth + 1) for _ in range(rng.randrange(4))}


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return every place in a body as a container and a key or index."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        items = holder.items() if isinstance(holder, dict) else enumerate(holder) if isinstance(holder, list) else ()
        for key, item in items:
            found.append((holder, key))
            waiting.append(item)
    return found


def changed(rng: Random, body: Any, times: int = 3) -> Any:
    """Return a body with something removed, repeated, swapped, replaced or added in a few places."""
    body = deepcopy(body)
    for _ in range(rng.randint(1, times)):
        there = places(body)
        if not there:
            return odd(rng)
        holder, key = rng.choice(there)
        kind = rng.randrange(8)
        if kind == 0:
            del holder[key]
        elif kind == 1 and isinstance(holder, list):
            holder[key:key] = [deepcopy(holder[key])] * rng.choice((1, 1, 2, 30))
        elif kind == 2 and isinstance(holder, dict):
            holder[rng.choice(KEYS)] = odd(rng)
        elif kind < 6:  # values from elsewhere in it have the right shape more often
            other, at = rng.choice(there)
            holder[key] = deepcopy(other[at])
        else:
            holder[key] = odd(rng)
    return body


def bent(rng: Random, text: str) -> str:
    """Return a text or a path with a few of its letters changed."""
    letters = list(text)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(letters) + 1)
        letters[at : at + rng.randrange(3)] = rng.choice((*"0/%?&=;.- ", "%00", "%ff", "ß", "\u202e"))
    return "".join(letters)


def damaged(rng: Random, body: bytes) -> bytes:
    """Return a body with some bytes changed, or truncated."""
    bytes_ = bytearray(body)
    for _ in range(rng.randint(1, 4)):
        if bytes_:
            bytes_[rng.randrange(len(bytes_))] = rng.randrange(256)
    return bytes(bytes_[: rng.randrange(len(bytes_) + 1)] if rng.random() < 0.3 else bytes_)


FORM = re.compile(r"<form\b([^>]*)>(.*?)</form>", re.DOTALL)
FIELD = re.compile(r"<(input|select|textarea|button|option)\b([^>]*)>")
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
WAY = re.compile(r'(?:href|hx-get|hx-post)="(/[^"#]*)')

Form = tuple[str, str, dict[str, list[str]]]
"""How and where a form is submitted, and the possible values of its fields."""


def unquoted(text: str) -> str:
    """Return an attribute's unescaped value."""
    return text.replace("&amp;", "&").replace("&#34;", '"').replace("&#39;", "'").replace("&lt;", "<")


def forms_on(page: str, here: str) -> list[Form]:
    found = []
    for attributes, inside in FORM.findall(page):
        told = dict(ATTRIBUTE.findall(attributes))
        fields: dict[str, list[str]] = {}
        name = ""
        for tag, inner in FIELD.findall(inside):
            field = dict(ATTRIBUTE.findall(inner))
            name = name if tag == "option" else field.get("name", "")
            if name:
                fields.setdefault(name, []).append(unquoted(field.get("value", "")))
        method = "post" if told.get("method", "").lower() == "post" or "hx-post" in told else "get"
        found.append((method, unquoted(told.get("action") or told.get("hx-post") or here), fields))
    return found


def ways_on(page: str) -> list[str]:
    """Return the addresses on this server a page leads to."""
    return [unquoted(way) for way in WAY.findall(page)]


def filled(rng: Random, fields: dict[str, list[str]], oddly: float) -> list[tuple[str, str]]:
    """Fill in a form: mostly with offered values, sometimes with unexpected ones."""
    sent = []
    for name, offered in fields.items():
        if rng.random() < oddly:
            sent += [(name, rng.choice(WORDS))] * rng.choice((0, 1, 1, 2))
        elif "" in offered and rng.random() < 0.3:
            sent.append((name, rng.choice(("1", "2", "0", "Tea.", "8MS"))))
        elif rng.random() < 0.9:
            sent.append((name, rng.choice(offered)))
    return sent
