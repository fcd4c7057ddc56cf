"""What a hand would have been under other house rules (REC-22)."""

from typing import Any

from tests.referee.as_it_lay import hand, irregular_now, what_if
from tests.referee.telling import Json, exercises, plays, told

SUITS: list[Json] = [{"type": "suit", "seat": seat, "suit": suit} for seat, suit in enumerate("SHD")]


def deuce(*events: Json | list[Json], players: int = 4, **now: Any) -> Json:
    """Judge a round of American Deuce under other rules."""
    return hand(SUITS, *events, players=players, dealer=0, game="american-deuce", now=now)


@exercises("AD-Q1", "AD-Q28", "AD-24", "AD-26", "AD-Q15", "AD-A1")
def test_in_american_deuce_what_would_have_been_irregular_is_noted_and_play_goes_on():
    left: Json = {"type": "result", "cards_left": [0, 10, 1, 2]}
    assert deuce(left, scoring="winner-only")["scores"] == {"then": [23, -20, -1, -2], "now": [23, 0, 0, 0]}
    pair = plays("0:3S+3H 1:- 2:- 3:- 0:4S 1:5S")
    assert irregular_now(deuce(pair, count_lock="round")) == [("does-not-beat", 0)]
    assert irregular_now(deuce(plays("0:3S+4S+5S+6S+8S 1:3H+3D+3C+4H+4D"), same_type=True)) == [("does-not-beat", 1)]
    riot = hand(
        SUITS, plays("0:3S+3H+3D+3C"), players=4, dealer=0, game="american-deuce",
        options={"riot_lead": "always"}, now={"riot_lead": "never"},
    )  # fmt: skip
    assert irregular_now(riot) == [("riot-led", 0)]


@exercises("AD-Q14", "AD-A2", "AD-Q18")
def test_in_american_deuce_another_deal_and_other_seats_are_said():
    five: Json = {"type": "result", "cards_left": [0, 14, 1, 2, 3]}
    record = told([*SUITS, five], [*SUITS], players=5, dealer=0, game="american-deuce")
    dealt = what_if(record, deal="even")["hands"][0]
    assert [note["code"] for note in dealt["notes"]] == ["dealt-otherwise"]
    seated = what_if(record, reseat="round")["hands"][1]
    assert [note["code"] for note in seated["notes"]] == ["seated-otherwise"]
    assert what_if(record, bands="scaled")["hands"][0]["scores"] == {
        "then": [34, -28, -1, -2, -3],
        "now": [20, -14, -1, -2, -3],
    }
    riots = plays("0:3S 1:5S+5H+5D+5C 2:5S*+5C*+5H*+5D*")
    equal = deuce(riots, players=5, riot_equal="never")
    assert [code for code, _ in irregular_now(equal)] == ["does-not-beat"]
