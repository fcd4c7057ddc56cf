"""Highlights of an evening: winner, best hand, closest games, rulings, and the evening a year ago."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import NamedTuple

from scoring.groups.reads.charts import distributions
from scoring.groups.reads.evenings import Evening, EveningTable, Who, evenings_of
from scoring.groups.reads.group_tables import Chosen
from scoring.models import Dispute, Group, SeatScore, Table
from scoring.models.table import DECIDED

YEAR = timedelta(days=365)
ABOUT = timedelta(days=3)
"""Days by which an evening may differ to count as *a year ago*."""
MOST_RULINGS = 20


class HandOfNight(NamedTuple):
    """The evening's rarest hand: the one that fewest of the group's hands at its game have equaled."""

    who: Who
    table: EveningTable
    hand: int
    points: int


class ClosestGame(NamedTuple):
    """The closest result at a game; ``margin`` is in points, between first and second place."""

    table: EveningTable
    margin: int


class RulingOfNight(NamedTuple):
    """A dispute decided that evening."""

    table: str
    number: int
    claim: str
    ruling: str


class Digest(NamedTuple):
    """The highlights; missing ones are empty. The latest ruling is first."""

    winners: tuple[Who, ...]
    hand: HandOfNight | None
    closest: tuple[ClosestGame, ...]
    rulings: tuple[RulingOfNight, ...]
    year_ago: Evening | None


def digest_of(group: Group, evening: Evening) -> Digest:
    shown = {table.row.pk: table for table in evening.tables if table.result and table.result.points is not None}
    rulings = Dispute.objects.filter(table__in=[table.row.pk for table in evening.tables], state__in=DECIDED)
    last = rulings.filter(decided__isnull=False).order_by("-decided", "-pk")
    told = last.values_list("table__code", "number", "claim", "ruling")[:MOST_RULINGS]
    return Digest(
        tuple(each.who for each in evening.people if each.rank == 1) if evening.games else (),
        _hand(group, shown),
        tuple(_closest(evening)),
        tuple(RulingOfNight(*each) for each in told),
        _year_ago(group, evening.day),
    )


def _hand(group: Group, shown: Mapping[int, EveningTable]) -> HandOfNight | None:
    """Return the evening's rarest hand, compared with all the group's hands at its game; the earliest on a tie."""
    rows = SeatScore.objects.filter(table__in=shown, best_hand__isnull=False).order_by("table", "seat")
    best, least = None, (2.0, 0)
    columns = ("table", "seat", "game", "best_hand", "best_number", "lowest")
    for table, seat, game, best_hand, number, lowest in rows.values_list(*columns):
        points = best_hand or 0
        scores = distributions(group, Chosen(game=game)).scores
        count = sum(scores.values()) or 1
        as_good = sum(hands for each, hands in scores.items() if (each <= points if lowest else each >= points))
        rare = (as_good / count, -count)
        if rare < least:
            best, least = HandOfNight(shown[table].seated[seat], shown[table], (number or 0) + 1, points), rare
    return best


def _closest(evening: Evening) -> Iterator[ClosestGame]:
    """Yield the closest result of each game finished several times tonight, or as the only game; the earliest on a tie.

    Different games are not compared. A game finished once among others counts only if it ended in a tie at the top.
    """
    ended = Counter(table.row.game for table in evening.over)
    best: dict[str, ClosestGame] = {}
    for table in evening.over:
        apart, game = _margin(table), table.row.game
        if apart is None or (apart and len(ended) > 1 and ended[game] == 1):
            continue
        if game not in best or apart < best[game].margin:
            best[game] = ClosestGame(table, apart)
    yield from best.values()


def _margin(table: EveningTable) -> int | None:
    """Return the points between the first and the second side; ``None`` if there are no points."""
    result = table.result
    if result is None or result.totals is None or not any(result.totals):
        return None
    sides = dict(zip(result.sides, zip(result.ranks, result.totals, strict=True), strict=True))
    first, *others = sorted(sides.values(), key=lambda each: each[0])
    return abs(first[1] - others[0][1]) if others else None


def _year_ago(group: Group, day: date) -> Evening | None:
    then = day - YEAR
    days = Table.objects.filter(group=group, evening__range=(then - ABOUT, then + ABOUT)).order_by("evening")
    near = min(days.values_list("evening", flat=True).distinct(), key=lambda each: abs(each - then), default=None)
    return None if near is None else evenings_of(group, [near])[0]
