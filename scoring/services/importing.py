"""Opening a table with a whole record: all of it or nothing."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from django.db import transaction

from referee.engine.bounds import MOST_EVENTS, TooCostly, Watch, too_many_events
from referee.engine.event_kinds import Event
from referee.engine.options import Problem, Refused
from referee.engine.reading import dump_event
from referee.engine.records import Record, dump_known, recorded_hands
from referee.engine.replaying import PlayedHand, play_hands
from referee.engine.snapshot import dump_table
from referee.engine.table import open_table
from referee.engine.translation import phrase
from referee.notation import check_sheet, read_any_form, split_sheet
from scoring.models import DealtHand, HandSheet, Table
from scoring.queries.archiving import DEALT, FULL, ORIGIN, ROW
from scoring.queries.clock import judging_watch
from scoring.queries.exporting import RULES_VERSION, SCORES, TOTALS
from scoring.queries.rules import dump_end
from scoring.services.dispute_index import index_disputes
from scoring.services.exceptions import NotImported
from scoring.services.group_importing import NOT_SO, load_table_in_full
from scoring.services.keys import fingerprint_of, stored_key
from scoring.services.rewriting import sheet_of
from scoring.services.tables import Opened, SentTwice, first_link, imported_before, insert_table
from scoring.services.writing import LogRow, add_to_log

BY = "import"
"""Who recorded the events of an imported record, as the log says it."""


def import_record(data: object, *, key: str | None = None) -> Opened:
    """Open a table with a record given as JSON, in the text notation (under ``text``) or as cells (under ``csv``).

    Scores that it states (``x_scores`` of a hand, ``x_totals``; of a text the score sheet) are compared with what
    follows from its events, and not kept. A retry under the same ``key`` brings no other table. Raises ``Refused`` with
    every problem and ``NotImported`` with the event that is not taken, both with where that is, and ``KeyReused``.
    """
    fingerprint = fingerprint_of("import", data, key)
    before = imported_before(key, fingerprint)
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
        raise NotImported(why.record, why.hand, why.event, why.ruling, where=reading.where(why.where)) from None
    if isinstance(data, Mapping) and "text" in data and split_sheet(data["text"])[1] is not None:
        check_sheet(data["text"], reading.record, watch)
    return _once(partial(_open, reading.record, hands, key, fingerprint, watch), key, fingerprint)


def _once(store: Callable[[], Opened], key: str | None, fingerprint: str) -> Opened:
    """Store a table, unless the same request came twice at once and has stored it."""
    try:
        return store()
    except SentTwice:
        again = imported_before(key, fingerprint)
        assert again is not None
        return again


def _judge(record: Record, watch: Watch) -> list[PlayedHand]:
    """Judge a record hand by hand; raises ``NotImported`` at the first event that is not taken."""
    state = open_table(record.rules, first_dealer=record.first_dealer, carried=record.carried)
    hands, stop = play_hands(state, recorded_hands(record), watch=watch)
    if stop is not None:
        raise NotImported(record, stop.hand, stop.event, stop.ruling)
    return hands


def _compare(record: Record, hands: list[PlayedHand], watch: Watch) -> None:
    """Compare the scores a record states; raises ``Refused`` where they differ."""
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
        return [Problem(pointer, OTHER, phrase("From the events follows {right}.", right=right))]
    pairs = enumerate(zip(stated, right, strict=True))
    return [
        Problem(
            f"{pointer}/{seat}",
            OTHER,
            phrase(
                "The record says {value} for {name}; from the events follows {right}.",
                value=repr(value),
                name=names[seat],
                right=is_,
            ),
        )
        for seat, (value, is_) in pairs
        if type(value) is bool or value != is_
    ]


OTHER = "other-score"


# -- with its whole log ---------------------------------------------------------------------


FULL_KEYS = {
    "format", "id", "rules_version", "game", "options", "end", "seats", "first_dealer", "carried", "extra", "private",
    "created", "updated", "evening", "finished_at", "agreed", "ruled_by", "shares_rulings", "log", "dealt",
}  # fmt: skip


def _open_in_full(data: Mapping[str, Any], key: str | None, fingerprint: str) -> Opened:
    """Open a table with all that was ever recorded at another one; raises ``Refused``."""
    try:
        full = {
            "people": [],
            "previous": None,
            **data,
            "log": [[row[name] for name in ROW] for row in data["log"]],
            "dealt": [[hand[name] for name in DEALT] for hand in data["dealt"]],
            "extra": {**data["extra"], ORIGIN: read_id(data["id"])},
        }
        if not data.keys() <= FULL_KEYS:
            raise ValueError(data.keys() - FULL_KEYS)
        if len(full["log"]) > MOST_EVENTS:
            raise Refused([too_many_events("/log")])
        with transaction.atomic():
            table = load_table_in_full(full, key=key and stored_key(key), fingerprint=fingerprint)
            return Opened(table, first_link(table, key))
    except NOT_SO as problem:
        raise Refused([Problem("", "bad-log", "This is not what a table taken away in full has.")]) from problem


def read_id(value: object) -> str:
    """Read the id of a table; raises ``ValueError``."""
    if not isinstance(value, str) or not re.fullmatch(r"[0-9a-f]{24}", value):
        raise ValueError(value)
    return value


# -- writing --------------------------------------------------------------------------------


def _open(record: Record, hands: list[PlayedHand], key: str | None, fingerprint: str, watch: Watch) -> Opened:
    """Store the table with its whole log, in one transaction."""
    opening = open_table(record.rules, first_dealer=record.first_dealer, carried=record.carried)
    state = hands[-1].state if hands else opening
    events = [(number, event) for number, written in enumerate(record.hands) for event in written.events]
    table = Table(
        game=record.rules.game.id,
        options=dict(record.rules.options),
        end=dump_end(record.rules.end),
        seats=list(record.seats),
        first_dealer=record.first_dealer,
        carried=list(state.carried),
        extra={key: value for key, value in record.extra.items() if key not in (TOTALS, RULES_VERSION)},
        version=len(events),
        snapshot=dump_table(state),
        hand_start=dump_table(hands[-1].start) if hands else None,
        hand_number=hands[-1].number if hands else None,
        finished=state.finished(),
        key=key and stored_key(key),
        fingerprint=fingerprint,
    )
    sheets, dealt = list(_sheets(table, hands[:-1], watch)), _dealt(table, record)
    with transaction.atomic():  # whoever records a card waits for it, so all that takes long is done by now
        insert_table(table)
        add_to_log(table.pk, (_entry(table, seq, *event, record) for seq, event in enumerate(events, 1)))
        DealtHand.objects.bulk_create(dealt)
        HandSheet.objects.bulk_create(sheets)
        index_disputes(table)
        return Opened(table, first_link(table, key))


def _sheets(table: Table, hands: list[PlayedHand], watch: Watch) -> Iterator[HandSheet]:
    for hand in hands:
        watch()
        yield sheet_of(table, hand)


def _entry(table: Table, seq: int, hand: int, event: Event, record: Record) -> LogRow:
    return LogRow(seq=seq, place=seq, hand=hand, event=dump_event(event, record.rules.pack), by=BY, at=table.created)


def _dealt(table: Table, record: Record) -> list[DealtHand]:
    """Keep what the record says of hands beside their events; a hand without events is dealt by being there."""
    kept = []
    for number, hand in enumerate(record.hands):
        known = dump_known(hand, record.rules.pack)
        extra = {key: value for key, value in hand.extra.items() if key != SCORES}
        if extra or known or not hand.events:
            kept.append(DealtHand(table=table, number=number, known=known, extra=extra))
    return kept
