"""What a revoke costs in Spades, and how it affects a nil (SP-R1 .. SP-R3)."""

import pytest

from referee.engine.game import find_game
from tests.games.spades.telling import bid, hand
from tests.referee.telling import Json, exercises, found, plays, transfer

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
    judged = hand(bid(0, 0, 3, 5), revoked())
    offered = remedy(judged, "bridge")
    assert [(each["seat"], each["points"]) for each in offered["events"]] == [(1, -1)]
    judged = hand(bid(0, 0, 1, 12), revoked())
    offered = remedy(judged, "bridge")
    assert [(each["seat"], each["points"]) for each in offered["events"]] == [(0, 20), (1, -240)]


@exercises("SP-R1")
def test_three_penalty_tricks_need_an_opposing_side():
    game = find_game("spades")
    assert game is not None
    with pytest.raises(Exception, match="other side"):
        game.rules({"revoke": "three-tricks", "partners": False}, 4)
    alone = hand(bid(3, 3, 3, 3), revoked(), options={"partners": False})
    assert "three-tricks" not in [each["code"] for each in alone["irregularities"][0]["remedies"]]
