"""The golden records of Ace Trump."""

from tests.games.decktet_tricks.golden_variants import EQUAL, aces, last_excuse, late_ace, play, shared
from tests.golden.variant import Variant, both, clean, code, revokes, trick

__all__ = ["VARIANTS", "play"]

AT = "ace-trump"
SUIT_NAMES = {"M": "moons", "S": "suns", "W": "waves", "L": "leaves", "Y": "wyrms", "K": "knots"}
TIDES = {"tides": True}
VARIANTS = [
    Variant(
        AT,
        "plain",
        "Ace Trump by the default rules, with a tie (AT-12) and a late Ace that revalues a trick (AT-Q1).",
        shows=both(clean, code("higher-symbol", EQUAL), trick("an Ace played late", late_ace)),
    ),
    Variant(AT, "two-players", "Ace Trump for two (AT-2): nine cards each, 18 unused.", players=2, shows=clean),
    Variant(AT, "five-players", "Ace Trump for five (AT-2): seven cards each, one unused.", players=5, shows=clean),
    Variant(
        AT,
        "depths",
        "Ace Trump, some tricks by their winner and the rest by its result.",
        hands=2,
        coarse=1.0,
        shows=lambda judged: (
            []
            if all(len(h["tricks"]) > 2 for h in judged["hands"])
            and any(t["plays"] for h in judged["hands"] for t in h["tricks"])
            else None
        ),
    ),
    Variant(
        AT,
        "sticky",
        "Ace Trump, Sticky Aces (AT-V1): only the first Ace of the hand sets trump.",
        {"trump": "sticky"},
        shows=clean,
    ),
    *(
        Variant(
            AT,
            f"fixed-{name}",
            f"Ace Trump, Fixed Trump (AT-V6): {name} are trump, and Aces change nothing.",
            {"trump": "fixed", "fixed_trump": suit},
            6,
            shows=both(clean, trick("an Ace", aces(1))),
        )
        for suit, name in SUIT_NAMES.items()
    ),
    Variant(
        AT,
        "two-aces-first",
        "Ace Trump, two Aces in a trick (AT-Q2): the first rules it, the last from the next trick on.",
        {"two_aces": "first"},
        shows=both(clean, trick("two Aces", aces(2))),
    ),
    *shared(AT, "Ace Trump", pairs="AT-V3", bids="AT-V4"),
    Variant(
        AT,
        "partners-6",
        "Ace Trump, Partners with six (AT-Q17): three pairs of opposite seats.",
        {"partners": True},
        6,
        shows=clean,
    ),
    Variant(
        AT,
        "tides",
        "Ace Trump, Tides of Fortune (AT-V5): one card first, then as many as the last card says.",
        TIDES,
        hands=4,
        shows=lambda judged: clean(judged) if len({h["hand_size"][0] for h in judged["hands"]}) > 2 else None,
    ),
    Variant(
        AT,
        "tides-winning",
        "Ace Trump, Tides (AT-Q19): the winning card of the last trick sets the next size.",
        {**TIDES, "tides_last": "winning"},
        hands=3,
        keep=("tides",),
        shows=clean,
    ),
    Variant(
        AT,
        "tides-excuse-ranked",
        "Ace Trump, Tides (AT-Q18): after a last Excuse the card before it counts.",
        {**TIDES, "excuse": True},
        hands=3,
        shows=both(clean, last_excuse),
    ),
    Variant(
        AT,
        "tides-excuse-one",
        "Ace Trump, Tides (AT-Q18): after a last Excuse one card each.",
        {**TIDES, "excuse": True, "tides_excuse": "one"},
        hands=4,
        keep=("tides", "excuse"),
        shows=both(clean, last_excuse),
    ),
    Variant(
        AT,
        "tides-excuse-same",
        "Ace Trump, Tides (AT-Q18): after a last Excuse the same size again.",
        {**TIDES, "excuse": True, "tides_excuse": "same"},
        hands=4,
        keep=("tides", "excuse"),
        shows=both(clean, last_excuse),
    ),
    Variant(
        AT,
        "trump-carry",
        "Ace Trump, trump carries over (AT-Q3) into the next hand.",
        {"trump_carry": True},
        6,
        hands=2,
        shows=clean,
    ),
    Variant(
        AT,
        "two-player-all",
        "Ace Trump for two with the whole deck (AT-Q12): 18 cards each.",
        {"two_player_deal": "all"},
        2,
        shows=clean,
    ),
    *revokes(AT, "Ace Trump", 4),
]
