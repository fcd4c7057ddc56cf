"""Ace Trump, clause by clause: AT-1 .. AT-17, and the defaults where the rules are silent."""

import pytest

from referee.engine.rules import Refused
from tests.referee.telling import (
    accepted,
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


@exercises("AT-1", "AT-2")
@pytest.mark.parametrize(("players", "size"), [(2, 9), (3, 12), (4, 9), (5, 7), (6, 6)])
def test_hand_sizes_follow_the_number_of_players(players: int, size: int):
    assert judged(players=players)["next"]["hand_size"] == [size] * players


@exercises("AT-1")
@pytest.mark.parametrize("players", [1, 7])
def test_two_to_six_can_play(players: int):
    with pytest.raises(Refused, match="2 to 6"):
        judged(players=players)


@exercises("AT-15", "AT-Q11", "AT-Q12", "AT-Q13")
@pytest.mark.parametrize(
    ("options", "players", "size"),
    [
        ({"excuse": True}, 3, 12), ({"pawns": True}, 3, 13), ({"courts": True}, 4, 10), (EXTENDED, 3, 15),
        (EXTENDED, 4, 11), (EXTENDED, 5, 9), (EXTENDED, 6, 7), (EXTENDED, 2, 9), (EXTENDED | {"excuse": False}, 6, 7),
        ({"two_player_deal": "all"}, 2, 18), (EXTENDED | {"two_player_deal": "all"}, 2, 22),
    ],
)  # fmt: skip
def test_an_extended_deck_is_dealt_evenly_with_the_rest_set_aside(options: dict, players: int, size: int):
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


FOLLOWING = [
    ("8MS", "3MW", []),  # one shared suit is enough
    ("8MS", "9MS", []),
    ("8MS", "2WL", [("revoke", "seen", 1)]),
]


@exercises("AT-5", "AT-6", "TT-1", "TT-2")
@pytest.mark.parametrize(("led", "card", "breach"), FOLLOWING)
def test_a_player_who_can_follow_must_and_one_shared_suit_suffices(led: str, card: str, breach: list):
    cards = "3MW 9MS 2WL AK XK 3LY 4YK 5YK 6LK 7WY 8YK 9LK"
    event = plays(f"0:{led} 1:{card}")
    assert judged(known(event[:1], s1=cards))["rejected"] is None
    answer = judged(known([event[0], accepted(event[1])], s1=cards))
    assert found(answer["hands"][0]) == breach


@exercises("AT-5", "TT-3")
def test_a_player_void_in_the_suit_may_play_anything():
    cards = "AL 2WL 3LY 4YK 5YK 6LK 7WY 8YK 9LK XK XL XY"
    assert judged(known(plays("0:8MS 1:XK"), s1=cards))["rejected"] is None


TRICKS = [
    # (clauses, cards in order, trump before by an earlier Ace or None, winner, trump after, code)
    (("AT-10", "AT-7"), "3MW 9MS XM", 2, None, "highest-follower"),
    (("AT-10",), "9MS 8MS 2MK", 0, None, "highest-follower"),
    (("TT-4", "AT-10"), "2SY XM 3SK", 2, None, "highest-follower"),  # a discarded Crown wins nothing
    (("AT-8", "AT-9"), "7SK 9MS AS", 1, "S", "highest-trump"),
    (("AT-8", "AT-Q1"), "7SK XK AS", 0, "S", "highest-trump"),  # cards before the Ace are revalued
    (("AT-9",), "8MS 9MS AW", 2, "W", "highest-trump"),  # a discarded Ace is the only trump
    (("AT-9",), "8MS 6MW AW", 1, "W", "highest-trump"),  # a follower that bears trump beats it
    (("AT-11",), "2MK XM AM", 1, "M", "highest-trump"),
    (("AT-11",), "2MK AM 3LY", 0, "M", "highest-trump"),  # a following Ace loses to the card led
    (("AT-Q4", "AT-9"), "AM 3MW 9MS", 2, "M", "highest-trump"),
    (("AT-Q5", "AT-9"), "AM 9LK XK", 0, "M", "highest-trump"),  # all others void: the led Ace wins
    (("AT-Q2", "AT-8"), "8MS AM AS", 0, "S", "highest-trump"),
    (("AT-Q2",), "2MK AM AW", 2, "W", "highest-trump"),
    (("AT-12",), "9MS XS XM", 2, None, "higher-symbol"),
    (("AT-12", "DK-8"), "9MS XM XS", 1, None, "higher-symbol"),
    (("AT-12",), "6MW 8WL 8MS", 2, None, "higher-symbol"),
    (("AT-7",), "2MK 3MW 4YK", 2, None, "highest-follower"),
]


@exercises("AT-7", "AT-8", "AT-9", "AT-10", "AT-11", "AT-12", "AT-Q1", "AT-Q2", "AT-Q4", "AT-Q5", "TT-4", "DK-8")
@pytest.mark.parametrize(("clauses", "cards", "winner", "trump", "code"), TRICKS)
def test_who_wins_a_trick(clauses: tuple[str, ...], cards: str, winner: int, trump: str | None, code: str):
    done = hand(in_order(cards))
    entry = done["tricks"][0]
    assert (entry["winner"], entry["trump"], done["trump"]) == (winner, trump, trump)
    assert entry["reason"]["code"] == code
    assert set(entry["reason"]["clauses"]) & {*clauses, "AT-9", "AT-10"}


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


@exercises("AT-16", "TT-3", "REC-17")
def test_the_excuse_is_always_legal_never_wins_and_claims_nothing():
    cards = "E 9MS 8MS 2WL 3LY 4YK 5YK 6LK 7WY 8YK 9LK XK"
    answer = judged(known(plays("0:4MS 1:E 2:3MW"), s1=cards), options={"excuse": True})
    assert answer["rejected"] is None
    assert answer["hands"][0]["irregularities"] == []
    assert winners(answer["hands"][0]) == [0]
    assert found(hand(plays("0:8MS 1:E 2:9MS 2:2WL 0:3MW 1:4MS"), options={"excuse": True})) == []


@exercises("AT-17", "AT-7", "AT-Q8")
@pytest.mark.parametrize(
    ("cards", "winner", "code"),
    [
        ("9MS PMSL 8MS", 1, "highest-follower"),
        ("9MS PMSL XM", 2, "highest-follower"),
        ("9MS PMYK PMSL", 1, "earlier-of-equals"),  # not by symbol, not the later
        ("PMYK 9MS PMSL", 0, "earlier-of-equals"),  # the led card itself may tie
        ("9MS PSWK PMSL", 1, "earlier-of-equals"),  # even where the other matches a higher symbol
    ],
)
def test_pawns_rank_between_nine_and_crown_and_the_earlier_one_wins(cards: str, winner: int, code: str):
    done = hand(in_order(cards), options={"pawns": True})
    assert (winners(done), done["tricks"][0]["reason"]["code"]) == ([winner], code)


@exercises("AT-Q6")
@pytest.mark.parametrize(("cards", "winner"), [("7SK PWLY PMSL AL", 1), ("7SK PMSL PWLY AL", 1)])
def test_the_earlier_of_two_trump_pawns_wins(cards: str, winner: int):
    events = in_order(cards)
    done = hand(events, players=4, options={"pawns": True})
    assert (winners(done), done["tricks"][0]["reason"]["code"]) == ([winner], "earlier-of-equals")


@exercises("AT-Q11")
@pytest.mark.parametrize(("cards", "winner"), [("9MS CMWK PMSL", 1), ("9MS CMWK XM", 2), ("9MS CMWK CMLY", 1)])
def test_courts_rank_between_pawn_and_crown_and_tie_like_pawns(cards: str, winner: int):
    options = {"pawns": True, "courts": True}
    assert winners(hand(in_order(cards), options=options)) == [winner]


@exercises("AT-Q7")
def test_a_tie_on_a_three_suit_lead_is_broken_by_its_suits_from_the_top():
    options = {"pawns": True}
    done = hand(plays("0:PMSL 1:XL 2:XS"), options=options)  # L is below S on the Harvest
    assert (winners(done), done["tricks"][0]["reason"]["code"]) == ([2], "higher-symbol")
    assert winners(hand(plays("0:PSWK 1:XK 2:XW"), options=options)) == [2]


@exercises("AT-Q9")
def test_after_a_led_excuse_the_next_card_counts_as_led():
    options = {"excuse": True}
    done = hand(plays("0:E 1:4MS 2:XL"), options=options)
    assert winners(done) == [1]
    assert done["tricks"][0]["leader"] == 0
    assert done["to_act"] == [1]
    cards = "9MS 8MS 2WL 3LY 4YK 5YK 6LK 7WY 8YK 9LK XK XL"
    late = plays("0:E 1:4MS 2:XL")
    answer = judged(known(late, s2=cards), options=options)
    assert answer["rejected"]["reason"]["code"] == "revoke"
    tied = hand(plays("0:E 1:9MS 2:XS 3:XM"), players=4, options=options)
    assert winners(tied) == [3]  # its symbols break ties


@exercises("AT-Q9")
@pytest.mark.parametrize(("cards", "winner"), [("E 4MS XL", 2), ("E XL 4MS", 1), ("E XL XK", 1), ("E 9MS AL", 2)])
def test_after_a_led_excuse_any_card_may_be_played_by_house_rule(cards: str, winner: int):
    options = {"excuse": True, "excuse_led": "free"}
    assert winners(hand(in_order(cards), options=options)) == [winner]


@exercises("AT-Q9", "REC-17")
def test_a_free_excuse_claims_nothing():
    events = plays("0:E 1:4MS 2:XL 2:9LK 0:2WL 1:XM 2:9MS")
    assert found(hand(events[:4], options={"excuse": True, "excuse_led": "free"})) == []
    assert found(hand(plays("0:E 1:4MS 2:XL 2:9MS"), options={"excuse": True, "excuse_led": "free"})) == []
    assert found(hand(plays("0:E 1:4MS 2:XL 1:2WL 2:9MS"), options={"excuse": True})) == [("revoke", "proved", 2)]


@exercises("AT-Q9", "AT-Q10")
def test_an_excuse_that_may_not_be_led_can_be_led_as_the_last_card():
    options = {"excuse": True, "excuse_led": "forbidden"}
    assert refused(plays("0:E"), options=options) == ("irregular", "excuse-led")
    done = hand(plays("0:E! 1:4MS 2:XL"), options=options)
    assert found(done) == [("excuse-led", "seen", 0)]
    assert winners(done) == [1]  # played all the same it counts as under next-card
    last = [*[trick(0)] * 11, *plays("0:E 1:4MS 2:9MS")]
    assert found(hand(last, options=options)) == []


@exercises("AT-Q10", "AT-16")
def test_the_excuse_loses_even_as_the_last_card():
    done = hand([trick(2)] * 11, plays("2:8MS 0:2WL 1:E"), options={"excuse": True})
    assert (done["phase"], winners(done)[-1], done["irregularities"]) == ("finished", 2, [])


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
