"""An act at a table, written all or nothing. Only ``scoring.tables.acts.turns`` creates turns."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from referee.engine.adjudication import describe_hand
from referee.engine.event_kinds import Event
from referee.engine.hand import Hand
from referee.engine.records import dump_event
from referee.engine.replaying import PlayedHand, Watch
from referee.engine.rulings import Refusal, Verdict
from referee.engine.snapshot import Saved, dump_table, save_table
from referee.engine.table import Ruling, TableState, hand_for, judge
from scoring.groups.acts.scores import keep_scores, score_table
from scoring.models import DealtHand, DoneRequest, HandSheet, Link, SecretChoice, Table, TableEvent
from scoring.models.fields import StoredJSON, canonical
from scoring.operating.acts.limits import RecordLimits, counted
from scoring.rulings.acts import dispute_index
from scoring.rulings.reads.disputes import DisputeNow, summary
from scoring.tables.acts import holding
from scoring.tables.acts.exceptions import MovedOn, NotTaken
from scoring.tables.acts.holding import GROUP, announce, announce_version
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.writing import move_on
from scoring.tables.reads import log
from scoring.tables.reads.access import Choosing, last_recorded
from scoring.tables.reads.state import LeftHand, LeftHands, Standing, by_now, judging_watch, left_before

COLUMNS = {field.attname: field for field in Table._meta.concrete_fields}


class Hold(Exception):  # noqa: N818 - not an error: control flow
    """Raised when an act needs the table locked, because the cached state isn't enough."""


def sheet_of(row: Table, hand: PlayedHand) -> HandSheet:
    assert hand.state.hand is not None
    described = describe_hand(hand.state.hand, row.seats)
    return HandSheet(table=row, number=hand.number, sheet=described, start=dump_table(hand.start))


@dataclass(frozen=True, slots=True)
class JudgedAgain:
    """Hands rejudged from ``first`` on, the first row that is no longer valid, and the state at their end."""

    first: int
    hands: list[log.LoggedHand]
    stop: log.Stop | None
    state: TableState


def judge_carrying(row: Table, carried: Sequence[int], watch: Watch) -> JudgedAgain:
    """Rejudge the whole log with other points carried over."""
    begun, entries = log.opening_with(row, carried), log.standing_events(row)
    hands, stop = log.replay_hands(begun, entries, dealt=log.dealt_hands(row), watch=watch)
    return JudgedAgain(0, hands, stop, hands[-1].state if hands else begun)


@dataclass(slots=True)
class Turn:
    """An act at a table: its caller, judged events, and pending writes.

    ``row`` is the table as loaded, ``state`` the referee's current state, ``saved`` the stored one. ``held``: the table
    is locked. ``trial``: nothing will be written. ``choosing`` is the sealed choices afterwards; by default they are
    discarded.
    """

    row: Table
    state: TableState
    caller: Caller
    fingerprint: str
    held: bool
    saved: Saved | None = None
    trial: bool = False
    logged: TableEvent | None = None  # the log row that this request wrote before, if it is a retry
    done: DoneRequest | None = None  # what this request did before, if it left no log row
    later: tuple[TableState, Any] | None = None  # changes at later tables, for the state they were computed from
    rulings: list[Ruling] = field(default_factory=list)
    entries: list[TableEvent] = field(default_factory=list)
    choosing: Choosing = field(default_factory=dict)
    found: int = field(init=False)
    before: TableState = field(init=False)
    limits: RecordLimits = field(init=False)
    _sheets: list[HandSheet] = field(default_factory=list)
    _watch: Watch | None = None
    _start: TableState | None = None
    _turned: bool = False
    _first_again: int | None = None
    _hands: list[Hand] = field(default_factory=list)
    _head: dict[str, Any] = field(default_factory=dict)  # changed columns besides the record
    _done: dict[str, Link | None] = field(default_factory=dict)
    _disputes: list[DisputeNow] | None = None

    def __post_init__(self) -> None:
        self.found, self.before = self.row.version, self.state
        self.limits = RecordLimits(self.row)

    @property
    def watch(self) -> Watch:
        """Watch that raises ``TooCostly`` when judging takes too long; starts on first use."""
        if self._watch is None:
            self._watch = judging_watch()
        return self._watch

    @property
    def at(self) -> Standing:
        return Standing(self.row, self.state)

    @property
    def version(self) -> int:
        return self.found + len(self.entries)

    @property
    def repeats(self) -> bool:
        return self.logged is not None or self.done is not None

    def hold(self) -> None:
        if not self.held:
            raise Hold

    def check_version(self, expected: int | None) -> None:
        if expected is not None and expected != self.found:
            raise MovedOn(version=self.found)

    def count(self, acts: int = 1) -> None:
        if self.caller.link is not None and acts:
            self.row.writes = counted(self.row.writes, self.caller.link, acts=acts)

    def take(self, event: Event, position: int = 0, *, by: str = "", choosing: Choosing | None = None) -> None:
        """Judge an event of the request, dealing its hand if necessary, and log it.

        ``by`` is the acting link, if not the caller's. Raises ``NotTaken``, and ``Refused`` if the log is full.
        """
        if self.entries:  # a single event has bounded cost, and reading a thread's clock is slow
            self.watch()
        dealt, ruling = self.judge(event, position)
        self.limits.take(event, ruling.table)
        if dealt is not self.state:
            self._leave_hand()
            self._start, self._turned = dealt, True
        self.state = ruling.table
        self.rulings.append(ruling)
        self.add(dump_event(event, self.state.rules.pack), by=by, choosing=choosing)

    def judge(self, event: Event, position: int = 0) -> tuple[TableState, Ruling]:
        """Judge an event without logging it; also returns the table with the event's hand dealt.

        Once the agreed time is up, no new hand begins. Raises ``NotTaken``.
        """
        dealt = hand_for(self.state, event)
        if dealt is not self.state and (late := by_now(self.row, self.state)) is not self.state:
            dealt = hand_for(late, event)
        if isinstance(dealt, Refusal):
            raise self.not_taken(Ruling(dealt.verdict, self.state, dealt.reason), position)
        ruling = judge(dealt, event)
        if ruling.verdict is not Verdict.ACCEPTED:
            raise self.not_taken(ruling, position)
        return dealt, ruling

    def not_taken(self, ruling: Ruling, position: int = 0) -> NotTaken:
        return NotTaken(ruling, self.row.seats, position=position, version=self.found)

    def _leave_hand(self) -> None:
        left = self.state.hand
        if left is not None:
            start = dump_table(self._start) if self._start is not None else self.row.hand_start
            sheet = describe_hand(left, list(self.row.seats))
            self._sheets.append(HandSheet(table=self.row, number=left.setup.index, sheet=sheet, start=start))
            if any(entry.hand == left.setup.index for entry in self.entries):
                self._hands.append(left)

    def add(
        self, event: object, *, hand: int | None = None, by: str = "", choosing: Choosing | None = None
    ) -> TableEvent:
        if hand is None:
            assert self.state.hand is not None
            hand = self.state.hand.setup.index
        seq = self.version + 1
        entry = TableEvent(
            table=self.row, seq=seq, place=seq, hand=hand, event=event, by=by or self.caller.by, choosing=choosing
        )
        self.entries.append(entry)
        return entry

    def amend(self, old: TableEvent, event: object, *, reason: str = "") -> TableEvent:
        self.hold()
        entry = self.add(event, hand=old.hand)
        entry.place, entry.amends, entry.reason = old.place, old.seq, reason
        return entry

    def judge_again(self, dealt: Mapping[int, DealtHand] | None = None) -> JudgedAgain:
        """Rejudge the log from the first changed hand, after the new rows replace those they amend."""
        row, new, dealt = self.row, self.entries, log.dealt_hands(self.row) if dealt is None else dealt
        first = min(*(entry.hand for entry in new), row.hand_number or 0)
        entries = log.events_after(row, new, hands_from=first)
        if first > 0 and not entries and all(number < first for number in dealt):
            first -= 1
            entries = log.standing_events(row, hand=first)
        start, opened = log.hand_start(row, first), log.opening(row)
        hands, stop = log.replay_hands(
            start or opened, entries, dealt=dealt, first=first, start=start, watch=self.watch
        )
        return JudgedAgain(first, hands, stop, hands[-1].state if hands else opened)

    def adopt(self, judged: JudgedAgain) -> None:
        """Replace all hands from ``judged.first`` on with the rejudged ones."""
        hands = judged.hands
        self._first_again, self._turned = judged.first, True
        self.state, self._start = judged.state, hands[-1].start if hands else None
        self._sheets = [sheet_of(self.row, hand) for hand in hands[:-1]]
        self._hands = [hand.state.hand for hand in hands[:-1] if hand.state.hand is not None]

    def change(self, **columns: object) -> None:
        self._head |= columns

    def confirm(self, hand: int, seat: int, scores: Sequence[int | None]) -> None:
        entry = self.add(None, hand=hand, choosing={"seat": seat, "confirmed": hand})
        known = self.row.agreed.get(str(hand), {})
        seats = known["seats"] if known.get("scores") == list(scores) else {}
        now = {"scores": list(scores), "seats": {**seats, str(seat): entry.seq}}
        self._head["agreed"] = {**self.row.agreed, str(hand): now}

    def carry(self, carried: Sequence[int], reason: str) -> None:
        changed = {"before": list(self.row.carried), "after": list(carried)}
        hand = 0 if self.state.hand is None else self.state.hand.setup.index
        self.add(None, hand=hand, choosing={"carried": changed}).reason = reason
        self._head["carried"], self.row.carried, self.choosing = list(carried), list(carried), dict(self.row.choosing)

    def did(self, *, link: Link | None = None) -> None:
        self._done = {"link": link}

    def write(self) -> bool:
        if self.row.finished and self.entries:
            self.hold()  # the change may propagate to later tables
        now = timezone.now()
        saved = save_table(self.state, self.saved) if self.entries else None
        self._sign(now)
        if self.held:  # every act on a dispute locks the table
            self._disputes = dispute_index.after_turn(self.row, self.entries)
            if self._disputes is not None:
                self._head["disputes"] = summary(self._disputes)
        right = () if self.held else self.caller.right  # validated already, and the act may revoke it
        beside = self.held or bool(self._sheets) or self._ends_hands()
        with transaction.atomic(savepoint=not self.held) if beside else nullcontext():
            values = self._values(saved, now)
            texts = {} if saved is None else {"snapshot": StoredJSON(saved.text)}
            columns = {
                name: COLUMNS[name].get_db_prep_save(value, connection)
                for name, value in (values | texts | {"writes": self.row.writes}).items()
            }
            if not move_on(self.row, columns, self.entries, right=right, alone=not beside):
                return False
            if beside:
                self._write_beside()
            if self._ends_hands():
                hands = [*self._hands, *([] if self.state.hand is None else [self.state.hand])]
                first = hands[0].setup.index if self._first_again is None else self._first_again
                keep_scores(self.row, self.state, first, hands, self._over_at(now) or now)
        self._become(saved, values)
        return True

    def _ends_hands(self) -> bool:
        """Return whether the act may change statistics, of this table's group or an earlier table's."""
        if not self.entries or (self.row.group_id is None and self.row.previous_id is None):
            return False
        hand = self.state.hand
        return bool(self._hands) or self._first_again is not None or (hand is not None and hand.is_over())

    def _over_at(self, now: datetime) -> datetime | None:
        """Return when the game ended: now, or when a correction ended it, at the last original entry."""
        if not self.state.finished():
            return None
        corrected = self.entries and all(entry.amends is not None for entry in self.entries)
        return last_recorded(self.row) if corrected else now

    def hands_left(self) -> LeftHands:
        """Return the scores of all hands before the last, rejudged or unchanged."""
        known, new = left_before(self.row).hands, [LeftHand.of(each.sheet) for each in self._sheets]
        first = min((hand.number - 1 for hand in new), default=len(known))
        return LeftHands((*known[: first if self._first_again is None else self._first_again], *new))

    def write_count(self) -> None:
        move_on(self.row, {"writes": canonical(self.row.writes)}, (), right=(), alone=False)
        holding.state_cache.drop(self.row.code)

    def _sign(self, now: datetime) -> None:
        for entry in self.entries:
            entry.at = now
        if self.entries:
            last = self.entries[-1]
            last.key, last.fingerprint, last.batch = self.caller.known_by, self.fingerprint, len(self.entries)
            if self.choosing:
                last.choosing = {**(last.choosing or {}), **self.choosing}

    def _values(self, saved: Saved | None, now: datetime) -> dict[str, Any]:
        """Return the new values of the table's columns, besides its snapshot."""
        values = dict(self._head)
        if saved is not None or self._head:
            values["updated"] = now
        if saved is not None:
            values |= {"version": self.version, "choosing": dict(self.choosing)}
            if self.state.finished() != self.row.finished:  # an indexed column: not touched by every card
                values |= {"finished": self.state.finished(), "finished_at": self._over_at(now)}
        if self._turned:
            start = self._start
            values["hand_start"] = None if start is None else dump_table(start)
            values["hand_number"] = None if start is None or start.hand is None else start.hand.setup.index
        return values

    def _write_beside(self) -> None:
        if self._first_again is not None:
            HandSheet.objects.filter(table=self.row, number__gte=self._first_again).delete()
            there = self._first_again + len(self._sheets) + (self._start is not None)
            gone = DealtHand.objects.filter(table=self.row, number__gte=there, retired__isnull=True)
            gone.update(retired=self.version)
        if self._sheets:
            HandSheet.objects.bulk_create(self._sheets)
        if self._disputes is not None:
            dispute_index.write_index(self.row, self._disputes)
        if self._head.keys() & {"group_id", "game"}:
            for name in ("group_id", "game", "evening"):
                setattr(self.row, name, self._head.get(name, getattr(self.row, name)))
            score_table(self.row)
        if "seats" in self._head:
            HandSheet.objects.filter(table=self.row).update(sheet=None)
        for entry in self.entries:
            if entry.amends is not None:
                TableEvent.objects.filter(table=self.row, seq=entry.amends).update(amended_by=entry.seq)
        if self.entries and self.row.choosing and not self.choosing:
            SecretChoice.objects.filter(table=self.row).delete()
        key = self.caller.known_by
        if self._done and key is not None:
            DoneRequest.objects.create(table=self.row, key=key, fingerprint=self.fingerprint, **self._done)

    def _become(self, saved: Saved | None, values: dict[str, Any]) -> None:
        row = self.row
        for name, value in values.items():
            setattr(row, name, value)
        if saved is None:
            holding.state_cache.drop(row.code)
            return
        if self._sheets or self._first_again is not None:
            row.left = None
        row.__dict__.pop("snapshot", None)  # stale; Django reloads it on access
        announce_version(row.pk, row.version)
        if row.group_id is not None:
            announce(GROUP, row.group_id)
        holding.state_cache.put(row.code, holding.CachedState(row, saved))
