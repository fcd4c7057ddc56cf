"""The remedies of an infraction: the tricks given up, other scores, and what each changes before one is chosen."""

import pytest

from referee.engine.adjudication import describe_findings
from referee.engine.records import load_record, replay
from referee.games.american_deuce.game import GAME as AMERICAN_DEUCE
from tests.games.american_deuce.told_rounds import NAMED, drop, left, name
from tests.games.american_deuce.told_rounds import judged as judged_round
from tests.referee.telling import (
    BOB_WINS,
    NOTE,
    REDEAL,
    REVOKE,
    TRUMPED,
    Json,
    accepted,
    bids,
    exercises,
    finding,
    judged,
    known,
    names,
    plays,
    ransoms,
    remedy,
    result,
    ruling_cards,
    told,
    transfer,
    trick,
)

CAVE = plays("0:2SY 1:7WY 2:6SY")
"""The trick after REVOKE, which Bob wins; without his Cave, Cy's Market would."""
PARTNERS = {"partners": True}


def offered(answer: Json, number: int = -1) -> dict[str, Json]:
    """Return the remedies of the first finding of a hand, by code."""
    return {remedy["code"]: remedy for remedy in answer["hands"][number]["irregularities"][0]["remedies"]}


def moved(remedy: Json) -> list[tuple[int, ...]]:
    """Return what the events move: from, to and tricks, or seat and points."""
    parts = ("from_seat", "to_seat", "tricks", "seat", "points")
    return [tuple(event[part] for part in parts if part in event) for event in remedy["events"]]


def after(remedy: Json) -> list[int]:
    scores: list[int] = remedy["effect"]["scores"]["after"]
    return scores


# --- Tricks given up for a revoke (IR-4)


@exercises("IR-4")
def test_the_next_trick_won_is_given_up_when_the_revoke_trick_was_not_won():
    waiting = offered(judged(REVOKE))["bridge"]
    assert (waiting["events"], waiting["effect"], waiting["pending"]["code"]) == (None, None, "remedy-next-trick")
    done = offered(judged([*REVOKE, *CAVE]))["bridge"]
    assert moved(done) == [(1, 2, 1)]
    assert done["effect"]["scores"] == {"before": [1, 1, 1], "after": [1, 0, 2]}


@exercises("IR-4", "REC-20")
def test_a_revoke_trick_that_was_won_is_given_up_with_the_next_one_as_previewed():
    done = offered(judged([*TRUMPED, *BOB_WINS], carried=[10, 10, 10]))["bridge"]
    assert moved(done) == [(1, 0, 1), (1, 2, 1)]
    assert done["effect"] == {
        "scores": {"before": [1, 3, 1], "after": [2, 1, 2]},
        "totals": {"before": [11, 13, 11], "after": [12, 11, 12]},
    }
    assert [event["x_settles"] for event in done["events"]] == [[0, 7], [0, 7]]
    settled = judged([*TRUMPED, *BOB_WINS, *done["events"]], carried=[10, 10, 10])
    assert (settled["hands"][0]["scores"], settled["totals"]) == ([2, 1, 2], [12, 11, 12])


@exercises("IR-4", "IR-5", "REC-19")
def test_a_trick_stays_if_no_one_else_wins_it_or_the_offender_won_none():
    alone = [*TRUMPED[:9], *plays("1:3MW 2:7SK 0:6LK")]
    done = offered(judged(alone))["bridge"]
    assert (moved(done), after(done)) == ([(1, 2, 1)], [1, 2, 1])
    assert "bridge" not in offered(judged([*REVOKE, REDEAL], []), 0)
    done = offered(judged([*REVOKE, result(6, 0, 6)]))["bridge"]
    assert (done["events"], after(done)) == ([], [6, 0, 6])
    assert offered(judged([*REVOKE, trick(1)]))["bridge"]["pending"]["code"] == "remedy-unseen"
    assert offered(judged([*REVOKE, result(5, 3, 4)]))["bridge"]["pending"]["code"] == "remedy-unseen"


@exercises("IR-4")
def test_a_trick_given_up_names_its_receiver_and_reason():
    given = transfer(1, 2, 1) | {"x_settles": [0, 1]}
    hand = judged([*REVOKE, *CAVE, given])["hands"][0]
    assert hand["given"] == [{"trick": 3, "to": 2, "why": "revoke in trick 1"}]
    assert hand["moved"] == [{"from_seat": 1, "to_seat": 2, "tricks": 1}]
    assert not {"given", "moved"} & set(judged([*REVOKE, *CAVE])["hands"][0])


@exercises("IR-4", "RT-16")
@pytest.mark.parametrize(("options", "who"), [({}, "Cy"), (PARTNERS, "Cy or a partner")])
def test_a_pending_remedy_names_the_side(options: Json, who: str):
    lost = plays("0:8MS 1:9MS 2:2WL 3:4MS 1:7WY 2:3MW 3:9WY 0:4WL")
    pending = remedy(finding(lost, players=4, options=options), "bridge")["pending"]["text"]
    assert pending == f"We’ll know the cost once {who} has won another trick, or when the hand ends."


# --- Several revokes: each trick is given up once

TWICE = [*plays("0:8MS 1:2WL 2:9MS 2:4MS 0:6MW 1:5YK 0:9LK 1:2MK 2:3SK"), *plays("0:4WL 1:7WY 2:3LY")]
"""Bob follows neither the Diplomat nor the Mountain, and shows the Author: two revokes. Then he wins a trick."""
FIFTH = plays("1:XW 2:9WY 0:5SW")
"""Bob wins; without his Sea, Cy's Darkness would."""
WAITING = "remedy-next-trick"


def moves(answer: Json) -> list[list[tuple[int, ...]] | str]:
    """Return what is moved for each finding of the last hand, or why that is unknown."""
    bridges = [remedy(found, "bridge") for found in answer["hands"][-1]["irregularities"]]
    return [bridge["pending"]["code"] if bridge["events"] is None else moved(bridge) for bridge in bridges]


@exercises("IR-4")
def test_two_revokes_do_not_take_the_same_trick():
    assert moves(judged(TWICE)) == [[(1, 0, 1)], WAITING]
    assert moves(judged([*TWICE, *FIFTH])) == [[(1, 0, 1)], [(1, 2, 1)]]


@exercises("IR-4", "REC-13")
def test_a_trick_is_not_given_up_twice():
    first, second = (
        remedy(each, "bridge")["events"] for each in judged([*TWICE, *FIFTH])["hands"][0]["irregularities"]
    )
    assert moves(judged([*TWICE, *FIFTH, *first])) == [[], [(1, 2, 1)]]
    both = judged([*TWICE, *FIFTH, *second, *first])
    assert (moves(both), both["totals"]) == ([[], []], [3, 0, 2])
    # the second finding already has its trick, so the first one keeps the other
    assert moves(judged([*TWICE, *FIFTH, *second])) == [[(1, 0, 1)], []]


@exercises("IR-4", "REC-13")
def test_a_transfer_without_a_finding_settles_the_one_for_its_trick():
    assert moves(judged([*TWICE, *FIFTH, transfer(1, 0, 1)])) == [[], [(1, 2, 1)]]
    assert moves(judged([*TWICE, *FIFTH, transfer(1, 2, 1)])) == [[(1, 0, 1)], []]


@exercises("IR-4", "IR-9")
@pytest.mark.parametrize(
    ("decision", "settles", "left"),
    [
        (NOTE, [0, 1], [(1, 0, 1)]),
        ({"type": "penalty", "seat": 1, "points": -2}, [0, 1], [(1, 0, 1)]),
        (NOTE, [0, 99], [(1, 2, 1)]),  # nothing was found there
        (NOTE, "yes", [(1, 2, 1)]),
    ],
    ids=["a remark", "a penalty", "a remark on another event", "a remark on no event"],
)
def test_a_revoke_settled_by_another_decision_leaves_its_trick_to_the_next(decision: Json, settles, left):
    assert moves(judged([*TWICE, *FIFTH, decision | {"x_settles": settles}]))[1] == left


@exercises("IR-4", "AT-V3")
def test_two_partners_who_both_revoked_do_not_give_up_the_same_trick():
    # Ann's side: Cy in the first trick, Ann in the second, both proved in the third; the side wins the fourth
    both = plays("1:8MS 2:2WL 3:9MS 0:4MS 3:5ML 0:8YK 1:6MW 2:3MW 1:9LK 2:4WL 3:3SK 0:7ML")
    won = judged([*both, *plays("1:2SY 2:XS 3:6SY 0:7SK")], players=4, dealer=0, options=PARTNERS)
    assert sorted(found["seat"] for found in won["hands"][0]["irregularities"]) == [0, 2]
    assert moves(won) == [[(2, 3, 1)], WAITING]


# --- What is offered for which infraction, and when


@exercises("IR-4", "IR-2", "REC-21")
def test_an_accepted_revoke_costs_the_same_as_a_proved_one():
    events = plays("0:8MS 1:2WL! 2:XM 2:7WY 0:4WL 1:9LK!")
    entered = known(events, s1="3MW 9MS 2WL AK XK 3LY 4YK 5YK 6LK 7WY 8YK 9LK")
    found = judged(entered, options={"revoke": "bridge"})["hands"][0]["irregularities"][0]
    assert (found["code"], found["certainty"]) == ("revoke", "seen")
    assert {"stand", "take-back", "bridge", "hand-zero", "penalty", "redeal", "correct"} == set(codes(found))
    assert [remedy["code"] for remedy in found["remedies"] if remedy["proposed"]] == ["bridge"]
    assert remedy(found, "bridge")["pending"]["code"] == WAITING


def codes(found: Json) -> list[str]:
    return [remedy["code"] for remedy in found["remedies"]]


@exercises("WC-10", "IR-4")
def test_an_accepted_trump_lead_costs_the_same_as_a_proved_one():
    events = [*ruling_cards("XM AW AL"), *bids("0:4 1:4 2:2"), *plays("0:4MS!")]
    entered = known(events, s0="AM AS XM XS 4MS 3MW 5ML 6MW 7ML 2MK 8MS 9MS")
    (found,) = judged(entered, game="wildcat-chicane")["hands"][0]["irregularities"]
    assert (found["code"], found["certainty"]) == ("trump-led", "seen")
    assert "bridge" in codes(found)


@exercises("IR-2", "IR-16", "RT-Q4")
@pytest.mark.parametrize(
    ("events", "table"),
    [
        (bids("1:2!"), {"options": {"bidding": True}}),
        ([*ransoms("7SK 8MS 9LK"), accepted(names(0, "K"))], {"game": "ransom-trump"}),
        ([accepted(name(1, "S"))], {"game": "american-deuce", "players": 4}),
    ],
    ids=["a bid", "a trump", "a suit in American Deuce"],
)
def test_cards_are_taken_back_only_if_cards_were_played(events: list[Json], table: Json):
    assert codes(finding(events, **table)) == ["stand", "penalty", "redeal"]


@exercises("IR-2")
def test_an_irregular_play_without_a_cost_has_no_proposed_remedy():
    odd = finding(plays("0:8MS 2:9MS!"))
    assert codes(odd) == ["stand", "take-back", "penalty", "redeal"]
    assert not any(remedy["proposed"] for remedy in odd["remedies"])


@exercises("REC-13")
def test_a_penalty_is_what_the_offender_loses():
    penalty = offered(judged(TWICE))["penalty"]
    assert penalty["text"] == "Agree on a number of points for the offender to lose."
    assert penalty["pending"]["text"] == "Agree on a number of points for Bob to lose."
    assert [(event["seat"], event["points"], event["x_settles"]) for event in penalty["each"]["events"]] == [
        (1, -1, [0, 1])
    ]
    assert penalty["each"]["effect"]["scores"] == {"before": [2, 1, 1], "after": [2, 0, 1]}


@exercises("REC-18", "REC-13")
@pytest.mark.parametrize("code", ["bridge", "hand-zero", "penalty"])
def test_a_finding_by_counting_names_no_one_to_pay(code: str):
    unpaid = remedy(finding(plays("0:8MS 1:2WL 2:3LY")), code)
    assert (unpaid["pending"]["code"], unpaid.get("each")) == ("remedy-nobody", None)


@exercises("IR-4", "REC-14")
def test_every_remedy_names_its_effect():
    done = offered(judged([*TRUMPED, *BOB_WINS, result(4, 5, 3)]))
    assert {code: after(remedy) for code, remedy in done.items() if remedy["effect"]} == {
        "correct": [4, 5, 3], "stand": [4, 5, 3], "bridge": [5, 3, 4], "hand-zero": [4, 0, 3], "redeal": [0, 0, 0],
    }  # fmt: skip
    assert done["penalty"]["pending"]["code"] == "remedy-agree"
    assert offered(judged(TRUMPED))["hand-zero"]["pending"]["code"] == "remedy-at-end"


def open_now(*hands: list[Json]) -> dict[str, Json]:
    """Return the remedies of the first hand's first finding after other hands have been dealt."""
    record = load_record(told(*hands, carried=[10, 10, 10]))
    played = replay(record)
    (found,) = describe_findings(played.hands[0], record.seats, played.table)
    return {remedy["code"]: dict(remedy) for remedy in found["remedies"]}


@exercises("IR-5", "REC-13")
def test_an_undecided_finding_moves_no_score_after_the_next_deal():
    over = [*REVOKE, *CAVE, result(4, 5, 3)]
    assert list(open_now(over)) == ["correct", "stand", "bridge", "hand-zero", "penalty", "redeal"]
    done = open_now(over, plays("1:9WY"))
    assert list(done) == ["correct", "stand", "penalty"]
    assert not any(remedy["proposed"] for remedy in done.values())
    assert [event["type"] for event in done["stand"]["events"]] == ["note"]
    each = done["penalty"]["each"]
    assert [event["x_settles"] for event in each["events"]] == [[0, 1]]
    assert each["effect"]["totals"] == {"before": [14, 15, 13], "after": [14, 14, 13]}


@exercises("IR-9", "IR-4", "REC-14")
def test_let_it_stand_mentions_playing_on_only_during_play():
    assert offered(judged(REVOKE))["stand"]["text"] == "Let it stand and play on."
    over = [*REVOKE, result(4, 4, 4)]
    assert offered(judged(over))["stand"]["text"] == "Let it stand."
    assert offered(judged(over, plays("1:8MS")), 0)["stand"]["text"] == "Let it stand."
    assert set(offered(judged([*REVOKE, REDEAL]))) == {"correct", "stand", "penalty"}


# --- With bids, and in American Deuce


@exercises("IR-4", "WC-16")
@pytest.mark.parametrize(
    ("bid", "penalties", "before", "then"),
    [
        # Bob made his 4 exactly and loses that; Cy was exact too and keeps it
        ("0:4 1:4 2:4", [(1, -8)], [8, 16, 16], [8, 8, 16]),
        # with one trick fewer Bob would be exact, which must not happen; Cy would have been, and is
        ("0:4 1:3 2:5", [(2, 10)], [8, 6, 10], [8, 6, 20]),
    ],
)
def test_with_exact_bids_the_offender_gets_the_lower_and_others_the_higher_score(bid, penalties, before, then):
    cards = plays("0:4WL 1:2SY 2:XW 2:XL 0:AS 1:3MW 2:9LK 0:6LK 1:8YK")
    events = [*ruling_cards("XM AK XY"), *bids(bid), *cards]
    assert offered(judged(events, game="wildcat-chicane"))["bridge"]["pending"]["code"] == "remedy-at-end"
    done = offered(judged([*events, result(3, 4, 4)], game="wildcat-chicane"))["bridge"]
    assert moved(done) == penalties
    assert done["effect"]["scores"] == {"before": before, "after": then}


@exercises("IR-4", "AT-V4", "AT-Q16")
def test_with_bids_the_tricks_given_up_are_scored_too():
    events = [*bids("0:4 1:4 2:4"), *TRUMPED, *BOB_WINS]
    assert offered(judged(events, options={"bidding": True}))["bridge"]["pending"]["code"] == "remedy-at-end"
    done = offered(judged([*events, result(4, 5, 3)], options={"bidding": True}))["bridge"]
    assert done["effect"]["scores"] == {"before": [20, 21, 0], "after": [21, 0, 20]}
    options = {"partners": True, "bidding": True, "partner_bid": "joint"}
    events = [*bids("0:2 1:2 2:2 3:2"), *plays("0:8MS 1:9MS 2:4MS 3:2WL 1:5ML 2:7ML 3:3MW 0:XM"), result(2, 3, 2, 2)]
    done = offered(judged(events, players=4, options=options))["hand-zero"]
    assert (moved(done), done["effect"]["totals"]["after"]) == ([(1, -21)], [20, 0, 20, 0])


@exercises("IR-4", "AD-26")
@pytest.mark.parametrize(
    ("cards_left", "scoring", "before", "then"),
    [
        ((0, 5, 3, 10), "all", [28, -5, -3, -20], [33, -10, -3, -20]),
        ((4, 0, 3, 1), "all", [-4, 8, -3, -1], [0, 0, 0, 0]),
        ((0, 5, 3, 10), "winner-only", [28, 0, 0, 0], [33, 0, 0, 0]),
        ((4, 0, 3, 1), "winner-only", [0, 8, 0, 0], [0, 0, 0, 0]),
    ],
)
def test_an_american_deuce_offender_pays_the_winner_double(cards_left, scoring, before, then):
    lied = [*NAMED, drop(1, "5S", "9S", constipated=True), *plays("0:3S 1:2H")]
    options = {} if scoring == "all" else {"scoring": scoring}
    done = offered(judged_round([*lied, left(*cards_left)], options=options))["hand-zero"]
    assert done["effect"]["scores"] == {"before": before, "after": then}
    again = offered(judged_round([*lied, left(*cards_left), *done["events"]], options=options))["hand-zero"]
    assert (again["events"], again["effect"]["scores"]["after"]) == ([], then), "nobody pays double twice"


@exercises("IR-4")
def test_american_deuce_states_what_the_offender_pays():
    (option,) = [each for each in AMERICAN_DEUCE.all_options() if each.key == "revoke"]
    assert dict(zip(option.values, option.labels, strict=True))["hand-zero"] == (
        "a loser pays double, a winner gets nothing"
    )
