"""The current state of a table as the referee describes it, with the clock applied (REC-16)."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache
from threading import Lock
from time import thread_time
from typing import Any, Generic, TypeVar

from django.conf import settings
from django.db import connection
from django.db.models import OuterRef, Prefetch, QuerySet, Subquery
from django.utils import timezone

from referee.engine.adjudication import describe_hand, describe_table
from referee.engine.event_kinds import Event
from referee.engine.events import Ask
from referee.engine.game import event_kinds
from referee.engine.hand import Hand
from referee.engine.records import stored_event
from referee.engine.replaying import Watch, deadline
from referee.engine.rules import Rules
from referee.engine.rulings import Certainty, Refusal
from referee.engine.sheet import Adjudication, DescribedHand, EventData
from referee.engine.state import FINISHED, VOID
from referee.engine.table import TableState, end_by_time, hand_for
from referee.engine.texts import ENGLISH, Language
from scoring.models import Table, TableEvent
from scoring.tables.reads import log

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class RecentCache(Generic[Key, Value]):
    """Thread-safe cache of the ``most`` recently written entries."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: dict[Key, Value] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Key) -> Value | None:
        return self._entries.get(key)

    def put(self, key: Key, value: Value) -> None:
        with self._lock:
            self._entries.pop(key, None)
            self._entries[key] = value
            if len(self._entries) > self._most:
                self._entries.pop(next(iter(self._entries)))

    def drop(self, key: Key) -> None:
        with self._lock:
            self._entries.pop(key, None)


@dataclass(frozen=True, slots=True)
class Standing:
    row: Table
    state: TableState

    @property
    def rules(self) -> Rules:
        return self.state.rules

    @property
    def names(self) -> list[str]:
        return list(self.row.seats)

    @property
    def hand(self) -> Hand | None:
        return self.state.hand


def standing(row: Table) -> Standing:
    return Standing(row, log.state_now(row))


table_id_cache: RecentCache[str, int] = RecentCache(4000)  # a code never moves to another table


def find_table(code: str) -> Table | None:
    return Table.objects.filter(code=code).first()


def left_hands(row: Table, *, first: int = 0, last: int | None = None) -> list[DescribedHand]:
    return [sheet.sheet for sheet in log.sheets_of(row, first=first, last=last)]


@dataclass(frozen=True, slots=True)
class LeftHand:
    """Summary of a finished hand: scores and final phase."""

    number: int
    scores: tuple[int | None, ...]
    phase: str
    moved: tuple[tuple[int, int, int], ...] = ()  # tricks moved by the table: from seat, to seat, count
    proved: bool = False  # whether an irregularity was proved, by a card or by counting
    ruled: bool = False  # whether it had irregularities or decisions of the table
    options: tuple[tuple[str, object], ...] = ()  # its house rules, if they differ from the first hand's
    name: str = ""  # its name, if the game names hands

    @classmethod
    def of(cls, described: DescribedHand) -> "LeftHand":
        moved = tuple((each["from_seat"], each["to_seat"], each["tricks"]) for each in described.get("moved", ()))
        proved = any(found["certainty"] != Certainty.SEEN.value for found in described["irregularities"])
        scores, phase = tuple(described["scores"]), described["phase"]
        options = tuple(described.get("options", {}).items())
        named = described.get("name") or ""
        return cls(described["number"], scores, phase, moved, proved, is_ruled(described), options, named)

    @classmethod
    def over(cls, hand: Hand) -> "LeftHand":
        """Summarize a hand by its scores only."""
        scores, named = hand.scores() or (None,) * hand.rules.players, str(getattr(hand, "name", None) or "")
        return cls(hand.setup.index + 1, scores, str(hand.phase), name=named)

    @property
    def settled(self) -> bool:
        return None not in self.scores


def is_ruled(described: DescribedHand) -> bool:
    if (
        described["irregularities"]
        or described.get("withdrawn")
        or described.get("moved")
        or described["phase"] == str(VOID)
    ):
        return True
    return any(line["reason"]["code"] == PENALTY for line in described["score_lines"])


PENALTY = "penalty"  # reason code of points moved by the table


@dataclass(frozen=True, slots=True, eq=False)
class LeftHands:
    """Summaries of all hands before the last, oldest first.

    Cached, and compared by identity, because there may be hundreds.
    """

    hands: tuple[LeftHand, ...] = ()

    @property
    def settled(self) -> bool:
        """Whether any of the hands is settled; others were void."""
        return any(hand.settled for hand in reversed(self.hands))


NO_HANDS = LeftHands()
_left_hands_cache: RecentCache[tuple[str, int], LeftHands] = RecentCache(2000)  # by table and last sheet


def left_before(row: Table) -> LeftHands:
    if not isinstance(row.left, LeftHands):
        last = last_sheets(row.pk) if row.hand_number else []
        row.left = (_left_hands_cache.get((row.code, last[0])) or _read_left(row, *last)) if last else NO_HANDS
    return row.left


def last_sheets(table: int) -> list[int]:
    """Return the ids of the last two sheets, last first. Raw SQL, since it runs for every version."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM scoring_handsheet WHERE table_id = %s ORDER BY number DESC LIMIT 2", [table])
        return [int(pk) for (pk,) in cursor.fetchall()]


def _read_left(row: Table, last: int, before: int | None = None) -> LeftHands:
    known = NO_HANDS if before is None else _left_hands_cache.get((row.code, before)) or NO_HANDS
    first = known.hands[-1].number if known.hands else 0
    read = LeftHands((*known.hands, *map(LeftHand.of, left_hands(row, first=first))))
    _left_hands_cache.put((row.code, last), read)
    return read


def current_hand(at: Standing, language: Language = ENGLISH, *, points: bool = True) -> DescribedHand | None:
    if at.hand is None:
        return None
    return describe_hand(at.hand, at.names, at.state, language=language, points=points, events=played_events(at))


def played_events(at: Standing, stored: Sequence[EventData] | None = None) -> Sequence[Event] | None:
    """Return the events of the last hand, once it is over with a revoke that may have been costly (IR-6).

    ``None`` otherwise, and in trials. ``stored`` are its events, if already loaded.
    """
    hand = at.hand
    if hand is None or hand.phase is not FINISHED or not any(one.code in hand.REVOKES for one in hand.irregularities):
        return None
    if stored is None:
        stored = [entry.event or {} for entry in log.standing_events(at.row, hand=hand.setup.index)]
    events = [stored_event(event) for event in stored]
    return events if len(events) == hand.events else None


def adjudication(
    at: Standing, language: Language = ENGLISH, *, points: bool = True, hands: Sequence[int] | None = None
) -> Adjudication:
    """Describe the game and the given hands, by default all, with or without points."""
    found = _hands(at, language, points=points) if hands is None else []
    for index in hands or ():
        described = hand_described(at, index, language, points=points)
        found += [] if described is None else [described]
    return {**describe_table(at.state, points=points), "hands": found, "rejected": None}


def _hands(at: Standing, language: Language, *, points: bool) -> list[DescribedHand]:
    if points and language is ENGLISH:
        hands = left_hands(at.row)
    else:  # stored descriptions are in English, with points
        played = [hand.state.hand for hand in log.hands_as_they_were(at.row, at.row.version)[:-1]]
        hands = [describe_hand(each, at.names, language=language, points=points) for each in played if each is not None]
    if (last := current_hand(at, language, points=points)) is not None:
        hands.append(last)
    return hands


def coming_hand(at: Standing) -> Hand | Refusal | None:
    """Return the hand that the next event begins, or why none can; ``None`` while a hand is in progress."""
    dealt = hand_for(at.state)
    if dealt is at.state:
        return None
    return dealt if isinstance(dealt, Refusal) else dealt.hand


def hand_described(at: Standing, index: int, language: Language, *, points: bool = True) -> DescribedHand | None:
    if at.hand is None or not 0 <= index <= at.hand.setup.index:
        return None
    if at.hand.setup.index == index:
        return current_hand(at, language, points=points)
    if points and language is ENGLISH:
        return left_hands(at.row, first=index, last=index)[0]
    played = hand_played(at.row, index)
    return describe_hand(played, at.names, language=language, points=points)


def hand_played(row: Table, index: int) -> Hand:
    start = log.hand_start(row, index)
    assert start is not None
    dealt = {number: hand for number, hand in log.dealt_hands(row).items() if number == index}
    hands, stop = log.replay_hands(start, log.standing_events(row, hand=index), dealt=dealt, first=index, start=start)
    assert stop is None, stop
    played = hands[0].state.hand
    assert played is not None
    return played


# --- The clock, which the referee lacks: time limits (REC-16), and the CPU limit of judging

TIME = "time"


def time_is_up(row: Table) -> bool:
    """Return whether the agreed time has passed since the table's first event; false without a time limit."""
    if row.end["kind"] != TIME or not row.version:
        return False
    began = vars(row).get("began") or TableEvent.objects.filter(table=row, seq=1).values_list("at", flat=True).first()
    return began is not None and timezone.now() >= began + timedelta(minutes=row.end["value"])


def listed(rows: QuerySet[Table]) -> QuerySet[Table]:
    """Prefetch what lists of tables need, in a constant number of queries."""
    began = TableEvent.objects.filter(table=OuterRef("pk"), seq=1).values("at")
    following = Prefetch("next", Table.objects.all(), to_attr="following")
    return rows.annotate(began=Subquery(began)).prefetch_related(following)


def by_now(row: Table, state: TableState) -> TableState:
    """Apply the clock: between hands, a table past its time limit has ended."""
    late = end_by_time(state)
    return late if late is not state and time_is_up(row) else state


def standing_now(row: Table) -> Standing:
    """Load a table's state with the clock applied; for display only."""
    return now(standing(row))


def now(at: Standing) -> Standing:
    state = by_now(at.row, at.state)
    return at if state is at.state else Standing(at.row, state)


def judging_watch() -> Watch:
    """Return a watch that raises ``TooCostly`` after ``SECONDS_TO_JUDGE`` of CPU time."""
    return deadline(thread_time, settings.SECONDS_TO_JUDGE)


# --- Asks of the hand


def hand_asks(at: Standing) -> tuple[Ask, ...]:
    """Return the hand's asks, without seats that have sealed a choice on their own phone."""
    chosen = at.row.choosing.get("chosen", ())
    return tuple(
        replace(ask, seats=tuple(seat for seat in ask.seats if seat not in chosen)) if ask.secret else ask
        for ask in asks_now(at)
    )


def asks_now(at: Standing) -> tuple[Ask, ...]:
    state = hand_for(at.state)
    return () if isinstance(state, Refusal) or state.hand is None else _asks_of(state.hand)


@lru_cache(maxsize=1000)
def _asks_of(hand: Hand) -> tuple[Ask, ...]:
    """Cached asks of a hand, needed to render a form and to parse it; hands are immutable."""
    return hand.asks()


def with_hand(state: TableState) -> TableState:
    """Return the table with the current hand or, between hands, the next one dealt; unchanged if there is none."""
    dealt = hand_for(state)
    return state if isinstance(dealt, Refusal) else dealt


def secret_ask(state: TableState, event: str | None = None) -> Ask | None:
    """Return the pending ask for a secret choice, optionally of one kind of event."""
    if event is not None and not event_kinds()[event].secret:  # skip computing the asks for ordinary cards
        return None
    hand = with_hand(state).hand
    asks = () if hand is None else hand.asks()
    return next((ask for ask in asks if ask.secret and event in (None, ask.event)), None)


def is_secret(state: TableState, event: Event) -> bool:
    ask = secret_ask(state, event.type)
    return ask is not None and getattr(event, "seat", None) in ask.seats


# --- Events whose cards stay hidden until the end of their hand, such as passed cards


UNSEEN = "?"


def is_veiled(event: Mapping[str, Any]) -> bool:
    kind = event_kinds().get(event["type"])
    return kind is not None and kind.veiled


def veiled(event: Mapping[str, Any], hand: int, state: TableState) -> Mapping[str, Any]:
    """Return an event of a hand (from 0) with hidden cards as `?` while the hand is in progress."""
    runs = state.hand is not None and state.hand.setup.index == hand and not state.hand.is_over()
    return {**event, "cards": [UNSEEN for _ in event["cards"]]} if runs and is_veiled(event) else event
