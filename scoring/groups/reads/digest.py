"""What is worth telling of an evening: its winner, hand, closest game and ruling, and the same evening a year ago."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import NamedTuple

from scoring.groups.reads.charts import distributions
from scoring.groups.reads.evenings import Evening, EveningTable, Who, evenings_of
from scoring.groups.reads.group_tables import Chosen
from scoring.models import Dispute, Group, SeatScore, Table
from scoring.models.dispute import DECIDED

YEAR = timedelta(days=365)
ABOUT = timedelta(days=3)
"""An evening so near to the day a year ago is the one that is told of."""


class HandOfNight(NamedTuple):
    """The hand that fewest hands of the group at its game have matched."""

    who: Who
    table: EveningTable
    hand: int
    points: int


class ClosestGame(NamedTuple):
    """The game whose first and second were least apart, measured by what both had."""

    table: EveningTable
    margin: int


class RulingOfNight(NamedTuple):
    """The last dispute that was decided."""

    table: str
    number: int
    claim: str
    ruling: str


class Digest(NamedTuple):
    """All of it; what there was not is empty."""

    winners: tuple[Who, ...]
    hand: HandOfNight | None
    closest: ClosestGame | None
    ruling: RulingOfNight | None
    year_ago: Evening | None


def digest_of(group: Group, evening: Evening) -> Digest:
    shown = {table.row.pk: table for table in evening.tables if table.result and table.result.points is not None}
    rulings = Dispute.objects.filter(table__in=[table.row.pk for table in evening.tables], state__in=DECIDED)
    last = rulings.filter(decided__isnull=False).order_by("-decided", "-pk")
    told = last.values_list("table__code", "number", "claim", "ruling").first()
    return Digest(
        tuple(each.who for each in evening.people if each.rank == 1) if evening.games else (),
        _hand(group, shown),
        _closest(evening),
        None if told is None else RulingOfNight(*told),
        _year_ago(group, evening.day),
    )


def _hand(group: Group, shown: Mapping[int, EveningTable]) -> HandOfNight | None:
    """Return the hand that stands out most among all hands of the group at its game; the earlier one where two do."""
    rows = SeatScore.objects.filter(table__in=shown, best_hand__isnull=False).order_by("table", "seat")
    best, least = None, (2.0, 0)
    for table, seat, game, best_hand, number in rows.values_list("table", "seat", "game", "best_hand", "best_number"):
        points = best_hand or 0
        scores = distributions(group, Chosen(game=game)).scores
        count = sum(scores.values()) or 1
        rare = (sum(hands for each, hands in scores.items() if each >= points) / count, -count)
        if rare < least:
            best, least = HandOfNight(shown[table].seated[seat], shown[table], (number or 0) + 1, points), rare
    return best


def _closest(evening: Evening) -> ClosestGame | None:
    best, least = None, 0.0
    for table in evening.over:
        result = table.result
        assert result is not None
        assert result.totals is not None
        first, *others = sorted(dict(zip(result.sides, result.totals, strict=True)).values(), reverse=True)
        if not others or not any(result.totals):
            continue
        apart = (first - others[0]) / (abs(first) + abs(others[0]) or 1)
        if best is None or apart < least:
            best, least = ClosestGame(table, first - others[0]), apart
    return best


def _year_ago(group: Group, day: date) -> Evening | None:
    then = day - YEAR
    days = Table.objects.filter(group=group, evening__range=(then - ABOUT, then + ABOUT)).order_by("evening")
    near = min(days.values_list("evening", flat=True).distinct(), key=lambda each: abs(each - then), default=None)
    return None if near is None else evenings_of(group, [near])[0]
