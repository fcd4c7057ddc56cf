"""Opening a table: the players, who deals first, the house rules, and when it ends."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from referee.engine.catalogue import all_games, find_game
from referee.engine.game import Game
from referee.engine.options import Refused
from referee.engine.table import next_dealer
from scoring.models import Table
from scoring.pages.device.access import table_or_404
from scoring.pages.device.cookie import remember
from scoring.pages.device.our_rules import keep_rules, our_rules
from scoring.pages.device.recent_players import groups_for, names_for, recent_groups
from scoring.pages.forms import NewTable, problems_of, refuse, rule_values
from scoring.pages.show.numbers import whole
from scoring.pages.views.group_tables import (
    WhoIsIt,
    group_playing,
    names_in,
    open_in_group,
    table_before,
    unclear_spellings,
)
from scoring.pages.views.table import is_htmx
from scoring.queries.state import standing
from scoring.services.group_access import GroupAdmission
from scoring.services.openings import one_opening
from scoring.services.tables import Opened, create_table

LONGEST_NAME = 60


@require_GET
def choose_game(request: HttpRequest) -> HttpResponse:
    """Let somebody choose the game."""
    return render(request, "scoring/choose_game.html", {"games": all_games()})


REDRAWN = ("look", "preset", "keep", "up")
"""The buttons that open no table: what was chosen is brought in line, or changed as they say."""


@require_http_methods(["GET", "POST"])
def new_table(request: HttpRequest, game: str) -> HttpResponseBase:
    """Show the form of a new table, or open the table it describes."""
    found = find_game(game)
    if found is None:
        raise Http404(_("There is no such game."))
    if request.method != "POST":
        return _page(request, NewTable(found, initial=our_rules(request, found) | _again(request, found)))
    if any(name in request.POST for name in REDRAWN):
        return _redrawn(request, found)
    form = NewTable(found, request.POST, initial={})
    before = table_before(request)
    group = group_playing(request, before)
    if form.is_valid():
        try:
            with one_opening(request.META):
                opened = _open(form, group, before, request.POST)
        except Refused as refused:
            refuse(form, refused.problems)
        except WhoIsIt:
            pass  # the form asks it
        else:
            response = redirect("scoring:table", code=opened.table.code)
            remember(request, response, opened.table, opened.token)
            if is_htmx(request):
                response.status_code, response["HX-Redirect"] = 204, response["Location"]
            return response
    form.refused = True
    return _page(request, form, status=422)


def _open(form: NewTable, group: GroupAdmission | None, before: Table | None, answers: Mapping[str, str]) -> Opened:
    if group is None:
        return create_table(form.described(), after=before)
    return open_in_group(form, group, answers, after=before)


def _redrawn(request: HttpRequest, game: Game) -> HttpResponse:
    """Show the form again with what a button asks for, or with all that follows from what was just chosen."""
    data = request.POST.copy()
    form = NewTable(game, data, initial={})
    chosen: Mapping[str, object] | None = form.chosen()
    if "up" in data:
        move_up(data, whole(request.POST["up"]) or 0)
    else:
        chosen = form.redrawn(request.POST, form.players())
    if chosen is not None:
        form.fill_in(chosen, data)
    form = NewTable(game, data, initial={})
    response = _page(request, form, kept="keep" in data)
    if "keep" in data:
        keep_rules(response, game, form.kept())
    return response


def move_up(data: QueryDict, place: int) -> None:
    """Seat somebody one place earlier; whoever deals still does."""
    names = data.getlist("name")
    if not 0 < place < len(names):
        return
    names[place - 1], names[place] = names[place], names[place - 1]
    data.setlist("name", names)
    moved = {str(place): place - 1, str(place - 1): place}
    dealer = data.get("dealer", "")
    data["dealer"] = str(moved.get(dealer, dealer))


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
    state, kind = standing(row).state, row.end["kind"]
    dealer = next_dealer(state)
    end = {"end": kind, f"end-{kind}": row.end.get("value")}
    return {"name": row.seats, "dealer": dealer, "private": row.private} | end | rule_values(game, state.rules)


def _page(request: HttpRequest, form: NewTable, *, status: int = 200, kept: bool = False) -> HttpResponse:
    game, groups, names = form.game, recent_groups(request), form["name"].value() or []
    seated = [name for name in names if name.strip()]
    before = table_before(request)
    group = group_playing(request, before)
    kept_along = [
        *([] if group is None else [("group", group.group.code)]),
        *([] if before is None else [("after", before.code)]),
    ]
    context = {
        "form": form,
        "problems": problems_of(form) if form.refused else [],
        "sentence": form.sentence(),
        "games": all_games(),
        "named": urlencode([*kept_along, *(("name", name) for name in seated)]),
        "after": before,
        "was": form.was(),
        "ours": bool(our_rules(request, game)),
        "kept": kept,
        "game": game,
        "groups": groups_for(game, groups) if not seated and group is None else [],
        "names": names_for(game, groups if group is None else [names_in(group)], seated, along=kept_along),
        "unclear": [] if group is None or not form.refused else unclear_spellings(group, seated),
        "group": None if group is None else group.group,
        "seats": names,
    }
    response = render(
        request, "scoring/_house.html" if is_htmx(request) else "scoring/new_table.html", context, status=status
    )
    response["Vary"] = "HX-Request"
    return response
