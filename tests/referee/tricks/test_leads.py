"""Suits that must be broken before they are led: what breaks one, what a lead claims, and what stays unknown."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar, cast

import pytest

from referee.engine.adjudication import adjudicate
from referee.engine.game import with_game
from referee.engine.records import load_record
from referee.engine.rules import Option, Options
from referee.packs import Pack, french
from referee.tricks.leads import LEGAL_BROKEN, BrokenHand
from referee.tricks.questions import TRICK
from referee.tricks.rules import TrickRules
from tests.referee.telling import Json, plays, result, trick
from tests.toy import PlainWhist, WhistHand

NAMES = ["Ann", "Bob", "Cy", "Dot"]
EVERY = "AS 3S 4H 5H 6H 7D 8D 9D 10D JC QC KC 2C"


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


def judge(events: list[Json], game: str = "plain-spades", known: Json | None = None, **options: object) -> Json:
    hand: Json = {"events": events, **({"known": known} if known else {})}
    record = {"game": game, "seats": NAMES, "first_dealer": 3, "options": options, "hands": [hand]}
    return cast(Json, adjudicate(load_record(record)))


def judged(events: list[Json], game: str = "plain-spades", known: Json | None = None, **options: object) -> Json:
    answer = judge(events, game, known, **options)
    assert answer["rejected"] is None, answer["rejected"]
    return answer["hands"][0]


def found(hand: Json) -> list[tuple[str, str, int | None]]:
    return [(each["code"], each["certainty"], each["seat"]) for each in hand["irregularities"]]


HEARTS = "0:2H 1:3H 2:4H 3:5H "
RUFFED = "0:2H 1:3H 2:2S 3:5H "


@pytest.mark.parametrize(
    ("events", "broken"),
    [
        ("", False),
        (HEARTS, False),
        (RUFFED, True),
        ("0:2H 1:3H 2:2S", False),  # a card of the current trick breaks nothing
        ("0:2S 1:3S 2:4S 3:5S", True),  # led although it may have been unlawful
    ],
)
def test_any_card_of_an_earlier_trick_breaks_the_suit(events: str, broken: bool):
    assert judged(plays(events))["broken"] is broken


def test_leading_an_unbroken_suit_claims_a_hand_of_that_suit_only():
    assert found(judged(plays(HEARTS + "3:5S 0:6S 1:7S 2:8S 2:9C"), cards=4)) == []
    proved = judged(plays(HEARTS + "3:5S 0:6S 1:7S 2:8S 2:9C 3:10C"), cards=4)
    assert found(proved) == [("trump-led", "proved", 3)]
    (finding,) = proved["irregularities"]
    assert (finding["event"], finding["trick"], finding["proved_by"]) == ([0, 4], 2, [[0, 9]])
    assert finding["acts"][0]["claims"] == ["H", "C", "D"]
    assert finding["reason"]["clauses"] == ["TOY-5", "REC-17"]
    later = judged(plays(RUFFED + "2:5S 3:6S 0:7S 1:8S 1:9C 2:10C"), cards=4)
    assert found(later) == []


def test_counting_can_prove_such_a_lead_false():
    joint = judged(plays(HEARTS + "3:5S 0:6S 1:7S 2:8S"))
    assert found(joint) == [("joint-revoke", "joint", None)]
    assert joint["irregularities"][0]["suspects"] == [3]


def test_an_entered_hand_exposes_such_a_lead_at_once():
    entered = {"0": EVERY.split()}
    refused = judge(plays("0:AS"), known=entered)["rejected"]
    assert (refused["verdict"], refused["reason"]["code"]) == ("irregular", "trump-led")
    assert found(judged(plays("0:AS!"), known=entered)) == [("trump-led", "seen", 0)]
    assert found(judged(plays("0:4H"), known=entered)) == []
    only = {"0": [rank + "S" for rank in ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]]}
    assert found(judged(plays("0:AS"), known=only)) == []


def test_a_house_rule_decides_when_the_suit_is_broken():
    entered = {"0": EVERY.split()}
    assert found(judged(plays("0:AS"), known=entered, trump_lead="free")) == []
    broken = "0:4H 1:3H 2:2S 3:7H 2:KD 3:JD 0:7D 1:2D 2:3D 3:4D 0:10D 1:5D 0:AS"
    assert found(judged(plays(broken), known=entered)) == []
    assert judge(plays(broken), known=entered, trump_lead="never")["rejected"]["reason"]["code"] == "trump-led"


def test_unseen_cards_may_have_broken_the_suit():
    unseen = judged([trick(0), *plays("0:AS 1:2S 2:3S 3:4S 0:2H 1:3H")])
    assert (unseen["broken"], found(unseen)) == (True, [])
    assert judged([trick(0)])["broken"] is None
    assert "broken-unknown" in [each["code"] for each in unseen["unchecked"]]
    assert "broken-unknown" not in [each["code"] for each in judged([result(4, 3, 3, 3)])["unchecked"]]
    assert "broken-unknown" not in [each["code"] for each in judged([trick(0)], trump_lead="free")["unchecked"]]
    # One unseen card of a trick may have been a spade until that player's spades are all known
    assert judged([*plays("0:2H 1:? 2:4H 3:5H"), trick(1)])["broken"] is None
    assert judged([*plays("0:2H 1:? 2:4H 3:5H"), trick(3)])["broken"] is False  # a spade would have won
    held = {"1": ["2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "10C", "JC", "QC", "KC", "AC"]}
    assert judged(plays("0:2H 1:? 2:4H 3:5H"), known=held)["broken"] is False
    held = {"1": ["2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "10S", "JS", "QS", "KS", "AS"]}
    assert judged(plays("0:2H 1:? 2:4H 3:5H"), known=held)["broken"] is True


def test_a_side_suit_can_need_breaking():
    assert judged(plays("0:2H 1:3H 2:4H 3:5H"), "plain-hearts")["broken"] is True
    assert judged(plays("0:2S 1:QS 2:4S 3:5S"), "plain-hearts")["broken"] is True
    assert judged(plays("0:2S 1:KS 2:4S 3:5S"), "plain-hearts")["broken"] is False
    early = judged(plays("0:2H 1:3H 2:4H 3:5H 3:2C 0:3C"), "plain-hearts", cards=4)
    assert found(early) == [("hearts-led", "proved", 0)]


def ask(hand: str, **more: object) -> Json:
    payload = {"hand": hand.split(), **more}
    return PlainSpades().answer("legal", payload)


def test_the_question_states_whether_the_suit_is_broken():
    with with_game(PlainSpades()):
        early, broken, only = ask("AS KS 4D"), ask("AS KS 4D", broken=True), ask("AS KS")
    assert (early["legal"], [each["card"] for each in early["illegal"]]) == (["4D"], ["AS", "KS"])
    assert {each["reason"].code for each in early["illegal"]} == {"trump-led"}
    assert (broken["legal"], only["legal"]) == (["AS", "KS", "4D"], ["AS", "KS"])
    assert ask("AS KS 4D", led_card="2D")["legal"] == ["4D"]


def test_a_question_assumes_enough_players_for_its_cards():
    assert ask("2C 3C", options={"cards": 5})["legal"] == ["2C", "3C"]
    shown = [{"cards": [card]} for card in ("3C", "2C", "5C")]
    assert PlainSpades().answer("trick", {"plays": shown})["winner"] == 2
