"""Problem responses (RFC 9457): the exception handler of all API views."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponseBase
from django.utils.translation import gettext
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from referee.api import problems
from referee.api.problems import ProblemResponse, told
from referee.engine.rules import Problem
from referee.engine.rulings import Verdict
from referee.engine.table import Ruling
from scoring.groups.api.groups import GroupAPIView
from scoring.models import Link, Table
from scoring.models.table import normal_code
from scoring.operating.acts.database import SECONDS_AWAY, database_is_away, is_away
from scoring.tables.acts import exceptions
from scoring.tables.acts.holding import cached_standing
from scoring.tables.api.access import SCHEME, TableAPIView
from scoring.tables.api.answers import describe_changes, describe_later, describe_ruling, describe_state
from scoring.tables.api.http import etag
from scoring.tables.reads.results import points_hidden
from scoring.tables.reads.state import Standing, find_table, standing
from scoring.wording import filled


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> HttpResponseBase | None:
    if is_away(exc):
        return not_now(exc)
    if isinstance(exc, exceptions.LinkRevoked):
        revoked = AuthenticationFailed(told(exc.detail))
        revoked.auth_header = SCHEME  # type: ignore[attr-defined]  # as the framework itself notes it
        return problems.exception_handler(revoked, context)
    if isinstance(exc, exceptions.TooMany):
        return problems.exception_handler(Throttled(exc.wait, told(exc.detail)), context)
    if isinstance(exc, exceptions.NotDone):
        return not_done(exc, context["view"], context["request"])
    return problems.exception_handler(exc, context)


def not_now(why: Exception) -> ProblemResponse:
    database_is_away(why)
    detail = gettext("The database can’t be reached, so nothing was done. Try again in a moment.")
    answer = ProblemResponse(503, "not-now", detail)
    answer["Retry-After"] = str(SECONDS_AWAY)
    answer._has_been_logged = True  # logged once for the outage, not once per request
    return answer


def not_done(why: exceptions.NotDone, view: TableAPIView | GroupAPIView, request: Request) -> ProblemResponse:
    for kind, (status, code) in PLAIN.items():
        if isinstance(why, kind):
            answer = ProblemResponse(status, code, told(why.detail))
            return with_version(answer, why.version) if isinstance(why, exceptions.GroupMovedOn) else answer
    match why:
        case exceptions.NotTaken():
            if "remedy" in request.data:
                return not_taken(why, f"/remedy/{why.position}")
            if "events" in request.data:
                return not_taken(why, f"/events/{why.position}")
            if why.position:
                return not_taken(why, f"/also/{why.position - 1}/event")
            return not_taken(why, "/event" if "seq" in request.data else "")
        case exceptions.NotImported():
            return refused(422, why.ruling, why.seats, why.where, hand=why.hand + 1, event=why.event)
        case exceptions.AlreadyAmended():
            return ProblemResponse(409, "already-amended", told(why.detail), seq=why.seq, amended_by=why.amended_by)
        case exceptions.AlreadyContinued():
            return ProblemResponse(
                409, "already-continued", told(why.detail), continued_by=_unless_private(why.following)
            )
        case exceptions.LaterTableNotTaken():
            later, table = describe_later(why.later, why.at.names), _unless_private(why.at.row)
            facts: dict[str, Any] = {"later": later, "table": table, "version": why.version}
            return ProblemResponse(409, "later-event-not-taken", told(why.detail), **facts)
        case exceptions.NoSuchEvent():
            wrong = Problem("/seq", "no-such-event", why.detail)
            return ProblemResponse(422, wrong.code, told(why.detail), [wrong])
    row = find_table(normal_code(view.kwargs.get("table", view.kwargs["code"])))
    if row is None:  # deleted meanwhile
        return not_done(exceptions.NoSuchTable(), view, request)
    match why:
        case exceptions.LaterNotTaken():
            return later_not_taken(why, standing(row))
        case exceptions.MovedOn():
            return moved_on(row, keeps=isinstance(view.link, Link) and view.link.keeps)
    raise why


PLAIN: dict[type[exceptions.NotDone], tuple[int, str]] = {
    exceptions.NoSuchTable: (404, "no-such-table"),
    exceptions.KeyReused: (422, "key-reused"),
    exceptions.NothingToUndo: (409, "nothing-to-undo"),
    exceptions.NotYourSeat: (403, "not-your-seat"),
    exceptions.NotSecret: (422, "not-hidden"),
    exceptions.SecretAmongOthers: (422, "hidden-choice"),
    exceptions.NoSuchLink: (404, "no-such-link"),
    exceptions.LastScorekeeper: (409, "last-scorekeeper"),
    exceptions.TooManyLinks: (409, "too-many-links"),
    exceptions.HandRunning: (409, "hand-running"),
    exceptions.NoSuchGroup: (404, "no-such-group"),
    exceptions.NoSuchPerson: (404, "no-such-person"),
    exceptions.NoSuchEvening: (404, "no-such-evening"),
    exceptions.NoSuchImport: (404, "no-such-import"),
    exceptions.NoSuchSeason: (404, "no-such-season"),
    exceptions.NothingDrawn: (409, "nothing-drawn"),
    exceptions.NoSuchPrecedent: (404, "no-such-precedent"),
    exceptions.NoSuchHand: (404, "no-such-hand"),
    exceptions.NoSuchDispute: (404, "no-such-dispute"),
    exceptions.DisputeDecided: (409, "dispute-decided"),
    exceptions.NotTheReferee: (403, "not-the-referee"),
    exceptions.TablePaused: (409, "table-paused"),
    exceptions.NoRemedyLeft: (409, "no-remedy-left"),
    exceptions.HasPhone: (409, "has-phone"),
    exceptions.NoSuchRequest: (404, "no-such-request"),
    exceptions.AskedBefore: (409, "asked-before"),
    exceptions.TooManyRequests: (409, "too-many-requests"),
    exceptions.GroupMovedOn: (412, "moved-on"),
    exceptions.LastMember: (409, "last-member"),
    exceptions.SatTogether: (409, "sat-together"),
    exceptions.AlreadyMerged: (409, "already-merged"),
    exceptions.NotAllowed: (403, "not-allowed"),
}
"""Status and code of exceptions that need no facts besides their message."""


def _unless_private(row: Table) -> str | None:
    return None if row.private else row.code


def refused(status: int, ruling: Ruling, names: Sequence[str], pointer: str, **more: object) -> ProblemResponse:
    described = describe_ruling(ruling, list(names))
    reason = described["reason"]
    assert reason is not None
    problem = Problem(pointer, reason["code"], reason["text"])
    return ProblemResponse(status, reason["code"], reason["text"], [problem], ruling=described, **more)


def later_not_taken(why: exceptions.LaterNotTaken, at: Standing) -> ProblemResponse:
    later = describe_later(why.later, at.names)
    changes = why.changes.without_points() if points_hidden(at) else why.changes
    text = "" if later["reason"] is None else later["reason"]["text"]
    if later["seq"] is None:
        detail = gettext("Hand {hand}, which the record deals, could no longer be dealt: {why}")
    else:
        detail = gettext("The event in row {row} would no longer be valid: {why}")
    detail = filled(detail, hand=later["hand"], row=later["seq"], why=text)
    facts: dict[str, Any] = {"later": later, "changes": describe_changes(changes), "version": why.version}
    return ProblemResponse(409, "later-event-not-taken", detail, **facts)


def not_taken(why: exceptions.NotTaken, pointer: str) -> ProblemResponse:
    status = 409 if why.ruling.verdict is Verdict.IRREGULAR else 422
    return refused(status, why.ruling, why.names, pointer, position=why.position, version=why.version)


def moved_on(row: Table, *, keeps: bool) -> ProblemResponse:
    detail = filled(gettext("The table has moved on; it is at version {version}."), version=row.version)
    facts: dict[str, Any] = {"version": row.version, "state": describe_state(cached_standing(row), keeps=keeps)}
    return with_version(ProblemResponse(412, "moved-on", detail, **facts), row.version)


def with_version(answer: ProblemResponse, version: int) -> ProblemResponse:
    answer["ETag"] = etag(version)
    return answer
