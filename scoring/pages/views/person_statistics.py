"""What one person of a group has made, with and against whom; and how two of them did with each other."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from referee.engine.catalogue import find_game
from scoring.models import Group
from scoring.pages.costly import looks_back
from scoring.pages.show.curve import Curve, draw
from scoring.pages.views.statistics import MOST_POINTS, hands_shown, looked_at, rating_curve, rows_of
from scoring.queries.pairs import two_people
from scoring.queries.rating_curves import evenly, rating_curves
from scoring.queries.seat_rows import Chosen, people_counted
from scoring.queries.statistics import Statistics, statistics_of


@looks_back
@require_GET
def person_statistics(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Show everything that somebody has made: numbers, partners, opponents, streaks, records, pictures."""

    def show(_request: HttpRequest, group: Group, chosen: Chosen) -> dict[str, Any]:
        people = people_counted(group)
        person = people.counts_as.get(number)
        if person is None:
            raise Http404
        stats = statistics_of(group, chosen, person=person)
        own = [row for row in rows_of(stats) if row.stats.person == person]
        return {
            "person": person,
            "name": people.names[person],
            "rows": [(find_game(row.stats.game) if row.stats.game else None, row) for row in own],
            "stats": stats,
            "streak": next(iter(stats.streaks), None),
            "records": stats.records,
            "feats": [(find_game(each.game), each) for each in stats.records.feats if each.person == person],
            "partners": _partners(stats, person, people.names),
            "opponents": _opponents(stats, person, people.names),
            "curve": rating_curve(rating_curves(group, chosen, person=person, most=MOST_POINTS)),
            **hands_shown(group, chosen, person=person),
        }

    return looked_at(request, code, "scoring/group_person.html", "person", show)


def _partners(stats: Statistics, person: int, names: Any) -> list[tuple[int, str, int, int]]:
    """Return with whom somebody played as partners: who, how often, how many of these were won."""
    met = sorted((pair for pair in stats.pairs if pair.together), key=lambda pair: -pair.together)
    found = [(pair.of(person)[0], pair.together, pair.wins) for pair in met]
    return [(other, names[other], together, wins) for other, together, wins in found if other in names]


def _opponents(stats: Statistics, person: int, names: Any) -> list[tuple[int, str, int, int, int]]:
    """Return whom somebody met: who, how often ahead and behind, at how many tables."""
    met = sorted((pair for pair in stats.pairs if sum(pair.ahead)), key=lambda pair: -pair.tables)
    found = [(*pair.of(person), pair.tables) for pair in met]
    return [(other, names[other], ahead, behind, tables) for other, ahead, behind, tables in found if other in names]


@looks_back
@require_GET
def pair_statistics(request: HttpRequest, code: str, number: int, other: int) -> HttpResponse:
    """Show how two people did: as partners, and who was ahead of whom, at every game and as time went by."""

    def show(_request: HttpRequest, group: Group, chosen: Chosen) -> dict[str, Any]:
        two = two_people(group, number, other, chosen)
        if two is None:
            raise Http404
        first = two.people[0]
        return {
            "two": two,
            "games_met": [(find_game(game) if game else None, pair, pair.of(first)) for game, pair in two.games],
            "curve": _ahead(two.names, two.ahead),
        }

    return looked_at(request, code, "scoring/group_pair.html", "pair", show)


def _ahead(names: tuple[str, str], ahead: tuple[tuple[int, int], ...]) -> Curve | None:
    """Draw how often each was ahead, table by table; ``None`` where neither ever was."""
    if not ahead or not any(ahead[-1]):
        return None
    rows = [(str(place + 1), ahead[place]) for place in evenly(len(ahead), MOST_POINTS)]
    return draw(names, [("0", (0, 0)), *rows])
