"""Opens a table from a complete record, all or nothing."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.db import transaction

from referee.engine.records import Record, dump_event, dump_known, opened, recorded_hands
from referee.engine.replaying import MOST_EVENTS, PlayedHand, TooCostly, Watch, play_hands, too_many_events
from referee.engine.rules import Problem, Refused
from referee.engine.snapshot import dump_table
from referee.engine.texts import Listing, phrase
from referee.notation import check_sheet, read_any_form, split_sheet
from scoring.groups.acts.archive_values import NOT_SO, only
from scoring.groups.acts.group_importing import TABLE, load_table_in_full
from scoring.groups.reads.group_export import DEALT, FULL, ORIGIN, ROW, TableWithLog
from scoring.models import DealtHand, HandSheet, Table
from scoring.models.table import evening_now
from scoring.rulings.acts.dispute_index import index_disputes
from scoring.tables.acts.exceptions import NotImported
from scoring.tables.acts.keys import fingerprint_of, stored_key
from scoring.tables.acts.opening import Opened, SentTwice, columns_of, first_link, insert_table, opened_before
from scoring.tables.acts.turn import sheet_of
from scoring.tables.acts.writing import LogRow, add_to_log
from scoring.tables.reads.record_export import RULES_VERSION, SCORES, TOTALS
from scoring.tables.reads.state import judging_watch

BY = "import"  # recorder of imported events, as shown in the log


def import_record(data: object, *, key: str | None = None, time_zone: str = "") -> Opened:
    """Open a table from a record: JSON, text notation (under ``text``) or CSV (under ``csv``).

    Stated scores are checked against the events. Raises ``Refused`` with all problems, ``NotImported`` with the refused
    event, and ``KeyReused``.
    """
    fingerprint = fingerprint_of("import", data, key)
    before = opened_before(key, fingerprint, as_it_stands=True)
    if before is not None:
        return before
    if isinstance(data, Mapping) and data.get("format") == FULL:
        return _once(partial(_open_in_full, data, key, fingerprint), key, fingerprint)
    watch = judging_watch()
    reading = read_any_form(data, watch)
    try:
        hands = _judge(reading.record, watch)
        _compare(reading.record, hands, watch)
    except TooCostly:
        raise
    except Refused as refused:
        problems = [Problem(reading.where(p.pointer), p.code, p.phrase) for p in refused.problems]
        raise Refused(problems, malformed=refused.malformed) from None
    except NotImported as why:
        why.where = reading.where(why.where)
        raise
    if isinstance(data, Mapping) and "text" in data and split_sheet(data["text"])[1] is not None:
        check_sheet(data["text"], reading.record, watch)
    opened = _once(partial(_open, reading.record, hands, key, fingerprint, watch, time_zone), key, fingerprint)
    return replace(opened, passed_over=reading.passed_over)


def _once(store: Callable[[], Opened], key: str | None, fingerprint: str) -> Opened:
    try:
        return store()
    except SentTwice:
        again = opened_before(key, fingerprint, as_it_stands=True)
        assert again is not None
        return again


def _judge(record: Record, watch: Watch) -> list[PlayedHand]:
    hands, stop = play_hands(opened(record), recorded_hands(record), watch=watch)
    if stop is not None:
        where = f"/hands/{stop.hand}" + (f"/events/{stop.event}" if record.hands[stop.hand].events else "")
        raise NotImported(seats=record.seats, hand=stop.hand, event=stop.event, ruling=stop.ruling, where=where)
    return hands


def _compare(record: Record, hands: list[PlayedHand], watch: Watch) -> None:
    problems = []
    for number, (written, hand) in enumerate(zip(record.hands, hands, strict=True)):
        assert hand.state.hand is not None
        if SCORES in written.extra:
            watch()
            scores = hand.state.hand.scores()
            right: list[int | None] = [None] * len(record.seats) if scores is None else [*scores]
            problems += _differences(written.extra[SCORES], right, f"/hands/{number}/{SCORES}", record.seats)
    if TOTALS in record.extra:
        state = hands[-1].state if hands else None
        right = [*(state.totals() if state else record.carried or (0,) * len(record.seats))]
        problems += _differences(record.extra[TOTALS], right, f"/{TOTALS}", record.seats)
    if problems:
        raise Refused(problems)


def _differences(stated: object, right: list[Any], pointer: str, names: tuple[str, ...]) -> list[Problem]:
    if not isinstance(stated, list) or len(stated) != len(right):
        return [Problem(pointer, OTHER, phrase("The events give {right}.", right=right))]
    problems = []
    for seat, (value, is_) in enumerate(zip(stated, right, strict=True)):
        if type(value) is bool or value != is_:
            facts = {"value": repr(value), "name": names[seat], "right": is_}
            why = phrase("The record says {value} for {name}, but the events give {right}.", **facts)
            problems.append(Problem(f"{pointer}/{seat}", OTHER, why))
    return problems


OTHER = "other-score"


def _open_in_full(data: Mapping[str, Any], key: str | None, fingerprint: str) -> Opened:
    try:
        only(data, tuple(TableWithLog.__annotations__), "")
        full = {
            "people": [],
            "previous": None,
            **{name: value for name, value in data.items() if name in TABLE},
            "log": [_listed(row, ROW, f"/log/{place}") for place, row in enumerate(data["log"])],
            "dealt": [_listed(hand, DEALT, f"/dealt/{place}") for place, hand in enumerate(data["dealt"])],
            "extra": {**data["extra"], ORIGIN: data["id"]},
        }
        if not isinstance(data["id"], str) or not re.fullmatch(r"[0-9a-f]{24}", data["id"]):
            raise ValueError(data["id"])
        if len(full["log"]) > MOST_EVENTS:
            raise Refused([too_many_events("/log")])
        with transaction.atomic():
            table = load_table_in_full(full, key=key and stored_key(key), fingerprint=fingerprint)
            return Opened(table, first_link(table, key))
    except NOT_SO as problem:
        raise Refused([Problem("", "bad-log", "This isn’t part of a full table export.")]) from problem


def _listed(row: object, names: Sequence[str], pointer: str) -> list[Any]:
    if not isinstance(row, Mapping) or not row.keys() >= set(names):
        detail = phrase("This needs: {names}.", names=Listing(tuple(names)))
        raise Refused([Problem(pointer, "bad-log", detail)])
    only(row, names, pointer)
    return [row[name] for name in names]


def _open(
    record: Record, hands: list[PlayedHand], key: str | None, fingerprint: str, watch: Watch, time_zone: str
) -> Opened:
    begun = opened(record)
    state = hands[-1].state if hands else begun
    pack = record.rules.pack
    events = [(number, dump_event(each, pack)) for number, hand in enumerate(record.hands) for each in hand.events]
    table = Table(
        **columns_of(begun) | {"snapshot": dump_table(state)},
        seats=list(record.seats),
        extra={key: value for key, value in record.extra.items() if key not in (TOTALS, RULES_VERSION)},
        version=len(events),
        hand_start=dump_table(hands[-1].start) if hands else None,
        hand_number=hands[-1].number if hands else None,
        finished=state.finished(),
        time_zone=time_zone,
        evening=evening_now(time_zone),
        key=key and stored_key(key),
        fingerprint=fingerprint,
    )
    sheets = []
    for hand in hands[:-1]:
        watch()
        sheets.append(sheet_of(table, hand))
    dealt = _dealt(table, record)
    with transaction.atomic():  # other writers wait for this transaction, so all slow work is done before it
        insert_table(table)
        at = table.created
        add_to_log(table.pk, (LogRow(n, number, n, event, at, by=BY) for n, (number, event) in enumerate(events, 1)))
        DealtHand.objects.bulk_create(dealt)
        HandSheet.objects.bulk_create(sheets)
        index_disputes(table)
        return Opened(table, first_link(table, key))


def _dealt(table: Table, record: Record) -> list[DealtHand]:
    """Collect what the record states about hands besides events, including hands without events."""
    kept = []
    for number, hand in enumerate(record.hands):
        known = dump_known(hand, record.rules.pack)
        extra = {key: value for key, value in hand.extra.items() if key != SCORES}
        if extra or known or not hand.events:
            kept.append(DealtHand(table=table, number=number, known=known, extra=extra))
    return kept
