"""Pages of *Who is here tonight?*: choosing people, the drawn tables, and all tables on one screen."""

from collections import defaultdict

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from referee.engine.game import all_games, find_game
from scoring.groups.acts.groups import evening_of
from scoring.groups.acts.tonight import draw_round, seat_latecomer, start_round
from scoring.groups.reads.groups import people_of, running_tables
from scoring.groups.reads.tonight import tonight_of
from scoring.models.table import normal_code
from scoring.rulings.presenters.disputes import called
from scoring.rulings.reads.disputes import open_disputes
from scoring.tables.acts.opening import ZERO
from scoring.tables.pages.device import fresh_page, member, shows_refusals, visit_group
from scoring.tables.pages.forms import NEWCOMER
from scoring.tables.pages.home import own_table, tile_of
from scoring.tables.presenters.formats import whole
from scoring.tables.presenters.people import of_group
from scoring.tables.presenters.refusals import Message


def _page(request: HttpRequest, code: str, *, message: Message | None = None, status: int = 200) -> HttpResponse:
    group, link = visit_group(request, code)
    now = tonight_of(group, evening_of(group))
    who = of_group(people_of(group))
    ticked = {*map(whole, request.POST.getlist("here"))} if "here" in request.POST and message else None
    running = defaultdict[str, list[object]](list)
    for each in now.people:
        if each.plays:
            running[each.plays].append(who[each.person])
    draw = now.draw
    game = request.POST.get("game", draw.game if draw is not None else "")
    context = {
        "group": group,
        "tab": "now",
        "manages": link.manages,
        "now": now,
        "who": who,
        "ticked": {each.person for each in now.people if each.here and not each.plays} if ticked is None else ticked,
        "running": running,
        "game": game,
        "chosen": find_game(game),
        "by_rating": draw is not None and draw.by_rating,
        "games": all_games(),
        "gone": {person for table in (now.drawn.tables if now.drawn else ()) for person in table} - who.keys(),
        "begins": NEWCOMER,
        "message": message,
    }
    return render(request, "scoring/group_tonight.html", context, status=status)


@require_http_methods(["GET", "POST"])
@shows_refusals(_page)
def tonight(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show who is here; on POST, members draw or start tables, or seat a latecomer."""
    if request.method != "POST":
        return _page(request, code)
    group, link, caller = member(request, code)
    if "start" in request.POST:
        start_round(group.code, link, caller, games=_games(request))
        return redirect("scoring:group-screen", code=group.code)
    if "join" in request.POST:
        person, _colon, table = request.POST["join"].partition(":")
        begins = request.POST.get("newcomer", ZERO)
        row = seat_latecomer(group.code, normal_code(table), whole(person) or 0, link, caller, newcomer=begins)
        return redirect("scoring:table", code=row.code)
    people = [number for number in map(whole, request.POST.getlist("here")) if number is not None]
    game = find_game(request.POST.get("game", ""))
    draw_round(group.code, people, caller, game="" if game is None else game.id, by_rating="by_rating" in request.POST)
    return redirect("scoring:tonight", code=group.code)


def _games(request: HttpRequest) -> list[str]:
    """Return the game chosen for each table; an unknown one is empty and opens no table."""
    chosen = list[str]()
    while f"game-{len(chosen)}" in request.POST:
        game = find_game(request.POST[f"game-{len(chosen)}"])
        chosen.append("" if game is None else game.id)
    return chosen


@require_GET
def screen(request: HttpRequest, code: str) -> HttpResponse:
    """Show all running tables live: scores, whose turn it is, and calls for the referee."""
    group, _link = visit_group(request, code)
    tables = [each for each in map(own_table, running_tables(group)) if "at" in each]
    context = {
        "group": group,
        "tiles": [(tile_of(each["at"]), called(open_disputes(each["row"]), each["row"].seats)) for each in tables],
        "evening": evening_of(group),
    }
    return fresh_page(request, "scoring/group_screen.html", context, fragment="scoring/_group_screen.html")
