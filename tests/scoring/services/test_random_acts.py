"""Whatever is recorded, taken back, retried and raced, in any order: a table is what a simple list says it is."""

import uuid

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

from scoring.models import Table
from scoring.queries.log import record
from scoring.queries.verifying import differences
from scoring.services.exceptions import KeyReused, MovedOn, NothingToUndo, NotTaken
from tests.scoring.conftest import open_table

RESULT = st.sampled_from([[12, 0, 0], [0, 12, 0], [3, 4, 5], [4, 4, 4]]).map(lambda t: {"type": "result", "tricks": t})
NOTE = st.text("abc", max_size=3).map(lambda text: {"type": "note", "text": text})
PENALTY = st.integers(-9, 9).map(lambda points: {"type": "penalty", "seat": 1, "points": points})
TAKEN = st.one_of(RESULT, NOTE, PENALTY)
REFUSED = st.sampled_from(
    [
        {"type": "note", "seat": 7, "text": "nobody sits here"},
        {"type": "result", "tricks": [99, 0, 0]},
        {"type": "play", "seat": 0, "cards": ["9SK"]},
    ]
)


class Acts(RuleBasedStateMachine):
    """The model: ``standing`` are the events of the record, ``version`` counts what was written.

    Each of these events can always be taken, after a result in a new hand; so the model needs no hands.
    Amendments would be one rule more: they change one place of ``standing`` and count one.
    """

    @initialize()
    def open(self):
        self.table = open_table()
        self.standing: list[dict] = []
        self.version = 0
        self.done: list[tuple] = []

    def take(self, events, key=None, expected=None):
        recorded = self.table.record(*events, key=key, expected=expected)
        self.standing += events
        self.version += len(events)
        assert recorded.version == self.version
        assert not recorded.again
        if key:
            self.done.append((key, events, self.version))

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

    @invariant()
    def the_table_is_what_the_model_says(self):
        row = Table.objects.get(code=self.table.code)
        assert row.version == self.version == row.log.count()
        assert [event for hand in record(row)["hands"] for event in hand["events"]] == self.standing


class ActsWithDatabase(Acts):
    """Each run begins with no table: what it wrote is taken back as a whole at its end."""

    def __init__(self):
        super().__init__()
        self.point = connection.savepoint()

    def teardown(self):
        assert differences(Table.objects.get(code=self.table.code)) == []
        assert self.point is not None
        connection.savepoint_rollback(self.point)


@pytest.mark.django_db
def test_a_table_is_what_a_simple_list_says():
    trials = settings(
        max_examples=10, stateful_step_count=15, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    run_state_machine_as_test(ActsWithDatabase, settings=trials)
