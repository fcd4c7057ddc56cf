"""Proving the statistics of a group: everything worked out again from the logs, and compared with what is stored."""

from collections.abc import Iterator

from django.db import transaction

from scoring.models import Group, Person, SeatScore, Table
from scoring.services.rating import Rated, Seat, hold_scores, rate, store
from scoring.services.scores import RATINGS, SEATED, WRITTEN, forget_scores, score_table, work_out

COMPARED = ("group_id", "game", "evening", "person_id", "side", *WRITTEN)
assert len(COMPARED) == len(SEATED) + len(WRITTEN)


def statistics_differences(group: Group, *, write: bool = False) -> Iterator[str]:
    """Say in a sentence each what is stored otherwise than it follows from the logs; ``write`` mends it."""
    right: list[SeatScore] = []
    for pk in list(Table.objects.filter(group=group).order_by("pk").values_list("pk", flat=True)):
        # One writer at a time: while a table is looked at, nobody writes to it.
        with transaction.atomic():
            row = Table.objects.select_for_update().filter(pk=pk, group=group).first()
            if row is not None:
                yield from _table(row, right, write=write)
    yield from _strays(group, write=write)
    yield from _ratings(group, right, write=write)


def _table(row: Table, right: list[SeatScore], *, write: bool) -> Iterator[str]:
    """Compare the rows of a table; those that would be right are added to ``right``, as they are numbered."""
    scores = [SeatScore(table=row, seat=seat) for seat in range(len(row.seats))]
    work_out(row, scores)
    stored = {score.seat: score for score in SeatScore.objects.filter(table=row)}
    wrong = False
    for score in scores:
        there = stored.get(score.seat)
        if there is None:
            if not score.hands and score.finished_at is None:
                continue  # no hand of it was over yet
            wrong = True
            yield f"{row}: Seat {score.seat} has no row."
            continue
        score.pk = there.pk
        for field in COMPARED:
            if getattr(there, field) != getattr(score, field):
                wrong = True
                yield f"{row}: {field} of seat {score.seat} is {getattr(there, field)}, not {getattr(score, field)}."
    if wrong and write:
        score_table(row)
        numbers = dict(SeatScore.objects.filter(table=row).values_list("seat", "pk"))
        for score in scores:
            score.pk = numbers[score.seat]
    right += scores


def _strays(group: Group, *, write: bool) -> Iterator[str]:
    scored = set(SeatScore.objects.filter(group=group).values_list("table", flat=True))
    own = set(Table.objects.filter(group=group).values_list("pk", flat=True))
    for row in Table.objects.filter(pk__in=scored - own).order_by("pk"):
        yield f"{row}: It is no table of this group, and counts."
        if write:
            forget_scores(row)


def _ratings(group: Group, right: list[SeatScore], *, write: bool) -> Iterator[str]:
    counts_as = {person.pk: person.counts_as for person in Person.objects.filter(group=group)}
    seats = [
        Seat(
            score.pk or 0, score.finished_at, score.table_id, score.game, score.side, score.rank,
            None if score.person_id is None else counts_as[score.person_id],
        )
        for score in right
        if score.finished_at is not None and not score.goes_on
    ]  # fmt: skip
    rated = {each.row: each for each in rate(sorted(seats, key=lambda seat: (seat.finished_at, seat.table, seat.row)))}
    scores = SeatScore.objects.filter(group=group).prefetch_related("table")
    for score in scores.order_by("pk"):
        there = tuple(getattr(score, name) for name in RATINGS)
        known = rated.get(score.pk)
        if there == ((None,) * 4 if known is None else (*known.own, *known.everywhere)):
            continue
        yield f"{score.table}: The ratings of seat {score.seat} are not those of one pass over all tables."
        if write:
            _mend(group, score, known)


@transaction.atomic
def _mend(group: Group, score: SeatScore, known: Rated | None) -> None:
    hold_scores(group.pk)
    if known is None:
        SeatScore.objects.filter(group=group, pk=score.pk).update(**dict.fromkeys(RATINGS))
    else:
        store(group.pk, [Rated(*known)])
