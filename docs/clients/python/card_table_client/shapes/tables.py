"""What a table is, and what comes of what is done at it; made of the API’s schema by `make clients`."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from card_table_client.shapes.codes import (
    Card,
    GameId,
    LinkRole,
    ProblemCode,
    RefusingVerdict,
    Seat,
    Seat1,
    Verdict,
    WhoRules,
)
from card_table_client.shapes.events import Event
from card_table_client.shapes.rulings import Adjudication, End, Hand, Irregularity, NextDeal, Options, Reason
from card_table_client.shapes.asks import CardsNamed


class ProblemAt(TypedDict):
    """One thing that is wrong, and where."""

    pointer: str
    line: NotRequired[int]
    column: NotRequired[int]
    parameter: NotRequired[str]
    code: ProblemCode
    detail: str


class HandRecord(TypedDict):
    """One deal played out."""

    events: NotRequired[list[Event]]
    known: NotRequired[dict[str, list[Card]]]


class GameSummary(TypedDict):
    id: str
    name: str
    tagline: str
    rules_version: int
    source: str
    players: list[int]
    deck: str


class TrickResult(TypedDict):
    winner: int | None
    points: dict[str, int]


class WinnersChange(TypedDict):
    before: list[int]
    after: list[int]


class TotalChange(TypedDict):
    seat: int
    before: int | None
    after: int | None


class DisputesOpen(TypedDict):
    open: list[int]
    paused: list[int]


class ScoreChange(TypedDict):
    hand: int
    seat: int
    before: int | None
    after: int | None


class LogWriter(TypedDict):
    role: str
    seat: int | None
    name: str


MovedEntry = TypedDict(
    "MovedEntry",
    {
        "seq": int,
        "hand": int,
        "event": int,
        "trick": int | None,
        "cards": list[str],
        "from": int,
        "to": int,
    },
)


class TrickChange(TypedDict):
    hand: int
    trick: int
    before: TrickResult | None
    after: TrickResult | None


class SecretChoices(TypedDict):
    seat: NotRequired[int | None]
    chosen: NotRequired[list[int]]
    again: NotRequired[list[int]]
    confirmed: NotRequired[int]
    carried: NotRequired[WinnersChange]


class NewLink(TypedDict):
    id: int
    role: LinkRole
    seat: int | None
    name: str
    created: str
    own: bool
    token: str | None
    url: str | None


TableAddresses = TypedDict(
    "TableAddresses",
    {
        "self": str,
        "events": str,
        "asks": str,
        "undo": str,
        "amendments": str,
        "record": str,
        "disputes": str,
        "links": str,
        "readings": str,
        "continue": str,
        "stream": str,
        "page": str,
    },
)


class LogEntry(TypedDict):
    position: list[int] | None
    who: LogWriter
    seq: int
    hand: int
    event: Event | None
    amends: int | None
    amended_by: int | None
    reason: str
    by: str
    at: str
    hidden: NotRequired[SecretChoices | None]


class Log(TypedDict):
    version: int
    events: list[LogEntry]
    next: str | None


class ReseatedItem(TypedDict):
    hand: int
    before: list[Seat]
    after: list[Seat]


class Record(TypedDict):
    """Everything that happened at a table."""

    format: NotRequired[Literal["table-record/1"]]
    game: GameId
    options: NotRequired[Options]
    end: NotRequired[End]
    seats: list[Seat1]
    first_dealer: Seat
    carried: NotRequired[list[int]]
    hands_before: NotRequired[int]
    hands: NotRequired[list[HandRecord]]


class LaterEvent(TypedDict):
    seq: int | None
    hand: int
    event: int
    verdict: RefusingVerdict
    reason: Reason | None


class Table1(TypedDict):
    code: str | None
    seats: list[str]
    totals: list[TotalChange]
    winners: WinnersChange | None
    later: LaterEvent | None


class FindingChange(TypedDict):
    hand: int
    before: Irregularity | None
    after: Irregularity | None


class Ruling(TypedDict):
    verdict: Verdict
    reason: Reason | None
    irregularities: list[Irregularity]


class Changes(TypedDict):
    tricks: list[TrickChange]
    scores: list[ScoreChange]
    totals: list[TotalChange]
    irregularities: list[FindingChange]
    winners: WinnersChange | None


class ChangedState(TypedDict):
    hand: Hand | None
    options_now: NotRequired[Options]
    game: GameId
    rules_version: int
    options: Options
    end: End
    totals: list[int | None]
    points_hidden: bool
    finished: bool
    winners: list[int]
    next: NextDeal | None
    course: list[int]


class Undone(TypedDict):
    version: int
    state: ChangedState
    sealed: list[int]
    choose_again: list[int]
    dry_run: NotRequired[bool]
    named: NotRequired[CardsNamed | None]


class Recorded(TypedDict):
    version: int
    ruling: NotRequired[Ruling]
    rulings: NotRequired[list[Ruling]]
    state: ChangedState
    sealed: list[int]
    choose_again: list[int]
    dry_run: NotRequired[bool]
    named: NotRequired[CardsNamed | None]
    tables: NotRequired[list[Table1]]


class Amended(TypedDict):
    version: int
    changes: Changes
    moved: list[MovedEntry]
    reseated: list[ReseatedItem]
    ruling: Ruling | None
    tables: list[Table1]
    state: NotRequired[ChangedState]
    dry_run: NotRequired[bool]
    later: NotRequired[LaterEvent | None]


class Table(TypedDict):
    code: str
    version: int
    seats: list[str]
    first_dealer: int
    carried: list[int | None]
    hands_before: int
    created: str
    updated: str
    time_zone: str
    private: bool
    rules_by: WhoRules
    referee: int | None
    shares_rulings: bool
    disputes: DisputesOpen
    group: str | None
    people: list[int | None]
    previous: str | None
    next: str | None
    sealed: list[int]
    choose_again: list[int]
    links: TableAddresses
    state: Adjudication


class TableProblem(TypedDict):
    """An error (RFC 9457). What its code has to say beside `detail` are keys of their own."""

    type: str
    instance: NotRequired[str]
    title: str
    status: int
    detail: str
    code: ProblemCode
    errors: NotRequired[list[ProblemAt]]
    version: NotRequired[int]
    ruling: NotRequired[Ruling]
    position: NotRequired[int]
    hand: NotRequired[int]
    event: NotRequired[int]
    later: NotRequired[LaterEvent | None]
    changes: NotRequired[Changes]
    table: NotRequired[str | None]
    next: NotRequired[str | None]
    seq: NotRequired[int]
    amended_by: NotRequired[int]
    state: NotRequired[Adjudication]
