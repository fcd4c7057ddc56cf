"""Correcting a mistaken entry: an earlier event is replaced or struck, and all that follows is judged again."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction

from referee.engine.adjudication import describe_hand
from referee.engine.adjudication import describe_table as describe_state
from referee.engine.bounds import Watch, no_watch
from referee.engine.event_kinds import Event
from referee.engine.reading import dump_event
from referee.engine.sheet import DescribedHand
from referee.engine.table import Ruling
from scoring.models import HandSheet, Table, TableEvent
from scoring.models.fields import canonical
from scoring.queries.deadline import judging_watch
from scoring.queries.log import as_it_was, dealt_hands, hands_as_they_were, opening, standing_events
from scoring.queries.replaying import LoggedHand, Stop
from scoring.queries.rules import rules_of
from scoring.queries.state import Standing, standing
from scoring.services.amendment_diff import Changes, Judged, compare
from scoring.services.exceptions import AlreadyAmended, LaterNotTaken, NoSuchEvent, NotTaken
from scoring.services.limits import count_write
from scoring.services.rewriting import JudgedAgain, judge_again, rewrite
from scoring.services.room import check_amended
from scoring.services.turns import Request, answered, check_version, fingerprint, locked


@dataclass(frozen=True, slots=True, kw_only=True)
class Amendment:
    """Which row of the log is wrong, what happened instead (``None``: nothing did), and why it is changed."""

    seq: int
    event: Event | None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Amended:
    """What an amendment changes, or would change.

    ``event`` stands in the record instead; ``later`` is the first event, or the deal of a hand, that would no longer be
    taken.
    """

    at: Standing
    version: int
    event: Mapping[str, object] | None
    changes: Changes
    ruling: Ruling | None
    later: Stop | None = None


def preview(code: str, amendment: Amendment, request: Request) -> Amended:
    """Say what an amendment would change; nothing is written.

    Raises what ``amend`` raises, except ``LaterNotTaken``: that is part of the answer.
    """
    with transaction.atomic():
        row = locked(code, request)
        check_version(row, request)
        attempt = _attempt(row, amendment)
        return attempt.told(standing(row))


def amend(code: str, amendment: Amendment, request: Request) -> Amended:
    """Replace an earlier event, or strike it.

    The log stays as it is: a new row names the row it amends and takes its place in the record. Raises ``NotTaken``
    when the new event is not taken in its place, ``LaterNotTaken`` when a later one no longer is, ``NoSuchEvent``,
    ``AlreadyAmended``, ``MovedOn``, ``KeyReused``, ``TooMany``, ``LinkRevoked``, ``Table.DoesNotExist`` and ``Refused``
    where the table has no room for the event; nothing is done then.
    """
    with transaction.atomic():
        row = locked(code, request)
        mark = _fingerprint(amendment) if request.key else ""
        written = answered(row, request, mark)
        if written is not None:
            return _first_answer(row, written)
        check_version(row, request)
        count_write(row, request)
        attempt = _attempt(row, amendment)
        if attempt.judged.stop is not None:
            raise LaterNotTaken(attempt.judged.stop, attempt.changes(), version=row.version)
        changes = attempt.changes()
        new, old = attempt.new, attempt.old
        new.by, new.key, new.fingerprint = request.by, request.key, mark
        row.version = old.amended_by = new.seq
        old.save(update_fields=["amended_by"])
        new.save(force_insert=True)
        state = rewrite(row, attempt.judged)
        at = Standing(row, state.rules, state)
        return Amended(at=at, version=row.version, event=new.event, changes=changes, ruling=attempt.ruling())


def _fingerprint(amendment: Amendment) -> str:
    event = None if amendment.event is None else dump_event(amendment.event)
    return fingerprint("amend", [amendment.seq, event, amendment.reason])


@dataclass(frozen=True, slots=True)
class _Attempt:
    """An amendment judged and not written."""

    row: Table
    old: TableEvent
    new: TableEvent
    judged: JudgedAgain
    watch: Watch = no_watch

    def ruling(self) -> Ruling | None:
        """Return the ruling on the new event, where there is one."""
        hands = (zip(hand.entries, hand.rulings, strict=True) for hand in self.judged.hands)
        return next((ruling for hand in hands for entry, ruling in hand if entry is self.new), None)

    def changes(self) -> Changes:
        """Compare the hands judged again with what they were."""
        row, first = self.row, self.judged.first
        at = standing(row)
        after = self.judged.hands
        state = after[-1].state if after else opening(row)
        return compare(
            _hands_now(at, first),
            described_hands(after, at.names, self.watch),
            (describe_state(at.state), describe_state(state)),
            stopped=self.judged.stop is not None,
        )

    def told(self, at: Standing) -> Amended:
        """Return what is answered before it is done."""
        return Amended(
            at=at,
            version=at.row.version,
            event=self.new.event,
            changes=self.changes(),
            ruling=self.ruling(),
            later=self.judged.stop,
        )


def _attempt(row: Table, amendment: Amendment) -> _Attempt:
    """Judge an amendment; raises ``NotTaken`` when the new event itself is not taken."""
    old = _row_to_amend(row, amendment)
    new = TableEvent(
        table=row,
        seq=row.version + 1,
        hand=old.hand,
        place=old.place,
        event=None if amendment.event is None else dump_event(amendment.event, rules_of(row).pack),
        amends=old.seq,
        reason=amendment.reason,
    )
    watch = judging_watch()
    judged = judge_again(row, old, None if amendment.event is None else new, dealt=dealt_hands(row), watch=watch)
    if judged.stop is not None and judged.stop.entry is new:
        raise NotTaken(judged.stop.ruling, position=0, version=row.version)
    hand = next((hand for hand in judged.hands if hand.number == new.hand), None)
    if amendment.event is not None and hand is not None:
        check_amended(row, amendment.event, hand.state, hand.entries, more=old.event is None)
    return _Attempt(row, old, new, judged, watch)


def _row_to_amend(row: Table, amendment: Amendment) -> TableEvent:
    """Find the row; one that took an event back can be amended to put an event in its place again."""
    seq = amendment.seq
    old = TableEvent.objects.filter(table=row, seq=seq).first()
    if old is None:
        raise NoSuchEvent(seq, f"The log of this table has no row {seq}.")
    if old.amended_by is not None:
        raise AlreadyAmended(seq=seq, amended_by=old.amended_by)
    if old.event is None and (amendment.event is None or old.amends is None):
        raise NoSuchEvent(seq, f"Row {seq} holds no event that could be amended.")
    return old


def _hands_now(at: Standing, first: int) -> list[Judged]:
    """Return the hands from ``first`` on as they stand."""
    sheets = {s.number: s.sheet for s in HandSheet.objects.filter(table=at.row, number__gte=first)}
    if at.hand is not None and at.hand.setup.index >= first:
        sheets[at.hand.setup.index] = _plain(describe_hand(at.hand, at.names))
    places: dict[int, list[int]] = {}
    for entry in standing_events(at.row, hands_from=first):
        places.setdefault(entry.hand, []).append(entry.place)
    return [Judged(number, sheet, places.get(number, [])) for number, sheet in sheets.items()]


def described_hands(hands: Iterable[LoggedHand], names: list[str], watch: Watch = no_watch) -> list[Judged]:
    """Return hands judged again as they can be compared; raises what ``watch`` raises."""
    described = []
    for hand in hands:
        watch()
        assert hand.state.hand is not None
        sheet = _plain(describe_hand(hand.state.hand, names))
        described.append(Judged(hand.number, sheet, [entry.place for entry in hand.entries]))
    return described


def _plain(described: DescribedHand) -> DescribedHand:
    """Return a description as it is when it was stored."""
    plain: DescribedHand = json.loads(canonical(described))
    return plain


def _first_answer(row: Table, written: TableEvent) -> Amended:
    """Return again what was answered when this row was written, rebuilt from the log."""
    before, after = hands_as_they_were(row, written.seq - 1), hands_as_they_were(row, written.seq)
    was, state = as_it_was(row, written.seq - 1)[0], as_it_was(row, written.seq)[0]
    names = list(row.seats)
    totals = (describe_state(was), describe_state(state))
    changes = compare(described_hands(before, names), described_hands(after, names), totals)
    judged = JudgedAgain(0, after, None)
    entry = next((e for hand in after for e in hand.entries if e.seq == written.seq), written)
    ruling = _Attempt(row, written, entry, judged).ruling()
    at = Standing(row, state.rules, state)
    return Amended(at=at, version=written.seq, event=written.event, changes=changes, ruling=ruling)
