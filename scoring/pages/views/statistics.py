"""The statistics of a group, as people read them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from referee.engine.catalogue import all_games, find_game
from scoring.pages.device.group_access import visit_group
from scoring.pages.show.numbers import part_of_wins
from scoring.queries.statistics import PersonStatistics, Statistics, statistics_of
from scoring.services.scores import finish_by_time


@dataclass(frozen=True, slots=True)
class Row:
    """Somebody in the table: the numbers as they are written, and the rating as a whole number."""

    told: PersonStatistics
    wins: str
    rating: int
    average: str


@require_GET
def statistics(request: HttpRequest, code: str) -> HttpResponse:
    """Show what the people of a group have made, at all games or at one."""
    group, link = visit_group(request, code)
    game = find_game(request.GET.get("game", "")[:40])
    finish_by_time(group.pk)
    told = statistics_of(group, game="" if game is None else game.id)
    rows = sorted(_rows(told, "" if game is None else game.id), key=lambda row: -row.told.rating.ordinal)
    names = {each.person: each.name for each in told.people}
    context = {
        "group": group,
        "tab": "statistics",
        "manages": link.manages,
        "games": all_games(),
        "game": game,
        "rows": rows,
        "told": told,
        "names": names,
        "revokes": group.counts_revokes,
        "pairs": _pairs(told, names),
        "closest": None if told.closest is None else find_game(told.closest.game),
        "feats": [(find_game(each.game), each) for each in told.feats],
        "streaks": [each for each in told.streaks if each.best > 1 and each.person in names],
    }
    return render(request, "scoring/group_statistics.html", context)


def _rows(told: Statistics, game: str) -> list[Row]:
    return [
        Row(each, part_of_wins(each.wins), round(each.rating.ordinal * 10), f"{each.points / each.hands:.1f}")
        for each in told.people
        if each.game == game and each.hands
    ]


def _pairs(told: Statistics, names: dict[int, str]) -> Sequence[tuple[str, str, str, int]]:
    """Return who was how often ahead of whom, those who met most first."""
    met = sorted((each for each in told.pairs if sum(each.ahead)), key=lambda each: -each.tables)
    shown = [each for each in met if set(each.people) <= names.keys()][:MOST_PAIRS]
    return [
        (names[each.people[0]], names[each.people[1]], f"{each.ahead[0]} : {each.ahead[1]}", each.tables)
        for each in shown
    ]


MOST_PAIRS = 12
