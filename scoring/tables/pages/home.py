"""The front page: continue a table, start one, look up a game."""

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from referee.engine.game import all_games, find_game
from referee.engine.rules import Refused
from scoring.groups.reads.groups import GroupOnDevice, groups_at_a_glance, groups_on, loose_tables, running_on
from scoring.models import Table
from scoring.models.table import normal_code
from scoring.tables.acts.access import devices_of, forget_table
from scoring.tables.pages.device import renew, table_or_404
from scoring.tables.presenters.board import board, outcome
from scoring.tables.presenters.cards import Shown, faces_of
from scoring.tables.presenters.formats import listed, number, words_of, written
from scoring.tables.presenters.people import at_table, of_group
from scoring.tables.reads import state
from scoring.tables.reads.page_facts import page_facts
from scoring.tables.reads.results import goes_on, totals_shown
from scoring.tables.reads.rules import name_of
from scoring.tables.reads.state import Standing, now, standing
from scoring.wording import filled

# --- Tables in lists: game, players, and progress


def own_table(row: Table) -> dict[str, Any]:
    """Describe a table for a list; only by its names if the game is unknown.

    ``stands`` is its progress and leader, or its winner and visible scores.
    """
    game, names = find_game(row.game), ", ".join(row.seats)
    shown = {"row": row, "game": row.game if game is None else name_of(game), "names": names, "people": at_table(row)}
    try:
        at = now(standing(row))
    except Refused:
        return shown | {"stands": "", "finished": row.finished}
    totals = totals_shown(at)
    if not at.state.finished():
        with words_of(game):
            return shown | {"stands": _how_it_runs(at, totals), "finished": False, "at": at}
    scores = names
    if totals is not None:
        pairs = zip(at.names, totals, strict=True)
        scores = " · ".join(f"{name}\N{NO-BREAK SPACE}{number(total)}" for name, total in pairs)
    stands = f"{outcome(at, goes_on=goes_on(row), shown=totals is not None)} {scores}"
    return shown | {"stands": stands, "finished": True}


def _how_it_runs(at: Standing, totals: Any) -> str:
    hand = filled(_("Hand {number}"), number=1 if at.hand is None else at.hand.setup.index + 1)
    first = at.state.rules.ahead(totals) if totals is not None and len(set(totals)) > 1 else ()
    if not first:
        return hand
    names = listed(at.names[seat] for seat in first)
    return f"{hand} · " + filled(ngettext("{names} leads", "{names} lead", len(first)), names=names)


MOST_CARDS = 3
"""Number of a trick's cards that a tile shows: the last ones, including the winning one."""


def tile_of(at: Standing) -> Shown:
    """Present the latest table: current trick, scores, and whose turn it is."""
    with words_of(at.rules.game):
        shown, hand = board(at, page_facts(at)), _("Hand {number}")
    plays = [(face, seat.ahead) for seat in shown.seats if seat.play for face in seat.play.cards[:1]]
    first = [each for each in plays if not each[1]][: MOST_CARDS - 1]
    acting = [seat for seat in shown.seats if seat.acting]
    return Shown(
        row=at.row,
        game=name_of(shown.game),
        stands=filled(hand, number=shown.number) + f" · {shown.goal}",
        cards=(*first, *[each for each in plays if each[1]][:1]),
        seats=shown.seats,
        turn=filled(_("{name}’s turn"), name=acting[0].name) if len(acting) == 1 else "",
    )


MOST_PEOPLE = 5


def group_shown(found: GroupOnDevice) -> Shown:
    """Present a group in a list, with a line about its latest evening and some of its people."""
    somebody = tuple(of_group(found.people).values())[:MOST_PEOPLE]
    line = filled(ngettext("{number} person", "{number} people", len(found.people)), number=len(found.people))
    if found.tonight:
        line = ngettext("Tonight: {number} game", "Tonight: {number} games", found.tonight)
        line = filled(line, number=found.tonight)
        if len(found.leaders) == 1:
            line = filled(_("{tonight}, {name} leads"), tonight=line, name=found.leaders[0])
    elif found.last:
        line = filled(_("Last played {day}"), day=written(found.last))
    return Shown(code=found.group.code, name=found.group.name, line=line, people=somebody)


ON_A_PAGE = 30
"""Finished tables per page."""
MOST_RUNNING = 30
BEFORE_START = 3
"""Number of running tables listed above *Start a game*."""
HERO = ("6SY", "XS", "4MS")
"""A sample trick shown to new visitors, won by the Crown of Suns."""


@require_POST
def forget(request: HttpRequest, code: str) -> HttpResponseBase:
    """Remove a table from this device; the table itself is kept."""
    response = redirect("scoring:home")
    forget_table(devices_of(request.COOKIES), normal_code(code))
    return response


@require_GET
def find(request: HttpRequest) -> HttpResponseBase:
    """Go to the table with the code that was typed."""
    typed = request.GET.get("code", "")[:40]
    try:
        row = table_or_404(request, typed)
    except Http404:
        return home(request, typed=typed, problem=_("There is no table with this code."), status=404)
    response = redirect("scoring:table", code=row.code)
    renew(request, response, greet=True)
    return response


@require_GET
def home(request: HttpRequest, *, typed: str = "", problem: str = "", status: int = 200) -> HttpResponse:
    devices = devices_of(request.COOKIES)
    groups = list(groups_on(devices))
    running = [own_table(row) for row in state.listed(running_on(devices, groups))[:MOST_RUNNING]]
    over = state.listed(loose_tables(devices, groups).filter(finished=True))
    page = Paginator(over, ON_A_PAGE).get_page(request.GET.get("page"))
    finished = [own_table(row) for row in page]
    # A time limit may have ended a running table between two hands.
    finished = [each for each in running if each["finished"]] + finished
    running = [each for each in running if not each["finished"]]
    tile = tile_of(running[0]["at"]) if running and "at" in running[0] else None
    rest = running[1:] if tile else running
    here = BEFORE_START - 1 if tile else BEFORE_START
    decktet = find_game("ace-trump")
    context: dict[str, object] = {
        "newcomer": not running and not finished and not groups,
        "hero": () if decktet is None else faces_of(HERO, decktet.rules({}, decktet.players[0]).pack),
        "tile": tile,
        "running": rest[:here],
        "more": rest[here:],
        "groups": [group_shown(each) for each in groups_at_a_glance(groups)],
        "finished": finished,
        "own": [*running, *finished],
        "page": page,
        "paged": "page" in request.GET,
        "games": all_games(),
        "typed": typed,
        "problem": problem,
    }
    response = render(request, "scoring/home.html", context, status=status)
    renew(request, response)
    return response
