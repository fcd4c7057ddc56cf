"""Sentences must be true under every option: each case here was once answered with a false one."""

from typing import Any

import pytest
from django.utils.translation import override

from referee.api.problems import TRANSLATED
from referee.engine.adjudication import adjudicate
from referee.engine.records import load_record, replay
from referee.engine.rules import Refused
from tests.referee.telling import (
    ask,
    bids,
    exercises,
    judged_record,
    known,
    plays,
    ransoms,
    refusal,
    result,
    ruling_cards,
    told,
    transfer,
    trick,
    unchecked,
)

Json = dict[str, Any]


BIDDING = {"bidding": True}
RANSOM, CHICANE = {"game": "ransom-trump"}, {"game": "wildcat-chicane"}
EXCUSE = {"excuse": True}
FREE = EXCUSE | {"excuse_led": "free"}


def why(*events: Any, **more: Any) -> tuple[str, str]:
    reason = refusal(*events, **more)["reason"]
    return reason["text"], reason["code"]


UNDECIDED = "What decides the tricks of this hand was not recorded. Just record who wins each trick, or the result."
TO_NAME = "Cy won the ransom and has to name trump first."
TO_BID = "Bids are scored at this table, so everyone has to bid first."
DIPLOMAT = "The Diplomat (8 of Moons and Suns)"


@exercises("REC-2", "RT-7", "RT-Q4", "AT-V4", "WC-3")
@pytest.mark.parametrize(
    ("events", "more", "text"),
    [
        ([*bids("0:1 1:1 2:1"), *plays("0:8MS")], RANSOM | {"options": BIDDING}, UNDECIDED),
        ([*bids("0:1 1:1 2:1"), *plays("0:8MS")], CHICANE, UNDECIDED),
        ([*ransoms("7SK 8MS 9LK"), *plays("2:8WL")], RANSOM, TO_NAME),
        ([*ransoms("7SK 8MS 9LK"), trick(0), *plays("0:8WL")], RANSOM, TO_NAME),
        (bids("0:1"), {}, "There is no bidding at this table."),
        (bids("0:1 0:1"), {"options": BIDDING}, "Ann has already bid."),
        ([trick(0)], {"options": BIDDING}, TO_BID),
        ([result(4, 4, 4)], {"options": BIDDING}, TO_BID),
        ([*ransoms("8MS"), *ransoms("9MS")], RANSOM, "Ann has already put a card down."),
        ([{"type": "pass", "seat": 0}], {}, "This game has no “pass”."),
        ([{"type": "suit", "seat": 0, "suit": "S"}], {}, "This game has no “suit”."),
    ],
)  # fmt: skip
def test_an_early_event_is_refused_with_the_missing_step(events: list[Json], more: Json, text: str):
    assert why(*events, **more) == (text, "wrong-phase")


@exercises("REC-6", "REC-7", "WC-2", "REC-13")
@pytest.mark.parametrize(
    ("events", "more", "text"),
    [
        ([*ransoms("8MS XS 9LK"), *plays("1:8MS")], RANSOM, f"{DIPLOMAT} has already been set aside."),
        (ransoms("8MS 8MS"), RANSOM, f"{DIPLOMAT} has already been set aside."),
        (ruling_cards("XM XM"), CHICANE, "The Huntress (Crown of Moons) has already been set aside."),
        (plays("0:8MS 1:8MS"), {}, f"{DIPLOMAT} has already been played."),
        ([trick(0), transfer(0, 1, 0)], {}, "A transfer moves at least one trick."),
        ([trick(0), transfer(0, 1, 1), transfer(0, 1, 1)], {}, "A player can’t give up more tricks than they have."),
    ],
)  # fmt: skip
def test_a_card_that_is_gone_is_refused_with_where_it_went(events: list[Json], more: Json, text: str):
    assert why(*events, **more)[0] == text


@exercises("WC-2", "REC-7")
def test_a_ruling_card_left_the_hand_without_being_played():
    played = plays("0:AM 1:4MS 2:2MK 0:AS 1:8MS 2:9MS 0:AW 1:3MW 2:6MW 0:AL")
    events = [*ruling_cards("XM XS XW"), *bids("0:1 1:1 2:1"), *[each | {"accepted": True} for each in played]]
    text, code = why(*events, game="wildcat-chicane")
    assert code == "too-many-cards"
    assert text.endswith(": all Aces and Crowns dealt to this hand have been played or set aside.")


@exercises("AT-V7", "AT-Q9")
def test_a_card_after_the_excuse_is_not_called_the_lead():
    options = {"excuse": True, "called_suit": True}
    assert why(plays("0:8MS"), options=options)[0].startswith("Ann led the Diplomat")
    text = why(plays("0:E 1:8MS"), options=options)[0]
    assert text == "Bob played the Diplomat (8 of Moons and Suns) after the Excuse without calling the suit to follow."


@exercises("AT-V5", "AT-Q18", "AT-Q19", "REC-19")
@pytest.mark.parametrize(
    ("options", "size"),
    [
        ({"tides_last": "winning"}, None), ({"tides_last": "winning", "tides_excuse": "one"}, None),
        ({"tides_last": "winning", "tides_excuse": "same"}, None), ({}, None),
        ({"tides_excuse": "one"}, [1] * 3), ({"tides_excuse": "same"}, [1] * 3),
    ],
)  # fmt: skip
def test_a_recorded_last_card_that_sets_no_size_is_not_called_missing(options: Json, size: list[int] | None):
    answer = judged_record(told([trick(0, last="E")], options={"tides": True, **EXCUSE, **options}))
    coming: Json = answer["next"]
    assert coming["hand_size"] == size
    if coming["hand_size"] is None:
        text = "The card that sets the size of the next hand was not recorded, so the size is unknown."
        assert unchecked(answer["hands"][0])["tide-unknown"] == text
        record = told([trick(0, last="E")], plays("0:8MS"), options={"tides": True, **EXCUSE, **options})
        text = "The size of the next hand is unknown: the card that sets it was not recorded."
        assert judged_record(record)["rejected"]["reason"]["text"] == text


@exercises("AT-5", "AT-16", "AT-Q9", "AT-V7", "RT-11")
@pytest.mark.parametrize(
    ("options", "led", "hand", "text", "clauses"),
    [
        (EXCUSE, "E", "8MS XK", "The Excuse was led, so this card counts as the lead", ("AT-Q9",)),
        (FREE, "E", "8MS XK", "The Excuse was led, so there is nothing to follow", ("AT-Q9",)),
        (EXCUSE, "9MS", "8MS XK E", "You can follow suit, so you must, or you may play the Excuse.", ("AT-5", "AT-16")),
        (EXCUSE, "9MS", "8MS XM E", "You may play any card: they all follow suit.", ("AT-5", "AT-16")),
        (EXCUSE, "9MS", "XL XK E", "You can’t follow suit, so you may play anything.", ("AT-5",)),
        (EXCUSE, "9MS", "8MS XK", "You can follow suit, so you must.", ("AT-5",)),
    ],
)
def test_the_legal_cards_explain_the_excuse(options, led, hand, text, clauses):
    reason = ask("legal", options=options, led_card=led, hand=hand.split())["reason"]
    assert (reason.text.startswith(text), reason.clauses) == (True, clauses)


@exercises("AT-V7", "AT-5", "RT-16")
def test_the_deciding_called_suit_is_cited():
    options = {"called_suit": True}
    answer = ask("legal", options=options, led_card="8MS", led_suit="S", hand=["9MS", "XM", "XS"])
    assert answer["reason"].clauses == ("AT-5", "AT-V7")
    assert answer["illegal"][0]["reason"].clauses == ("AT-5", "AT-V7")
    ransom = ask("legal", "ransom-trump", options=options, led_card="8MS", led_suit="S", hand=["9MS", "XM"])
    assert ransom["reason"].clauses == ("RT-11", "AT-V7")
    entered = "9MS 3MW XM XS AK XK 3LY 4YK 5YK 6LK 7WY 8YK"
    record = told(known(plays("0:8MS/S 1:3MW"), s1=entered), options=options)
    assert judged_record(record)["rejected"]["reason"]["clauses"] == ["AT-5", "AT-V7"]


@pytest.mark.parametrize(
    ("events", "more", "text"),
    [
        ([*ransoms("7SK 8MS 9LK"), *plays("2:8WL")], RANSOM,
         "Cy hat das Lösegeld gewonnen und muss zuerst Trumpf nennen."),
        ([*bids("0:1 1:1 2:1"), *plays("0:8MS")], RANSOM | {"options": BIDDING},
         "Wonach sich die Stiche dieser Runde entscheiden, wurde nicht eingetragen"),
        ([{"type": "pass", "seat": 0}], {}, "In diesem Spiel gibt es „"),
        ([trick(0, trump="K"), trick(0, trump=None)], {}, "In dieser Runde gibt es inzwischen einen Trumpf: Knoten."),
    ],
)  # fmt: skip
def test_the_german_sentences_are_just_as_true(events: list[Json], more: Json, text: str):
    rejected = replay(load_record(told(events, **more))).rejected
    assert rejected is not None
    assert rejected.ruling.reason is not None
    with override("de"):
        assert text in rejected.ruling.reason.sentence(("Ann", "Bob", "Cy"), TRANSLATED)


@exercises("REC-15", "AT-V3")
@pytest.mark.parametrize(("carried", "taken"), [([3, 0, 3, 0], True), ([3, 0, 0, 3], False), ([1, 2, 3, 4], False)])
def test_partners_share_one_starting_total(carried: list[int], taken: bool):
    record = told([], players=4, options={"partners": True}, carried=carried)
    if taken:
        assert judged_record(record)["totals"] == carried
        return
    with pytest.raises(Refused, match="are partners and start from one total") as refused:
        adjudicate(load_record(record))
    assert not refused.value.malformed
    assert {problem.pointer for problem in refused.value.problems} == {"/carried"}
    assert adjudicate(load_record(record | {"options": {}}))["totals"] == carried
