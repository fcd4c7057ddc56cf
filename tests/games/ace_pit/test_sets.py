"""What a response is worth (AP-5 .. AP-13, AP-19, AP-20), set by set and all at once."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from referee.games.ace_pit.game import GAME
from referee.games.ace_pit.sets import Item, Outcome, breakdown, kinds, leader_scores, responder_scores
from referee.packs import Card, french
from tests.games.ace_pit.oracle import responder_lines
from tests.referee.telling import exercises

PACK = french()
NO, YES = False, True
SWITCHES = ("free_pairs", "ace_pit_once", "fork_spoon", "spoon_beats_ace")
cards = st.sampled_from(PACK.cards)
house_rules = st.fixed_dictionaries(
    {**{key: st.booleans() for key in SWITCHES}, "ace_lead": st.sampled_from([50, 60, 10])}
)


def worth(laid: str, response: str, **options: Any) -> Outcome:
    """Break down a response written as ``"7H 9H"``."""
    rules = GAME.rules(options, 2)
    return breakdown(card(laid), [card(code) for code in response.split()], rules.options)


def card(code: str) -> Card:
    return PACK.cards[PACK.codes[code]]


def items(outcome: Outcome) -> dict[str, int]:
    return {each.item: each.points for each in outcome.items}


def test_it_works():
    assert worth("8H", "9H") == Outcome("responder", (Item("spoon", 15),))


@exercises("AP-6", "AP-7", "AP-8", "AP-9", "AP-10", "AP-11", "AP-13", "AP-19", "AP-Q1", "AP-Q2", "AP-Q16")
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


@exercises("AP-20")
@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("AS", {"even-stevens": 20, "ace-pit": 50}),
        ("5C 5D", {"double-fork": 30}),
        ("5H 5D", {"double-fork": 30, "flush": 20}),
        ("KH KD", {"spoon": 15, "double-fork": 30, "flush": 20}),
        ("AS AC", {"even-stevens": 40, "double-fork": 30, "ace-pit": 100}),
    ],
)
def test_even_stevens_a_fork_or_an_ace_beats_a_laid_ace(response: str, expected: dict[str, int]):
    assert (worth("AH", response).winner, items(worth("AH", response))) == ("responder", expected)


@exercises("AP-Q7")
def test_by_house_rule_a_spoon_beats_a_laid_ace():
    assert items(worth("AH", "KH", spoon_beats_ace=True)) == {"spoon": 15}
    assert worth("AH", "KS", spoon_beats_ace=True).winner == "leader"


@exercises("AP-Q3")
def test_by_house_rule_a_double_fork_has_no_spoon():
    assert worth("8H", "9H 9S").points == 65
    assert worth("8H", "9H 9S", fork_spoon=False).points == 50
    assert worth("8H", "7H 9H", fork_spoon=False).points == 95


@exercises("AP-Q5")
def test_by_house_rule_two_aces_are_one_ace_pit():
    assert worth("KS", "AS AH").points == 165
    assert worth("KS", "AS AH", ace_pit_once=True).points == 115


@exercises("AP-5", "AP-Q4")
def test_two_cards_have_to_be_a_pin_or_a_double_fork():
    assert worth("8H", "9H 8S") == Outcome(None, ())
    assert worth("8H", "9H 8S").points == 0


@exercises("AP-Q4")
@pytest.mark.parametrize(
    ("laid", "response", "points"),
    [("8H", "9H 8S", 35), ("8H", "9H AH", 85), ("8H", "8S AC", 70), ("8H", "9H JC", None), ("8H", "9H JH", None)],
)
def test_by_house_rule_two_cards_that_each_win_alone_are_a_set(laid: str, response: str, points: int | None):
    outcome = worth(laid, response, free_pairs=True)
    assert outcome.winner == (None if points is None else "responder")
    if points is not None:
        assert outcome.points == points == sum(worth(laid, code).points for code in response.split())


@exercises("AP-8")
def test_the_laid_rank_lies_strictly_between_the_cards_of_a_pin():
    for low, high in combinations(range(2, 15), 2):
        codes = [french().cards[13 + rank - 2] for rank in (low, high)]
        for laid in PACK.cards[:13]:
            number = laid.index + 2
            wins = breakdown(laid, codes, GAME.rules({}, 2).options).winner is not None
            assert wins == (low < number < high)


# -- laws -------------------------------------------------------------------------------------


@exercises("AP-11")
@given(cards, cards, house_rules)
def test_a_flush_never_stands_alone_nor_beside_a_plain_spoon(laid: Card, response: Card, options: dict[str, Any]):
    assume(laid is not response)
    found = items(breakdown(laid, [response], options))
    if "flush" in found:
        assert response.suits == laid.suits
        assert response.rank == "A"
        assert found["ace-pit"] == 50


@exercises("AP-11")
@given(cards, st.lists(cards, min_size=2, max_size=2, unique=True), house_rules)
def test_in_two_cards_every_card_of_the_suit_adds_to_the_flush(
    laid: Card, response: list[Card], options: dict[str, Any]
):
    assume(laid not in response)
    outcome = breakdown(laid, response, options | {"free_pairs": False})
    if outcome.winner == "responder":
        assert items(outcome).get("flush", 0) == 20 * sum(card.suits == laid.suits for card in response)


@given(cards, st.lists(cards, min_size=1, max_size=2, unique=True), house_rules)
def test_the_second_adjudicator_counts_the_same(laid: Card, response: list[Card], options: dict[str, Any]):
    assume(laid not in response)
    outcome = breakdown(laid, response, options)
    theirs = responder_lines(options, laid.code, [card.code for card in response])
    assert (outcome.winner is None) == (theirs is None)
    assert (items(outcome) if outcome.winner == "responder" else {}) == (theirs or {})
    assert list(items(outcome)) == sorted(items(outcome), key=ORDER.index)


ORDER = ("spoon", "even-stevens", "pin", "double-fork", "ace-pit", "flush", "throw-away", "ace-laid")


# -- what a trick can be worth ----------------------------------------------------------------


def test_these_are_all_scores_of_a_responder():
    known = {15, 20, 25, 30, 50, 65, 70, 75, 80, 85, 95, 115, 130, 145, 150, 165, 170}
    assert responder_scores(GAME.rules({}, 2).options) == known


@pytest.mark.parametrize("switches", [(NO, NO, YES, NO), (YES, NO, YES, NO), (NO, YES, NO, YES), (YES, YES, NO, YES)])
def test_one_response_of_each_kind_shows_every_score(switches: tuple[bool, ...]):
    options: dict[str, Any] = dict(zip(SWITCHES, switches, strict=True)) | {"ace_lead": 50}
    found = set()
    for laid in PACK.cards:
        others = [card for card in PACK.cards if card is not laid]
        for response in (*combinations(others, 1), *combinations(others, 2)):
            outcome = breakdown(laid, response, options)
            if outcome.winner == "responder":
                found.add(outcome.points)
    assert responder_scores(options) == found


def test_a_leader_scores_ten_or_what_a_laid_ace_is_worth():
    assert leader_scores(GAME.rules({"ace_lead": 60}, 2).options) == {10, 60}
    assert leader_scores(GAME.rules({"ace_lead": 10}, 2).options) == {10}


def test_kinds_hold_no_response_with_the_laid_card():
    for laid in PACK.cards[:13]:
        assert all(laid not in response for response in kinds(laid))


@exercises("AP-Q12")
def test_the_best_responses():
    best: dict[bool, int] = {}
    without_ace = 0
    options = GAME.rules({}, 2).options
    for laid in PACK.cards:
        for response in combinations([card for card in PACK.cards if card is not laid], 2):
            points = breakdown(laid, response, options).points
            best[laid.rank == "A"] = max(best.get(laid.rank == "A", 0), points)
            if "A" not in (laid.rank, *(card.rank for card in response)):
                without_ace = max(without_ace, points)
    assert (best[True], best[False], without_ace) == (170, 165, 95)
