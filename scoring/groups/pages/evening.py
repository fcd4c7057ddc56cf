"""Pages of a group's history, of one evening (live while it goes on) with its recap, and of tonight's rounds."""

from collections import defaultdict
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from referee.engine.game import all_games, find_game
from scoring.groups.acts.evenings import draw_round, seat_latecomer, start_round
from scoring.groups.acts.groups import evening_of
from scoring.groups.pages.group import in_tab
from scoring.groups.presenters import (
    digest_lines,
    evening_curve,
    last_hand,
    picture_of_evening,
    played,
    ranking_of,
    running,
    same_again,
)
from scoring.groups.reads import evenings
from scoring.groups.reads.evenings import digest_of
from scoring.groups.reads.group_tables import (
    NOTHING,
    STATES,
    Wanted,
    cursor_of,
    page_of_tables,
    place_of,
    places_and_tags,
    said_of_evenings,
)
from scoring.groups.reads.groups import games_of, people_of, running_tables
from scoring.groups.reads.tonight import tonight_of
from scoring.models import Group
from scoring.models.fields import LONGEST_GAME
from scoring.models.table import normal_code
from scoring.operating.acts.limits import shared_address
from scoring.operating.pages.environment import url
from scoring.operating.pages.site import looks_back
from scoring.rulings.presenters.disputes import called
from scoring.rulings.reads.disputes import open_disputes
from scoring.tables.acts.opening import ZERO
from scoring.tables.pages.device import fresh_page, member, shows_refusals, visit_group
from scoring.tables.pages.forms import NEWCOMER
from scoring.tables.pages.home import own_table, tile_of
from scoring.tables.pages.score_sheet import picture_file
from scoring.tables.presenters.formats import day as written_day
from scoring.tables.presenters.formats import since_and_until, whole
from scoring.tables.presenters.people import of_group
from scoring.tables.presenters.refusals import Message

ON_A_PAGE = 30
HISTORY = "history"
"""The list to which this page's cursors belong."""


class Search(forms.Form):
    """Filters of the history; invalid values are ignored."""

    game = forms.CharField(max_length=LONGEST_GAME, required=False)
    person = forms.IntegerField(min_value=1, max_value=2**31, required=False)
    first = forms.DateField(required=False)
    last = forms.DateField(required=False)
    state = forms.ChoiceField(choices=[("", ""), *((state, state) for state in STATES)], required=False)
    place = forms.CharField(max_length=100, required=False)
    tag = forms.CharField(max_length=100, required=False)
    q = forms.CharField(max_length=100, required=False)

    def wanted(self) -> Wanted:
        self.is_valid()
        read: dict[str, Any] = {name: value for name, value in self.cleaned_data.items() if value}
        words = " ".join(read.pop("q", "").split())
        return Wanted(words=words, **read)


@looks_back
@require_GET
def history(request: HttpRequest, code: str) -> HttpResponse:
    group, link = visit_group(request, code)
    form = Search(request.GET)
    wanted = form.wanted()
    after = place_of(HISTORY, request.GET.get("cursor", ""))
    page = page_of_tables(group, wanted, after=after or (), most=ON_A_PAGE)
    filters = {name: value for name in form.fields if (value := request.GET.get(name, "")[:LONGEST_GAME])}
    members = people_of(group)
    places, tags = places_and_tags(group)

    def other(**changes: object) -> str:
        return "?" + urlencode({name: value for name, value in (filters | changes).items() if value})

    context = {
        **in_tab("history", group, link),
        "tables": [
            played(table, found=page.found.get(table.row.pk, "")) for table in evenings.tables_shown(group, page.rows)
        ],
        "places": places,
        "tags": tags,
        "games": games_of(group),
        "people": [each.pk for each in members if each.merged_into_id is None],
        "who": of_group(members),
        "wanted": wanted,
        "game": find_game(wanted.game),
        "words": wanted.words,
        "other": other,
        "span": since_and_until(wanted.first, wanted.last),
        "filters": filters,
        "looked": bool(filters),
        "following": urlencode(filters | {"cursor": cursor_of(HISTORY, page.following)}) if page.following else "",
    }
    return render(request, "scoring/group_history.html", context)


@looks_back
@require_GET
def evening(request: HttpRequest, code: str, day: str) -> HttpResponse:
    group, link = visit_group(request, code)
    mark = evenings.group_marks([group.pk])[group.pk]  # read before the data, so that it is never too new
    shown = _evening(group, day)
    before, after = evenings.days_beside(group, shown.day)
    last = shown.tables[-1]
    places, tags = places_and_tags(group)
    live = after is None and (shown.runs or evening_of(group) == shown.day)
    context = {
        **in_tab("now" if live else "history", group, link),
        "evening": shown,
        "played_games": [(game, evenings.game_name(game)) for game in shown.played],
        "live": live,
        "mark": mark,
        "running": list(running(shown.tables, evenings.running_now(shown))),
        "tables": [played(table) for table in shown.tables if not table.runs],
        "curve": evening_curve(shown),
        "winners": [each.who for each in shown.people if each.rank == 1],
        "digest": list(digest_lines(digest_of(group, shown), group.code)) if shown.games else [],
        "games": all_games(),
        "said": said_of_evenings(group, shown.day).get(shown.day, NOTHING),
        "places": places,
        "tags": tags,
        "again": same_again(group, last),
        "before": before,
        "after": after,
        "address": shared_address(request, url("scoring:evening", group.code, shown.day.isoformat())),
        "title": f"{group.name}, {written_day(shown.day)}",
        "ranking": ranking_of(shown, group.ranked_by),
    }
    return fresh_page(request, "scoring/group_evening.html", context, fragment=True)


@looks_back
@require_GET
def evening_digest(request: HttpRequest, code: str, day: str) -> HttpResponse:
    """Show the recap of an evening; 404 until a game is over."""
    group, link = visit_group(request, code)
    shown = _evening(group, day)
    if not shown.games:
        raise Http404(_("There is a recap once a game is over."))
    digest = digest_of(group, shown)
    context = {
        **in_tab("history", group, link),
        "evening": shown,
        "winners": () if shown.runs else digest.winners,
        "digest": list(digest_lines(digest, group.code, rulings=True)),
        "games": [(played(table), last_hand(table)) for table in shown.over],
        "curve": evening_curve(shown),
        "said": said_of_evenings(group, shown.day).get(shown.day, NOTHING),
        "address": shared_address(request, url("scoring:evening-digest", group.code, shown.day.isoformat())),
        "title": f"{group.name}, {written_day(shown.day)}",
        "ranking": ranking_of(shown, group.ranked_by),
    }
    return fresh_page(request, "scoring/evening_digest.html", context)


@looks_back
@require_GET
def evening_picture(request: HttpRequest, code: str, day: str) -> HttpResponse:
    group, _link = visit_group(request, code)
    shown = _evening(group, day)
    if not shown.games:
        raise Http404(_("You can get a picture once a game is over."))
    said = said_of_evenings(group, shown.day).get(shown.day, NOTHING)
    picture = picture_of_evening(group, shown, digest_of(group, shown), said.note, written_day(shown.day))
    return picture_file(picture, f"{group.code}-{shown.day.isoformat()}.svg")


def _evening(group: Group, day: str) -> evenings.Evening:
    """Return an evening of a group. Raises ``Http404`` if nothing was played on that day."""
    shown = evenings.evening_on(group, day)
    if shown is None:
        raise Http404
    return shown


# --- *Who is here tonight?*: choosing people, the drawn tables, and all tables on one screen


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
        **in_tab("now", group, link),
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
    }
    return fresh_page(request, "scoring/group_screen.html", context, fragment=True)
