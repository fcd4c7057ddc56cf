"""The best answer to a card laid: of the hand that held it where the record tells, else of all cards still out."""

from itertools import chain, combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine.adjudication import describe_replay
from referee.engine.records import load_record, replay
from referee.games.ace_pit.answers import best_answer
from referee.games.ace_pit.game import GAME
from referee.games.ace_pit.sets import RESPONDER, breakdown
from tests.games.ace_pit.telling import hand, result, trick
from tests.referee.telling import Json, exercises, judged, known, plays, told

HIS = "3C 5C 5D 7H 9S JC AD"
DULL = "0:2C 1:7H 0:4D 1:9S 0:6H 1:JC 0:8S 1:3C 0:10C 1:5C 0:QD 1:5D 0:KH 1:AD"
"""Nobody draws: seven cards against seven; the Ace takes the last trick."""
DRAWN = "0:2C 1:5C+5D 1:3C 0:4C 0:6S 1:7H 0:8S 1:JC 0:10S 1:KC 0:QS 1:9S 0:KH 1:AD"
"""Bob answers the first card with two fives and draws the king of clubs, which he plays in trick 5."""


def pit(one: Any) -> list[Json]:
    """Judge a hand of which some cards were entered."""
    hands: list[Json] = judged(one, game="ace-pit", players=2)["hands"]
    return hands


def best(of: Json, number: int) -> tuple[bool, str, int, str]:
    """Return of the best answer in a trick whether it was in a known hand, its cards, points, and what is said."""
    answer = of["tricks"][number - 1]["best"]
    return answer["known"], " ".join(answer["cards"]), answer["points"], answer["reason"]["code"]


@exercises("AP-5", "AP-10", "AP-14")
def test_of_a_hand_that_is_over_and_drew_nothing_all_is_known():
    played = hand(plays(DULL))
    assert best(played, 1) == (True, "AD", 50, "best-answer-in-hand")
    assert played["tricks"][0]["best"]["reason"]["text"] == (
        "Best answer in Bob’s hand: the ace of diamonds, Ace Pit 50: 50 points."
    )
    assert best(played, 7) == (True, "AD", 50, "no-better-in-hand")


@exercises("AP-12")
def test_a_hand_may_have_had_no_answer():
    without = DULL.replace("1:AD", "1:8C")
    assert best(hand(plays(without)), 7) == (True, "", 0, "no-answer-in-hand")


@exercises("AP-14")
def test_which_card_was_drawn_when_is_known_only_from_an_entered_hand():
    assert best(hand(plays(DRAWN)), 1)[0] is False
    text = hand(plays(DRAWN))["tricks"][0]["best"]["reason"]["text"]
    assert text.startswith(
        "Which cards Bob had drawn by then is not known. Of all cards still out, worth most on the 2 of"
    )
    assert best(hand(plays(DRAWN)), 5) == (True, "AD", 50, "best-answer-in-hand"), "nothing was drawn after that"
    (entered,) = pit(known(plays(DRAWN), s1=HIS))
    assert best(entered, 1) == (True, "AD", 50, "no-better-in-hand")


@exercises("AP-5")
def test_a_running_hand_is_not_looked_into_even_where_it_was_entered():
    for running in (*pit(plays("0:2C 1:7H")), *pit(known(plays("0:2C 1:7H"), s1=HIS))):
        assert best(running, 1) == (False, "AS AC", 150, "best-answer-at-all")
        assert running["tricks"][0]["best"]["reason"]["text"].startswith("Which cards Bob held is not known.")


def test_a_card_that_was_shown_before_is_no_answer_any_more():
    assert best(hand(plays("0:2C 1:AS")), 1)[1] == "AS AC"
    again = hand(plays("0:2C 1:AS 1:3H 0:5H"))
    assert "AS" not in best(again, 2)[1]


@exercises("AP-9")
def test_nothing_was_better_than_the_best_there_is():
    assert best(hand(plays("0:2C 1:AS+AC")), 1) == (False, "AS AC", 150, "no-better-answer")


def test_tricks_without_their_cards_have_no_best_answer_and_leave_the_others_open():
    coarse = hand(plays("0:2C 1:7H"), trick(0, 10), result(70, 30))
    assert best(coarse, 1)[0] is False
    assert "best" not in coarse["tricks"][1]


@exercises("AP-18")
def test_where_points_are_hidden_no_answer_is_told():
    record = load_record(told(plays("0:2C 1:7H"), game="ace-pit", players=2))
    shown = describe_replay(replay(record), record.seats, points=False)
    assert "best" not in shown["hands"][0]["tricks"][0]


SWITCHES = [{}, {"free_pairs": True}, {"ace_pit_once": True, "spoon_beats_ace": True}, {"fork_spoon": False}]


@pytest.mark.parametrize("changed", SWITCHES)
@given(st.lists(st.integers(0, 51), min_size=2, max_size=12, unique=True), st.booleans())
def test_no_response_scores_more_than_the_best(changed: Json, drawn: list[int], single: bool):
    rules = GAME.rules(changed, 2)
    laid, *among = drawn
    cards = [rules.pack.cards[card] for card in among]
    found = best_answer(rules.pack, laid, rules.pack.mask(among), rules.options, single=single)
    ways = chain(((card,) for card in cards), () if single else combinations(cards, 2))
    outcomes = (breakdown(rules.pack.cards[laid], way, rules.options) for way in ways)
    most = max((outcome.points for outcome in outcomes if outcome.winner == RESPONDER), default=0)
    assert (found.points if found else 0) == most
