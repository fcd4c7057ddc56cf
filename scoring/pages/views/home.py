"""The front page: start a table, go on with one, look up a game."""

from dataclasses import dataclass

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from referee.engine.catalogue import all_games, find_game
from referee.engine.options import Refused
from scoring.models import Table
from scoring.models.table import normal_code
from scoring.pages.device.access import table_or_404
from scoring.pages.device.cookie import renew
from scoring.pages.show.numbers import number
from scoring.queries.access import open_tables
from scoring.queries.clock import listed, standing_now
from scoring.queries.points import totals_shown
from scoring.queries.state import Standing
from scoring.services.devices import devices_of, forget_table

ON_A_PAGE = 30
"""Tables of this device on the front page; the rest follows on others."""


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A table of this device, as the front page lists it."""

    row: Table
    game: str
    names: str
    stands: str
    finished: bool


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
    page = Paginator(listed(open_tables(devices_of(request.COOKIES))), ON_A_PAGE).get_page(request.GET.get("page"))
    tables = [_own_table(row) for row in page]
    context = {
        "running": [table for table in tables if not table.finished],
        "finished": [table for table in tables if table.finished],
        "own": tables,
        "page": page,
        "games": all_games(),
        "typed": typed,
        "problem": problem,
    }
    response = render(request, "scoring/home.html", context, status=status)
    renew(request, response)
    return response


def _own_table(row: Table) -> OwnTable:
    """Return a table as the front page lists it; of a game that is not installed no more than its names is known."""
    names = ", ".join(row.seats)
    try:
        at = standing_now(row)
    except Refused:
        return OwnTable(row, _game_name(row.game), names, "", row.finished)
    return OwnTable(row, _game_name(row.game), names, _stands(at), at.state.finished())


def _stands(at: Standing) -> str:
    """Say how a table stands: the hand and the scores as far as they may be shown, or who won."""
    totals = totals_shown(at)
    scores = ", ".join(at.names)
    if totals is not None:
        pairs = zip(at.names, totals, strict=True)
        scores = " · ".join(f"{name}\N{NO-BREAK SPACE}{number(total)}" for name, total in pairs)
    if not at.state.finished():
        hand = 1 if at.hand is None else at.hand.setup.index + 1
        running = _("Hand {number}").format(number=hand)
        return f"{running}: {scores}"
    winners = " & ".join(at.names[seat] for seat in at.state.winners())
    over = ngettext("{names} wins.", "{names} win.", len(at.state.winners())).format(names=winners)
    return f"{over} {scores}"


def _game_name(id: str) -> str:
    game = find_game(id)
    return id if game is None else game.name
