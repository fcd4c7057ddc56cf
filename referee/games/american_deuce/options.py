"""The house rules of American Deuce."""

from dataclasses import replace

from referee.engine.options import REVOKE, Option, switch

OPTIONS = (
    Option(
        "scoring", "Scoring", "Whether the losers' points are also taken from their scores.",
        ("AD-26", "AD-A1"), ("zero-sum", "winner-only"),
        ("losers pay the winner", "only the winner scores"),
            says=("losers paying the winner", "only the winner scoring"),
    ),
    Option(
        "reseat", "Changing seats", "Whether the losers move by score after each round.",
        ("AD-A2", "AD-Q23"), ("no", "round", "total"),
        ("nobody moves", "by what each owes for the round", "by total scores"),
            says=("", "changing seats by what each owes", "changing seats by total scores"),
    ),
    Option(
        "count_lock", "Number of cards", "How long the first lead fixes the number of cards.",
        ("AD-Q1",), ("trick", "round"), ("for the trick", "for the whole round"),
            says=("", "the number of cards fixed for the whole round"),
    ),
    switch(
        "same_type", "Same kind only",
        "Whether five cards are beaten only by the same kind, riots excepted.", "AD-Q28",
        says="five cards beaten only by the same kind",
    ),
    Option(
        "riot_lead", "Leading a riot", "When four of a kind may be led.",
        ("AD-24", "AD-Q12"), ("quads-only", "never", "always"),
        ("with nothing but fours of a kind left", "never", "always"),
            says=("", "no riot ever led", "riots led at any time"),
    ),
    Option(
        "riot_equal", "Riots of one rank", "Whether one riot can beat another of its rank.",
        ("AD-Q18",), ("colour", "never"), ("by colour, then best card", "never"),
            says=("", "no riot beating another of its rank"),
    ),
    Option(
        "deal", "Dealing two packs", "Whether all cards are dealt, or as many to each.",
        ("AD-Q14",), ("all", "even"), ("all cards", "even hands, the rest aside"),
            says=("", "even hands from the two packs"),
    ),
    Option(
        "bands", "Double penalty", "From how many cards left each one costs double.",
        ("AD-Q15",), ("flat", "scaled"), ("from ten cards", "from 10/13 of the hand dealt"),
            says=("", "double penalty by the size of the hand"),
    ),
)  # fmt: skip
PROVED = replace(
    REVOKE,
    label="When a breach of the rules is proved",
    labels=(
        "ask the table",
        "let it stand",
        "ask the table: no trick is worth points here",
        "a loser pays double, a winner receives nothing",
        "deal again",
    ),
    says=(
        "",
        "a proved breach left standing",
        "",
        "a proved breach doubling a loss, or making a win worth nothing",
        "a proved breach meaning a new deal",
    ),
)
"""The house rule that every game has, as it is here: no suit is followed, and tricks alone score nothing (IR-4)."""
TWO_DECKS = ("riot_equal", "deal")
"""Options that mean something only with two packs."""
