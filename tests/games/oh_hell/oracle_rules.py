"""Oh Hell as plain strings and tables: cards, options, the course of hands, who wins, what a bid scores.

For the second adjudicator only: written from the rules, independent of the referee.
"""

from __future__ import annotations

from typing import Any

from tests.games.tricks import oracle_plain as plain
from tests.games.tricks.oracle_plain import Invalid

SUITS = "SHDC"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
DECK = [rank + suit for suit in SUITS for rank in RANKS]
UNSEEN = "?"

SUIT_WORDS = {letter: letter for letter in SUITS} | {"SPADES": "S", "HEARTS": "H", "DIAMONDS": "D", "CLUBS": "C"}
RANK_WORDS = {rank: rank for rank in RANKS} | {"ACE": "A", "KING": "K", "QUEEN": "Q", "JACK": "J", "T": "10"}


def parse_suit(text: object) -> str | None:
    """The letter of the suit as typed, or None."""
    return SUIT_WORDS.get(text.strip().upper()) if isinstance(text, str) else None


def parse_card(text: object) -> str | None:
    """The code of the card as typed ("td", "queen of hearts"), or None."""
    if not isinstance(text, str):
        return None
    words = [word for word in text.upper().split() if word != "OF"]
    if len(words) == 1:
        words = [words[0][:-1], words[0][-1]]
    if len(words) != 2 or words[0] not in RANK_WORDS or words[1] not in SUIT_WORDS:
        return None
    return RANK_WORDS[words[0]] + SUIT_WORDS[words[1]]


def suit_of(card: str) -> str:
    return card[-1]


def rank_of(card: str) -> int:
    """2 is 0, the ace is 12 (OH-1)."""
    return RANKS.index(card[:-1])


# -- options -------------------------------------------------------------------------------------

PLAYERS = range(3, 8)
MOST_CARDS = {3: 17, 4: 13, 5: 10, 6: 8, 7: 7}
USUAL_LARGEST = {3: 10, 4: 10, 5: 10, 6: 8, 7: 7}
VALUES: dict[str, list[Any]] = {
    "course": ["down-up", "up-down", "down", "up"],
    "twice_one": [False, True],
    "trump": ["turned", "none", "fixed-order"],
    "hook": [True, False],
    "bidding": ["in-turn", "together"],
    "scoring": ["exact", "tricks-and-ten", "difference", "squares"],
    "zero": ["same", "five"],
    "revoke": ["ask", "stand", "bridge", "hand-zero", "redeal"],
}


def full_options(given: dict, players: int) -> dict[str, Any]:
    sizes = [USUAL_LARGEST[players], *range(1, MOST_CARDS[players] + 1)]
    return plain.full_options(given, VALUES | {"largest": sizes})


def course(options: dict) -> list[int]:
    """The hand sizes of one whole course, in order (OH-2)."""
    down = list(range(options["largest"], 0, -1))
    up = list(range(1, options["largest"] + 1))
    if options["course"] == "down":
        return down
    if options["course"] == "up":
        return up
    if options["course"] == "up-down":
        return [*up, *down[1:]]
    return [*down, *(up if options["twice_one"] else up[1:])]


TRUMP_ORDER = ["S", "H", "D", "C", None]


def fixed_trump(options: dict, played: int) -> str | None:
    """The trump of a hand in the fixed order of suits, after this many finished hands (OH-3)."""
    return TRUMP_ORDER[played % len(TRUMP_ORDER)] if options["trump"] == "fixed-order" else None


def turns_up(options: dict, players: int, size: int) -> bool:
    """Whether a card is turned up: only if one is left after the deal (OH-3)."""
    return options["trump"] == "turned" and players * size < len(DECK)


def check_end(end: object) -> None:
    """An end that a table can have, or Invalid."""
    if not isinstance(end, dict) or end.get("kind") not in ("course", "open", "score", "hands", "time"):
        raise Invalid("end")
    bare = end["kind"] in ("course", "open")
    value = end.get("value")
    if (value is not None) if bare else (type(value) is not int or value < 1):
        raise Invalid("end value")


# -- tricks and scores ---------------------------------------------------------------------------


def trick_winner(cards: list[str], trump: str | None) -> int:
    """Position of the winning card: highest trump, else highest of the suit led (OH-8)."""
    ruling = trump if any(suit_of(card) == trump for card in cards) else suit_of(cards[0])
    contenders = [position for position, card in enumerate(cards) if suit_of(card) == ruling]
    return max(contenders, key=lambda position: rank_of(cards[position]))


def bid_points(options: dict, bid: int, tricks: int) -> int:
    """What a bid and its tricks score (OH-9)."""
    ten = 5 if bid == 0 and options["zero"] == "five" else 10
    off = abs(bid - tricks)
    if options["scoring"] == "tricks-and-ten":
        return tricks + (0 if off else ten)
    if options["scoring"] == "difference":
        return -off if off else ten + tricks
    if options["scoring"] == "squares":
        return -off * off if off else ten + tricks * tricks
    return 0 if off else ten + tricks
