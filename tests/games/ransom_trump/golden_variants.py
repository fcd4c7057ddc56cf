"""The golden records of Ransom Trump."""

from tests.games.decktet_tricks.golden_variants import play, shared
from tests.golden.variant import Variant, both, clean, revokes

__all__ = ["VARIANTS", "play"]

RT = "ransom-trump"


def unsold(judged: dict) -> list[str] | None:
    return ["the ransom: every rank is shown twice"] if judged["hands"][0]["ransom_winner"] is None else None


def chosen(judged: dict) -> list[str] | None:
    shown = sorted(card[0] for card in judged["hands"][0]["ransom_cards"])
    sold = judged["hands"][0]["ransom_winner"] is not None
    return ["the ransom: equal ranks are struck out"] if sold and len(set(shown)) < len(shown) else None


VARIANTS = [
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
