"""Combinations of American Deuce and what beats what (AD-15..24, AD-28..31)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.games.french.oracle_common import RANKS, Json

CIRCLE = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
STRAIGHTS = [frozenset(CIRCLE[start : start + 5]) for start in range(11)]
BLACK = {"S", "C"}
FIVE_CARD_KINDS = ("straight", "flush", "full-house", "straight-flush", "five-of-a-kind")


def rank_of(card: str) -> str:
    """`10` of `10S*`."""
    return card.rstrip("*")[:-1]


def suit_of(card: str) -> str:
    """`S` of `10S*`."""
    return card.rstrip("*")[-1]


def height(card: str) -> int:
    """Place of the card's rank: 3 lowest, 2 highest (AD-15)."""
    return RANKS.index(rank_of(card))


def tie_break(card: str, order: Sequence[str]) -> tuple[int, bool]:
    """Suit, then deck: greater is better (AD-16, AD-28)."""
    return (-list(order).index(suit_of(card)), card.endswith("*"))


def card_key(card: str, order: Sequence[str]) -> tuple[int, tuple[int, bool]]:
    """Rank, then suit, then deck."""
    return (height(card), tie_break(card, order))


def kind_of(cards: Sequence[str]) -> str | None:
    """The kind of combination these cards are, or None."""
    counts = sorted(Counter(rank_of(card) for card in cards).values())
    if len(counts) == 1 and 1 <= len(cards) <= 5:
        return ("single", "pair", "triple", "riot", "five-of-a-kind")[len(cards) - 1]
    if len(cards) != 5:
        return None
    one_suit = len({suit_of(card) for card in cards}) == 1
    sequence = frozenset(rank_of(card) for card in cards) in STRAIGHTS
    if one_suit:
        return "straight-flush" if sequence else "flush"
    if sequence:
        return "straight"
    return "full-house" if counts == [2, 3] else None


def strength(cards: Sequence[str], order: Sequence[str]) -> tuple[object, ...]:
    """Comparable strength among combinations of the same number of cards, riots apart."""
    kind = kind_of(cards)
    level = FIVE_CARD_KINDS.index(kind) if kind in FIVE_CARD_KINDS else 0
    if kind == "full-house":
        ranks = Counter(rank_of(card) for card in cards)
        cards = [card for card in cards if ranks[rank_of(card)] == 3]
    best = max(cards, key=lambda card: card_key(card, order))
    heights = sorted((height(card) for card in cards), reverse=True)
    return (level, heights, tie_break(best, order))


def one_colour(cards: Sequence[str]) -> bool:
    """All black, or all red."""
    return len({suit_of(card) in BLACK for card in cards}) == 1


def riot_beats(options: Json, order: Sequence[str], on: Sequence[str], play: Sequence[str]) -> bool:
    """Whether one riot beats another (AD-24, AD-31, AD-Q18, AD-Q19)."""
    if height(play[0]) != height(on[0]):
        return height(play[0]) > height(on[0])
    if options["riot_equal"] == "never":
        return False
    if one_colour(play) != one_colour(on):
        return one_colour(play)
    if one_colour(play):
        return (suit_of(play[0]) in BLACK) == (order[0] in BLACK)
    best_play = max(tie_break(card, order) for card in play)
    return best_play > max(tie_break(card, order) for card in on)


def play_beats(
    options: Json,
    order: Sequence[str],
    on: Sequence[str],
    play: Sequence[str],
    *,
    five_lies: bool,
) -> bool:
    """Whether `play` beats `on`; `on` may be an accepted play that is no combination."""
    old, new = kind_of(on), kind_of(play)
    if new is None:
        return False
    if new == "riot":
        if (five_lies or old == "five-of-a-kind") and not one_colour(play):
            return False
        return old != "riot" or riot_beats(options, order, on, play)
    if old == "riot" or len(on) != len(play):
        return False
    if old is None:
        return True
    if options["same_type"] and old != new:
        return False
    return strength(play, order) > strength(on, order)
