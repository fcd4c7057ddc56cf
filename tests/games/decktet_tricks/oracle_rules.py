"""Who wins a trick, who wins the ransom, what a bid is worth: the clauses as straight code."""

from __future__ import annotations

from functools import cache
from typing import Any

from tests.games.decktet_tricks.oracle_cards import rank_of, suits_of

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
    """The suits that must be followed, in printed order."""
    return lead.get("suit") or suits_of(lead["cards"][0])


@cache
def shares(card: str, suits: str) -> bool:
    """Whether a card bears one of these suits."""
    return any(suit in suits for suit in suits_of(card))


def trick_winner(options: dict, plays: list[Play], trump: str | None) -> int:
    """Index of the winning play of a complete Ace Trump or Ransom Trump trick."""
    lead = lead_of(plays, options["excuse_led"])
    cards = [play["cards"][0] for play in plays]
    trumps = [i for i, card in enumerate(cards) if trump and trump in suits_of(card)]
    if trumps:
        contenders = trumps
    elif lead is None:
        contenders = [i for i, card in enumerate(cards) if card != "E"]
    else:
        contenders = [i for i, card in enumerate(cards) if shares(card, led_suits(lead))]
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
    """Index of the winning play of a complete Wildcat Chicane trick."""
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
    """AT-V4."""
    return 0 if tricks < bid else 5 * bid + (tricks - bid)


def chicane_points(options: dict, bid: int, tricks: int) -> int:
    """WC-16 with the house rules for a made zero and for three or more off."""
    off = abs(bid - tricks)
    if off == 0:
        return 4 * bid if bid else options["zero_bid"]
    return {1: 2 * bid, 2: bid}.get(off, -options["miss_penalty"])
