"""Importing a record: a file or a text, judged whole, becomes a table."""

import re

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from referee.api.parsers import read_object
from referee.engine.describing import describe_reason
from referee.engine.options import Problem, Refused
from scoring.pages.costly import costly
from scoring.pages.device.cookie import remember
from scoring.pages.forms import LARGEST, ImportForm, problems_of, refuse_record
from scoring.pages.show.translation import PAGE_LANGUAGE
from scoring.services.exceptions import NotImported
from scoring.services.importing import import_record
from scoring.services.openings import one_opening
from scoring.services.tables import Opened


@costly
@require_http_methods(["GET", "POST"])
def import_table(request: HttpRequest) -> HttpResponseBase:
    """Show the form, or open a table with the record it brings."""
    if request.method == "GET":
        return render(request, "scoring/import.html", {})
    form, body = ImportForm(request.POST, request.FILES), b""
    if form.is_valid():
        body = form.body()
        try:
            with one_opening(request.META):
                opened = open_with(body)
        except Refused as refused:
            refuse_record(form, refused.problems)
        except NotImported as why:
            reason = why.ruling.reason
            assert reason is not None, "an event is refused with a reason"
            refusal = describe_reason(reason, why.record.seats, PAGE_LANGUAGE)
            refuse_record(form, [Problem(why.where, refusal["code"], refusal["text"])])
        else:
            response = redirect("scoring:table", code=opened.table.code)
            remember(request, response, opened.table, opened.token)
            return response
    context = {"problems": problems_of(form), "text": body[:LARGEST].decode(errors="replace")}
    return render(request, "scoring/import.html", context, status=422)


HEADING = re.compile(r'"?hand"?[,;\t]"?event"?[,;\t]', re.IGNORECASE)
"""How a record begins that a spreadsheet has kept."""


def open_with(body: bytes) -> Opened:
    """Open a table with a record: as JSON where it begins with a brace, as cells below their heading, else as text."""
    if len(body) > LARGEST:
        raise Refused([Problem("", "too-large", _("This record is too large."))])
    if body.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return import_record(read_object(body))
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused([Problem("", "bad-text", _("This file is no text in UTF-8."))]) from None
    if HEADING.match(text):
        return import_record({"csv": text})
    return import_record({"text": text.replace("\r\n", "\n")})
