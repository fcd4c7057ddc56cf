"""The golden records of Ace Trump, Ransom Trump and Wildcat Chicane."""

from typing import Any

from tests.golden.variant import (
    Variant,
    aces,
    both,
    cards,
    clean,
    code,
    excuse_first,
    irregular,
    last_excuse,
    late_ace,
    scored,
    trick,
    two_of,
    uncalled,
)

# -- Ace Trump and Ransom Trump -----------------------------------------------------------

LOST = irregular("revoke", "the revoke, the card that proves it, and the remedy proposed first")
EQUAL = "cards of one rank follow"
REVOKES = [
    ("revoke-stand", "stand", "it is proposed to let it stand"),
    ("revoke-bridge", "bridge", "it is proposed to give up tricks (IR-4)"),
    ("revoke-hand-zero", "hand-zero", "it is proposed that the offender scores nothing"),
    ("revoke-redeal", "redeal", "it is proposed to deal again"),
]


def revokes(game: str, name: str, players: int) -> list[Variant]:
    """Records in which a revoke is proved, with each proposal the house can make."""
    return [
        Variant(
            game, file, f"{name}: when a revoke is proved, {said}.", {"revoke": value}, players, lies=1.0, shows=LOST
        )
        for file, value, said in REVOKES
    ]


def shared(game: str, name: str, *, pairs: str, bids: str) -> list[Variant]:
    """The variants of Ace Trump that Ransom Trump has too."""
    bid = {"bidding": True}
    pair = {"partners": True}

    def make(file: str, about: str, options: dict, players: int = 3, **more: Any) -> Variant:
        return Variant(game, file, f"{name}, {about}", options, players, **more)

    return [
        make(
            "early-bird",
            "Early Bird (AT-V2): of equal cards that follow, the earlier wins.",
            {"ties": "early"},
            4,
            shows=both(clean, code("earlier-of-equals", EQUAL)),
        ),
        make(
            "late-bird",
            "Late Bird (AT-V8): of equal cards that follow, the later wins.",
            {"ties": "late"},
            4,
            shows=both(clean, code("later-of-equals", EQUAL)),
        ),
        make(
            "called-suit",
            "Called Suit (AT-V7): the leader names one suit of the card, and only that is followed.",
            {"called_suit": True},
            4,
            shows=both(clean, trick("a card that shares only the suit not called", uncalled)),
        ),
        make(
            "excuse",
            "with the Excuse (AT-16): it may be played though its holder could follow, and never wins.",
            {"excuse": True},
            shows=both(clean, trick("the Excuse", lambda e: "E" in cards(e)[1:])),
        ),
        make(
            "excuse-led",
            "Excuse led (AT-Q9): the card after it counts as led.",
            {"excuse": True},
            shows=both(clean, trick("the Excuse is led", excuse_first)),
        ),
        make(
            "excuse-led-free",
            "Excuse led, free (AT-Q9): anything may follow it, and the highest trump or else the highest rank wins.",
            {"excuse": True, "excuse_led": "free"},
            4,
            keep=("excuse",),
            shows=both(clean, trick("the Excuse is led", excuse_first)),
        ),
        make(
            "excuse-led-forbidden",
            "Excuse led, forbidden (AT-Q9): leading it from other cards is irregular.",
            {"excuse": True, "excuse_led": "forbidden"},
            keep=("excuse",),
            shows=both(
                irregular("excuse-led", "the Excuse led, which the table accepted"),
                trick("the Excuse is led", excuse_first),
            ),
        ),
        make(
            "pawns",
            "with Pawns (AT-17): between 9 and Crown, and of two equal Pawns the earlier wins.",
            {"pawns": True},
            4,
            shows=both(clean, trick("two Pawns", two_of("P"))),
        ),
        make(
            "courts",
            "with Courts (AT-Q11): between Pawn and Crown, and of two equal Courts the earlier wins.",
            {"courts": True},
            4,
            shows=both(clean, trick("two Courts", two_of("C"))),
        ),
        make(
            "partners",
            f"Partners ({pairs}): opposite seats add their scores, and share the win.",
            pair,
            4,
            shows=clean,
        ),
        make(
            "bidding",
            f"Bidding ({bids}): 5 for each trick bid and 1 for each overtrick, nothing below the bid.",
            bid,
            shows=both(clean, scored("bid-missed", "a bid that was missed"), scored("bid-made", "a bid that was made")),
        ),
        make(
            "hook",
            "the hook (AT-Q15): the last bid made the bids add up to the tricks, and the table accepted it.",
            {**bid, "hook": True},
            keep=("bidding",),
            shows=irregular("forbidden-bid", "the last bid"),
        ),
        make(
            "joint-bids",
            "joint bids (AT-Q16): partners’ bids and tricks are added before they are scored.",
            {**bid, **pair, "partner_bid": "joint"},
            4,
            keep=("bidding", "partners"),
            shows=clean,
        ),
    ]


AT = "ace-trump"
SUIT_NAMES = {"M": "moons", "S": "suns", "W": "waves", "L": "leaves", "Y": "wyrms", "K": "knots"}
TIDES = {"tides": True}
ACE_TRUMP = [
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

RT = "ransom-trump"


def unsold(judged: dict) -> list[str] | None:
    """Nobody wins the ransom."""
    return ["the ransom: every rank is shown twice"] if judged["hands"][0]["ransom_winner"] is None else None


def chosen(judged: dict) -> list[str] | None:
    """Two cards of the highest rank cancel, and a number card wins."""
    shown = sorted(card[0] for card in judged["hands"][0]["ransom_cards"])
    sold = judged["hands"][0]["ransom_winner"] is not None
    return ["the ransom: equal ranks are struck out"] if sold and len(set(shown)) < len(shown) else None


RANSOM_TRUMP = [
    Variant(RT, "two-players", "Ransom Trump for two (RT-2): ten cards each, nine tricks.", players=2, shows=clean),
    Variant(
        RT,
        "plain",
        "Ransom Trump by the default rules: equal ransom cards cancel (RT-4).",
        players=4,
        shows=both(clean, chosen),
    ),
    Variant(
        RT,
        "no-ransom",
        "Ransom Trump without trump (RT-5): no ransom card remains, and dealer’s left leads.",
        players=4,
        shows=both(clean, unsold),
    ),
    Variant(
        RT,
        "no-ransom-dealer",
        "Ransom Trump, nobody wins the ransom (RT-Q1): the dealer leads.",
        {"no_ransom_lead": "dealer"},
        4,
        shows=both(clean, unsold),
    ),
    *shared(RT, "Ransom Trump", pairs="RT-16", bids="RT-16"),
    *revokes(RT, "Ransom Trump", 4),
]

# -- Wildcat Chicane ----------------------------------------------------------------------

WC = "wildcat-chicane"
WILDCAT = [
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
