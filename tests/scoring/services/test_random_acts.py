"""Whatever is recorded, undone, amended and retried in any order, a table matches a simple list."""

import uuid
from contextlib import suppress
from random import Random

import pytest
from django.db import connection
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from referee.engine.records import dump_record, load_event, load_record
from referee.engine.rules import Refused
from scoring.models import Table
from scoring.operating.reads.verifying import differences
from scoring.tables.acts.amending import Amendment, amend
from scoring.tables.acts.exceptions import KeyReused, LaterNotTaken, MovedOn, NothingToUndo, NotTaken
from scoring.tables.acts.keys import Caller
from scoring.tables.reads.log import record
from tests.games.discovery import RANDOM
from tests.scoring.conftest import open_table
from tests.scoring.services.test_importing import stands_where_its_log_says
from tests.seeds import as_often_as

HEAD = ("game", "options", "end", "seats", "first_dealer", "carried")
NOTE = st.text("abc", max_size=3).map(lambda text: {"type": "note", "text": text})
PENALTY = st.integers(-9, 9).map(lambda points: {"type": "penalty", "seat": 1, "points": points})
TAKEN = st.one_of(NOTE, PENALTY)
"""Events that are accepted in any state of a table."""
REFUSED = st.sampled_from(
    [
        {"type": "note", "seat": 97, "text": "nobody sits here"},
        {"type": "result", "tricks": [99, 0, 0]},
        {"type": "play", "seat": 0, "cards": ["9SK"]},
    ]
)


def table_to_play(game, seed):
    """Return a random record that can open a table, without its entered hands."""
    rng = Random(seed)
    while True:
        told = RANDOM[game](rng)
        with suppress(Refused):  # some are refused as a whole: the next one
            load_record(told)
            return told


class Acts(RuleBasedStateMachine):
    """The model: ``standing`` are the record's events with their rows; ``version`` counts writes.

    The events come from a random record, as far as they are accepted, with others in between.
    """

    game: str

    @initialize(seed=st.integers(0, 2**32 - 1))
    def open(self, seed):
        told = table_to_play(self.game, seed)
        self.table = open_table(**{key: told[key] for key in HEAD if key in told})
        self.coming = [event for hand in told["hands"] for event in hand["events"]]
        self.standing: list[tuple[int, dict]] = []
        self.version = 0
        self.done: list[tuple] = []

    def take(self, events, key=None, expected=None):
        recorded = self.table.record(*events, key=key, expected=expected)
        for _ in events:
            self.version += 1
            self.standing.append((self.version, self.kept(self.version)))
        assert recorded.version == self.version
        assert not recorded.again
        if key:
            self.done.append((key, events, self.version))

    def kept(self, row):
        """Return an event as the log stores it, with canonical codes."""
        return self.table.row.log.get(seq=row).event

    @rule(number=st.integers(1, 30))
    def play_on(self, number):
        """Record the next event; a refused one changes nothing."""
        now, self.coming = self.coming[:number], self.coming[number:]
        for event in now:
            with suppress(NotTaken):  # see above
                self.take([event])

    @rule(event=TAKEN, keyed=st.booleans(), sees=st.booleans())
    def record(self, event, keyed, sees):
        self.take([event], str(uuid.uuid4()) if keyed else None, self.version if sees else None)

    @rule(events=st.lists(TAKEN, min_size=2, max_size=4), keyed=st.booleans())
    def record_several(self, events, keyed):
        self.take(events, str(uuid.uuid4()) if keyed else None)

    @rule(before=st.lists(TAKEN, max_size=2), event=REFUSED, after=st.lists(TAKEN, max_size=1))
    def record_what_cannot_be(self, before, event, after):
        with pytest.raises(NotTaken) as why:
            self.table.record(*before, event, *after)
        assert why.value.position == len(before)

    @rule(event=TAKEN, behind=st.integers(1, 3))
    def record_without_having_seen(self, event, behind):
        with pytest.raises(MovedOn):
            self.table.record(event, expected=self.version + behind)

    @precondition(lambda self: self.done)
    @rule(data=st.data())
    def retry(self, data):
        key, events, version = data.draw(st.sampled_from(self.done))
        again = self.table.undo(key=key) if events is None else self.table.record(*events, key=key)
        assert again.again
        assert again.version == version

    @precondition(lambda self: self.done)
    @rule(data=st.data(), event=TAKEN)
    def use_a_key_for_something_else(self, data, event):
        key, events, _ = data.draw(st.sampled_from(self.done))
        with pytest.raises(KeyReused):
            self.table.record(event, {"type": "note", "text": "no retry"}, *(events or []), key=key)

    @rule(keyed=st.booleans())
    def undo(self, keyed):
        key = str(uuid.uuid4()) if keyed else None
        if not self.standing:
            with pytest.raises(NothingToUndo):
                self.table.undo(key=key)
            return
        self.table.undo(key=key)
        self.standing.pop()
        self.version += 1
        if key:
            self.done.append((key, None, self.version))

    @precondition(lambda self: self.standing)
    @rule(data=st.data(), how=st.sampled_from(["strike", "note", "like another"]))
    def amend(self, data, how):
        place = data.draw(st.integers(max(0, len(self.standing) - 6), len(self.standing) - 1))
        events = {"strike": None, "note": {"type": "note", "text": "hm"}}
        event = events[how] if how in events else data.draw(st.sampled_from(self.standing))[1]
        amendment = Amendment(seq=self.standing[place][0], event=None if event is None else load_event(event))
        with suppress(NotTaken, LaterNotTaken):  # then the version stays, as the invariants say
            assert amend(self.table.code, amendment, Caller()).version == self.version + 1
            self.version += 1
            self.standing[place : place + 1] = [] if event is None else [(self.version, self.kept(self.version))]

    @invariant()
    def the_table_is_what_the_model_says(self):
        row = Table.objects.get(code=self.table.code)
        assert row.version == self.version == row.log.count()
        assert [event for hand in record(row)["hands"] for event in hand["events"]] == [e for _, e in self.standing]


class ActsWithDatabase(Acts):
    """Each run starts without tables; what it wrote is rolled back at its end."""

    def __init__(self):
        super().__init__()
        self.point = connection.savepoint()

    def teardown(self):
        row = Table.objects.get(code=self.table.code)
        assert differences(row) == []
        stands_where_its_log_says(row)
        assert dump_record(load_record(record(row))) == record(row)
        assert self.point is not None
        connection.savepoint_rollback(self.point)


@pytest.mark.django_db
@pytest.mark.parametrize("name", RANDOM)
def test_a_table_matches_a_simple_model(name):
    class ActsOfGame(ActsWithDatabase):
        game = name

    trials = settings(
        max_examples=as_often_as(always=6, hunting=30, again=2, quick=2),
        stateful_step_count=15,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    run_state_machine_as_test(ActsOfGame, settings=trials)
