"""API representations of tables, links, rulings and problems."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Annotated, Any, NotRequired, TypedDict, TypeVar, cast

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.problems import DescribedProblem, caller_language, describe_for_caller
from referee.engine import sheet
from referee.engine.adjudication import View
from referee.engine.comparison import Changes, DescribedChanges, TotalChange, WinnersChange
from referee.engine.shapes import CLOSED, Named, also, one_of
from referee.engine.table import Ruling
from scoring.groups.reads.groups import seated_people
from scoring.groups.reads.statistics import bests_at
from scoring.models import Link, Role, Table
from scoring.models.fields import written
from scoring.operating.acts.limits import shared_address
from scoring.rulings.reads.disputes import SCOREKEEPER, WHO_MAY_RULE, open_numbers, pausing_numbers
from scoring.tables.acts.amending import Amended, MovedEntry
from scoring.tables.acts.exceptions import NoSuchHand
from scoring.tables.acts.holding import cached_standing
from scoring.tables.acts.links import NewLink as MadeLink
from scoring.tables.acts.opening import Opened
from scoring.tables.acts.recording import Recorded
from scoring.tables.acts.turns import LaterTable
from scoring.tables.api.asks import (
    DescribedAsks,
    SecretChoosing,
    Seen,
    describe_asks,
    describe_choosing,
    describe_preview,
)
from scoring.tables.api.http import etag, page_of
from scoring.tables.reads.access import Neighbours, neighbours
from scoring.tables.reads.log import Stop
from scoring.tables.reads.log_entries import LogEntry, with_rows
from scoring.tables.reads.record_export import BgStatsPlay, link_of, play_of
from scoring.tables.reads.results import (
    SEEN,
    ScoredSheet,
    adjudication_shown,
    changed_shown,
    is_held_back,
    points_hidden,
    sheet_shown,
)
from scoring.tables.reads.state import Standing, left_before, now, standing_now

Answer = TypeVar("Answer")
LinkRole = Annotated[
    str,
    Named("LinkRole", one_of(Role.values, "What a link allows: to keep the score, record for a seat, watch, or read.")),
]
WhoRules = Annotated[str, Named("WhoRules", one_of(WHO_MAY_RULE, "Who decides disputes."))]
Token = Annotated[str | None, "Shown only once; null if the request is repeated after ten minutes."]
Address = Annotated[str, {"format": "uri-reference"}]
# Not a constant: some client generators mishandle them.
Tried = Annotated[bool, "Always true."]
TableAddresses = TypedDict(
    "TableAddresses",
    {
        "self": Address, "events": Address, "asks": Address, "undo": Address, "amendments": Address, "record": Address,
        "disputes": Address, "links": Address, "requests": Address, "continue": Address, "stream": Address,
        "page": Address,
    },
)  # fmt: skip
TableAddresses.__doc__ = "Addresses around a table."


@also(CLOSED)
class DisputesOpen(TypedDict):
    """The numbers of open disputes, and of those that pause play."""

    open: list[int]
    paused: list[int]


class DescribedBest(TypedDict):
    """A person's best hand at this game under any house rules."""

    seat: int
    hand: Annotated[int, "From 1."]
    points: int
    before: Annotated[int, "The points of the previous best hand."]


class Beside(Neighbours):
    """A table's group, people and best hands."""

    group: str | None
    people: list[int | None]
    bests: list[DescribedBest]


class Expanded(TypedDict):
    """Optional parts, included with `expand`."""

    asks: NotRequired[DescribedAsks]
    sheet: NotRequired[ScoredSheet]


class DescribedTable(Beside, SecretChoosing, Expanded):
    """A table and the referee’s description of its state."""

    code: str
    version: int
    seats: list[str]
    first_dealer: int
    carried: list[int | None]
    hands_before: int
    created: sheet.Moment
    updated: sheet.Moment
    time_zone: str
    private: bool
    rules_by: WhoRules
    referee: int | None
    shares_rulings: bool
    place: str
    note: str
    tags: list[str]
    disputes: DisputesOpen
    links: TableAddresses
    state: sheet.Adjudication


class OpenedTable(DescribedTable):
    """A new table, with the scorekeeper’s token."""

    token: Token


class ImportedTable(TypedDict):
    """An imported table, with the scorekeeper’s token and `links` to its parts."""

    code: str
    version: int
    token: Token
    links: TableAddresses
    columns_passed_over: NotRequired[list[str]]


class DescribedLink(TypedDict):
    """A link to a table, without its token."""

    id: int
    role: LinkRole
    seat: int | None
    hand: Annotated[int | None, "The only hand that a reader’s link opens, from 1; null: the whole table."]
    name: str
    created: sheet.Moment
    own: bool


class DescribedToken(TypedDict):
    """A new token, and the URL that opens with it."""

    token: Token
    url: str | None


class NewLink(DescribedLink, DescribedToken):
    """A new link, with its token."""


Rights = page_of("Rights", "One page of a table’s active links.", rights=DescribedLink)


@also(CLOSED)
class BgStats(TypedDict):
    """A play in BG Stats’ format, and the URL that adds it to BG Stats."""

    url: str
    play: BgStatsPlay


class DescribedRuling(TypedDict):
    """The referee's ruling on an event."""

    verdict: Annotated[str, Named("Verdict")]
    reason: sheet.DescribedReason | None
    irregularities: Annotated[
        list[sheet.Irregular], "Irregularities found with this event; get the table for their remedies."
    ]


class LaterEvent(TypedDict):
    """A later event that would no longer be valid."""

    seq: int | None
    hand: int
    event: int
    verdict: Annotated[str, Named("RefusingVerdict")]
    reason: sheet.DescribedReason | None


class TableChanged(TypedDict):
    """Changes at a later table of the same game; `code` is null if the table is private."""

    code: str | None
    seats: list[str]
    totals: list[TotalChange]
    winners: WinnersChange | None
    later: LaterEvent | None


Later = Annotated[list[TableChanged], "Changes at later tables of the same game, in order of play."]


class Undone(SecretChoosing, Expanded):
    """The result of an undo."""

    version: int
    state: sheet.ChangedState
    hand: NotRequired[Annotated[sheet.DescribedHand | None, "The whole last hand, if `expand` asks for it."]]
    dry_run: NotRequired[Tried]
    named: NotRequired[Seen]


class DescribedRecorded(Undone):
    """The result of recording events: the ruling on each, and the state it may have changed."""

    ruling: NotRequired[Annotated[DescribedRuling, "The ruling on the last event."]]
    rulings: NotRequired[Annotated[list[DescribedRuling], "The ruling on each event, if there are several."]]
    tables: NotRequired[Later]


class Log(TypedDict):
    """One page of a table’s log."""

    version: int
    events: list[LogEntry]
    next: str | None


DescribedMovedEntry = TypedDict(
    "DescribedMovedEntry",
    {
        "seq": int, "hand": int, "event": int, "trick": int | None, "cards": list[str], "from": int, "to": int,
    },
)  # fmt: skip
DescribedMovedEntry.__doc__ = (
    "A play or pass that moves to another seat: its row and position as recorded, and its cards."
)


class HandReseated(TypedDict):
    """A later hand whose seating changes; seats are listed clockwise."""

    hand: int
    before: list[sheet.SeatNumber]
    after: list[sheet.SeatNumber]


class DescribedAmended(TypedDict):
    """What an amendment changed, or would change."""

    version: int
    changes: DescribedChanges
    moved: list[DescribedMovedEntry]
    reseated: list[HandReseated]
    tables: Later
    ruling: DescribedRuling | None
    state: NotRequired[Annotated[sheet.ChangedState, "The state of this table: everything that may have changed."]]
    dry_run: NotRequired[Tried]
    later: NotRequired[Annotated[LaterEvent | None, "Dry run: the first later event that would no longer be valid."]]


class TableProblem(DescribedProblem):
    """A problem (RFC 9457). The facts of each `code` are further members."""

    version: NotRequired[Annotated[int, "The current version of the table."]]
    ruling: NotRequired[Annotated[DescribedRuling, "409 and 422: the referee’s ruling on the event."]]
    position: NotRequired[Annotated[int, "The position of the event among those sent, from 0."]]
    hand: NotRequired[Annotated[int, "Import: the hand of the refused event, from 1."]]
    event: NotRequired[Annotated[int, "Import: the position of the refused event in that hand, from 0."]]
    later: NotRequired[Annotated[LaterEvent | None, "Amending: the first later event that would no longer be valid."]]
    changes: NotRequired[Annotated[DescribedChanges, "Amending: what would have changed up to that event."]]
    table: NotRequired[Annotated[str | None, "Amending: the later table that has that event; null: private."]]
    continued_by: NotRequired[
        Annotated[str | None, "`already-continued`: the table where the game continues; null: a private one."]
    ]
    seq: NotRequired[Annotated[int, "`already-amended`: the row of the log."]]
    amended_by: NotRequired[Annotated[int, "`already-amended`: the row that amended it."]]
    state: NotRequired[Annotated[sheet.Adjudication, "412: the table as it is now."]]


def answered(shape: type[Answer], source: object, **more: Any) -> Answer:
    """Build a response of a shape: each key from ``more`` if given, else from the source's attribute of that name."""
    found = {key: more[key] if key in more else getattr(source, key) for key in shape.__annotations__}
    for key, value in found.items():
        if isinstance(value, date):
            found[key] = written(value) if isinstance(value, datetime) else value.isoformat()
    return cast(Answer, found)


def beside(row: Table, *, keeps: bool) -> Beside:
    group, at = None if row.group is None else row.group.code, cached_standing(row)
    bests = [answered(DescribedBest, each) for each in bests_at(at, left_before(row))]
    return {"group": group, "people": seated_people(row), "bests": bests, **neighbours(row, keeps=keeps)}


def describe_table(
    row: Table, *, keeps: bool, points: bool = False, around: Beside | None = None, hands: str = "last",
    expand: Collection[str] = (), link: Link | None = None,
) -> DescribedTable:  # fmt: skip
    """Describe a table; ``hands`` is ``last``, ``all``, or numbers separated by commas. Raises ``NoSuchHand``."""
    at = cached_standing(row)
    shown = points or not points_hidden(at)
    return {
        "code": row.code,
        "version": row.version,
        "seats": list(row.seats),
        "first_dealer": row.first_dealer,
        "carried": list(row.carried) if shown else [None] * len(row.seats),
        "hands_before": row.hands_before,
        "created": written(row.created),
        "updated": written(row.updated),
        "time_zone": row.zone,
        "private": row.private,
        "rules_by": row.ruled_by.get("kind", SCOREKEEPER),
        "referee": row.ruled_by.get("link"),
        "shares_rulings": row.shares_rulings,
        "place": row.place,
        "note": row.note,
        "tags": list(row.tags),
        "disputes": {"open": list(open_numbers(row)), "paused": list(pausing_numbers(row))},
        **(beside(row, keeps=keeps) if around is None else around),
        **describe_choosing(row.choosing),
        "links": links(TableAddresses, "table", row.code),
        "state": describe_state(at, keeps=keeps, points=points, hands=hands),
        **expanded(at, expand, link, points=points),
    }


def describe_state(at: Standing, *, keeps: bool, points: bool = False, hands: str = "last") -> sheet.Adjudication:
    """Describe the state, with the log rows of irregularities; ``hands`` as in ``describe_table``."""
    shown = adjudication_shown(
        at, points=points, keeps=keeps, language=caller_language(), hands=indices_of(hands, at)
    )  # fmt: skip
    return {**shown, "hands": with_rows(at.row, shown["hands"])}


def indices_of(hands: str, at: Standing) -> Sequence[int] | None:
    last = -1 if at.hand is None else at.hand.setup.index
    if hands == "all":
        return None
    if hands == "last":
        return range(max(last, 0), last + 1)
    found = sorted({int(number) - 1 for number in hands.split(",")})
    if found[-1] > last:
        raise NoSuchHand
    return found


def expanded(at: Standing, expand: Collection[str], link: Link | None, *, points: bool = False) -> Expanded:
    found: Expanded = {}
    if "asks" in expand:
        found["asks"] = describe_asks(at, link)
    if "sheet" in expand:
        found["sheet"] = sheet_shown(at, points=points)
    return found


def describe_link(link: Link, own: Link) -> DescribedLink:
    hand = None if link.hand is None else link.hand + 1
    return answered(DescribedLink, link, id=link.pk, hand=hand, name=link.label, own=link.pk == own.pk)


def describe_new_link(request: Request, made: MadeLink, own: Link) -> NewLink:
    """Describe a new link. The token is in the URL's fragment, so no server logs it."""
    if made.link.role == Role.READER:
        address = reverse("scoring:reading", args=[made.link.pk])
    else:
        address = reverse("scoring:join", args=[made.link.table.code])
    return {**describe_link(made.link, own), **described_token(request, made.token, address)}


def described_token(request: HttpRequest, token: str, address: str) -> DescribedToken:
    return {"token": token or None, "url": shared_address(request, f"{address}#{token}") if token else None}


def describe_play(row: Table) -> BgStats:
    play = play_of(standing_now(row))
    if play is None:
        raise NotFound(gettext("The game is not over, or its points are hidden."), "no-play-yet")
    return {"url": link_of(play), "play": play}


def opened_answer(opened: Opened) -> Response:
    body = {**describe_table(opened.table, keeps=True), "token": opened.token or None}
    return made_answer(body, opened.table.version)


def imported_answer(opened: Opened) -> Response:
    """Respond to an import with a token and links.

    Responses with tokens aren't compressed, so the record is left out.
    """
    row, passed_over = opened.table, list(opened.passed_over)
    body: dict[str, Any] = {"code": row.code, "version": row.version, "links": links(TableAddresses, "table", row.code)}
    if passed_over:
        body["columns_passed_over"] = passed_over
    return made_answer(body | {"token": opened.token or None}, row.version)


def made_answer(body: Mapping[str, Any], version: int) -> Response:
    """Respond 201 with a new table or group and its token."""
    headers = {"ETag": etag(version), "Location": body["links"]["self"], "Cache-Control": "no-store"}
    return Response(body, status=201, headers=headers)


def links(addresses: Any, kind: str, code: str) -> Any:
    """Return the addresses of a shape around a ``table`` or ``group``."""
    routes = {"self": kind, "page": f"scoring:{kind}"}
    return {name: reverse(routes.get(name, f"{kind}-{name}"), args=[code]) for name in addresses.__annotations__}


def describe_ruling(ruling: Ruling, names: list[str]) -> DescribedRuling:
    hand, view = ruling.table.hand, View(names, caller_language())
    found = () if hand is None else ruling.irregularities
    return {
        "verdict": ruling.verdict.value,
        "reason": None if ruling.reason is None else view.reason(ruling.reason),
        "irregularities": [view.irregular(each, hand) for each in found if hand is not None],
    }


def done(recorded: Recorded, link: Link, *, trial: bool = False, expand: Collection[str] = ()) -> Response:
    body, at = describe_recorded(recorded, keeps=link.keeps), now(recorded.at)
    body |= cast(DescribedRecorded, expanded(at, expand, link))
    if "hand" in expand:
        body["hand"] = next(iter(describe_state(at, keeps=link.keeps)["hands"]), None)
    if trial:
        body["dry_run"], body["named"] = True, describe_preview(recorded.seen, recorded.at.names)
    return Response(body, status=200 if trial else 201, headers={"ETag": etag(recorded.version)})


def describe_recorded(recorded: Recorded, *, keeps: bool) -> DescribedRecorded:
    rulings = [describe_ruling(ruling, recorded.at.names) for ruling in recorded.rulings]
    if not keeps and is_held_back(recorded.at):
        for ruling in rulings:
            ruling["irregularities"] = [one for one in ruling["irregularities"] if one["certainty"] == SEEN]
    answer: DescribedRecorded = {
        "version": recorded.version,
        "state": changed_shown(now(recorded.at), recorded.before, keeps=keeps, language=caller_language()),
        "sealed": recorded.choosing.get("chosen", []),
        "choose_again": recorded.choosing.get("again", []),
    }
    if rulings:
        answer["ruling"] = rulings[-1]
    if len(rulings) > 1:
        answer["rulings"] = rulings
    if recorded.later:
        answer["tables"] = [describe_later_table(each) for each in recorded.later]
    return answer


def describe_later_table(each: LaterTable) -> TableChanged:
    """Describe changes at a later table.

    A private table's code is left out, since the caller may not be admitted to it.
    """
    row, names = each.at.row, each.at.names
    changes = each.changes.without_points() if points_hidden(each.at) else each.changes
    code, later = None if row.private else row.code, None if each.stop is None else describe_later(each.stop, names)
    return answered(TableChanged, changes, code=code, seats=names, later=later)


def describe_amended(what: Amended, *, dry_run: bool) -> DescribedAmended:
    names = what.at.names
    changes = what.changes.without_points() if points_hidden(what.at) else what.changes
    answer: DescribedAmended = {
        "version": what.version,
        "changes": describe_changes(changes),
        "moved": [describe_moved(moved) for moved in what.moved],
        "reseated": [answered(HandReseated, each, hand=each.hand + 1) for each in what.reseated],
        "tables": [describe_later_table(each) for each in what.tables],
        "ruling": None if what.ruling is None else describe_ruling(what.ruling, names),
    }
    if dry_run:
        later = None if what.later is None else describe_later(what.later, names)
        return {**answer, "dry_run": True, "later": later}
    return {**answer, "state": changed_shown(what.at, what.before, keeps=True, language=caller_language())}


def describe_changes(changes: Changes) -> Any:
    return {
        name: [{**each, "hand": each["hand"] + 1} if "hand" in each else each for each in found]
        if isinstance(found, list)
        else found
        for name, found in vars(changes).items()
    }


def describe_moved(moved: MovedEntry) -> DescribedMovedEntry:
    entry = moved.entry
    return {
        "seq": entry.seq,
        "hand": entry.hand + 1,
        "event": moved.position,
        "trick": moved.trick,
        "cards": moved.event.get("cards", []),
        "from": entry.event["seat"],
        "to": moved.event["seat"],
    }


def describe_later(later: Stop, names: list[str]) -> LaterEvent:
    """Describe the later event that would become invalid; a deal without events has no row."""
    reason = later.ruling.reason
    return {
        "seq": None if later.entry is None else later.entry.seq,
        "hand": later.hand + 1,
        "event": later.position,
        "verdict": later.ruling.verdict.value,
        "reason": None if reason is None else describe_for_caller(reason, names),
    }
