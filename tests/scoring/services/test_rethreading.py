"""A slip that changed who won: put right, the later cards keep their order and go to whose turn it then was."""

from itertools import count

import pytest

from referee.engine.reading import dump_event, load_event
from scoring.queries.log import log, record
from scoring.queries.verifying import differences
from scoring.services.amending import Amendment, Change, amend, preview
from scoring.services.exceptions import KeyReused, LaterNotTaken, NoSuchEvent, NotTaken
from scoring.services.keys import Caller
from tests.games.discovery import HONEST
from tests.referee.test_rethreading import seat_as_recorded, slips
from tests.scoring.conftest import open_table, play
from tests.seeds import FIRST, as_often_as

KEY = "5f0c7f5e-7a0b-4a55-9d59-3f0a3a5c1c16"
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


def test_it_works(slipped):
    what = rethreaded(slipped, 3, play(2, "3MW"))
    assert seats(slipped) == [0, 1, 2, 1, 2, 0, 1]
    assert [(m.entry.seq, m.position, m.trick, m.event["seat"]) for m in what.moved][:2] == [(4, 3, 2, 1), (5, 4, 2, 2)]
    assert [(c["trick"], c["before"]["winner"], c["after"]["winner"]) for c in what.changes.tricks] == [
        (1, 2, 1),
        (2, 2, 1),
    ]
    assert differences(slipped.row) == []


def test_a_revoke_that_was_proved_against_somebody_innocent_goes_with_the_slip(table):
    """Bob showed no Moons and no Suns; the 6 of Moons that seemed his was Cy's."""
    table.record(play(0, "8MS"), play(1, "8WL"), play(2, "XM"), play(2, "9WY"), play(0, "4YK"), play(1, "6MW"))
    what = rethreaded(table, 3, play(2, "2MK"))
    gone = [(c["before"]["code"], c["before"]["seat"], c["after"]) for c in what.changes.irregularities]
    assert gone == [("revoke", 1, None)]


def test_the_log_tells_each_card_that_moved(slipped):
    rethreaded(slipped, 3, play(2, "3MW"), by="scorekeeper")
    rows = log(slipped.row)[7:]
    assert [(row.amends, row.event["seat"], row.by) for row in rows] == [
        (3, 2, "scorekeeper"), (4, 1, "scorekeeper"), (5, 2, "scorekeeper"), (6, 0, "scorekeeper"),
        (7, 1, "scorekeeper"),
    ]  # fmt: skip
    assert slipped.row.version == 12


def test_undo_takes_back_the_last_card_and_the_slip_put_back_is_the_table_as_it_was(slipped):
    before = events(slipped)
    rethreaded(slipped, 3, play(2, "3MW"))
    rethreaded(slipped, 8, play(2, "XM"))
    assert events(slipped) == before
    slipped.undo()
    assert events(slipped) == before[:-1]
    assert differences(slipped.row) == []


def test_a_dry_run_says_what_moves_and_does_nothing(slipped):
    tried = preview(slipped.code, amendment(3, play(2, "3MW")), Caller())
    assert (len(tried.moved), tried.later) == (4, None)
    assert slipped.row.version == 7
    done = rethreaded(slipped, 3, play(2, "3MW"))
    assert (tried.moved, tried.changes) == (done.moved, done.changes)


def test_several_entries_are_put_right_together(slipped):
    rethreaded(slipped, 3, play(2, "3MW"), (5, play(0, "6MW")), (7, None))
    assert [(e["seat"], e["cards"][0]) for e in events(slipped)[3:]] == [(1, "9MS"), (2, "6MW"), (0, "5SW")]
    assert differences(slipped.row) == []


def test_the_first_that_does_not_fit_is_named_by_its_row_and_what_is_said_against_it(slipped):
    slipped.record(play(0, "6LK"), play(1, "3MW"))
    with pytest.raises(LaterNotTaken) as why:
        rethreaded(slipped, 3, play(2, "3MW"))
    later = why.value.later
    assert later.entry is not None
    assert later.ruling.reason is not None
    assert (later.entry.seq, later.position, later.ruling.reason.code) == (9, 8, "already-played")
    assert slipped.row.version == 9
    assert differences(slipped.row) == []


def test_what_was_meant_may_itself_not_be(slipped):
    with pytest.raises(NotTaken) as why:
        rethreaded(slipped, 3, play(2, "3MW"), (5, play(0, "8MS")))
    assert why.value.ruling.reason is not None
    assert (why.value.position, why.value.ruling.reason.code) == (1, "already-played")


def test_a_row_is_named_once(slipped):
    with pytest.raises(NoSuchEvent):
        rethreaded(slipped, 3, play(2, "3MW"), (3, None))


def test_what_does_not_fit_can_be_taken_back_with_all_that_came_after_it(slipped):
    slipped.record(play(0, "6LK"), play(1, "3MW"), {"type": "redeal"}, play(0, "8MS"))
    later = [(seq, None) for seq in (9, 10, 11)]
    rethreaded(slipped, 3, play(2, "3MW"), *later, key=KEY)
    assert seats(slipped) == [0, 1, 2, 1, 2, 0, 1, 2]
    assert len(rethreaded(slipped, 3, play(2, "3MW"), *later, key=KEY).moved) == 5
    assert differences(slipped.row) == []


def test_it_can_be_retried(slipped):
    first = rethreaded(slipped, 3, play(2, "3MW"), (7, None), key=KEY)
    slipped.record({"type": "note", "text": "hm"})
    again = rethreaded(slipped, 3, play(2, "3MW"), (7, None), key=KEY)
    assert (again.version, again.event, again.changes) == (first.version, first.event, first.changes)
    moves = [[(m.entry.seq, m.event["seat"]) for m in each.moved] for each in (again, first)]
    assert moves[0] == moves[1]
    with pytest.raises(KeyReused):
        rethreaded(slipped, 3, play(2, "3MW"), key=KEY)


def test_the_only_card_of_a_hand_may_be_struck(table):
    table.record(play(0, "8MS"))
    assert not rethreaded(table, 1, None).moved
    rethreaded(table, 2, play(0, "9MS"))
    assert events(table) == [play(0, "9MS")]
    assert differences(table.row) == []


def first_slip(game, seed):
    """Return a first hand with a card taken for another, or one too many, after which others went astray."""
    found = (slip for number in count(seed * 1000) for slip in slips(game, number))
    return next((start, told) for start, told in found if start.hand.setup.index == 0 and goes_astray(told))


def goes_astray(told):
    at = slip_at(told)
    return all(entry.recorded for entry in told) and any(e.recorded != e.meant for e in told[at + 1 :])


def slip_at(told):
    return next(place for place, entry in enumerate(told) if entry.recorded != seat_as_recorded(entry))


@pytest.mark.parametrize("game", HONEST)
@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_was_mistaken_at_a_table_is_put_right(db, game, seed):
    start, told = first_slip(game, seed)
    rules, wrong = start.rules, slip_at(told)
    names = [f"Player {number}" for number in range(rules.players)]
    table = open_table(game=game, options=dict(rules.options), seats=names, first_dealer=start.first_dealer)
    table.record(*(dump_event(entry.recorded) for entry in told))
    meant = told[wrong].meant
    rethreaded(table, wrong + 1, meant and dump_event(meant))
    assert events(table) == [dump_event(entry.meant, rules.pack) for entry in told if entry.meant]
    assert differences(table.row) == []
