"""Opening a table: the players, who deals first, the house rules, and when it ends."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from referee.engine.catalogue import all_games, find_game
from referee.engine.game import Game
from referee.engine.options import Refused
from referee.engine.table import next_dealer
from scoring.pages.device.access import table_or_404
from scoring.pages.device.cookie import remember
from scoring.pages.device.recent_players import groups_for, names_for, recent_groups
from scoring.pages.forms import NewTable, problems_of, refuse, rule_values
from scoring.queries.state import standing
from scoring.services.tables import create_table

LONGEST_NAME = 60


@require_GET
def choose_game(request: HttpRequest) -> HttpResponse:
    """Let somebody choose the game."""
    return render(request, "scoring/choose_game.html", {"games": all_games()})


@require_http_methods(["GET", "POST"])
def new_table(request: HttpRequest, game: str) -> HttpResponseBase:
    """Show the form of a new table, or open the table it describes."""
    found = find_game(game)
    if found is None:
        raise Http404(_("There is no such game."))
    if request.method != "POST":
        return _page(request, NewTable(found, initial=_again(request, found)))
    form = NewTable(found, request.POST, initial={})
    if form.is_valid():
        try:
            opened = create_table(form.described())
        except Refused as refused:
            refuse(form, refused.problems)
        else:
            response = redirect("scoring:table", code=opened.table.code)
            remember(request, response, opened.table, opened.token)
            return response
    return _page(request, form, status=422)


def _again(request: HttpRequest, game: Game) -> dict[str, Any]:
    """Return how the form begins: as the table that is to be played again, dealt on, or with the people named."""
    names = [name.strip()[:LONGEST_NAME] for name in request.GET.getlist("name") if name.strip()]
    start = {"name": names[: game.players[-1]]}
    again = request.GET.get("again", "")[:40]
    if not again:
        return start
    try:
        row = table_or_404(request, again)
    except Http404:
        return start
    if row.game != game.id:
        return start
    dealer, kind = next_dealer(standing(row).state), row.end["kind"]
    end = {"end": kind, f"end-{kind}": row.end.get("value")}
    return {"name": row.seats, "dealer": dealer, "private": row.private} | end | rule_values(game, row)


def _page(request: HttpRequest, form: NewTable, *, status: int = 200) -> HttpResponse:
    game, groups, names = form.game, recent_groups(request), form["name"].value() or []
    seated = [name for name in names if name.strip()]
    context = {
        "form": form,
        "problems": problems_of(form),
        "game": game,
        "groups": groups_for(game, groups) if not seated else [],
        "names": names_for(game, groups, seated),
        "seats": names,
    }
    return render(request, "scoring/new_table.html", context, status=status)
