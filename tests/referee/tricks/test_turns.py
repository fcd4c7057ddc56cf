"""What a hand of tricks accepts: turns, recording depths, the order of refusals, and settlements."""

from typing import Any

import pytest

from tests.referee.telling import (
    END,
    NOTE,
    REDEAL,
    REVOKE,
    Json,
    accepted,
    bids,
    exercises,
    finding,
    found,
    hand,
    judged,
    known,
    penalty,
    plays,
    ransoms,
    refusal,
    refused,
    remedy,
    result,
    ruling_cards,
    transfer,
    trick,
    winners,
)

# --- Whose turn it is, even after a play out of turn (REC-12)


@exercises("REC-12", "AT-4")
@pytest.mark.parametrize(
    ("events", "turn"),
    [
        ("0:8MS", 1),
        ("0:8MS 2:9MS!", 3),
        ("0:8MS 2:9MS! 3:XM", 1),
        ("0:8MS 2:9MS! 3:XM 1:XS", 3),  # the trick is full; its winner leads
        ("0:8MS 3:9MS!", 1),
        ("0:8MS 3:9MS! 1:XM", 2),
        ("2:8MS!", 3),
        ("2:8MS! 0:9MS!", 1),
    ],
)
def test_after_a_play_out_of_turn_the_next_seat_without_a_card_is_to_act(events: str, turn: int):
    assert hand(plays(events), players=4)["to_act"] == [turn]


@exercises("REC-12", "AT-12")
def test_cards_count_in_the_order_played():
    done = hand(plays("0:9MS 2:XS! 1:XM"), options={"ties": "early"})
    assert winners(done) == [2]


@exercises("REC-7", "REC-12")
def test_a_second_card_to_a_trick_is_refused():
    assert refused(plays("0:8MS 2:9MS! 2:XM")) == ("impossible", "too-many-cards")
    assert refused(plays("0:8MS 0:9MS")) == ("impossible", "too-many-cards")
    assert refusal(plays("0:8MS 0:9MS"))["reason"]["text"] == "Ann has already played to this trick."


# --- Three recording depths: every card, trick winners, the result (REC-19)


def said(done: dict) -> list[str]:
    return [reason["code"] for reason in done["unchecked"]]


@exercises("REC-19")
def test_the_recording_depth_can_change_within_a_hand():
    done = hand(plays("0:8MS 1:9MS 2:2MK"), trick(2), plays("2:XL 0:9LK 1:AL"), trick(0), result(3, 5, 4))
    assert winners(done) == [1, 2, 2, 0]
    assert (done["tricks_won"], done["scores"], done["phase"]) == ([3, 5, 4], [3, 5, 4], "finished")
    assert [len(entry["plays"]) for entry in done["tricks"]] == [3, 0, 3, 0]
    assert said(done) == ["hands-unknown", "tricks-without-cards", "result-only", "no-counting"]


@exercises("REC-19")
@pytest.mark.parametrize("tricks", [1, 11])
def test_unseen_tricks_reduce_the_cards_left(tricks: int):
    done = hand([trick(0)] * tricks)
    assert done["cards_left"] == [12 - tricks] * 3
    assert hand([trick(0)] * 12)["phase"] == "finished"


@exercises("REC-19", "AT-8")
@pytest.mark.parametrize(
    ("event", "trump"),
    [(trick(0), "S"), (trick(0, trump="K"), "K"), (trick(0, trump="S"), "S"), (trick(0, trump="knots"), "K")],
)
def test_a_trick_recorded_without_trump_keeps_the_trump(event: dict, trump: str | None):
    done = hand(plays("0:7SK 1:9MS 2:AS"), event)
    assert (done["trump"], done["tricks"][1]["trump"]) == (trump, trump)


@exercises("REC-5", "REC-6")
def test_the_recorded_last_card_is_checked_but_proves_nothing():
    done = hand(plays("0:8MS 1:2WL 2:9MS"), trick(1, last="XM"), plays("1:XS 2:XM"))
    assert found(done) == [("revoke", "proved", 1)]  # by the Bard, not by the suit named with the Huntress


@exercises("REC-19")
def test_a_fully_known_hand_has_nothing_unchecked():
    hands = {"s0": "8MS 9MS XM 4MS 3MW 5ML 6MW 7ML 2MK", "s1": "2SY 3SK 5SW 6SY 7SK AS XS AM AK"}
    done = judged(known(plays("0:8MS"), **hands), players=2)["hands"][0]
    assert done["unchecked"] == []
    half = judged(known(plays("0:8MS"), s0=hands["s0"]), players=2)["hands"][0]
    assert said(half) == ["hands-unknown"]


# --- Every code of a refused event, and which one is reported if several apply

ENTERED = ["XM", "XS", "2SY", "3MW", "9MS", "2WL", "AK", "XK", "3LY", "4YK", "5YK", "6LK"]
KNOWN = {"1": ENTERED}
PLAYED = plays("0:8MS")
FINISHED = [result(4, 4, 4)]


def play(seat: int, *cards: str, **more: Any) -> Json:
    return {"type": "play", "seat": seat, "cards": list(cards), **more}


# To each line's event, its own code and all later compatible ones apply.
IMPOSSIBLE = [
    ("hand-finished", FINISHED, play(9, "E", "E"), {}),
    ("hand-finished", [REDEAL], play(9, "E", "E"), {}),
    ("wrong-phase", [], play(9, "E", "E"), {"options": {"bidding": True}}),
    ("no-such-seat", PLAYED, play(9, "8MS", "8MS"), {}),
    ("no-such-seat", PLAYED, play(-1), {}),
    ("wrong-count", PLAYED, play(0, "E", "8MS"), {}),
    ("wrong-count", PLAYED, play(0), {}),
    ("not-in-deck", PLAYED, play(0, "E", suit="Z"), {}),
    ("not-in-deck", PLAYED, play(0, "??"), {}),
    ("already-played", PLAYED, play(0, "8MS", suit="Z"), {}),
    ("too-many-cards", PLAYED, play(0, "XM", suit="Z"), {"known_hands": KNOWN}),
    ("not-in-hand", PLAYED, play(1, "XW", suit="Z"), {"known_hands": KNOWN}),
    ("not-in-hand", PLAYED, play(2, "XM", suit="Z"), {"known_hands": KNOWN}),
    ("bad-suit", PLAYED, play(2, "XW", suit="Z"), {}),
    ("bad-suit", PLAYED, play(1, "2WL", suit="W"), {"known_hands": KNOWN}),
]


@exercises("REC-1", "REC-2", "REC-3", "REC-4", "REC-5", "REC-6", "REC-7", "REC-8", "REC-9")
@pytest.mark.parametrize(("code", "before", "event", "more"), IMPOSSIBLE)
def test_the_first_failing_check_is_reported(code: str, before: list, event: Json, more: dict):
    for each in (event, accepted(event)):  # what is impossible cannot be accepted
        assert refused(before, each, **more) == ("impossible", code)


IRREGULAR = [
    ("out-of-turn", PLAYED, play(2, "2WL"), {}),
    ("out-of-turn", [], play(1, "2WL"), {"options": {"called_suit": True}}),
    ("no-suit-called", [], play(0, "8MS"), {"options": {"called_suit": True}}),
    ("excuse-led", [], play(0, "E"), {"options": {"excuse": True, "excuse_led": "forbidden", "called_suit": True}}),
    ("out-of-turn", [], play(2, "E"), {"options": {"excuse": True, "excuse_led": "forbidden"}}),
    ("revoke", PLAYED, play(1, "2WL"), {"known_hands": KNOWN}),
    ("out-of-turn", plays("0:8MS"), play(2, "2WL"), {"known_hands": {"2": ENTERED}}),
]


@exercises("REC-12", "AT-V7", "AT-Q9", "AT-5")
@pytest.mark.parametrize(("code", "before", "event", "more"), IRREGULAR)
def test_the_first_irregular_code_is_reported(code: str, before: list, event: Json, more: dict):
    assert refused(before, event, **more) == ("irregular", code)


@exercises("REC-21", "REC-12", "AT-5")
def test_an_accepted_event_records_every_irregular_code_that_applies():
    answer = judged(known([*PLAYED, accepted(play(2, "2WL"))], s2=" ".join(ENTERED)))
    assert found(answer["hands"][0]) == [("out-of-turn", "seen", 2), ("revoke", "seen", 2)]
    for each in answer["hands"][0]["irregularities"]:
        assert (each["event"], each["proved_by"], each["suspects"]) == ([0, 1], [], [2])


@exercises("REC-21", "IR-1", "IR-9")
def test_an_irregular_event_is_recorded_only_if_the_table_accepts_it():
    answer = judged([*PLAYED, play(2, "2WL")])
    rejected = answer["rejected"]
    assert (rejected["verdict"], rejected["hand"], rejected["event"]) == ("irregular", 0, 1)
    assert len(answer["hands"][0]["tricks"][0]["plays"]) == 1
    taken = finding(PLAYED, accepted(play(2, "2WL")))
    assert [remedy["code"] for remedy in taken["remedies"]][:2] == ["stand", "take-back"]


@exercises("REC-2", "REC-5")
@pytest.mark.parametrize(
    "event",
    [
        {"type": "pass", "seat": 0},
        {"type": "suit", "seat": 0, "suit": "S"},
        {"type": "drop-deuce", "king": 0},
        {"type": "ransom", "seat": 0, "cards": ["8MS"]},
        {"type": "ruling-card", "seat": 0, "cards": ["XM"]},
        {"type": "trump", "seat": 0, "suit": "M"},
        {"type": "bid", "seat": 0, "tricks": 1},
    ],
)
def test_an_event_of_another_game_is_refused_as_the_wrong_phase(event: Json):
    assert refused(event) == ("impossible", "wrong-phase")
    assert refused(FINISHED, event) == ("impossible", "hand-finished")


@exercises("REC-11")
@pytest.mark.parametrize(
    "event",
    [
        result(4, 4), result(4, 4, 4, 0), result(4, 4, 5), result(-1, 4, 9), result(4, 8, 0), result(4, 4, 3),
        {"type": "result", "cards_left": [0, 1, 2]}, {"type": "result", "points": [4, 4, 4]}, {"type": "result"},
        {"type": "result", "tricks": [4, 4, 4], "points": [4, 4, 4]},
    ],
)  # fmt: skip
def test_a_result_that_does_not_fit_is_refused(event: Json):
    assert refused(trick(2), event) == ("impossible", "bad-result")


@exercises("REC-11", "REC-13", "REC-3")
@pytest.mark.parametrize(
    ("event", "code"),
    [
        (transfer(0, 1, 3), "bad-result"), (transfer(0, 0, 1), "bad-result"), (transfer(0, 1, 0), "bad-result"),
        (transfer(0, 1, -1), "bad-result"), (transfer(0, 3, 1), "no-such-seat"), (transfer(-1, 0, 1), "no-such-seat"),
        (transfer(2, 0, 1), "bad-result"), (trick(3), "no-such-seat"), (trick(-1), "no-such-seat"),
        (penalty(3, 1), "no-such-seat"), ({"type": "note", "text": "", "seat": 3}, "no-such-seat"),
        (trick(0, last="E"), "not-in-deck"), (trick(0, last="8MS"), "already-played"),
        (trick(0, points={"0": 1}), "bad-result"), (result(4, 4, 4, last="8MS"), "already-played"),
        (result(4, 4, 4, last="?"), "not-in-deck"),
    ],
)  # fmt: skip
def test_other_impossible_entries_are_refused(event: Json, code: str):
    before = [trick(0), *plays("0:8MS 1:2WL 2:3LY")]
    assert refused(before, event) == ("impossible", code)


SETTLEMENTS = [NOTE, penalty(0, 1), REDEAL, END, transfer(0, 1, 1)]


@exercises("REC-1")
@pytest.mark.parametrize(
    ("before", "taken"),
    [
        ([trick(0)], "note penalty redeal end transfer"),
        ([result(12, 0, 0)], "note penalty redeal end transfer"),
        ([trick(0), REDEAL], "note penalty end"),
        ([trick(0), END], "note penalty"),
        ([result(12, 0, 0), REDEAL], "note penalty end"),
        ([result(12, 0, 0), END], "note penalty"),
        ([REDEAL, END], "note penalty"),
    ],
)
def test_which_events_a_hand_still_accepts(before: list[Json], taken: str):
    for event in SETTLEMENTS:
        if event["type"] in taken.split():
            assert hand(before, event)
        else:
            assert refused(before, event) == ("impossible", "hand-finished")


@exercises("REC-1", "REC-2")
@pytest.mark.parametrize(
    ("hands", "more", "code"),
    [
        (([trick(0)], [NOTE]), {}, "wrong-phase"),
        (([], [NOTE]), {}, "wrong-phase"),  # a hand without events counts as dealt and in play
        (([END], [NOTE]), {}, "hand-finished"),
        (([result(12, 0, 0)], [NOTE]), {"end": {"kind": "hands", "value": 1}}, "hand-finished"),
    ],
)
def test_a_hand_that_cannot_begin_is_not_listed(hands: tuple, more: dict, code: str):
    answer = judged(*hands, **more)
    assert (answer["rejected"]["hand"], answer["rejected"]["event"]) == (1, 0)
    assert answer["rejected"]["reason"]["code"] == code
    assert len(answer["hands"]) == 1
    assert judged(hands[0], [], **more)["rejected"] is None


@exercises("REC-2", "REC-19")
def test_a_half_played_trick_allows_a_winner_but_no_result():
    assert hand(PLAYED, trick(0))["irregularities"] == []
    assert refused(PLAYED, result(4, 4, 4)) == ("impossible", "wrong-phase")


@pytest.mark.parametrize(
    ("game", "events", "options"),
    [
        ("ransom-trump", ransoms("8MS"), {}),
        ("wildcat-chicane", ruling_cards("XM"), {}),
        ("ace-trump", bids("0:1"), {"bidding": True}),
        ("wildcat-chicane", [*ruling_cards("XM AK XS"), *bids("0:4")], {}),
    ],
)
def test_settlements_are_taken_in_every_phase(game: str, events: list, options: dict):
    for event in (NOTE, penalty(1, -2), REDEAL, END):
        assert hand(events, event, game=game, options=options)
    assert refused(events, transfer(0, 1, 1), game=game, options=options) == ("impossible", "bad-result")


# --- Settlements: penalties, transfers, redeals, the end (REC-13 .. REC-16), and what a revoke leaves as it was


@exercises("REC-13", "IR-6")
def test_a_penalty_counts_at_once_even_after_the_hand_or_the_game():
    done = hand(trick(0), penalty(0, -3), penalty(2, 2))
    assert done["scores"] == [-2, 0, 2]
    assert [(line["seat"], line["points"]) for line in done["score_lines"]] == [(0, 1), (0, -3), (2, 2)]
    assert "agreed" in done["score_lines"][1]["reason"]["text"]
    answer = judged([result(5, 4, 3), penalty(1, 2)], end={"kind": "score", "value": 6})
    assert (answer["totals"], answer["finished"], answer["winners"]) == ([5, 6, 3], True, [1])
    answer = judged([result(5, 4, 3), END, penalty(1, 2)])
    assert (answer["totals"], answer["winners"]) == ([5, 6, 3], [1])


@exercises("REC-13", "REC-11")
def test_transferred_tricks_score_for_the_receiver_and_results_count_tricks_won():
    done = hand(trick(0), trick(0), transfer(0, 1, 1), result(6, 3, 3))
    assert (done["tricks_won"], done["scores"]) == ([5, 4, 3], [5, 4, 3])
    assert winners(done) == [0, 0]
    done = hand(trick(0), transfer(0, 1, 1), result(1, 11, 0))
    assert done["tricks_won"] == [0, 12, 0]


@exercises("REC-14", "TT-5")
def test_a_redealt_hand_scores_only_its_penalties_and_the_same_dealer_deals_again():
    events = [*plays("0:8MS 1:9MS 2:XM"), penalty(1, -2), REDEAL]
    answer = judged(events, [result(12, 0, 0)], dealer=2, end={"kind": "hands", "value": 1})
    first, second = answer["hands"]
    assert (first["phase"], first["scores"], first["to_act"]) == ("void", [0, -2, 0], [])
    assert len(first["tricks"]) == 1
    assert [first["number"], second["number"]] == [1, 2]
    assert [first["dealer"], second["dealer"]] == [2, 2]
    assert (answer["totals"], answer["finished"]) == ([12, -2, 0], True)


@exercises("REC-14", "REC-13")
def test_a_redeal_takes_scores_back_and_a_penalty_in_it_ends_no_game():
    answer = judged([result(12, 0, 0), REDEAL], end={"kind": "score", "value": 10})
    assert (answer["totals"], answer["finished"], answer["next"]["dealer"]) == ([0, 0, 0], False, 2)
    answer = judged([REDEAL, penalty(0, 50)], end={"kind": "score", "value": 10})
    assert (answer["totals"], answer["finished"]) == ([50, 0, 0], False)
    after = judged([REDEAL, penalty(0, 50)], [result(0, 12, 0)], end={"kind": "score", "value": 10})
    assert (after["finished"], after["winners"]) == (True, [0])


@exercises("REC-16", "REC-14")
def test_an_agreed_end_voids_a_running_hand_and_keeps_a_finished_one():
    answer = judged([result(5, 4, 3)], [trick(1), trick(1), END])
    assert answer["hands"][1]["phase"] == "void"
    assert (answer["totals"], answer["finished"], answer["winners"], answer["next"]) == ([5, 4, 3], True, [0], None)
    answer = judged([result(5, 5, 2), END])
    assert (answer["hands"][0]["phase"], answer["winners"]) == ("finished", [0, 1])


@exercises("REC-15", "REC-16")
def test_totals_start_from_carried_points_and_the_next_deal_is_named():
    answer = judged([result(5, 4, 3)], carried=[10, -2, 0], end={"kind": "score", "value": 15})
    assert (answer["totals"], answer["finished"], answer["winners"]) == ([15, 2, 3], True, [0])
    assert judged()["next"]["number"] == 1
    assert judged([trick(0)])["next"] is None
    assert judged([result(12, 0, 0)])["next"] == {
        "number": 2, "dealer": 0, "seating": [0, 1, 2], "hand_size": [12, 12, 12],
    }  # fmt: skip


@exercises("IR-3", "IR-9")
def test_an_established_revoke_leaves_the_trick_as_played():
    done = hand(REVOKE)
    assert winners(done)[0] == 2
    assert found(done) == [("revoke", "proved", 1)]
    assert "IR-9" in remedy(done["irregularities"][0], "stand")["clauses"]


@exercises("IR-4", "REC-13")
def test_tricks_given_up_for_a_revoke_are_transferred_before_bids_are_scored():
    assert "IR-4" in remedy(finding(REVOKE), "bridge")["clauses"]
    done = hand(bids("0:4 1:4 2:4"), result(4, 5, 3), transfer(1, 2, 1), options={"bidding": True})
    assert done["scores"] == [20, 20, 20]


@exercises("IR-8", "REC-12")
def test_an_out_of_turn_play_offers_to_let_it_stand_or_to_take_it_back():
    found = finding(plays("0:8MS 2:9MS!"))
    assert "IR-8" in remedy(found, "take-back")["clauses"]
    assert "IR-9" in remedy(found, "stand")["clauses"]


@exercises("REC-21", "AT-5")
def test_seen_findings_are_not_reported_again_as_proved():
    entered = "3MW 9MS 2WL AK XK 3LY 4YK 5YK 6LK 7WY 8YK 9LK"
    events = [*plays("0:8MS"), accepted(plays("1:2WL")[0]), *plays("2:XM 2:XL 0:AL 1:3MW!")]
    done = judged(known(events, s1=entered))["hands"][0]
    assert found(done) == [("revoke", "seen", 1), ("revoke", "seen", 1)]
    assert [finding["event"] for finding in done["irregularities"]] == [[0, 1], [0, 5]]
