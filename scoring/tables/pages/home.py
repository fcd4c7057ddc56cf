"""The front page: start a table, go on with one, look up a game."""

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from referee.engine.game import all_games, find_game
from referee.engine.rules import Refused
from scoring.groups.reads.groups import LOOSE, chosen_tab, finished_tables, loose_tables, running_tables, tabs_of
from scoring.models import Table
from scoring.models.table import normal_code
from scoring.tables.acts.access import devices_of, forget_table
from scoring.tables.pages.device import renew, table_or_404
from scoring.tables.presenters.board import outcome
from scoring.tables.presenters.formats import number
from scoring.tables.reads.results import goes_on, totals_shown
from scoring.tables.reads.state import listed, standing_now

# --- Tables in a list: what is played there, by whom, and how it stands


def own_table(row: Table) -> dict[str, Any]:
    """Return a table as a list shows it; of a game that is not installed no more than its names is known.

    How it ``stands``: the hand and the scores as far as they may be shown, or who won.
    """
    game = find_game(row.game)
    shown = {"row": row, "game": row.game if game is None else game.name, "names": ", ".join(row.seats)}
    try:
        at = standing_now(row)
    except Refused:
        return shown | {"stands": "", "finished": row.finished}
    totals, finished = totals_shown(at), at.state.finished()
    scores = ", ".join(at.names)
    if totals is not None:
        pairs = zip(at.names, totals, strict=True)
        scores = " · ".join(f"{name}\N{NO-BREAK SPACE}{number(total)}" for name, total in pairs)
    if finished:
        stands = f"{outcome(at, goes_on=goes_on(row), shown=totals is not None)} {scores}"
    else:
        hand = _("Hand {number}").format(number=1 if at.hand is None else at.hand.setup.index + 1)
        stands = f"{hand}: {scores}"
    return shown | {"stands": stands, "finished": finished}


ON_A_PAGE = 30
"""Loose tables of this device on the front page; the rest follows on others."""
OF_A_GROUP = 5
"""Tables of a group there that are over; the rest stands in its history."""


@require_GET
def home(request: HttpRequest) -> HttpResponse:
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
    tabs = tabs_of(devices)
    wanted = LOOSE if "page" in request.GET else request.GET.get("tab", "")
    tab = chosen_tab(tabs, wanted if wanted == LOOSE else normal_code(wanted[:40]))
    context: dict[str, object] = {
        "tabs": tabs if len(tabs) > 1 else [],
        "tab": tab,
        "group": tab.group,
        "games": all_games(),
        "typed": typed,
        "problem": problem,
    }
    if tab.group:
        running, over = running_tables(tab.group), listed(finished_tables(tab.group))[:OF_A_GROUP]
        context |= {"running": list(map(own_table, running)), "finished": list(map(own_table, over))}
    else:
        groups = [tab.group for tab in tabs if tab.group]
        page = Paginator(listed(loose_tables(devices, groups)), ON_A_PAGE).get_page(request.GET.get("page"))
        own = [own_table(row) for row in page]
        context |= {
            "running": [each for each in own if not each["finished"]],
            "finished": [each for each in own if each["finished"]],
            "own": own,
            "page": page,
        }
    response = render(request, "scoring/home.html", context, status=status)
    renew(request, response)
    return response
