"""Single questions of Oh Hell: who wins a trick, what is legal, what a bid scores, how a hand is dealt."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine.catalogue import find_game
from referee.engine.options import Refused
from tests.games.oh_hell.oracle_rules import DECK, MOST_CARDS, SUITS, VALUES, bid_points, course, full_options
from tests.games.oh_hell.oracle_rules import trick_winner as plain_winner
from tests.referee.telling import clause_ids, exercises

Json = dict[str, Any]
seeds = st.integers(0, 2**32 - 1)


def ask(question: str, **asked: Any) -> Json:
    """Put a question to the game; its reasons lead to clauses that exist."""
    found = find_game("oh-hell")
    assert found is not None
    answer = found.answer(question, asked)
    for reason in [answer["reason"], *(each["reason"] for each in answer.get("illegal", []))]:
        assert reason.text
        assert reason.clauses
        assert set(reason.clauses) <= clause_ids()
    return answer


def winner(text: str, trump: str | None = None, **asked: Any) -> tuple[int, str]:
    """Return the position of the winning card, and why it wins."""
    answer = ask("trick", plays=[{"cards": [card]} for card in text.split()], trump=trump, **asked)
    assert answer["trump"] == trump
    return answer["winner"], answer["reason"].code


@exercises("OH-8", "OH-1")
def test_who_wins_a_trick():
    assert winner("5S 10S 9S") == (1, "highest-follower")
    assert winner("5S 10S 2H", "H") == (2, "highest-trump")
    assert winner("AS 3H 2H KS", "H") == (1, "highest-trump")
    assert winner("2S AH AD AC", "S") == (0, "highest-trump")
    assert winner("2S AH", None) == (0, "highest-follower")  # a trick still in progress


@exercises("OH-8")
@given(seeds)
def test_a_trick_is_won_as_the_second_adjudicator_says(seed: int):
    rng = Random(seed)
    cards = rng.sample(DECK, rng.randint(3, 7))
    trump = rng.choice([None, *SUITS])
    assert winner(" ".join(cards), trump)[0] == plain_winner(cards, trump)


@exercises("OH-3", "OH-V5")
def test_where_no_hand_has_trump_none_can_be_told():
    with pytest.raises(Refused) as refusal:
        ask("trick", plays=[{"cards": ["5S"]}], trump="H", options={"trump": "none"})
    assert refusal.value.problems[0].code == "bad-suit"


@exercises("OH-6", "OH-7")
def test_what_may_be_played():
    hand = ["5S", "AH", "KS", "2D"]
    assert ask("legal", hand=hand, led_card=None)["legal"] == hand
    answer = ask("legal", hand=hand, led_card="9S")
    assert answer["legal"] == ["5S", "KS"]
    assert [each["card"] for each in answer["illegal"]] == ["AH", "2D"]
    assert all("OH-7" in each["reason"].clauses for each in answer["illegal"])
    assert ask("legal", hand=hand, led_card="9C")["legal"] == hand


@exercises("OH-9", "OH-V8", "OH-V9", "OH-V10", "OH-V11")
@given(seeds)
def test_a_bid_scores_as_the_second_adjudicator_says(seed: int):
    rng = Random(seed)
    options = {key: rng.choice(VALUES[key]) for key in ("scoring", "zero")}
    bid, tricks = rng.randint(0, 10), rng.randint(0, 10)
    answer = ask("score", options=options, bid=bid, tricks=tricks)
    assert answer["points"] == bid_points(options, bid, tricks)
    assert sum(line.points for line in answer["lines"]) == answer["points"]


@exercises("OH-4", "OH-9")
def test_a_score_needs_a_bid_that_can_be():
    with pytest.raises(Refused):
        ask("score", tricks=1)
    for bid, tricks in ((18, 1), (1, 18), (-1, 0)):
        with pytest.raises(Refused):
            ask("score", bid=bid, tricks=tricks)


@exercises("OH-2", "OH-4", "OH-V2")
@pytest.mark.parametrize(
    ("players", "options", "bid", "tricks", "pointer"),
    [
        (7, {}, 8, 1, "/bid"),
        (7, {}, 1, 8, "/tricks"),
        (4, {"largest": 5}, 6, 0, "/bid"),
        (None, {"largest": 5}, 6, 0, "/bid"),
        (None, {"largest": 5}, 6, 6, "/tricks"),
        (None, {}, 11, 0, "/bid"),
        (5, {}, -1, 0, "/bid"),
    ],
)
def test_nobody_bids_or_takes_more_tricks_than_the_largest_hand_has(
    players: int | None, options: Json, bid: int, tricks: int, pointer: str
):
    with pytest.raises(Refused) as refusal:
        ask("score", players=players, options=options, bid=bid, tricks=tricks)
    assert [problem.pointer for problem in refusal.value.problems] == [pointer]


@exercises("OH-2", "OH-4", "OH-V2")
def test_the_largest_hand_that_is_played_can_be_bid_whole():
    assert ask("score", players=4, options={"largest": 13}, bid=13, tricks=13)["points"] == 23
    assert ask("score", players=4, options={"largest": 1}, bid=1, tricks=1)["points"] == 11


@exercises("OH-2", "OH-3", "OH-V1", "OH-V2", "OH-V3")
@given(seeds)
def test_a_hand_is_dealt_as_the_course_says(seed: int):
    rng = Random(seed)
    players = rng.randint(3, 7)
    given_options = {key: rng.choice(VALUES[key]) for key in ("course", "twice_one", "trump")}
    given_options["largest"] = rng.randint(1, MOST_CARDS[players])
    sizes = course(full_options(given_options, players))
    number = rng.randint(1, 3 * len(sizes))
    answer = ask("deal", players=players, options=given_options, hand=number)
    size = sizes[(number - 1) % len(sizes)]
    assert answer["cards_each"] == [size] * players
    assert (answer["aside"], answer["tricks"]) == (52 - size * players, size)


@exercises("OH-2", "OH-3", "OH-V1", "OH-V2", "OH-V3")
def test_a_deal_cites_the_house_rules_that_made_it():
    assert ask("deal", players=4)["reason"].clauses == ("OH-2", "OH-3")
    assert ask("deal", players=4)["reason"].text == "Cards for each player: 10. Left aside: 12, one of them turned up."
    options = {"largest": 13, "course": "up-down", "twice_one": True}
    assert ask("deal", players=4, options=options)["reason"].clauses == ("OH-2", "OH-V1", "OH-V2", "OH-3")
    last = ask("deal", players=4, options=options, hand=13)["reason"]
    assert last.text == "Cards for each player: 13. Left aside: 0."
    assert ask("deal", players=7, options={"twice_one": True})["reason"].clauses == ("OH-2", "OH-V3", "OH-3")


@exercises("OH-2", "OH-3")
def test_the_first_hand_is_meant_when_none_is_named_and_the_turned_card_lies_aside():
    answer = ask("deal", players=4)
    assert (answer["cards_each"], answer["aside"], answer["tricks"]) == ([10] * 4, 12, 10)
    assert "OH-2" in answer["reason"].clauses
    assert ask("deal", players=4, options={"largest": 13})["aside"] == 0
    for number in (0, -1):
        with pytest.raises(Refused):
            ask("deal", players=4, hand=number)


def test_before_a_trick_is_over_nothing_of_a_hand_is_filled_in_to_be_scored():
    found = find_game("oh-hell")
    assert found is not None
    question = found.question("score")
    assert question is not None
    assert question.seen({"tricks": []}) == {}
