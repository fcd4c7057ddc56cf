"""The variants and house rules of Ace Trump: every option, every value, every forbidden combination."""

import pytest

from referee.engine.rules import Refused
from tests.referee.telling import (
    END,
    REDEAL,
    bids,
    exercises,
    found,
    hand,
    in_order,
    judged,
    plays,
    refused,
    result,
    trick,
    winners,
)


@exercises("AT-V1")
def test_with_sticky_aces_only_the_first_ace_sets_trump():
    events = plays("0:7SK 1:9MS 2:AS 1:2WL 2:XW 0:AL")
    done = hand(events, options={"trump": "sticky"})
    assert [entry["trump"] for entry in done["tricks"]] == ["S", "S"]
    assert winners(done) == [1, 2]
    assert winners(hand(events)) == [1, 1]
    both = hand(in_order("8MS AM AS"), options={"trump": "sticky"})
    assert (winners(both), both["trump"]) == ([0], "M")


@exercises("AT-V1", "AT-Q5")
def test_with_sticky_aces_a_later_led_ace_wins_if_all_others_are_void():
    done = hand(plays("0:AM 1:9MS 2:2MK 1:AS 2:9LK 0:XK"), options={"trump": "sticky"})
    assert (winners(done), done["trump"]) == ([1, 1], "M")


@exercises("AT-Q2")
def test_the_first_of_two_aces_sets_trump_by_house_rule():
    options = {"two_aces": "first"}
    events = in_order("8MS AM AS")
    assert winners(hand(events)) == [0]
    done = hand(in_order("7SK AM AS"), options=options)
    assert (winners(done), done["tricks"][0]["trump"], done["trump"]) == ([1], "M", "S")
    running = hand(plays("0:7SK 1:AM 2:AS 3:9LK"), players=5, options=options)
    assert (running["trump"], running["tricks"][0]["trump"]) == ("M", "M")
    assert winners(hand(in_order("7SK AM AS"))) == [0]


@exercises("AT-V2", "AT-V8", "AT-12")
@pytest.mark.parametrize(
    ("ties", "cards", "winner", "code"),
    [
        ("symbol", "9MS XS XM", 2, "higher-symbol"),
        ("early", "9MS XS XM", 1, "earlier-of-equals"),
        ("late", "9MS XM XS", 2, "later-of-equals"),
        ("late", "9MS XS XM", 2, "later-of-equals"),
    ],
)
def test_who_wins_among_equal_ranks(ties: str, cards: str, winner: int, code: str):
    done = hand(in_order(cards), options={"ties": ties})
    assert (winners(done), done["tricks"][0]["reason"]["code"]) == ([winner], code)


@exercises("AT-V8", "AT-17", "AT-Q9")
def test_late_bird_does_not_apply_to_pawns_or_after_a_free_excuse():
    assert winners(hand(in_order("9MS PMYK PMSL"), options={"ties": "late", "pawns": True})) == [1]
    free = {"ties": "late", "excuse": True, "excuse_led": "free"}
    assert winners(hand(in_order("E XL XK"), options=free)) == [1]


@exercises("AT-V7", "AT-Q20")
def test_only_the_called_suit_is_followed():
    options = {"called_suit": True}
    done = hand(plays("0:8MS/M 1:9MS 2:XS"), options=options)
    assert (winners(done), done["irregularities"]) == ([1], [])
    assert winners(hand(plays("0:8MS/S 1:9MS 2:XS"), options=options)) == [2]
    assert found(hand(plays("0:8MS/M 1:9MS 2:XS 1:XL 2:4MS"), options=options)) == [("revoke", "proved", 2)]
    assert found(hand(plays("0:8MS/M 1:9MS 2:XS 1:XL 2:7SK"), options=options)) == []


@exercises("AT-V7")
@pytest.mark.parametrize(
    ("events", "options", "answer"),
    [
        ("0:8MS", {}, ("irregular", "no-suit-called")),
        ("0:8MS/K", {}, ("impossible", "bad-suit")),
        ("0:8MS/Z", {}, ("impossible", "bad-suit")),
        ("0:XM/S", {}, ("impossible", "bad-suit")),
        ("0:8MS/M 1:9MS/M", {}, ("impossible", "bad-suit")),
        ("0:E/M", {"excuse": True}, ("impossible", "bad-suit")),
        ("0:E 1:8MS", {"excuse": True}, ("irregular", "no-suit-called")),
        ("0:E 1:8MS/M", {"excuse": True, "excuse_led": "free"}, ("impossible", "bad-suit")),
        ("0:8MS/M", {"called_suit": False}, ("impossible", "bad-suit")),
    ],
)
def test_when_a_suit_may_or_must_be_called(events: str, options: dict, answer: tuple[str, str]):
    assert refused(plays(events), options={"called_suit": True} | options) == answer


@exercises("AT-V7", "AT-Q9")
def test_the_called_suit_may_be_omitted_if_none_can_be_named():
    options = {"called_suit": True, "excuse": True}
    assert found(hand(plays("0:XM 1:9MS 2:3MW"), options=options)) == []
    assert found(hand(plays("0:XM/M 1:9MS 2:3MW"), options=options)) == []
    assert winners(hand(plays("0:E 1:8MS/M 2:XS"), options=options)) == [1]
    free = options | {"excuse_led": "free"}
    assert winners(hand(plays("0:E 1:8MS 2:XS"), options=free)) == [2]


@exercises("AT-V7")
def test_an_accepted_lead_without_a_called_suit_is_followed_by_any_of_its_suits():
    done = hand(plays("0:8MS! 1:9MS 2:XS"), options={"called_suit": True})
    assert found(done) == [("no-suit-called", "seen", 0)]
    assert winners(done) == [2]


@exercises("AT-V3", "AT-Q17", "REC-15")
@pytest.mark.parametrize(
    ("players", "tricks", "totals"), [(4, (1, 2, 3, 3), [4, 5, 4, 5]), (6, (1, 2, 3, 0, 0, 0), [1, 2, 3, 1, 2, 3])]
)
def test_opposite_seats_are_partners_and_their_scores_are_added(players: int, tricks: tuple, totals: list):
    answer = judged([result(*tricks)], players=players, options={"partners": True})
    assert (answer["hands"][0]["scores"], answer["totals"]) == (list(tricks), totals)


@exercises("AT-V3", "REC-15", "REC-16")
def test_partners_win_together_and_pool_carried_points():
    answer = judged([result(1, 2, 3, 3), END], players=4, options={"partners": True}, carried=[5, 0, 5, 0])
    assert (answer["totals"], answer["winners"]) == ([9, 5, 9, 5], [0, 2])


@exercises("AT-V4", "AT-Q15", "AT-3")
def test_bids_go_round_from_the_dealers_left_before_the_first_lead():
    options = {"bidding": True}
    opened = hand(options=options, dealer=0)
    assert (opened["phase"], opened["to_act"], opened["scores"]) == ("bidding", [1], [None] * 3)
    assert refused(plays("1:8MS"), options=options, dealer=0) == ("impossible", "wrong-phase")
    assert hand(bids("1:2 2:2"), options=options, dealer=0)["to_act"] == [0]
    done = hand(bids("1:2 2:2 0:8"), options=options, dealer=0)
    assert (done["phase"], done["to_act"], done["bids"]) == ("play", [1], [8, 2, 2])


@exercises("AT-V4")
@pytest.mark.parametrize(
    ("bid", "tricks", "points", "code"),
    [(3, 2, 0, "bid-missed"), (3, 3, 15, "bid-made"), (3, 5, 17, "bid-made"), (0, 0, 0, "bid-made"),
     (0, 2, 2, "bid-made"), (12, 12, 60, "bid-made")],
)  # fmt: skip
def test_a_failed_bid_scores_0_and_a_made_bid_5_per_trick_plus_overtricks(bid, tricks, points, code):
    done = hand(bids(f"0:{bid} 1:0 2:0"), result(tricks, 12 - tricks, 0), options={"bidding": True})
    assert done["scores"][0] == points
    line = next(line for line in done["score_lines"] if line["seat"] == 0)
    assert (line["reason"]["code"], line["reason"]["clauses"]) == (code, ["AT-V4"])


@exercises("AT-V4", "REC-10", "AT-Q15")
@pytest.mark.parametrize(("bid", "taken"), [(-1, False), (0, True), (12, True), (13, False)])
def test_a_bid_is_a_number_from_0_to_all_tricks(bid: int, taken: bool):
    if taken:
        assert hand(bids(f"0:{bid}"), options={"bidding": True})["bids"][0] == bid
    else:
        assert refused(bids(f"0:{bid}"), options={"bidding": True}) == ("impossible", "bad-bid")


@exercises("AT-Q15")
def test_the_hook_forbids_a_last_bid_that_makes_the_bids_add_up():
    hook = {"bidding": True, "hook": True}
    assert refused(bids("0:4 1:4 2:4"), options=hook) == ("irregular", "forbidden-bid")
    assert hand(bids("0:4 1:4 2:4"), options={"bidding": True})["irregularities"] == []
    assert hand(bids("0:4 1:4 2:5"), options=hook)["irregularities"] == []
    assert found(hand(bids("0:4 1:4 2:4!"), options=hook)) == [("forbidden-bid", "seen", 2)]


@exercises("REC-12", "AT-Q15", "IR-16")
def test_an_accepted_bid_out_of_turn_stands_and_the_hook_binds_the_last_bidder():
    hook = {"bidding": True, "hook": True}
    assert refused(bids("1:4"), options=hook) == ("irregular", "out-of-turn")
    done = hand(bids("1:4! 0:4"), options=hook)
    assert (done["to_act"], done["bids"], found(done)) == ([2], [4, 4, None], [("out-of-turn", "seen", 1)])
    assert refused(bids("1:4! 2:4! 0:4"), options=hook) == ("irregular", "forbidden-bid")
    assert refused(bids("0:4 0:3"), options=hook) == ("impossible", "wrong-phase")
    assert found(hand(bids("2:4! 1:4! 0:4!"), options=hook)) == [
        ("out-of-turn", "seen", 2), ("out-of-turn", "seen", 1), ("forbidden-bid", "seen", 0),
    ]  # fmt: skip


@exercises("AT-Q16")
def test_partners_bids_are_scored_one_by_one_or_together():
    events = [*bids("0:1 1:2 2:3 3:0"), result(3, 2, 2, 2)]
    options = {"partners": True, "bidding": True}
    apart = judged(events, players=4, options=options)
    assert (apart["hands"][0]["scores"], apart["totals"]) == ([7, 10, 0, 2], [7, 12, 7, 12])
    joint = judged(events, players=4, options=options | {"partner_bid": "joint"})
    assert (joint["hands"][0]["scores"], joint["totals"]) == ([21, 12, 0, 0], [21, 12, 21, 12])
    assert {"AT-Q16"} <= set(joint["hands"][0]["score_lines"][0]["reason"]["clauses"])


TIDES = {"tides": True}


@exercises("AT-V5")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_hand_of_tides_has_one_card(players: int):
    assert judged(players=players, options=TIDES)["next"]["hand_size"] == [1] * players


@exercises("AT-V5", "AT-Q18", "AT-Q19")
@pytest.mark.parametrize(
    ("cards", "options", "size"),
    [
        ("8MS 2MK AS", {}, 1),
        ("8MS AS 2MK", {}, 2),
        ("AS 2MK 8MS", {}, 8),
        ("8MS 2MK XS", {}, 9),
        ("8MS 2MK PMSL", {"pawns": True}, 9),
        ("8MS 2MK CMWK", {"courts": True}, 9),
        ("8MS 2MK E", {"excuse": True}, 2),
        ("8MS 2MK E", {"excuse": True, "tides_excuse": "one"}, 1),
        ("8MS 2MK E", {"excuse": True, "tides_excuse": "same"}, 1),
        ("8MS XS 2MK", {"tides_last": "winning"}, 9),
        ("8MS 2MK 9LK", {"tides_last": "winning"}, 8),
    ],
)
def test_the_last_card_of_the_last_trick_sets_the_next_hand_size(cards: str, options: dict, size: int):
    answer = judged(in_order(cards), options=TIDES | options)
    assert answer["next"]["hand_size"] == [size] * 3


@exercises("AT-V5", "AT-Q18")
def test_a_last_excuse_repeats_the_hand_size():
    first = plays("0:8MS 1:2MK 2:4MS")
    second = [*[trick(0)] * 3, *plays("0:8MS 1:2MK 2:E")]
    options = TIDES | {"excuse": True, "tides_excuse": "same"}
    assert judged(first, second, options=options)["next"]["hand_size"] == [4] * 3


@exercises("AT-V5", "REC-19")
def test_an_unrecorded_last_card_stops_a_table_with_tides():
    for event in (trick(0), result(1, 0, 0)):
        answer = judged([event], options=TIDES)
        assert answer["next"]["hand_size"] is None
        assert "tide-unknown" in [reason["code"] for reason in answer["hands"][0]["unchecked"]]
        further = judged([event], plays("0:8MS"), options=TIDES)
        assert further["rejected"]["reason"]["code"] == "wrong-phase"
        assert "AT-V5" in further["rejected"]["reason"]["clauses"]
        known_tide = judged([event | {"last": "7SK"}], options=TIDES)
        assert known_tide["next"]["hand_size"] == [7] * 3


@exercises("AT-V5", "AT-Q18")
@pytest.mark.parametrize(("excuse", "size"), [("ranked", None), ("one", [1] * 3), ("same", [1] * 3)])
def test_a_last_card_excuse_can_leave_the_next_hand_size_unknown(excuse: str, size):
    answer = judged([trick(0, last="E")], options=TIDES | {"excuse": True, "tides_excuse": excuse})
    assert answer["next"]["hand_size"] == size


@exercises("AT-V5", "REC-14")
def test_a_void_hand_leaves_the_hand_size_unchanged():
    assert judged(plays("0:8MS 1:2MK 2:4MS"), [REDEAL], options=TIDES)["next"]["hand_size"] == [4] * 3


@exercises("AT-Q3", "REC-14")
def test_trump_carries_into_the_next_hand_by_house_rule():
    carry = {"trump_carry": True}
    first = [*plays("0:7SK 1:9MS 2:AS"), result(4, 4, 4)]
    answer = judged(first, plays("1:8MS 2:XM 0:XS"), options=carry)
    assert (answer["hands"][1]["trump"], winners(answer["hands"][1])) == ("S", [0])
    changed = plays("1:8MS 2:AM")
    assert judged(first, [*changed, REDEAL], [], options=carry)["hands"][2]["trump"] == "S"
    sticky = judged(first, plays("1:8MS 2:AM 0:AL"), options=carry | {"trump": "sticky"})
    assert sticky["hands"][1]["trump"] == "M"  # the first Ace of the new hand sets it anew


CONFLICTS = [
    ("AT-V6", {"trump": "fixed"}, 3, "fixed_trump"),
    ("AT-V6", {"fixed_trump": "M"}, 3, "fixed_trump"),
    ("AT-Q20", {"trump": "sticky", "fixed_trump": "M"}, 3, "fixed_trump"),
    ("AT-Q2", {"two_aces": "first", "trump": "sticky"}, 3, "two_aces"),
    ("AT-Q2", {"two_aces": "first", "trump": "fixed", "fixed_trump": "M"}, 3, "two_aces"),
    ("AT-Q3", {"trump_carry": True, "trump": "fixed", "fixed_trump": "M"}, 3, "trump_carry"),
    ("AT-V3", {"partners": True}, 3, "partners"),
    ("AT-Q17", {"partners": True}, 2, "partners"),
    ("AT-V3", {"partners": True}, 5, "partners"),
    ("AT-Q15", {"hook": True}, 3, "hook"),
    ("AT-Q16", {"partner_bid": "joint"}, 4, "partner_bid"),
    ("AT-Q16", {"partner_bid": "joint", "partners": True}, 4, "partner_bid"),
    ("AT-V5", {"tides": True}, 5, "tides"),
    ("AT-Q19", {"tides_last": "winning"}, 3, "tides_last"),
    ("AT-Q18", {"tides_excuse": "one", "tides": True}, 3, "tides_excuse"),
    ("AT-Q18", {"tides_excuse": "one", "excuse": True}, 3, "tides_excuse"),
    ("AT-Q12", {"two_player_deal": "all"}, 3, "two_player_deal"),
]


@pytest.mark.parametrize(("clause", "options", "players", "key"), CONFLICTS)
def test_conflicting_options_are_refused_and_the_key_is_named(clause, options, players, key):
    with pytest.raises(Refused) as refusal:
        judged(players=players, options=options)
    assert f"/options/{key}" in [problem.pointer for problem in refusal.value.problems]
    assert not refusal.value.malformed
    assert key in str(refusal.value)


@exercises("AT-Q20")
@pytest.mark.parametrize("ties", ["symbol", "early", "late"])
def test_called_suit_works_with_any_tie_rule(ties: str):
    options = {"called_suit": True, "ties": ties, "revoke": "stand"}
    assert judged(options=options)["options"]["ties"] == ties


@exercises("IR-2", "IR-3", "IR-4")
@pytest.mark.parametrize("revoke", ["ask", "stand", "bridge", "hand-zero", "redeal"])
def test_the_default_proposal_after_a_revoke_is_a_house_rule(revoke: str):
    done = hand(plays("0:8MS 1:2WL 2:9MS 2:9LK 0:XL 1:3MW"), options={"revoke": revoke})
    remedies = done["irregularities"][0]["remedies"]
    proposed = [remedy["code"] for remedy in remedies if remedy["proposed"]]
    assert proposed == ([] if revoke == "ask" else [revoke])
    assert {"stand", "bridge", "hand-zero", "redeal", "correct", "penalty"} <= {r["code"] for r in remedies}
