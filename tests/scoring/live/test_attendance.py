"""Presence: how streams are counted, what is said about them, and to whom."""

import json
from collections import Counter

import pytest

from scoring.tables.live.attendance import Attendance, Holder, company_of

ANN, BOB = Holder(11, "player", 0), Holder(12, "player", 1)
KEEPER, SECOND = Holder(7, "scorekeeper"), Holder(8, "scorekeeper")
DEE = Holder(20, "spectator")


def public(*streams):
    return json.loads(company_of(Counter(streams)).seen_by(None))


@pytest.mark.parametrize(
    ("streams", "told"),
    [
        ([ANN, KEEPER, DEE, None], {"seats": [0], "scorekeepers": 1, "spectators": 2}),
        ([], {"seats": [], "scorekeepers": 0, "spectators": 0}),
        ([BOB, ANN], {"seats": [0, 1], "scorekeepers": 0, "spectators": 0}),
        ([ANN, ANN, Holder(99, "player", 0)], {"seats": [0], "scorekeepers": 0, "spectators": 0}),
        ([KEEPER, KEEPER, SECOND], {"seats": [], "scorekeepers": 2, "spectators": 0}),
        ([None, None, DEE, DEE], {"seats": [], "scorekeepers": 0, "spectators": 4}),
    ],
    ids=[
        "some of each role",
        "no one",
        "seats",
        "one phone with two tabs",
        "two scorekeepers",
        "spectators share a link, or have none",
    ],
)
def test_link_holders_are_counted_once_and_spectators_each(streams, told):
    assert public(*streams) == told


@pytest.mark.parametrize("holder", [None, ANN, DEE])
def test_only_the_scorekeeper_sees_links(holder):
    company = company_of(Counter([ANN, KEEPER, DEE, None]))
    assert set(json.loads(company.seen_by(holder))) == {"seats", "scorekeepers", "spectators"}
    assert json.loads(company.seen_by(KEEPER))["links"] == [7, 11, 20]


def here(*holders):
    attendance = Attendance()
    for holder in holders:
        attendance.come(1, holder)
    return attendance


def test_messages_between_processes_round_trip():
    first, second = here(ANN, DEE, None, None), here(BOB, None)
    assert second.receive("first", 1, first.here(1), until=9.0)
    assert json.loads(second.company(1).public) == {"seats": [0, 1], "scorekeepers": 0, "spectators": 4}
    assert json.loads(second.company(1).kept)["links"] == [11, 12, 20]


def test_the_newest_message_of_a_process_wins():
    attendance = here(None)
    attendance.receive("other", 1, here(ANN, BOB).here(1), until=9.0)
    attendance.receive("other", 1, here(BOB).here(1), until=9.0)
    assert json.loads(attendance.company(1).public)["seats"] == [1]
    attendance.receive("other", 1, "[]", until=9.0)
    assert json.loads(attendance.company(1).public)["seats"] == []


def test_a_silent_process_is_forgotten():
    attendance = here(None)
    attendance.receive("other", 1, here(ANN).here(1), until=9.0)
    assert attendance.forget(8.9) == set()
    assert attendance.forget(9.0) == {1}
    assert json.loads(attendance.company(1).public)["seats"] == []


def test_unwatched_tables_are_dropped_from_memory():
    attendance = here(ANN)
    assert not attendance.receive("other", 2, here(ANN).here(1), until=9.0)
    attendance.receive("other", 1, here(BOB).here(1), until=9.0)
    attendance.go(1, ANN)
    assert attendance.tables == []
    assert attendance.forget(99.0) == set()
    assert attendance.here(1) == "[]"


def test_the_first_stream_of_a_table_is_recognized():
    attendance = Attendance()
    assert [attendance.come(1, ANN), attendance.come(1, BOB), attendance.come(2, ANN)] == [True, False, True]


@pytest.mark.parametrize("told", ["", "x", "[[1]]", "{", '[["x","player",0,1]]'])
def test_an_invalid_message_is_rejected(told):
    attendance = here(ANN)
    with pytest.raises(ValueError, match=r"."):
        attendance.receive("other", 1, told, until=9.0)


def test_a_hundred_links_fit_into_one_message():
    crowd = [Holder(9_000_000_000_000 + n, "scorekeeper") for n in range(100)]
    assert len(here(*crowd, None).here(1)) < 7500
