"""Pages of the statistics of a group and of one of its people, and of its seasons."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods

from referee.engine.game import find_game
from scoring.groups.acts.evenings import add_season, change_season, delete_season
from scoring.groups.acts.groups import evening_of
from scoring.groups.acts.scores import finish_by_time
from scoring.groups.pages.group import in_tab
from scoring.groups.reads.charts import (
    NEW,
    Course,
    Ratings,
    course_of,
    distributions,
    evenly,
    most_played,
    rating_curves,
    two_people,
)
from scoring.groups.reads.evenings import game_name
from scoring.groups.reads.group_tables import Chosen, people_counted
from scoring.groups.reads.groups import games_of, people_of
from scoring.groups.reads.seasons import SeasonNow, season_now, seasons_of, trophies_of
from scoring.groups.reads.statistics import BestFeat, BestHand, Pair, PersonStatistics, Statistics, statistics_of
from scoring.models import Group, Season
from scoring.models.fields import LONGEST_GAME
from scoring.models.table import evening_now
from scoring.operating.pages.environment import url
from scoring.operating.pages.site import looks_back
from scoring.tables.pages.device import member, shows_refusals, visit_group
from scoring.tables.pages.forms import SeasonForm
from scoring.tables.presenters.curves import Curve, bars, discs, draw
from scoring.tables.presenters.formats import decimal, listed, number, part_of_wins, percent, since_and_until, words_of
from scoring.tables.presenters.people import Somebody, of_group
from scoring.tables.presenters.refusals import Message
from scoring.tables.reads.rules import name_of
from scoring.wording import filled

MOST_PAIRS = 12
MOST_LINES = 8
"""Most lines in the rating chart that can be told apart."""
MOST_POINTS = 24
"""Data points per line of the rating chart, besides the start."""


class Choice(forms.Form):
    """Filters of the statistics; invalid values are ignored."""

    game = forms.CharField(max_length=LONGEST_GAME, required=False)
    first = forms.DateField(required=False)
    last = forms.DateField(required=False)

    def chosen(self) -> Chosen:
        self.is_valid()
        read: dict[str, Any] = self.cleaned_data
        game = find_game(read.get("game") or "")
        return Chosen(game="" if game is None else game.key, first=read.get("first"), last=read.get("last"))


Who = Mapping[int, Somebody]
Show = Callable[[Group, Chosen, Who], dict[str, Any]]


def looked_at(request: HttpRequest, code: str, template: str, tab: str, show: Show) -> HttpResponse:
    group, link = visit_group(request, code)
    chosen = Choice(request.GET).chosen()
    finish_by_time(group.pk)
    members = people_of(group)
    who, today = of_group(members), evening_now(group.zone)
    game = find_game(chosen.game) if chosen.game else None
    context = {
        **in_tab("statistics", group, link),
        "part": tab,
        "games": games_of(group),
        "game": game,
        "chosen": chosen,
        "span": since_and_until(chosen.first, chosen.last),
        "days": query(first=chosen.first, last=chosen.last),
        "query": query(game=chosen.game, first=chosen.first, last=chosen.last),
        "revokes": group.counts_revokes,
        "who": who,
        "people": [each.pk for each in members if each.merged_into_id is None],
        "spans": [
            (_("All evenings"), ""),
            (_("This year"), query(first=today.replace(month=1, day=1))),
            (_("The last three months"), query(first=today - timedelta(days=91))),
        ],
    }
    with words_of(game):
        shown = show(group, chosen, who)
    with words_of(shown.get("of") or game):
        return render(request, template, context | shown)


def query(**filters: str | date | None) -> str:
    return urlencode({name: value for name, value in filters.items() if value})


@looks_back
@require_GET
def statistics(request: HttpRequest, code: str) -> HttpResponse:
    def show(group: Group, chosen: Chosen, who: Who) -> dict[str, Any]:
        return _numbers(group, chosen, who, request.GET.get("sort", ""))

    return looked_at(request, code, "scoring/group_statistics.html", "numbers", show)


def worth_of_best(stats: PersonStatistics) -> int:
    """Return the best hand as a sort key, lower is better."""
    best = stats.best_hand or 0
    return best if stats.lowest else -best


def _by_average(made: PersonStatistics) -> tuple[bool, Fraction]:
    """Sort key: points per hand, best first; people without hands last."""
    if not made.hands or made.points is None:
        return True, Fraction(0)
    average = Fraction(made.points) / made.hands
    return False, average if made.lowest else -average


SORTED: Mapping[str, Callable[[dict[str, Any]], Any]] = {
    "wins": lambda row: (-row["stats"].wins, row["stats"].tables),
    "name": lambda row: row["stats"].name.casefold(),
    "games": lambda row: -row["stats"].tables,
    "won": lambda row: -row["won"],
    "rating": lambda row: (row["rating"] is None, -(row["stats"].rating or NEW).ordinal),
    "average": lambda row: _by_average(row["stats"]),
    "best": lambda row: (row["stats"].best_hand is None, worth_of_best(row["stats"])),
}
"""Sort keys of the table: the default, then one for each sortable column."""
MOST_WINNERS = 5
"""Most people in the chart of places by evening."""


def _numbers(group: Group, chosen: Chosen, who: Who, sort: str) -> dict[str, Any]:
    stats, course = statistics_of(group, chosen), course_of(group, chosen)
    rows = [row for row in rows_of(stats) if row["stats"].game == chosen.game]
    sort = sort if sort in SORTED else next(iter(SORTED))
    rows.sort(key=SORTED["wins"])
    most = max((row["stats"].wins for row in rows), default=0)
    for row in rows:
        number = row["stats"].person
        lately = course.lately.get(number, ())
        row |= {
            "who": who[number],
            "bar": round(float(100 * row["stats"].wins / most), 1) if most else 0,
            "lately": lately,
            "won_lately": sum(lately),
        }
    return {
        "rows": sorted(rows, key=SORTED[sort]),
        "sort": sort,
        "ascends": sort == "name" or (sort in ("average", "best") and any(row["stats"].lowest for row in rows)),
        "stats": stats,
        "course": course,
        "pairs": _rivals(stats.pairs, who),
        "facts": [*_facts(group, stats, who, rows)],
        "firsts": _firsts(course, [row["stats"].person for row in rows[:MOST_WINNERS]], who),
    }


def _rivals(pairs: Iterable[Pair], who: Who) -> list[Pair]:
    """Return the pairs of which one was ahead at least once, those with the most games first."""
    met = sorted((each for each in pairs if sum(each.ahead)), key=lambda each: -each.tables)
    return [each for each in met if set(each.people) <= who.keys()][:MOST_PAIRS]


def _facts(group: Group, stats: Statistics, who: Who, rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield highlights, each with one large number; ``rows`` are people by wins, most first."""
    if rows and rows[0]["stats"].wins:
        address = url("scoring:person-statistics", group.code, rows[0]["stats"].person)
        yield _games_won(rows[0]) | {"who": rows[0]["who"], "address": address}
    streak = max(stats.streaks, key=lambda each: each.best, default=None)
    if streak is not None and streak.best > 1 and streak.person in who:
        what = ngettext("game won in a row", "games won in a row", streak.best)
        address = url("scoring:person-statistics", group.code, streak.person)
        yield {"number": str(streak.best), "what": what, "who": who[streak.person], "address": address}
    for closest in stats.records.closest_games if len(stats.records.closest_games) == 1 else ():
        found = find_game(closest.game)
        what = ngettext("point between first and second", "points between first and second", closest.margin)
        yield {
            "number": number(closest.margin) if closest.margin else _("Tie"),
            "what": what if closest.margin else _("at the top"),
            "detail": closest.game if found is None else name_of(found),
            "address": url("scoring:table", closest.table),
        }
    yield from _moments(stats, who)


def _games_won(row: Mapping[str, Any]) -> dict[str, Any]:
    detail = filled(_("{wins} of {tables}"), wins=row["wins"], tables=row["stats"].tables)
    return {"number": row["percent"], "what": _("of the games won"), "detail": detail}


def _moments(stats: Statistics, who: Who | None = None) -> Iterator[dict[str, Any]]:
    """Yield the best hand, if there is a single game, and the best feats."""
    for best in stats.records.best_hands if len(stats.records.best_hands) == 1 else ():
        with words_of(find_game(best.game)):
            what = _("for the best hand")
        yield _moment(what, best, who)
    for feat in stats.records.feats:
        game = find_game(feat.game)
        yield _moment(feat.game if game is None else _(game.feat), feat, who)


def _moment(what: str, hand: BestHand | BestFeat, who: Who | None = None) -> dict[str, Any]:
    """Describe one hand's score, and its player if ``who`` is given."""
    somebody = None if who is None else who.get(hand.person or 0)
    return {
        "number": number(hand.points),
        "what": what,
        "who": somebody,
        "detail": "" if somebody or who is None else _("a guest"),
        "address": url("scoring:replay", hand.table, hand.hand),
    }


def _firsts(course: Course, people: Sequence[int], who: Who) -> Curve | None:
    if len(course.firsts) < 2 or not people:
        return None
    places = evenly(len(course.firsts), MOST_POINTS)
    rows = [(str(place + 1), tuple(course.firsts[place][1].get(each, 0) for each in people)) for place in places]
    return draw_people([who[each] for each in people], [("0", (0,) * len(people)), *rows])


def draw_people(people: Sequence[Somebody], rows: Sequence[tuple[str, tuple[int, ...]]]) -> Curve:
    return draw([each.name for each in people], rows, colours=[each.colour for each in people])


def rows_of(stats: Statistics) -> list[dict[str, Any]]:
    """Return the rows of the table of statistics, formatted for display."""
    return [
        {
            "stats": each,
            "wins": part_of_wins(each.wins),
            "won": (won := each.wins / each.tables if each.tables else Fraction(0)),
            "percent": percent(won),
            "hands": _hands(each.hands or 0, each.game),
            "rating": None if each.rating is None else rating_shown(each.rating.ordinal),
            "average": decimal(each.points / each.hands, 1) if each.hands and each.points is not None else "–",
        }
        for each in stats.people
        if each.hands or each.by_totals
    ]


def _hands(count: int, game: str) -> str:
    with words_of(find_game(game)):
        return filled(ngettext("{count} hand", "{count} hands", count), count=count)


def rating_shown(ordinal: float) -> int:
    return round(ordinal * 10)


@looks_back
@require_GET
def ratings(request: HttpRequest, code: str) -> HttpResponse:
    return looked_at(request, code, "scoring/group_ratings.html", "ratings", _ratings)


def _ratings(group: Group, chosen: Chosen, who: Who) -> dict[str, Any]:
    curves = rating_curves(group, chosen, most=MOST_POINTS)
    left_out = [each["name"] for each in curves["people"][MOST_LINES:]]
    return {"curve": rating_curve(curves, who), "tables": curves["tables"], "left_out": left_out}


def rating_curve(curves: Ratings, who: Who) -> Curve | None:
    """Return the chart of the most active people's ratings, each starting at 0, or ``None`` without rated games."""
    if not (curves["moments"] and curves["people"]):
        return None
    people = [who[each["person"]] for each in curves["people"][:MOST_LINES]]
    rows = [
        (str(moment["tables"]), tuple(rating_shown(each["ordinal"]) for each in moment["ratings"][: len(people)]))
        for moment in curves["moments"]
    ]
    return draw_people(people, [("0", (0,) * len(people)), *rows])


@looks_back
@require_GET
def hands(request: HttpRequest, code: str) -> HttpResponse:
    def show(group: Group, chosen: Chosen, _who: Who) -> dict[str, Any]:
        return hands_shown(group, chosen)

    return looked_at(request, code, "scoring/group_hands.html", "hands", show)


def hands_shown(group: Group, chosen: Chosen, *, person: int | None = None) -> dict[str, Any]:
    game = chosen.game or most_played(group, chosen)
    if not game:
        return {"scores": None, "bids": None, "of": None}
    found = distributions(group, Chosen(game=game, first=chosen.first, last=chosen.last), person=person)
    return {
        "of": find_game(game),
        "scores": bars(found.scores) if found.scores else None,
        "bids": discs(found.bids) if found.bids else None,
        "untold": found.untold,
    }


# --- One person's statistics, and two people compared


@looks_back
@require_GET
def person_statistics(request: HttpRequest, code: str, number: int) -> HttpResponse:

    def show(group: Group, chosen: Chosen, who: Who) -> dict[str, Any]:
        people = people_counted(group)
        person = people.counts_as.get(number)
        if person is None:
            raise Http404
        stats = statistics_of(group, chosen, person=person)
        own = [row for row in rows_of(stats) if row["stats"].person == person]
        met = [(pair.of(person), pair) for pair in stats.pairs]
        known = [(seen, pair) for seen, pair in met if seen[0] in who]
        return {
            "own": person,
            "asked_of": people.names[person],
            "rows": [(find_game(row["stats"].game) if row["stats"].game else None, row) for row in own],
            "trophies": trophies_of(group, person, evening_of(group)),
            "stats": stats,
            "facts": [*_own_facts(stats, own)],
            "partners": sorted((each for each in known if each[1].together), key=lambda each: -each[1].together),
            "opponents": sorted((each for each in known if sum(each[1].ahead)), key=lambda each: -each[1].tables),
            "curve": rating_curve(rating_curves(group, chosen, person=person, most=MOST_POINTS), who),
            **hands_shown(group, chosen, person=person),
        }

    return looked_at(request, code, "scoring/group_person.html", "person", show)


def _own_facts(stats: Statistics, own: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    if own and own[0]["stats"].tables:
        yield _games_won(own[0])
        if own[0]["rating"] is not None:
            yield {"number": number(own[0]["rating"]), "what": _("rating")}
    for streak in stats.streaks[:1]:
        if streak.best:
            what = ngettext("game won in a row", "games won in a row", streak.best)
            now = filled(_("now {count}"), count=streak.now) if streak.now > 1 else ""
            yield {"number": str(streak.best), "what": what, "detail": now}
    yield from _moments(stats)


@looks_back
@require_GET
def pair_statistics(request: HttpRequest, code: str, number: int, other: int) -> HttpResponse:

    def show(group: Group, chosen: Chosen, who: Who) -> dict[str, Any]:
        two = two_people(group, number, other, chosen)
        if two is None:
            raise Http404
        first, ahead = two.people[0], two.ahead
        rows = [(str(place + 1), ahead[place]) for place in evenly(len(ahead), MOST_POINTS)]
        people = [who[each] for each in two.people]
        return {
            "two": two,
            "asked_of": listed(two.names),
            "games_met": [(find_game(game) if game else None, pair, pair.of(first)) for game, pair in two.games],
            "curve": draw_people(people, [("0", (0, 0)), *rows]) if ahead and any(ahead[-1]) else None,
        }

    return looked_at(request, code, "scoring/group_pair.html", "pair", show)


# --- Seasons: standings, champions, attendance, streaks, head-to-head results


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
        **in_tab("statistics", group, link),
        "current": next((each for each in seasons if each.season.first <= today and not each.over), None),
        "seasons": seasons,
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
    initial = {name: getattr(season, name) for name in ("name", "first", "last", "evenings", "ranked_by")}
    context = {
        **in_tab("statistics", group, link),
        "now": now,
        "span": _span(now),
        "rows": [_row(now, each) | {"who": who[each.person]} for each in standings.people],
        "games": [
            (game, game_name(game)) for game in dict.fromkeys(at.game for each in standings.people for at in each.games)
        ],
        "champions": [who[each.person] for each in now.champions],
        "pairs": _rivals(standings.pairs, who),
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
