"""Whatever was recorded, taken back and amended: the table stands where its log says, hand by hand."""

import json
from random import Random

import pytest

from referee.engine.adjudication import adjudicate
from referee.engine.options import Refused
from referee.engine.reading import load_event
from referee.engine.records import dump_record, load_record
from referee.engine.snapshot import dump_table
from scoring.models import TableEvent
from scoring.queries.log import as_it_was, record
from scoring.queries.state import adjudication, standing
from scoring.services.amending import Amendment, amend
from scoring.services.exceptions import LaterNotTaken, NotTaken
from scoring.services.recording import record_events
from scoring.services.tables import create_table
from scoring.services.turns import Request
from scoring.services.undoing import undo
from tests.games.discovery import RANDOM
from tests.seeds import FIRST

HEAD = ("game", "options", "end", "seats", "first_dealer", "carried")


@pytest.mark.parametrize("seed", range(FIRST, FIRST + 16))
def test_a_table_stands_where_its_log_says(db, seed):
    rng = Random(seed)
    told = _record_without_known_hands(rng)
    row = create_table({key: told[key] for key in HEAD if key in told}).table
    model = Model(row)
    for event in [event for hand in told["hands"] for event in hand["events"]]:
        if not model.record(event):
            continue
        for act in rng.choices(
            (model.undo, model.amend, model.strike), weights=(2, 1, 1), k=rng.choice((0, 0, 0, 1, 2))
        ):
            act(rng)
    row.refresh_from_db()
    rebuilt, _rulings = as_it_was(row, row.version)
    assert json.dumps(dump_table(rebuilt)) == json.dumps(row.snapshot)
    loaded = load_record(record(row))
    assert dump_record(loaded) == record(row)
    assert adjudicate(loaded) == adjudication(standing(row))
    assert [event for hand in record(row)["hands"] for event in hand["events"]] == [e for _, e in model.stands]


class Model:
    """What a table should hold: the rows that stand, in the order of the record, with their events."""

    def __init__(self, row):
        self.row = row
        self.stands = []

    def record(self, event):
        try:
            version = record_events(self.row.code, [load_event(event)], Request()).version
        except NotTaken:
            return False
        self.stands.append((version, self._kept(version)))
        return True

    def undo(self, rng):
        if self.stands:
            undo(self.row.code, Request())
            self.stands.pop()

    def amend(self, rng):
        if self.stands:
            like = rng.choice(self.stands)[1]
            self._amend(rng, rng.choice([like, {"type": "note", "text": "hm"}]))

    def strike(self, rng):
        self._amend(rng, None)

    def _amend(self, rng, event):
        if not self.stands:
            return
        at = rng.randrange(max(0, len(self.stands) - 6), len(self.stands))
        said = None if event is None else load_event(event)
        try:
            version = amend(self.row.code, Amendment(seq=self.stands[at][0], event=said), Request()).version
        except (NotTaken, LaterNotTaken):
            return
        self.stands[at : at + 1] = [] if event is None else [(version, self._kept(version))]

    def _kept(self, version):
        """Return the event as the log has it: with canonical codes."""
        return TableEvent.objects.get(table=self.row, seq=version).event


def _record_without_known_hands(rng):
    """Return a random record of any game that a table can be opened with; what was known is forgotten."""
    while True:
        told = RANDOM[rng.choice(tuple(RANDOM))](rng)
        try:
            load_record(told)
        except Refused:
            continue
        return told
