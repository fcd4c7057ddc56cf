"""The record of a table, and the history of a group, as files; programs ask the API for them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from referee.engine.bounds import TooCostly
from referee.notation import Dialect, for_people
from scoring.models import Table
from scoring.models.fields import canonical
from scoring.pages.costly import looks_back
from scoring.pages.device.access import table_or_404
from scoring.pages.device.group_access import visit_group
from scoring.pages.show.translation import rendered
from scoring.pages.views.statistics import Choice
from scoring.queries import group_exporting
from scoring.queries.archiving import archive_of
from scoring.queries.exporting import as_json, as_text, events_csv, scores_csv
from scoring.services.scores import finish_by_time


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of the record: how it is written, of what kind it is, and how its file is named after the code.

    Only a table for a spreadsheet asks for the dialect.
    """

    write: Callable[[Table, Dialect], str]
    kind: str
    ending: str


SHAPES: Mapping[str, Shape] = {
    "text": Shape(lambda row, _dialect: as_text(row, annotate=True), "text/plain; charset=utf-8", ".txt"),
    "json": Shape(lambda row, _dialect: canonical(as_json(row)), "application/json", ".json"),
    "events": Shape(lambda row, dialect: events_csv(row, dialect=dialect), "text/csv; charset=utf-8", ".csv"),
    "scores": Shape(lambda row, dialect: scores_csv(row, dialect=dialect), "text/csv; charset=utf-8", "-scores.csv"),
}


def _dialect() -> Dialect:
    """Return how a spreadsheet in the language of the page writes its files."""
    return for_people(str(get_format("DECIMAL_SEPARATOR")))


@looks_back
@require_GET
def export_table(request: HttpRequest, code: str, shape: str) -> HttpResponse:
    """Send the record of a table as a file."""
    row = table_or_404(request, code)
    wanted = SHAPES.get(shape)
    if wanted is None:
        raise Http404(_("This address leads to no page."))
    try:
        body = wanted.write(row, _dialect())
    except TooCostly as why:
        context = {"title": _("That did not work"), "text": " ".join(rendered(why.problems))}
        return render(request, "scoring/error.html", context, status=413)
    name = f'attachment; filename="{row.code}{wanted.ending}"'
    headers = {"Content-Disposition": name, "Cache-Control": "no-store"}
    return HttpResponse(body, content_type=wanted.kind, headers=headers)


@looks_back
@require_GET
def export_group(request: HttpRequest, code: str, shape: str) -> HttpResponseBase:
    """Send what a group has played as a file."""
    group, link = visit_group(request, code)
    if shape == "archive" and link.manages:
        name = f'attachment; filename="{group.code}.ndjson"'
        headers = {"Content-Disposition": name, "Cache-Control": "no-store"}
        return StreamingHttpResponse(archive_of(group), content_type="application/x-ndjson", headers=headers)
    wanted = group_exporting.SHAPES.get(shape)
    if wanted is None:
        raise Http404(_("This address leads to no page."))
    finish_by_time(group.pk)
    body = wanted.write(group, Choice(request.GET).chosen(), _dialect())
    name = f'attachment; filename="{group.code}{wanted.ending}"'
    return HttpResponse(
        body, content_type=wanted.kind, headers={"Content-Disposition": name, "Cache-Control": "no-store"}
    )
