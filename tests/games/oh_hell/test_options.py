"""The house rules and questions of Oh Hell, what is shown of a hand, and its guides."""

from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine.events import Ask
from referee.engine.records import load_record, replay
from referee.engine.rules import Refused
from referee.games.oh_hell.game import GAME as OH_HELL
from tests.games.oh_hell.oracle_rules import DECK, MOST_CARDS, SUITS, VALUES, bid_points, course, full_options
from tests.games.oh_hell.oracle_rules import trick_winner as plain_winner
from tests.games.oh_hell.telling import SKIPPED, THREE, hand, oh, opened, quick, quick_hands, refused, sizes
from tests.referee.api.conftest import Api
from tests.referee.api.test_guides import ask as ask_of_test_guides
from tests.referee.telling import (
    END,
    REDEAL,
    Json,
    bids,
    exercises,
    found,
    hand_as_it_lay,
    irregular_now,
    plays,
    result,
    told,
    trick,
    turn_up,
    winners,
    winners_as_it_lay,
)
from tests.referee.telling import ask as ask_of_any

# --- The house rules of Oh Hell, value by value: OH-V1 .. OH-V11, and the end of a game (OH-Q6)


@exercises("OH-2", "OH-V1", "OH-V2", "OH-V3", "OH-10", "OH-Q6")
@pytest.mark.parametrize(
    ("options", "course"),
    [
        ({}, [3, 2, 1, 2, 3]),
        ({"course": "down-up"}, [3, 2, 1, 2, 3]),
        ({"course": "up-down"}, [1, 2, 3, 2, 1]),
        ({"course": "down"}, [3, 2, 1]),
        ({"course": "up"}, [1, 2, 3]),
        ({"twice_one": True}, [3, 2, 1, 1, 2, 3]),
        ({"course": "up-down", "twice_one": True}, [1, 2, 3, 2, 1]),
        ({"course": "down", "twice_one": True}, [3, 2, 1]),
        ({"course": "up", "twice_one": True}, [1, 2, 3]),
        ({"largest": 1}, [1]),
        ({"largest": 1, "twice_one": True}, [1, 1]),
        ({"largest": 1, "course": "up-down"}, [1]),
        ({"largest": 2}, [2, 1, 2]),
    ],
)
def test_a_finished_course_ends_the_game_or_starts_over(options: Json, course: list[int]):
    options = THREE | options
    answer = oh(*quick_hands(course), options=options)
    assert (answer["rejected"], sizes(answer), answer["finished"]) == (None, course, True)
    if len(course) > 1:
        assert not oh(*quick_hands(course[:-1]), options=options)["finished"]
    answer = oh(*quick_hands([*course, *course]), options=options, end={"kind": "open"})
    assert (answer["rejected"], sizes(answer), answer["finished"]) == (None, [*course, *course], False)
    assert answer["next"]["hand_size"] == [course[0]] * 3


@exercises("OH-2", "OH-V2", "OH-1")
@pytest.mark.parametrize(("players", "usual", "most"), [(3, 10, 17), (4, 10, 13), (5, 10, 10), (6, 8, 8), (7, 7, 7)])
def test_the_largest_hand_is_limited_by_the_pack(players: int, usual: int, most: int):
    for largest in (1, usual, most):
        answer = oh(players=players, options={"largest": largest, "course": "down"})
        assert answer["next"]["hand_size"] == [largest] * players
    for largest in (0, most + 1, -1):
        with pytest.raises(Refused) as refusal:
            oh(players=players, options={"largest": largest})
        assert [problem.pointer for problem in refusal.value.problems] == ["/options/largest"]
        assert not refusal.value.malformed
    assert oh(players=players, options={})["options"]["largest"] == usual


@exercises("OH-3", "OH-V5", "OH-V4", "OH-Q5", "REC-14")
def test_a_fixed_trump_order_skips_void_hands():
    options = THREE | {"trump": "none"}
    done = hand(bids("0:1 1:1 2:0"), plays("0:2S 1:AH 2:3S"), options=options)
    assert (winners(done), done["trump"], done["tricks"][0]["trump"]) == ([2], None, None)
    assert done["tricks"][0]["reason"]["code"] == "highest-follower"
    options = {"largest": 3, "course": "down", "trump": "fixed-order"}
    hands = quick_hands([3, 2, 1, 3, 2, 1, 3])
    answer = oh(*hands, options=options, end={"kind": "open"})
    assert [each["trump"] for each in answer["hands"]] == ["S", "H", "D", "C", None, "S", "H"]
    done = hand(bids("0:1 1:1 2:0"), plays("0:AH 1:2S 2:KH"), options=options)
    assert (winners(done), done["tricks"][0]["reason"]["code"]) == ([1], "highest-trump")
    options = THREE | {"trump": "fixed-order"}
    answer = oh(quick(3), [REDEAL], [REDEAL], quick(2, dealer=0), [], options=options)
    assert [each["trump"] for each in answer["hands"]] == ["S", "H", "H", "H", "D"]
    assert sizes(answer) == [3, 2, 2, 2, 1]


@exercises("OH-4", "OH-V7", "OH-5")
def test_bids_made_together_have_no_turn_and_no_hook():
    for hook in (True, False):
        options = THREE | {"bidding": "together", "hook": hook}
        assert hand(turn_up("2H"), options=options)["to_act"] == [0, 1, 2]
        done = hand(turn_up("2H"), bids("2:1"), options=options)
        assert (done["phase"], done["to_act"], done["bids"]) == ("bidding", [0, 1], [None, None, 1])
        done = hand(turn_up("2H"), bids("2:1 0:1 1:1"), options=options)
        assert (done["phase"], done["to_act"], found(done)) == ("play", [0], [])
        assert refused(turn_up("2H"), bids("2:1 2:1"), options=options) == ("impossible", "wrong-phase")
        assert refused(turn_up("2H"), bids("2:4"), options=options) == ("impossible", "bad-bid")


SCORING = ("exact", "tricks-and-ten", "difference", "squares")
CITED = {"exact": "OH-9", "tricks-and-ten": "OH-V8", "difference": "OH-V9", "squares": "OH-V10"}


@exercises("OH-9", "OH-V8", "OH-V9", "OH-V10", "OH-V11")
@pytest.mark.parametrize("zero", ["same", "five"])
@pytest.mark.parametrize("way", range(4), ids=SCORING)
@pytest.mark.parametrize(
    ("bid", "tricks", "points"),
    [
        (0, 0, (10, 10, 10, 10)),
        (1, 1, (11, 11, 11, 11)),
        (3, 3, (13, 13, 13, 19)),
        (5, 5, (15, 15, 15, 35)),
        (0, 1, (0, 1, -1, -1)),
        (0, 4, (0, 4, -4, -16)),
        (4, 1, (0, 1, -3, -9)),
        (2, 0, (0, 0, -2, -4)),
        (2, 3, (0, 3, -1, -1)),
    ],
)
def test_what_a_bid_and_its_tricks_score(bid: int, tricks: int, points: tuple[int, ...], way: int, zero: str):
    options = {"largest": 5, "scoring": SCORING[way], "zero": zero}
    done = hand(bids(f"0:{bid} 1:5 2:5"), result(tricks, 5 - tricks, 0), options=options)
    line = next(line for line in done["score_lines"] if line["seat"] == 0)
    five = zero == "five" and bid == tricks == 0
    assert done["scores"][0] == line["points"] == (5 if five else points[way])
    assert line["reason"]["clauses"] == [CITED[SCORING[way]], *(["OH-V11"] if five else [])]


@exercises("OH-Q6", "OH-10", "REC-16")
@pytest.mark.parametrize(
    ("end", "hands", "finished"),
    [
        ({"kind": "course"}, 4, False), ({"kind": "course"}, 5, True), ({"kind": "open"}, 6, False),
        ({"kind": "hands", "value": 2}, 2, True), ({"kind": "hands", "value": 7}, 5, False),
        ({"kind": "score", "value": 20}, 1, False), ({"kind": "score", "value": 20}, 2, True),
        ({"kind": "time", "value": 90}, 5, False),
    ],
)  # fmt: skip
def test_when_a_game_ends(end: Json, hands: int, finished: bool):
    told = quick_hands([3, 2, 1, 2, 3, 3][:hands])
    answer = oh(*told, end=end)
    assert (answer["rejected"], answer["end"], answer["finished"]) == (None, end, finished)
    assert (answer["winners"] == [1, 2]) is finished


@exercises("OH-Q6", "REC-16", "OH-10")
def test_a_table_can_end_by_agreement_and_a_course_takes_no_value():
    answer = oh(quick(3), [*opened(bid="1:1 2:1 0:1"), END])
    assert (answer["finished"], answer["hands"][1]["phase"], answer["totals"]) == (True, "void", [0, 10, 10])
    for end in ({"kind": "course", "value": 3}, {"kind": "rounds"}):
        with pytest.raises(Refused):
            oh(end=end)


# --- Single questions of Oh Hell: who wins a trick, what is legal, what a bid scores, how a hand is dealt

seeds = st.integers(0, 2**32 - 1)
ask = partial(ask_of_any, game="oh-hell")


@exercises("OH-8")
@given(seeds)
def test_the_second_adjudicator_agrees_who_wins_a_trick(seed: int):
    rng = Random(seed)
    cards = rng.sample(DECK, rng.randint(3, 7))
    trump = rng.choice([None, *SUITS])
    answer = ask("trick", plays=[{"cards": [card]} for card in cards], trump=trump)
    assert (answer["winner"], answer["trump"]) == (plain_winner(cards, trump), trump)


@exercises("OH-3", "OH-V5")
def test_trump_cannot_be_recorded_in_a_no_trump_game():
    with pytest.raises(Refused) as refusal:
        ask("trick", plays=[{"cards": ["5S"]}], trump="H", options={"trump": "none"})
    assert refusal.value.problems[0].code == "bad-suit"


@exercises("OH-6", "OH-7")
def test_which_cards_may_be_played():
    hand = ["5S", "AH", "KS", "2D"]
    assert ask("legal", hand=hand, led_card=None)["legal"] == hand
    answer = ask("legal", hand=hand, led_card="9S")
    assert answer["legal"] == ["5S", "KS"]
    assert [each["card"] for each in answer["illegal"]] == ["AH", "2D"]
    assert all("OH-7" in each["reason"].clauses for each in answer["illegal"])
    assert ask("legal", hand=hand, led_card="9C")["legal"] == hand


@exercises("OH-9", "OH-V8", "OH-V9", "OH-V10", "OH-V11")
@given(seeds)
def test_the_second_adjudicator_agrees_what_a_bid_scores(seed: int):
    rng = Random(seed)
    options = {key: rng.choice(VALUES[key]) for key in ("scoring", "zero")}
    bid, tricks = rng.randint(0, 10), rng.randint(0, 10)
    answer = ask("score", options=options, bid=bid, tricks=tricks)
    assert answer["points"] == bid_points(options, bid, tricks)
    assert sum(line.points for line in answer["lines"]) == answer["points"]


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
def test_bids_and_tricks_never_exceed_the_largest_hand(players, options, bid, tricks, pointer):
    with pytest.raises(Refused) as refusal:
        ask("score", players=players, options=options, bid=bid, tricks=tricks)
    assert [problem.pointer for problem in refusal.value.problems] == [pointer]


@exercises("OH-2", "OH-3", "OH-V1", "OH-V2", "OH-V3")
@given(seeds)
def test_the_course_decides_how_many_cards_are_dealt(seed: int):
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
def test_a_deal_defaults_to_the_first_hand_and_cites_its_house_rules():
    assert ask("deal", players=4)["reason"].clauses == ("OH-2", "OH-3")
    assert ask("deal", players=4)["reason"].text == "Cards each: 10. Left over: 12, one of them turned up."
    options = {"largest": 13, "course": "up-down", "twice_one": True}
    assert ask("deal", players=4, options=options)["reason"].clauses == ("OH-2", "OH-V1", "OH-V2", "OH-3")
    last = ask("deal", players=4, options=options, hand=13)["reason"]
    assert last.text == "Cards each: 13. Left over: 0."
    assert ask("deal", players=7, options={"twice_one": True})["reason"].clauses == ("OH-2", "OH-V3", "OH-3")
    for number in (0, -1):
        with pytest.raises(Refused):
            ask("deal", players=4, hand=number)


def test_no_result_is_prefilled_before_the_first_trick_is_over():
    question = OH_HELL.question("score")
    assert question is not None
    assert question.seen({"tricks": []}) == {}


# --- What an Oh Hell hand shows besides rulings: open cards, why a suit is trump, what comes next


def asked(*events: Json, **options: object) -> tuple[Ask, ...]:
    record = told(list(events), game="oh-hell", options=THREE | options)
    at = replay(load_record(record)).table.hand
    assert at is not None
    return at.asks()


@exercises("OH-3", "OH-Q2")
@pytest.mark.parametrize(
    ("events", "face_up", "turned"),
    [
        ([], [], None),
        ([turn_up("7H")], [{"label": "turned up", "cards": ["7H"], "suit": "H"}], "7H"),
        ([turn_up("?", "D")], [{"label": "turned up", "cards": [], "suit": "D"}], "?"),
        (SKIPPED, [], None),
    ],
)
def test_the_turned_card_is_public(events: list[Json], face_up: list[Json], turned: str | None):
    done = hand(events)
    assert (done["face_up"], done["turned"]) == (face_up, turned)


@exercises("OH-3", "OH-V4", "OH-V5", "OH-Q2")
@pytest.mark.parametrize(
    ("options", "before", "events", "code", "text", "clauses"),
    [
        ({}, [], [turn_up("7H")], "turned-up", "The 7 of hearts was turned up: hearts are trump.", ["OH-3"]),
        ({}, [], [turn_up("?", "D")], "turned-up", "A card of diamonds was turned up: diamonds are trump.",
         ["OH-3", "OH-Q2"]),
        ({"trump": "fixed-order"}, [], [], "trump-in-order", "In this hand spades are trump.", ["OH-3", "OH-V4"]),
        ({"trump": "fixed-order"}, [3, 2, 1, 2], [], "trump-in-order", "This hand has no trump.", ["OH-3", "OH-V4"]),
        ({"trump": "none"}, [], [], "no-trump", "This hand has no trump.", ["OH-3", "OH-V5"]),
        ({"largest": 17}, [], [turn_up("7H")], "turned-up", "The 7 of hearts was turned up: hearts are trump.",
         ["OH-3"]),
    ],
)  # fmt: skip
def test_why_a_suit_is_trump(options, before, events, code, text, clauses):
    opening = oh(*quick_hands(before), events, options=THREE | options)["hands"][-1]["opening"]
    assert (opening["code"], opening["text"], opening["clauses"]) == (code, text, clauses)


@exercises("OH-3", "OH-Q3")
def test_why_a_hand_has_no_trump():
    opening = hand(players=4, options={"largest": 13})["opening"]
    assert (opening["code"], opening["clauses"]) == ("no-card-left", ["OH-3"])
    assert hand()["opening"] is None
    assert hand(SKIPPED)["opening"] is None
    assert hand(opened())["has_trump"] is True
    assert hand(SKIPPED)["has_trump"] is False
    assert hand(SKIPPED, trick(0, trump="S"))["has_trump"] is True
    assert hand(options=THREE | {"trump": "none"})["has_trump"] is False


@exercises("OH-2", "OH-Q5", "OH-Q6")
def test_the_course_and_the_hands_place_in_it_are_shown():
    answer = oh()
    assert (answer["course"], answer["next"]["hand_size"]) == ([3, 2, 1, 2, 3], [3] * 3)
    assert len(oh(options={})["course"]) == 19
    hands = [quick(2), [{"type": "redeal"}], quick(1, dealer=0), quick(2, dealer=1), []]
    answer = oh(*hands, options={"largest": 2}, end={"kind": "open"})
    assert [each["hand_of_course"] for each in answer["hands"]] == [1, 2, 2, 3, 1]


@exercises("OH-3", "OH-Q2", "OH-Q3")
def test_the_turned_card_is_requested_first():
    card, suit, bid = asked()
    assert [ask.event for ask in (card, suit, bid)] == ["turn-up", "turn-up", "bid"]
    assert (card.seats, suit.seats, bid.seats) == ((), (), (0,))
    assert [field.name for field in card.fields] == ["card"]
    assert len(card.fields[0].choices) == 52
    assert (dict(suit.fixed), set(suit.fields[0].choices)) == ({"card": "?"}, set("SHDC"))


@exercises("OH-4", "OH-V7")
def test_simultaneous_bids_are_asked_of_everyone_in_secret():
    (bid,) = asked(turn_up("2H"), *bids("1:1"), bidding="together")
    assert (bid.seats, bid.secret, bid.fields[0].struck) == ((0, 2), True, ())
    assert asked(bidding="together")[-1].secret
    assert not asked(turn_up("2H"))[0].secret


# --- What a hand would have been under other house rules (REC-22)


@exercises("OH-V4", "OH-V5", "OH-V7", "OH-V8", "OH-V11", "OH-5", "OH-2")
def test_a_what_if_rescores_bids_and_explains_another_course():
    done = [turn_up("2H"), *bids("1:0 2:3 0:6"), result(7, 0, 3)]

    def other(**now: Any) -> Json:
        return hand_as_it_lay(done, game="oh-hell", dealer=0, now=now)

    assert other(scoring="difference")["unknown"] is None, "A result tells all that it needs."
    assert other(trump="none")["unknown"]["code"] == "known-by-result"
    assert other(scoring="difference")["scores"] == {"then": [0, 10, 13], "now": [-1, 10, 13]}
    assert other(zero="five")["scores"]["now"] == [0, 5, 13]
    assert [note["code"] for note in other(course="up")["notes"]] == ["dealt-otherwise"]
    assert "5" in other(largest=5)["notes"][0]["text"]
    assert other(twice_one=True)["notes"] == []
    assert not other(bidding="together")["changed"]
    hooked = hand_as_it_lay(
        turn_up("2H"), bids("1:0 2:3 0:7"), game="oh-hell", dealer=0, options={"hook": False}, now={"hook": True}
    )  # fmt: skip
    assert irregular_now(hooked) == [("forbidden-bid", 0)]


@exercises("OH-8", "OH-V5", "OH-Q3")
def test_a_what_if_uses_another_trump_and_judges_nothing_without_one():
    cards = [turn_up("2H"), *bids("1:0 2:3 0:6"), *plays("1:KS 2:QS 0:3H")]
    only = hand_as_it_lay(cards, game="oh-hell", dealer=0, now={"trump": "none"})
    assert (winners_as_it_lay(only, "then"), winners_as_it_lay(only, "now")) == ([0], [1])
    assert (
        hand_as_it_lay(cards, game="oh-hell", dealer=0, now={"trump": "fixed-order"})["tricks"][0]["now"]["trump"]
        == "S"
    )
    plain = hand_as_it_lay(cards[1:], game="oh-hell", dealer=0, options={"trump": "none"}, now={"trump": "turned"})
    assert (plain["judged"], plain["unscored"]["clauses"][0]) == (False, "OH-Q3")


# --- Guided rulings in a game whose cards have one suit


@exercises("IR-1")
def test_the_revoke_check_is_one_short_question():
    assert "suits" not in ask_of_test_guides(Api(), "ask-none", "oh-hell")["ruling"]["text"]
