"""One number of cards for the whole round: a leader without such a combination passes the lead on (AD-Q1)."""

from functools import partial

import pytest

from referee.engine.records import load_record
from referee.engine.table import hand_for, open_table
from referee.games.american_deuce.game import GAME
from referee.notation.read import read_text
from referee.notation.write import write_text
from tests.games.american_deuce.telling import NAMED, drop, left
from tests.games.american_deuce.telling import hand as hand_of
from tests.games.american_deuce.telling import refused as refused_of
from tests.referee.as_it_lay import hand as as_it_lay
from tests.referee.as_it_lay import irregular_now
from tests.referee.telling import Json, accepted, exercises, found, plays, refusal, told, winners
from tests.referee.test_offers import after, offered

LOCKED: Json = {"options": {"count_lock": "round"}}
hand, refused = partial(hand_of, **LOCKED), partial(refused_of, **LOCKED)
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
def test_a_leader_without_such_a_combination_passes_and_the_lead_goes_on(
    played: str, to_act: int, won: list[int | None]
):
    done = hand(PAIR, plays(played))
    assert (done["to_act"], winners(done)[1:], found(done)) == ([to_act], won, [])


@exercises("AD-Q1")
def test_once_nobody_has_one_the_number_is_free_for_the_rest_of_the_round():
    free = [*PAIR, *plays("0:- 1:- 2:- 3:- 0:7S")]
    assert found(hand(free)) == []
    assert found(hand(free, plays("1:- 2:- 3:- 0:8S+8H+8C"))) == []
    assert refused(free, plays("1:- 2:- 3:- 0:-")) == ("impossible", "wrong-phase")
    assert hand(free)["tricks"][1]["plays"][-1] == {"seat": 0, "cards": ["7S"]}


@exercises("AD-Q1", "AD-11")
def test_such_a_pass_claims_nothing_and_its_player_waits_for_the_next_trick():
    believed = hand(PAIR, plays("0:- 1:5S+5H 2:- 3:- 1:- 2:- 3:- 0:9S+9H"))
    assert found(believed) == [], "nobody asks whether there was a pair"
    assert refused(PAIR, plays("0:- 1:5S+5H 2:- 0:6S+6H")) == ("irregular", "passed")


@exercises("AD-Q1", "AD-Q2", "REC-2", "REC-12")
@pytest.mark.parametrize(
    ("events", "answer"),
    [
        ([*NAMED, *plays("0:-")], ("impossible", "wrong-phase")),
        ([*NAMED, *plays(FIVES + "0:-")], ("impossible", "wrong-phase")),
        ([*PAIR, *plays("7:-")], ("impossible", "no-such-seat")),
        ([*PAIR, *plays("2:-")], ("irregular", "out-of-turn")),
        ([*PAIR, *plays("0:- 0:-")], ("irregular", "passed")),
        ([*PAIR, *plays("0:- 1:5S")], ("irregular", "does-not-beat")),
    ],
)
def test_who_may_not_pass_the_lead_on(events: list[Json], answer: tuple[str, str]):
    assert refused(events) == answer


def test_who_holds_fewer_cards_is_told_to_lead_anything():
    events = [*NAMED, *plays(FIVES + "0:-")]
    why = refusal(events, game="american-deuce", players=4, dealer=0, **LOCKED)["reason"]
    assert why["text"] == "Ann holds fewer cards than the 5 of this round, and so leads anything instead of passing."
    assert why["clauses"] == ["AD-Q1", "AD-Q2", "REC-2"]


@exercises("AD-Q1")
def test_the_pass_is_offered_and_the_number_is_told():
    rules = GAME.rules({"count_lock": "round"}, 4)
    table = after(hand_for(open_table(rules, first_dealer=0)), *PAIR)
    assert [ask.event for ask in table.hand.asks()] == ["play", "pass", "result"]
    assert offered(table, "pass").events == ({"type": "pass", "seat": 0},)
    (told_of,) = table.hand.instructions()
    assert told_of.clauses == ("AD-Q1",)
    assert "If seat 0 has no such combination, the lead passes on." in told_of.text
    over = after(table, *plays("0:- 1:- 2:- 3:-"))
    assert "pass" not in [ask.event for ask in over.hand.asks()]


@exercises("AD-Q1")
def test_a_record_with_passes_before_a_lead_is_written_and_read_back():
    record = told([*PAIR, *plays("0:- 1:5S+5H 2:- 3:- 1:- 2:- 3:- 0:9S+9H")], game="american-deuce", players=4,
                  dealer=0, **LOCKED)  # fmt: skip
    loaded = load_record(record)
    written = write_text(loaded)
    assert read_text(written).hands == loaded.hands
    assert "\n2. Ann passes, Bob 5S 5H, Cy passes, Dot passes\n" in written


@exercises("AD-Q1", "REC-22")
def test_as_it_lay_a_lead_passed_on_is_led_by_whoever_led():
    played = plays("0:3S+3H 1:- 2:- 3:- 0:- 1:5S+5H 2:6S+6H")
    other = as_it_lay(NAMED, played, players=4, dealer=0, game="american-deuce", **LOCKED, now={"count_lock": "trick"})
    assert irregular_now(other) == []
    assert other["left_out"] == []
    assert [trick["now"]["winner"] for trick in other["tricks"]] == [0, None]


@exercises("AD-Q1")
def test_a_round_is_played_on_to_its_result_after_passes():
    assert hand(PAIR, plays("0:- 1:-"), left(0, 3, 4, 5))["scores"] == [12, -3, -4, -5]
    assert refused(PAIR, plays("0:-"), accepted(drop(None)))[1] == "wrong-phase"
