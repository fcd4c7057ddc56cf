"""Opening a table with a link, whose token no log of any server has.

It stands behind the hash of the address, which a browser sends to nobody; the page sends it on as a form, and where
there are no scripts, whoever opens it pastes the link.
"""

import re

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.models.table import normal_code
from scoring.pages.device.access import join

BEFORE_TOKEN = re.compile(r"#|\?token=")


@require_http_methods(["GET", "POST"])
def join_table(request: HttpRequest, code: str) -> HttpResponseBase:
    """Ask for a link to a table, or open the table on this device with the one that was given."""
    if request.method != "POST":
        return _page(request, code)
    token = BEFORE_TOKEN.split(request.POST.get("token", ""))[-1].strip()
    try:
        return join(request, code, token)
    except Http404:
        return _page(request, code, problem=_("This link opens nothing, or it was cancelled."))


def _page(request: HttpRequest, code: str, *, problem: str = "") -> HttpResponse:
    """Show the form. Whether there is such a table, nobody is told."""
    context = {"code": normal_code(code) or "-", "problem": problem}
    response = render(request, "scoring/table_join.html", context, status=404 if problem else 200)
    response["Cache-Control"] = "no-store"
    return response
