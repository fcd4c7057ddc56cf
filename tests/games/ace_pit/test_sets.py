"""Sets, answers and questions of Ace Pit."""

from itertools import chain, combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.engine.adjudication import describe_replay
from referee.engine.records import load_record, replay
from referee.engine.rules import Refused
from referee.games.ace_pit.game import GAME
from referee.games.ace_pit.sets import RESPONDER, Item, Outcome, best_answer, breakdown, switches, worths
from referee.packs import Card, french
from tests.games.ace_pit import oracle as acepit
from tests.games.ace_pit.random_records import random_response
from tests.games.ace_pit.telling import hand, result, trick
from tests.referee.telling import Json, exercises, judged, known, plays, told

# --- The points of a response (AP-5 .. AP-13, AP-19, AP-20), set by set and in combination

PACK = french()


def worth(laid: str, response: str, **options: Any) -> Outcome:
    """Break down the points of a response written as ``"7H 9H"``."""
    rules = GAME.rules(options, 2)
    return breakdown(card(laid), [card(code) for code in response.split()], rules.options)


def card(code: str) -> Card:
    return PACK.cards[PACK.codes[code]]


def items(outcome: Outcome) -> dict[str, int]:
    return {each.item: each.points for each in outcome.items}


@exercises("AP-6", "AP-7", "AP-8", "AP-9", "AP-10", "AP-11", "AP-13", "AP-19", "AP-20")
@exercises("AP-Q1", "AP-Q2", "AP-Q10", "AP-Q16")
@pytest.mark.parametrize(
    ("laid", "response", "expected"),
    [
        ("8H", "7H", {"spoon": 15}),
        ("10C", "JC", {"spoon": 15}),
        ("KD", "QD", {"spoon": 15}),
        ("6S", "6D", {"even-stevens": 20}),
        ("5C", "3H 9H", {"pin": 25}),
        ("8H", "7S 9S", {"pin": 25}),
        ("8D", "3C 3S", {"double-fork": 30}),
        ("9D", "AC", {"ace-pit": 50}),
        ("8H", "4H 4S", {"double-fork": 30, "flush": 20}),
        ("8H", "8S 8C", {"double-fork": 30, "even-stevens": 40}),
        ("8H", "4H 10H", {"pin": 25, "flush": 40}),
        ("8H", "7H 10H", {"spoon": 15, "pin": 25, "flush": 40}),
        ("8H", "7H 9H", {"spoon": 30, "pin": 25, "flush": 40}),
        ("KH", "QH AH", {"spoon": 30, "pin": 25, "ace-pit": 50, "flush": 40}),
        ("KD", "AD", {"spoon": 15, "ace-pit": 50, "flush": 20}),
        ("2H", "AH", {"ace-pit": 50, "flush": 20}),
        ("8H", "9H 9S", {"spoon": 15, "double-fork": 30, "flush": 20}),
        ("KS", "AS AH", {"spoon": 15, "double-fork": 30, "ace-pit": 100, "flush": 20}),
        ("8C", "AD AS", {"double-fork": 30, "ace-pit": 100}),
        # a laid Ace is beaten by Even Stevens, a Double Fork or an Ace
        ("AH", "AS", {"even-stevens": 20, "ace-pit": 50}),
        ("AH", "5C 5D", {"double-fork": 30}),
        ("AH", "5H 5D", {"double-fork": 30, "flush": 20}),
        ("AH", "KH KD", {"spoon": 15, "double-fork": 30, "flush": 20}),
        ("AH", "AS AC", {"even-stevens": 40, "double-fork": 30, "ace-pit": 100}),
    ],
)
def test_a_response_earns_every_set_in_it(laid: str, response: str, expected: dict[str, int]):
    outcome = worth(laid, response)
    assert outcome.winner == "responder"
    assert items(outcome) == expected
    assert worth(laid, " ".join(reversed(response.split()))) == outcome


@exercises("AP-12", "AP-19")
@pytest.mark.parametrize(("laid", "response"), [("8H", "JH"), ("8H", "3C"), ("2H", "KH"), ("8H", "9S")])
def test_a_card_that_makes_no_set_is_thrown_away_even_in_suit(laid: str, response: str):
    assert worth(laid, response) == Outcome("leader", (Item("throw-away", 10),))


@exercises("AP-20", "AP-Q7", "AP-Q8")
@pytest.mark.parametrize("lead", [50, 60, 10])
@pytest.mark.parametrize("response", ["7H", "KH", "KS", "2C"])
def test_a_laid_ace_scores_unless_it_is_beaten(lead: int, response: str):
    outcome = worth("AH", response, ace_lead=lead)
    assert (outcome.winner, items(outcome)) == ("leader", {"ace-laid": lead})


@exercises("AP-Q3", "AP-Q4", "AP-Q5", "AP-Q7")
@pytest.mark.parametrize(
    ("laid", "response", "options", "winner", "points"),
    [
        ("AH", "KH", {"spoon_beats_ace": True}, "responder", 15),
        ("AH", "KS", {"spoon_beats_ace": True}, "leader", 50),
        ("8H", "9H 9S", {"fork_spoon": False}, "responder", 50),
        ("8H", "7H 9H", {"fork_spoon": False}, "responder", 95),
        ("KS", "AS AH", {"ace_pit_once": True}, "responder", 115),
        ("8H", "9H 8S", {}, None, 0),
        # two cards that each win alone
        ("8H", "9H 8S", {"free_pairs": True}, "responder", 15 + 20),
        ("8H", "9H AH", {"free_pairs": True}, "responder", 15 + 70),
        ("8H", "8S AC", {"free_pairs": True}, "responder", 20 + 50),
        ("8H", "9H JC", {"free_pairs": True}, None, 0),
        ("8H", "9H JH", {"free_pairs": True}, None, 0),
    ],
)
def test_house_rules_change_the_sets(laid: str, response: str, options: Json, winner: str | None, points: int):
    outcome = worth(laid, response, **options)
    assert (outcome.winner, outcome.points) == (winner, points)


ALL_CHANGED = {"free_pairs": True, "ace_pit_once": True, "fork_spoon": False, "spoon_beats_ace": True}


@pytest.mark.parametrize("changed", [{}, ALL_CHANGED])
def test_every_score_of_a_responder_is_known(changed: Json):
    options = GAME.rules(changed, 2).options
    found = set()
    for laid in PACK.cards:
        others = [card for card in PACK.cards if card is not laid]
        for response in (*combinations(others, 1), *combinations(others, 2)):
            outcome = breakdown(laid, response, options)
            if outcome.winner == "responder":
                found.add(outcome.points)
    scores = {points for leader_wins, points in worths(switches(options), single=False) if not leader_wins}
    assert scores == found


# --- The best answer to a laid card: from the known hand, else from all cards still out

HIS = "3C 5C 5D 7H 9S JC AD"
DULL = "0:2C 1:7H 0:4D 1:9S 0:6H 1:JC 0:8S 1:3C 0:10C 1:5C 0:QD 1:5D 0:KH 1:AD"
"""No one draws: seven cards against seven; the Ace takes the last trick."""
DRAWN = "0:2C 1:5C+5D 1:3C 0:4C 0:6S 1:7H 0:8S 1:JC 0:10S 1:KC 0:QS 1:9S 0:KH 1:AD"
"""Bob answers the first card with two fives and draws the king of clubs, which he plays in trick 5."""


def pit(one: Any) -> list[Json]:
    hands: list[Json] = judged(one, game="ace-pit", players=2)["hands"]
    return hands


def best(of: Json, number: int) -> tuple[bool, str, int, str]:
    """Return a trick's best answer: whether it was in a known hand, its cards, points and sentence."""
    answer = of["tricks"][number - 1]["best"]
    return answer["known"], " ".join(answer["cards"]), answer["points"], answer["reason"]["code"]


@exercises("AP-5", "AP-10", "AP-14", "AP-12")
def test_after_a_hand_without_draws_every_answer_is_known():
    played = hand(plays(DULL))
    assert best(played, 1) == (True, "AD", 50, "best-answer-in-hand")
    assert played["tricks"][0]["best"]["reason"]["text"] == (
        "Best answer in Bob’s hand: the ace of diamonds, Ace Pit 50: 50 points."
    )
    assert best(played, 7) == (True, "AD", 50, "no-better-in-hand")
    without = DULL.replace("1:AD", "1:8C")
    assert best(hand(plays(without)), 7) == (True, "", 0, "no-answer-in-hand")


@exercises("AP-14")
def test_draws_are_known_only_from_an_entered_hand():
    assert best(hand(plays(DRAWN)), 1)[0] is False
    text = hand(plays(DRAWN))["tricks"][0]["best"]["reason"]["text"]
    assert text.startswith(
        "We don’t know which cards Bob had drawn by then. Of all the cards still out, the best on the 2 of"
    )
    assert best(hand(plays(DRAWN)), 5) == (True, "AD", 50, "best-answer-in-hand"), "nothing was drawn after that"
    (entered,) = pit(known(plays(DRAWN), s1=HIS))
    assert best(entered, 1) == (True, "AD", 50, "no-better-in-hand")


@exercises("AP-5")
def test_a_running_hand_is_never_inspected_even_if_it_was_entered():
    for running in (*pit(plays("0:2C 1:7H")), *pit(known(plays("0:2C 1:7H"), s1=HIS))):
        assert best(running, 1) == (False, "AS AC", 150, "best-answer-at-all")
        assert running["tricks"][0]["best"]["reason"]["text"].startswith("We don’t know which cards Bob held.")


@exercises("AP-9")
def test_only_remaining_cards_answer_and_none_beats_the_best():
    assert best(hand(plays("0:2C 1:AS")), 1)[1] == "AS AC"
    again = hand(plays("0:2C 1:AS 1:3H 0:5H"))
    assert "AS" not in best(again, 2)[1]
    assert best(hand(plays("0:2C 1:AS+AC")), 1) == (False, "AS AC", 150, "no-better-answer")


def test_tricks_without_cards_have_no_best_answer():
    coarse = hand(plays("0:2C 1:7H"), trick(0, 10), result(70, 30))
    assert best(coarse, 1)[0] is False
    assert "best" not in coarse["tricks"][1]


@exercises("AP-18")
def test_the_best_answer_is_hidden_while_points_are():
    record = load_record(told(plays("0:2C 1:7H"), game="ace-pit", players=2))
    shown = describe_replay(replay(record), record.seats, points=False)
    assert "best" not in shown["hands"][0]["tricks"][0]


@pytest.mark.parametrize(
    "changed", [{}, {"free_pairs": True}, {"ace_pit_once": True, "spoon_beats_ace": True}, {"fork_spoon": False}]
)
@given(st.lists(st.integers(0, 51), min_size=2, max_size=12, unique=True), st.booleans())
def test_no_response_scores_more_than_the_best(changed: Json, drawn: list[int], single: bool):
    rules = GAME.rules(changed, 2)
    laid, *among = drawn
    cards = [rules.pack.cards[card] for card in among]
    found = best_answer(switches(rules.options), laid, rules.pack.mask(among), single=single)
    ways = chain(((card,) for card in cards), () if single else combinations(cards, 2))
    outcomes = (breakdown(rules.pack.cards[laid], way, rules.options) for way in ways)
    most = max((outcome.points for outcome in outcomes if outcome.winner == RESPONDER), default=0)
    assert (found.points if found else 0) == most


# --- Single questions of Ace Pit: a response and the deal

NINE: Json = {"laid": "8H", "response": ["9H"]}


def respond(laid: str, response: str, **options: Any) -> Json:
    return GAME.answer("response", {"laid": laid, "response": response.split(), "options": options})


@exercises("AP-5", "AP-Q4")
@pytest.mark.parametrize(
    ("response", "options", "code", "text"),
    [
        ("7H 9H", {}, "set", "The responder wins with Spoon 30 + Pin 25 + Flush 40: 95 points."),
        ("9H 8S", {}, "no-combination", "Two cards must be a Pin or a Double Fork"),
        ("9H JC", {"free_pairs": True}, "no-combination", "each must win on its own"),
    ],
)
def test_a_response_is_explained(response: str, options: Json, code: str, text: str):
    reason = respond("8H", response, **options)["reason"]
    assert reason.code == code
    assert text in reason.text


NOT_FORK = {"fork_spoon": False}
FREE = {"free_pairs": True}
ONCE = {"ace_pit_once": True}
SPOON = {"spoon_beats_ace": True}


@exercises("AP-Q3", "AP-Q4", "AP-Q5", "AP-Q7", "AP-Q8", "AP-12", "AP-20")
@pytest.mark.parametrize(
    ("laid", "response", "options", "clauses"),
    [
        # a Spoon in a Double Fork comes under AP-Q3, counted or not; elsewhere it does not
        ("8H", "9H 9S", {}, "AP-6 AP-9 AP-11 AP-Q3 AP-13"),
        ("8H", "9H 9S", NOT_FORK, "AP-9 AP-11 AP-Q3 AP-13"),
        ("8H", "3C 3S", NOT_FORK, "AP-9 AP-13"),
        ("8H", "7H 9H", NOT_FORK, "AP-6 AP-8 AP-11 AP-13"),
        # two Aces come under AP-Q5
        ("8C", "AD AS", {}, "AP-9 AP-10 AP-Q5 AP-13"),
        ("8C", "AD AS", ONCE, "AP-9 AP-10 AP-Q5 AP-13"),
        ("KS", "AS AH", {}, "AP-6 AP-9 AP-10 AP-11 AP-Q3 AP-Q5 AP-13"),
        ("8C", "AD", ONCE, "AP-10 AP-13"),
        ("6H", "4H AH", ONCE, "AP-8 AP-10 AP-11 AP-13"),
        # two cards that each win alone are a set by AP-Q4 only
        ("8H", "9H 8S", FREE, "AP-6 AP-7 AP-Q4 AP-13"),
        ("8H", "7S 9S", FREE, "AP-8 AP-13"),
        ("8H", "3C 3S", FREE, "AP-9 AP-13"),
        ("8H", "9H", FREE, "AP-6 AP-13"),
        # cards that beat a laid Ace
        ("AH", "AS", SPOON, "AP-7 AP-10 AP-13 AP-20"),
        ("AH", "5C 5D", SPOON, "AP-9 AP-13 AP-20"),
        ("AH", "KH", SPOON, "AP-6 AP-13 AP-Q7"),
        ("AH", "KH KD", SPOON, "AP-6 AP-9 AP-11 AP-Q3 AP-13 AP-20"),
        ("AH", "KH AS", SPOON | FREE, "AP-6 AP-7 AP-10 AP-Q4 AP-13 AP-20 AP-Q7"),
        ("AH", "AC AS", {}, "AP-7 AP-9 AP-10 AP-Q5 AP-13 AP-20"),
        # what does not
        ("AH", "KH", {}, "AP-20 AP-Q8 AP-Q7"),
        ("AH", "7H", {}, "AP-20 AP-Q8"),
        ("AH", "KS", SPOON | {"ace_lead": 10}, "AP-20 AP-Q8"),
        ("8H", "3C", {}, "AP-12"),
        ("8H", "JH", SPOON | FREE, "AP-12"),
        # two cards that make no set
        ("8H", "9H 8S", {}, "AP-5 AP-Q4"),
        ("8H", "9H JC", FREE, "AP-5 AP-Q4"),
        ("AH", "AS JC", FREE, "AP-5 AP-Q4 AP-20"),
        ("AH", "AS KH", FREE, "AP-5 AP-Q4 AP-20 AP-Q7"),
        ("AH", "AS KH", {}, "AP-5 AP-Q4"),
    ],
)
def test_a_reason_cites_what_decided(laid: str, response: str, options: Json, clauses: str):
    assert " ".join(respond(laid, response, **options)["reason"].clauses) == clauses


@settings(max_examples=200)
@given(st.integers(0, 2**32 - 1))
def test_the_second_adjudicator_gives_the_same_answer(seed: int):
    asked = random_response(Random(seed))
    answer = GAME.answer("response", asked)
    del answer["reason"]
    assert answer == acepit.response(asked)


@exercises("AP-2", "AP-17")
def test_each_player_is_dealt_seven_cards():
    answer = GAME.answer("deal", {"players": 2})
    assert (answer["cards_each"], answer["aside"], answer["tricks"]) == ([7, 7], 38, 7)


@pytest.mark.parametrize(
    ("question", "asked", "malformed", "pointer", "code"),
    [
        ("response", {"laid": "8H", "response": []}, False, "/response", "wrong-count"),
        ("response", {"laid": "8H", "response": ["7H", "9H", "2C"]}, False, "/response", "wrong-count"),
        ("response", {"laid": "8H", "response": ["8H"]}, False, "/response/0", "already-played"),
        ("response", {"laid": "8H", "response": ["9H", "9h"]}, False, "/response/1", "already-played"),
        ("response", {"laid": "8Z", "response": ["8H"]}, False, "/laid", "not-in-deck"),
        ("response", {"laid": "8H", "response": ["8H*"]}, False, "/response/0", "not-in-deck"),
        ("response", {"laid": "8H"}, True, "/response", "missing-key"),
        ("response", {"laid": None, "response": ["8H"]}, True, "/laid", "wrong-type"),
        ("response", NINE | {"options": {"ace_lead": 40}}, False, "/options/ace_lead", "bad-option"),
        ("response", NINE | {"options": {"ace_lead": "50"}}, True, "/options/ace_lead", "wrong-type"),
        ("deal", {"players": 3}, False, "/players", "bad-players"),
        ("deal", {"players": 2, "hand_size": 7}, False, "/hand_size", "bad-value"),
        ("score", {}, False, "/game", "unknown-question"),
    ],
)  # fmt: skip
def test_unanswerable_questions_are_refused(question: str, asked: Json, malformed: bool, pointer: str, code: str):
    with pytest.raises(Refused) as refused:
        GAME.answer(question, asked)
    assert refused.value.malformed == malformed
    assert [(problem.pointer, problem.code) for problem in refused.value.problems] == [(pointer, code)]
