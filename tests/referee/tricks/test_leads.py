"""Suits that must be broken before they are led: what breaks one, what a lead claims, and what stays unknown."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from referee.engine.game import with_game
from referee.engine.rules import Option, Options
from referee.packs import Pack, french
from referee.tricks.leads import LEGAL_BROKEN, BrokenHand
from referee.tricks.questions import TRICK
from referee.tricks.rules import TrickRules
from tests.referee.telling import Json, ask, found, hand, plays, refused, result, trick
from tests.toy import PlainWhist, WhistHand

EVERY = {"0": ["AS", "3S", "4H", "5H", "6H", "7D", "8D", "9D", "10D", "JC", "QC", "KC", "2C"]}
"""Ann's hand, with cards of every suit."""


def whole(seat: int, suit: str) -> Json:
    """Enter a hand with all cards of a suit."""
    return {f"{seat}": [f"{rank}{suit}" for rank in ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]]}


class SpadesHand(BrokenHand):
    """A hand with spades as trump."""

    LEAD_OPTION = "trump_lead"
    CITES = {**WhistHand.CITES, "trump-led": ("TOY-5",)}


class SpadesRules(TrickRules):
    def trump_suits(self) -> tuple[str, ...]:
        return ("S",)


class PlainSpades(PlainWhist):
    """The toy game with spades as trump, which must be broken."""

    id = "plain-spades"
    rules_class = SpadesRules
    hand_class: ClassVar[Any] = SpadesHand
    options: ClassVar[Any] = (
        *PlainWhist.options,
        Option("trump_lead", "Trump led", "When trump may be led.", ("TOY-5",), ("broken", "never", "free")),
    )
    QUESTIONS = (TRICK, replace(LEGAL_BROKEN, examples=()))

    def trump(self, rules: object, before: object) -> str:
        return "S"

    def pack(self, options: Options, players: int) -> Pack:
        return french() if players != 3 else french(without=("2C",))


class HeartsHand(BrokenHand):
    """A hand in which hearts must be broken but are not trump; the queen of spades breaks them, too."""

    LED_EARLY = "hearts-led"
    CITES = {**WhistHand.CITES, "hearts-led": ("TOY-5",)}

    def held_back(self) -> int:
        return self.rules.suited["H"][0]

    def breaking(self) -> int:
        return self.held_back() | 1 << self.rules.pack.codes["QS"]

    def lead_key(self, form: str) -> str:
        return form.replace("hearts", "trump")


class PlainHearts(PlainWhist):
    """The toy game without trump, with hearts that must be broken."""

    id = "plain-hearts"
    hand_class: ClassVar[Any] = HeartsHand

    def trump(self, rules: object, before: object) -> None:
        return None


@pytest.fixture(autouse=True)
def _catalogue() -> Iterator[None]:
    with with_game(PlainSpades()), with_game(PlainHearts()):
        yield


def spades(cards: str, /, *before: Json, known: Json | None = None, **options: object) -> Json:
    return hand(*before, plays(cards), game="plain-spades", players=4, options=options, known_hands=known)


def refused_lead(cards: str, /, **options: object) -> tuple[str, str]:
    return refused(plays(cards), game="plain-spades", players=4, options=options, known_hands=EVERY)


def hearts(cards: str, /, **options: object) -> Json:
    return hand(plays(cards), game="plain-hearts", players=4, options=options)


HEARTS = "0:2H 1:3H 2:4H 3:5H "
RUFFED = "0:2H 1:3H 2:2S 3:5H "


@pytest.mark.parametrize(
    ("cards", "broken"),
    [
        ("", False),
        (HEARTS, False),
        (RUFFED, True),
        ("0:2H 1:3H 2:2S", False),  # a card of the current trick breaks nothing
        ("0:2S 1:3S 2:4S 3:5S", True),  # led although it may have been unlawful
    ],
)
def test_any_card_of_an_earlier_trick_breaks_the_suit(cards: str, broken: bool):
    assert spades(cards)["broken"] is broken


def test_leading_an_unbroken_suit_claims_a_hand_of_that_suit_only():
    assert found(spades(HEARTS + "3:5S 0:6S 1:7S 2:8S 2:9C", cards=4)) == []
    proved = spades(HEARTS + "3:5S 0:6S 1:7S 2:8S 2:9C 3:10C", cards=4)
    assert found(proved) == [("trump-led", "proved", 3)]
    (finding,) = proved["irregularities"]
    assert (finding["event"], finding["trick"], finding["proved_by"]) == ([0, 4], 2, [[0, 9]])
    assert finding["acts"][0]["claims"] == ["H", "C", "D"]
    assert finding["reason"]["clauses"] == ["TOY-5", "REC-17"]
    assert found(spades(RUFFED + "2:5S 3:6S 0:7S 1:8S 1:9C 2:10C", cards=4)) == []


def test_counting_can_prove_such_a_lead_false():
    joint = spades(HEARTS + "3:5S 0:6S 1:7S 2:8S")
    assert found(joint) == [("joint-revoke", "joint", None)]
    assert joint["irregularities"][0]["suspects"] == [3]


def test_an_entered_hand_exposes_such_a_lead_at_once():
    assert refused_lead("0:AS") == ("irregular", "trump-led")
    assert found(spades("0:AS!", known=EVERY)) == [("trump-led", "seen", 0)]
    assert found(spades("0:4H", known=EVERY)) == []
    assert found(spades("0:AS", known=whole(0, "S"))) == []


def test_a_house_rule_decides_when_the_suit_is_broken():
    assert found(spades("0:AS", known=EVERY, trump_lead="free")) == []
    broken = "0:4H 1:3H 2:2S 3:7H 2:KD 3:JD 0:7D 1:2D 2:3D 3:4D 0:10D 1:5D 0:AS"
    assert found(spades(broken, known=EVERY)) == []
    assert refused_lead(broken, trump_lead="never") == ("irregular", "trump-led")


def test_unseen_cards_may_have_broken_the_suit():
    unseen = spades("0:AS 1:2S 2:3S 3:4S 0:2H 1:3H", trick(0))
    assert (unseen["broken"], found(unseen)) == (True, [])
    assert "broken-unknown" in unchecked(unseen)
    assert spades("", trick(0))["broken"] is None
    assert "broken-unknown" not in unchecked(spades("", result(4, 3, 3, 3)))
    assert "broken-unknown" not in unchecked(spades("", trick(0), trump_lead="free"))


def unchecked(done: Json) -> list[str]:
    return [reason["code"] for reason in done["unchecked"]]


def test_one_unseen_card_may_have_been_a_spade_until_all_spades_of_its_player_are_known():
    cards = plays("0:2H 1:? 2:4H 3:5H")
    assert spades("", *cards, trick(1))["broken"] is None
    assert spades("", *cards, trick(3))["broken"] is False  # a spade would have won
    assert spades("", *cards, known=whole(1, "C"))["broken"] is False
    assert spades("", *cards, known=whole(1, "S"))["broken"] is True


def test_a_side_suit_can_need_breaking():
    assert hearts("0:2H 1:3H 2:4H 3:5H")["broken"] is True
    assert hearts("0:2S 1:QS 2:4S 3:5S")["broken"] is True
    assert hearts("0:2S 1:KS 2:4S 3:5S")["broken"] is False
    assert found(hearts("0:2H 1:3H 2:4H 3:5H 3:2C 0:3C", cards=4)) == [("hearts-led", "proved", 0)]


def legal(cards: str, **more: object) -> Json:
    return ask("legal", "plain-spades", hand=cards.split(), **more)


def test_the_question_states_whether_the_suit_is_broken():
    early, broken, only = legal("AS KS 4D"), legal("AS KS 4D", broken=True), legal("AS KS")
    assert (early["legal"], [each["card"] for each in early["illegal"]]) == (["4D"], ["AS", "KS"])
    assert {each["reason"].code for each in early["illegal"]} == {"trump-led"}
    assert (broken["legal"], only["legal"]) == (["AS", "KS", "4D"], ["AS", "KS"])
    assert legal("AS KS 4D", led_card="2D")["legal"] == ["4D"]


def test_a_question_assumes_enough_players_for_its_cards():
    assert legal("2C 3C", options={"cards": 5})["legal"] == ["2C", "3C"]
    shown = [{"cards": [card]} for card in ("3C", "2C", "5C")]
    assert ask("trick", "plain-spades", plays=shown)["winner"] == 2
