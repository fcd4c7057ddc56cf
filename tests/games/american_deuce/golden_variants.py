"""The golden records of American Deuce."""

import itertools
import random
from collections.abc import Callable

from tests.games.american_deuce.oracle import GAME
from tests.games.american_deuce.random_records import Script
from tests.games.french import golden_variants
from tests.golden.variant import Variant, both, clean, irregular, trick


def play(variant: Variant, record: dict, rng: random.Random) -> bool:
    """Play the hands of a record at random by the rules; say whether it turned out fit."""
    return golden_variants.play(variant, record, rng, game=GAME, script=Script)


AD = "american-deuce"


def seat_order(judged: dict) -> list[str] | None:
    return ["the seating of each hand"] if clean(judged) == [] else None


def longest(size: int, times: int) -> Callable[[dict], bool]:
    return lambda each: sum(len(play.get("cards", ())) == size for play in each["plays"]) >= times


def starred(each: dict) -> bool:
    """A card of the trump deck is played on the same card of the other."""
    played = [play["cards"] for play in each["plays"] if len(play.get("cards", ())) == 1]
    return any(later == [f"{earlier[0]}*"] for earlier, later in itertools.pairwise(played))


def by_totals(judged: dict) -> list[str] | None:
    """The seats of the last hand follow the totals, not the cards left in the hand before."""
    before, last = judged["hands"][-2:]
    winner = before["cards_left"].index(0)
    clockwise = before["seating"][before["seating"].index(winner) :] + before["seating"]
    by_round = sorted(clockwise[1 : len(before["seating"])], key=lambda seat: before["cards_left"][seat])
    return seat_order(judged) if [winner, *by_round] != last["seating"] else None


VARIANTS = [
    Variant(
        AD,
        "plain",
        "American Deuce by the default rules, with a five-card play (AD-19) and a riot (AD-24).",
        players=4,
        hands=2,
        shows=both(clean, trick("five cards on five", longest(5, 2)), trick("a riot", longest(4, 1))),
    ),
    Variant(
        AD,
        "winner-only",
        "American Deuce, quick game (AD-A1): the winner scores, the losers lose nothing.",
        {"scoring": "winner-only"},
        4,
        shows=clean,
    ),
    Variant(
        AD,
        "reseat-round",
        "American Deuce, reseating by the round (AD-A2): fewest cards left sits next.",
        {"reseat": "round"},
        4,
        hands=2,
        shows=seat_order,
    ),
    Variant(
        AD,
        "reseat-total",
        "American Deuce, reseating by the totals (AD-Q23): the highest total sits next.",
        {"reseat": "total"},
        4,
        hands=3,
        shows=by_totals,
    ),
    Variant(
        AD,
        "two-decks",
        "American Deuce for five with two decks (AD-A3): of one card twice, that of the trump deck is higher (AD-28).",
        players=5,
        shows=both(clean, trick("a card of the trump deck on the same card", starred)),
    ),
    Variant(
        AD,
        "deal-even",
        "American Deuce for five, even hands (AD-Q14): twenty cards each, four aside.",
        {"deal": "even"},
        5,
        shows=clean,
    ),
    Variant(AD, "riot-always", "American Deuce, riots may be led (AD-Q12).", {"riot_lead": "always"}, 4, shows=clean),
    Variant(
        AD,
        "count-lock",
        "American Deuce, one number of cards for the round (AD-Q1); another was led and accepted.",
        {"count_lock": "round"},
        4,
        lies=0.04,
        shows=irregular("does-not-beat", "the lead of another number of cards"),
    ),
]
