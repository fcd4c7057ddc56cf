"""The Decktet as plain strings and tables: what a code means and which codes people type.

Everything is a canonical code string ("8MS", "XM", "E"); nothing is cached or packed.
"""

from __future__ import annotations

SUITS = "MSWLYK"

NAMES = {
    "AM": "Ace of Moons", "AS": "Ace of Suns", "AW": "Ace of Waves",
    "AL": "Ace of Leaves", "AY": "Ace of Wyrms", "AK": "Ace of Knots",
    "2MK": "Author", "2SY": "Desert", "2WL": "Origin",
    "3MW": "Journey", "3SK": "Painter", "3LY": "Savage",
    "4MS": "Mountain", "4WL": "Sailor", "4YK": "Battle",
    "5ML": "Forest", "5SW": "Discovery", "5YK": "Soldier",
    "6MW": "Lunatic", "6SY": "Penitent", "6LK": "Market",
    "7ML": "Chance Meeting", "7SK": "Castle", "7WY": "Cave",
    "8MS": "Diplomat", "8WL": "Mill", "8YK": "Betrayal",
    "9MS": "Pact", "9WY": "Darkness", "9LK": "Merchant",
    "XM": "Huntress", "XS": "Bard", "XW": "Sea",
    "XL": "End", "XY": "Calamity", "XK": "Windfall",
    "PMSL": "Harvest", "PMYK": "Watchman", "PSWK": "Light Keeper", "PWLY": "Borderland",
    "CMWK": "Consul", "CMLY": "Rite", "CSLK": "Window", "CSWY": "Island",
    "E": "Excuse",
}  # fmt: skip

BASIC = [code for code in NAMES if code[0] in "A23456789X"]
PAWNS = [code for code in NAMES if code[0] == "P"]
COURTS = [code for code in NAMES if code[0] == "C"]

SUIT_WORDS = {
    "MOON": "M", "SUN": "S", "WAVE": "W", "LEAF": "L", "LEAVE": "L", "WOOD": "L",
    "WYRM": "Y", "KNOT": "K",
}  # fmt: skip
RANK_WORDS = {"ACE": "A", "PAWN": "P", "COURT": "T", "CROWN": "X", "1": "A", "N": "X"}


def suits_of(card: str) -> str:
    """The suit letters of a card, top to bottom; empty for the Excuse."""
    return "" if card in ("E", "?") else card[1:]


def rank_of(card: str) -> int:
    """A < 2 < ... < 9 < Pawn < Court < Crown; the Excuse is below everything (0)."""
    return "EA23456789PCX".index(card[0])


def is_high(card: str) -> bool:
    """Aces and Crowns, the separate first deal of Wildcat Chicane."""
    return card[0] in "AX"


def parse_suit(text: object) -> str | None:
    """A suit letter or name in any case; None when it is no suit."""
    if not isinstance(text, str):
        return None
    word = text.strip().upper()
    if word == "V":
        return "W"
    if len(word) == 1:
        return word if word in SUITS else None
    return SUIT_WORDS.get(word) or (SUIT_WORDS.get(word[:-1]) if word.endswith("S") else None)


def parse_card(text: object) -> str | None:
    """The canonical code for anything a person may type for a card, or None."""
    if not isinstance(text, str):
        return None
    word = text.strip().upper().removeprefix("THE ").strip()
    squeezed = word.replace(" ", "").replace("-", "")
    for code, name in NAMES.items():
        if squeezed in (code, name.upper().replace(" ", "")):
            return code
    if word in ("0", "E"):
        return "E"
    rank, letters = _split(word)
    return _build(rank, letters)


def _split(word: str) -> tuple[str, list[str]]:
    """The rank letter and the suit letters of a code or a phrase, before they are checked."""
    for mark in "-,/&":
        word = word.replace(mark, " ")
    parts = [part for part in word.split() if part not in ("OF", "AND", "THE")]
    if not parts:
        return "", []
    first, rest = parts[0], parts[1:]
    if first in RANK_WORDS or len(first) == 1:
        rank, tail = RANK_WORDS.get(first, first), ""
    else:
        rank, tail = RANK_WORDS.get(first[0], first[0]), first[1:]
    letters = ["W" if letter == "V" else letter for letter in tail]
    for part in rest:
        suit = parse_suit(part)
        letters += [suit] if suit else ["W" if letter == "V" else letter for letter in part]
    return rank, letters


def _build(rank: str, letters: list[str]) -> str | None:
    """The card of this rank with exactly these suits, in printed order; None if there is none."""
    if rank == "C" and len(letters) == 1:
        rank = "X"
    if rank == "T":
        rank = "C"
    if len(set(letters)) != len(letters):
        return None
    code = rank + "".join(sorted(letters, key=lambda letter: (SUITS + letter).index(letter)))
    return code if code in NAMES else None


def deck_of(game: str, options: dict) -> list[str]:
    """The cards in play."""
    deck = list(BASIC)
    if game != "wildcat-chicane":
        deck += PAWNS if options["pawns"] else []
        deck += COURTS if options["courts"] else []
        deck += ["E"] if options["excuse"] else []
    return deck
