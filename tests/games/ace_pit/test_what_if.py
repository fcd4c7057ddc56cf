"""What a hand would have been under other house rules (REC-22)."""

from typing import Any

from tests.referee.as_it_lay import hand, irregular_now
from tests.referee.telling import Json, exercises, plays


def pit(text: str, /, options: Json | None = None, **now: Any) -> Json:
    """Judge tricks of Ace Pit under other rules."""
    return hand(plays(text), players=2, game="ace-pit", options=options or {}, now=now)


@exercises("AP-Q3", "AP-Q4", "AP-Q5", "AP-Q7", "AP-Q8")
def test_in_ace_pit_sets_are_worth_something_else():
    def change(text: str, /, options: Json | None = None, **now: Any) -> tuple[Any, Any]:
        (each,) = pit(text, options, **now)["tricks"]
        return each["then"]["points"], each["now"]["points"]

    assert change("0:8H 1:9H+9S", fork_spoon=False) == ({"1": 65}, {"1": 50})
    assert change("0:KS 1:AS+AH", ace_pit_once=True) == ({"1": 165}, {"1": 115})
    assert change("0:AS 1:KS", spoon_beats_ace=True) == ({"0": 50}, {"1": 15})
    assert change("0:AS 1:2D", ace_lead=60) == ({"0": 50}, {"0": 60})
    assert change("0:8H 1:9H+8S", {"free_pairs": True}, free_pairs=False)[1] == {"0": 10}
    only = pit("0:8H 1:9H+9S", fork_spoon=False)
    assert only["tricks"][0]["change"]["text"] == "By these rules trick 1 brings Bob 50 points, not 65."
    lost = pit("0:AS 1:KS 0:2D", spoon_beats_ace=True)
    assert irregular_now(lost) == [("out-of-turn", 0)]


def test_in_ace_pit_points_told_without_cards_stay():
    events = [*plays("0:8H 1:9H+9S"), {"type": "trick", "winner": 1, "points": {"1": 50}}]
    rest: Json = {"type": "result", "points": [60, 145]}
    only = hand(events, rest, players=2, game="ace-pit", now={"fork_spoon": False, "ace_lead": 60})
    assert only["judged"]
    assert only["scores"] == {"then": [60, 145], "now": [60, 130]}
