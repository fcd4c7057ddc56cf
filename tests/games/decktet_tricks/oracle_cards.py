"""The second adjudicator: cards, house rules and options."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any

from tests.games.tricks import oracle_plain as plain
from tests.games.tricks.oracle_plain import Invalid

# --- The Decktet as plain strings and tables: codes, and the spellings that random records use
# Everything is a canonical code string ("8MS", "XM", "E"); nothing is cached or packed.

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


def suits_of(card: str) -> str:
    """The suit letters of a card, top to bottom; empty for the Excuse."""
    return "" if card in ("E", "?") else card[1:]


def rank_of(card: str) -> int:
    """A < 2 < ... < 9 < Pawn < Court < Crown; the Excuse is below everything (0)."""
    return "EA23456789PCX".index(card[0])


def is_high(card: str) -> bool:
    return card[0] in "AX"


def parse_suit(text: object) -> str | None:
    """A suit's letter in any case; None if it is no suit."""
    letter = text.strip().upper().replace("V", "W") if isinstance(text, str) else ""
    return letter if len(letter) == 1 and letter in SUITS else None


def parse_card(text: object) -> str | None:
    """The canonical code of a card typed by its name, or by its rank and its suits in any order; None if it is none."""
    word = text.strip().upper().removeprefix("THE ") if isinstance(text, str) else ""
    for code, name in NAMES.items():
        if word in (code, name.upper()):
            return code
    rank, suits = word[:1], sorted(word[1:].replace("V", "W"))
    rank = {"1": "A", "N": "X", "T": "C", "0": "E"}.get(rank, rank)
    return next((code for code in NAMES if code[0] == rank and sorted(suits_of(code)) == suits), None)


def deck_of(game: str, options: dict) -> list[str]:
    deck = list(BASIC)
    if game != "wildcat-chicane":
        deck += PAWNS if options["pawns"] else []
        deck += COURTS if options["courts"] else []
        deck += ["E"] if options["excuse"] else []
    return deck


# --- Trick winners, ransom winners and bid scores: the clauses as straightforward code

Play = dict[str, Any]  # {"seat", "cards": [code], optional "suit", "ruling"}


def reads(card: str, ruling: str) -> str:
    """The suit a player with this ruling card reads on a card (WC-4)."""
    return suits_of(card)[-1] if ruling[0] == "A" else suits_of(card)[0]


def lead_of(plays: list[Play], excuse_led: str) -> Play | None:
    """The play that counts as the lead; None while there is none (or never, Excuse led free)."""
    if not plays:
        return None
    if plays[0]["cards"][0] == "E" and excuse_led == "free":
        return None
    ranked = [play for play in plays if play["cards"][0] != "E"]
    return ranked[0] if ranked else None


def led_suits(lead: Play) -> str:
    return lead.get("suit") or suits_of(lead["cards"][0])


@cache
def shares(card: str, suits: str) -> bool:
    return any(suit in suits for suit in suits_of(card))


def trick_winner(options: dict, plays: list[Play], trump: str | None) -> int:
    """Index of the winning play of a complete Ace Trump or Ransom Trump trick."""
    best = best_play(options, plays, trump)
    assert best is not None
    return best


def best_play(options: dict, plays: list[Play], trump: str | None, barred: Collection[int] = ()) -> int | None:
    """Index of the best play among seats that are not barred; None if no such play can win."""
    lead = lead_of(plays, options["excuse_led"])
    cards = {i: play["cards"][0] for i, play in enumerate(plays) if play.get("seat") not in barred}
    trumps = [i for i, card in cards.items() if trump and trump in suits_of(card)]
    if trumps:
        contenders = trumps
    elif lead is None:
        contenders = [i for i, card in cards.items() if card != "E"]
    else:
        contenders = [i for i, card in cards.items() if shares(card, led_suits(lead))]
    if not contenders:
        return None
    top = max(rank_of(cards[i]) for i in contenders)
    best = [i for i in contenders if rank_of(cards[i]) == top]
    if trumps or lead is None or cards[best[0]][0] in "PC" or options["ties"] == "early":
        return best[0]
    if options["ties"] == "late":
        return best[-1]
    for suit in led_suits(lead):
        for i in best:
            if suit in suits_of(cards[i]):
                return i
    raise AssertionError("a following card matches some led suit")


def chicane_winner(plays: list[Play]) -> int:
    suits = [reads(play["cards"][0], play["ruling"]) for play in plays]
    ranks = [rank_of(play["cards"][0]) for play in plays]
    trumps = [i for i, play in enumerate(plays) if suits[i] == suits_of(play["ruling"])]
    contenders = trumps or [i for i in range(len(plays)) if suits[i] == suits[0]]
    return max(contenders, key=lambda i: (ranks[i], -i))


def ransom_winner(cards: list[str]) -> int | None:
    """Index of the highest rank shown exactly once (RT-4); the Excuse neither wins nor cancels."""
    ranks = [rank_of(card) for card in cards]
    alone = [i for i, rank in enumerate(ranks) if rank > 0 and ranks.count(rank) == 1]
    return max(alone, key=lambda i: ranks[i]) if alone else None


def bid_points(bid: int, tricks: int) -> int:
    """The points of a bid (AT-V4)."""
    return 0 if tricks < bid else 5 * bid + (tricks - bid)


def chicane_points(options: dict, bid: int, tricks: int) -> int:
    """The points of a bid (WC-16), with the house rules for a made zero and for three or more off."""
    off = abs(bid - tricks)
    if off == 0:
        return 4 * bid if bid else options["zero_bid"]
    return {1: 2 * bid, 2: bid}.get(off, -options["miss_penalty"])


# --- The options of the three games and the resulting deals, checked one by one

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
    "wildcat-chicane": {"hook": YES_NO, "zero_bid": list(range(21)), "miss_penalty": list(range(21)), "revoke": REVOKE},
}
PLAYERS = {"ace-trump": range(2, 7), "ransom-trump": range(2, 5), "wildcat-chicane": range(3, 5)}
DEFAULT_END = {
    "ace-trump": {"kind": "open"},
    "ransom-trump": {"kind": "open"},
    "wildcat-chicane": {"kind": "score", "value": 40},
}


def full_options(game: str, given: dict, players: int) -> dict:
    """Every option with defaults filled in; Invalid when the rules refuse the combination."""
    options = plain.full_options(given, OPTIONS[game])
    if game != "wildcat-chicane" and conflict(game, options, players):
        raise Invalid("options that exclude one another")
    return options


def conflict(game: str, options: dict, players: int) -> bool:
    """Whether a rule of section 4 forbids this combination."""
    pairs, bidding = options["partners"], options["bidding"]
    return (
        (pairs and players not in ((4, 6) if game == "ace-trump" else (4,)))
        or (options["hook"] and not bidding)
        or (options["partner_bid"] == "joint" and not (pairs and bidding))
        or (game == "ace-trump" and conflict_in_ace_trump(options, players))
    )


def conflict_in_ace_trump(options: dict, players: int) -> bool:
    trump, tides = options["trump"], options["tides"]
    return (
        (options["fixed_trump"] is None) == (trump == "fixed")
        or (options["two_aces"] == "first" and trump != "aces")
        or (options["trump_carry"] and trump in ("fixed", "named"))
        or (tides and players not in (2, 3, 4))
        or (options["tides_last"] != "played" and not tides)
        or (options["tides_excuse"] != "ranked" and not (tides and options["excuse"]))
        or (options["two_player_deal"] == "all" and players != 2)
    )


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
