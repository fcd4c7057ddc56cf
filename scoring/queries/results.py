"""What tables have brought their players: kept for games that are over, worked out for those that run."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import F, QuerySet, TextField
from django.db.models.functions import Cast

from referee.engine.options import Refused
from referee.engine.table import ahead
from scoring.models import Group, Table, TableResult
from scoring.queries.clock import TIME, listed, standing_now
from scoring.queries.points import may_hide_points
from scoring.queries.state import Standing

HEAVY = ("snapshot", "hand_start")
AT_ONCE = 200
"""Tables whose results are worked out together."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a table has brought each seat so far, partners added, without what was carried in.

    ``points`` and ``totals`` are ``None`` while a house rule hides them. ``hand`` is the number of the last hand where
    the game is not over.
    """

    points: tuple[int, ...] | None
    totals: tuple[int, ...] | None
    finished: bool
    hand: int = 0

    @property
    def winners(self) -> tuple[int, ...]:
        """Return who is ahead in a game that is over."""
        return ahead(self.totals) if self.finished and self.totals else ()

    @property
    def leaders(self) -> tuple[int, ...]:
        """Return who is ahead in a game that runs, once anybody is."""
        totals = self.totals or ()
        return ahead(totals) if not self.finished and len(set(totals)) > 1 else ()


def heads() -> QuerySet[Table]:
    """Return tables as lists show them, with the one before each; what only the referee reads is left out."""
    return Table.objects.select_related("previous").defer(*HEAVY, *(f"previous__{name}" for name in HEAVY))


def results_of(rows: Sequence[Table]) -> dict[int, Result]:
    """Return what tables of one group have brought, by id; a game that is not installed here has no result.

    As many statements for many tables as for few, where the results of those that are over are known.
    """
    if not rows:
        return {}
    known = _known(rows)
    hidden = still_hidden(rows[0].group_id) if any(map(_may_hide, rows)) else frozenset[int]()
    missing = [row.pk for row in rows if row.pk not in known]
    at_work = _worked_out(missing) if missing else {}
    results = {}
    for row in rows:
        if row.pk in known:
            points: tuple[int, ...] | None = known[row.pk]
            results[row.pk] = _shown(row, points, hide=row.pk in hidden, finished=True)
        elif row.pk in at_work:
            at = at_work[row.pk]
            over, hide = at.state.finished(), at.state.hides_points() or row.pk in hidden
            hand = 0 if at.hand is None else at.hand.setup.index
            results[row.pk] = _shown(row, brought(at), hide=hide, finished=over, hand=hand + 1)
    return results


def _shown(row: Table, points: tuple[int, ...] | None, *, hide: bool, finished: bool, hand: int = 0) -> Result:
    if hide or points is None:
        return Result(None, None, finished, hand)
    return Result(points, tuple(map(sum, zip(points, row.carried, strict=True))), finished, hand)


def brought(at: Standing) -> tuple[int, ...]:
    """Return what a table has brought each seat: the totals without what was carried in."""
    return tuple(total - carried for total, carried in zip(at.state.totals(), at.row.carried, strict=True))


def _known(rows: Iterable[Table]) -> dict[int, tuple[int, ...]]:
    """Return the points of those tables whose result is kept and still holds."""
    versions = {row.pk: row.version for row in rows}
    kept = TableResult.objects.filter(table__in=versions).values_list("table", "version", "points")
    return {pk: tuple(points) for pk, version, points in kept if versions[pk] == version}


def _worked_out(wanted: Collection[int]) -> dict[int, Standing]:
    """Return where tables stand, and keep the results of those that are over."""
    found: dict[int, Standing] = {}
    for row in listed(Table.objects.filter(pk__in=wanted)):
        try:
            found[row.pk] = standing_now(row)
        except Refused:
            continue
    over = [
        TableResult(table_id=pk, version=at.row.version, points=brought(at))
        for pk, at in found.items()
        if at.state.finished()
    ]
    if over:
        TableResult.objects.bulk_create(
            over, update_conflicts=True, unique_fields=["table"], update_fields=["version", "points"]
        )
    return found


def tables_over(group: Group) -> QuerySet[Table]:
    """Return the tables of a group whose game is over, also those that the clock has ended, with their results kept."""
    tables = Table.objects.filter(group=group)
    candidates = tables.filter(finished=True) | by_time(tables)
    wanted = list(candidates.exclude(result__version=F("version")).values_list("pk", flat=True))
    for first in range(0, len(wanted), AT_ONCE):
        _worked_out(wanted[first : first + AT_ONCE])
    return tables.filter(result__version=F("version"))


def by_time(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Return those of some tables that end by the clock; none of them is stored as over before somebody says so."""
    written = tables.alias(ends=Cast("end", TextField()))
    return tables.filter(pk__in=written.filter(finished=False, ends__contains=f'"{TIME}"').values("pk"))


def still_hidden(group: int | None) -> frozenset[int]:
    """Return the tables of a group, by id, that are over and whose points are hidden all the same.

    They are those with which a table goes on that hides its points still.
    """
    if group is None:
        return frozenset()
    later = Table.objects.defer(*HEAVY).filter(group=group, finished=False, previous__isnull=False)
    hiding = [row for row in later if _may_hide(row)]
    if not hiding:
        return frozenset()
    before = dict(Table.objects.filter(group=group, previous__isnull=False).values_list("pk", "previous"))
    hidden = set[int]()
    for row in hiding:
        pk = row.previous_id
        while pk is not None and pk not in hidden:
            hidden.add(pk)
            pk = before.get(pk)
    return frozenset(hidden)


def _may_hide(row: Table) -> bool:
    try:
        return may_hide_points(row)
    except Refused:
        return False
