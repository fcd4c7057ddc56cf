"""What the API says: tables, rulings, log entries, and why something was not done."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.language import caller_language, describe_for_caller
from referee.engine.adjudication import describe_irregularity
from referee.engine.asks import Preview
from referee.engine.comparison import Changes
from referee.engine.describing import describe_reason
from referee.engine.remedies import Outlook
from referee.engine.sheet import Adjudication
from referee.engine.table import Ruling
from referee.engine.translation import Language
from scoring.api.headers import etag
from scoring.api.schema import LINKS_OF_TABLE
from scoring.models import Link, Reading, Table, TableEvent
from scoring.models.fields import written
from scoring.queries.access import neighbours
from scoring.queries.clock import now, standing_now
from scoring.queries.disputes import SCOREKEEPER, open_numbers, pausing_numbers
from scoring.queries.findings import with_rows
from scoring.queries.groups import seated_people
from scoring.queries.points import SEEN, adjudication_shown, changed_shown, is_held_back, points_hidden
from scoring.queries.replaying import Stop
from scoring.services.amending import Amended
from scoring.services.chains import LaterTable
from scoring.services.links import NewLink
from scoring.services.public_address import shared_address
from scoring.services.readings import NewReading
from scoring.services.recording import Recorded
from scoring.services.rethreading import MovedEntry
from scoring.services.tables import Opened


def beside(row: Table, *, keeps: bool) -> dict[str, object]:
    """Return what is told of a table that other rows say; ``keeps``: to who keeps the score."""
    group = None if row.group is None else row.group.code
    return {"group": group, "people": seated_people(row), **neighbours(row, keeps=keeps)}


def describe_table(
    row: Table, *, keeps: bool, points: bool = False, around: Mapping[str, object] | None = None
) -> dict[str, Any]:
    """Describe a table with all its hands; points that are hidden only if ``points`` are asked for.

    ``keeps``: to who keeps the score. ``around`` is what lies ``beside`` it, where that was read.
    """
    at = standing_now(row)
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
        "disputes": {"open": list(open_numbers(row)), "paused": list(pausing_numbers(row))},
        **(beside(row, keeps=keeps) if around is None else around),
        **describe_choosing(row.choosing),
        "links": links(row),
        "state": rows_named(row, adjudication_shown(at, points=points, keeps=keeps, language=caller_language())),
    }


def rows_named(row: Table, shown: Adjudication) -> Adjudication:
    """Return an adjudication of which each finding says the rows of its events, and how it was settled."""
    return {**shown, "hands": with_rows(row, shown["hands"])}


def describe_choosing(choosing: Mapping[str, object]) -> dict[str, object]:
    """Say who has chosen in secret, and who has to choose again; what was chosen, nobody says."""
    return {"sealed": choosing.get("chosen", []), "choose_again": choosing.get("again", [])}


def describe_link(link: Link, own: Link) -> dict[str, object]:
    """Describe a link; its token is not known here."""
    return {
        "id": link.pk,
        "role": link.role,
        "seat": link.seat,
        "name": link.label,
        "created": written(link.created),
        "own": link.pk == own.pk,
    }


def describe_new_link(request: Request, made: NewLink, own: Link) -> dict[str, object]:
    """Describe a link just made, with its token and the address that gives a browser its rights.

    The token stands behind the hash, which browsers keep to themselves: no log of any server has it.
    """
    address = reverse("scoring:join", args=[made.link.table.code])
    return describe_link(made.link, own) | described_token(request, made.token, address)


def described_token(request: HttpRequest, token: str, address: str) -> dict[str, str | None]:
    """Describe a token just made, with the page that it opens; a retry that comes too late is told neither."""
    return {"token": token or None, "url": shared_address(request, f"{address}#{token}") if token else None}


def describe_reading(reading: Reading) -> dict[str, object]:
    """Describe a link for reading; its token is not known here."""
    hand = None if reading.hand is None else reading.hand + 1
    return {"id": reading.pk, "hand": hand, "created": written(reading.created)}


def describe_new_reading(request: Request, made: NewReading) -> dict[str, object]:
    """Describe a link for reading just made, with its token and the page that it opens."""
    address = reverse("scoring:reading", args=[made.reading.pk])
    return describe_reading(made.reading) | described_token(request, made.token, address)


def opened_answer(opened: Opened) -> Response:
    """Answer the opening of a table, with the token that is shown this once."""
    body = describe_table(opened.table, keeps=True) | {"token": opened.token or None}
    if opened.passed_over:
        body["columns_passed_over"] = list(opened.passed_over)
    headers = {"ETag": etag(opened.table.version), "Location": body["links"]["self"], "Cache-Control": "no-store"}
    return Response(body, status=201, headers=headers)


def links(row: Table) -> dict[str, str]:
    """Return where a table can be found."""
    paths = {name: reverse(f"table-{name}", args=[row.code]) for name in LINKS_OF_TABLE}
    return {
        "self": reverse("table", args=[row.code]),
        **paths,
        "page": reverse("scoring:table", args=[row.code]),
    }


def describe_ruling(ruling: Ruling, names: list[str], language: Language) -> dict[str, Any]:
    """Describe the referee's answer to one event."""
    hand = ruling.table.hand
    outlook = Outlook(ruling.table, points=not ruling.table.hides_points())
    found = () if hand is None else ruling.irregularities
    known = [describe_irregularity(each, hand, names, outlook, language) for each in found if hand is not None]
    return {
        "verdict": ruling.verdict.value,
        "reason": None if ruling.reason is None else describe_reason(ruling.reason, names, language),
        "irregularities": known,
    }


def describe_entry(entry: TableEvent, positions: Mapping[int, list[int]], *, points: bool) -> dict[str, object]:
    """Describe a row of the log; ``positions`` are those of the rows that are part of the record now."""
    by, _, name = entry.by.partition(": ")
    role, _, seat = by.partition("-")
    return {
        "position": positions.get(entry.seq),
        "seq": entry.seq,
        "hand": entry.hand + 1,
        "event": entry.event,
        "amends": entry.amends,
        "amended_by": entry.amended_by,
        "reason": entry.reason,
        "by": by,
        "who": {"role": role, "seat": int(seat) if seat else None, "name": name},
        "at": written(entry.at),
        "hidden": _hidden(entry, points=points),
    }


def _hidden(entry: TableEvent, *, points: bool) -> dict[str, Any] | None:
    """Return what a row says of secret choices, of what is carried, or of a hand a seat agrees with, counted from 1."""
    if entry.choosing is None:
        return None
    told = {key: value for key, value in entry.choosing.items() if points or key != "carried"}
    return {**told, "confirmed": told["confirmed"] + 1} if "confirmed" in told else told


def done(recorded: Recorded, *, keeps: bool) -> Response:
    """Answer an act: the new version, the rulings, and what can have changed; ``keeps``: to who keeps the score."""
    body = describe_recorded(recorded, keeps=keeps)
    return Response(body, status=201, headers={"ETag": etag(recorded.version)})


def tried(recorded: Recorded, *, keeps: bool) -> Response:
    """Answer an act that was only tried, with the version that the table still has."""
    named = describe_preview(recorded.seen, recorded.at.names)
    body = describe_recorded(recorded, keeps=keeps) | {"dry_run": True, "named": named}
    return Response(body, headers={"ETag": etag(recorded.version)})


def describe_preview(seen: Preview | None, names: list[str]) -> dict[str, Any] | None:
    """Describe what an event would be before it is recorded: what it is called, and whether it fits."""
    if seen is None:
        return None
    return {"fits": seen.fits, "reasons": [describe_for_caller(reason, names) for reason in seen.reasons]}


def describe_recorded(recorded: Recorded, *, keeps: bool) -> dict[str, object]:
    """Describe what came of an act; ``keeps``: to who keeps the score."""
    names, language = recorded.at.names, caller_language()
    rulings = [describe_ruling(ruling, names, language) for ruling in recorded.rulings]
    if not keeps and is_held_back(recorded.at):
        for ruling in rulings:
            ruling["irregularities"] = [one for one in ruling["irregularities"] if one["certainty"] == SEEN]
    answer: dict[str, object] = {
        "version": recorded.version,
        "state": changed_shown(now(recorded.at), keeps=keeps, language=language),
        **describe_choosing(recorded.choosing),
    }
    if rulings:
        answer |= {"ruling": rulings[-1], "rulings": rulings}
    return answer | ({"tables": describe_later_tables(recorded.later)} if recorded.later else {})


def describe_later_tables(tables: Sequence[LaterTable]) -> list[dict[str, object]]:
    """Describe what changes at the tables after one: totals and winners, as far as points are shown there.

    A private one is not named: whoever may correct this table need not be able to open it.
    """
    return [_later_table(each) for each in tables]


def _later_table(each: LaterTable) -> dict[str, object]:
    row, names = each.at.row, each.at.names
    changes = each.changes.without_points() if points_hidden(each.at) else each.changes
    return {
        "code": None if row.private else row.code,
        "seats": names,
        "totals": changes.totals,
        "winners": changes.winners,
        "later": None if each.stop is None else describe_later(each.stop, names),
    }


def amended(what: Amended) -> Response:
    """Answer an amendment: what it changed, and the state as it is now."""
    return Response(describe_amended(what), status=201, headers={"ETag": etag(what.version)})


def describe_amended(what: Amended, *, dry_run: bool = False) -> dict[str, object]:
    """Describe what an amendment changes, or in a dry run what it would change."""
    names, language = what.at.names, caller_language()
    changes = what.changes.without_points() if points_hidden(what.at) else what.changes
    answer: dict[str, object] = {
        "version": what.version,
        "changes": describe_changes(changes),
        "moved": [describe_moved(moved) for moved in what.moved],
        "reseated": [reseated._asdict() | {"hand": reseated.hand + 1} for reseated in what.reseated],
        "tables": describe_later_tables(what.tables),
        "ruling": None if what.ruling is None else describe_ruling(what.ruling, names, language),
    }
    if dry_run:
        return answer | {"dry_run": True, "later": None if what.later is None else describe_later(what.later, names)}
    return answer | {"state": changed_shown(what.at, keeps=True, language=language)}


def describe_changes(changes: Changes) -> dict[str, Any]:
    """Describe what differs; hands count from 1."""
    return {
        name: [{**each, "hand": each["hand"] + 1} if "hand" in each else each for each in found]
        if isinstance(found, list)
        else found
        for name, found in changes.described().items()
    }


def describe_moved(moved: MovedEntry) -> dict[str, object]:
    """Describe a play or pass that moves to another seat: its row and position as recorded, and its cards then."""
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


def describe_later(later: Stop, names: list[str]) -> dict[str, Any]:
    """Describe what would no longer be taken: its row, its position in the record, and why.

    A hand that an imported record deals, and in which nothing has happened, has no row.
    """
    reason = later.ruling.reason
    return {
        "seq": None if later.entry is None else later.entry.seq,
        "hand": later.hand + 1,
        "event": later.position,
        "verdict": later.ruling.verdict.value,
        "reason": None if reason is None else describe_for_caller(reason, names),
    }
