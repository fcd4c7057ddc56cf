"""The tables that a game goes on at, one after the other, and what is carried from one to the next."""

from collections.abc import Iterator, Mapping, Sequence

from scoring.models import Table

LOWEST = "lowest"
"""Where a newcomer's points come from who begins with the lowest total (``Table.carried_from``)."""
MOST_TABLES = 30
"""So many tables back somebody is remembered."""


def next_of(row: Table) -> Table | None:
    """Return the table at which the game of this one goes on; in a list it is read with all the others."""
    read = vars(row)
    found: Table | None = read["following"] if "following" in read else Table.objects.filter(previous=row).first()
    return found


def goes_on(row: Table) -> bool:
    """Return whether the game of this table, which is over, goes on at another one."""
    read = vars(row)
    return bool(read["following"]) if "following" in read else Table.objects.filter(previous=row).exists()


def tables_before(row: Table) -> Iterator[Table]:
    """Yield the tables that the game was played at before, the last one first."""
    for _ in range(MOST_TABLES):
        earlier = None if row.previous_id is None else Table.objects.filter(pk=row.previous_id).first()
        if earlier is None:
            return
        yield earlier
        row = earlier


def by_distance(totals: Sequence[Sequence[int]]) -> dict[int, Sequence[int]]:
    """Return the totals of tables, the oldest first, by how many tables before the coming one they were made.

    >>> by_distance([(1, 2), (3, 4)])
    {2: (1, 2), 1: (3, 4)}
    """
    return {len(totals) - place: each for place, each in enumerate(totals)}


def carried_now(row: Table, totals: Mapping[int, Sequence[int]]) -> tuple[int, ...]:
    """Return what a table carries, given the totals of the tables so many before it.

    What comes from another one, or from none, stays as it is.
    """
    sources = row.carried_from or [None] * len(row.seats)
    return tuple(_points(source, points, totals) for source, points in zip(sources, row.carried, strict=True))


def _points(source: object, points: int, totals: Mapping[int, Sequence[int]]) -> int:
    """Return the points that a seat begins with, ``points`` until now."""
    if source == LOWEST:
        return min(totals.get(1, (points,)))
    if not isinstance(source, list):
        return points
    back, seat = source
    made = totals.get(back, ())
    return made[seat] if seat < len(made) else points
