"""Going on with other people: who leaves, who comes, and what a newcomer begins with."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from referee.engine.options import Refused
from scoring.models import Table
from scoring.pages.device.access import caller_of, visit
from scoring.pages.device.cookie import remember
from scoring.pages.forms import NextTable, problems_of, refuse
from scoring.pages.show.refusals import Message, not_allowed, not_done
from scoring.queries.clock import standing_now
from scoring.queries.points import totals_shown
from scoring.queries.returning import who_left
from scoring.queries.rules import game_of
from scoring.services import continuing
from scoring.services.exceptions import NotDone

LONGEST_NAME = 60


@require_http_methods(["GET", "POST"])
def continue_table(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show who sits at the table, to be changed; or open the table that follows."""
    row, link, _known = visit(request, code)
    caller = caller_of(request, link, keeping=True)
    if caller is None:
        return _page(request, row, message=not_allowed(), status=403)
    if request.method == "GET":
        return _page(request, row)
    form = NextTable(request.POST)
    if not form.is_valid():
        return _page(request, row, form, status=422)
    try:
        opened = continuing.continue_table(row.code, form.described(), caller)
    except Refused as refused:
        refuse(form, refused.problems)
        return _page(request, row, form, status=422)
    except NotDone as why:
        return _page(request, row, form, message=not_done(why), status=409)
    response = redirect("scoring:table", code=opened.table.code)
    remember(request, response, opened.table, opened.token)
    return response


def _page(
    request: HttpRequest,
    row: Table,
    form: NextTable | None = None,
    *,
    message: Message | None = None,
    status: int = 200,
) -> HttpResponse:
    game, totals = game_of(row), totals_shown(standing_now(row))
    back = [name.strip()[:LONGEST_NAME] for name in request.GET.getlist("name")]
    form = form or NextTable(initial={"name": [*row.seats, *back][: max(game.players)]})
    names: Sequence[str] = form["name"].value()
    made: Mapping[str, int] = dict(zip(row.seats, totals, strict=True)) if totals is not None else {}
    context = {
        "table": row,
        "game": game,
        "form": form,
        "problems": problems_of(form),
        "names": names,
        "made": made,
        "left": [] if status == 403 else [each for each in who_left(row) if each.name not in names],
        "hidden": totals is None,
        "along": urlencode([("name", name) for name in back]),
        "places": max(game.players[-1], len(names)),
        "message": message,
        "allowed": status != 403,
    }
    return render(request, "scoring/continue.html", context, status=status)
