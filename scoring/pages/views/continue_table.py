"""Going on with other people: who leaves, who comes, and what a newcomer begins with."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from referee.engine.options import Refused
from referee.engine.reader import as_seen
from scoring.models import Table
from scoring.pages.device.access import caller_of, visit
from scoring.pages.device.cookie import remember
from scoring.pages.forms import NextTable, refuse
from scoring.pages.show.refusals import Message, not_allowed, not_done
from scoring.pages.views.group_tables import WhoIsIt, group_of, seated_at, unclear_spellings, with_people
from scoring.queries.clock import standing_now
from scoring.queries.points import totals_shown
from scoring.queries.returning import former_players
from scoring.queries.rules import game_of
from scoring.services import continuing
from scoring.services.deadlocks import past_deadlocks
from scoring.services.exceptions import NotDone
from scoring.services.group_access import GroupAdmission
from scoring.services.keys import Caller
from scoring.services.tables import Opened

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
    form = NextTable(game_of(row), request.POST)
    if not form.is_valid():
        return _page(request, row, form, status=422)
    group = group_of(request, row)
    try:
        opened = _go_on(row, form.described(), group, request.POST, caller)
    except WhoIsIt:
        return _page(request, row, form, group, status=422)
    except Refused as refused:
        form = form.with_rules(standing_now(row).rules, refused.problems)
        refuse(form, refused.problems)
        return _page(request, row, form, status=422)
    except NotDone as why:
        return _page(request, row, form, message=not_done(why), status=409)
    response = redirect("scoring:table", code=opened.table.code)
    remember(request, response, opened.table, opened.token)
    return response


@past_deadlocks
@transaction.atomic
def _go_on(
    row: Table, described: dict[str, object], group: GroupAdmission | None, answers: Mapping[str, str], caller: Caller
) -> Opened:
    """Open the table that follows; who comes to one of a group becomes one of its people, as at a new table."""
    if group is not None:
        described = with_people(described, group, answers, seated_at(row))
    return continuing.continue_table(row.code, described, caller)


def _newcomers(row: Table, names: Sequence[str]) -> list[str]:
    seated = seated_at(row)
    return [name for name in names if name and as_seen(name) not in seated]


def _page(
    request: HttpRequest,
    row: Table,
    form: NextTable | None = None,
    asking: GroupAdmission | None = None,
    *,
    message: Message | None = None,
    status: int = 200,
) -> HttpResponse:
    at = standing_now(row)
    game, totals = game_of(row), totals_shown(at)
    back = [name.strip()[:LONGEST_NAME] for name in request.GET.getlist("name")]
    form = form or NextTable(game, initial={"name": [*row.seats, *back][: max(game.players)]})
    names: Sequence[str] = form["name"].value()
    came, seen = continuing.by_name(names, row.seats), {as_seen(name) for name in names}
    context = {
        "table": row,
        "game": game,
        "form": form,
        "problems": [str(text) for texts in form.errors.values() for text in texts],
        "course": bool(game.course(at.rules)),
        "names": names,
        "made": [None if seat is None or totals is None else totals[seat] for seat in came],
        "left": [] if status == 403 else [each for each in former_players(row) if as_seen(each.name) not in seen],
        "hidden": totals is None,
        "along": urlencode([("name", name) for name in back]),
        "places": max(game.players[-1], len(names)),
        "message": message,
        "unclear": [] if asking is None else unclear_spellings(asking, _newcomers(row, names), request.POST),
        "asks_now": True,
        "allowed": status != 403,
    }
    return render(request, "scoring/continue.html", context, status=status)
