"""Entries corrected, undone and rethreaded."""

import json
from itertools import count

import pytest

from referee.engine.adjudication import adjudicate
from referee.engine.game import all_games
from referee.engine.records import dump_event, load_event, load_record
from referee.engine.snapshot import dump_table
from scoring.models import HandSheet
from scoring.operating.reads import differences
from scoring.tables.acts.amending import Amendment, Change, amend, preview
from scoring.tables.acts.exceptions import KeyReused, MovedOn, NoSuchEvent, NothingToUndo
from scoring.tables.acts.keys import Caller
from scoring.tables.reads.log import as_it_was, log, record
from scoring.tables.reads.state import adjudication, standing
from tests.games.discovery import HONEST
from tests.referee.test_rethreading import seat_as_recorded, slips
from tests.scoring.conftest import open_table, play
from tests.seeds import FIRST, as_often_as

# --- Correcting an entry: replaced or deleted, with everything after it rejudged

KEY = "5f0c7f5e-7a0b-4a55-9d59-3f0a3a5c1c14"
TRICK = (play(0, "8MS"), play(1, "XS"), play(2, "XM"))


def result(*tricks):
    return {"type": "result", "tricks": list(tricks)}


def amended(table, seq, event, *, reason="", **asked):
    said = None if event is None else load_event(event)
    return amend(table.code, Amendment(seq=seq, event=said, reason=reason), Caller(**asked))


def tried(table, seq, event):
    said = None if event is None else load_event(event)
    return preview(table.code, Amendment(seq=seq, event=said), Caller())


def stands_where_its_log_says(table):
    row = table.row
    rebuilt = as_it_was(row, row.version)
    assert json.dumps(row.snapshot) == json.dumps(dump_table(rebuilt))
    assert adjudicate(load_record(record(row))) == adjudication(standing(row))


@pytest.fixture
def table(db):
    """A table at which Ann leads; after every test it is what its log says."""
    table = open_table()
    yield table
    stands_where_its_log_says(table)
    assert differences(table.row) == []


@pytest.fixture
def played(table):
    """A first trick won by Cy, and nothing after it."""
    table.record(*TRICK)
    return table


def test_a_corrected_card_changes_the_winner(played):
    what = amended(played, 3, play(2, "2MK"), by="scorekeeper")
    assert vars(what.changes) == {
        "tricks": [
            {
                "hand": 0,
                "trick": 1,
                "before": {"winner": 2, "points": {"2": 1}},
                "after": {"winner": 1, "points": {"1": 1}},
            }
        ],
        "scores": [{"hand": 0, "seat": 1, "before": 0, "after": 1}, {"hand": 0, "seat": 2, "before": 1, "after": 0}],
        "totals": [{"seat": 1, "before": 0, "after": 1}, {"seat": 2, "before": 1, "after": 0}],
        "irregularities": [],
        "winners": None,
    }
    assert standing(played.row).state.totals() == (0, 1, 0)


def test_an_amendment_applies_to_the_replacement(played):
    amended(played, 3, play(2, "2MK"))
    amended(played, 4, play(2, "3MW"))
    assert record(played.row)["hands"][0]["events"][2] == play(2, "3MW")


def test_a_deleted_event_can_be_restored(table):
    table.record(*TRICK, {"type": "note", "text": "hm"}, play(2, "9MS"))
    before = record(table.row)
    amended(table, 4, None)
    amended(table, 6, {"type": "note", "text": "hm"})
    assert record(table.row) == before


def test_undo_removes_the_last_event_of_the_record_not_of_the_log(played):
    amended(played, 1, play(0, "9MS"))
    played.undo()
    assert [event["seat"] for event in record(played.row)["hands"][0]["events"]] == [0, 1]
    played.undo()
    played.undo()
    assert record(played.row)["hands"] == []


def test_amending_an_earlier_hand_rejudges_the_later_ones(table):
    table.record(result(12, 0, 0), result(4, 4, 4), result(0, 0, 12))
    what = amended(table, 1, result(10, 2, 0))
    assert [(c["hand"], c["seat"], c["after"]) for c in what.changes.scores] == [(0, 0, 10), (0, 1, 2)]
    assert [sheet.sheet["scores"] for sheet in HandSheet.objects.order_by("number")] == [[10, 2, 0], [4, 4, 4]]
    assert standing(table.row).state.totals() == (14, 6, 16)
    table.record(result(1, 1, 10))


def test_the_next_hand_cannot_follow_a_reopened_one(table):
    table.record(result(12, 0, 0), play(1, "8MS"))
    what = tried(table, 1, None)
    assert (what.later.entry.seq, what.later.entry.hand, what.later.position) == (2, 1, 0)
    assert what.later.ruling.reason.code == "wrong-phase"


def test_deleting_the_only_event_of_the_last_hand_undoes_its_deal(table):
    table.record(result(12, 0, 0), play(1, "8MS"))
    amended(table, 2, None)
    assert table.row.hand_number == 0
    assert HandSheet.objects.count() == 0
    stands_where_its_log_says(table)
    table.record(play(1, "9MS"))


def test_deleting_the_only_event_of_all_leaves_the_table_undealt(table):
    table.record(play(0, "8MS"))
    amended(table, 1, None)
    assert table.row.hand_number is None
    assert record(table.row)["hands"] == []
    amended(table, 2, play(0, "9MS"))
    assert record(table.row)["hands"] == [{"events": [play(0, "9MS")]}]


def test_changes_include_new_irregularities(table):
    table.record(play(0, "8MS"))
    what = amended(table, 1, play(1, "8MS", accepted=True))
    assert [(c["before"], c["after"]["code"]) for c in what.changes.irregularities] == [(None, "out-of-turn")]
    back = amended(table, 2, play(0, "8MS"))
    assert [(c["before"]["code"], c["after"]) for c in back.changes.irregularities] == [("out-of-turn", None)]


def test_deleting_a_missing_event_is_an_error(played):
    played.undo()
    with pytest.raises(NoSuchEvent):
        amended(played, 4, None)


# --- Undoing the last event, which stays readable


RESULT = {"type": "result", "tricks": [4, 4, 4]}


def test_undo_continues_into_the_previous_hand(table):
    table.record(RESULT, {"type": "note", "text": "hm"}, RESULT)
    assert HandSheet.objects.count() == 1
    table.undo()
    assert HandSheet.objects.count() == 0
    assert table.row.hand_number == 0
    assert standing(table.row).state.totals() == (4, 4, 4)
    table.undo()
    table.undo()
    with pytest.raises(NothingToUndo):
        table.undo()


def test_undo_requires_having_seen_the_last_event(table):
    table.record(play(0, "8MS"), play(1, "XS"))
    table.undo(expected=2)
    with pytest.raises(MovedOn):
        table.undo(expected=2)


# --- Correcting a slip that changed the winner: later cards keep their order and follow the turn


SEEDS = range(FIRST, FIRST + as_often_as(always=2, hunting=20, again=1))


def rethreaded(table, seq, event, *also, **asked):
    return amend(table.code, amendment(seq, event, *also), Caller(**asked))


def amendment(seq, event, *also):
    changes = tuple(Change(seq=number, event=what and load_event(what)) for number, what in also)
    return Amendment(seq=seq, event=event and load_event(event), also=changes, rethread=True)


def events(table):
    return [event for hand in record(table.row)["hands"] for event in hand["events"]]


def seats(table):
    return [event["seat"] for event in events(table)]


@pytest.fixture
def slipped(table):
    """Cy's 3MW was tapped as XM, so Cy and not Bob seemed to win and lead the second trick."""
    table.record(play(0, "8MS"), play(1, "XS"), play(2, "XM"))
    table.record(play(2, "9MS"), play(0, "4MS"), play(1, "5SW"), play(2, "2MK"))
    return table


def test_correcting_a_slip_withdraws_a_wrongly_proved_revoke(table):
    """Bob showed no Moons and no Suns; the 6 of Moons that seemed his was Cy's."""
    table.record(play(0, "8MS"), play(1, "8WL"), play(2, "XM"), play(2, "9WY"), play(0, "4YK"), play(1, "6MW"))
    what = rethreaded(table, 3, play(2, "2MK"))
    gone = [(c["before"]["code"], c["before"]["seat"], c["after"]) for c in what.changes.irregularities]
    assert gone == [("revoke", 1, None)]


def test_the_log_lists_each_card_that_moved(slipped):
    rethreaded(slipped, 3, play(2, "3MW"), by="scorekeeper")
    rows = log(slipped.row)[7:]
    assert [(row.amends, row.event["seat"], row.by) for row in rows] == [
        (3, 2, "scorekeeper"), (4, 1, "scorekeeper"), (5, 2, "scorekeeper"), (6, 0, "scorekeeper"),
        (7, 1, "scorekeeper"),
    ]  # fmt: skip
    assert slipped.row.version == 12


def test_reversing_a_correction_restores_the_table(slipped):
    before = events(slipped)
    rethreaded(slipped, 3, play(2, "3MW"))
    rethreaded(slipped, 8, play(2, "XM"))
    assert events(slipped) == before
    slipped.undo()
    assert events(slipped) == before[:-1]


def test_a_correction_names_each_row_at_most_once(slipped):
    with pytest.raises(NoSuchEvent):
        rethreaded(slipped, 3, play(2, "3MW"), (3, None))


def test_undo_removes_a_misfit_and_everything_after_it(slipped):
    slipped.record(play(0, "6LK"), play(1, "3MW"), {"type": "redeal"}, play(0, "8MS"))
    later = [(seq, None) for seq in (9, 10, 11)]
    rethreaded(slipped, 3, play(2, "3MW"), *later, key=KEY)
    assert seats(slipped) == [0, 1, 2, 1, 2, 0, 1, 2]
    assert len(rethreaded(slipped, 3, play(2, "3MW"), *later, key=KEY).moved) == 5


def test_a_threaded_correction_can_be_retried(slipped):
    first = rethreaded(slipped, 3, play(2, "3MW"), (7, None), key=KEY)
    slipped.record({"type": "note", "text": "hm"})
    again = rethreaded(slipped, 3, play(2, "3MW"), (7, None), key=KEY)
    assert (again.version, again.event, again.changes) == (first.version, first.event, first.changes)
    moves = [[(m.entry.seq, m.event["seat"]) for m in each.moved] for each in (again, first)]
    assert moves[0] == moves[1]
    with pytest.raises(KeyReused):
        rethreaded(slipped, 3, play(2, "3MW"), key=KEY)


def first_slip(game, seed):
    """Return a first hand with a card mistaken for another, or one too many, which misled later entries."""
    found = (slip for number in count(seed * 1000) for slip in slips(game, number))
    return next((start, told) for start, told in found if start.hand.setup.index == 0 and goes_astray(told))


IN_TURN = [game.id for game in all_games() if game.id in HONEST and game.revoke is not None]
"""Games played in turn, where a slip changes who played the later cards."""


def goes_astray(told):
    at = slip_at(told)
    return all(entry.recorded for entry in told) and any(e.recorded != e.meant for e in told[at + 1 :])


def slip_at(told):
    return next(place for place, entry in enumerate(told) if entry.recorded != seat_as_recorded(entry))


@pytest.mark.parametrize("game", IN_TURN)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_recording_mistake_can_be_corrected(db, game, seed):
    start, told = first_slip(game, seed)
    rules, wrong = start.rules, slip_at(told)
    names = [f"Player {number}" for number in range(rules.players)]
    table = open_table(game=game, options=dict(rules.options), seats=names, first_dealer=start.first_dealer)
    table.record(*(dump_event(entry.recorded) for entry in told))
    meant = told[wrong].meant
    rethreaded(table, wrong + 1, meant and dump_event(meant))
    assert events(table) == [dump_event(entry.meant, rules.pack) for entry in told if entry.meant]
    assert differences(table.row) == []
