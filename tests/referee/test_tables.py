"""Tables and records, and what hands provide for statistics."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from referee.engine.adjudication import describe_hand
from referee.engine.events import End, Note, Penalty, Play, Redeal
from referee.engine.hand import Hand
from referee.engine.records import dump_record, load_event, load_record, replay
from referee.engine.replaying import HandRecord, known_masks, play_hands
from referee.engine.rules import Refused
from referee.engine.rulings import Refusal
from referee.engine.state import BIDDING
from referee.engine.table import TableState, add_up, deal, end_by_time, hand_for, judge, next_dealer, tally
from tests.referee.random_tables import records
from tests.referee.telling import (
    END,
    REDEAL,
    Json,
    bids,
    exercises,
    judged,
    judged_record,
    penalty,
    plays,
    result,
    told,
    trick,
)

# --- A table from hand to hand: an event's hand, the time limit, the next dealer, the hands left

PENALTY = penalty(0, -1)
RESULT = {"type": "result", "points": [40, 30]}
LAY = Play(seat=1, cards=("2S",))


def table(*hands, **more) -> TableState:
    """Return the state of an Ace Pit table after these hands, each a list of events."""
    judged = replay(load_record(told(*hands, game="ace-pit", players=2, dealer=0, **more)))
    assert judged.rejected is None
    return judged.table


def index(found) -> int:
    assert isinstance(found, TableState)
    assert found.hand is not None
    return found.hand.setup.index


def test_the_first_play_begins_the_first_hand():
    assert index(hand_for(table())) == 0
    assert index(hand_for(table(), LAY)) == 0
    running = table([PENALTY])
    for event in (None, LAY, Note(text="so"), Redeal(), End()):
        assert hand_for(running, event) is running


@pytest.mark.parametrize("over", [[RESULT], [REDEAL]])
def test_after_a_hand_play_begins_the_next_and_notes_belong_to_the_last(over):
    done = table(over)
    assert index(hand_for(done)) == index(hand_for(done, LAY)) == 1
    assert hand_for(done, Note(text="so")) is done
    assert hand_for(done, Penalty(0, -5)) is done


@exercises("REC-16")
def test_after_the_end_only_remarks_are_accepted():
    over = table([RESULT, END])
    refused = hand_for(over, LAY)
    assert isinstance(refused, Refusal)
    assert (refused.reason.code, "REC-16" in refused.reason.clauses) == ("hand-finished", True)
    assert hand_for(over, Note(text="so")) is over


@exercises("REC-16")
def test_a_timed_table_ends_only_between_hands():
    running, between = table([PENALTY]), table([RESULT])
    assert end_by_time(table()) == table()
    assert end_by_time(running) is running
    late = end_by_time(between)
    assert (late.finished(), late.winners(), between.finished()) == (True, (0,), False)
    assert isinstance(hand_for(late), Refusal)
    assert end_by_time(late) is late


def three(*hands, **more) -> TableState:
    return replay(load_record(told(*hands, **more))).table


WHOLE = result(12, 0, 0)


@pytest.mark.parametrize(
    ("hands", "dealer"),
    [((), 2), (([],), 2), (([WHOLE],), 0), (([REDEAL],), 2), (([WHOLE, END],), 0)],
)
def test_a_continued_tables_dealer_is_the_one_who_would_have_dealt_next(hands, dealer):
    assert next_dealer(three(*hands)) == dealer


@pytest.mark.parametrize(
    ("stayed", "seat"),
    [((0, 1, 2), 0), ((2, 0, 1), 1), ((None, 1, 2), 1), ((2, None, None), 0), ((None, None, None), 0)],
)
def test_the_next_dealer_is_the_next_remaining_player_clockwise(stayed, seat):
    assert next_dealer(three([WHOLE]), stayed) == seat


@exercises("REC-15")
def test_totals_add_carried_and_made_points_of_the_side():
    rules = load_record(told(players=4, options={"partners": True})).rules
    assert add_up(rules, (5, 0, 5, 0), (1, 2, 3, 4)) == (9, 6, 9, 6)


@exercises("REC-16")
def test_hands_left_are_counted_without_void_hands():
    end = {"kind": "hands", "value": 3}
    left = [three(*hands, end=end).hands_left() for hands in ((), ([],), ([WHOLE],), ([REDEAL],))]
    assert left == [3, 3, 2, 3]
    assert three([WHOLE], [WHOLE], [WHOLE], end=end).hands_left() is None
    assert three([WHOLE]).hands_left() is None


def test_bids_start_at_the_dealers_left():
    hand = three([], options={"bidding": True}).hand
    assert isinstance(hand, Hand)
    assert (hand.phase, hand.bidders()) == (BIDDING, (0, 1, 2))
    later = three(bids("0:1 1:1 2:1"), options={"bidding": True}).hand
    assert isinstance(later, Hand)
    assert later.bidders() == ()


FIRST, SECOND = Play(seat=0, cards=("8MS",)), Play(seat=1, cards=("XS",))


@pytest.mark.parametrize("rulings", [False, True])
def test_a_refused_event_stops_judging_and_leaves_the_hand_unchanged(rulings):
    hands, stop = play_hands(three(), [HandRecord((FIRST, FIRST, SECOND))], rulings=rulings)
    assert stop is not None
    assert (stop.hand, stop.event) == (0, 1)
    assert stop.ruling.reason is not None
    assert stop.ruling.reason.code == "already-played"
    assert hands[0].state.hand is not None
    assert hands[0].state.hand.events == 1
    assert stop.ruling.table == hands[0].state


def test_an_empty_hand_is_an_obstacle_only_on_request():
    hands = [HandRecord((FIRST,)), HandRecord()]
    _, stop = play_hands(three(), hands)
    assert stop is not None
    assert (stop.hand, stop.event) == (1, 0)
    assert play_hands(three(), hands, empty_too=False)[1] is None


def test_judging_continues_from_a_dealt_hand():
    dealt = deal(three(), {0: 0b111111111111})
    assert isinstance(dealt, TableState)
    hands, _ = play_hands(three(), [HandRecord()], dealt=dealt)
    assert hands[0].start is dealt
    assert judge(replace(dealt), FIRST).reason is not None


def test_invalid_entered_hands_are_refused_with_a_pointer():
    pack = three().rules.pack
    assert known_masks(pack, {0: ["AM", "AS"], 2: []}) == {0: 0b11, 2: 0}
    with pytest.raises(Refused) as refused:
        known_masks(pack, {0: ["AM", "AM", "ZZ"]}, "/hands/3/known")
    assert [(p.pointer, p.code) for p in refused.value.problems] == [
        ("/hands/3/known/0/1", "bad-known"),
        ("/hands/3/known/0/2", "not-in-deck"),
    ]


@exercises("REC-14")
def test_a_hand_counts_earlier_finished_hands_without_void_ones():
    def before(*hands) -> int:
        coming = table(*hands).coming()
        assert coming is not None
        return coming.finished

    assert [before(), before([RESULT]), before([RESULT], [RESULT])] == [0, 1, 2]
    assert before([RESULT], [REDEAL]) == 1
    assert before([RESULT], [REDEAL], [REDEAL], [RESULT]) == 2
    assert before([RESULT, REDEAL], [RESULT]) == 1


# --- Reading and writing records: every wrong shape is reported with its place, and nothing else

GOOD = told(plays("0:8MS 1:9MS"), options={"ties": "early"}, end={"kind": "hands", "value": 4}, carried=[1, 2, 3])


def changed(path: str, value: object) -> Json:
    """Change one place of a valid record; ``...`` removes the key."""
    data: Json = json.loads(json.dumps(GOOD))
    *parents, last = [int(part) if part.isdigit() else part for part in path.strip("/").split("/")]
    place: Any = data
    for part in parents:
        place = place[part]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return data


def test_a_record_is_read_and_written_back():
    written = dump_record(load_record(GOOD))
    assert written["options"]["ties"] == "early"
    assert written | {"options": None} == GOOD | {"options": None}
    assert dump_record(load_record(written)) == written


MALFORMED = [
    # where, what stands there, the code
    ("/seats", "Ann", "wrong-type"),
    ("/seats/0", 1, "wrong-type"),
    ("/seats/0", "x" * 61, "wrong-type"),
    ("/first_dealer", ..., "missing-key"),
    ("/first_dealer", True, "wrong-type"),
    ("/first_dealer", None, "wrong-type"),
    ("/first_dealer", "2", "wrong-type"),
    ("/first_dealer", 2.5, "wrong-type"),
    ("/seats", ..., "missing-key"),
    ("/game", ..., "missing-key"),
    ("/end/kind", ..., "missing-key"),
    ("/end/value", ..., "missing-key"),
    ("/game", 7, "wrong-type"),
    ("/options", [], "wrong-type"),
    ("/options/ties", 3, "wrong-type"),
    ("/end/kind", None, "wrong-type"),
    ("/end/value", "4", "wrong-type"),
    ("/end/until", 4, "unknown-key"),
    ("/carried/0", "1", "wrong-type"),
    ("/carried", {}, "wrong-type"),
    ("/hands", {}, "wrong-type"),
    ("/hands/0", [], "wrong-type"),
    ("/hands/0/events", {}, "wrong-type"),
    ("/hands/0/dealer", 1, "unknown-key"),
    ("/hands/0/known", [], "wrong-type"),
    ("/hands/0/events/0", "play", "wrong-type"),
    ("/hands/0/events/0/type", "shout", "unknown-event"),
    ("/hands/0/events/0/type", None, "unknown-event"),
    ("/hands/0/events/0/seat", ..., "missing-key"),
    ("/hands/0/events/0/seat", None, "wrong-type"),
    ("/hands/0/events/0/seat", 10**30, "wrong-type"),
    ("/hands/0/events/0/cards", "8MS", "wrong-type"),
    ("/hands/0/events/0/cards/0", 8, "wrong-type"),
    ("/hands/0/events/0/cards", ..., "missing-key"),
    ("/hands/0/events/0/suit", 1, "wrong-type"),
    ("/hands/0/events/0/accepted", "yes", "wrong-type"),
    ("/hands/0/events/0/trump", "M", "unknown-key"),
    ("/dealer", 0, "unknown-key"),
]


@pytest.mark.parametrize(("place", "value", "code"), MALFORMED)
def test_a_wrong_shape_is_malformed_and_has_a_pointer(place: str, value: object, code: str):
    with pytest.raises(Refused) as refusal:
        load_record(changed(place, value))
    assert refusal.value.malformed
    problem = refusal.value.problems[0]
    assert (problem.pointer, problem.code) == (place, code)
    assert problem.detail.endswith(".")


WRONG = [
    ("/format", "table-record/2", "bad-format", "/format"),
    ("/game", "bridge", "unknown-game", "/game"),
    ("/seats", [], "bad-players", "/seats"),
    ("/seats", ["Ann"], "bad-players", "/seats"),
    ("/seats", ["Ann"] * 9, "bad-players", "/seats"),
    ("/seats/1", " ", "bad-value", "/seats/1"),
    ("/first_dealer", 3, "bad-value", "/first_dealer"),
    ("/first_dealer", -1, "bad-value", "/first_dealer"),
    ("/carried", [1, 2], "bad-value", "/carried"),
    ("/options/ties", "never", "bad-option", "/options/ties"),
    ("/options/tie", "early", "unknown-option", "/options/tie"),
    ("/options/hook", True, "option-conflict", "/options/hook"),
    ("/end/kind", "boredom", "bad-end", "/end/kind"),
    ("/end", {"kind": "open", "value": 3}, "bad-end", "/end/value"),
    ("/end/value", 0, "bad-end", "/end/value"),
    ("/end/value", -4, "bad-end", "/end/value"),
]


@pytest.mark.parametrize(("place", "value", "code", "pointer"), WRONG)
def test_a_well_formed_but_impossible_request_has_a_pointer(place: str, value: object, code: str, pointer: str):
    with pytest.raises(Refused) as refusal:
        load_record(changed(place, value))
    assert not refusal.value.malformed
    assert (pointer, code) in [(problem.pointer, problem.code) for problem in refusal.value.problems]


@pytest.mark.parametrize("data", [None, [], "record", 3, {}, {"seats": None}, {"hands": [[]]}])
def test_a_record_of_the_wrong_shape_is_refused(data: object):
    with pytest.raises(Refused) as refusal:
        load_record(data)
    assert refusal.value.malformed


def test_keys_starting_with_x_are_kept_everywhere():
    data = told([plays("0:8MS")[0] | {"x_by": "Ann"}], x_place="the kitchen")
    data["hands"][0]["x_photo"] = 7
    written = dump_record(load_record(data))
    assert (written["x_place"], written["hands"][0]["x_photo"]) == ("the kitchen", 7)
    assert written["hands"][0]["events"][0]["x_by"] == "Ann"


def test_an_answer_uses_canonical_card_codes():
    events = plays("0:diplomat 1:9sm 2:nM")
    answer = judged(events)
    assert [play["cards"] for play in answer["hands"][0]["tricks"][0]["plays"]] == [["8MS"], ["9MS"], ["XM"]]
    written = dump_record(load_record(told(events)))
    assert [event["cards"][0] for event in written["hands"][0]["events"]] == ["8MS", "9MS", "XM"]


def test_an_omitted_field_differs_from_null_where_it_matters():
    for event in (trick(0), trick(0, trump=None)):
        written = dump_record(load_record(told([event])))
        assert written["hands"][0]["events"] == [event]


@exercises("REC-16", "WC-18", "AT-14")
def test_every_game_has_its_own_default_end():
    assert judged(game="ace-trump")["end"] == judged(game="ransom-trump")["end"] == {"kind": "open"}
    assert judged(game="wildcat-chicane")["end"] == {"kind": "score", "value": 40}


def test_a_single_event_can_be_read_alone():
    assert load_event(plays("0:8MS")[0]).type == "play"
    with pytest.raises(Refused) as refusal:
        load_event({"type": "play", "seat": "0"})
    assert [problem.pointer for problem in refusal.value.problems] == ["/seat", "/cards"]


# --- A finished hand's statistics, compared with its description


@given(records())
def test_a_tally_agrees_with_the_hand_description(data):
    try:
        record = load_record(data)
        hands = replay(record).hands
    except Refused:  # some are refused as a whole
        return
    for hand in hands:
        described, told = describe_hand(hand, record.seats), tally(hand)
        if described["phase"] != "finished":
            assert told is None
            continue
        assert told is not None
        assert [seat.score for seat in told.seats] == described["scores"]
        assert [seat.tricks for seat in told.seats] == described.get("tricks_won", [0] * len(told.seats))
        revokers = [
            each["seat"]
            for each in described["irregularities"]
            if each["code"] == "revoke" and each["certainty"] != "joint"
        ]
        assert [seat.revokes for seat in told.seats] == [revokers.count(seat) for seat in range(len(record.seats))]
        together = data.get("options", {}).get("partner_bid") == "joint"
        for number, seat in enumerate(told.seats):
            side = hand.scored_with(number)
            bids: list[Any] = [described.get("bids", [None] * len(told.seats))[each] for each in side]
            if None in bids:
                assert seat.bid is None
                continue
            if "contracts" in described:  # if partners share a contract, the game defines a nil beside it
                assert seat.bid is not None
                alone = (seat.bid.bid, bids[side.index(number)]) == (0, 0)
                assert alone or seat.bid.bid == sum(bid or 0 for bid in bids)
                continue
            assert len(side) == 1 + together
            won = hand.tricks_won()
            assert seat.bid == (sum(bid or 0 for bid in bids), sum(won[each] or 0 for each in side))


def test_the_best_answer_in_ace_pit_names_its_cards():
    events = [*plays("1:5C 0:3H+9H 0:5H 1:5D"), {"type": "result", "points": [105, 130]}]
    record = told(events, game="ace-pit", players=2, dealer=0)
    assert judged_record(record)["rejected"] is None
    counted = tally(replay(load_record(record)).hands[0])
    assert counted is not None
    assert not counted.complete
    first, second = (seat.feat for seat in counted.seats)
    assert first is not None
    assert second is not None
    assert first[1:] == (25, 1, "5C", ("3H", "9H"))
    assert second.on == "5H"
