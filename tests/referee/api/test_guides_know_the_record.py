"""Guides ask only what the record leaves open, and accuse no player it clears."""

from collections.abc import Iterator
from random import Random

import pytest

from tests.games.american_deuce.told_rounds import NAMED, TABLE, drop, left
from tests.games.discovery import HONEST
from tests.referee.api.test_guides import DISCARDED, ask, asked, by_record, carried_out, disproved, ruled
from tests.referee.telling import (
    BOB_WINS,
    REDEAL,
    TRUMPED,
    Json,
    accepted,
    bids,
    exercises,
    judged_record,
    plays,
    remedy,
    result,
    ruling_cards,
    told,
    transfer,
    trick,
)

FOLLOWED = told(plays("0:8MS 1:XK 2:9MS 2:XL 0:3LY 1:9LK"))
"""Bob discards the Crown of Knots in the first trick; everyone follows suit in the second."""
PAIRS = told([*NAMED, *plays("0:3S+3H 1:4S+4H")], **TABLE)


@exercises("REC-19")
@pytest.mark.parametrize(
    ("who", "number", "code", "cards"),
    [
        (0, 1, "cleared-led", []),
        (2, 1, "cleared-followed", ["9 of Moons and Suns", "8 of Moons and Suns"]),
        (2, 2, "cleared-led", []),
        (1, 2, "cleared-followed", ["9 of Leaves and Knots", "Crown of Leaves"]),
    ],
)
def test_a_player_who_led_or_followed_suit_did_not_revoke(api, who, number, code, cards):
    said = ask(api, "revoke", FOLLOWED, who=who, trick=number)
    assert disproved(said)[0] == code
    assert all(card in said["ruling"]["text"] for card in cards), said["ruling"]["text"]
    assert {"AT-5"} <= {*said["ruling"]["clauses"]}


def test_only_players_who_may_have_revoked_are_offered(api):
    said = ask(api, "revoke", FOLLOWED)
    assert [(each["id"], each["answer"]) for each in said["answered"] if each["by"] == "record"][:2] == [
        ("who", 1), ("trick", 1)]  # fmt: skip
    assert said["answered"][0]["answer_text"] == "Bob"
    one_more = told(plays("0:8MS 1:XK 2:9MS 2:XL 0:3LY 1:7SK"))
    assert choices(ask(api, "revoke", one_more, who=1)) == [1, 2]


def choices(said: Json) -> list[object]:
    return [each["answer"] for each in said["question"]["choices"]]


def test_a_player_cleared_by_the_record_sees_why_for_each_act(api):
    said = ask(api, "revoke", FOLLOWED, who=2)
    assert disproved(said)[0] == "disproved"
    assert [each["code"] for each in said["evidence"]] == ["cleared-followed", "cleared-led"]


def test_a_remedy_for_a_disproved_accusation_is_refused(api):
    body: Json = {"record": FOLLOWED, "situation": "revoke", "remedy": "take-back"}
    said = api.refused("referee/guide/", body | {"answers": {"who": 2, "trick": 1}}, 422)
    assert (said["code"], said["errors"][0]["pointer"]) == ("disproved", "/remedy")
    assert "Cy followed suit in trick 1" in said["detail"] or "Cy followed suit" in said["errors"][0]["detail"]
    assert api.refused("referee/guide/", body | {"remedy": "redo-exchange"}, 422)["code"] == "bad-value"
    asked = {"situation": "exposed-card", "remedy": "note"}
    assert api.refused("referee/guide/", body | asked, 422)["errors"][0]["pointer"] == "/answers/who"
    assert api.post("referee/guide/", body | asked | {"answers": {"who": 1}}).status_code == 200
    assert api.refused("referee/guide/", body | {"remedy": 3}, 400)["code"] == "wrong-type"


def test_a_clean_known_hand_accuses_no_one(api):
    record, _ = next(clean_hands())
    for situation in ("revoke", "not-protested", "lead-out-of-turn", "play-out-of-turn"):
        disproved(ask(api, situation, record, hand=1))
        for who in range(len(record["seats"])):
            disproved(ask(api, situation, record, hand=1, who=who))


def clean_hands() -> Iterator[tuple[Json, Json]]:
    """Yield honest records whose first hand was played to its end, card by card, with their adjudication."""
    for seed in range(200):
        record = HONEST["oh-hell"](Random(seed))
        judged = judged_record(record)
        over = judged["hands"] and judged["hands"][0]["phase"] == "finished"
        if over and all(event["type"] in ("turn-up", "bid", "play", "note") for event in record["hands"][0]["events"]):
            yield record, judged


@exercises("WC-10", "AT-5")
def test_a_player_who_did_not_lead_their_own_trump_is_cleared(api):
    ready = [*ruling_cards("XM XL XW"), *bids("0:2 1:3 2:4")]
    own = told([*ready, *plays("0:XS")], game="wildcat-chicane")
    assert disproved(ask(api, "trump-led", own, who=0, trick=1)) == ("cleared-lead", ["WC-10"])
    assert disproved(ask(api, "trump-led", own, who=1))[0] == "cleared-other-led"
    assert disproved(ask(api, "not-protested", own, who=0)) == ("cleared-lead", ["WC-10"])
    trump = told([*ready, *plays("0:8MS")], game="wildcat-chicane")
    assert not ask(api, "trump-led", trump)["disproved"]
    led = ask(api, "not-protested", told(plays("0:AM 1:XM 2:9MS 1:8MS 2:2MK")), who=1)
    assert [each["text"] for each in led["evidence"]][-1] == "Bob led trick 2, so there was nothing to follow."


@exercises("AD-17")
def test_a_valid_combination_is_not_taken_back(api):
    assert disproved(ask(api, "no-combination", PAIRS, who=1)) == ("cleared-combination", ["AD-17"])


@exercises("AD-7", "AD-8", "AD-12", "IR-12", "REC-19")
def test_an_exchange_ruling_uses_the_given_and_recorded_cards(api):
    other = told([*NAMED, accepted(drop(1, "9S", "6D")), *plays("0:7D")], **TABLE)
    assert disproved(ask(api, "not-lowest", other)) == ("cleared-no-two-given", ["AD-7", "AD-8"])
    flagged = told([*NAMED, accepted(drop(1, "9S", "6D", constipated=True)), *plays("0:7D 1:2S!")], **TABLE)
    assert ask(api, "not-lowest", flagged)["ruling"]["text"] == (
        "The King’s hand was recorded as having no 2, so Ann didn’t owe the lowest card."
    )
    over = told([*NAMED, drop(1, "2S", "6D"), *plays("0:7D"), left(4, 0, 13, 11)], **TABLE)
    assert asked(ask(api, "not-lowest", over)) == "played"
    shown = told([*NAMED, drop(1, "2S", "6D"), *plays("0:5D 1:6D"), left(4, 0, 13, 11)], **TABLE)
    assert ruled(ask(api, "not-lowest", shown)) == ("logged", ["IR-12"])
    assert "next one" not in ask(api, "skipped", over, who=1)["ruling"]["text"], "the round is over"


@exercises("AD-7", "AD-8")
def test_a_deuce_given_or_never_owed_is_not_exchanged_again(api):
    assert disproved(ask(api, "no-deuce", PAIRS)) == ("cleared-no-exchange", ["AD-7", "AD-Q6"])
    given = told([*NAMED, drop(1, "2H", "3D"), *plays("0:4S")], **TABLE)
    assert disproved(ask(api, "no-deuce", given)) == ("cleared-gave-two", ["AD-7"])
    assert disproved(ask(api, "not-lowest", given))[1] == ["AD-7", "AD-Q8"]
    nobody = told([*NAMED, {"type": "drop-deuce", "king": None}, *plays("0:4S")], **TABLE)
    assert disproved(ask(api, "not-lowest", nobody))[0] == "cleared-nobody-dropped"


def test_whether_a_two_is_left_is_asked_only_if_the_record_cannot_tell(api):
    late = [*NAMED, drop(1, "5S", "9S", constipated=True), *plays("0:3S 1:- 2:- 3:-")]
    assert asked(ask(api, "no-deuce", told(late, **TABLE))) == "holds-two"
    his = ["5S", "KD", "2H", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "10C", "JC", "QC"]
    record = told(late, **TABLE)
    record["hands"][0]["events"][3] |= {"accepted": True}
    record["hands"][0]["known"] = {"1": his}
    known = ask(api, "no-deuce", record)
    assert (ruled(known)[0], by_record(known)["holds-two"]) == ("claim", "yes")


@exercises("AP-14")
def test_only_a_two_card_response_can_miss_a_draw(api):
    record = told(plays("0:8H 1:4H+10H!"), game="ace-pit", players=2)
    assert disproved(ask(api, "forgotten-draw", record, who=0))[0] == "cleared-laid"
    single = told(plays("0:8H 1:9H"), game="ace-pit", players=2)
    assert disproved(ask(api, "forgotten-draw", single, who=1)) == ("cleared-one-card", ["AP-14"])
    assert disproved(ask(api, "no-combination", single, who=1))[0] == "cleared-one-card-answer"


@exercises("REC-12")
def test_a_lead_in_turn_clears_its_player(api):
    assert disproved(ask(api, "lead-out-of-turn", told(plays("0:8MS")), who=0))[0] == "cleared-own-lead"
    assert disproved(ask(api, "play-out-of-turn", told(plays("0:8MS 1:2WL")), who=1))[0] == "cleared-in-turn"
    known = ask(api, "lead-out-of-turn", told(plays("1:8MS!")))
    assert by_record(known)["who"] == 1


def test_unrecorded_and_unseen_facts_remain_open(api):
    assert choices(ask(api, "revoke", told([trick(0)]))) == [0, 1, 2]
    assert choices(ask(api, "revoke", told([result(4, 4, 4)]))) == [0, 1, 2]
    unseen = told(plays("0:8MS 1:? 2:9MS"))
    assert [each["answer"] for each in ask(api, "revoke", unseen)["answered"]][:1] == [1]
    assert not ask(api, "revoke", told(plays("0:?")))["disproved"]
    assert choices(ask(api, "revoke", told(plays("0:8MS")))) == [1, 2]
    assert choices(ask(api, "lead-out-of-turn", told(plays("0:8MS 1:2WL 2:9MS")))) == [0, 1]


def test_after_a_hand_the_next_first_lead_can_be_ruled_on(api):
    over = told([*plays("0:8MS 1:2WL 2:9MS"), result(4, 4, 4)])
    led = ask(api, "lead-out-of-turn", over)
    assert choices(led) == [0, 1, 2], "Tricks of the first hand are not told."
    record = next(record | {"hands": record["hands"][:1]} for record, judged in clean_hands() if not judged["finished"])
    players, dealer = len(record["seats"]), judged_record(record)["next"]["dealer"]
    others = [seat for seat in range(players) if seat != (dealer + 1) % players]
    assert choices(ask(api, "lead-out-of-turn", record)) in (list(range(players)), others)
    disproved(ask(api, "revoke", record))


def test_a_ruling_settles_its_finding(api):
    record = told([*TRUMPED, *BOB_WINS, result(4, 5, 3)])
    done = remedy(ask(api, "revoke", record, who=1, trick=3), "bridge")
    assert all(event["x_settles"] == [0, 7] for event in done["events"])
    finding = carried_out(record, done)["hands"][0]["irregularities"][0]
    assert remedy(finding, "bridge")["events"] == []


@exercises("REC-18")
def test_a_ruling_about_one_of_several_suspects_settles_a_finding_by_counting(api):
    record = told(plays("0:XM 1:AS 2:AL 3:AY"), players=4)
    said = ask(api, "revoke", record, who=2, trick=1)
    assert ruled(said)[0] == "in-time"
    assert [event["x_settles"] for event in remedy(said, "note")["events"]] == [[0, 3]]


def test_a_held_back_finding_settles_nothing(api):
    said = ask(api, "revoke", told(TRUMPED), who=1, trick=3)
    assert ruled(said)[0] == "established"
    assert "x_settles" not in remedy(said, "note")["events"][0]
    record = told([*TRUMPED, *BOB_WINS, result(4, 5, 3), transfer(1, 0, 1), transfer(1, 2, 1)])
    said = ask(api, "revoke", record, who=1, trick=3)
    assert remedy(said, "bridge")["effect"]["totals"] == {"before": [5, 3, 4], "after": [5, 3, 4]}
    said = ask(api, "misdeal", told([*DISCARDED, REDEAL]), first_card="no")
    assert [each["code"] for each in said["remedies"]] == ["note"]
