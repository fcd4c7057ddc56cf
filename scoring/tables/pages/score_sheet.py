"""Pages of score sheets and files: hidden points, print version, picture, exports, import."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from referee.engine.reader import read_json_object
from referee.engine.replaying import TooCostly
from referee.engine.rules import Problem, Refused
from referee.notation import Dialect, for_people
from scoring.groups.acts.scores import finish_by_time
from scoring.groups.pages.statistics import Choice
from scoring.groups.presenters import picture_of
from scoring.groups.reads import group_export
from scoring.groups.reads.group_export import FULL, ORIGIN, archive_of, full_export
from scoring.models import Table
from scoring.models.fields import canonical
from scoring.operating.acts.limits import one_opening
from scoring.operating.pages.site import costly, looks_back
from scoring.tables.acts import access
from scoring.tables.acts.exceptions import NotImported
from scoring.tables.acts.importing import import_record
from scoring.tables.pages.device import fresh_page, remember, table_or_404, visit, visit_group
from scoring.tables.pages.forms import ImportForm, problems_of, refuse_record
from scoring.tables.pages.links import drawn_qr
from scoring.tables.presenters.board import FOLDS, Board, board
from scoring.tables.presenters.formats import day, rendered
from scoring.tables.presenters.scene import Scene, ruled_hands
from scoring.tables.reads.access import open_tables
from scoring.tables.reads.page_facts import page_facts, rulings_of_the_game
from scoring.tables.reads.record_export import as_json, as_text, events_csv, scores_csv
from scoring.tables.reads.results import points_hidden
from scoring.tables.reads.rules import name_of
from scoring.tables.reads.state import standing_now

# --- The score sheet: with hidden points, for print, and as a picture to share


@require_GET
def points(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show the score sheet with hidden points, for the scorekeeper only; others are redirected to the table."""
    row, link, _known = visit(request, code)
    at = standing_now(row)
    if link is None or not link.keeps or not points_hidden(at):
        return redirect("scoring:table", code=row.code)
    shown = board(at, page_facts(at), points=True, opened=FOLDS)
    context = {"table": row, "board": shown, "keeps": True, "opened": FOLDS}
    return fresh_page(request, "scoring/points.html", context)


@looks_back
@require_GET
def printed(request: HttpRequest, code: str) -> HttpResponse:
    """Show the print version of a table, which fits on one or two sheets of paper."""
    at = standing_now(table_or_404(request, code))
    facts = page_facts(at)
    shown = board(at, facts)
    context = {
        "table": at.row,
        "board": shown,
        "game": shown.game,
        "confirmed": (),
        "rulings": tuple(ruled_hands(at, rulings_of_the_game(at), points=not facts.hidden)),
    }
    return fresh_page(request, "scoring/printed.html", context)


@looks_back
@require_GET
def picture(request: HttpRequest, code: str) -> HttpResponse:
    """Serve the picture of a finished game whose points are visible."""
    row, shown, scene = _finished(request, code)
    return picture_file(picture_of(shown, scene, row.evening), f"{row.code}.svg")


def picture_file(drawing: dict[str, Any], name: str) -> HttpResponse:
    drawn = render_to_string("scoring/picture.svg", {"picture": drawing})
    return HttpResponse(drawn, content_type="image/svg+xml", headers=_as_file(name))


def _finished(request: HttpRequest, code: str) -> tuple[Table, Board, Scene]:
    """Return a finished table whose points are visible, and its last hand. Raises ``Http404`` for any other."""
    at = standing_now(table_or_404(request, code))
    shown = board(at, page_facts(at))
    if not shown.finished or shown.scene is None or shown.totals is None:
        raise Http404(_("You can get a picture once the game is over."))
    return at.row, shown, shown.scene


LONGEST_CODE = 1000
"""Most bytes in a QR code that phones can still scan from a screen."""


@looks_back
@require_GET
def score_code(request: HttpRequest, code: str) -> HttpResponse:
    """Show the final score as plain text in a QR code, readable without a network."""
    row, shown, scene = _finished(request, code)
    lines = f"{name_of(shown.game)}, {day(row.evening)}", shown.status, *scene.ranking.split(", ")
    told = "\n".join(lines).encode()[:LONGEST_CODE].decode(errors="ignore")
    return HttpResponse(drawn_qr(told), content_type="image/svg+xml", headers={"Cache-Control": "no-store"})


def _as_file(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}


# --- Records of tables and histories of groups, as files; API clients use the API


SHAPES: Mapping[str, tuple[Callable[[Table, Dialect], str], str, str]] = {
    "text": (lambda row, _dialect: as_text(row, annotate=True), "text/plain; charset=utf-8", ".txt"),
    "json": (lambda row, _dialect: canonical(as_json(row)), "application/json", ".json"),
    "full": (lambda row, _dialect: canonical(full_export(row)), "application/json", "-full.json"),
    "events": (lambda row, dialect: events_csv(row, dialect=dialect), "text/csv; charset=utf-8", ".csv"),
    "scores": (lambda row, dialect: scores_csv(row, dialect=dialect), "text/csv; charset=utf-8", "-scores.csv"),
}
"""Export formats: writer, media type, end of the file's name."""


def _dialect() -> Dialect:
    return for_people(str(get_format("DECIMAL_SEPARATOR")))


@looks_back
@require_GET
def export_table(request: HttpRequest, code: str, shape: str) -> HttpResponse:
    row = table_or_404(request, code)
    if shape not in SHAPES:
        raise Http404(_("There’s nothing at this address."))
    write, kind, ending = SHAPES[shape]
    try:
        body = write(row, _dialect())
    except TooCostly as why:
        context = {"title": _("That didn’t work"), "text": " ".join(rendered(why.problems))}
        return render(request, "scoring/error.html", context, status=413)
    return HttpResponse(body, content_type=kind, headers=_as_file(f"{row.code}{ending}"))


@looks_back
@require_GET
def export_group(request: HttpRequest, code: str, shape: str) -> HttpResponseBase:
    group, link = visit_group(request, code)
    if shape == "archive" and link.manages:
        headers = _as_file(f"{group.code}.ndjson")
        return StreamingHttpResponse(archive_of(group), content_type="application/x-ndjson", headers=headers)
    wanted = group_export.SHAPES.get(shape)
    if wanted is None:
        raise Http404(_("There’s nothing at this address."))
    finish_by_time(group.pk)
    body = wanted.write(group, Choice(request.GET).chosen(), _dialect())
    return HttpResponse(body, content_type=wanted.kind, headers=_as_file(f"{group.code}{wanted.ending}"))


# --- Importing a record from a file or text


HEADING = re.compile(r'"?hand"?[,;\t]"?event"?[,;\t]', re.IGNORECASE)
"""Header of a record saved by a spreadsheet; JSON begins with a brace, and anything else is text notation."""


def _brought_before(request: HttpRequest, record: Mapping[str, object]) -> Table | None:
    """Return this device's table imported from the same file, so that importing it again opens the same one."""
    if record.get("format") != FULL:
        return None
    own = open_tables(access.devices_of(request.COOKIES))
    brought = (row for row in own if row.extra.get(ORIGIN) == record.get("id"))
    return next((row for row in brought if canonical(full_export(row)) == canonical(record)), None)


@costly
@require_http_methods(["GET", "POST"])
def import_table(request: HttpRequest) -> HttpResponseBase:
    if request.method == "GET":
        return render(request, "scoring/import.html", {})
    form, text = ImportForm(request.POST, request.FILES), ""
    if form.is_valid():
        try:
            text = form.sent_text()
            as_it_is = {"csv" if HEADING.match(text) else "text": text}
            record = read_json_object(text) if text.lstrip().startswith("{") else as_it_is
            if there := _brought_before(request, record):
                return redirect("scoring:table", code=there.code)
            with one_opening(request.META):
                opened = import_record(record, time_zone=form.cleaned_data["time_zone"])
        except Refused as refused:
            refuse_record(form, refused.problems)
        except NotImported as why:
            reason = why.ruling.reason
            assert reason is not None, "an event is refused with a reason"
            refuse_record(form, [Problem(why.where, reason.code, reason.phrase_for(why.seats))])
        else:
            if opened.passed_over:
                context = {"code": opened.table.code, "passed_over": opened.passed_over}
                response: HttpResponse = render(request, "scoring/imported.html", context, status=201)
            else:
                response = redirect("scoring:table", code=opened.table.code)
            remember(request, response, opened.table, opened.token)
            return response
    return render(request, "scoring/import.html", {"problems": problems_of(form), "text": text}, status=422)
