"""What can be done about a wrong exchange, before and after the first trick is over (IR-12)."""

from typing import Any

from tests.games.american_deuce.telling import NAMED, drop, hand, left
from tests.referee.telling import accepted, exercises, plays

Json = dict[str, Any]


def codes(round_: Json) -> list[str]:
    """Return what is offered for the first finding of a round."""
    return [remedy["code"] for remedy in round_["irregularities"][0]["remedies"]]


@exercises("IR-12", "AD-8")
def test_an_exchange_is_done_again_only_until_the_first_trick_is_over():
    lied = [*NAMED, drop(1, "5S", "9S", constipated=True)]
    first = hand(lied, plays("0:3S 1:2H"))
    assert "redo-exchange" in codes(first)
    assert "claim-deuce" not in codes(first)
    later = hand(lied, plays("0:3S 1:2H 2:- 3:- 0:-"))
    assert "redo-exchange" not in codes(later)
    claim = next(each for each in later["irregularities"][0]["remedies"] if each["code"] == "claim-deuce")
    assert (claim["clauses"], claim["text"].split(" may ")[0]) == (["IR-12"], "The President-Elect")
    over = hand(lied, plays("0:3S 1:2H"), left(0, 5, 3, 10))
    assert not {"redo-exchange", "claim-deuce", "swap-back"} & set(codes(over))


@exercises("IR-12", "AD-7", "AD-Q8")
def test_a_card_that_was_not_the_lowest_is_swapped_back_while_it_has_not_been_played():
    wrong = [*NAMED, drop(1, "2S", "4C"), *plays("0:4D")]
    assert "redo-exchange" in codes(hand(wrong))
    later = hand(wrong, plays("1:- 2:- 3:-"))
    assert ("swap-back" in codes(later), "redo-exchange" in codes(later)) == (True, False)
    played = hand(wrong, plays("1:- 2:- 3:- 0:3H 1:4C"))
    assert "swap-back" not in codes(played)


@exercises("IR-12", "REC-21")
def test_an_exchange_that_was_seen_to_be_wrong_costs_what_a_proved_one_costs():
    seen = hand(NAMED, accepted(drop(1, "5S", "3D")))
    assert "redo-exchange" in codes(seen)
    assert "take-back" not in codes(seen)
    passed = hand(NAMED, plays("0:3S 2:-!"))
    assert codes(passed) == ["stand", "penalty", "redeal"]
