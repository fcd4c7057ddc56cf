"""What a hand would have been under other house rules (REC-22)."""

from typing import Any, cast

from tests.referee.as_it_lay import hand, irregular_now
from tests.referee.telling import Json, bids, exercises, result

CHICANE = [*bids("0:0 1:11 2:0"), result(0, 4, 7)]


@exercises("WC-Q1", "WC-Q2", "WC-Q3")
def test_in_chicane_bids_score_otherwise():
    def scores(**now: Any) -> Json:
        return cast(Json, hand(CHICANE, game="wildcat-chicane", now=now)["scores"])

    assert scores(zero_bid=7) == {"then": [0, 0, 0], "now": [7, 0, 0]}
    assert scores(miss_penalty=5) == {"then": [0, 0, 0], "now": [0, -5, -5]}
    assert irregular_now(hand(CHICANE, game="wildcat-chicane", now={"hook": True})) == [("forbidden-bid", 2)]
