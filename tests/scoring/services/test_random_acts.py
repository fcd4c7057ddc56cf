"""Random acts and remedies: a table matches a simple list, and every remedy offered is accepted."""

import uuid
from contextlib import suppress
from math import log2
from random import Random

import pytest
from django.db import connection, transaction
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
from referee.guides.remedies import Steps, offered
from referee.guides.walking import Walk
from scoring.models import Table
from scoring.models.table import ALPHABET, RECOVERY_LENGTH, new_code
from scoring.operating.reads import differences
from scoring.rulings.acts.disputing import Chosen, carry_out_guide
from scoring.rulings.reads.precedents import guides_here, looked_at, walk_here
from scoring.tables.acts.access import new_secret
from scoring.tables.acts.amending import Amendment, amend
from scoring.tables.acts.exceptions import (
    KeyReused,
    LaterNotTaken,
    MovedOn,
    NotDone,
    NothingToUndo,
    NotImported,
    NotTaken,
)
from scoring.tables.acts.importing import import_record
from scoring.tables.acts.keys import Caller, new_token
from scoring.tables.reads.log import record
from scoring.tables.reads.state import standing_now
from tests.games.discovery import RANDOM
from tests.referee.test_guides import answered_at_random, cut_off
from tests.scoring.conftest import open_table
from tests.scoring.services.test_importing import stands_where_its_log_says
from tests.seeds import FIRST, as_often_as

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


# --- Every remedy a guided ruling offers can be carried out, at the cost shown

# --- Every remedy a guided ruling offers can be carried out, at the cost shown

pytestmark = pytest.mark.django_db
SEEDS = as_often_as(always=4, hunting=40)


def a_table(game: str, rng: Random) -> Table | None:
    """Open a table from a random record, broken off anywhere; ``None`` if it is refused."""
    with suppress(Refused, NotImported, NotDone):
        told = load_record(RANDOM[game](rng))
        return import_record(dump_record(cut_off(told, rng))).table
    return None


def choices(table: Table, rng: Random) -> list[tuple[Walk, str, Steps]]:
    """Return every remedy of every situation that can be carried out, with random answers."""
    at = standing_now(table)
    looked = looked_at(at)
    walks = [answered_at_random(walk_here(at, guide.id, {}, looked).case, rng) for guide in guides_here(at, looked)]
    return [(walk, each.code, each.outcome) for walk in walks for each in offered(walk)
            if isinstance(each.outcome, Steps)]  # fmt: skip


@pytest.mark.parametrize("game", RANDOM)
def test_every_remedy_offered_is_accepted(game: str):
    done = 0
    for seed in range(FIRST, FIRST + SEEDS):
        rng = Random(seed)
        table = a_table(game, rng)
        for walk, remedy, steps in [] if table is None else choices(table, rng):
            assert table is not None
            chosen = Chosen(situation=walk.case.guide.id, answers=walk.answers, remedy=remedy)
            with transaction.atomic():
                recorded = carry_out_guide(table.code, chosen, Caller())
                assert recorded.version >= table.version + len(steps.events)
                transaction.set_rollback(True)
            done += 1
    assert done > 10


# --- Tokens, device secrets and recovery codes


def test_secrets_have_enough_entropy():
    made = [(new_token(), new_secret(), new_code(RECOVERY_LENGTH)) for _ in range(50)]
    assert len({each for three in made for each in three}) == 150
    assert all(len(token) * 6 >= 192 and len(secret) * 6 >= 256 for token, secret, _ in made)
    assert RECOVERY_LENGTH * log2(len(ALPHABET)) > 112
