"""Going on with other people: who leaves, who comes, and what a newcomer begins with."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from referee.engine.options import Refused
from scoring.models import Table
from scoring.pages.device.access import caller_of, visit
from scoring.pages.device.cookie import remember
from scoring.pages.show.refusals import Message, not_allowed, not_done
from scoring.pages.show.translation import rendered
from scoring.queries.clock import standing_now
from scoring.queries.points import totals_shown
from scoring.queries.rules import game_of
from scoring.services import continuing
from scoring.services.continuing import LOWEST, ZERO
from scoring.services.exceptions import NotDone


@require_http_methods(["GET", "POST"])
def continue_table(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show who sits at the table, to be changed; or open the table that follows."""
    row, link, _known = visit(request, code)
    caller = caller_of(request, link, keeping=True)
    if caller is None:
        return _form(request, row, list(row.seats), message=not_allowed(), status=403)
    if request.method == "GET":
        return _form(request, row, list(row.seats))
    data = _read(request.POST)
    try:
        opened = continuing.continue_table(row.code, data, caller)
    except Refused as refused:
        return _form(request, row, data["seats"], problems=rendered(refused.problems), status=422)
    except NotDone as why:
        return _form(request, row, data["seats"], message=not_done(why), status=409)
    response = redirect("scoring:table", code=opened.table.code)
    remember(request, response, opened.table, opened.token)
    return response


def _read(posted: Any) -> dict[str, Any]:
    names = [name.strip() for name in posted.getlist("name")]
    return {
        "seats": [name for name in names if name],
        "newcomer": LOWEST if posted.get("newcomer") == LOWEST else ZERO,
    }


def _form(
    request: HttpRequest,
    row: Table,
    names: Sequence[str],
    *,
    problems: Sequence[str] = (),
    message: Message | None = None,
    status: int = 200,
) -> HttpResponse:
    game, totals = game_of(row), totals_shown(standing_now(row))
    made: Mapping[str, int] = dict(zip(row.seats, totals, strict=True)) if totals is not None else {}
    most = max(game.players[-1], len(names))
    places = [
        (i, names[i] if i < len(names) else "", made.get(names[i]) if i < len(names) else None) for i in range(most)
    ]
    context = {
        "table": row,
        "game": game,
        "places": places,
        "problems": problems,
        "message": message,
        "allowed": status != 403,
        "newcomer": request.POST.get("newcomer", ZERO),
    }
    return render(request, "scoring/continue.html", context, status=status)
