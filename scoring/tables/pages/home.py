"""The front page: start a table, go on with one, look up a game."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from referee.engine.game import all_games, find_game
from referee.engine.rules import Refused
from scoring.groups.reads.groups import LOOSE, Tab, chosen_tab, finished_tables, loose_tables, running_tables, tabs_of
from scoring.models import Table
from scoring.models.table import normal_code
from scoring.tables.acts.access import devices_of, forget_table
from scoring.tables.pages.device import renew, table_or_404
from scoring.tables.presenters.board import outcome
from scoring.tables.presenters.formats import number
from scoring.tables.reads.results import goes_on, totals_shown
from scoring.tables.reads.state import Standing, listed, standing_now

# --- Tables in a list: what is played there, by whom, and how it stands


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A table as a list shows it."""

    row: Table
    game: str
    names: str
    stands: str
    finished: bool


def own_table(row: Table) -> OwnTable:
    """Return a table as a list shows it; of a game that is not installed no more than its names is known."""
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
    return f"{outcome(at, goes_on=goes_on(at.row), shown=totals is not None)} {scores}"


def _game_name(id: str) -> str:
    game = find_game(id)
    return id if game is None else game.name


ON_A_PAGE = 30
"""Loose tables of this device on the front page; the rest follows on others."""
OF_A_GROUP = 5
"""Tables of a group there that are over; the rest stands in its history."""


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
    tabs = tabs_of(devices)
    tab = chosen_tab(tabs, LOOSE if "page" in request.GET else normal_tab(request.GET.get("tab", "")))
    context = {
        "tabs": tabs if len(tabs) > 1 else [],
        "tab": tab,
        "group": tab.group,
        "games": all_games(),
        "typed": typed,
        "problem": problem,
        **(_of_group(tab) if tab.group else _loose(request, tabs)),
    }
    response = render(request, "scoring/home.html", context, status=status)
    renew(request, response)
    return response


def normal_tab(typed: str) -> str:
    """Return the key of a tab, however the code of its group was typed."""
    return typed if typed == LOOSE else normal_code(typed[:40])


def _of_group(tab: Tab) -> dict[str, object]:
    assert tab.group is not None
    running = [own_table(row) for row in running_tables(tab.group)]
    over = [own_table(row) for row in listed(finished_tables(tab.group))[:OF_A_GROUP]]
    return {"running": running, "finished": over, "own": [], "page": None}


def _loose(request: HttpRequest, tabs: Sequence[Tab]) -> dict[str, object]:
    groups = [tab.group for tab in tabs if tab.group]
    rows = listed(loose_tables(devices_of(request.COOKIES), groups))
    page = Paginator(rows, ON_A_PAGE).get_page(request.GET.get("page"))
    tables = [own_table(row) for row in page]
    return {
        "running": [table for table in tables if not table.finished],
        "finished": [table for table in tables if table.finished],
        "own": tables,
        "page": page,
    }
