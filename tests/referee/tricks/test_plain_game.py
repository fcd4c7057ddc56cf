"""What a plain trick-taking game inherits from its base, though its module says almost nothing."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

import pytest
from django.test import RequestFactory

from referee.api.questions import questions
from referee.api.views import question_view
from referee.engine.adjudication import adjudicate
from referee.engine.events import Trick
from referee.engine.game import all_games, find_game, with_game
from referee.engine.questions import Blank, Example, Question
from referee.engine.records import load_record
from referee.engine.rules import Option, Options, Refused
from referee.engine.rulings import Reason, Refusal, ScoreLine, by_seat, impossible
from referee.engine.shapes import INTEGER, REASON, number
from referee.packs import Pack, french
from referee.tricks.leads import LEGAL_BROKEN, BrokenHand
from referee.tricks.questions import TRICK
from referee.tricks.rules import TrickRules
from referee.tricks.state import Taken
from tests.golden.make import find
from tests.golden.variant import Variant, both, clean, revokes, scored
from tests.referee.telling import (
    END,
    NOTE,
    REDEAL,
    Json,
    ask,
    bids,
    found,
    hand,
    judged,
    penalty,
    plays,
    refused,
    remedy,
    result,
    told,
    trick,
    unchecked,
    winners,
)
from tests.toy import GAME, PlainWhist, WhistHand


@pytest.fixture(autouse=True)
def _catalogue() -> Iterator[None]:
    with with_game(GAME), with_game(PlainSpades()), with_game(PlainHearts()):
        yield


def dealt(*events: Json | list[Json], **options: object) -> Json:
    """Judge a hand of the toy game for four."""
    return hand(*events, game=GAME.id, players=4, options=options)


@pytest.mark.parametrize(
    ("cards", "winner", "code"),
    [
        ("0:2H 1:KH 2:10H 3:QH", 1, "highest-follower"),
        ("0:KH 1:AH 2:2H 3:JH", 1, "highest-follower"),
        ("0:10D 1:9D 2:AC 3:JD", 3, "highest-follower"),
        ("0:AH 1:2S 2:KH 3:3S", 3, "highest-trump"),
    ],
)
def test_the_highest_trump_wins_else_the_highest_card_of_the_suit_led(cards: str, winner: int, code: str):
    done = dealt(plays(cards))
    assert (done["tricks"][0]["winner"], done["tricks"][0]["reason"]["code"]) == (winner, code)
    assert (done["to_act"], done["tricks_won"][winner], done["scores"][winner]) == ([winner], 1, 1)
    assert done["tricks"][0]["points"] == {str(winner): 1}


BIDDING: Json = {"bidding": True, "cards": 3}


def test_bids_are_made_in_turn_and_scored_by_the_game():
    done = dealt(bids("0:1 1:2 2:0 3:1"), result(1, 1, 0, 1), **BIDDING)
    assert (done["bids"], done["scores"]) == ([1, 2, 0, 1], [11, 0, 10, 11])
    assert [line["reason"]["text"] for line in done["score_lines"]][:2] == ["Bid 1, took 1: 11.", "Bid 2, took 1: 0."]
    running = dealt(bids("0:1 1:2"), **BIDDING)
    assert (running["phase"], running["to_act"], running["scores"]) == ("bidding", [2], [None] * 4)


def test_with_exact_bids_the_offender_gets_the_lower_score():
    events = [*bids("0:0 1:0 2:2 3:0"), *plays("0:2H 1:3H 2:2S 3:4H 2:AH 3:5H 0:6H 1:7H")]
    done = dealt(events, cards=2, bidding=True)
    bridge = remedy(done["irregularities"][0], "bridge")
    assert done["scores"] == [10, 10, 12, 10]
    assert [(each["type"], each["seat"], each["points"]) for each in bridge["events"]] == [("penalty", 2, -12)]
    assert bridge["effect"]["scores"]["after"] == [10, 10, 0, 10]


def test_a_plain_game_answers_the_questions_of_every_trick_taking_game():
    fallen = [{"cards": [card]} for card in ("2H", "KH", "2S", "AC")]
    assert GAME.answer("trick", {"plays": fallen})["winner"] == 1
    assert GAME.answer("trick", {"plays": fallen, "trump": "S"})["winner"] == 2
    asked = GAME.answer("legal", {"hand": ["3H", "2S"], "led_card": "2H"})
    assert (asked["legal"], asked["illegal"][0]["reason"].clauses) == (["3H"], ("TOY-2",))
    assert GAME.answer("legal", {"hand": ["3H", "2S"], "led_card": None})["reason"].code == "any-lead"
    assert GAME.answer("score", {"tricks": 7})["points"] == 7
    assert GAME.answer("score", {"tricks": 3, "bid": 3, "options": {"bidding": True}})["points"] == 13
    deal = GAME.answer("deal", {"players": 3, "options": {"cards": 10}})
    assert (deal["cards_each"], deal["aside"], deal["tricks"]) == ([10, 10, 10], 22, 10)
    assert deal["reason"].clauses == ("TOY-1",)


@pytest.mark.parametrize(
    ("question", "asked", "pointer", "code", "malformed"),
    [
        ("trick", {"plays": [{"cards": ["2H"], "ruling_card": "XM"}]}, "/plays/0/ruling_card", "bad-value", False),
        ("trick", {"plays": [{"cards": ["2H"], "suit": "H"}]}, "/plays/0/suit", "bad-value", False),
        ("trick", {"plays": [{"cards": ["2H"], "magic": 1}]}, "/plays/0/magic", "unknown-key", True),
        ("legal", {"hand": ["2H"], "led_suit": "H"}, "/led_suit", "bad-value", False),
        ("deal", {"players": 4, "last_trick": ["2H"]}, "/last_trick", "bad-value", False),
        ("score", {"tricks": 14}, "/tricks", "bad-value", False),
        ("score", {"tricks": 1, "options": {"bidding": True}}, "/bid", "missing-key", False),
    ],
)
def test_keys_of_other_games_are_ignored(question, asked, pointer, code, malformed):
    with pytest.raises(Refused) as refusal:
        GAME.answer(question, asked)
    assert [(problem.pointer, problem.code) for problem in refusal.value.problems] == [(pointer, code)]
    assert refusal.value.malformed is malformed


def test_question_forms_ask_for_the_fields_of_the_game():
    rules = GAME.rules({"bidding": True}, 4)
    blanks = {question.name: question.blanks(rules, {}) for question in GAME.QUESTIONS}
    assert {name: [blank.name for blank in each] for name, each in blanks.items()} == {
        "trick": ["cards", "trump"], "legal": ["led_card", "hand"], "score": ["bid", "tricks"], "deal": ["players"],
    }  # fmt: skip
    question = GAME.question("trick")
    assert question is not None
    composed = question.compose(blanks["trick"], {"cards": ["2H", "KH"], "trump": ["S"]})
    assert composed == {"plays": [{"cards": ["2H"]}, {"cards": ["KH"]}], "trump": "S"}


def next_trump(asked: Any) -> Json:
    suits = ("S", "H", "C", "D", None)
    return {"trump": suits[(asked["hand"] - 1) % 5], "reason": Reason("trump", ("TOY-5",), {}, "Trumps go round.")}


class WithQuestion(PlainWhist):
    """The toy game with a question no other game has."""

    id = "asked-whist"
    QUESTIONS = (
        *PlainWhist.QUESTIONS,
        Question(
            "whist-trump",
            "What is trump?",
            next_trump,
            blanks=lambda rules, given: (Blank("hand", "number", "Hand", least=1, most=99),),
            help=("The trump of a hand, counted from 1.",),
            request={"hand": number()},
            needed=("hand",),
            response={"trump": INTEGER, "reason": REASON},
            examples=(Example("The second hand", {"hand": 2}, {"trump": "H"}),),
            sole=True,
        ),
    )


def test_a_game_specific_question_needs_no_other_file():
    with with_game(WithQuestion()) as game:
        posed = questions([GAME, game])
        assert [question.name for question in posed] == ["trick", "legal", "score", "deal", "whist-trump"]
        own = posed[-1]
        assert (own.summary, own.game, own.request["required"]) == ("What is trump?", "asked-whist", ["hand"])
        view = question_view(own).as_view()
        asked = RequestFactory().post("/", json.dumps(own.examples[0].request), content_type="application/json")
        answer = view(asked).data
        assert (answer["trump"], answer["reason"]["clauses"]) == ("H", ["TOY-5"])


def test_games_with_the_same_question_share_its_address():
    (score,) = [question for question in questions([GAME, Sums()]) if question.name == "score"]
    assert (score.game, score.request["required"]) == (None, ["game"])
    assert set(score.request["properties"]) == {"game", "options", "bid", "tricks", "players", "cards"}
    assert score.response["properties"]["points"] == {"anyOf": [INTEGER, {"type": "string"}]}


class Sums(PlainWhist):
    id = "sums"
    QUESTIONS = (
        Question(
            "score", "Sum", lambda asked: {}, request={"cards": number()}, needed=("cards",),
            response={"points": {"type": "string"}},
        ),
    )  # fmt: skip


class HeartsHand(WhistHand):
    """A hand in which every heart is a point for the winner of its trick."""

    def points_of(self, trick: Taken) -> dict[str, int]:
        hearts = sum(self.rules.pack.cards[card].suits == ("H",) for _, card, *_ in trick.plays)
        return {str(trick.winner): hearts} if hearts else {}

    def reported_points(self, event: Trick) -> Refusal | None:
        """Refuse a trick without its cards: its points are unknown."""
        return impossible("bad-result", "TOY-4", phrase="bad-result-points-needed")

    def points(self) -> tuple[int, ...] | None:
        return by_seat(self.point_lines(), self.rules.players)

    def point_lines(self) -> list[ScoreLine]:
        made = [(seat, points) for trick in self.taken for seat, points in self.points_of(trick).items()]
        return [ScoreLine(int(seat), points, Reason("tricks", ("TOY-4",), {"tricks": 1})) for seat, points in made]


class Hearts(PlainWhist):
    id = "hearts"
    hand_class = HeartsHand


def test_a_trick_can_score_its_cards():
    with with_game(Hearts()):
        done = hand(plays("0:2H 1:KH 2:10H 3:QH 1:2C 2:3C 3:4C 0:5C"), game="hearts", players=4)
        assert [trick["points"] for trick in done["tricks"]] == [{"1": 4}, {}]
        assert (done["scores"], done["tricks_won"]) == ([0, 4, 0, 0], [1, 1, 0, 0])
        assert refused(trick(0), game="hearts", players=4) == ("impossible", "bad-result")


def test_a_game_without_clauses_fails_on_import():
    class Silent(WhistHand):
        CITES = {key: clauses for key, clauses in WhistHand.CITES.items() if key not in ("follow", "hook")}

    with pytest.raises(TypeError, match=r"SilentWhist: Silent.CITES names no clause for follow, hook"):

        class SilentWhist(PlainWhist):
            hand_class = Silent

    class Careful(WhistHand):
        def lead_denial(self, seat: int, card: int) -> int:
            return 0

    with pytest.raises(TypeError, match=r"CarefulWhist: Careful.CITES names no clause for trump-led"):

        class CarefulWhist(PlainWhist):
            hand_class = Careful


# --- A new game is one new module: a toy goes through every part of the referee without changes to it

HAND = plays("0:4H 1:6H 1:2H 0:3H 0:7S 1:2S 0:5C 1:KC 1:2D 0:3S")


def of_two(*hands: list[Json], **more: Any) -> Json:
    """Judge hands of five cards at a table of two."""
    return judged(*hands, game=GAME.id, players=2, options={"cards": 5}, **more)


def test_an_external_game_is_judged_and_explained():
    answer = of_two(HAND)
    (done,) = answer["hands"]
    assert (answer["rejected"], done["phase"], answer["totals"]) == (None, "finished", [3, 2])
    assert winners(done) == [1, 0, 0, 1, 0]
    assert [trick["trump"] for trick in done["tricks"]] == ["S"] * 5
    assert done["tricks"][0]["reason"] == {
        "code": "highest-follower",
        "text": "The 6 of hearts is the highest card that follows suit.",
        "clauses": ["TOY-3"],
        "facts": {"card": "6H"},
    }
    assert answer["next"] == {"number": 2, "dealer": 0, "seating": [0, 1], "hand_size": [5, 5]}


def test_hands_follow_each_other_until_the_games_own_end():
    answer = of_two(HAND, plays("1:4S 0:6S 0:2S 1:3S 1:7H 0:2H 1:5C 0:KC 0:2D 1:3H"))
    assert (answer["totals"], answer["finished"], answer["winners"]) == ([5, 5], True, [0, 1])


def test_notes_penalties_redeals_and_ends_work_without_extra_code():
    answer = of_two([*HAND, NOTE, penalty(1, 4), END])
    assert (answer["totals"], answer["finished"], answer["winners"]) == ([3, 6], True, [1])
    assert of_two([REDEAL], HAND)["hands"][1]["dealer"] == 1
    assert of_two(bids("0:1"))["rejected"]


def test_a_toys_house_rules_are_checked_like_any_others():
    record = told(game=GAME.id, players=2, options={"revoke": "stand"})
    assert load_record(record).rules.options == {"cards": 13, "bidding": False, "hook": False, "revoke": "stand"}
    with pytest.raises(Refused, match="There is no option"):
        load_record(told(game=GAME.id, players=2, options={"ties": "early"}))
    with pytest.raises(Refused, match="is for 2 to 4 players"):
        load_record(told(game=GAME.id, players=1))


class Elevenses(PlainWhist):
    id = "elevenses"


def test_a_temporary_game_leaves_the_catalogue_unchanged():
    before = all_games()
    with with_game(Elevenses()) as other:
        assert find_game("elevenses") is other
        with with_game(Elevenses()) as third:
            assert find_game("elevenses") is third
        assert find_game("elevenses") is other
    assert all_games() == before


# --- It gets golden records, too: what the referee asks for plays it


@pytest.mark.parametrize("options", [{}, {"bidding": True}])
def test_the_generator_plays_hands_to_their_end_by_the_rules(options):
    shows = both(clean, scored("bid" if options else "tricks", "the lines"))
    data, _looks = find(Variant(GAME.id, "plain", "Plain.", options, players=4, hands=2, shows=shows))
    answer = adjudicate(load_record(data))
    assert answer["rejected"] is None
    assert answer["finished"]
    assert [sum(filter(None, hand["tricks_won"] or ())) for hand in answer["hands"]] == [13, 13]


@pytest.mark.parametrize("variant", revokes(GAME.id, "Plain Whist", 3), ids=lambda variant: variant.name)
def test_the_generator_makes_a_false_claim_that_is_proved(variant):
    data, looks = find(variant)
    (found,) = [found for hand in adjudicate(load_record(data))["hands"] for found in hand["irregularities"]]
    assert (found["code"], found["certainty"]) == ("revoke", "proved")
    assert any("proposed" in look for look in looks)


# --- Suits that must be broken before they are led: what breaks one, what a lead claims, and what stays unknown

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


class LateHearts(BrokenHand):
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
    hand_class: ClassVar[Any] = LateHearts

    def trump(self, rules: object, before: object) -> None:
        return None


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
