"""The page of a table: what is on it, and the forms that record what happens next."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST
from django_htmx.middleware import HtmxDetails

from referee.adjudication import describe_reason
from referee.asks import Ask
from referee.hand import Hand
from referee.options import Refused
from referee.records import load_event
from referee.rulings import Verdict
from scoring.models import Table
from scoring.models.code import normal_code
from scoring.pages.board import board, log_lines
from scoring.pages.clauses import Said, said
from scoring.pages.device import remember, token_for
from scoring.pages.forms import OwnAsk, make_forms, own_asks, posted_again, read_form
from scoring.queries.access import find_link
from scoring.queries.rules import game_of
from scoring.queries.state import Standing, coming_hand, find_table, standing
from scoring.services.outcomes import MovedOn, NotDone, NothingToUndo, NotTaken
from scoring.services.recording import record_events
from scoring.services.undoing import undo
from scoring.services.writing import Request


@dataclass(frozen=True, slots=True)
class Message:
    """What came of an act that was not done; ``again`` is the form that records it as it was."""

    kind: str
    title: str
    said: Said | None = None
    text: str = ""
    again: tuple[tuple[str, str], ...] = ()


def table_or_404(code: str) -> Table:
    """Return the table of a code, however it was typed."""
    row = find_table(normal_code(code))
    if row is None:
        raise Http404(_("There is no table with this code."))
    return row


@require_GET
def table(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show a table."""
    row = table_or_404(code)
    if code != row.code:
        return redirect("scoring:table", code=row.code)
    response = show(request, row)
    remember(request, response, row.code)
    return response


@require_GET
def table_log(request: HttpRequest, code: str) -> HttpResponse:
    """Show everything that was recorded at a table, taken back or not."""
    at = standing(table_or_404(code))
    return render(request, "scoring/log.html", {"table": at.row, "lines": log_lines(at), "game": game_of(at.row)})


@require_POST
def record(request: HttpRequest, code: str) -> HttpResponseBase:
    """Record what a form says."""
    row = table_or_404(code)
    asked = asked_by(request, row)
    if asked is None:
        return show(request, row, _not_allowed(), status=403)
    at = standing(row)
    data = read_form(request.POST, all_asks(at))
    if data is None:
        return show(request, row, _moved_on(), status=412)
    try:
        record_events(row.code, [load_event(data)], asked)
    except Refused as refused:
        text = " ".join(problem.detail for problem in refused.problems)
        return show(request, row, Message("impossible", _("That cannot be recorded"), text=text), status=422)
    except NotTaken as why:
        status = 409 if why.ruling.verdict is Verdict.IRREGULAR else 422
        return show(request, row, _not_taken(at, why, request.POST), status=status)
    except NotDone as why:
        return show(request, row, _not_done(why), status=412)
    return _shown_again(request, row)


@require_POST
def take_back(request: HttpRequest, code: str) -> HttpResponseBase:
    """Take back the last event."""
    row = table_or_404(code)
    asked = asked_by(request, row)
    if asked is None:
        return show(request, row, _not_allowed(), status=403)
    try:
        undo(row.code, asked)
    except NotDone as why:
        return show(request, row, _not_done(why), status=412)
    return _shown_again(request, row)


def _shown_again(request: HttpRequest, row: Table) -> HttpResponseBase:
    """Answer a form: htmx takes the fragment at once, a plain browser is sent to the page."""
    if is_htmx(request):
        return show(request, row)
    return redirect("scoring:table", code=row.code)


def asked_by(request: HttpRequest, row: Table) -> Request | None:
    """Return how an act was asked for, or ``None`` when this device may not write here."""
    token = token_for(request, row.code)
    link = find_link(row, token) if token else None
    if link is None or not link.writes:
        return None
    given = request.POST.get("version", "")
    expected = int(given) if given.isascii() and given.isdecimal() and len(given) < 10 else None
    return Request(by=link.role, expected=expected)


def may_write(request: HttpRequest, row: Table) -> bool:
    """Return whether this device records at a table."""
    return asked_by(request, row) is not None


def all_asks(at: Standing) -> list[Ask | OwnAsk]:
    """Return everything that can be recorded now: what the hand asks for, and what the table may add."""
    return [*hand_asks(at), *table_asks(at)]


def hand_asks(at: Standing) -> tuple[Ask, ...]:
    """Return what the hand in progress asks for, or the one that comes next."""
    coming = coming_hand(at)
    if isinstance(coming, Hand):
        return coming.asks()
    return at.hand.asks() if at.hand and coming is None else ()


def table_asks(at: Standing) -> tuple[OwnAsk, ...]:
    """Return what the table may record for itself; before the first deal there is nothing yet."""
    return own_asks(at.hand, at.rules.players) if at.hand else ()


def show(request: HttpRequest, row: Table, message: Message | None = None, *, status: int = 200) -> HttpResponse:
    """Show a table as it is now, whole or, for htmx, its fragment alone."""
    at = standing(Table.objects.get(pk=row.pk))
    context = _context(request, at, message)
    name = "scoring/_table_answer.html" if is_htmx(request) else "scoring/table.html"
    response = render(request, name, context, status=status)
    response["Cache-Control"] = "no-store"
    response["Vary"] = "HX-Request"
    return response


def _context(request: HttpRequest, at: Standing, message: Message | None) -> dict[str, Any]:
    token = token_for(request, at.row.code)
    link = find_link(at.row, token) if token else None
    pack, names = at.rules.pack, at.names
    writes = link is not None and link.writes
    forms = make_forms(hand_asks(at), pack, names) if writes else []
    return {
        "board": board(at),
        "table": at.row,
        "writes": writes,
        "main": forms[0] if forms else None,
        "buttons": [form for form in forms[1:] if form.bare],
        "ways": [form for form in forms[1:] if not form.bare],
        "own": make_forms(table_asks(at), pack, names) if writes else [],
        "log": log_lines(at, after=max(0, at.row.version - LATEST)),
        "message": message,
        "address": request.build_absolute_uri(reverse("scoring:table", args=[at.row.code])),
    }


LATEST = 12
"""Rows of the log on the table's page; the log has a page of its own."""


def is_htmx(request: HttpRequest) -> bool:
    """Return whether only a fragment is asked for."""
    details = getattr(request, "htmx", None)
    return isinstance(details, HtmxDetails) and bool(details)


def _not_taken(at: Standing, why: NotTaken, posted: QueryDict) -> Message:
    reason = why.ruling.reason
    told = said(game_of(at.row), None if reason is None else describe_reason(reason, at.names))
    if why.ruling.verdict is Verdict.IRREGULAR:
        return Message("irregular", _("The rules do not allow that"), told, again=tuple(posted_again(posted)))
    return Message("impossible", _("That cannot have happened"), told)


def _not_done(why: NotDone) -> Message:
    if isinstance(why, NothingToUndo):
        return Message("moved-on", _("There is nothing to take back"))
    if isinstance(why, MovedOn):
        return _moved_on()
    raise why


def _moved_on() -> Message:
    text = _("Something else was recorded in between, so this was not. Here is the table as it is now.")
    return Message("moved-on", _("The table has moved on"), text=text)


def _not_allowed() -> Message:
    text = _("This device may look at the table. Only the device that opened it can record.")
    return Message("impossible", _("This device only looks on"), text=text)
