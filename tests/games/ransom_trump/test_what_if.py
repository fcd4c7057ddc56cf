"""What a hand would have been under other house rules (REC-22)."""

from tests.referee.as_it_lay import hand, irregular_now, winners
from tests.referee.telling import exercises, plays, ransoms


@exercises("RT-Q1", "RT-13")
def test_in_ransom_trump_the_dealer_would_have_led():
    events = [ransoms("2MK 2SY 2WL"), plays("0:8MS 1:XS 2:XM")]
    only = hand(*events, game="ransom-trump", now={"no_ransom_lead": "dealer"})
    assert (winners(only, "now"), irregular_now(only)) == ([2], [("out-of-turn", 0)])
    assert winners(hand(*events, game="ransom-trump", now={"ties": "late"}), "now") == [2]
