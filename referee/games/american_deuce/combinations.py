"""Combinations of French cards: what a list of cards is, and what it is called (AD-15 .. AD-29).

A combination is recognised without regard to the order of suits, which the cabinet names anew
each round; ``referee.games.american_deuce.beating`` compares two of them.
"""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from referee.engine.translation import Phrase, phrase
from referee.packs import Card

RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
"""Ranks from low to high: the 2 is above the Ace (AD-15)."""
STRAIGHTS = (
    ("3", "4", "5", "6", "7"),
    ("4", "5", "6", "7", "8"),
    ("5", "6", "7", "8", "9"),
    ("6", "7", "8", "9", "10"),
    ("7", "8", "9", "10", "J"),
    ("8", "9", "10", "J", "Q"),
    ("9", "10", "J", "Q", "K"),
    ("10", "J", "Q", "K", "A"),
    ("2", "3", "4", "5", "6"),
    ("A", "2", "3", "4", "5"),
    ("J", "Q", "K", "A", "2"),
)
"""The eleven straights, low to high, each as it is laid out (AD-20, AD-Q3)."""
SEQUENCES = {frozenset(straight): straight for straight in STRAIGHTS}
RANK_OF = {rank: place for place, rank in enumerate(RANKS)}
PLURALS = {
    "2": "twos", "3": "threes", "4": "fours", "5": "fives", "6": "sixes", "7": "sevens",
    "8": "eights", "9": "nines", "10": "tens", "J": "jacks", "Q": "queens", "K": "kings",
    "A": "aces",
}  # fmt: skip
SINGULARS = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
SUITS = {"S": "spades", "H": "hearts", "C": "clubs", "D": "diamonds"}
COLOURS = {"S": "black", "C": "black", "H": "red", "D": "red"}
RIOT_SIZE = 4


class Kind(StrEnum):
    """What cards played together can be, from a single card to five of a kind."""

    SINGLE = "single"
    PAIR = "pair"
    TRIPLE = "triple"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full-house"
    STRAIGHT_FLUSH = "straight-flush"
    RIOT = "riot"
    FIVE = "five-of-a-kind"


ALIKE = {1: Kind.SINGLE, 2: Kind.PAIR, 3: Kind.TRIPLE, RIOT_SIZE: Kind.RIOT, 5: Kind.FIVE}
"""What so many cards of one rank are."""


class Combination(NamedTuple):
    """A combination, as far as comparing and naming it needs.

    ``ranks`` are the places in ``RANKS`` that are compared first, in order of weight; ``heads``
    the cards whose best one breaks a tie (AD-Q4, AD-Q17); ``colour`` that of a riot in a single
    colour; ``suit`` that of a flush or straight flush.
    """

    kind: Kind
    number: int
    ranks: tuple[int, ...]
    heads: tuple[Card, ...]
    colour: str | None = None
    suit: str | None = None


def recognise(cards: Sequence[Card]) -> Combination | None:
    """Return what these cards are together, or ``None`` when they are no combination.

    >>> from referee.packs import french
    >>> pack = french()
    >>> recognise([pack.cards[pack.find(c)] for c in ("8S", "8H", "8C", "4D", "4S")]).kind
    <Kind.FULL_HOUSE: 'full-house'>
    """
    count = Counter(card.rank for card in cards)
    if len(count) == 1 and len(cards) in ALIKE:
        return _alike(cards)
    if len(cards) != 5:
        return None
    if sorted(count.values()) == [2, 3]:
        triple = max(count, key=lambda rank: count[rank])
        heads = tuple(card for card in cards if card.rank == triple)
        return Combination(Kind.FULL_HOUSE, 5, (RANK_OF[triple],), heads)
    suits = {card.suits[0] for card in cards}
    suit = suits.pop() if len(suits) == 1 else None
    straight = frozenset(count) in SEQUENCES
    if not straight and suit is None:
        return None
    ranks = tuple(sorted((RANK_OF[card.rank] for card in cards), reverse=True))
    heads = tuple(card for card in cards if RANK_OF[card.rank] == ranks[0])
    kind = Kind.FLUSH if not straight else Kind.STRAIGHT_FLUSH if suit else Kind.STRAIGHT
    return Combination(kind, 5, ranks, heads, suit=suit)


def _alike(cards: Sequence[Card]) -> Combination:
    kind = ALIKE[len(cards)]
    colours = {COLOURS[card.suits[0]] for card in cards}
    colour = colours.pop() if kind is Kind.RIOT and len(colours) == 1 else None
    return Combination(kind, len(cards), (RANK_OF[cards[0].rank],), tuple(cards), colour)


def name_combination(combination: Combination) -> Phrase:
    """Say a combination the way a player would, without its article: ``full house, eights``.

    >>> from referee.packs import french
    >>> pack = french()
    >>> str(name_combination(recognise([pack.cards[pack.find(c)] for c in ("KS", "KD")])))
    'pair of kings'
    """
    kind, head = combination.kind, combination.heads[0]
    if kind is Kind.SINGLE:
        return head.called
    if kind in (Kind.STRAIGHT, Kind.STRAIGHT_FLUSH):
        laid: object = "-".join(SEQUENCES[frozenset(RANKS[rank] for rank in combination.ranks)])
    else:
        laid = phrase(PLURALS[head.rank])
    high = name_rank(head.rank)
    suit = phrase(SUITS[combination.suit]) if combination.suit else ""
    text = ONE_COLOUR[combination.colour] if combination.colour else NAMES[kind]
    return phrase(text, ranks=laid, rank=high, suit=suit)


def name_rank(rank: str) -> Phrase | str:
    """Return what people call a rank: ``king`` for K, ``10`` for 10."""
    return phrase(SINGULARS[rank]) if rank in SINGULARS else rank


NAMES = {
    Kind.PAIR: "pair of {ranks}",
    Kind.TRIPLE: "triple of {ranks}",
    Kind.STRAIGHT: "straight, {ranks}",
    Kind.FLUSH: "flush in {suit}, {rank} high",
    Kind.FULL_HOUSE: "full house, {ranks}",
    Kind.STRAIGHT_FLUSH: "straight flush in {suit}, {ranks}",
    Kind.RIOT: "riot of {ranks}",
    Kind.FIVE: "five of a kind, {ranks}",
}
ONE_COLOUR = {"black": "all-black riot of {ranks} (BLM)", "red": "all-red riot of {ranks} (MAGA rally)"}
"""What a riot in one colour is called (AD-30)."""


def name_play(cards: Sequence[Card]) -> Phrase:
    """Name the combination these cards are, without its article, or the cards when they are none."""
    combination = recognise(cards)
    return name_combination(combination) if combination else phrase(LOOSE, cards=list_cards(cards))


LOOSE = "cards {cards}"
"""What is no combination."""


def list_cards(cards: Sequence[Card]) -> str:
    """Return the codes of cards in this order, parted by spaces."""
    return " ".join(card.code for card in cards)


def name_cards(cards: Sequence[Card]) -> Phrase | str:
    """Name the combination these cards are, or list the cards when they are none."""
    combination = recognise(cards)
    return name_combination(combination) if combination else list_cards(cards)
