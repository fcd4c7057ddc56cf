"""Whatever was recorded and taken back: the table stands where its log says, hand by hand."""

import json
from random import Random

import pytest

from referee.adjudication import adjudicate
from referee.options import Refused
from referee.records import dump_record, load_event, load_record
from referee.snapshot import dump_table
from scoring.queries.log import as_it_was, record
from scoring.queries.state import adjudication, standing
from scoring.services.outcomes import NothingToUndo, NotTaken
from scoring.services.recording import record_events
from scoring.services.tables import create_table
from scoring.services.undoing import undo
from scoring.services.writing import Request
from tests.oracle import acepit_records, climbing_records, tricks_records

MAKERS = (tricks_records.random_record, climbing_records.random_record, acepit_records.random_record)
HEAD = ("game", "options", "end", "seats", "first_dealer", "carried")


@pytest.mark.parametrize("seed", range(12))
def test_a_table_stands_where_its_log_says(db, seed):
    rng = Random(seed)
    told = _record_without_known_hands(rng)
    row = create_table({key: told[key] for key in HEAD if key in told}).table
    for event in [event for hand in told["hands"] for event in hand["events"]]:
        try:
            record_events(row.code, [load_event(event)], Request())
        except NotTaken:
            continue
        for _ in range(rng.choice((0, 0, 0, 0, 1, 2))):
            try:
                undo(row.code, Request())
            except NothingToUndo:
                break
    row.refresh_from_db()
    rebuilt, _rulings = as_it_was(row, row.version)
    assert json.dumps(dump_table(rebuilt)) == json.dumps(row.snapshot)
    loaded = load_record(record(row))
    assert dump_record(loaded) == record(row)
    assert adjudicate(loaded) == adjudication(standing(row))


def _record_without_known_hands(rng):
    """Return a random record of any game that a table can be opened with; what was known is forgotten."""
    while True:
        told = rng.choice(MAKERS)(rng)
        try:
            load_record(told)
        except Refused:
            continue
        return told
