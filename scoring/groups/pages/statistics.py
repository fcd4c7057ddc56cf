"""The statistics of a group and of one of its people, as they are read."""

from collections.abc import Callable
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from referee.engine.game import all_games, find_game
from scoring.groups.acts.scores import finish_by_time
from scoring.groups.reads.charts import NEW, Ratings, distributions, evenly, most_played, rating_curves, two_people
from scoring.groups.reads.group_tables import Chosen, people_counted
from scoring.groups.reads.statistics import Statistics, statistics_of
from scoring.models import Group
from scoring.operating.pages.site import looks_back
from scoring.tables.pages.device import visit_group
from scoring.tables.presenters.curves import Curve, bars, discs, draw
from scoring.tables.presenters.formats import decimal, part_of_wins, written

MOST_PAIRS = 12
MOST_LINES = 8
"""People whose ratings are drawn at once: so many lines can be told apart."""
MOST_POINTS = 24
"""Moments at which ratings are drawn, the start apart."""


class Choice(forms.Form):
    """What is looked at; what cannot be is not looked for."""

    game = forms.CharField(max_length=40, required=False)
    first = forms.DateField(required=False)
    last = forms.DateField(required=False)

    def chosen(self) -> Chosen:
        self.is_valid()
        read: dict[str, Any] = self.cleaned_data
        game = find_game(read.get("game") or "")
        return Chosen(game="" if game is None else game.id, first=read.get("first"), last=read.get("last"))


Show = Callable[[Group, Chosen], dict[str, Any]]


def looked_at(request: HttpRequest, code: str, template: str, tab: str, show: Show) -> HttpResponse:
    group, link = visit_group(request, code)
    chosen = Choice(request.GET).chosen()
    finish_by_time(group.pk)
    context = {
        "group": group,
        "tab": "statistics",
        "part": tab,
        "manages": link.manages,
        "games": all_games(),
        "game": find_game(chosen.game) if chosen.game else None,
        "chosen": chosen,
        "span": since_and_until(chosen),
        "days": query(first=chosen.first, last=chosen.last),
        "query": query(game=chosen.game, first=chosen.first, last=chosen.last),
        "revokes": group.counts_revokes,
    }
    return render(request, template, context | show(group, chosen))


def query(**filters: str | date | None) -> str:
    return urlencode({name: value for name, value in filters.items() if value})


@looks_back
@require_GET
def statistics(request: HttpRequest, code: str) -> HttpResponse:
    return looked_at(request, code, "scoring/group_statistics.html", "numbers", _numbers)


def _numbers(group: Group, chosen: Chosen) -> dict[str, Any]:
    stats = statistics_of(group, chosen)
    rows = [row for row in rows_of(stats) if row["stats"].game == chosen.game]
    names = {each.person: each.name for each in stats.people}
    met = sorted((each for each in stats.pairs if sum(each.ahead)), key=lambda each: -each.tables)
    records = stats.records
    return {
        "rows": sorted(rows, key=lambda row: (row["rating"] is None, -(row["stats"].rating or NEW).ordinal)),
        "stats": stats,
        "names": names,
        "pairs": [each for each in met if set(each.people) <= names.keys()][:MOST_PAIRS],
        "records": records,
        "closest": None if records.closest_game is None else find_game(records.closest_game.game),
        "feats": [(find_game(each.game), each) for each in records.feats],
        "streaks": [each for each in stats.streaks if each.best > 1 and each.person in names],
    }


def rows_of(stats: Statistics) -> list[dict[str, Any]]:
    """Return what people have made: the numbers as they are written, and the rating as a whole number."""
    return [
        {
            "stats": each,
            "wins": part_of_wins(each.wins),
            "rating": None if each.rating is None else rating_shown(each.rating.ordinal),
            "average": decimal(each.points / each.hands, 1),
        }
        for each in stats.people
        if each.hands
    ]


def rating_shown(ordinal: float) -> int:
    return round(ordinal * 10)


@looks_back
@require_GET
def ratings(request: HttpRequest, code: str) -> HttpResponse:
    return looked_at(request, code, "scoring/group_ratings.html", "ratings", _ratings)


def _ratings(group: Group, chosen: Chosen) -> dict[str, Any]:
    curves = rating_curves(group, chosen, most=MOST_POINTS)
    left_out = [each["name"] for each in curves["people"][MOST_LINES:]]
    return {"curve": rating_curve(curves), "tables": curves["tables"], "left_out": left_out}


def rating_curve(curves: Ratings) -> Curve | None:
    """Draw ratings over time, of those who have played most; each begins at nothing. ``None`` where nobody played."""
    if not curves["moments"]:
        return None
    names = [each["name"] for each in curves["people"][:MOST_LINES]]
    start = ("0", (0,) * len(names))
    rows = [
        (str(moment["tables"]), tuple(rating_shown(each["ordinal"]) for each in moment["ratings"][: len(names)]))
        for moment in curves["moments"]
    ]
    return draw(names, [start, *rows])


@looks_back
@require_GET
def hands(request: HttpRequest, code: str) -> HttpResponse:
    return looked_at(request, code, "scoring/group_hands.html", "hands", hands_shown)


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


def since_and_until(chosen: Chosen) -> str:
    first, last = (day and written(day) for day in (chosen.first, chosen.last))
    if first and last:
        return _("From {first} to {last}").format(first=first, last=last)
    if first:
        return _("Since {first}").format(first=first)
    return _("Until {last}").format(last=last) if last else ""


# --- What one person of a group has made, with and against whom; and how two of them did with each other


@looks_back
@require_GET
def person_statistics(request: HttpRequest, code: str, number: int) -> HttpResponse:

    def show(group: Group, chosen: Chosen) -> dict[str, Any]:
        people = people_counted(group)
        person = people.counts_as.get(number)
        if person is None:
            raise Http404
        stats = statistics_of(group, chosen, person=person)
        own = [row for row in rows_of(stats) if row["stats"].person == person]
        met = [(pair.of(person), pair) for pair in stats.pairs]
        known = [(seen, pair) for seen, pair in met if seen[0] in people.names]
        return {
            "person": person,
            "name": people.names[person],
            "rows": [(find_game(row["stats"].game) if row["stats"].game else None, row) for row in own],
            "stats": stats,
            "streak": next(iter(stats.streaks), None),
            "records": stats.records,
            "feats": [(find_game(each.game), each) for each in stats.records.feats if each.person == person],
            "names": people.names,
            "partners": sorted((each for each in known if each[1].together), key=lambda each: -each[1].together),
            "opponents": sorted((each for each in known if sum(each[1].ahead)), key=lambda each: -each[1].tables),
            "curve": rating_curve(rating_curves(group, chosen, person=person, most=MOST_POINTS)),
            **hands_shown(group, chosen, person=person),
        }

    return looked_at(request, code, "scoring/group_person.html", "person", show)


@looks_back
@require_GET
def pair_statistics(request: HttpRequest, code: str, number: int, other: int) -> HttpResponse:

    def show(group: Group, chosen: Chosen) -> dict[str, Any]:
        two = two_people(group, number, other, chosen)
        if two is None:
            raise Http404
        first, ahead = two.people[0], two.ahead
        rows = [(str(place + 1), ahead[place]) for place in evenly(len(ahead), MOST_POINTS)]
        return {
            "two": two,
            "games_met": [(find_game(game) if game else None, pair, pair.of(first)) for game, pair in two.games],
            "curve": draw(two.names, [("0", (0, 0)), *rows]) if ahead and any(ahead[-1]) else None,
        }

    return looked_at(request, code, "scoring/group_pair.html", "pair", show)
