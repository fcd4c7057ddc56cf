"""What a record costs grows with what is in it, event by event, whatever the events are: nothing is looked at twice.

Work is counted, not timed. A record twice as long may take twice the work, and a little more where words get longer.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from referee.engine.adjudication import adjudicate
from referee.engine.options import Refused
from referee.engine.records import Record, dump_record, load_record, recorded_hands, replay
from referee.engine.replaying import known_masks
from referee.engine.rulings import Refusal
from referee.engine.snapshot import Saved, load_table, save_table
from referee.engine.table import TableState, deal, judge, open_table
from referee.notation import read_text, write_sheet, write_text
from tests.referee.worst import REFUSED, WORST
from tests.work import growth

TWICE = 2.2


def event_by_event(record: Record) -> TableState:
    """Judge as a table does: one event after the other, each state saved as text, ends and totals looked at."""
    table = open_table(record.rules, first_dealer=record.first_dealer, carried=record.carried)
    saved: Saved | None = None
    for hand in recorded_hands(record):
        opened = deal(table, known_masks(table.rules.pack, hand.known))
        assert not isinstance(opened, Refusal) or not hand.events
        table = table if isinstance(opened, Refusal) else opened
        for event in hand.events:
            ruling = judge(table, event)
            assert ruling.verdict == "accepted"
            table = ruling.table
            saved = save_table(table, saved)
            assert table.finished() is not None
            assert table.totals()
    return table


def loaded_and_saved(record: Record) -> None:
    """Save the last state of a record and load it."""
    table = replay(record).table
    load_table(record.rules, json.loads(save_table(table).text))


def by_text(record: Record) -> None:
    """Write a record as text with its score sheet and comments, and read it."""
    write_sheet(record)
    read_text(write_text(record, annotate=True))


WAYS: dict[str, Callable[[Record], object]] = {
    "read": lambda record: load_record(dump_record(record)),
    "whole": replay,
    "described": adjudicate,
    "event by event": event_by_event,
    "saved": loaded_and_saved,
    "text": by_text,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("worst", WORST)
def test_twice_the_record_takes_twice_the_work(worst: str, way: str):
    make, size = WORST[worst]
    small, large = load_record(make(size)), load_record(make(2 * size))
    assert growth(WAYS[way], small, large) < TWICE


@pytest.mark.parametrize("worst", REFUSED)
def test_twice_the_mistakes_take_no_more_than_twice_the_work(worst: str):
    def refused(data: dict[str, Any]) -> None:
        with pytest.raises(Refused) as why:
            replay(load_record(data))
        assert str(why.value)

    make = REFUSED[worst]
    if worst == "cards of a play":
        assert growth(lambda data: replay(load_record(data)), make(200), make(400)) < TWICE
    else:
        assert growth(refused, make(200), make(400)) < TWICE
