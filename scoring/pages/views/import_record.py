"""Importing a record: a file or a text, judged whole, becomes a table."""

import re
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from referee.engine.options import Problem, Refused
from referee.engine.strict_json import read_json_object
from scoring.pages.costly import costly
from scoring.pages.device.cookie import remember
from scoring.pages.forms import ImportForm, problems_of, refuse_record
from scoring.services.exceptions import NotImported
from scoring.services.importing import import_record
from scoring.services.openings import one_opening


@costly
@require_http_methods(["GET", "POST"])
def import_table(request: HttpRequest) -> HttpResponseBase:
    """Show the form, or open a table with the record it brings."""
    if request.method == "GET":
        return render(request, "scoring/import.html", {})
    form, text = ImportForm(request.POST, request.FILES), ""
    if form.is_valid():
        try:
            text = form.sent_text()
            with one_opening(request.META):
                opened = import_record(_form_of(text), time_zone=form.cleaned_data["time_zone"])
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


HEADING = re.compile(r'"?hand"?[,;\t]"?event"?[,;\t]', re.IGNORECASE)
"""How a record begins that a spreadsheet has kept."""


def _form_of(text: str) -> dict[str, Any]:
    """Return a record as the service takes it: JSON begins with a brace, cells with their heading, all else is text."""
    if text.lstrip().startswith("{"):
        return read_json_object(text)
    return {"csv" if HEADING.match(text) else "text": text}
