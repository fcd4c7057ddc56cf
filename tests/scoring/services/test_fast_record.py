"""The short way of the usual event says and writes what the careful way does, and leaves the rest to it."""

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.urls import reverse

from referee.engine.reading import load_event
from scoring.api.one_event import EVENTS
from scoring.models import Role
from scoring.queries.access import token_hash
from scoring.queries.verifying import differences
from scoring.services.fast_record import Remembered, record_one
from scoring.services.tables import make_link
from scoring.services.turns import Request
from tests.scoring.conftest import open_table, play

ASKED = Request(by="scorekeeper")


def briefly(table, event, asked=ASKED):
    return record_one(table.code, token_hash(table.token), load_event(event), asked)


def test_it_works(table):
    taken = briefly(table, play(0, "the Diplomat"))
    assert (taken.version, taken.names, taken.ruling.verdict) == (1, ["Ann", "Bob", "Cy"], "accepted")
    (entry,) = table.row.log.all()
    assert (entry.seq, entry.place, entry.hand, entry.event, entry.by) == (1, 1, 0, play(0, "8MS"), "scorekeeper")
    assert (entry.key, entry.batch, entry.reason) == (None, 1, "")


def test_its_address_is_that_of_events(table):
    assert EVENTS.fullmatch(reverse("table-events", args=[table.code]))


def test_hand_after_hand_it_leaves_what_the_log_amounts_to(table):
    for _ in range(2):
        for seat, card in enumerate(["8MS", "XS", "XM"]):
            table.record(play(seat, card, accepted=True)) if seat == 1 else briefly(
                table, play(seat, card, accepted=True)
            )
        table.record({"type": "result", "tricks": [4, 4, 4]})
        assert differences(table.row) == []
    assert table.row.version == 8


def test_it_sees_what_others_wrote_in_between(table):
    briefly(table, play(0, "8MS"))
    table.undo()
    assert briefly(table, play(0, "8MS")).version == 3
    assert differences(table.row) == []


@pytest.mark.parametrize(
    "event",
    [
        play(1, "8MS"),
        play(0, "9SK"),
        play(1, "8MS", accepted=True) | {"seat": 9},
        {"type": "result", "tricks": [12, 0, 0]},
    ],
)
def test_it_takes_no_other_event(table, event):
    assert briefly(table, event) is None
    assert table.row.version == 0


def test_it_takes_nothing_from_who_has_not_seen_the_table(table):
    briefly(table, play(0, "8MS"))
    assert briefly(table, play(1, "XS"), Request(expected=0)) is None
    assert briefly(table, play(1, "XS"), Request(expected=1)).version == 2


def test_it_takes_nothing_without_the_scorekeepers_token(table):
    briefly(table, play(0, "8MS"))
    for token in (make_link(table.row, Role.SPECTATOR), open_table().token, "no token"):
        assert record_one(table.code, token_hash(token), load_event(play(1, "XS")), ASKED) is None


def test_a_revoked_token_stops_at_once(table):
    from django.utils import timezone

    briefly(table, play(0, "8MS"))
    table.row.links.update(revoked=timezone.now())
    assert briefly(table, play(1, "XS")) is None


def test_a_choice_that_may_be_hidden_is_left_alone(db):
    table = open_table(game="ransom-trump")
    assert briefly(table, {"type": "note", "text": "before the ransom"}) is None


def test_writes_are_counted_as_ever(table, settings):
    settings.WRITES_PER_MINUTE = 2
    (link,) = table.row.links.all()
    assert briefly(table, play(0, "8MS"))
    assert briefly(table, {"type": "note", "text": "Hm."})
    assert table.row.writes[str(link.pk)] == 2
    assert briefly(table, play(1, "XS")) is None
    assert table.row.version == 2


SEEN: Any = None
"""Any table: what is kept is not looked at."""


@pytest.fixture
def threads_take_turns_fast():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def test_many_threads_remember_tables_at_once(monkeypatch, threads_take_turns_fast):
    """What was written is answered: forgetting the oldest table never gets in the way of another thread."""
    monkeypatch.setattr(Remembered, "MOST", 3)
    remembered = Remembered()

    def write(thread: int) -> None:
        for number in range(5000):
            remembered.keep(f"{thread}-{number}", SEEN)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    assert len(remembered) == 3
