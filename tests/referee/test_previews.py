"""What the referee says of an event before it is recorded, and what a card would claim if it were played."""

from typing import Any

import pytest

from referee.engine.asks import Ask, Preview
from referee.engine.events import Play
from referee.engine.hand import Hand
from referee.engine.records import load_record, replay
from tests.games.american_deuce.telling import NAMED, TABLE
from tests.referee.telling import bids, exercises, known, plays, ruling_cards, told
from tests.toy import GAME as TOY


def hand_of(*hands: Any, **more: Any) -> Hand:
    hand = replay(load_record(told(*hands, **more))).table.hand
    assert hand is not None
    return hand


def deuce(*events: Any) -> Hand:
    return hand_of([*NAMED, *(move for part in events for move in part)], **TABLE)


def seen(hand: Hand, seat: int, cards: str) -> tuple[bool | None, list[str]]:
    preview = hand.preview(Play(seat, tuple(cards.split())))
    assert isinstance(preview, Preview)
    return preview.fits, [reason.sentence(("Ann", "Bob", "Cy", "Dot")) for reason in preview.reasons]


@exercises("AD-10", "AD-22", "AD-24", "AD-Q12")
@pytest.mark.parametrize(
    ("lying", "cards", "fits", "said"),
    [
        ("", "8S 8H 8C 4D 4S", True, "Full house, eights."),
        ("0:7S+7H+7C+3D+3S", "8S 8H 8C 4D 4S", True, "Full house, eights. The … beats the full house, sevens."),
        ("0:7S+7H+7C+3D+3S", "6S 6H 6C 4D 4S", False, "Full house, sixes. The … does not beat the full house, sevens."),
        ("0:7S", "9H", True, "9 of hearts. The … beats the 7 of spades."),
        ("0:7S", "8S 9H", False, "8S 9H are no combination."),
        ("0:7S", "7S", False, "The 7 of spades has been played already."),
        ("0:7S+7H", "9H 9S 9C", False, "Triple of nines. The … does not beat the pair of sevens. Number of"),
    ],
)  # fmt: skip
def test_cards_are_named_while_they_are_put_together(lying: str, cards: str, fits: bool, said: str):
    found, sentences = seen(deuce(plays(lying)), 1, cards)
    assert found == fits
    for part in said.split("…"):
        assert part.strip() in " ".join(sentences)


def test_nothing_is_said_of_no_cards_of_no_seat_and_before_the_suits_are_named():
    assert deuce().preview(Play(1, ())) is None
    assert deuce().preview(Play(9, ("7S",))) is None
    assert hand_of([], **TABLE).preview(Play(0, ("7S",))) is None


@exercises("AP-8", "AP-11", "AP-12", "AP-Q4")
@pytest.mark.parametrize(
    ("cards", "fits", "said"),
    [
        ("8H 10H", True, "Bob wins with Spoon 30 + Pin 25 + Flush 40: 95 points."),
        ("2C", None, "2 of clubs makes no set with 9 of hearts, a Throw Away: Ann wins, 10 points."),
        ("2C 3C", False, "Not a set: 2 of clubs and 3 of clubs. Two cards have to be a Pin or a Double Fork."),
    ],
)
def test_a_response_is_broken_down_before_it_is_confirmed(cards: str, fits: bool | None, said: str):
    laid = hand_of(plays("0:9H"), game="ace-pit", players=2)
    found, (sentence,) = seen(laid, 1, cards)
    assert (found, sentence.replace("The ", "").replace("the ", "")) == (fits, said)
    assert laid.preview(Play(1, ("9H",))) is None
    assert laid.preview(Play(1, ("2C", "3C", "4C"))) is None
    assert hand_of([], game="ace-pit", players=2).preview(Play(0, ("9H",))) is None


def test_a_game_that_has_nothing_to_say_says_nothing():
    rules = TOY.rules({}, 2)
    assert TOY.hand_class(rules, TOY.first(rules, 0)).preview(Play(1, ("2S",))) is None
    assert hand_of([]).preview(Play(0, ("8MS",))) is None


# -- claims -----------------------------------------------------------------------------------


def marks(hand: Hand) -> dict[str, str]:
    ask: Ask = next(ask for ask in hand.asks() if ask.event == "play")
    return {code: reason.sentence(("Ann", "Bob", "Cy")) for code, reason in ask.fields[0].marks.items()}


@exercises("AT-5", "REC-17", "AT-16")
def test_a_card_that_does_not_follow_would_claim_a_void():
    assert marks(hand_of([])) == {}
    marked = marks(hand_of(plays("0:8MS 1:9MS"), options={"excuse": True}))
    assert set(marked.values()) == {"Playing a marked card, Cy claims: no Moons, no Suns."}
    assert {"2WL", "AK"} <= set(marked)
    assert not {"4MS", "AM", "*", "8MS"} & set(marked)


@exercises("AT-V7")
def test_only_the_suit_that_was_called_is_claimed():
    called = hand_of(plays("0:8MS/S"), options={"called_suit": True})
    assert set(marks(called).values()) == {"Playing a marked card, Bob claims: no Suns."}


@exercises("WC-10", "WC-11")
def test_each_player_claims_by_the_own_reading():
    ready = [*ruling_cards("XM AK XY"), *bids("0:4 1:4 2:4")]
    lead = marks(hand_of(ready, game="wildcat-chicane"))
    assert set(lead.values()) == {"Leading a marked card, Ann claims to hold nothing but their own trump."}
    assert "AM" in lead
    assert "4WL" not in lead
    follow = marks(hand_of([*ready, *plays("0:4WL")], game="wildcat-chicane"))
    assert set(follow.values()) == {"Playing a marked card, Bob claims: no Waves."}
    assert "3MW" not in follow, "Bob reads bottoms: Waves"
    assert "6MW" not in follow
    assert "8WL" in follow


def test_what_is_marked_does_not_depend_on_hands_that_were_entered():
    dealt = "8MS 9MS XM AM 2MK 3MW 5ML 7ML 4MS AS 3SK XS"
    entered = known(plays("0:8MS"), s0=dealt)
    assert marks(hand_of(entered)) == marks(hand_of(plays("0:8MS")))
