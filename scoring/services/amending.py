"""Correcting a mistaken entry: an earlier event is replaced or struck, and all that follows is judged again."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from referee.engine.adjudication import describe_hand
from referee.engine.adjudication import describe_table as describe_state
from referee.engine.bounds import Watch, no_watch
from referee.engine.event_kinds import Event
from referee.engine.reading import dump_event
from referee.engine.sheet import DescribedHand
from referee.engine.table import Ruling
from scoring.models import HandSheet, Table, TableEvent
from scoring.models.fields import canonical
from scoring.queries.log import as_it_was, dealt_hands, hands_as_they_were, opening, standing_events
from scoring.queries.replaying import LoggedHand, Stop
from scoring.queries.state import Standing
from scoring.services.amendment_diff import Changes, Judged, compare
from scoring.services.exceptions import AlreadyAmended, LaterNotTaken, NoSuchEvent, NotTaken
from scoring.services.keys import Caller, logged_before
from scoring.services.rewriting import JudgedAgain, judge_again, rewrite
from scoring.services.room import check_amended
from scoring.services.turns import Turn, take_turn, try_turn


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


def preview(code: str, amendment: Amendment, caller: Caller) -> Amended:
    """Say what an amendment would change; nothing is written.

    Raises what ``amend`` raises, except ``LaterNotTaken``: that is part of the answer.
    """

    def act(turn: Turn) -> Amended:
        attempt = _attempt(turn, amendment)
        return Amended(
            at=turn.at,
            version=turn.found,
            event=attempt.new.event,
            changes=attempt.changes(),
            ruling=attempt.ruling(),
            later=attempt.judged.stop,
        )

    return try_turn(code, caller, act)


def amend(code: str, amendment: Amendment, caller: Caller) -> Amended:
    """Replace an earlier event, or strike it.

    The log stays as it is: a new row names the row it amends and takes its place in the record. Raises ``NotTaken``
    when the new event is not taken in its place, ``LaterNotTaken`` when a later one no longer is, ``NoSuchEvent``,
    ``AlreadyAmended``, ``Refused`` where the table has no room for the event, and what ``take_turn`` raises.
    """

    def act(turn: Turn) -> Amended:
        attempt = _attempt(turn, amendment)
        changes, stop = attempt.changes(), attempt.judged.stop
        if stop is not None:
            raise LaterNotTaken(stop, changes, version=turn.found)
        rewrite(turn, attempt.judged)
        new = attempt.new
        return Amended(at=turn.at, version=turn.version, event=new.event, changes=changes, ruling=attempt.ruling())

    event = None if amendment.event is None else dump_event(amendment.event)
    fingerprint = caller.fingerprint("amend", [amendment.seq, event, amendment.reason])
    return take_turn(code, caller, fingerprint, act, again=_answered_before)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """An amendment judged and not written."""

    at: Standing
    new: TableEvent
    judged: JudgedAgain
    watch: Watch = no_watch

    def ruling(self) -> Ruling | None:
        """Return the ruling on the new event, where there is one."""
        return _ruling_on(self.new, self.judged.hands)

    def changes(self) -> Changes:
        """Compare the hands judged again with what they were."""
        after = self.judged.hands
        state = after[-1].state if after else opening(self.at.row)
        return compare(
            _hands_now(self.at, self.judged.first),
            described_hands(after, self.at.names, self.watch),
            (describe_state(self.at.state), describe_state(state)),
            stopped=self.judged.stop is not None,
        )


def _ruling_on(entry: TableEvent, hands: Iterable[LoggedHand]) -> Ruling | None:
    pairs = (zip(hand.entries, hand.rulings, strict=True) for hand in hands)
    return next((ruling for hand in pairs for row, ruling in hand if row.seq == entry.seq), None)


def _attempt(turn: Turn, amendment: Amendment) -> _Attempt:
    """Judge an amendment; raises ``NotTaken`` when the new event itself is not taken."""
    turn.hold()
    row, event = turn.row, amendment.event
    old = _row_to_amend(row, amendment)
    dumped = None if event is None else dump_event(event, turn.state.rules.pack)
    new = turn.amend(old, dumped, reason=amendment.reason)
    judged = judge_again(row, old, None if event is None else new, dealt=dealt_hands(row), watch=turn.watch)
    if judged.stop is not None and judged.stop.entry is new:
        raise NotTaken(judged.stop.ruling, row.seats, position=0, version=turn.found)
    hand = next((hand for hand in judged.hands if hand.number == new.hand), None)
    if event is not None and hand is not None:
        check_amended(row, event, hand.state, hand.entries, more=old.event is None)
    return _Attempt(turn.at, new, judged, turn.watch)


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
    """Return the hands from ``first`` on, judged from the log as it stands before the amendment."""
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


def _answered_before(turn: Turn) -> Amended | None:
    """Return what was answered when this very request was done, rebuilt from the log."""
    row = turn.row
    written = logged_before(row, turn.caller, turn.fingerprint)
    if written is None:
        return None
    before, after = hands_as_they_were(row, written.seq - 1), hands_as_they_were(row, written.seq)
    was, state = as_it_was(row, written.seq - 1)[0], as_it_was(row, written.seq)[0]
    names = list(row.seats)
    totals = (describe_state(was), describe_state(state))
    changes = compare(described_hands(before, names), described_hands(after, names), totals)
    at, ruling = Standing(row, state.rules, state), _ruling_on(written, after)
    return Amended(at=at, version=written.seq, event=written.event, changes=changes, ruling=ruling)
