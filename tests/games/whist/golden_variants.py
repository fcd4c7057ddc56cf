"""Golden records of Whist; `.venv/bin/python -m tests.golden.make` deals missing ones."""

from tests.golden.variant import LOST, Variant, clean, revokes, scored

ODD = scored("odd-tricks", "the tricks above six")
HONOURS = {"honours": "on"}
VARIANTS = [
    Variant("whist", "plain", "Whist as it is played by default.", players=4, shows=ODD),
    Variant(
        "whist", "fixed-order", "Trump suits in a fixed order.", {"trump": "fixed-order"}, players=4, hands=2,
        shows=clean,
    ),
    Variant("whist", "no-trump", "Nothing is trump.", {"trump": "none"}, players=4, shows=clean),
    Variant(
        "whist", "honours", "Honours score for the side that was dealt three or four.", HONOURS, players=4,
        shows=scored("honours", "the honours, by who was dealt them"),
    ),
    *revokes("whist", "Whist", 4),
    Variant(
        "whist", "revoke-three-tricks", "Whist: when a revoke is proved, it is proposed to move three tricks (WH-R1).",
        {"revoke": "three-tricks"}, players=4, lies=1.0, shows=LOST,
    ),
]  # fmt: skip
