"""What proves an infraction, and how the proof is explained."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import cast

import pytest

from referee.engine.adjudication import adjudicate
from referee.engine.records import load_record
from referee.engine.rules import Refused
from tests.games.decktet_tricks.oracle import Table
from tests.games.decktet_tricks.oracle_facts import Claim, can_be_placed
from tests.games.decktet_tricks.oracle_hand import Hand
from tests.games.decktet_tricks.random_records import GAMES, random_record
from tests.games.tricks.random_story import Mischief
from tests.referee.telling import (
    REVOKE,
    Json,
    exercises,
    finding,
    found,
    hand,
    judged,
    known,
    plays,
    refused,
    result,
    ruling_cards,
    trick,
    unchecked,
)
from tests.seeds import FIRST, as_often_as

# --- How an infraction is shown: led, played, shown, with matching suits (REC-17, WC-11)


def laid(card: Json | None) -> tuple[object, ...]:
    """Return a card's player, its trick, its suits as that player reads them, and the matching ones."""
    assert card is not None
    return card["seat"], card["trick"], card["card"], "".join(card["reads"]), "".join(card["matches"])


@exercises("REC-17", "AT-5")
def test_revoke_evidence_is_the_lead_the_play_and_the_shown_card():
    found = finding(REVOKE)
    (act,) = found["acts"]
    assert laid(act["led"]) == (0, 1, "8MS", "MS", "MS")
    assert laid(act["played"]) == (1, 1, "2WL", "WL", "")
    assert act["claims"] == ["M", "S"]
    assert laid(found["shown"]) == (1, 2, "3MW", "MW", "M")


@exercises("AT-V7", "AT-16", "AT-Q9")
def test_evidence_names_the_called_suit_or_the_card_after_an_excuse():
    found = finding(plays("0:8MS/S 1:2WL 2:9MS 2:XL 0:AL 1:3SK"), options={"called_suit": True})
    assert laid(found["acts"][0]["led"]) == (0, 1, "8MS", "MS", "S")
    assert laid(found["shown"]) == (1, 2, "3SK", "SK", "S")
    found = finding(plays("0:E 1:8MS 2:2WL 1:9LK 2:3MW 0:XL"), options={"excuse": True})
    assert found["seat"] == 2
    assert laid(found["acts"][0]["led"])[:3] == (1, 1, "8MS")


@exercises("WC-4", "WC-11")
def test_in_wildcat_chicane_evidence_uses_each_players_reading():
    ready = [*ruling_cards("XM AK XY"), *({"type": "bid", "seat": seat, "tricks": 4} for seat in range(3))]
    # Ann and Cy read the upper symbol, Bob the lower one: his Discovery is a Wave, not a Sun
    found = finding(ready, plays("0:9WY 1:2SY 2:7WY 0:4YK 1:5SW"), game="wildcat-chicane")
    assert found["code"] == "revoke"
    act = found["acts"][0]
    assert laid(act["led"]) == (0, 1, "9WY", "W", "W")
    assert laid(act["played"]) == (1, 1, "2SY", "Y", "")
    assert act["claims"] == ["W"]
    assert laid(found["shown"]) == (1, 2, "5SW", "W", "W")


@exercises("WC-10")
def test_a_led_trump_claims_an_all_trump_hand():
    ready = [*ruling_cards("XM XS XY"), *({"type": "bid", "seat": seat, "tricks": 4} for seat in range(3))]
    found = finding(ready, plays("0:8MS 1:2MK 2:XL 0:4WL"), game="wildcat-chicane")
    (act,) = found["acts"]
    assert (found["code"], act["led"], act["claims"]) == ("trump-led", None, ["S", "W", "L", "Y", "K"])
    assert laid(act["played"]) == (0, 1, "8MS", "M", "")
    assert laid(found["shown"]) == (0, 2, "4WL", "W", "W")


@exercises("REC-8", "IR-2")
def test_an_immediately_visible_revoke_cites_no_later_card():
    held = "2WL 3MW 4MS 5ML 6MW 7ML 9LK 4WL 5YK 6LK 7WY 8WL"
    told = plays("0:8MS 1:2WL!")
    found = judged(known(told, s1=held))["hands"][0]["irregularities"][0]
    assert (found["certainty"], found["shown"]) == ("seen", None)
    assert laid(found["acts"][0]["played"])[:3] == (1, 1, "2WL")


# --- Proofs about hidden hands (REC-17, REC-18), and what entered hands show at once (REC-8)

# -- direct proofs ----------------------------------------------------------------------------


@exercises("REC-17", "AT-5")
@pytest.mark.parametrize(
    ("events", "acts"),
    [
        ("0:8MS 1:2WL 2:9MS 2:9LK 0:XL 1:3MW", [1]),
        ("0:8MS 1:2WL 2:9MS 2:9LK 0:XL 1:XM", [1]),
        ("0:8MS 1:2WL 2:9MS 2:9LK 0:XL 1:4WL", []),  # neither a Moon nor a Sun
        ("0:8MS 1:2WL 2:9MS 2:XS 0:AY 1:9LK 0:AW 1:3MW", [1]),  # the second lead was a Sun only
        ("0:8MS 1:2WL 2:9MS 2:XS 0:AY 1:9LK 0:AW 1:4MS", [1, 5]),  # one card proves both
        ("0:2WL 1:3LY 2:XL 2:XK 0:8MS 1:2MK", []),
    ],
)
def test_each_contradicted_claim_is_found_at_the_first_card_that_contradicts_it(events: str, acts: list[int]):
    told = plays(events)
    done = hand(told)
    proofs = [i for i in done["irregularities"] if i["certainty"] == "proved"]
    assert [proof["event"] for proof in proofs] == [[0, act] for act in acts]
    assert all(proof["proved_by"] == [[0, len(told) - 1]] for proof in proofs)
    assert not [i for i in hand(told[:-1])["irregularities"] if i["certainty"] == "proved"]


EVERY_MOON_ELSEWHERE = plays("0:XM 1:AS 2:AL 3:AY")
"""Four players, nine cards each, no pile: three hands deny all Moons and seat 0 has but eight cards left for nine."""


@exercises("REC-18")
def test_claims_that_leave_no_place_for_the_cards_cannot_all_be_true():
    before = hand(EVERY_MOON_ELSEWHERE[:3], players=4)
    assert found(before) == []
    proof = finding(EVERY_MOON_ELSEWHERE, players=4)
    assert (proof["code"], proof["certainty"], proof["seat"], proof["shown"]) == ("joint-revoke", "joint", None, None)
    assert (proof["suspects"], proof["claims"]) == ([1, 2, 3], [[0, 1], [0, 2], [0, 3]])
    assert (proof["event"], proof["trick"], proof["proved_by"]) == ([0, 3], 1, [[0, 3]])
    assert {"AT-5", "REC-18"} <= set(proof["reason"]["clauses"])
    assert proof["reason"]["text"] == (
        "Only 8 of AM, 2MK, 3MW, 4MS, 5ML, 6MW, 7ML, 8MS and 9MS can be with Ann. "
        "By their plays, Bob, Cy and Dot said they had none; that can’t all be true."
    )
    assert proof["argument"] == {
        "cards": ["AM", "2MK", "3MW", "4MS", "5ML", "6MW", "7ML", "8MS", "9MS"],
        "excluded_by": [{"seat": seat, "event": [0, seat]} for seat in (1, 2, 3)],
        "room": [{"place": 0, "cards": 8}],
    }
    assert [(act["played"]["seat"], act["played"]["card"], act["claims"]) for act in proof["acts"]] == [
        (1, "AS", ["M"]),
        (2, "AL", ["M"]),
        (3, "AY", ["M"]),
    ]


@exercises("REC-18", "AT-2")
def test_cards_set_aside_may_be_the_missing_ones():
    events = plays("0:XM 1:AS 2:AL 3:AY 4:AK")
    assert found(hand(events[:4], players=5)) == []
    # 5 players, one card aside: nine Moons, six places in hand 0 and one aside
    proof = finding(events, players=5)
    assert (proof["code"], proof["seat"]) == ("joint-revoke", None)
    assert proof["reason"]["text"].startswith(
        "Only 7 of AM, 2MK, 3MW, 4MS, 5ML, 6MW, 7ML, 8MS and 9MS can be with Ann or aside. By their plays, Bob, Cy,"
    )
    assert found(hand(plays("0:XM 1:XL"), players=2)) == []  # eighteen cards aside


@exercises("REC-18", "REC-17")
def test_a_direct_proof_replaces_the_joint_finding_and_retests_the_rest():
    events = [*EVERY_MOON_ELSEWHERE, *plays("3:9LK 0:6LK 1:2MK")]
    done = hand(events, players=4)
    assert found(done) == [("revoke", "proved", 1)]
    again = hand(events, plays("2:9MS"), players=4)
    assert found(again) == [("revoke", "proved", 1), ("revoke", "proved", 2)]


@exercises("REC-18", "REC-19")
def test_unseen_plays_disable_counting_but_keep_what_it_proved():
    done = hand(trick(0), EVERY_MOON_ELSEWHERE, players=4)
    assert found(done) == []
    assert "no-counting" in unchecked(done)
    unseen = hand(plays("0:? 1:2WL 2:3LY 3:XK"), trick(0), EVERY_MOON_ELSEWHERE, players=4)
    assert found(unseen) == []
    proved = hand(EVERY_MOON_ELSEWHERE, trick(0), players=4)
    assert found(proved) == [("joint-revoke", "joint", None)]
    assert unchecked(proved)["no-counting"] == "Some cards left hands unseen, so counting can’t prove anything more."


@exercises("REC-18", "REC-8")
def test_counting_places_known_cards_in_their_hand():
    moons = {"0": ["XM", "AM", "2MK", "3MW", "4MS", "5ML", "6MW", "7ML", "8MS"]}
    proof = finding(EVERY_MOON_ELSEWHERE, players=4, known_hands=moons)
    assert (proof["code"], proof["argument"]["room"]) == ("joint-revoke", [])
    assert proof["reason"]["text"] == (
        "There is no place left for 9MS. By their plays, Bob, Cy and Dot said they had none; that can’t all be true."
    )
    with_pact = {"3": ["9MS", "9LK", "2SY", "3SK", "5SW", "6SY", "7SK", "XS", "XY"]}
    assert found(hand(EVERY_MOON_ELSEWHERE[:3], plays("3:9MS"), players=4, known_hands=moons | with_pact)) == []


ENTERED = "XM XS 2SY 3MW 9MS 2WL AK XK 3LY 4YK 5YK 6LK"


@exercises("REC-8")
@pytest.mark.parametrize(
    ("hands", "why"),
    [
        ({"s0": "XM"}, "this hand: 12;"),
        ({"s0": ENTERED + " 7ML"}, "this hand: 12;"),
        ({"s0": ENTERED.replace("XS", "XM")}, "twice"),
        ({"s0": ENTERED.replace("XS", "E")}, "not in the pack"),
        ({"s0": ENTERED.replace("XS", "9SK")}, "no card"),
        ({"s0": ENTERED, "s1": ENTERED}, "two hands"),
        ({"s5": ENTERED}, "no seat 5"),
        ({"s9": ENTERED}, "by seat"),
        ({"sx": ENTERED}, "by seat"),
    ],
)
def test_an_entered_hand_that_cannot_have_been_dealt_is_refused(hands: dict[str, str], why: str):
    with pytest.raises(Refused, match=why) as refusal:
        judged(known([], **hands))
    assert refusal.value.problems[0].pointer.startswith("/hands/0/known")


@exercises("REC-8", "AT-5")
def test_an_entered_hand_is_judged_from_the_first_event_on():
    answer = judged(known(plays("0:8MS 1:2WL"), s1=ENTERED))
    assert (answer["rejected"]["verdict"], answer["rejected"]["reason"]["code"]) == ("irregular", "revoke")
    assert "Desert" in answer["rejected"]["reason"]["text"]
    assert judged(known(plays("0:8MS 1:3MW"), s1=ENTERED))["rejected"] is None


@exercises("REC-8", "AT-5")
@pytest.mark.parametrize(("unseen", "verdict"), [(0, "irregular"), (3, "irregular"), (4, None), (5, None)])
def test_revoke_after_unseen_tricks_needs_more_suit_cards_than_unseen_plays(unseen: int, verdict: str | None):
    # the hand holds four cards with a Moon or a Sun besides XS: XM XS 2SY 3MW 9MS are five
    entered = ENTERED.replace("9MS", "9LK")  # four: XM XS 2SY 3MW
    answer = judged(known([*[trick(0)] * unseen, *plays("0:8MS 1:2WL")], s1=entered))
    assert (answer["rejected"] and answer["rejected"]["verdict"]) == verdict


@exercises("REC-8", "REC-17")
def test_a_play_excused_by_unseen_tricks_can_be_disproved_later():
    entered = ENTERED.replace("9MS", "9LK")
    answer = judged(known([*[trick(0)] * 4, *plays("0:8MS 1:2WL 2:9MS 2:9WY 0:XL 1:3MW")], s1=entered))
    assert found(answer["hands"][0]) == [("revoke", "proved", 1)]


@exercises("REC-8", "REC-14", "REC-5", "DK-1")
def test_the_same_entered_hand_gives_the_same_deal_in_any_notation():
    entered = {"1": ENTERED.split()}
    assert refused(plays("0:XM"), known_hands=entered) == ("impossible", "not-in-hand")
    assert refused(plays("0:8MS 1:8WL"), known_hands=entered) == ("impossible", "not-in-hand")
    assert judged(known(plays("0:8MS 1:XM"), s1=ENTERED))["rejected"] is None
    first = known([*plays("0:8MS"), {"type": "redeal"}], s1=ENTERED)
    assert judged(first, plays("0:XM"))["rejected"] is None
    assert judged(first, known(plays("0:XM"), s1=ENTERED))["rejected"]["reason"]["code"] == "not-in-hand"
    written = ENTERED.replace("XM", "Huntress").replace("2WL", "2LW").lower().split()
    data = {"events": plays("0:8MS 1:2WL"), "known": {"1": written}}
    assert judged(data)["rejected"]["reason"]["code"] == "revoke"


# --- The argument of a proof by counting, checked card by card by the second adjudicator (REC-18)

RECORDS = as_often_as(always=60, hunting=400)
LIARS = Mischief(liars=1.0, impossible=0.0, coarse=0.05, known=0.4, aliases=0.0)


def findings(data: Json) -> Iterator[Json]:
    """Yield every finding by counting in a record, when found and while it stands."""
    for described in cast(Json, adjudicate(load_record(data)))["hands"]:
        yield from (each for each in described["irregularities"] if each["certainty"] == "joint")


@cache
def drawn(game: str) -> tuple[tuple[Json, Json], ...]:
    """Return random records of liars, each with a finding by counting."""
    records = (random_record(Random(seed), game, LIARS) for seed in range(FIRST, FIRST + RECORDS))
    return tuple((data, proof) for data in records for proof in findings(data))


def told_until(data: Json, position: list[int]) -> tuple[Hand, list[Claim]]:
    """Replay a record in the second adjudicator up to an event; return the hand and all its claims."""
    table = Table(data)
    number, event = position
    for index, told in enumerate(data["hands"][: number + 1]):
        table.start_hand(told.get("known", {}))
        for each in told["events"][: event + 1 if index == number else None]:
            assert table.apply(each) is None
    return table.hands[-1], table.hands[-1].claims


def check(data: Json, found: Json) -> None:
    at, made = told_until(data, found["proved_by"][0])
    argument = found["argument"]
    acts = [excluded["event"] for excluded in argument["excluded_by"]]
    assert acts == found["claims"]
    claims = [claim for claim in made if [at.index, claim.event] in acts]
    assert [(claim.seat, claim.event) for claim in claims] == [
        (excluded["seat"], excluded["event"][1]) for excluded in argument["excluded_by"]
    ]
    suspects = {claim.seat for claim in claims}
    assert sorted(suspects) == found["suspects"]

    cards = set(argument["cards"])
    situation = next(each for each in at.situations(at.position) if cards & set(each.unseen))
    for card in situation.unseen:
        denied_by = {claim.seat for claim in claims if card in claim.forbidden}
        assert (card in cards) is (denied_by == suspects)
    assert cards <= set(situation.unseen)
    room = {"aside" if place == -1 else place: left for place, left in situation.room.items()}
    assert {each["place"]: each["cards"] for each in argument["room"]} == {
        place: left for place, left in room.items() if left and place not in suspects
    }
    assert sum(each["cards"] for each in argument["room"]) < len(cards)
    for left_out in claims:
        assert can_be_placed(situation, [claim for claim in claims if claim is not left_out])


@pytest.mark.smoke
@exercises("REC-18", "WC-2", "REC-8")
@pytest.mark.parametrize("game", GAMES)
def test_every_finding_by_counting_has_a_valid_argument(game: str):
    for data, proof in drawn(game):
        check(data, proof)
    assert drawn(game)


CY = {"2": ["AL", "AY", "AK", "2WL", "3LY", "4WL", "4YK", "5YK", "6LK", "7WY", "8WL", "8YK"]}
"""Cy’s hand, entered: neither a Moon nor a Sun."""
BOB_DENIES = plays("0:8MS 1:XW 2:2WL")
"""Sixteen Moons and Suns are out, Ann has room for eleven cards, and Bob says that he has none."""
CROWN = plays("0:9WY 1:XY 2:7WY")
"""The next trick goes to Bob; without his Crown, Ann would win it."""


def offered(*events: Json | list[Json]) -> tuple[Json, dict[str, Json]]:
    """Return the finding of a hand with Cy’s cards entered, and its remedies by code."""
    proof = finding(*events, known_hands=CY)
    assert proof["certainty"] == "joint"
    return proof, {remedy["code"]: remedy for remedy in proof["remedies"]}


@exercises("REC-18")
def test_the_only_suspect_is_named():
    proof, _ = offered(BOB_DENIES)
    assert (proof["seat"], proof["suspects"], proof["claims"]) == (None, [1], [[0, 1]])
    assert proof["argument"]["room"] == [{"place": 0, "cards": 11}]
    assert proof["reason"]["text"] == (
        "Only 11 of AM, AS, 2MK, 2SY, 3MW, 3SK, 4MS, 5ML, 5SW, 6MW, 6SY, 7ML, 7SK, 9MS, XM and XS can be with Ann. "
        "Bob said by what they played that they had none, which can’t be true."
    )


@exercises("REC-18", "IR-4")
def test_remedies_for_a_single_suspect_name_that_player():
    _, waiting = offered(BOB_DENIES)
    assert waiting["bridge"]["pending"]["code"] == "remedy-next-trick"
    assert "Bob" in waiting["bridge"]["pending"]["text"]
    assert waiting["hand-zero"]["pending"]["code"] == "remedy-at-end"
    _, done = offered(BOB_DENIES, CROWN)
    (moved,) = done["bridge"]["events"]
    assert (moved["from_seat"], moved["to_seat"], moved["tricks"]) == (1, 0, 1)
    assert done["bridge"]["effect"]["scores"] == {"before": [1, 1, 0], "after": [2, 0, 0]}
    _, over = offered(BOB_DENIES, CROWN, result(6, 4, 2))
    (paid,) = over["hand-zero"]["events"]
    assert (paid["seat"], paid["points"]) == (1, -4)


@exercises("REC-18", "IR-4")
def test_tricks_are_given_up_only_if_both_suspect_acts_cost_the_same():
    neither_won = plays("0:XM 1:XW 2:2WL 0:XS 1:9LK 2:4WL")
    proof, _ = offered(neither_won)
    assert (proof["suspects"], proof["claims"]) == ([1], [[0, 1], [0, 4]])
    _, same = offered(neither_won, CROWN)
    assert [event["tricks"] for event in same["bridge"]["events"]] == [1]

    first_won = plays("0:XM 1:AW 2:3LY 1:9LK 2:6LK 0:XL 0:XS 1:XY 2:5YK 0:9MS 1:9WY 2:4YK")
    proof, differs = offered(first_won)
    assert (proof["suspects"], proof["claims"]) == ([1], [[0, 1], [0, 7]])
    assert differs["bridge"]["pending"]["code"] == "remedy-which-trick"
    assert "Bob" in differs["bridge"]["pending"]["text"]


@exercises("REC-18", "WC-2")
def test_the_sentence_counts_aces_and_crowns_separately():
    told = set()
    for _, proof in drawn("wildcat-chicane"):
        high = {card[0] in "AX" for card in proof["argument"]["cards"]}
        assert len(high) == 1
        apart = "Only Aces and Crowns are counted" if True in high else "Only number cards are counted"
        assert apart in proof["reason"]["text"]
        told.add(apart)
    assert told
