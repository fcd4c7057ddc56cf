"""A table from hand to hand: which hand an event belongs to, the end by the clock, who deals next, what is left."""

from dataclasses import replace

import pytest

from referee.engine.events import End, Note, Penalty, Play, Redeal, Result
from referee.engine.hand import Hand
from referee.engine.options import Refused
from referee.engine.phases import BIDDING
from referee.engine.records import load_record, replay
from referee.engine.replaying import RecordedHand, known_masks, play_hands
from referee.engine.rulings import Refusal
from referee.engine.table import (
    TableState,
    add_up,
    deal,
    end_by_time,
    hand_for,
    judge,
    next_dealer,
    open_table,
)
from tests.referee.telling import exercises, told

PENALTY = {"type": "penalty", "seat": 0, "points": -1}
RESULT = {"type": "result", "points": [40, 30]}
LAY = Play(seat=1, cards=("2S",))


def table(*hands, **more) -> TableState:
    """Return where a table of Ace Pit stands after these hands, each a list of events."""
    record = {"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 0, "hands": [{"events": e} for e in hands]}
    judged = replay(load_record(record | more))
    assert judged.rejected is None
    return judged.table


def index(found) -> int:
    """Return the index of the hand dealt."""
    assert isinstance(found, TableState)
    assert found.hand is not None
    return found.hand.setup.index


# -- which hand -------------------------------------------------------------------------------


def test_the_first_event_begins_the_first_hand():
    assert index(hand_for(table())) == 0
    assert index(hand_for(table(), LAY)) == 0


def test_while_a_hand_runs_everything_belongs_to_it():
    running = table([PENALTY])
    for event in (None, LAY, Note(text="so"), Redeal(), End()):
        assert hand_for(running, event) is running


@pytest.mark.parametrize("over", [[RESULT], [{"type": "redeal"}]])
def test_after_a_hand_play_begins_the_next_and_what_stays_belongs_to_the_one_that_is_over(over):
    done = table(over)
    assert index(hand_for(done)) == index(hand_for(done, LAY)) == 1
    assert hand_for(done, Note(text="so")) is done
    assert hand_for(done, Penalty(0, -5)) is done


@exercises("REC-16")
def test_after_the_end_no_hand_can_be_dealt_but_a_remark_is_taken():
    over = table([RESULT, {"type": "end"}])
    refused = hand_for(over, LAY)
    assert isinstance(refused, Refusal)
    assert (refused.reason.code, "REC-16" in refused.reason.clauses) == ("hand-finished", True)
    assert hand_for(over, Note(text="so")) is over


# -- the clock --------------------------------------------------------------------------------


@exercises("REC-16")
def test_when_time_is_up_a_table_has_ended_between_two_hands_and_not_before():
    running, between = table([PENALTY]), table([RESULT])
    assert end_by_time(table()) == table()
    assert end_by_time(running) is running
    late = end_by_time(between)
    assert (late.finished(), late.winners(), between.finished()) == (True, (0,), False)
    assert isinstance(hand_for(late), Refusal)
    assert end_by_time(late) is late


# -- who deals --------------------------------------------------------------------------------


def three(*hands, **more) -> TableState:
    """Return where a table of Ace Trump for three stands."""
    record = told(game="ace-trump", players=3, first_dealer=2) | {"hands": [{"events": e} for e in hands]} | more
    return replay(load_record(record)).table


WHOLE = {"type": "result", "tricks": [12, 0, 0]}


@pytest.mark.parametrize(
    ("hands", "dealer"),
    [((), 2), (([],), 2), (([WHOLE],), 0), (([{"type": "redeal"}],), 2), (([WHOLE, {"type": "end"}],), 0)],
)
def test_the_next_dealer_is_who_would_have_dealt_had_the_table_gone_on(hands, dealer):
    assert next_dealer(three(*hands)) == dealer


@pytest.mark.parametrize(
    ("stayed", "seat"),
    [((0, 1, 2), 0), ((2, 0, 1), 1), ((None, 1, 2), 1), ((2, None, None), 0), ((None, None, None), 0)],
)
def test_at_another_table_it_is_the_next_one_clockwise_who_stayed(stayed, seat):
    assert next_dealer(three([WHOLE]), stayed) == seat


# -- sums -------------------------------------------------------------------------------------


@exercises("REC-15")
def test_totals_are_what_was_carried_and_made_by_the_whole_side():
    rules = load_record(told(game="ace-trump", players=4, options={"partners": True})).rules
    assert add_up(rules, (5, 0, 5, 0), (1, 2, 3, 4)) == (9, 6, 9, 6)


@exercises("REC-16")
def test_hands_left_leave_out_void_hands_and_are_known_only_where_hands_are_counted():
    end = {"kind": "hands", "value": 3}
    left = [three(*hands, end=end).hands_left() for hands in ((), ([],), ([WHOLE],), ([{"type": "redeal"}],))]
    assert left == [3, 3, 2, 3]
    assert three([WHOLE], [WHOLE], [WHOLE], end=end).hands_left() is None
    assert three([WHOLE]).hands_left() is None


def test_bids_are_made_from_the_dealers_left_while_they_are_made():
    hand = three([], options={"bidding": True}).hand
    assert isinstance(hand, Hand)
    assert (hand.phase, hand.bidders()) == (BIDDING, (0, 1, 2))
    later = three([{"type": "bid", "seat": seat, "tricks": 1} for seat in range(3)], options={"bidding": True}).hand
    assert isinstance(later, Hand)
    assert later.bidders() == ()


# -- playing again ----------------------------------------------------------------------------


def opened() -> TableState:
    """Return a table before its first deal."""
    return open_table(load_record(told(game="ace-trump", players=3, first_dealer=2)).rules, first_dealer=2)


DONE = Result(tricks=(12, 0, 0))
FIRST, SECOND = Play(seat=0, cards=("8MS",)), Play(seat=1, cards=("XS",))


def test_hands_are_played_out_alike_with_and_without_every_ruling():
    hands = [RecordedHand(0, [DONE]), RecordedHand(1, [Play(seat=1, cards=("8MS",))])]
    fast, stop = play_hands(opened(), hands)
    slow, _ = play_hands(opened(), hands, rulings=True)
    assert stop is None
    assert [hand.state.totals() for hand in fast] == [hand.state.totals() for hand in slow]
    assert [len(hand.rulings) for hand in fast] == [0, 0]
    assert [len(hand.rulings) for hand in slow] == [1, 1]
    assert [hand.start.earned for hand in slow] == [(0, 0, 0), (12, 0, 0)]


@pytest.mark.parametrize("rulings", [False, True])
def test_what_is_not_taken_stops_it_and_the_hand_stands_as_it_was_before(rulings):
    hands, stop = play_hands(opened(), [RecordedHand(0, [FIRST, FIRST, SECOND])], rulings=rulings)
    assert stop is not None
    assert (stop.hand, stop.event) == (0, 1)
    assert stop.ruling.reason is not None
    assert stop.ruling.reason.code == "already-played"
    assert hands[0].state.hand is not None
    assert hands[0].state.hand.events == 1
    assert stop.ruling.table == hands[0].state


def test_a_hand_in_which_nothing_happened_is_an_obstacle_only_if_wanted():
    hands = [RecordedHand(0, [FIRST]), RecordedHand(1, [])]
    _, stop = play_hands(opened(), hands)
    assert stop is not None
    assert (stop.hand, stop.event) == (1, 0)
    assert play_hands(opened(), hands, empty_too=False)[1] is None


def test_it_goes_on_from_a_hand_that_is_dealt_already():
    dealt = deal(opened(), {0: 0b111111111111})
    assert isinstance(dealt, TableState)
    hands, _ = play_hands(opened(), [RecordedHand(0, [])], dealt=dealt)
    assert hands[0].start is dealt
    assert judge(replace(dealt), FIRST).reason is not None


def test_entered_hands_say_where_they_are_wrong():
    pack = opened().rules.pack
    assert known_masks(pack, {0: ["AM", "AS"], 2: []}) == {0: 0b11, 2: 0}
    with pytest.raises(Refused) as refused:
        known_masks(pack, {0: ["AM", "AM", "ZZ"]}, "/hands/3/known")
    assert [(p.pointer, p.code) for p in refused.value.problems] == [
        ("/hands/3/known/0/1", "bad-known"),
        ("/hands/3/known/0/2", "not-in-deck"),
    ]


# -- how many hands were finished -------------------------------------------------------------


@exercises("REC-14")
def test_a_hand_knows_how_many_were_finished_before_it_and_a_void_one_is_none_of_them():
    def before(*hands) -> int:
        coming = table(*hands).coming()
        assert coming is not None
        return coming.finished

    redeal = {"type": "redeal"}
    assert [before(), before([RESULT]), before([RESULT], [RESULT])] == [0, 1, 2]
    assert before([RESULT], [redeal]) == 1
    assert before([RESULT], [redeal], [redeal], [RESULT]) == 2
    assert before([RESULT, redeal], [RESULT]) == 1
