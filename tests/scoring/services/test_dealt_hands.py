"""A hand that an imported record deals, and in which nothing has happened yet: it is never lost on the way."""

import pytest

from referee.engine.options import Refused
from referee.engine.reading import load_event
from scoring.models import Table
from scoring.queries.log import log, record
from scoring.queries.verifying import differences
from scoring.services.amending import Amendment, amend, preview
from scoring.services.exceptions import LaterNotTaken
from scoring.services.importing import import_record
from scoring.services.keys import Caller
from scoring.services.recording import record_events
from scoring.services.undoing import undo
from tests.scoring.services.test_importing import in_bytes, stands_where_its_log_says

RESULT = {"type": "result", "points": [130, 100]}
NOTE = {"type": "note", "text": "hm"}
KNOWN = {"0": ["4S", "7C", "9C", "10S", "3C", "JH", "7S"], "1": ["4D", "7D", "2D", "6C", "9D", "KD", "9S"]}


def imported(*events, known=KNOWN):
    """Open a table of Ace Pit with a hand played and the cards of the next one entered."""
    hands = [{"events": list(events)}, {"events": [], "known": known}]
    return import_record({"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 0, "hands": hands}).table


def again(row):
    return Table.objects.get(pk=row.pk)


@pytest.mark.parametrize("event", [None, NOTE])
def test_what_it_follows_is_not_corrected_so_that_it_could_not_be_dealt(db, event):
    row = imported(RESULT)
    before = in_bytes(row)
    amendment = Amendment(seq=1, event=event and load_event(event))
    later = preview(row.code, amendment, Caller()).later
    assert later is not None
    assert (later.entry, later.hand, later.position) == (None, 1, 0)
    assert later.ruling.reason is not None
    assert later.ruling.reason.code == "wrong-phase"
    with pytest.raises(LaterNotTaken):
        amend(row.code, amendment, Caller())
    assert in_bytes(again(row)) == before
    assert differences(again(row)) == []


def test_it_stays_while_what_it_follows_is_corrected_and_corrected_back(db):
    row = imported(RESULT)
    before = in_bytes(row)
    amend(row.code, Amendment(seq=1, event=load_event({"type": "result", "points": [100, 130]})), Caller())
    assert record(again(row))["hands"][1] == {"events": [], "known": KNOWN}
    stands_where_its_log_says(again(row))
    amend(row.code, Amendment(seq=2, event=load_event(RESULT)), Caller())
    assert in_bytes(again(row)) == before


def test_it_stays_when_a_remark_on_the_hand_before_is_struck(db):
    row = imported(RESULT, NOTE)
    amend(row.code, Amendment(seq=2, event=None), Caller())
    assert record(again(row))["hands"] == [{"events": [RESULT]}, {"events": [], "known": KNOWN}]
    stands_where_its_log_says(again(row))


def test_the_last_entry_is_taken_back_together_with_it(db):
    row = imported(RESULT)
    undo(row.code, Caller())
    assert record(again(row))["hands"] == []
    record_events(row.code, [load_event(RESULT), load_event({"type": "play", "seat": 0, "cards": ["8C"]})], Caller())
    assert [entry.hand for entry in log(row)] == [0, 0, 0, 1]
    assert differences(again(row)) == []


def test_cards_entered_for_a_deal_of_another_size_stop_the_correction(db):
    hand = [{"type": "result", "tricks": [1, 0, 0], "last": "7SK"}]
    known = {"0": ["2MK", "3SK", "4YK", "5SW", "6LK", "7ML", "8YK"]}
    told = {"game": "ace-trump", "options": {"tides": True}, "seats": ["Ann", "Bob", "Cy"], "first_dealer": 0}
    row = import_record(told | {"hands": [{"events": hand}, {"events": [], "known": known}]}).table
    before = in_bytes(row)
    with pytest.raises(Refused) as why:
        amend(row.code, Amendment(seq=1, event=load_event(hand[0] | {"last": "8MS"})), Caller())
    assert why.value.problems[0].pointer == "/hands/1/known/0"
    assert in_bytes(again(row)) == before
