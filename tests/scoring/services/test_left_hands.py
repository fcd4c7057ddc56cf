"""Cached facts about earlier hands: read hand by hand, and correct after any correction."""

from dataclasses import astuple
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from referee.engine.records import load_event
from scoring.models import HandSheet
from scoring.tables.acts.amending import Amendment, amend
from scoring.tables.acts.exceptions import NotDone
from scoring.tables.acts.keys import Caller
from scoring.tables.reads import state
from scoring.tables.reads.state import LeftHand, RecentCache, left_before, left_hands
from tests.scoring.evenings import result


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch):
    monkeypatch.setattr(state, "_left_hands_cache", RecentCache(2000))


def hand(rng):
    tricks = [0, 0, 0]
    tricks[rng.randrange(3)] = 12
    return result(*tricks)


@pytest.mark.parametrize("seed", range(6))
def test_cached_facts_about_hands_match_the_stored_ones(table, seed):
    rng = Random(seed)
    for _ in range(25):
        row = table.row
        if row.version < 4 or rng.random() < 0.5:
            table.record(hand(rng))
        elif rng.random() < 0.3:
            table.undo()
        else:
            seqs = list(row.log.filter(event__isnull=False, amended_by__isnull=True).values_list("seq", flat=True))
            event = None if rng.random() < 0.2 else load_event(hand(rng))
            try:
                amend(row.code, Amendment(seq=rng.choice(seqs), event=event), Caller())
            except NotDone:
                continue
        read, stored = left_before(table.row).hands, map(LeftHand.of, left_hands(table.row))
        assert [astuple(each) for each in read] == [astuple(each) for each in stored]


def test_each_finished_hand_is_read_once(table):
    rng = Random(0)
    for number in range(8):
        table.record(hand(rng))
        row = table.row
        with CaptureQueriesContext(connection) as made:
            assert len(left_before(row).hands) == max(0, number)
        read = [one["sql"] for one in made.captured_queries if '"scoring_handsheet"."sheet"' in one["sql"]]
        assert len(read) == (number > 0)
        assert all(f'"number" >= {number - 1}' in sql for sql in read)
    assert HandSheet.objects.count() == 7
