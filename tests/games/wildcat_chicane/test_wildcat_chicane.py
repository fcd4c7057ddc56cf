"""Wildcat Chicane, hand by hand and under house rules."""

from collections import Counter
from functools import partial

import pytest

from referee.engine.rules import Refused
from referee.packs import decktet
from tests.referee.telling import (
    Json,
    ask,
    bids,
    exercises,
    found,
    judged,
    known,
    plays,
    refusal,
    result,
    ruling_cards,
    telling_of,
    trick,
    winners,
)

# --- Wildcat Chicane, clause by clause: WC-1 .. WC-18, and the defaults where the post is silent

hand, refused = telling_of("wildcat-chicane")
wc = partial(judged, game="wildcat-chicane")
refusal_of = partial(refusal, game="wildcat-chicane")
READY = [*ruling_cards("XM AK XS"), *bids("0:4 1:4 2:4")]
"""Seat 0 reads by the top suit, Moons trump; seat 1 by the bottom, Knots; seat 2 by the top, Suns."""


def ruled(rulings: str) -> list[Json]:
    count = len(rulings.split())
    return [*ruling_cards(rulings), *bids(" ".join(f"{seat}:1" for seat in range(count)))]


@exercises("WC-1", "WC-2", "WC-8")
@pytest.mark.parametrize(("players", "size", "tricks"), [(3, 12, 11), (4, 9, 8)])
def test_hands_of_twelve_or_nine_cards_make_eleven_or_eight_tricks(players: int, size: int, tricks: int):
    assert wc(players=players)["next"]["hand_size"] == [size] * players
    rulings = ["XM", "AK", "XS", "XW"][:players]
    assert hand(ruled(" ".join(rulings)), [trick(0)] * tricks, players=players)["phase"] == "finished"


FORCED = [
    *ruling_cards("XY XK XM"), *bids("1:1 2:1 0:1"),
    *plays("1:5ML 2:7ML 0:8MS 2:9WY 0:7WY 1:3MW 2:AM 0:9MS 1:7SK 2:AL 0:6LK 1:XL 1:5YK 2:4YK 0:8YK"),
    *plays("0:3LY 1:8WL 2:9LK 2:XS 0:2SY 1:6SY 2:5SW 0:AS 1:?"), trick(1),
]  # fmt: skip
"""Of the cards left, only the Ace of Knots wins the eighth trick for seat 1, who has shown two Crowns."""


@exercises("WC-2", "REC-19")
def test_an_unseen_card_counts_toward_its_players_aces_and_crowns():
    assert refused(FORCED, plays("1:AK"), dealer=0) == ("impossible", "already-played")
    assert hand(FORCED, plays("1:XW 2:2WL 0:4WL"), dealer=0)["tricks_won"] == [1, 3, 5]
    assert refused(FORCED, plays("1:XW 2:2WL 0:4WL 1:AY"), dealer=0) == ("impossible", "too-many-cards")


@exercises("WC-1", "WC-Q8")
def test_three_or_four_play_with_the_basic_pack():
    for players in (2, 5):
        with pytest.raises(Refused, match="3 to 4"):
            wc(players=players)
    with pytest.raises(Refused, match="There is no option"):
        wc(options={"excuse": True})
    assert refused(ruling_cards("XM AK XS"), bids("0:1 1:1 2:1"), plays("0:E")) == ("impossible", "not-in-deck")


@exercises("WC-3", "WC-6", "WC-Q4", "WC-Q9", "WC-Q10")
def test_players_commit_ruling_cards_in_any_order_before_the_bids():
    opened = hand(ruling_cards("XM"))
    assert (opened["phase"], opened["to_act"], opened["cards_left"]) == ("ruling-card", [1, 2], [11, 12, 12])
    assert refused(ruling_cards("XM"), plays("0:8MS")) == ("impossible", "wrong-phase")
    done = hand(list(reversed(ruling_cards("XM AK XS"))))
    assert (done["phase"], done["ruling_cards"], done["trumps"]) == ("bidding", ["XM", "AK", "XS"], ["M", "K", "S"])
    assert done["cards_left"] == [11, 11, 11]


@exercises("WC-3", "REC-2", "REC-3", "REC-4", "REC-5", "REC-6", "WC-Q10")
@pytest.mark.parametrize(
    ("event", "code"),
    [
        ({"seat": 1, "cards": ["8MS"]}, "not-in-deck"),  # no Ace and no Crown
        ({"seat": 1, "cards": ["9SK"]}, "not-in-deck"),
        ({"seat": 1, "cards": ["XM"]}, "already-played"),
        ({"seat": 1, "cards": ["XS", "XW"]}, "wrong-count"),
        ({"seat": 0, "cards": ["XS"]}, "wrong-phase"),  # a card named early is binding
        ({"seat": 5, "cards": ["XS"]}, "no-such-seat"),
    ],
)
def test_which_cards_can_be_ruling_cards(event: Json, code: str):
    assert refused(ruling_cards("XM"), {"type": "ruling-card", **event}) == ("impossible", code)


@exercises("WC-4", "DK-3")
@pytest.mark.parametrize(
    ("ruling", "counts"),
    [("XW", {"M": 8, "S": 5, "W": 5, "L": 3, "Y": 3}), ("AW", {"S": 3, "W": 3, "L": 5, "Y": 5, "K": 8})],
)
def test_a_crown_reads_number_cards_by_the_top_and_an_ace_by_the_bottom(ruling: str, counts: dict[str, int]):
    def suit_of(card: str) -> str:
        return str(ask("suit", "wildcat-chicane", card=card, ruling_card=ruling)["suit"])

    assert Counter(suit_of(card.code) for card in decktet().cards if card.rank.isdigit()) == counts
    assert all(suit_of(card.code) == card.suits[0] for card in decktet().cards if len(card.suits) == 1)


@exercises("WC-7", "WC-9", "WC-Q3", "WC-8", "WC-Q4")
def test_the_dealers_left_bids_first_and_then_leads():
    assert hand(ruling_cards("XM AK XS"), dealer=0)["to_act"] == [1]
    done = hand(ruling_cards("XM AK XS"), bids("1:4 2:4 0:3"), dealer=0)
    assert (done["phase"], done["bids"], done["to_act"]) == ("play", [3, 4, 4], [1])
    assert done["irregularities"] == []
    events = [*ruling_cards("XM AK XS"), *bids("0:4 1:4 2:3")]
    assert hand(events)["irregularities"] == []
    assert refused(events, options={"hook": True}) == ("irregular", "forbidden-bid")
    assert refused(READY, plays("0:XM")) == ("impossible", "already-played")


@exercises("WC-10", "REC-17")
def test_leading_your_own_trump_claims_an_all_trump_hand():
    done = hand(READY, plays("0:8MS 1:2MK 2:XL 0:4WL"))
    assert found(done) == [("trump-led", "proved", 0)]
    finding = done["irregularities"][0]
    assert (finding["event"], finding["proved_by"]) == ([0, 6], [[0, 9]])
    assert {"WC-10", "REC-17"} <= set(finding["reason"]["clauses"])


ENTERED = "XM AM XL AY 8MS 9MS 6MW 3MW 5ML 7ML 4MS 2MK"


@exercises("WC-10", "REC-21", "IR-2", "WC-Q5")
def test_trump_may_be_led_only_from_an_all_trump_hand():
    answer = wc(known([*READY, *plays("0:8MS")], s0=ENTERED))
    assert (answer["rejected"]["verdict"], answer["rejected"]["reason"]["code"]) == ("irregular", "trump-led")
    done = wc(known([*READY, *plays("0:8MS!")], s0=ENTERED))["hands"][0]
    assert found(done) == [("trump-led", "seen", 0)]
    only_trump = "XM AM AL AY 8MS 9MS 6MW 3MW 5ML 7ML 4MS 2MK"
    events = [*READY, trick(0), trick(0), *plays("0:8MS")]
    assert wc(known(events, s0=only_trump))["rejected"] is None
    done = hand(READY, plays("0:8MS 1:AM 2:9MS"))  # seat 2 follows with a Moon, which is not seat 2's trump
    assert (winners(done), done["tricks"][0]["reason"]["code"]) == ([0], "highest-trump")


@exercises("WC-11", "REC-17")
@pytest.mark.parametrize(
    ("cards", "findings"),
    [
        # the Mill led by seat 0 is Waves (top); seat 1 reads bottoms, so 3MW is Waves to seat 1, 8WL is not
        ("0:4WL 1:2SY 2:XW 2:XL 0:XS 1:3MW", [("revoke", "proved", 1)]),
        ("0:4WL 1:2SY 2:XW 2:XL 0:AL 1:8WL", []),
        # seat 2 reads tops, so 3MW is a Moon to seat 2
        ("0:4WL 1:XW 2:2SY 1:XL 2:3MW", []),
        ("0:4WL 1:XW 2:2SY 1:XL 2:8WL", [("revoke", "proved", 2)]),
    ],
)
def test_each_player_reads_their_own_cards(cards: str, findings: list):
    events = [*ruling_cards("XM AK XY"), *bids("0:4 1:4 2:4")]
    assert found(hand(events, plays(cards.replace("0:XS", "0:AS")))) == findings


@exercises("WC-12", "WC-13", "WC-14", "WC-5", "WC-Q5", "WC-Q11", "TT-2")
@pytest.mark.parametrize(
    ("rulings", "cards", "winner", "code"),
    [
        ("XY AY XS", "0:4WL 1:3MW 2:XW", 2, "highest-follower"),
        ("XY AY XS", "0:4WL 1:3MW 2:AW", 0, "highest-follower"),
        ("XY AY XW", "0:8WL 1:3MW 2:2WL", 2, "highest-trump"),  # trump of its owner, though it follows
        ("XM XL XS", "0:9LK 1:6LK 2:8MS", 1, "highest-trump"),
        ("XM XL XS", "0:6LK 1:XK 2:4WL", 0, "highest-follower"),
        ("XY XM XL", "0:6LK 1:9MS 2:9LK", 1, "earlier-of-equals"),  # two trumps of different suits
        ("XY XL XM", "0:6LK 1:9LK 2:9MS", 1, "earlier-of-equals"),
        ("AM XM XS", "0:4WL 1:8MS 2:9LK", 1, "highest-trump"),  # Ace and Crown of one suit rule side by side
        ("XK AK XS", "0:4WL 1:8YK 2:9LK", 1, "highest-trump"),
        ("AK XY XS", "0:9LK 1:8YK 2:2MK", 0, "highest-trump"),
    ],
)
def test_who_wins_a_trick(rulings: str, cards: str, winner: int, code: str):
    done = hand(ruled(rulings), plays(cards))
    assert (winners(done), done["tricks"][0]["reason"]["code"]) == ([winner], code)
    assert done["tricks"][0]["trump"] is None
    assert set(done["tricks"][0]["reason"]["clauses"]) <= {"WC-12", "WC-13", "WC-14"}


@exercises("WC-15")
def test_the_winner_leads_and_the_hand_goes_on_until_all_cards_are_gone():
    assert hand(READY, plays("0:4WL 1:3MW 2:XW"))["to_act"] == [2]
    done = hand(READY, [trick(1)] * 10)
    assert (done["phase"], done["cards_left"], done["to_act"]) == ("play", [1, 1, 1], [1])
    assert hand(READY, [trick(1)] * 10, plays("1:8MS 2:2WL 0:9LK"))["phase"] == "finished"


BIDS = [
    (4, 4, 16, "bid-exact"), (4, 5, 8, "bid-off-by"), (4, 3, 8, "bid-off-by"), (4, 6, 4, "bid-off-by"),
    (4, 2, 4, "bid-off-by"), (4, 7, 0, "bid-far-off"), (4, 1, 0, "bid-far-off"), (1, 0, 2, "bid-off-by"),
    (0, 0, 0, "zero-bid"), (0, 1, 0, "bid-off-by"), (0, 2, 0, "bid-off-by"), (0, 3, 0, "bid-far-off"),
    (11, 11, 44, "bid-exact"),
]  # fmt: skip


@exercises("WC-16", "WC-Q1", "WC-Q2")
@pytest.mark.parametrize(("bid", "tricks", "points", "code"), BIDS)
def test_a_bid_scores_by_how_far_off_it_was(bid: int, tricks: int, points: int, code: str):
    done = hand(ruling_cards("XM AK XS"), bids(f"0:{bid} 1:1 2:1"), result(tricks, 11 - tricks, 0))
    assert done["scores"][0] == points
    assert done["score_lines"][0]["reason"]["code"] == code


@exercises("WC-Q1", "WC-Q2")
def test_zero_bids_and_bad_misses_score_by_house_rule():
    events = [*ruling_cards("XM AK XS"), *bids("0:0 1:4 2:0"), result(0, 8, 3)]
    assert hand(events)["scores"] == [0, 0, 0]
    assert hand(events, options={"zero_bid": 7, "miss_penalty": 5})["scores"] == [7, -5, -5]
    one_off = [*ruling_cards("XM AK XS"), *bids("0:0 1:4 2:0"), result(1, 10, 0)]
    assert hand(one_off, options={"zero_bid": 7})["scores"] == [0, 0, 7]


@exercises("WC-Q1", "WC-Q2")
@pytest.mark.parametrize("key", ["zero_bid", "miss_penalty"])
def test_house_rule_points_are_whole_numbers_from_0_to_20(key: str):
    assert wc(options={key: 20})["options"][key] == 20
    for value, malformed in ((21, False), (-1, False), ("3", True), (True, True), (1.5, True)):
        with pytest.raises(Refused, match="whole number from 0 to 20") as refusal:
            wc(options={key: value})
        assert refusal.value.malformed is malformed


@exercises("WC-16")
def test_a_running_hand_has_no_scores_and_its_tricks_no_points():
    done = hand(READY, plays("0:4WL 1:3MW 2:XW"))
    assert (done["scores"], done["tricks"][0]["points"], done["tricks_won"]) == ([None] * 3, {}, [0, 0, 1])


@exercises("WC-17", "WC-18", "WC-Q6", "REC-16")
def test_the_deal_passes_left_until_a_player_reaches_40():
    big = [*ruling_cards("XM AK XS"), *bids("0:5 1:3 2:3"), result(5, 3, 3)]
    turned = [*ruling_cards("XM AK XS"), *bids("1:3 2:3 0:5"), result(5, 3, 3)]
    answer = wc(big)
    assert (answer["end"], answer["finished"], answer["next"]["dealer"]) == ({"kind": "score", "value": 40}, False, 0)
    answer = wc(big, turned)
    assert (answer["totals"], answer["finished"], answer["winners"]) == ([40, 24, 24], True, [0])
    assert not wc(big, turned, end={"kind": "hands", "value": 3})["finished"]
    level = wc([*ruling_cards("XM AK XS"), *bids("0:5 1:5 2:1"), result(5, 5, 1)], end={"kind": "score", "value": 20})
    assert (level["finished"], level["winners"]) == (True, [0, 1])


@exercises("WC-2", "REC-7")
def test_players_cannot_play_more_aces_and_crowns_than_dealt():
    events = [*ruled("XM XS AK"), *plays("0:9MS 1:XL 2:2WL 0:8MS 1:XW 2:4WL 0:6MW 1:XY 2:8WL 0:5ML")]
    assert found(hand(events, plays("1:9LK")))
    assert refused(events, plays("1:AL")) == ("impossible", "too-many-cards")
    reason = refusal_of(events, plays("1:AL"))["reason"]
    assert "all Aces and Crowns dealt to this hand have been played" in reason["text"]
    assert "WC-2" in reason["clauses"]


@exercises("WC-2", "REC-7")
def test_players_cannot_play_more_number_cards_than_dealt():
    events = [
        *ruling_cards("XM XS XW XL"), *bids("0:1 1:1 2:1 3:1"),
        *plays("0:9MS 1:9WY 2:2SY 3:5SW 0:8MS 1:8YK 2:6SY 3:4YK 0:6MW 1:8WL 2:7SK 3:XY 0:5ML 1:7WY 2:3SK 3:AY"),
        *plays("0:4MS 1:5YK 2:6LK 3:2WL 0:3MW 1:4WL 2:9LK 3:7ML"),
    ]  # fmt: skip
    assert winners(hand(events, players=4)) == [0] * 6
    assert refused(events, plays("0:2MK"), players=4) == ("impossible", "too-many-cards")
    assert "all number cards" in refusal_of(events, plays("0:2MK"), players=4)["reason"]["text"]
    assert hand(events, plays("0:AM"), players=4)["cards_left"] == [1, 2, 2, 2]


@exercises("WC-2", "REC-8")
def test_an_entered_hand_has_its_share_of_aces_and_crowns():
    with pytest.raises(Refused, match="No deal can give this hand"):
        wc(known([], s0="XM AM XL 2SY 8MS 9MS 6MW 3MW 5ML 7ML 4MS 2MK"))
    assert wc(known([], s0=ENTERED))["rejected"] is None


@exercises("WC-2", "REC-18")
def test_aces_and_crowns_are_counted_apart_from_number_cards():
    # seat 0 claims to hold only Moons (four of its cards are Aces and Crowns, and only two are Moons)
    done = hand(READY, plays("0:8MS"))
    assert [code for code, certainty, _ in found(done)] == ["joint-revoke"]
    finding = done["irregularities"][0]
    assert (finding["suspects"], finding["claims"], finding["event"], finding["proved_by"]) == (
        [0], [[0, 6]], [0, 6], [[0, 6]],
    )  # fmt: skip
    assert {"WC-10", "REC-18"} <= set(finding["reason"]["clauses"])


@exercises("WC-Q7", "REC-9")
def test_a_suit_announced_with_a_card_cannot_be_recorded():
    for suit in "LW":
        assert refused(READY, plays(f"0:4WL/{suit}")) == ("impossible", "bad-suit")


@exercises("REC-2", "REC-19")
def test_a_hand_recorded_by_result_needs_bids_but_no_ruling_cards():
    assert refused(result(4, 4, 3)) == ("impossible", "wrong-phase")
    assert hand(bids("0:4 1:4 2:3"), result(4, 4, 3))["scores"] == [16, 16, 12]
    assert hand(ruling_cards("XM"), bids("0:4"))["cards_left"] == [11, 11, 11]
    assert refused(bids("0:4 1:4 2:3"), plays("0:8MS")) == ("impossible", "wrong-phase")


@exercises("WC-7", "WC-9", "WC-Q12")
def test_the_dealers_left_leads_even_after_a_bid_out_of_turn():
    events = [*ruling_cards("XM AK XY"), *bids("1:4! 0:4 2:2")]
    done = hand(events)
    assert done["irregularities"][0]["reason"]["clauses"] == ["WC-7", "REC-12"]
    assert done["to_act"] == [0]
    early = refusal_of(events, plays("1:4WL"))["reason"]
    assert early["clauses"] == ["WC-9", "WC-Q12", "REC-12"]
    assert early["text"] == "Bob acted out of turn; it was Ann’s turn."
