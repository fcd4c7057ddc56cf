"""The tricks of a round, its end, and proofs by counting."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import combinations, islice
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine.events import Pass, Play
from referee.engine.records import load_record, replay
from referee.engine.rules import Refused
from referee.engine.rulings import Verdict
from referee.engine.state import PLAY
from referee.engine.table import TableState, hand_for, judge, open_table
from referee.games.american_deuce.game import GAME
from referee.games.american_deuce.tricks import unplayed
from tests.games.american_deuce.told_rounds import (
    IMPOSSIBLE,
    IRREGULAR,
    NAMED,
    TABLE,
    drop,
    hand,
    judged,
    left,
    name,
    refusal,
    refused,
)
from tests.referee.telling import (
    END,
    REDEAL,
    Json,
    accepted,
    exercises,
    found,
    penalty,
    plays,
    told,
    transfer,
    trick,
    winners,
)
from tests.referee.test_offers import after, offered

# --- Naming suits, leading, beating, passing, winning tricks and going out


@exercises("AD-4", "AD-5", "AD-Q22", "REC-9", "REC-12")
def test_three_suits_are_named_in_turn_and_the_fourth_follows():
    begun = hand(name(0, "S"))
    assert (begun["phase"], begun["to_act"], begun["trump"], begun["suit_order"]) == ("suits", [1], "S", ["S"])
    named = hand(NAMED)
    assert (named["phase"], named["to_act"], named["suit_order"]) == ("play", [0], ["S", "H", "C", "D"])
    assert hand(name(0, "S"), left(0, 1, 2, 3))["suit_order"] == ["S"]
    assert hand(left(0, 1, 2, 3))["suit_order"] is None
    assert refused(name(1, "S")) == (IRREGULAR, "out-of-turn")
    odd = hand(accepted(name(3, "S")))
    assert (odd["to_act"], odd["suit_order"]) == ([1], ["S"])
    assert found(odd) == [("out-of-turn", "seen", 3)]
    assert odd["irregularities"][0]["trick"] is None


@pytest.mark.parametrize(
    ("events", "code"),
    [
        ([name(0, "S"), name(1, "S")], "bad-suit"),
        ([name(0, "M")], "bad-suit"),
        ([name(7, "M")], "no-such-seat"),
        ([*NAMED, name(3, "D")], "wrong-phase"),
        (plays("0:3S"), "wrong-phase"),
        (plays("0:-"), "wrong-phase"),
        ([drop(1)], "wrong-phase"),
        ([*NAMED, *plays("4:3S")], "no-such-seat"),
        ([*NAMED, {"type": "play", "seat": 0, "cards": []}], "wrong-count"),
        ([*NAMED, *plays("0:3S+3S*")], "not-in-deck"),
        ([*NAMED, *plays("0:?")], "not-in-deck"),
        ([*NAMED, *plays("0:3S+3S")], "already-played"),
        ([*NAMED, *plays("0:3S 1:3S")], "already-played"),
        ([*NAMED, {"type": "play", "seat": 0, "cards": ["3S"], "suit": "S"}], "bad-suit"),
        ([*NAMED, *plays("0:-")], "wrong-phase"),
        ([*NAMED, *plays("0:3S 0:-")], "wrong-phase"),
        ([*NAMED, *plays("0:3S 9:-")], "no-such-seat"),
        ([*NAMED, trick(0)], "wrong-phase"),
        ([*NAMED, transfer(0, 1, 1)], "wrong-phase"),
        ([*NAMED, left(0, 1, 2, 3), transfer(0, 1, 1)], "wrong-phase"),
        ([*NAMED, left(0, 1, 2, 3), *plays("0:3S")], "hand-finished"),
        ([*NAMED, REDEAL, left(0, 1, 2, 3)], "hand-finished"),
        ([*NAMED, END, transfer(0, 1, 1)], "hand-finished"),
    ],
)
@exercises("AD-Q2", "REC-1", "REC-2", "REC-4")
def test_impossible_events_are_refused(events: list[Json], code: str):
    assert refused(events) == (IMPOSSIBLE, code)


@exercises("AD-9", "AD-10", "AD-11", "AD-12")
def test_the_last_player_takes_the_trick_when_all_others_have_passed():
    won = hand(NAMED, plays("0:3S 1:5H 2:- 3:9D 0:- 1:-"))
    assert winners(won) == [3]
    assert (won["to_act"], won["tricks_won"], won["cards_left"]) == ([3], [0, 0, 0, 1], [12, 12, 13, 12])
    assert won["tricks"][0]["reason"]["code"] == "all-passed"
    assert won["tricks"][0]["plays"][2] == {"seat": 2, "pass": True}
    assert won["tricks"][0]["names"] == ["3 of spades", "5 of hearts", None, "9 of diamonds", None, None]
    assert won["scores"] == [None] * 4


@exercises("AD-11", "AD-Q11", "IR-9")
def test_a_player_who_passes_is_out_until_the_next_trick():
    passed = [*NAMED, *plays("0:3S 1:- 2:5S")]
    assert refused(passed, plays("1:9S")) == (IRREGULAR, "passed")
    assert refused(passed, plays("1:4S+4H+4C+4D")) == (IRREGULAR, "passed")
    back = hand(passed, plays("1:9S!"))
    assert found(back) == [("passed", "seen", 1), ("out-of-turn", "seen", 1)]
    assert back["to_act"] == [2]
    again = hand(passed, plays("3:- 0:- 2:6S 3:- 0:- 1:9S"))
    assert found(again) == []


@exercises("AD-11", "REC-12")
def test_a_pass_out_of_turn_keeps_the_turn_and_a_second_pass_changes_nothing():
    early = hand(NAMED, plays("0:3S 3:-!"))
    assert early["to_act"] == [1]
    assert hand(NAMED, plays("0:3S 3:-! 1:5S 2:6S"))["to_act"] == [0]
    twice = hand(NAMED, plays("0:3S 1:- 1:-!"))
    assert twice["to_act"] == [2]
    assert found(twice) == [("passed", "seen", 1), ("out-of-turn", "seen", 1)]
    assert len(twice["tricks"][0]["plays"]) == 2


@exercises("REC-12", "IR-8")
def test_a_play_out_of_turn_passes_the_turn_to_that_players_left():
    assert refused(NAMED, plays("0:3S 2:5S")) == (IRREGULAR, "out-of-turn")
    assert hand(NAMED, plays("0:3S 2:5S!"))["to_act"] == [3]
    led = hand(NAMED, plays("2:3S!"))
    assert (led["to_act"], led["tricks"][0]["leader"]) == ([3], 2)
    assert hand(NAMED, plays("0:3S 1:- 0:5S!"))["to_act"] == [2]


@exercises("AD-10", "REC-21", "IR-15")
def test_an_accepted_play_that_beats_nothing_becomes_the_play_to_beat():
    assert refused(NAMED, plays("0:9S 1:8S")) == (IRREGULAR, "does-not-beat")
    assert refused(NAMED, plays("0:9S 1:10S+10H")) == (IRREGULAR, "does-not-beat")
    assert found(hand(NAMED, plays("0:9S 1:8S! 2:8C! 3:8H"))) == [
        ("does-not-beat", "seen", 1), ("does-not-beat", "seen", 2),
    ]  # fmt: skip
    assert refused(NAMED, plays("0:3S+4S")) == (IRREGULAR, "no-combination")
    assert refused(NAMED, plays("0:3S+4S! 1:5S")) == (IRREGULAR, "does-not-beat")
    assert found(hand(NAMED, plays("0:3S+4S! 1:3H+3D"))) == [("no-combination", "seen", 0)]
    both = hand(NAMED, plays("0:3S+3H 1:4S+5S!"))
    assert found(both) == [("no-combination", "seen", 1), ("does-not-beat", "seen", 1)]
    assert refused(NAMED, plays("0:3S+4S+5S+6S+7S+8S")) == (IRREGULAR, "no-combination")


@exercises("AD-Q1")
def test_the_first_lead_may_fix_the_number_of_cards_for_the_round():
    first = [*NAMED, *plays("0:3S+3H 1:- 2:- 3:-")]
    lock = {"options": {"count_lock": "round"}}
    assert found(hand(first, plays("0:5S"))) == []
    assert refused(first, plays("0:5S"), **lock) == (IRREGULAR, "does-not-beat")
    both = hand(first, plays("0:5S+6S+8S!"), **lock)
    assert found(both) == [("no-combination", "seen", 0), ("does-not-beat", "seen", 0)]
    never = {"options": {"count_lock": "round", "riot_lead": "always"}}
    assert found(hand(first, plays("0:5S+5H+5C+5D 1:- 2:- 3:- 0:6S+6H"), **never)) == []
    fresh = hand(NAMED, plays("0:3S+4S! 1:- 2:- 3:- 0:5S"), **lock)
    assert found(fresh) == [("no-combination", "seen", 0)]


@exercises("AD-Q1")
def test_a_leader_with_fewer_cards_than_the_fixed_number_may_lead_any():
    five = "0:3S+3H+3C+4S+4H 1:- 2:- 3:- 0:5S+5H+5C+6S+6H 1:- 2:- 3:- "
    assert found(hand(NAMED, plays(five + "0:8S 1:9S"), options={"count_lock": "round"})) == []


@exercises("AD-Q28", "AD-Q20", "AD-30", "AD-A3")
def test_same_kind_and_five_of_a_kind_rules_exclude_mixed_riots():
    flush = "0:3S+4H+5S+6S+7S 1:2D+5D+7D+9D+JD"
    assert found(hand(NAMED, plays(flush))) == []
    assert refused(NAMED, plays(flush), options={"same_type": True}) == (IRREGULAR, "does-not-beat")
    events = "0:3S+3S*+3H+3D+3C 1:4S+4S*+4C+4C* 2:9S+9H+9D+9C"
    assert refused(NAMED, plays(events), players=5) == (IRREGULAR, "does-not-beat")
    next_trick = "0:3S+3S*+3H+3D+3C 1:- 2:- 3:- 4:- 0:4S 1:9S+9H+9D+9C"
    assert found(hand(NAMED, plays(next_trick), players=5)) == []


ALMOST = "0:3S+3H+3C+4S+4H 1:- 2:- 3:- 0:5S+5H+5C+6S+6H 1:- 2:- 3:- 0:7S 1:8S 2:- 3:- 0:9S"
OUT = ALMOST + " 1:10S 0:QS"
"""The last play could be beaten like any other, but no one gets the chance."""


@exercises("AD-13", "AD-Q13", "AD-25", "AD-26", "AD-14", "AD-Q25")
def test_the_first_player_without_cards_ends_the_round_and_is_elected():
    done = judged([*NAMED, *plays(OUT)])
    last = done["hands"][0]
    assert (last["phase"], last["to_act"], last["cards_left"]) == ("finished", [], [0, 11, 13, 13])
    assert (last["tricks_won"], last["scores"]) == ([3, 0, 0, 0], [100, -22, -39, -39])
    assert last["tricks"][-1]["reason"]["code"] == "went-out"
    assert done["next"] == {"number": 2, "dealer": 0, "seating": [0, 1, 2, 3], "hand_size": [13] * 4}
    assert refused(NAMED, plays(OUT), plays("1:KS")) == (IMPOSSIBLE, "hand-finished")


@exercises("REC-7")
def test_players_cannot_play_more_cards_than_they_hold():
    assert refused(NAMED, plays(ALMOST), plays("1:- 0:JS+JH")) == (IMPOSSIBLE, "too-many-cards")


@pytest.mark.parametrize(
    "result",
    [
        left(0, 0, 1, 2), left(1, 1, 1, 1), left(0, 14, 1, 1), left(0, 1, 2), left(0, 1, -1, 2),
        {"type": "result", "tricks": [13, 0, 0, 0]}, left(0, 13, 2, 2),
    ],
)  # fmt: skip
@exercises("REC-11")
def test_a_result_that_does_not_fit_is_refused(result: Json):
    assert refused(NAMED, plays("0:3S 1:4S"), result) == (IMPOSSIBLE, "bad-result")


@exercises("REC-11", "REC-13", "REC-19")
def test_a_result_can_be_recorded_during_a_trick():
    done = hand(NAMED, plays("0:3S 1:4S"), left(12, 0, 9, 10), penalty(2, -5))
    assert (done["phase"], done["scores"]) == ("finished", [-24, 53, -14, -20])
    assert (winners(done), done["tricks_won"]) == ([None], [None] * 4)
    assert "result-only" in [reason["code"] for reason in done["unchecked"]]


# --- Dealing, scoring, seats from round to round, and the end of the game


@exercises("AD-1", "AD-2", "AD-3", "AD-4", "AD-Q5", "AD-Q14", "AD-Q21", "AD-A3")
@pytest.mark.parametrize(
    ("players", "deal", "sizes"),
    [
        (4, "all", [13, 13, 13, 13]),
        (5, "all", [21, 20, 21, 21, 21]),
        (6, "all", [17, 17, 18, 18, 17, 17]),
        (7, "all", [15, 14, 15, 15, 15, 15, 15]),
        (8, "all", [13] * 8),
        (5, "even", [20] * 5),
        (6, "even", [17] * 6),
        (7, "even", [14] * 7),
        (8, "even", [13] * 8),
    ],
)
def test_the_president_elect_deals_and_is_served_last(players: int, deal: str, sizes: list[int]):
    answer = judged([], players=players, dealer=1, options={"deal": deal})
    only = answer["hands"][0]
    assert only["hand_size"] == only["cards_left"] == sizes
    assert only["seating"] == [*range(1, players), 0]
    assert (only["dealer"], only["to_act"]) == (1, [1])


@exercises("AD-1", "AD-Q24", "AD-Q14", "AD-Q18")
@pytest.mark.parametrize(
    ("players", "options"),
    [(3, {}), (9, {}), (4, {"deal": "even"}), (4, {"riot_equal": "never"}), (5, {"deal": "some"}), (5, {"kd": 1})],
)
def test_impossible_tables_are_refused(players: int, options: Json):
    with pytest.raises(Refused):
        GAME.rules(options, players)
    assert GAME.rules({"deal": "all", "riot_equal": "colour"}, 4).options["revoke"] == "ask"


@exercises("AD-25", "AD-26", "AD-A1", "AD-Q15")
@pytest.mark.parametrize(
    ("players", "options", "cards", "scores"),
    [
        (4, {}, (0, 3, 11, 8), [33, -3, -22, -8]),
        (4, {}, (13, 0, 12, 9), [-39, 72, -24, -9]),
        (4, {"scoring": "winner-only"}, (13, 0, 12, 9), [0, 72, 0, 0]),
        (5, {}, (0, 21, 20, 13, 10), [149, -63, -40, -26, -20]),
        (5, {"bands": "scaled"}, (0, 21, 17, 16, 10), [123, -63, -34, -16, -10]),
        (5, {}, (20, 21, 0, 1, 1), [-60, -63, 125, -1, -1]),
    ],
)
def test_losers_pay_for_the_cards_left(players: int, options: Json, cards: tuple[int, ...], scores: list[int]):
    done = hand(left(*cards), players=players, options=options)
    assert done["scores"] == scores
    assert options or not sum(done["scores"])


@exercises("AD-14", "AD-A2", "AD-Q23")
@pytest.mark.parametrize(
    ("reseat", "seating"), [("no", [2, 3, 4, 0, 1]), ("round", [2, 3, 1, 0, 4]), ("total", [2, 4, 3, 1, 0])]
)
def test_the_winner_is_elected_and_the_losers_may_move(reseat: str, seating: list[int]):
    carried = [0, 0, 0, 0, 30]
    answer = judged([left(5, 2, 0, 2, 6)], players=5, options={"reseat": reseat}, carried=carried)
    assert answer["next"]["seating"] == seating
    sizes = answer["next"]["hand_size"]
    assert [sizes[seat] for seat in seating] == [20, 21, 21, 21, 21]


@exercises("AD-A2", "AD-Q23", "AD-25", "AD-Q15")
@pytest.mark.parametrize(
    ("options", "cards", "seating"),
    [
        ({}, (0, 20, 19, 18, 17), [0, 4, 3, 2, 1]),
        ({}, (20, 0, 21, 20, 12), [1, 4, 3, 0, 2]),  # seat 0 was dealt 20 and has played none of them: 60, not 40
        ({}, (20, 0, 15, 21, 14), [1, 4, 2, 0, 3]),
        ({"bands": "scaled"}, (0, 16, 17, 15, 9), [0, 4, 3, 1, 2]),
        ({"bands": "scaled", "scoring": "winner-only"}, (0, 16, 17, 15, 9), [0, 4, 3, 1, 2]),
        ({}, (0, 8, 4, 4, 8), [0, 2, 3, 1, 4]),
        ({}, (8, 4, 0, 4, 8), [2, 3, 1, 4, 0]),  # ties in seat order from the winner's left
    ],
)
def test_losers_are_seated_by_what_they_owe(options: Json, cards: tuple[int, ...], seating: list[int]):
    answer = judged([left(*cards)], players=5, options=options | {"reseat": "round"})
    assert answer["next"]["seating"] == seating


@exercises("AD-A2", "AD-Q23", "AD-14")
def test_turns_follow_the_new_seats():
    first = [left(5, 2, 0, 2)]
    second = [name(2, "S"), name(3, "H"), name(1, "C"), *plays("2:3S 3:4S 1:5S 0:6S")]
    answer = judged(first, second, options={"reseat": "round"})
    assert answer["hands"][1]["seating"] == [2, 3, 1, 0]
    assert (answer["hands"][1]["to_act"], answer["rejected"]) == ([2], None)
    moved = judged([left(5, 2, 0, 2), penalty(3, -9)], options={"reseat": "total"})
    assert moved["next"]["seating"] == [2, 1, 0, 3]


@exercises("AD-27", "AD-Q27", "REC-16")
def test_the_game_ends_when_a_player_reaches_270():
    answer = judged([left(0, 13, 13, 13)], [left(0, 13, 13, 12)], [left(0, 13, 13, 13)])
    assert (answer["totals"][0], answer["finished"], answer["winners"], answer["next"]) == (336, True, [0], None)
    assert not judged([left(0, 13, 13, 13)], [left(0, 13, 13, 13)])["finished"]


@exercises("AD-Q26", "AD-23")
def test_a_forgotten_flourish_costs_nothing():
    royal = hand(NAMED, plays("0:10D+JD+QD+KD+AD"))
    assert royal["irregularities"] == []
    assert royal["tricks"][0]["names"] == ["straight flush in diamonds, 10-J-Q-K-A"]


@exercises("REC-19")
def test_the_audit_reports_unchecked_parts():
    said = hand(NAMED, drop(1), left(0, 1, 2, 3))["unchecked"]
    assert [reason["code"] for reason in said] == ["hands-unknown", "exchange-unseen", "result-only"]
    assert "exchange-unseen" not in [r["code"] for r in hand(NAMED, drop(None))["unchecked"]]


# --- A fixed number of cards for the round: a leader without such a combination passes (AD-Q1)

LOCKED: Json = {"options": {"count_lock": "round"}}
counted_hand, refused_count = partial(hand, **LOCKED), partial(refused, **LOCKED)
PAIR = [*NAMED, *plays("0:3S+3H 1:- 2:- 3:-")]
FIVES = "0:3S+3H+3C+4S+4H 1:- 2:- 3:- 0:5S+5H+5C+6S+6H 1:- 2:- 3:- "


@exercises("AD-Q1", "AD-Q2")
@pytest.mark.parametrize(
    ("played", "to_act", "won"),
    [
        ("0:-", 1, []),
        ("0:- 1:5S+5H", 2, [None]),
        ("0:- 1:5S+5H 2:- 3:-", 1, [1]),
        ("0:- 1:5S+5H 2:6S+6H 3:- 1:-", 2, [2]),
        ("0:- 1:- 2:- 3:5S+5H", 3, [3]),
        ("0:- 1:- 2:- 3:-", 0, []),
    ],
)
def test_a_leader_without_the_required_combination_passes_the_lead(played, to_act, won):
    done = counted_hand(PAIR, plays(played))
    assert (done["to_act"], winners(done)[1:], found(done)) == ([to_act], won, [])


@exercises("AD-Q1", "AD-11")
def test_when_all_have_passed_the_lead_any_size_may_be_led():
    free = [*PAIR, *plays("0:- 1:- 2:- 3:- 0:7S")]
    assert found(counted_hand(free)) == []
    assert found(counted_hand(free, plays("1:- 2:- 3:- 0:8S+8H+8C"))) == []
    assert refused_count(free, plays("1:- 2:- 3:- 0:-")) == (IMPOSSIBLE, "wrong-phase")
    assert counted_hand(free)["tricks"][1]["plays"][-1] == {"seat": 0, "cards": ["7S"]}
    believed = counted_hand(PAIR, plays("0:- 1:5S+5H 2:- 3:- 1:- 2:- 3:- 0:9S+9H"))
    assert found(believed) == [], "nobody asks whether there was a pair"
    assert refused_count(PAIR, plays("0:- 1:5S+5H 2:- 0:6S+6H")) == (IRREGULAR, "passed")


@exercises("AD-Q1", "AD-Q2", "REC-2", "REC-12")
@pytest.mark.parametrize(
    ("events", "answer"),
    [
        ([*NAMED, *plays("0:-")], (IMPOSSIBLE, "wrong-phase")),
        ([*NAMED, *plays(FIVES + "0:-")], (IMPOSSIBLE, "wrong-phase")),
        ([*PAIR, *plays("7:-")], (IMPOSSIBLE, "no-such-seat")),
        ([*PAIR, *plays("2:-")], (IRREGULAR, "out-of-turn")),
        ([*PAIR, *plays("0:- 0:-")], (IRREGULAR, "passed")),
        ([*PAIR, *plays("0:- 1:5S")], (IRREGULAR, "does-not-beat")),
    ],
)
def test_some_players_may_not_pass_the_lead(events: list[Json], answer: tuple[str, str]):
    assert refused_count(events) == answer


def test_a_leader_with_too_few_cards_may_not_pass():
    events = [*NAMED, *plays(FIVES + "0:-")]
    why = refusal(events, **LOCKED)["reason"]
    assert why["text"] == "Ann holds fewer than 5 cards, so Ann leads anything instead of passing."
    assert why["clauses"] == ["AD-Q1", "AD-Q2", "REC-2"]


@exercises("AD-Q1")
def test_the_pass_is_offered_with_the_required_size():
    rules = GAME.rules({"count_lock": "round"}, 4)
    table = after(hand_for(open_table(rules, first_dealer=0)), *PAIR)
    assert [ask.event for ask in table.hand.asks()] == ["play", "pass", "result"]
    assert offered(table, "pass").events == ({"type": "pass", "seat": 0},)
    (told_of,) = table.hand.instructions()
    assert told_of.clauses == ("AD-Q1",)
    assert "If seat 0 has no such combination, the lead passes on." in told_of.text
    over = after(table, *plays("0:- 1:- 2:- 3:-"))
    assert "pass" not in [ask.event for ask in over.hand.asks()]


# --- Cards that beat nothing, and everyone passing at once: what pages offer while a play is to be beaten

FEW = 13
"""The most unplayed cards with which every play is tried."""


def named(suits: Iterable[str], players: int = 4, **options: object) -> TableState:
    table = hand_for(open_table(GAME.rules(options, players), first_dealer=0))
    return after(table, *(name(seat, suit) for seat, suit in enumerate(suits)))


def states(seed: int) -> Iterator[Any]:
    """Yield states of a random round in which a play is to be beaten and few cards are left."""
    chance = Random(seed)
    players = 4
    options: dict[str, object] = {"same_type": chance.random() < 0.5}
    if chance.random() < 0.3:
        players, options = 5, options | {"riot_equal": chance.choice(("colour", "never"))}
    table: Any = named(chance.sample("SHCD", 3), players, **options)
    while table.hand.phase is PLAY:
        hand = table.hand
        if hand.last and len(unplayed(hand)) <= FEW:
            yield table
        field = next(ask.fields[0] for ask in hand.asks() if ask.event == "play")
        groups = list(islice(hand.card_groups(hand.turn, field), 200))
        events: list[Play | Pass] = [Play(seat=hand.turn, cards=cards) for cards in chance.sample(groups, len(groups))]
        events.insert(0 if chance.random() < 0.3 else len(events), Pass(seat=hand.turn))
        rulings = (judge(table, event) for event in events)
        table = next(ruling.table for ruling in rulings if ruling.verdict is Verdict.ACCEPTED)


@given(st.integers(0, 10_000))
@exercises("AD-10")
def test_a_card_is_weak_if_and_only_if_no_play_with_it_beats(seed):
    for table in islice(states(seed), 3):
        hand, seat = table.hand, table.hand.turn
        out, weak = unplayed(hand), {*hand.weak_cards()}
        sizes = {size for size in (len(hand.last.cards), 4) if size <= hand.left[seat]}
        tried = [cards for size in sizes for cards in combinations(out, size)]
        taken = {cards for cards in tried if judge(table, Play(seat=seat, cards=cards)).verdict is Verdict.ACCEPTED}
        assert all(weak.isdisjoint(cards) for cards in taken)
        beating = {cards for cards in tried if (seen := hand.preview(Play(seat=seat, cards=cards))) and seen.fits}
        assert weak == {*out} - {card for cards in beating for card in cards}


@exercises("AD-Q28")
def test_a_straight_beside_a_straight_flush_beats_a_straight_of_the_same_kind():
    known = {"1": ["2D", "AD", "AH", "KD", "QD", "QS", "JD", "8S", "3C", "3D", "5H", "9H", "7D"]}
    events = [*map(name, range(3), "CDS"), *plays("0:5S+6C+7C+8C+9D")]
    record = told({"events": events, "known": known}, **TABLE, options={"same_type": True})
    round_ = replay(load_record(record)).table.hand
    assert round_ is not None
    assert [ask.event for ask in round_.asks()][:2] == ["play", "pass"]


@exercises("AD-11", "AD-12")
def test_everyone_passes_in_turn_until_the_trick_is_over():
    table = after(named("SHC"), *plays("0:3S 1:9S 2:-"))
    assert table.hand.all_pass() == (Pass(seat=3), Pass(seat=0))
    for event in table.hand.all_pass():
        table = judge(table, event).table
    assert (table.hand.last, table.hand.turn, table.hand.all_pass()) == (None, 1, ())
