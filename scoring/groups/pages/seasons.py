"""Pages of a group's seasons: standings, champions, attendance, streaks, head-to-head results."""

from fractions import Fraction
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from scoring.groups.acts.groups import evening_of
from scoring.groups.acts.scores import finish_by_time
from scoring.groups.acts.seasons import add_season, change_season, delete_season
from scoring.groups.reads.evenings import game_name
from scoring.groups.reads.groups import people_of
from scoring.groups.reads.seasons import SeasonNow, current_of, season_now, seasons_of
from scoring.models import Season
from scoring.operating.pages.site import looks_back
from scoring.tables.pages.device import member, shows_refusals, visit_group
from scoring.tables.pages.forms import SeasonForm
from scoring.tables.presenters.formats import percent, since_and_until
from scoring.tables.presenters.people import of_group
from scoring.tables.presenters.refusals import Message

MOST_PAIRS = 12


def _list(
    request: HttpRequest,
    code: str,
    *,
    form: SeasonForm | None = None,
    message: Message | None = None,
    status: int = 200,
) -> HttpResponse:
    group, link = visit_group(request, code)
    finish_by_time(group.pk)
    today = evening_of(group)
    seasons = seasons_of(group, today)
    year = {"name": str(today.year), "first": today.replace(month=1, day=1), "last": today.replace(month=12, day=31)}
    context = {
        "group": group,
        "tab": "statistics",
        "manages": link.manages,
        "current": current_of(seasons, today),
        "seasons": seasons,
        "who": of_group(people_of(group)),
        "form": form
        or SeasonForm(initial=(year if not seasons else {"first": today}) | {"ranked_by": group.ranked_by}),
        "spans": {each.season.pk: _span(each) for each in seasons},
        "message": message,
    }
    return render(request, "scoring/group_seasons.html", context, status=status)


@looks_back
@require_http_methods(["GET", "POST"])
@shows_refusals(_list)
def seasons(request: HttpRequest, code: str) -> HttpResponseBase:
    if request.method != "POST":
        return _list(request, code)
    group, _link, caller = member(request, code)
    form = SeasonForm(request.POST)
    if not form.is_valid():
        return _list(request, code, form=form, status=422)
    made = add_season(group.code, form.cleaned_data, caller)
    return redirect("scoring:season", code=group.code, number=made.pk)


def _one(
    request: HttpRequest,
    code: str,
    *,
    form: SeasonForm | None = None,
    message: Message | None = None,
    status: int = 200,
) -> HttpResponse:
    assert request.resolver_match is not None
    group, link = visit_group(request, code)
    season = Season.objects.filter(group=group, pk=request.resolver_match.kwargs["number"]).first()
    if season is None:
        raise Http404
    finish_by_time(group.pk)
    now = season_now(group, season, evening_of(group))
    standings, who = now.standings, of_group(people_of(group))
    met = sorted((each for each in standings.pairs if sum(each.ahead)), key=lambda each: -each.tables)
    initial = {name: getattr(season, name) for name in ("name", "first", "last", "evenings", "ranked_by")}
    context = {
        "group": group,
        "tab": "statistics",
        "manages": link.manages,
        "now": now,
        "span": _span(now),
        "rows": [_row(now, each) | {"who": who[each.person]} for each in standings.people],
        "games": [
            (game, game_name(game)) for game in dict.fromkeys(at.game for each in standings.people for at in each.games)
        ],
        "champions": [who[each.person] for each in now.champions],
        "streak": max(standings.people, key=lambda each: each.best, default=None),
        "pairs": [each for each in met if set(each.people) <= who.keys()][:MOST_PAIRS],
        "who": who,
        "form": form or SeasonForm(initial=initial),
        "message": message,
    }
    return render(request, "scoring/group_season.html", context, status=status)


def _row(now: SeasonNow, each: Any) -> dict[str, Any]:
    days, most = len(now.standings.days), max(one.tally.wins for one in now.standings.people)
    return {
        "season": each,
        "points": {at.game: at.points for at in each.games},
        "bar": float(100 * each.tally.wins / most) if most else 0,
        "attendance": percent(Fraction(each.evenings, days)) if days else "",
    }


def _span(now: SeasonNow) -> str:
    return since_and_until(now.season.first, now.season.last)


@looks_back
@require_http_methods(["GET", "POST"])
@shows_refusals(_one)
def season(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """Show a season; on POST, members change or delete it."""
    if request.method != "POST":
        return _one(request, code)
    group, _link, caller = member(request, code)
    if "delete" in request.POST:
        delete_season(group.code, number, caller)
        return redirect("scoring:seasons", code=group.code)
    form = SeasonForm(request.POST)
    if not form.is_valid():
        return _one(request, code, form=form, status=422)
    change_season(group.code, number, form.cleaned_data, caller)
    return redirect("scoring:season", code=group.code, number=number)
