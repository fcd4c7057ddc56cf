"""Deals and plays for the random records of American Deuce."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from itertools import combinations

from tests.games.american_deuce.oracle_combinations import STRAIGHTS, kind_of, rank_of, suit_of
from tests.games.french.oracle_common import french_deck

Cards = list[str]


def deal_cards(rng: random.Random, sizes: list[int], decks: int) -> list[Cards]:
    """Hands of the given sizes; sometimes one of them is rich in fours of a kind."""
    deck = french_deck(decks)
    rng.shuffle(deck)
    rich = rng.randrange(len(sizes)) if rng.random() < 0.3 else None
    if rich is not None:
        ranks = rng.sample(sorted({rank_of(card) for card in deck}), 4)[: sizes[rich] // 4]
        riots = [[card for card in deck if rank_of(card) == rank][:4] for rank in ranks]
        first = [card for riot in riots for card in riot]
        deck = first + [card for card in deck if card not in first]
    order = sorted(range(len(sizes)), key=lambda seat: seat != rich)
    hands: list[Cards] = [[] for _ in sizes]
    for seat in order:
        hands[seat], deck = deck[: sizes[seat]], deck[sizes[seat] :]
    return hands


def five_card_plays(rng: random.Random, hand: Cards) -> list[Cards]:
    """Some five-card combinations of a hand."""
    by_rank, by_suit = defaultdict(list), defaultdict(list)
    for card in hand:
        by_rank[rank_of(card)].append(card)
        by_suit[suit_of(card)].append(card)
    plays = [
        [rng.choice(by_rank[rank]) for rank in sorted(ranks)]
        for ranks in STRAIGHTS
        if all(by_rank[rank] for rank in ranks)
    ]
    for cards in by_suit.values():
        plays += [rng.sample(cards, 5) for _ in range(2) if len(cards) >= 5]
    for rank, cards in by_rank.items():
        if len(cards) >= 5:
            plays.append(rng.sample(cards, 5))
        pairs = [other for other in by_rank if other != rank and len(by_rank[other]) >= 2]
        if len(cards) >= 3 and pairs:
            pair = rng.sample(by_rank[rng.choice(pairs)], 2)
            plays.append(rng.sample(cards, 3) + pair)
    return [play for play in plays if kind_of(play) is not None]


def all_plays(rng: random.Random, hand: Cards) -> list[Cards]:
    """Combinations of a hand: all small ones, some of five cards."""
    by_rank = defaultdict(list)
    for card in hand:
        by_rank[rank_of(card)].append(card)
    plays: list[Cards] = []
    for group in by_rank.values():
        for size in (1, 2, 3, 4):
            plays += [list(cards) for cards in combinations(group, size)]
    return plays + five_card_plays(rng, hand)


def only_riots(cards: Cards) -> bool:
    """Whether these cards are four-of-a-kinds only."""
    return all(count % 4 == 0 for count in Counter(map(rank_of, cards)).values())
