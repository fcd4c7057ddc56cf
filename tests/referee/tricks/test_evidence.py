"""What an infraction looks like on the table: led, played, shown, with the suits that match (REC-17, WC-11)."""

from typing import Any

import pytest

from tests.referee.telling import Json, exercises, hand, judged, known, plays, ruling_cards

REVOKE = plays("0:8MS 1:2WL 2:9MS 2:9LK 0:XL 1:3MW")
"""Bob does not follow the Diplomat, a Moon and a Sun, and shows the Journey, a Moon."""


def first(*events: Any, **more: Any) -> Json:
    finding: Json = hand(*events, **more)["irregularities"][0]
    return finding


def laid(card: Json | None) -> tuple[object, ...]:
    """Return whose card it is, in which trick, its suits to its player, and those that match."""
    assert card is not None
    return card["seat"], card["trick"], card["card"], "".join(card["reads"]), "".join(card["matches"])


@exercises("REC-17", "AT-5")
def test_a_revoke_is_a_card_led_a_card_played_and_a_card_shown():
    found = first(REVOKE)
    (act,) = found["acts"]
    assert laid(act["led"]) == (0, 1, "8MS", "MS", "MS")
    assert laid(act["played"]) == (1, 1, "2WL", "WL", "")
    assert act["claims"] == ["M", "S"]
    assert laid(found["shown"]) == (1, 2, "3MW", "MW", "M")


@exercises("AT-V7")
def test_of_a_suit_that_was_called_only_that_one_matches():
    found = first(plays("0:8MS/S 1:2WL 2:9MS 2:XL 0:AL 1:3SK"), options={"called_suit": True})
    assert laid(found["acts"][0]["led"]) == (0, 1, "8MS", "MS", "S")
    assert laid(found["shown"]) == (1, 2, "3SK", "SK", "S")


@exercises("AT-16", "AT-Q9")
def test_after_an_excuse_the_next_card_is_the_one_that_was_led():
    found = first(plays("0:E 1:8MS 2:2WL 1:9LK 2:3MW 0:XL"), options={"excuse": True})
    assert found["seat"] == 2
    assert laid(found["acts"][0]["led"])[:3] == (1, 1, "8MS")


@exercises("WC-4", "WC-11")
def test_in_wildcat_chicane_every_player_reads_the_own_way():
    ready = [*ruling_cards("XM AK XY"), *({"type": "bid", "seat": seat, "tricks": 4} for seat in range(3))]
    # Ann and Cy read the upper symbol, Bob the lower one: his Discovery is a Wave, and no Sun
    found = first(ready, plays("0:9WY 1:2SY 2:7WY 0:4YK 1:5SW"), game="wildcat-chicane")
    assert found["code"] == "revoke"
    act = found["acts"][0]
    assert laid(act["led"]) == (0, 1, "9WY", "W", "W")
    assert laid(act["played"]) == (1, 1, "2SY", "Y", "")
    assert act["claims"] == ["W"]
    assert laid(found["shown"]) == (1, 2, "5SW", "W", "W")


@exercises("WC-10")
def test_a_trump_that_was_led_claims_that_the_hand_holds_nothing_else():
    ready = [*ruling_cards("XM XS XY"), *({"type": "bid", "seat": seat, "tricks": 4} for seat in range(3))]
    found = first(ready, plays("0:8MS 1:2MK 2:XL 0:4WL"), game="wildcat-chicane")
    (act,) = found["acts"]
    assert (found["code"], act["led"], act["claims"]) == ("trump-led", None, ["S", "W", "L", "Y", "K"])
    assert laid(act["played"]) == (0, 1, "8MS", "M", "")
    assert laid(found["shown"]) == (0, 2, "4WL", "W", "W")


@exercises("REC-8", "IR-2")
def test_a_revoke_that_was_seen_at_once_shows_no_later_card():
    held = "2WL 3MW 4MS 5ML 6MW 7ML 9LK 4WL 5YK 6LK 7WY 8WL"
    told = plays("0:8MS 1:2WL!")
    found = judged(known(told, s1=held))["hands"][0]["irregularities"][0]
    assert (found["certainty"], found["shown"]) == ("seen", None)
    assert laid(found["acts"][0]["played"])[:3] == (1, 1, "2WL")


@exercises("REC-18")
def test_of_a_proof_by_counting_every_act_says_what_it_claimed():
    found = first(plays("0:XM 1:AS 2:AL 3:AY"), players=4)
    assert [(act["played"]["seat"], act["played"]["card"], act["claims"]) for act in found["acts"]] == [
        (1, "AS", ["M"]),
        (2, "AL", ["M"]),
        (3, "AY", ["M"]),
    ]
    assert found["shown"] is None


@pytest.mark.parametrize("told", ["1:8MS!", "0:8MS 2:9MS!"])
def test_what_is_no_infraction_of_following_has_no_such_cards(told: str):
    found = first(plays(told))
    assert (found["code"], found["acts"], found["shown"]) == ("out-of-turn", [], None)
