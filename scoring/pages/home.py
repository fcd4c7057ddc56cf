"""The front page: start a table, go on with one, look up a game."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from referee.catalogue import all_games, find_game
from scoring.models import Table
from scoring.pages.access import table_or_404
from scoring.pages.device import known_tables
from scoring.queries.access import open_tables
from scoring.queries.ends import is_finished


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A table of this device, as the front page lists it."""

    row: Table
    game: str
    names: str
    finished: bool


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Show the front page."""
    return _home(request)


@require_GET
def find(request: HttpRequest) -> HttpResponseBase:
    """Go to the table of a code that somebody typed."""
    typed = request.GET.get("code", "")[:40]
    try:
        row = table_or_404(request, typed)
    except Http404:
        return _home(request, typed=typed, problem=_("There is no table with this code."), status=404)
    return redirect("scoring:table", code=row.code)


def _home(request: HttpRequest, *, typed: str = "", problem: str = "", status: int = 200) -> HttpResponse:
    rows = open_tables({known.code: known.token for known in known_tables(request)})
    context = {
        "tables": [OwnTable(row, _game_name(row.game), ", ".join(row.seats), is_finished(row)) for row in rows],
        "games": all_games(),
        "typed": typed,
        "problem": problem,
    }
    return render(request, "scoring/home.html", context, status=status)


def _game_name(id: str) -> str:
    game = find_game(id)
    return id if game is None else game.name
