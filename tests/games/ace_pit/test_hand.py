"""A hand of Ace Pit, also under house rules."""

from typing import Any

import pytest

from tests.games.ace_pit.telling import hand, refused, result, trick
from tests.referee.telling import Json, bids, exercises, found, hand_as_it_lay, irregular_now, judged, plays, transfer

# --- A hand of Ace Pit: leading, responding, drawing, and what may come next

# With seat 1 as the dealer, seat 0 leads first.
SIX = "0:8H 1:9H 1:2C 0:5D 1:AS 0:3D 1:4C 0:4H 0:KS 1:QD 0:QC 1:2D"
"""Six tricks; one card is left for each player."""

ANN = {"0": ["8H", "2C", "3C", "4C", "5C", "6C", "7C"]}
BOB = {"1": ["7H", "9H", "2D", "3D", "4D", "5D", "6D"]}


def test_a_trick_shows_its_winner_sets_and_sentence():
    only = hand(plays("0:8H 1:7H+9H"))
    assert only["tricks"][0].pop("best")["points"] == 150
    assert only["tricks"] == [
        {
            "number": 1, "leader": 0, "winner": 1, "points": {"1": 95}, "trump": None,
            "plays": [{"seat": 0, "cards": ["8H"]}, {"seat": 1, "cards": ["7H", "9H"]}],
            "reason": {
                "code": "set", "text": "Bob wins with Spoon 30 + Pin 25 + Flush 40: 95 points.",
                "clauses": ["AP-6", "AP-8", "AP-11", "AP-13"],
                "facts": {"seat": 1, "sets": [["Spoon", 30], ["Pin", 25], ["Flush", 40]], "sum": 95},
                "lines": [
                    {"item": "spoon", "points": 30}, {"item": "pin", "points": 25}, {"item": "flush", "points": 40},
                ],
            },
        }
    ]  # fmt: skip
    assert only["scores"] == [0, 95]
    assert (only["trump"], only["suit_order"], only["bids"]) == (None, None, [None, None])


@exercises("AP-2", "AP-3", "AP-4", "AP-5")
def test_each_player_gets_seven_cards_and_a_laid_card_awaits_a_response():
    only = hand()
    assert (only["hand_size"], only["dealer"], only["to_act"], only["phase"]) == ([7, 7], 1, [0], "play")
    assert hand(dealer=0)["to_act"] == [1]
    only = hand(plays("0:8H"))
    assert (only["to_act"], only["cards_left"], only["scores"]) == ([1], [6, 7], [0, 0])
    assert [only["tricks"][0][key] for key in ("winner", "points", "reason")] == [None, {}, None]


@exercises("AP-14", "AP-17")
def test_a_two_card_response_draws_to_keep_both_hands_level():
    only = hand(plays("0:8H 1:4H+10H"))
    assert (only["cards_left"], only["drawn"]) == ([6, 6], [0, 1])
    assert hand(plays("0:8H 1:9H"))["drawn"] == [0, 0]


@exercises("AP-17", "AP-2")
def test_after_seven_tricks_the_other_player_deals():
    answer = judged(plays(f"{SIX} 0:JC 1:6D"), game="ace-pit", players=2)
    only = answer["hands"][0]
    assert (only["phase"], only["cards_left"], len(only["tricks"])) == ("finished", [0, 0], 7)
    assert sum(only["scores"]) == sum(sum(each["points"].values()) for each in only["tricks"])
    assert answer["next"] == {"number": 2, "dealer": 0, "seating": [0, 1], "hand_size": [7, 7]}


@exercises("AP-17", "AP-Q14", "AP-Q15")
def test_a_game_is_eleven_hands_and_ties_share_it():
    answer = judged(*([result(100, 100)],) * 11, game="ace-pit", players=2)
    assert (answer["finished"], answer["winners"], answer["next"]) == (True, [0, 1], None)
    assert answer["end"] == {"kind": "hands", "value": 11}
    assert [each["dealer"] for each in answer["hands"]] == [1, 0] * 5 + [1]


@exercises("AP-4", "AP-5", "AP-Q6")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("0:8H+9H", "wrong-count"),
        ("0:8H 1:7H+9H+2C", "wrong-count"),
        ("0:8H 0:9H", "wrong-phase"),
        ("0:8H 2:9H", "no-such-seat"),
        ("2:8H", "no-such-seat"),
        ("0:8H 1:8H", "already-played"),
        ("0:8H 1:9H+9H", "already-played"),
        ("0:8H 1:9K", "not-in-deck"),
        ("0:8H*", "not-in-deck"),
        ("0:?", "not-in-deck"),
        ("0:8H/H", "bad-suit"),
    ],
)
def test_an_impossible_play_is_refused(text: str, code: str):
    assert refused(plays(text)) == ("impossible", code)


@exercises("AP-Q11", "AP-17")
def test_in_the_last_trick_each_player_has_one_card():
    assert refused(plays(SIX), plays("0:JC 1:JD+JH")) == ("impossible", "too-many-cards")


@pytest.mark.parametrize(
    "event", [*plays("0:-"), *bids("0:1"), {"type": "suit", "seat": 0, "suit": "S"}, transfer(0, 1, 1)]
)
def test_events_of_other_games_are_refused(event: Json):
    assert refused(event) == ("impossible", "wrong-phase")


@pytest.mark.parametrize("event", [trick(0, 10), result(50, 50)])
def test_a_half_played_trick_must_be_finished_first(event: Json):
    assert refused(plays("0:8H"), event) == ("impossible", "wrong-phase")


@pytest.mark.parametrize("event", [*plays("0:8H"), trick(0, 10), result(50, 50)])
def test_a_finished_hand_accepts_no_more_events(event: Json):
    assert refused(result(40, 40), event) == ("impossible", "hand-finished")


@exercises("AP-3", "AP-15")
def test_a_lead_by_the_wrong_player_stands_if_accepted():
    assert refused(plays("1:8H")) == ("irregular", "out-of-turn")
    only = hand(plays("1:8H! 0:9H"))
    assert found(only) == [("out-of-turn", "seen", 1)]
    assert (only["tricks"][0]["leader"], only["tricks"][0]["winner"], only["irregularities"][0]["trick"]) == (1, 0, 1)


@exercises("AP-5", "AP-12", "AP-14", "AP-20", "AP-Q4", "AP-Q8", "REC-21")
@pytest.mark.parametrize(
    ("cards", "options", "line", "clauses"),
    [
        ("0:8H 1:9H+8S", {}, {"item": "throw-away", "points": 10}, ["AP-12", "AP-Q4", "REC-21"]),
        ("0:8H 1:9D+JC", {"free_pairs": True}, {"item": "throw-away", "points": 10}, ["AP-12", "AP-Q4", "REC-21"]),
        ("0:AH 1:9H+8S", {}, {"item": "ace-laid", "points": 50}, ["AP-20", "AP-Q8", "AP-Q4", "REC-21"]),
        ("0:AH 1:9D+JC", {"ace_lead": 60}, {"item": "ace-laid", "points": 60}, ["AP-20", "AP-Q8", "AP-Q4", "REC-21"]),
    ],
)
def test_two_accepted_cards_that_make_no_set_draw_and_lose_to_the_laid_card(
    cards: str, options: Json, line: Json, clauses: list[str]
):
    assert refused(plays(cards), options=options) == ("irregular", "no-combination")
    only = hand(plays(f"{cards}!"), options=options)
    (entry,) = only["tricks"]
    assert found(only) == [("no-combination", "seen", 1)]
    assert (entry["winner"], entry["points"]) == (0, {"0": line["points"]})
    assert (entry["reason"]["lines"], entry["reason"]["clauses"]) == ([line], clauses)
    assert entry["reason"]["text"].endswith(f"Ann wins, {line['points']} points.")
    assert (only["cards_left"], only["drawn"], only["to_act"]) == ([6, 6], [0, 1], [0])


@exercises("AP-Q4")
def test_free_pairs_need_no_acceptance():
    only = hand(plays("0:8H 1:9H+8S"), options={"free_pairs": True})
    assert (only["scores"], only["irregularities"]) == ([0, 35], [])


@exercises("AP-16", "AP-Q9")
def test_a_set_may_be_withheld_but_a_card_that_makes_one_is_never_a_throwaway():
    only = judged({"events": plays("0:8H 1:2D"), "known": BOB}, game="ace-pit", players=2)["hands"][0]
    assert (only["tricks"][0]["winner"], only["irregularities"]) == (0, [])
    assert hand(plays("0:8H 1:7H"))["tricks"][0]["winner"] == 1


@exercises("AP-18", "AP-Q13")
def test_points_add_up_and_every_hand_is_dealt_from_the_whole_pack():
    first = [*plays("0:8H 1:9H"), result(60, 75)]
    answer = judged(first, plays("1:8H 0:9H"), game="ace-pit", players=2)
    assert answer["rejected"] is None
    assert answer["totals"] == [75, 75]


@exercises("IR-13", "IR-15")
def test_the_hand_shows_who_drew_and_the_remedies_for_a_non_set():
    only = hand(plays("0:8H 1:4H+10H 1:2C 0:3C+KS!"))
    assert only["drawn"] == [1, 1]
    remedies = only["irregularities"][0]["remedies"]
    assert "IR-15" in [clause for each in remedies if each["code"] == "take-back" for clause in each["clauses"]]


@exercises("REC-8", "AP-14")
def test_a_card_from_outside_an_entered_hand_must_have_been_drawn():
    assert refused(plays("0:KS"), known_hands=ANN) == ("impossible", "not-in-hand")
    assert refused(plays("0:8H 1:9S"), known_hands=BOB) == ("impossible", "not-in-hand")
    drawn = plays("0:8H 1:7H+9H 1:KS 0:2C")
    assert refused(drawn, plays("1:QS"), known_hands=BOB) == ("impossible", "not-in-hand")


# --- What a hand would have been under other house rules (REC-22)


@exercises("AP-Q3", "AP-Q4", "AP-Q5", "AP-Q7", "AP-Q8")
def test_a_what_if_rescores_the_sets_of_ace_pit():
    def pit(text: str, /, options: Json | None = None, **now: Any) -> Json:
        return hand_as_it_lay(plays(text), players=2, game="ace-pit", options=options or {}, now=now)

    def change(text: str, /, options: Json | None = None, **now: Any) -> tuple[Any, Any]:
        (each,) = pit(text, options, **now)["tricks"]
        return each["then"]["points"], each["now"]["points"]

    assert change("0:8H 1:9H+9S", fork_spoon=False) == ({"1": 65}, {"1": 50})
    assert change("0:KS 1:AS+AH", ace_pit_once=True) == ({"1": 165}, {"1": 115})
    assert change("0:AS 1:KS", spoon_beats_ace=True) == ({"0": 50}, {"1": 15})
    assert change("0:AS 1:2D", ace_lead=60) == ({"0": 50}, {"0": 60})
    assert change("0:8H 1:9H+8S", {"free_pairs": True}, free_pairs=False)[1] == {"0": 10}
    only = pit("0:8H 1:9H+9S", fork_spoon=False)
    assert only["tricks"][0]["change"]["text"] == "Under these rules trick 1 is worth 50 points to Bob, not 65."
    lost = pit("0:AS 1:KS 0:2D", spoon_beats_ace=True)
    assert irregular_now(lost) == [("out-of-turn", 0)]
