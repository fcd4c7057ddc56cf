"""The options of the three trick games and the deals that follow from them, checked one by one."""

from __future__ import annotations

from typing import Any

from tests.games.decktet_tricks.oracle_cards import SUITS, deck_of, rank_of

YES_NO = [False, True]
REVOKE = ["ask", "stand", "bridge", "hand-zero", "redeal"]

TRICK_OPTIONS: dict[str, list[Any]] = {
    "ties": ["symbol", "early", "late"],
    "called_suit": YES_NO,
    "excuse": YES_NO,
    "pawns": YES_NO,
    "courts": YES_NO,
    "excuse_led": ["next-card", "free", "forbidden"],
    "partners": YES_NO,
    "bidding": YES_NO,
    "hook": YES_NO,
    "partner_bid": ["separate", "joint"],
    "revoke": REVOKE,
}
OPTIONS: dict[str, dict[str, list[Any]]] = {
    "ace-trump": {
        "trump": ["aces", "sticky", "fixed", "named"],
        "fixed_trump": [None, *SUITS],
        "two_aces": ["last", "first"],
        **TRICK_OPTIONS,
        "tides": YES_NO,
        "tides_last": ["played", "winning"],
        "tides_excuse": ["ranked", "one", "same"],
        "trump_carry": YES_NO,
        "two_player_deal": ["nine", "all"],
    },
    "ransom-trump": {**TRICK_OPTIONS, "no_ransom_lead": ["left", "dealer"]},
    "wildcat-chicane": {
        "hook": YES_NO,
        "zero_bid": list(range(21)),
        "miss_penalty": list(range(21)),
        "revoke": REVOKE,
    },
}
PLAYERS = {
    "ace-trump": range(2, 7),
    "ransom-trump": range(2, 5),
    "wildcat-chicane": range(3, 5),
}
DEFAULT_END = {
    "ace-trump": {"kind": "open"},
    "ransom-trump": {"kind": "open"},
    "wildcat-chicane": {"kind": "score", "value": 40},
}


class Invalid(Exception):  # noqa: N818 - the record is refused; no program failed
    """The record as a whole cannot be: options, known hands, seats."""


def full_options(game: str, given: dict, players: int) -> dict:
    """Every option with defaults filled in; Invalid when the rules refuse the combination."""
    table = OPTIONS[game]
    for key, value in given.items():
        if key not in table:
            raise Invalid(f"unknown option {key}")
        if not any(value == ok and type(value) is type(ok) for ok in table[key]):
            raise Invalid(f"{key}={value!r}")
    options = {key: given.get(key, values[0]) for key, values in table.items()}
    for problem, broken in conflicts(game, options, players):
        if broken:
            raise Invalid(problem)
    return options


def conflicts(game: str, options: dict, players: int) -> list[tuple[str, bool]]:
    """Each rule of section 4 that forbids a combination, and whether it is broken."""
    if game == "wildcat-chicane":
        return []
    pairs = options["partners"]
    found = [
        ("partners players", pairs and players not in ((4, 6) if game == "ace-trump" else (4,))),
        ("hook needs bidding", options["hook"] and not options["bidding"]),
        (
            "partner_bid needs partners and bidding",
            options["partner_bid"] == "joint" and not (pairs and options["bidding"]),
        ),
    ]
    return found + (ace_trump_conflicts(options, players) if game == "ace-trump" else [])


def ace_trump_conflicts(options: dict, players: int) -> list[tuple[str, bool]]:
    """The combinations that only Ace Trump can get wrong."""
    trump, tides = options["trump"], options["tides"]
    return [
        ("fixed_trump goes with fixed", (options["fixed_trump"] is None) == (trump == "fixed")),
        ("two_aces needs aces", options["two_aces"] == "first" and trump != "aces"),
        ("trump_carry not with fixed or named", options["trump_carry"] and trump in ("fixed", "named")),
        ("tides players", tides and players not in (2, 3, 4)),
        ("tides_last needs tides", options["tides_last"] != "played" and not tides),
        (
            "tides_excuse needs tides and excuse",
            options["tides_excuse"] != "ranked" and not (tides and options["excuse"]),
        ),
        ("two_player_deal players", options["two_player_deal"] == "all" and players != 2),
    ]


def first_size(game: str, options: dict, players: int) -> int:
    """How many cards each player gets in the first hand (and, without Tides, in every hand)."""
    if game == "wildcat-chicane":
        return 36 // players
    if game == "ransom-trump":
        return 9 if players == 4 else 10
    if options["tides"]:
        return 1
    if players == 2 and options["two_player_deal"] == "nine":
        return 9
    return len(deck_of(game, options)) // players


def tides_size(options: dict, last_trick: list[str], winning: str | None, size: int) -> int | None:
    """The next hand's size after this last trick (cards in order played); None when unknown."""
    card = winning if options["tides_last"] == "winning" else last_trick[-1]
    if card == "E" and options["tides_last"] == "winning":
        return None  # it cannot have won
    if card == "E":
        if options["tides_excuse"] == "one":
            return 1
        if options["tides_excuse"] == "same":
            return size
        ranked = [other for other in last_trick if other != "E"]
        card = ranked[-1] if ranked else None
    return None if card is None else min(rank_of(card), 9)


def scores_bids(game: str, options: dict) -> bool:
    """Whether a hand is scored against bids."""
    return game == "wildcat-chicane" or options["bidding"]
