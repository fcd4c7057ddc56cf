"""What a hand would have been under other house rules (REC-22)."""

from typing import Any

from tests.referee.as_it_lay import hand, irregular_now, winners
from tests.referee.telling import Json, bids, exercises, plays, result

HELL: Json = {"type": "turn-up", "card": "2H"}


@exercises("OH-V4", "OH-V5", "OH-V7", "OH-V8", "OH-V11", "OH-5", "OH-2")
def test_in_oh_hell_bids_score_otherwise_and_another_course_is_said():
    done = [HELL, *bids("1:0 2:3 0:6"), result(7, 0, 3)]

    def other(**now: Any) -> Json:
        return hand(done, game="oh-hell", dealer=0, now=now)

    assert other(scoring="difference")["unknown"] is None, "A result tells all that it needs."
    assert other(trump="none")["unknown"]["code"] == "known-by-result"
    assert other(scoring="difference")["scores"] == {"then": [0, 10, 13], "now": [-1, 10, 13]}
    assert other(zero="five")["scores"]["now"] == [0, 5, 13]
    assert [note["code"] for note in other(course="up")["notes"]] == ["dealt-otherwise"]
    assert "5" in other(largest=5)["notes"][0]["text"]
    assert other(twice_one=True)["notes"] == []
    assert not other(bidding="together")["changed"]
    hooked = hand(
        HELL, bids("1:0 2:3 0:7"), game="oh-hell", dealer=0, options={"hook": False}, now={"hook": True}
    )  # fmt: skip
    assert irregular_now(hooked) == [("forbidden-bid", 0)]


@exercises("OH-8", "OH-V5", "OH-Q3")
def test_in_oh_hell_another_trump_wins_and_one_that_nobody_turned_up_judges_nothing():
    cards = [HELL, *bids("1:0 2:3 0:6"), *plays("1:KS 2:QS 0:3H")]
    only = hand(cards, game="oh-hell", dealer=0, now={"trump": "none"})
    assert (winners(only, "then"), winners(only, "now")) == ([0], [1])
    assert hand(cards, game="oh-hell", dealer=0, now={"trump": "fixed-order"})["tricks"][0]["now"]["trump"] == "S"
    plain = hand(cards[1:], game="oh-hell", dealer=0, options={"trump": "none"}, now={"trump": "turned"})
    assert (plain["judged"], plain["unscored"]["clauses"][0]) == (False, "OH-Q3")
