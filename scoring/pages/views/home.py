"""The front page: start a table, go on with one, look up a game."""

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from referee.engine.catalogue import all_games
from scoring.models.table import normal_code
from scoring.pages.device.access import table_or_404
from scoring.pages.device.cookie import renew
from scoring.pages.views.own_tables import own_table
from scoring.queries.access import open_tables
from scoring.queries.clock import listed
from scoring.queries.groups import groups_on
from scoring.services.devices import devices_of, forget_table

ON_A_PAGE = 30
"""Tables of this device on the front page; the rest follows on others."""


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Show the front page."""
    return _home(request)


@require_POST
def forget(request: HttpRequest, code: str) -> HttpResponseBase:
    """Forget a table on this device; the table itself stays, whether there is one or not."""
    response = redirect("scoring:home")
    forget_table(devices_of(request.COOKIES), normal_code(code))
    return response


@require_GET
def find(request: HttpRequest) -> HttpResponseBase:
    """Go to the table of a code that somebody typed."""
    typed = request.GET.get("code", "")[:40]
    try:
        row = table_or_404(request, typed)
    except Http404:
        return _home(request, typed=typed, problem=_("There is no table with this code."), status=404)
    response = redirect("scoring:table", code=row.code)
    renew(request, response, greet=True)
    return response


def _home(request: HttpRequest, *, typed: str = "", problem: str = "", status: int = 200) -> HttpResponse:
    devices = devices_of(request.COOKIES)
    page = Paginator(listed(open_tables(devices)), ON_A_PAGE).get_page(request.GET.get("page"))
    tables = [own_table(row) for row in page]
    context = {
        "running": [table for table in tables if not table.finished],
        "finished": [table for table in tables if table.finished],
        "own": tables,
        "page": page,
        "groups": groups_on(devices),
        "games": all_games(),
        "typed": typed,
        "problem": problem,
    }
    response = render(request, "scoring/home.html", context, status=status)
    renew(request, response)
    return response
