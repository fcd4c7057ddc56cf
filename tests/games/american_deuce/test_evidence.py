"""What a wrong exchange or riot looks like: what was done, what the rule asks for, what showed it."""

import pytest

from tests.games.american_deuce.telling import NAMED, drop, hand
from tests.referee.telling import Json, accepted, exercises, plays

TWOS = "2S 2H 2C 2D"
CERTAIN = "played; since then it is certain"


def steps(*events: object, **more: object) -> list[str]:
    """Return the steps of the last finding of a round, each with its words, cards and trick."""
    finding: Json = hand(NAMED, *events, **more)["irregularities"][-1]
    assert [step["part"] for step in finding["steps"]] == ["done", "asked", "shown"][: len(finding["steps"])]
    told = [(step["reason"]["text"], " ".join(step["cards"]), step["trick"]) for step in finding["steps"]]
    return [f"{text}: {cards}" + (f" in trick {trick}" if trick else "") for text, cards, trick in told]


@exercises("AD-7", "AD-8", "AD-Q6", "AD-Q8", "REC-17")
@pytest.mark.parametrize(
    ("exchange", "played", "expected"),
    [
        (
            drop(1, "5S", "9S", constipated=True), "0:3S 1:2H",
            ["Bob said “no 2” and gave: 5S", f"Owed: a 2: {TWOS}", "Bob showed: 2H in trick 1"],
        ),
        (
            drop(1, "2S", "4C"), "0:4D",
            ["Ann gave back: 4C", "For this, the lowest card: 2S", "Ann showed: 4D in trick 1"],
        ),
        (
            drop(1, "2S"), "0:3D",
            ["Ann gave back: ?", "For this, the lowest card: 2S", f"Ann {CERTAIN}: 3D in trick 1"],
        ),
        (
            drop(1, "2S", "3D"), "0:3S 1:4S 2:KD",
            ["Bob was said to hold it: KD", f"Who holds it owes a 2: {TWOS}", "Cy showed: KD in trick 1"],
        ),
        (
            drop(None), "0:3S 1:KD",
            [
                "Nobody of the cabinet was said to hold it: KD", f"Who holds it owes a 2: {TWOS}",
                "Bob showed: KD in trick 1",
            ],
        ),
        (
            drop(1, constipated=True), "0:3S+3H 1:2H+2D",
            ["Bob said “no 2” and gave: ?", f"Owed: a 2: {TWOS}", "Bob showed: 2H in trick 1"],
        ),
    ],
)  # fmt: skip
def test_an_exchange_is_told_in_three_steps(exchange: Json, played: str, expected: list[str]):
    assert steps(exchange, plays(played)) == expected


@exercises("AD-7", "AD-8")
def test_what_shows_with_the_exchange_itself_needs_no_third_step():
    assert steps(accepted(drop(1, "5S", "3D"))) == ["Bob gave: 5S", f"Owed: a 2: {TWOS}"]
    assert steps(accepted(drop(1, "2S", "2S"))) == ["Ann gave back: 2S", "For this, the lowest card: 2S"]


@exercises("AD-7", "AD-Q16")
def test_the_king_given_back_shows_that_somebody_else_held_it():
    wrong = accepted(drop(1, "5S", "KD", constipated=True))
    assert steps(wrong)[2:] == ["Ann gave back: KD"]
    two_packs = steps(drop(1), plays("0:3S 1:4S 2:KD*"), players=5)
    assert two_packs[0] == "Bob was said to hold it: KD*"
    assert two_packs[1].count("2") == 1 + 8
    assert two_packs[2] == "Cy showed: KD* in trick 1"


@exercises("AD-24", "AD-Q12", "REC-17")
def test_a_riot_that_left_more_than_fours_is_a_card_led_and_a_card_shown():
    told = steps(plays("0:3S 1:- 2:- 3:- 0:4S+4H+4C+4D 1:- 2:- 3:- 0:9S 1:- 2:- 3:- 0:JS 1:- 2:- 3:- 0:KS"))
    assert told == [
        "Ann led: 4S 4H 4C 4D in trick 2",
        "Then only fours of a kind may be left: ",
        f"Ann {CERTAIN}: KS in trick 5",
    ]


def test_what_no_rule_of_hidden_hands_says_has_no_steps():
    assert steps(plays("0:3S 1:4S 2:4D!")) == []
