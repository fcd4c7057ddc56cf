"""The clauses of Spades: its worked cases, bids, tricks, contracts, nils, bags, ends and revokes."""

from functools import partial
from random import Random

import pytest

from referee.engine.adjudication import adjudicate
from referee.engine.records import dump_record, load_record, replay
from referee.engine.rules import Refused
from referee.engine.table import tally
from referee.games.spades.game import GAME as SPADES
from referee.notation import read_text, write_text
from tests.games.spades.random_records import random_record
from tests.games.spades.telling import (
    bid,
    blind,
    codes,
    entered,
    first_side,
    hand,
    quick,
    refusal_of,
    refused,
    scored,
    spades,
)
from tests.referee.telling import Json, bids, exercises, found, plays, result, told, transfer, trick, winners
from tests.referee.telling import ask as ask_of_any

ask = partial(ask_of_any, game="spades")
READY = bid(3, 3, 3, 3)
SPADES_ONLY = "2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS"
MIXED = "AS KS 4D 5D 6D 7D 2H 3H 4H 2C 3C 4C 5C"


# -- players, deal, bids (SP-1 .. SP-5) -----------------------------------------------------------


@exercises("SP-1")
def test_opposite_players_are_partners_and_spades_are_trump():
    played = hand(READY, plays("0:AH 1:2S 2:KH 3:3H"))
    assert (played["trump"], winners(played)) == ("S", [1])
    totals = spades([*READY, result(4, 3, 3, 3)])["totals"]
    assert totals == [61, 60, 61, 60]
    assert spades([*READY, result(4, 3, 3, 3)], options={"partners": False})["totals"] == [31, 30, 30, 30]


@exercises("SP-1")
def test_only_four_can_be_partners():
    assert [SPADES.rules({}, players).options["partners"] for players in SPADES.players] == [False, True, False, False]
    assert [len(SPADES.rules({}, players).sides[0]) for players in SPADES.players] == [1, 2, 1, 1]
    with pytest.raises(Exception, match="four players"):
        SPADES.rules({"partners": True}, 3)


@exercises("SP-2")
@pytest.mark.parametrize(
    ("players", "each", "out", "aside"),
    [(3, 17, ["2C"], 1), (4, 13, [], 0), (5, 10, ["2C", "2D"], 2), (6, 8, ["2C", "2D", "2H", "2S"], 4)],
)
def test_twos_are_removed_so_that_hands_are_equal(players: int, each: int, out: list[str], aside: int):
    ready = bid(*[1] * players)
    dealt = hand(ready, players=players)
    assert dealt["hand_size"] == [each] * players
    for card in out:
        assert refused(ready, plays(f"0:{card}"), players=players) == ("impossible", "not-in-deck")
    if aside:
        whole = {"leftover": "aside"}
        assert hand(ready, players=players, options=whole)["hand_size"] == [each] * players
        assert hand(ready, plays(f"0:{out[0]}"), players=players, options=whole)["tricks"]


@exercises("SP-2")
def test_four_players_leave_no_odd_cards():
    with pytest.raises(Exception, match="odd cards"):
        SPADES.rules({"leftover": "aside"}, 4)


@exercises("SP-3")
def test_bids_go_round_from_the_dealers_left_and_partners_add_up():
    assert hand([])["to_act"] == [0]
    assert refused(bids("1:3")) == ("irregular", "out-of-turn")
    assert refused(bids("0:14")) == ("impossible", "bad-bid")
    begun = hand(bids("0:3 1:4"))
    assert (begun["phase"], begun["to_act"], begun["contracts"]) == ("bidding", [2], [None] * 4)
    assert hand(bids("0:3 1:4 2:4"))["contracts"] == [7, None, 7, None]
    assert hand(bid(13, 13, 13, 13))["contracts"] == [26] * 4  # no one passes, and no sum is forbidden
    assert refused(plays("0:AH")) == ("impossible", "wrong-phase")


@exercises("SP-4")
def test_a_nil_adds_nothing_to_the_partners_contract():
    assert hand(bid(0, 3, 5, 2))["contracts"] == [5, 5, 5, 5]
    assert scored("0 3 5 2", "0 4 5 4") == [150, 53, 0, 0]
    # without nil it is a contract of nothing
    assert scored("0 3 5 2", "1 4 5 3", options={"nil": "off"}) == [51, 52, 0, 0]
    assert scored("0 3 3 3", "2 4 4 3", options={"nil": "off", "partners": False}) == [2, 31, 31, 30]


BEHIND = [[*bid(3, 3, 3, 3), result(4, 3, 0, 6)]]  # Ann and Cy at -60, the others at 63


@exercises("SP-5")
def test_a_blind_nil_requires_being_a_hundred_points_behind():
    assert refused([blind(1)], hands=(BEHIND[0],)) == ("irregular", "forbidden-bid")
    behind = spades(BEHIND[0], [*bids("1:3 2:3 3:3"), blind(0), result(0, 4, 5, 4)])
    assert behind["rejected"] is None
    assert [each["scores"][0] for each in behind["hands"]] == [-60, 232]
    assert behind["hands"][1]["seat_notes"] == ["blind nil", None, None, None]
    assert refused([blind(0)]) == ("irregular", "forbidden-bid")
    assert hand([blind(0) | {"accepted": True}], bids("1:3 2:3 3:3"), result(1, 4, 5, 3))["scores"][0] == -167
    assert "100 points" in refusal_of([blind(0)])["reason"]["text"]


@exercises("SP-5")
def test_the_deficit_uses_the_totals_before_the_hand():
    exactly = [40, 140, 40, 140]
    assert spades([blind(0)], carried=exactly)["rejected"] is None
    assert spades([blind(0)], carried=[41, 140, 41, 140])["rejected"]["reason"]["code"] == "forbidden-bid"


@exercises("SP-5")
def test_a_house_rule_lets_any_side_or_no_side_bid_blind():
    assert hand([blind(0)], options={"blind_nil": "always"})["bids"][0] == 0
    assert refused([blind(0)], options={"blind_nil": "off"}, carried=[0, 200, 0, 200]) == ("irregular", "forbidden-bid")
    assert refused([blind(0)], options={"nil": "off"}) == ("impossible", "bad-bid")
    assert refused([blind(0, 3)], options={"blind_nil": "always"}) == ("impossible", "bad-bid")
    assert refused([blind(0)], game="oh-hell", players=3, options={"trump": "none"}) == ("impossible", "bad-bid")


@exercises("SP-5")
def test_a_blind_bid_is_kept_in_records_and_notation():
    options = {"blind_nil": "always"}
    record = load_record(told([*bids("0:3"), blind(1)], game="spades", players=4, options=options))
    text = write_text(record)
    assert "Bids: Ann 3, Bob 0 blind" in text
    assert dump_record(read_text(text)) == dump_record(record)


# -- leads and tricks (SP-6 .. SP-8) --------------------------------------------------------------


@exercises("SP-6")
def test_the_dealers_left_leads_anything_but_a_spade():
    assert hand(READY)["to_act"] == [0]
    assert refused(READY, plays("1:AH")) == ("irregular", "out-of-turn")
    rejected = entered("0:AS", s0=MIXED)["rejected"]["reason"]
    assert (rejected["code"], rejected["clauses"]) == ("trump-led", ["SP-6", "SP-8"])
    only = entered("0:AS", s0=SPADES_ONLY)
    assert (only["rejected"], found(only["hands"][0])) == (None, [])
    free = entered("0:AS", s0=MIXED, options={"spades_lead": "free"})
    assert free["rejected"]["reason"]["clauses"] == ["SP-6"]


LOW: Json = {"opening": "low-club"}


@exercises("SP-6")
def test_by_house_rule_the_holder_of_the_lowest_club_leads_it():
    assert hand(READY, options=LOW)["to_act"] == [0, 1, 2, 3]
    played = hand(READY, plays("2:2C 3:3C 0:4C 1:5C"), options=LOW)
    assert (played["tricks"][0]["leader"], winners(played), found(played)) == (2, [1], [])
    assert refused(READY, plays("0:3C"), options=LOW) == ("irregular", "wrong-opening")
    accepted = hand(READY, plays("0:3C! 1:4C"), options=LOW)
    assert (found(accepted), accepted["tricks"][0]["leader"]) == ([("wrong-opening", "seen", 0)], 0)


@exercises("SP-6", "SP-2")
def test_the_lowest_club_depends_on_the_pack():
    assert refused(bid(3, 3, 3), plays("1:2C"), players=3, options=LOW) == ("impossible", "not-in-deck")
    assert found(hand(bid(3, 3, 3), plays("1:3C"), players=3, options=LOW)) == []
    # It may be among the cards aside, so any club may be led
    aside = LOW | {"leftover": "aside"}
    assert found(hand(bid(3, 3, 3), plays("1:9C"), players=3, options=aside)) == []
    assert refused(bid(3, 3, 3), plays("1:9H"), players=3, options=aside) == ("irregular", "wrong-opening")


@exercises("SP-6")
def test_entered_hands_show_who_holds_the_lowest_club():
    assert entered("", s0=MIXED, options=LOW)["hands"][0]["to_act"] == [0]
    assert entered("", s1=SPADES_ONLY, options=LOW)["hands"][0]["to_act"] == [0, 1, 2, 3]
    assert entered("0:4D", s0=MIXED, options=LOW)["rejected"]["reason"]["code"] == "wrong-opening"


@exercises("SP-7")
@pytest.mark.parametrize(
    ("cards", "winner", "code"),
    [
        ("0:4H 1:9H 2:AC 3:10H", 3, "highest-follower"),
        ("0:4H 1:2S 2:AH 3:3S", 3, "highest-trump"),
        ("0:4H 1:AD 2:AC 3:2D", 0, "highest-follower"),
    ],
)
def test_the_highest_spade_wins_else_the_highest_card_of_the_suit_led(cards: str, winner: int, code: str):
    played = hand(READY, plays(cards))
    assert (winners(played), played["tricks"][0]["reason"]["code"], played["to_act"]) == ([winner], code, [winner])


@exercises("SP-7")
def test_players_must_follow_suit():
    assert entered("0:9H 1:4D", s1=MIXED)["rejected"]["reason"]["code"] == "revoke"
    proved = hand(READY, plays("0:4H 1:AD 2:AC 3:2D 0:5H 1:6H"))
    assert found(proved) == [("revoke", "proved", 1)]


@exercises("SP-8")
def test_spades_may_be_led_once_broken():
    early = plays("0:4D 1:8D 2:9D 3:10D 3:2D 0:5D 1:JD 2:QD 2:KD 3:3D 0:6D 1:AD")
    assert hand(READY, early)["broken"] is False
    broken = [*early, *plays("1:9C 2:10C 3:JC 0:2C 3:QC 0:3C 1:6S 2:7C")]
    assert hand(READY, broken)["broken"] is True
    unbroken = "0:4D 1:3D 2:2D 3:8H 0:AS"
    rejected = entered(unbroken, s0=MIXED)["rejected"]
    assert (rejected["verdict"], rejected["reason"]["code"]) == ("irregular", "trump-led")
    assert rejected["reason"]["clauses"] == ["SP-8"]
    assert entered(unbroken, s0=MIXED, options={"spades_lead": "free"})["rejected"] is None
    ruffed = "0:4D 1:3D 2:3S 3:8H 2:2D 3:9H 0:5D 1:10D 1:8C 2:9C 3:10H 0:5C 2:10C 3:JH 0:4C 1:QC"
    assert entered(ruffed, s0=MIXED)["rejected"] is None


@exercises("SP-8")
def test_an_unseen_trick_leaves_open_whether_spades_are_broken():
    unseen = hand(READY, trick(0), plays("0:AS"))
    assert (unseen["broken"], found(unseen)) == (None, [])
    assert "broken-unknown" in [each["code"] for each in unseen["unchecked"]]


# -- scores (SP-9 .. SP-12) -----------------------------------------------------------------------


@exercises("SP-9")
def test_a_contract_is_made_or_set():
    """Worked case SP-c1."""
    answer = spades(quick("3 4 4 2", "5 3 3 2"))
    assert (answer["totals"], answer["hands"][0]["bags"]) == ([71, -60, 71, -60], [1, 0, 1, 0])
    assert answer["hands"][0]["scores"] == [71, -60, 0, 0]
    assert codes(answer["hands"][0]) == ["contract-made", "contract-set"]


@exercises("SP-9", "SP-11", "SP-12")
def test_a_nil_fails_beside_a_made_contract():
    """Worked case SP-c2."""
    answer = spades(quick("0 3 5 2", "1 4 6 2"))
    assert (answer["totals"], answer["hands"][0]["bags"]) == ([-48, 51, -48, 51], [2, 1, 2, 1])


@exercises("SP-9", "SP-10")
def test_the_tenth_bag_costs_a_hundred():
    """Worked case SP-c3."""
    carried = {"carried": [348, 0, 348, 0], "carried_bags": [8, 0, 8, 0]}
    assert first_side("3 2 3 2", "5 2 4 2", **carried) == (348 - 37, 1)


@exercises("SP-8")
def test_which_cards_may_be_led():
    """Worked case SP-c4."""
    asked = ask("legal", hand=["AS", "KS", "4D"], led_card=None, broken=False)
    assert (asked["legal"], [each["card"] for each in asked["illegal"]]) == (["4D"], ["AS", "KS"])
    assert {each["reason"].code for each in asked["illegal"]} == {"trump-led"}
    assert ask("legal", hand=["AS", "KS"])["legal"] == ["AS", "KS"]
    assert ask("legal", hand=["AS", "4D"], broken=True)["legal"] == ["AS", "4D"]


@exercises("SP-9")
@pytest.mark.parametrize(("worth", "points"), [(1, 62), (0, 60), (-1, 58)])
def test_what_a_bag_scores(worth: int, points: int):
    assert first_side("3 3 3 2", "5 3 3 2", options={"overtrick": worth}) == (points, 2)


@exercises("SP-10")
@pytest.mark.parametrize(
    ("bags", "before", "points", "after"),
    [("ten", 9, -38, 1), ("five", 4, 12, 1), ("five", 0, 62, 2), ("off", 9, 62, 11), ("ten", 7, 62, 9)],
)
def test_what_collected_bags_cost(bags: str, before: int, points: int, after: int):
    carried = [before, 0, before, 0]
    assert first_side("3 3 3 2", "5 3 3 2", options={"bags": bags}, carried_bags=carried) == (points, after)


@exercises("SP-10")
def test_bags_accumulate_from_hand_to_hand():
    first, second = quick("3 3 3 2", "5 3 3 2"), quick("3 3 3 2", "5 3 3 2", 1)
    void = [*bids("1:3"), {"type": "redeal", "reason": "agreed"}]
    answer = spades(first, void, second)
    assert [each["bags"][0] for each in answer["hands"]] == [2, 2, 4]
    running = spades(first, bids("1:3"))
    assert running["hands"][1]["bags"] == [2, 0, 2, 0]
    # changing the cost of bags keeps their count
    changed = [*first, {"type": "rules", "options": {"bags": "five"}}]
    assert spades(changed, quick("3 3 3 2", "6 3 3 1", 1))["hands"][1]["scores"][0] == 63 - 50


@exercises("SP-10")
@pytest.mark.parametrize("bags", [[1, 0, 2, 0], [10, 0, 10, 0], [1, 1]])
def test_impossible_carried_bags_are_refused(bags: list[int]):
    with pytest.raises(Exception, match="/carried_bags"):
        load_record(told(quick("3 3 3 2", "5 3 3 2"), game="spades", players=4, carried_bags=bags))
    with pytest.raises(Exception, match="/carried_bags"):
        load_record(told([], carried_bags=[1, 1, 1]))


@exercises("SP-11")
@pytest.mark.parametrize(
    ("nil", "took", "points"),
    [("100", "0 4 5 4", 150), ("50", "0 4 5 4", 100), ("100", "1 4 5 3", -49), ("50", "1 4 5 3", 1)],
)
def test_what_a_nil_is_worth(nil: str, took: str, points: int):
    assert scored("0 3 5 2", took, options={"nil": nil})[0] == points


@exercises("SP-11")
def test_a_blind_nil_is_worth_twice_as_much():
    ready = [blind(0), *bids("1:3 2:5 3:2")]
    options = {"blind_nil": "always", "nil": "50"}
    assert hand(ready, result(0, 4, 5, 4), options=options)["scores"][0] == 150
    assert hand(ready, result(1, 4, 5, 3), options=options)["scores"][0] == -49


@exercises("SP-12")
@pytest.mark.parametrize(
    ("rule", "made", "bags", "set_", "set_bags"),
    [("bags", -48, 2, -149, 1), ("count", -48, 2, -50, 0), ("nothing", -49, 1, -150, 0)],
)
def test_what_the_tricks_of_a_failed_nil_count_toward(rule: str, made: int, bags: int, set_: int, set_bags: int):
    assert first_side("0 3 5 2", "1 4 6 2", options={"failed_nil": rule}) == (made, bags)
    assert first_side("0 3 5 2", "1 4 4 4", options={"failed_nil": rule}) == (set_, set_bags)


@exercises("SP-11", "SP-12")
@pytest.mark.parametrize(("rule", "points", "bags"), [("bags", 3, 3), ("count", 3, 3), ("nothing", 0, 0)])
def test_nil_bids_by_both_partners_score_separately(rule: str, points: int, bags: int):
    options = {"failed_nil": rule}
    assert first_side("0 6 0 6", "0 6 0 7", options=options) == (200, 0)
    assert first_side("0 5 0 5", "3 5 0 5", options=options) == (points, bags)


@exercises("SP-12")
@pytest.mark.parametrize(("rule", "points"), [("bags", -98), ("count", -98), ("nothing", -100)])
def test_a_lone_players_failed_nil_is_scored(rule: str, points: int):
    assert scored("0 3 3 3", "2 4 4 3", options={"partners": False, "failed_nil": rule})[0] == points


# -- the end (SP-13, SP-14) -----------------------------------------------------------------------


@exercises("SP-13")
def test_the_game_ends_after_the_hand_in_which_a_side_reaches_500():
    over = spades(quick("5 1 5 1", "6 1 5 1"), carried=[400, 0, 400, 0])
    assert (over["totals"][0], over["finished"], over["winners"]) == (501, True, [0, 2])
    assert not spades(quick("5 1 4 1", "6 1 5 1"), carried=[400, 0, 400, 0])["finished"]
    # bags are deducted first: 470 and 9 bags, 3 bid and 4 taken
    alone = spades(
        quick("3 3 3 3", "4 3 3 3"), options={"partners": False}, carried=[470, 0, 0, 0], carried_bags=[9, 0, 0, 0]
    )
    assert (alone["totals"][0], alone["finished"]) == (401, False)
    both = spades(quick("3 3 3 3", "4 3 3 3"), carried=[450, 460, 450, 460])
    assert (both["totals"], both["winners"]) == ([511, 520, 511, 520], [1, 3])


@exercises("SP-13")
@pytest.mark.parametrize(("floor", "over"), [("off", False), ("200", True), ("500", False)])
def test_a_house_rule_ends_the_game_at_a_negative_score(floor: str, over: bool):
    answer = spades(quick("5 1 5 1", "4 3 4 2"), carried=[-100, 0, -100, 0], options={"floor": floor})
    assert (answer["totals"][0], answer["finished"], answer["winners"]) == (-200, over, [1, 3] if over else [])


@exercises("SP-14")
def test_a_tie_is_played_on_or_shared():
    tied = [quick("3 3 3 3", "3 3 3 4")]
    level = {"carried": [451, 450, 451, 450]}
    assert not spades(*tied, **level)["finished"]
    on = spades(*tied, quick("3 3 3 3", "4 3 3 3", 1), **level)
    assert (on["finished"], on["winners"]) == (True, [0, 2])
    shared = spades(*tied, **level, options={"tie": "share"})
    assert (shared["finished"], shared["winners"]) == (True, [0, 1, 2, 3])
    by_hands = spades(*tied, **level, end={"kind": "hands", "value": 1})
    assert not by_hands["finished"]


# -- results of a side ----------------------------------------------------------------------------


@exercises("SP-9", "REC-11")
def test_a_sides_tricks_may_be_recorded_at_either_seat():
    together = hand(READY, result(7, 0, 0, 6))
    assert (together["scores"], together["tricks_won"]) == ([61, 60, 0, 0], [None] * 4)
    assert hand(READY, result(4, 3, 3, 3))["tricks_won"] == [4, 3, 3, 3]
    nil = hand(bid(0, 3, 5, 3), result(0, 6, 7, 0))  # a nil must be recorded separately
    assert (nil["scores"], nil["tricks_won"]) == ([152, 60, 0, 0], [0, None, 7, None])


# -- single questions -----------------------------------------------------------------------------


def test_the_score_of_a_side_is_answered():
    asked = ask("score", bids=[0, 5], tricks=[1, 6], bags=9)
    assert (asked["points"], asked["bags"]) == (-148, 1)
    assert ask("score", bids=[0, 5], tricks=[0, 6], blind=[True, False])["points"] == 251
    assert ask("score", bids=[3], tricks=[2])["points"] == -30
    assert ask("score", bids=[17], tricks=[17])["points"] == 170


@pytest.mark.parametrize(
    ("bids", "tricks", "wrong"),
    [([1, 2, 3], [1, 2, 3], "/bids"), ([1, 2], [1], "/tricks"), ([1, 14], [1, 2], "/bids")],
)
def test_an_impossible_side_score_is_refused(bids: list[int], tricks: list[int], wrong: str):
    with pytest.raises(Refused, match=wrong):
        ask("score", bids=bids, tricks=tricks)


def test_the_deal_and_a_trick_are_answered():
    assert ask("deal", players=5)["cards_each"] == [10] * 5
    shown = [{"cards": [card]} for card in ("2C", "3C", "2S")]
    assert (ask("trick", plays=shown)["winner"], ask("trick", plays=shown)["trump"]) == (2, "S")


@exercises("SP-6")
def test_which_card_may_be_led_first_is_answered():
    low: Json = {"options": {"opening": "low-club"}, "first_trick": True}
    assert ask("legal", hand=["2C", "3C", "4D"], **low)["legal"] == ["2C"]
    without = ask("legal", hand=["3H", "4D"], **low)
    assert (without["legal"], without["reason"].code) == ([], "wrong-opening")
    assert ask("legal", hand=["3H", "4D"], options={"opening": "low-club"})["legal"] == ["3H", "4D"]
    first = ask("legal", hand=["3S", "4D"], first_trick=True, options={"spades_lead": "free"})
    assert first["legal"] == ["4D"]


def test_a_record_is_judged_the_same_again():
    record = load_record(told(quick("3 4 4 2", "5 3 3 2"), game="spades", players=4, carried_bags=[3, 1, 3, 1]))
    text = write_text(record)
    assert "Carried bags: Ann 3, Bob 1, Cy 3, Dot 1" in text
    assert adjudicate(read_text(text)) == adjudicate(record)


NIL, CONTRACT = ("nil-made", "nil-failed"), ("contract-made", "contract-set")


@exercises("SP-4", "SP-9", "SP-11", "SP-12")
def test_a_tally_counts_made_bids():
    compared = 0
    for seed in range(60):
        try:
            hands = replay(load_record(random_record(Random(seed)))).hands
        except Refused:
            continue
        for done in hands:
            counted = tally(done)
            given = [(line.reason.facts.get("seat"), line.reason.code) for line in done.score_lines()]
            for number, seat in enumerate(counted.seats if counted else ()):
                side = done.scored_with(number)
                for place, codes_of in ((number, NIL), (side[0], CONTRACT)):
                    codes_here = [code for who, code in given if who == place and code in codes_of]
                    nil = codes_of is NIL
                    if codes_here and seat.bid and (seat.bid.bid == 0) == nil:
                        fulfilled = seat.bid.won == 0 if nil else seat.bid.won >= seat.bid.bid
                        assert codes_here == [codes_of[not fulfilled]], (seed, number)
                        compared += 1
    assert compared > 50


# -- what a revoke costs, and how it affects a nil (SP-R1 .. SP-R3) ----------------------------------

ANN = "AC KC QC JC 10C 9C 8C 7C 6C 5C 4C 3C 2D"
BOB = "3D 2C 2S 4D 5D 6D 7D 8D 9D 10D JD QD AD"
CY = "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"
DOT = "KD 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS"


def revoked() -> list[Json]:
    """Bob does not follow in the first trick, which Ann wins, and shows his club in the second; Dot takes the rest."""
    rows = list(zip(ANN.split(), BOB.split(), CY.split(), DOT.split(), strict=True))
    told = []
    for number, row in enumerate(rows):
        leader = 0 if number < 2 else 3
        told += [f"{(leader + step) % 4}:{row[(leader + step) % 4]}" for step in range(4)]
    return plays(" ".join(told))


def remedy(judged: Json, code: str) -> Json:
    offered: Json = next(each for each in judged["irregularities"][0]["remedies"] if each["code"] == code)
    return offered


def bridge_penalties(*bids: int) -> list[tuple[int, int]]:
    return [(each["seat"], each["points"]) for each in remedy(hand(bid(*bids), revoked()), "bridge")["events"]]


@exercises("SP-7", "REC-17")
def test_a_revoke_is_proved():
    judged = hand(bid(3, 3, 3, 3), revoked())
    assert found(judged) == [("revoke", "proved", 1)]
    assert judged["tricks_won"] == [1, 0, 0, 12]


@exercises("SP-R2", "SP-9")
def test_penalty_tricks_given_back_change_nothing():
    plain = hand(bid(1, 3, 3, 6), revoked())
    back = hand(bid(1, 3, 3, 6), revoked(), transfer(3, 0, 2), transfer(0, 3, 2))
    assert back["tricks_won"] == plain["tricks_won"] == [1, 0, 0, 12]
    assert (back["scores"], back["bags"]) == (plain["scores"], plain["bags"]) == ([-40, 93, 0, 0], [0, 3, 0, 3])


@exercises("SP-R3")
def test_a_revoke_fails_ones_own_nil_but_not_an_opponents():
    judged = hand(bid(0, 0, 3, 5), revoked())
    # Ann's only trick is the one of the revoke: her nil is made; Bob's has failed, although he took none
    assert judged["scores"] == [100 - 30, -100 + 57, 0, 0]
    assert [line["reason"]["code"] for line in judged["score_lines"]] == [
        "contract-set", "nil-made", "contract-made", "nil-failed",
    ]  # fmt: skip
    # Without a revoke, a single trick breaks a nil
    assert hand(bid(0, 3, 3, 5), {"type": "result", "tricks": [1, 4, 3, 5]})["scores"][0] == -69


@exercises("SP-R1", "SP-R2")
def test_three_penalty_tricks_go_to_a_player_without_nil_and_add_no_bags():
    options = {"revoke": "three-tricks"}
    judged = hand(bid(0, 0, 3, 5), revoked(), options=options)
    offered = remedy(judged, "three-tricks")
    assert (offered["proposed"], offered["clauses"]) == (True, ["SP-R1", "SP-R2"])
    assert [(each["from_seat"], each["to_seat"], each["tricks"]) for each in offered["events"]] == [(3, 2, 3)]
    assert offered["effect"]["scores"]["after"] == [100 + 30, -100 + 54, 0, 0]
    over = hand(bid(0, 0, 1, 5), revoked(), transfer(3, 2, 3))
    assert (over["scores"][0], over["bags"][0]) == (110, 0)


@exercises("SP-R1")
def test_a_side_with_fewer_than_three_tricks_gives_them_all():
    swapped = [{**event, "seat": (event["seat"] + 2) % 4} if "cards" in event else event for event in revoked()]
    judged = hand(bid(3, 3, 3, 3, first=2), swapped, dealer=1)
    assert judged["tricks_won"] == [0, 12, 1, 0]
    assert [each["tricks"] for each in remedy(judged, "three-tricks")["events"]] == [3]
    few = hand(bid(3, 3, 3, 3), revoked()[:8])
    assert remedy(few, "three-tricks")["pending"]["code"] == "remedy-at-end"


@exercises("SP-R2")
def test_penalty_tricks_go_to_no_one_if_both_opponents_bid_nil():
    both = hand(bid(0, 3, 0, 5), revoked(), transfer(3, 0, 3))
    assert both["scores"] == [200, 80 + 1, 0, 0]  # of twelve tricks nine are left
    assert both["bags"] == [0, 1, 0, 1]


@exercises("SP-R2")
def test_a_penalty_trick_does_not_break_a_nil():
    assert hand(bid(0, 3, 3, 5), revoked(), transfer(3, 0, 1))["scores"][0] == 100 - 30


@exercises("IR-4", "SP-R2")
def test_bridge_penalties_give_offenders_the_worse_and_opponents_the_better_score():
    assert bridge_penalties(0, 0, 3, 5) == [(1, -1)]
    assert bridge_penalties(0, 0, 1, 12) == [(0, 20), (1, -240)]


@exercises("SP-R1")
def test_three_penalty_tricks_need_an_opposing_side():
    with pytest.raises(Exception, match="other side"):
        SPADES.rules({"revoke": "three-tricks", "partners": False}, 4)
    alone = hand(bid(3, 3, 3, 3), revoked(), options={"partners": False})
    assert "three-tricks" not in [each["code"] for each in alone["irregularities"][0]["remedies"]]
