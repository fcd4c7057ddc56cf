"""The golden records of American Deuce and Ace Pit."""

import itertools
from collections.abc import Callable

from tests.golden.variant import Variant, both, cards, clean, irregular, trick

# -- Ace Pit ------------------------------------------------------------------------------

AP = "ace-pit"


def items(*names: str, least: int = 1) -> Callable[[dict], bool]:
    """A trick in which all these items were scored."""
    return lambda each: set(names) <= {line["item"] for line in (each["reason"].get("lines") or ())}


def laid(rank: str) -> Callable[[dict], bool]:
    """A card of this rank was laid."""
    return lambda each: cards(each)[0].startswith(rank)


ACE_PIT = [
    Variant(
        AP,
        "plain",
        "Ace Pit by the default rules.",
        players=2,
        shows=both(
            clean,
            trick("a Pin", items("pin")),
            trick("a Spoon", items("spoon")),
            trick("a Throw Away", items("throw-away")),
        ),
    ),
    Variant(
        AP,
        "free-pairs",
        "Ace Pit, free pairs (AP-Q4): two cards that would each win alone.",
        {"free_pairs": True},
        2,
        shows=clean,
    ),
    Variant(AP, "ace-pit-once", "Ace Pit, two Aces score one Ace Pit (AP-Q5).", {"ace_pit_once": True}, 2, shows=clean),
    Variant(
        AP, "no-fork-spoon", "Ace Pit, no Spoons inside a Double Fork (AP-Q3).", {"fork_spoon": False}, 2, shows=clean
    ),
    Variant(
        AP,
        "spoon-beats-ace",
        "Ace Pit, the King of its suit beats a laid Ace (AP-Q7).",
        {"spoon_beats_ace": True},
        2,
        shows=clean,
    ),
    Variant(
        AP,
        "ace-lead-60",
        "Ace Pit, a laid Ace that nothing beats scores 60 (AP-Q8).",
        {"ace_lead": 60},
        2,
        shows=both(clean, trick("the Ace laid", laid("A"))),
    ),
    Variant(
        AP,
        "ace-lead-10",
        "Ace Pit, a laid Ace that nothing beats scores 10 (AP-Q8).",
        {"ace_lead": 10},
        2,
        shows=both(clean, trick("the Ace laid", laid("A"))),
    ),
]

# -- American Deuce -----------------------------------------------------------------------

AD = "american-deuce"


def seat_order(judged: dict) -> list[str] | None:
    """The seats move."""
    return ["the seating of each hand"] if clean(judged) == [] else None


def longest(size: int, times: int) -> Callable[[dict], bool]:
    """A trick with so many plays of this size."""
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


AMERICAN_DEUCE = [
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
