"""Ace Trump, clause by clause: AT-1 .. AT-17, the defaults where the rules are silent, and the house rules."""

import pytest

from referee.engine.rules import Refused
from tests.referee.telling import (
    END,
    REDEAL,
    Json,
    accepted,
    bids,
    exercises,
    found,
    hand,
    in_order,
    judged,
    known,
    plays,
    refused,
    result,
    trick,
    winners,
)

EXTENDED = {"excuse": True, "pawns": True, "courts": True}


@exercises("AT-1")
@pytest.mark.parametrize("players", [1, 7])
def test_two_to_six_can_play(players: int):
    with pytest.raises(Refused, match="2 to 6"):
        judged(players=players)


@exercises("AT-1", "AT-2", "AT-15", "AT-Q11", "AT-Q12", "AT-Q13")
@pytest.mark.parametrize(
    ("options", "players", "size"),
    [
        ({}, 2, 9), ({}, 3, 12), ({}, 4, 9), ({}, 5, 7), ({}, 6, 6),
        ({"excuse": True}, 3, 12), ({"pawns": True}, 3, 13), ({"courts": True}, 4, 10), (EXTENDED, 3, 15),
        (EXTENDED, 4, 11), (EXTENDED, 5, 9), (EXTENDED, 6, 7), (EXTENDED, 2, 9), (EXTENDED | {"excuse": False}, 6, 7),
        ({"two_player_deal": "all"}, 2, 18), (EXTENDED | {"two_player_deal": "all"}, 2, 22),
    ],
)  # fmt: skip
def test_the_deck_is_dealt_evenly_with_the_rest_set_aside(options: dict, players: int, size: int):
    assert judged(players=players, options=options)["next"]["hand_size"] == [size] * players


@exercises("AT-Q11", "AT-15", "REC-5")
@pytest.mark.parametrize("card", ["E", "PMSL", "CMWK"])
def test_extra_cards_are_optional(card: str):
    assert refused(plays(f"0:{card}")) == ("impossible", "not-in-deck")
    assert hand(plays(f"0:{card}"), options=EXTENDED)["tricks"][0]["plays"]


@exercises("AT-3", "AT-4", "AT-13")
def test_the_dealers_left_leads_and_each_winner_leads_next():
    assert hand(dealer=1)["to_act"] == [2]
    first = hand(plays("2:8MS 0:9MS"), dealer=1)
    assert first["to_act"] == [1]
    done = hand(plays("2:8MS 0:9MS 1:4MS"), dealer=1)
    assert winners(done) == [0]
    assert done["to_act"] == [0]
    assert hand(plays("2:8MS 0:9MS 1:4MS 0:2WL"), dealer=1)["tricks"][1]["leader"] == 0


ABLE = "3MW 9MS 2WL AK XK 3LY 4YK 5YK 6LK 7WY 8YK 9LK"
VOID = "AL 2WL 3LY 4YK 5YK 6LK 7WY 8YK 9LK XK XL XY"


@exercises("AT-5", "AT-6", "TT-1", "TT-2", "TT-3")
@pytest.mark.parametrize(
    ("cards", "card", "breach"),
    [(ABLE, "3MW", []), (ABLE, "9MS", []), (ABLE, "2WL", [("revoke", "seen", 1)]), (VOID, "XK", [])],
)
def test_a_player_who_can_follow_must_and_one_shared_suit_suffices(cards: str, card: str, breach: list):
    led, event = plays(f"0:8MS 1:{card}")
    rejected = judged(known([led, event], s1=cards))["rejected"]
    assert (rejected is not None) is bool(breach)
    answer = judged(known([led, accepted(event)], s1=cards))
    assert found(answer["hands"][0]) == breach


EXCUSE = {"excuse": True}
FREE = EXCUSE | {"excuse_led": "free"}
PAWNS = {"pawns": True}
COURTS = {"courts": True}
FIRST = {"two_aces": "first"}
MOONS = {"trump": "fixed", "fixed_trump": "M"}

TRICKS = [
    # options, cards in order, winner, trump of the trick, code, clauses
    ({}, "3MW 9MS XM", 2, None, "highest-follower", "AT-10"),
    ({}, "9MS 8MS 2MK", 0, None, "highest-follower", "AT-10"),
    ({}, "2MK 3MW 4YK", 2, None, "highest-follower", "AT-10"),
    ({}, "2SY XM 3SK", 2, None, "highest-follower", "AT-10"),  # a discarded Crown wins nothing
    # an Ace sets trump for the whole trick
    ({}, "7SK 9MS AS", 1, "S", "highest-trump", "AT-9 AT-8"),
    ({}, "7SK XK AS", 0, "S", "highest-trump", "AT-9 AT-8"),  # cards before the Ace are revalued
    ({}, "8MS 9MS AW", 2, "W", "highest-trump", "AT-9 AT-8"),  # a discarded Ace is the only trump
    ({}, "8MS 6MW AW", 1, "W", "highest-trump", "AT-9 AT-8"),  # a follower that bears trump beats it
    ({}, "2MK XM AM", 1, "M", "highest-trump", "AT-9 AT-8"),
    ({}, "2MK AM 3LY", 0, "M", "highest-trump", "AT-9 AT-8"),  # a following Ace loses to the card led
    ({}, "AM 3MW 9MS", 2, "M", "highest-trump", "AT-9 AT-8"),
    ({}, "AM 9LK XK", 0, "M", "highest-trump", "AT-9 AT-8"),  # all others void: the led Ace wins
    ({"trump": "sticky"}, "7SK 9MS AS", 1, "S", "highest-trump", "AT-9 AT-V1"),
    ({"trump": "sticky"}, "8MS AM AS", 0, "M", "highest-trump", "AT-9 AT-V1"),
    (MOONS, "7SK 9MS AS", 1, "M", "highest-trump", "AT-9 AT-V6"),
    # of two Aces the last one counts, by house rule the first
    ({}, "8MS AM AS", 0, "S", "highest-trump", "AT-9 AT-8 AT-Q2"),
    ({}, "7SK AM AS", 0, "S", "highest-trump", "AT-9 AT-8 AT-Q2"),
    ({}, "2MK AM AW", 2, "W", "highest-trump", "AT-9 AT-8 AT-Q2"),
    (FIRST, "8MS AM AS", 0, "M", "highest-trump", "AT-9 AT-8 AT-Q2"),
    (FIRST, "7SK AM AS", 1, "M", "highest-trump", "AT-9 AT-8 AT-Q2"),
    (FIRST, "AM AW 8MS", 2, "M", "highest-trump", "AT-9 AT-8 AT-Q2"),
    # among equal ranks the higher symbol of the card led counts, by house rule the earlier or the later card
    ({}, "9MS XS XM", 2, None, "higher-symbol", "AT-10 AT-12"),
    ({}, "9MS XM XS", 1, None, "higher-symbol", "AT-10 AT-12"),
    ({}, "6MW 8WL 8MS", 2, None, "higher-symbol", "AT-10 AT-12"),
    ({"ties": "early"}, "9MS XS XM", 1, None, "earlier-of-equals", "AT-10 AT-V2"),
    ({"ties": "late"}, "9MS XM XS", 2, None, "later-of-equals", "AT-10 AT-V8"),
    ({"ties": "late"}, "9MS XS XM", 2, None, "later-of-equals", "AT-10 AT-V8"),
    (PAWNS, "PMSL XL XS", 2, None, "higher-symbol", "AT-10 AT-12 AT-Q7"),  # L is below S on the Harvest
    (PAWNS, "PSWK XK XW", 2, None, "higher-symbol", "AT-10 AT-12 AT-Q7"),
    # Pawns rank between nine and Crown, and the earlier one wins
    (PAWNS, "9MS PMSL 8MS", 1, None, "highest-follower", "AT-10"),
    (PAWNS, "9MS PMSL XM", 2, None, "highest-follower", "AT-10"),
    (PAWNS, "9MS PMYK PMSL", 1, None, "earlier-of-equals", "AT-10 AT-17"),  # not by symbol, not the later
    (PAWNS, "PMYK 9MS PMSL", 0, None, "earlier-of-equals", "AT-10 AT-17"),  # the led card itself may tie
    (PAWNS, "9MS PSWK PMSL", 1, None, "earlier-of-equals", "AT-10 AT-17"),  # even if the other matches a higher symbol
    (PAWNS | {"ties": "late"}, "9MS PMYK PMSL", 1, None, "earlier-of-equals", "AT-10 AT-17"),
    (PAWNS, "7SK PWLY PMSL AL", 1, "L", "earlier-of-equals", "AT-9 AT-Q6"),
    (PAWNS, "7SK PMSL PWLY AL", 1, "L", "earlier-of-equals", "AT-9 AT-Q6"),
    # Courts rank between Pawn and Crown and tie like Pawns
    (PAWNS | COURTS, "9MS CMWK PMSL", 1, None, "highest-follower", "AT-10"),
    (COURTS, "9MS CMWK XM", 2, None, "highest-follower", "AT-10"),
    (COURTS, "9MS CMWK CMLY", 1, None, "earlier-of-equals", "AT-10 AT-Q11"),
    (COURTS, "AM CMWK CMLY", 1, "M", "earlier-of-equals", "AT-9 AT-Q6"),
    # after a led Excuse the next card counts as led, by house rule none
    (EXCUSE, "E 4MS XL", 1, None, "highest-follower", "AT-10 AT-Q9"),
    (EXCUSE, "E 8MS XM", 2, None, "highest-follower", "AT-10 AT-Q9"),
    (EXCUSE, "E 9MS XS XM", 3, None, "higher-symbol", "AT-10 AT-12 AT-Q9"),
    (FREE, "E 4MS XL", 2, None, "highest-follower", "AT-Q9"),
    (FREE, "E XL 4MS", 1, None, "highest-follower", "AT-Q9"),
    (FREE, "E XL XK", 1, None, "earlier-of-equals", "AT-Q9"),
    (FREE | {"ties": "late"}, "E XL XK", 1, None, "earlier-of-equals", "AT-Q9"),
    (FREE | PAWNS, "E PMSL PMYK", 1, None, "earlier-of-equals", "AT-Q9"),
    (FREE, "E AM XM", 2, "M", "highest-trump", "AT-9 AT-8"),
    (FREE, "E 9MS AL", 2, "L", "highest-trump", "AT-9 AT-8"),
]


@exercises(
    "AT-7", "AT-8", "AT-9", "AT-10", "AT-11", "AT-12", "AT-17", "AT-V1", "AT-V2", "AT-V6", "AT-V8", "TT-4", "DK-8"
)
@exercises("AT-Q1", "AT-Q2", "AT-Q4", "AT-Q5", "AT-Q6", "AT-Q7", "AT-Q8", "AT-Q9", "AT-Q11")
@pytest.mark.parametrize(("options", "cards", "winner", "trump", "code", "clauses"), TRICKS)
def test_who_wins_a_trick(options: Json, cards: str, winner: int, trump: str | None, code: str, clauses: str):
    (entry,) = hand(in_order(cards), players=len(cards.split()), options=options)["tricks"]
    assert (entry["winner"], entry["trump"]) == (winner, trump)
    assert (entry["reason"]["code"], entry["reason"]["clauses"]) == (code, clauses.split())


@exercises("AT-Q9")
@pytest.mark.parametrize(
    ("options", "cards", "text"),
    [
        (FREE, "E 8MS XK", "There was nothing to follow: the Windfall (Crown of Knots) is the highest card."),
        (FREE, "E XM XK", "Of equal cards, the first one played wins: the Huntress (Crown of Moons)."),
        (FREE, "E AM XM", "The Huntress (Crown of Moons) is the highest trump."),
        (EXCUSE, "E 8MS XM", "The Huntress (Crown of Moons) is the highest card that follows suit."),
    ],
)
def test_why_a_card_wins_after_a_led_excuse(options: Json, cards: str, text: str):
    assert hand(in_order(cards), options=options)["tricks"][0]["reason"]["text"] == text


@exercises("AT-8", "AT-Q3")
def test_trump_holds_until_another_ace_is_played_or_the_hand_is_over():
    done = hand(plays("0:7SK 1:9MS 2:AS 1:2WL 2:XS 0:XW 2:AY 0:2SY 1:XY"))
    assert [entry["trump"] for entry in done["tricks"]] == ["S", "S", "Y"]
    assert winners(done) == [1, 2, 1]
    assert done["trump"] == "Y"
    first = [*plays("0:7SK 1:9MS 2:AS"), result(4, 4, 4)]
    assert [each["trump"] for each in judged(first, [])["hands"]] == ["S", None]


@exercises("AT-14")
def test_every_trick_is_worth_one_point_at_once():
    done = hand(plays("0:8MS 1:XS 2:XM 2:2WL 0:3MW 1:XL"))
    assert (done["scores"], done["tricks_won"]) == ([0, 1, 1], [0, 1, 1])
    assert [entry["points"] for entry in done["tricks"]] == [{"2": 1}, {"1": 1}]
    assert [line["reason"]["clauses"] for line in done["score_lines"]] == [["AT-14"], ["AT-14"]]


@exercises("AT-16", "AT-Q10", "TT-3", "REC-17")
def test_the_excuse_is_always_legal_never_wins_and_claims_nothing():
    cards = "E 9MS 8MS 2WL 3LY 4YK 5YK 6LK 7WY 8YK 9LK XK"
    answer = judged(known(plays("0:4MS 1:E 2:3MW"), s1=cards), options=EXCUSE)
    assert answer["rejected"] is None
    assert answer["hands"][0]["irregularities"] == []
    assert winners(answer["hands"][0]) == [0]
    assert found(hand(plays("0:8MS 1:E 2:9MS 2:2WL 0:3MW 1:4MS"), options=EXCUSE)) == []
    last = hand([trick(2)] * 11, plays("2:8MS 0:2WL 1:E"), options=EXCUSE)
    assert (last["phase"], winners(last)[-1], last["irregularities"]) == ("finished", 2, [])


@exercises("AT-Q9")
def test_after_a_led_excuse_the_next_card_counts_as_led():
    done = hand(in_order("E 4MS XL"), options=EXCUSE)
    assert (winners(done), done["tricks"][0]["leader"], done["to_act"]) == ([1], 0, [1])
    cards = "9MS 8MS 2WL 3LY 4YK 5YK 6LK 7WY 8YK 9LK XK XL"
    answer = judged(known(in_order("E 4MS XL"), s2=cards), options=EXCUSE)
    assert answer["rejected"]["reason"]["code"] == "revoke"


@exercises("AT-Q9", "REC-17")
def test_a_free_excuse_claims_nothing():
    assert found(hand(plays("0:E 1:4MS 2:XL 2:9LK"), options=FREE)) == []
    assert found(hand(plays("0:E 1:4MS 2:XL 2:9MS"), options=FREE)) == []
    assert found(hand(plays("0:E 1:4MS 2:XL 1:2WL 2:9MS"), options=EXCUSE)) == [("revoke", "proved", 2)]


@exercises("AT-Q9", "AT-Q10")
def test_an_excuse_that_may_not_be_led_can_be_led_as_the_last_card():
    options = {"excuse": True, "excuse_led": "forbidden"}
    assert refused(plays("0:E"), options=options) == ("irregular", "excuse-led")
    done = hand(plays("0:E! 1:4MS 2:XL"), options=options)
    assert found(done) == [("excuse-led", "seen", 0)]
    assert winners(done) == [1]  # played all the same it counts as under next-card
    last = [*[trick(0)] * 11, *plays("0:E 1:4MS 2:9MS")]
    assert found(hand(last, options=options)) == []


@exercises("AT-Q14")
def test_the_deal_passes_clockwise():
    answer = judged([result(12, 0, 0)], [result(0, 12, 0)], [result(0, 0, 12)], dealer=1)
    assert [each["dealer"] for each in answer["hands"]] == [1, 2, 0]
    assert answer["next"]["dealer"] == 1


@exercises("AT-Q21", "REC-16")
def test_the_target_is_checked_after_each_hand_and_ties_share_the_win():
    answer = judged([result(5, 4, 3)], plays("0:8MS 1:9MS 2:XS"), end={"kind": "score", "value": 6}, dealer=0)
    assert not answer["finished"]
    answer = judged([result(5, 5, 2)], [result(5, 5, 2)], end={"kind": "score", "value": 6})
    assert (answer["finished"], answer["winners"], answer["next"]) == (True, [0, 1], None)


# --- The variants and house rules: every option, every value, every forbidden combination


@exercises("AT-V1", "AT-Q5")
def test_with_sticky_aces_only_the_first_ace_sets_trump():
    events = plays("0:7SK 1:9MS 2:AS 1:2WL 2:XW 0:AL")
    done = hand(events, options={"trump": "sticky"})
    assert [entry["trump"] for entry in done["tricks"]] == ["S", "S"]
    assert winners(done) == [1, 2]
    assert winners(hand(events)) == [1, 1]
    assert hand(in_order("8MS AM AS"), options={"trump": "sticky"})["trump"] == "M"
    led = hand(plays("0:AM 1:9MS 2:2MK 1:AS 2:9LK 0:XK"), options={"trump": "sticky"})
    assert (winners(led), led["trump"]) == ([1, 1], "M")  # a later led Ace wins if all others are void


@exercises("AT-Q2")
def test_the_first_of_two_aces_sets_trump_for_its_trick_only():
    running = hand(plays("0:7SK 1:AM 2:AS 3:9LK"), players=5, options=FIRST)
    assert (running["trump"], running["tricks"][0]["trump"]) == ("M", "M")
    done = hand(in_order("7SK AM AS"), options=FIRST)
    assert (done["trump"], done["tricks"][0]["trump"]) == ("S", "M")


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
    assert sticky["hands"][1]["trump"] == "M"  # set again by the first Ace of the new hand


@pytest.mark.parametrize(
    ("clause", "options", "players", "key"),
    [
        ("AT-V6", {"trump": "fixed"}, 3, "fixed_trump"),
        ("AT-V6", {"fixed_trump": "M"}, 3, "fixed_trump"),
        ("AT-Q20", {"trump": "sticky", "fixed_trump": "M"}, 3, "fixed_trump"),
        ("AT-Q2", {"two_aces": "first", "trump": "sticky"}, 3, "two_aces"),
        ("AT-Q2", {"two_aces": "first", "trump": "fixed", "fixed_trump": "M"}, 3, "two_aces"),
        ("AT-V6", {"trump": "named", "fixed_trump": "M"}, 3, "fixed_trump"),
        ("AT-Q2", {"trump": "named", "two_aces": "first"}, 3, "two_aces"),
        ("AT-Q3", {"trump": "named", "trump_carry": True}, 3, "trump_carry"),
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
    ],
)
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
