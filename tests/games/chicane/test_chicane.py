"""The clauses of Chicane, and the worked cases CH-c1 to CH-c3."""

import pytest

from referee.engine.rules import Refused
from referee.games.chicane.game import GAME as CHICANE
from tests.referee.telling import (
    REDEAL,
    Json,
    accepted,
    bids,
    exercises,
    found,
    judged,
    known,
    plays,
    refusal,
    result,
    telling_of,
    trick,
    winners,
)

GAME = CHICANE.id
hand, refused = telling_of(GAME)


def top(seat: int = 0) -> Json:
    return {"type": "call", "seat": seat, "reading": "top"}


def bottom(seat: int = 0) -> Json:
    return {"type": "call", "seat": seat, "reading": "bottom"}


def suit(code: str, seat: int = 1) -> Json:
    return {"type": "call", "seat": seat, "suit": code}


def opened(*calls: Json, bid: str = "2:4 0:4 1:4") -> list[Json]:
    """Ann and Bob call, then Cy bids first and leads; Cy deals."""
    return [*(calls or (top(), suit("W"))), *bids(bid)]


def clauses(*events: Json | list[Json], **more) -> list[str]:
    return refusal(*events, game=GAME, **more)["reason"]["clauses"]


@exercises("CH-1")
def test_three_or_four_players_are_dealt_all_the_cards():
    assert hand()["hand_size"] == [12] * 3
    assert hand(players=4)["hand_size"] == [9] * 4
    assert CHICANE.answer("deal", {"players": 4})["tricks"] == 9
    with pytest.raises(Refused, match="3 to 4"):
        judged(game=GAME, players=2)
    assert refused(opened(), plays("2:AS* ")) == ("impossible", "not-in-deck")


@exercises("CH-2")
def test_the_dealers_left_makes_one_call_and_the_next_player_the_other():
    before, half, done = hand(), hand(top()), hand(top(), suit("W"))
    assert (before["phase"], before["to_act"], before["reading"], before["trump"]) == ("calling", [0], None, None)
    assert (half["phase"], half["to_act"], half["reading"], half["trump"]) == ("calling", [1], "top", None)
    assert (done["phase"], done["to_act"], done["reading"], done["trump"]) == ("bidding", [2], "top", "W")
    other = hand(suit("K", 0), bottom(1))
    assert (other["reading"], other["trump"], other["seat_notes"]) == ("bottom", "K", ["trump", "BOTTOM", None])


@exercises("CH-2", "REC-2", "REC-9", "REC-10")
def test_an_invalid_call_is_refused():
    assert refused(top(), bottom(1)) == ("impossible", "bad-bid")
    assert refused(suit("W", 0), suit("K", 1)) == ("impossible", "bad-bid")
    assert refused({"type": "call", "seat": 0}) == ("impossible", "bad-bid")
    assert refused(top() | {"suit": "W"}) == ("impossible", "bad-bid")
    assert refused({"type": "call", "seat": 0, "reading": "left"}) == ("impossible", "bad-bid")
    assert refused(suit("Z", 0)) == ("impossible", "bad-suit")
    assert refused(top(3)) == ("impossible", "no-such-seat")
    assert refused(top(), suit("W", 0)) == ("impossible", "wrong-phase")
    assert refused(top(), suit("W"), suit("K", 2)) == ("impossible", "wrong-phase")
    assert refused(top(), plays("2:AS")) == ("impossible", "wrong-phase")
    assert refused(top(), REDEAL, suit("W")) == ("impossible", "hand-finished")


@exercises("CH-2", "CH-4", "REC-12")
def test_an_accepted_call_out_of_turn_stands():
    assert refused(top(1)) == ("irregular", "out-of-turn")
    assert clauses(top(1)) == ["CH-2", "REC-12"]
    early = [accepted(top(1))]
    assert found(hand(early)) == [("out-of-turn", "seen", 1)]
    assert hand(early)["to_act"] == [0]
    done = hand(early, suit("W", 0))
    assert (done["phase"], done["to_act"]) == ("bidding", [1])  # the next after Ann, who called later
    late = hand(top(), accepted(suit("W", 2)))
    assert late["to_act"] == [0]


@exercises("CH-3", "CH-7")
def test_the_reading_of_a_trick_decides_its_winner():
    """Worked case CH-c1."""
    told = {"trump": "W", "plays": [{"cards": [card]} for card in ("8YK", "9LK", "3MW")]}
    assert CHICANE.answer("trick", told | {"reading": "bottom"})["winner"] == 2
    assert CHICANE.answer("trick", told | {"reading": "top"})["winner"] == 0
    read = hand(opened(bottom(), suit("W")), plays("2:8YK 0:9LK 1:3MW"))
    assert (winners(read), read["tricks"][0]["reads"]) == ([1], ["K", "K", "W"])
    above = hand(opened(), plays("2:8YK 0:9LK 1:3MW"))
    assert (winners(above), above["tricks"][0]["reads"]) == ([2], ["Y", "L", "M"])


@exercises("CH-3")
@pytest.mark.parametrize(
    ("card", "reading", "read"),
    [("8YK", "top", "Y"), ("8YK", "bottom", "K"), ("AK", "top", "K"), ("XS", "bottom", "S")],
)
def test_which_suit_a_card_belongs_to(card: str, reading: str, read: str):
    assert CHICANE.answer("suit", {"card": card, "reading": reading})["suit"] == read


@exercises("CH-3", "CH-6")
def test_the_next_step_depends_on_the_reading():
    """Worked case CH-c2."""
    told = {"hand": ["3SK", "9MS", "XS", "2SY", "AK"], "led_card": "5SW", "trump": "W"}
    assert CHICANE.answer("legal", told | {"reading": "top"})["legal"] == ["3SK", "XS", "2SY"]
    assert CHICANE.answer("legal", told | {"reading": "bottom"})["legal"] == told["hand"]
    for wrong in ({}, {"reading": "left"}):
        with pytest.raises(Refused):
            CHICANE.answer("legal", told | wrong)


@exercises("CH-4")
def test_the_first_bidder_leads():
    done = hand(opened())
    assert (done["phase"], done["to_act"], done["bids"]) == ("play", [2], [4, 4, 4])
    left = hand(opened(bid="0:4 1:4 2:4"), options={"first_bid": "left"})
    assert left["to_act"] == [0]
    assert refused(top(), suit("W"), bids("0:3")) == ("irregular", "out-of-turn")
    assert clauses(top(), suit("W"), bids("0:3")) == ["CH-4", "REC-12"]
    assert refused(top(), suit("W"), bids("2:13")) == ("impossible", "bad-bid")
    four = hand(top(), suit("W"), bids("2:2 3:2 0:2 1:2"), players=4)
    assert four["to_act"] == [2]


@exercises("CH-4")
def test_the_hook_is_a_house_rule():
    assert hand(opened())["irregularities"] == []
    assert refused(opened(), options={"hook": True}) == ("irregular", "forbidden-bid")
    assert clauses(opened(), options={"hook": True}) == ["CH-4"]


@exercises("CH-4", "REC-19")
def test_bids_without_calls_lead_to_tricks_without_cards():
    early = bids("2:4 0:4 1:4")
    assert refused(early, plays("2:AS")) == ("impossible", "wrong-phase")
    assert refused(early, top()) == ("impossible", "wrong-phase")
    assert refused(early, trick(0, trump=None)) == ("impossible", "bad-suit")
    told = hand(early, trick(0, trump="W"))
    assert (told["trump"], told["reading"]) == ("W", None)
    assert refused(early, trick(0, trump="W"), trick(0, trump="K")) == ("impossible", "bad-suit")
    assert hand(early, trick(0))["broken"] is None
    over = hand(early, result(4, 4, 4))
    assert "calls-unknown" in [reason["code"] for reason in over["unchecked"]]
    half = hand(bottom(), bids("2:4 0:4 1:4"), trick(2, trump="W"), plays("2:AK"))
    assert half["to_act"] == [0]  # the reading was called, the trick told the trump
    assert refused(opened(), trick(0, trump="K")) == ("impossible", "bad-suit")


@exercises("CH-5")
@pytest.mark.parametrize(("value", "lawful"), [("broken", False), ("never", False), ("free", True)])
def test_trump_is_not_led_before_trump_has_been_played(value: str, lawful: bool):
    cards = "3SK 9MS XS 2SY AK 5SW 4MS 6SY 7SK 8MS AS XW"
    options = {"trump_lead": value}
    answer = judged(known([*opened(), *plays("2:XW")], s2=cards), game=GAME, options=options)
    assert (answer["rejected"] is None) is lawful
    if not lawful:
        assert (answer["rejected"]["verdict"], answer["rejected"]["reason"]["code"]) == ("irregular", "trump-led")
        assert answer["rejected"]["reason"]["clauses"] == ["CH-5"]
    broken = known([*opened(), *plays("2:AK 0:9WY 1:2MK 0:5ML 1:6MW 2:9MS 2:XW")], s2=cards)
    assert (judged(broken, game=GAME, options=options)["rejected"] is None) is (value != "never")


@exercises("CH-5", "REC-17")
def test_an_early_trump_lead_is_a_claim_that_a_later_card_disproves():
    done = hand(opened(), plays("2:XW 0:AW 1:2WL 2:AK"))
    assert found(done) == [("trump-led", "proved", 2)]
    assert hand(opened(), plays("2:XW 0:AW 1:2WL"))["broken"] is True
    assert hand(opened(), plays("2:AK 0:8YK 1:XK"))["broken"] is False
    assert hand(opened(), trick(0))["broken"] is None
    told = {"hand": ["9WY", "AK"], "reading": "top", "trump": "W"}
    assert CHICANE.answer("legal", told)["legal"] == ["AK"]
    assert CHICANE.answer("legal", told | {"broken": True})["legal"] == ["9WY", "AK"]
    assert CHICANE.answer("legal", told | {"hand": ["9WY", "XW"]})["legal"] == ["9WY", "XW"]


@exercises("CH-6", "CH-3", "REC-17")
def test_a_revoke_depends_on_the_reading():
    assert found(hand(opened(), plays("2:5YK 0:9LK 1:8YK 1:2MK 2:XM 0:9WY"))) == []
    assert found(hand(opened(bottom(), suit("W")), plays("2:5YK 0:9LK 1:8YK 0:2MK 1:4YK 2:XK"))) == []
    done = hand(opened(), plays("2:5YK 0:9LK 1:8YK 1:2MK 2:XM 0:4YK"))
    assert found(done) == [("revoke", "proved", 0)]


@exercises("CH-7")
@pytest.mark.parametrize(
    ("cards", "winner"),
    [("2:4YK 0:5YK 1:AY", 0), ("2:9WY 0:XY 1:AW", 2), ("2:4YK 0:9WY 1:XY", 0), ("2:4YK 0:2WL 1:AW", 0)],
)
def test_the_highest_trump_wins_and_the_ace_is_lowest(cards: str, winner: int):
    assert winners(hand(opened(), plays(cards))) == [winner]


@exercises("CH-8", "CH-9")
@pytest.mark.parametrize(
    ("bid", "tricks", "points"),
    [(4, 4, 16), (4, 3, 8), (4, 5, 8), (4, 2, 4), (4, 6, 4), (4, 1, 0), (4, 7, 0), (1, 0, 2), (1, 3, 1), (0, 0, 0)],
)
def test_what_a_bid_scores(bid: int, tricks: int, points: int):
    """Worked case CH-c3."""
    assert CHICANE.answer("score", {"bid": bid, "tricks": tricks})["points"] == points


@exercises("CH-9")
def test_house_rules_score_zero_bids_and_bad_misses():
    options = {"zero_bid": 5, "miss_penalty": 7}
    done = hand(opened(bid="2:0 0:4 1:1"), result(1, 11, 0), options=options)
    assert done["scores"] == [-7, -7, 5]
    assert hand(opened(bid="2:0 0:4 1:1"), result(1, 11, 0))["scores"] == [0, 0, 0]


@exercises("CH-10")
def test_the_game_ends_at_forty_and_ties_share():
    answer = judged([*opened(bid="2:0 0:6 1:6"), result(6, 6, 0)], game=GAME, carried=[16, 16, 0])
    assert (answer["totals"], answer["finished"], answer["winners"]) == ([40, 40, 0], True, [0, 1])
    assert judged([*opened(), result(4, 4, 4)], game=GAME)["next"]["dealer"] == 0


@exercises("CH-R1", "IR-4")
def test_a_revoke_is_settled_with_points_and_no_tricks():
    events = [*opened(), *plays("2:5YK 0:9LK 1:8YK 1:2MK 2:XM 0:4YK"), result(4, 4, 4)]
    (each,) = hand(events)["irregularities"]
    taken = next(remedy for remedy in each["remedies"] if remedy["code"] == "bridge")
    assert all(event["type"] in ("penalty", "note") for event in taken["events"] or [])
