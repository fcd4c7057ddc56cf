"""Golden records of Chicane; `.venv/bin/python -m tests.golden.make` deals missing ones."""

from random import Random

from tests.golden import any_game
from tests.golden.variant import Variant, clean, irregular, revokes, scored

HOOKED = irregular("forbidden-bid", "the bid that makes the bids add up, and was accepted")


def play(variant: Variant, record: dict, rng: Random) -> bool:
    """Play as the referee asks; under the hook, the table accepts a forbidden last bid."""
    if not any_game.play(variant, record, rng):
        return False
    if variant.options.get("hook"):
        *others, last = (event for event in record["hands"][0]["events"] if event["type"] == "bid")
        last |= {"tricks": 12 - sum(bid["tricks"] for bid in others), "accepted": True}
    return True


VARIANTS = [
    Variant("chicane", "plain", "Chicane as it is played by default.", shows=clean),
    Variant("chicane", "four", "Chicane for four, as it is played by default.", players=4, shows=clean),
    Variant("chicane", "first-bid-left", "The dealer's left bids first and leads.", {"first_bid": "left"}, shows=clean),
    Variant(
        "chicane", "trump-led-never", "Trump is led only with nothing else in hand.", {"trump_lead": "never"},
        lies=1.0, shows=irregular("trump-led", "trump led from a mixed hand, and the card that proves it"),
    ),
    Variant("chicane", "trump-led-free", "Trump may be led any time.", {"trump_lead": "free"}, lies=1.0, shows=clean),
    Variant("chicane", "hook", "The last bid may not make the bids add up.", {"hook": True}, shows=HOOKED),
    Variant(
        "chicane", "zero-bid", "An exact bid of 0 is worth 5 points.", {"zero_bid": 5},
        shows=scored("zero-bid", "the bid of 0"),
    ),
    Variant(
        "chicane", "miss-penalty", "A bid three or more off loses 5 points.", {"miss_penalty": 5},
        shows=scored("bid-far-off", "the bid far off"),
    ),
    *revokes("chicane", "Chicane", 3),
]  # fmt: skip
