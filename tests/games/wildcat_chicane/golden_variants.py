"""The golden records of Wildcat Chicane."""

from tests.games.decktet_tricks.golden_variants import play
from tests.golden.variant import Variant, both, clean, code, irregular, revokes, scored

__all__ = ["VARIANTS", "play"]

WC = "wildcat-chicane"
VARIANTS = [
    Variant(
        WC,
        "plain",
        "Wildcat Chicane by the default rules, three players.",
        end={"kind": "score", "value": 40},
        shows=both(
            clean, code("highest-trump", "a trick won by a personal trump"), scored("bid-off-by", "a bid that was off")
        ),
    ),
    Variant(
        WC,
        "four-players",
        "Wildcat Chicane for four (WC-2): nine cards each, eight tricks.",
        players=4,
        shows=both(clean, code("earlier-of-equals", "two trumps of one rank (WC-14)")),
    ),
    Variant(
        WC,
        "hook",
        "Wildcat Chicane, the hook (WC-Q3): the last bid made the bids add up; the table accepted it.",
        {"hook": True},
        shows=irregular("forbidden-bid", "the last bid"),
    ),
    Variant(
        WC,
        "zero-bid",
        "Wildcat Chicane, a bid of 0 made exactly scores 5 (WC-Q2).",
        {"zero_bid": 5},
        shows=both(clean, scored("zero-bid", "the bid of 0")),
    ),
    Variant(
        WC,
        "miss-penalty",
        "Wildcat Chicane, three or more off costs 3 (WC-Q1).",
        {"miss_penalty": 3},
        shows=both(clean, scored("bid-far-off", "the bid that was three or more off")),
    ),
    *revokes(WC, "Wildcat Chicane", 3),
]
