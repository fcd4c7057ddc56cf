"""Ratings from the results of a group's tables: openskill's BradleyTerryFull with default settings.

A game is rated once, at its last table, in the order in which games finished. Partners are a team; a guest counts as a
new player each time. After a change, every game from that table on is rated again, so the ratings always equal those of
a single pass.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import F, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from openskill.models import BradleyTerryFull, BradleyTerryFullRating

from scoring.groups.reads.group_tables import games, with_who
from scoring.models import ScoreMark

MODEL = BradleyTerryFull()
LOCK = 0x5EA7
"""Namespace of the advisory locks on ratings."""

Rating = tuple[float, float]
"""Estimated skill (mu) and its uncertainty (sigma)."""


class Moment(NamedTuple):
    """A position in the order of finishing; ties are broken by table id."""

    finished_at: datetime
    table: int


class Seat(NamedTuple):
    """A seat of a finished table, with what the rating needs; ``row`` is the id of its ``SeatScore``."""

    row: int
    finished_at: datetime
    table: int
    game: str
    side: int
    rank: int
    who: int | None


class Rated(NamedTuple):
    """A seat's ratings after a table: for that game, and over all games."""

    row: int
    own: Rating
    everywhere: Rating


def rate_from(group: int, start: Moment) -> None:
    """Recompute a group's ratings from one table on. The caller must hold the group's scores (``hold_scores``)."""
    later = Q(finished_at__gt=start.finished_at) | Q(finished_at=start.finished_at, table__gte=start.table)
    ordered = with_who(games(group).filter(later)).order_by("finished_at", "table", "seat")
    read = ordered.values_list("pk", "finished_at", "table", "game", "side", "rank", "who")
    seats = [Seat(pk, over, *rest) for pk, over, *rest in read if over is not None]
    people = {seat.who for seat in seats} - {None}
    before = with_who(games(group).filter(~later)).filter(who__in=people)
    own = _last(before, ["who", "game"], "mu", "sigma")
    everywhere = _last(before, ["who"], "mu_all", "sigma_all")
    store(group, rate(seats, {key[:2]: key[2:] for key in own}, {key[0]: key[1:] for key in everywhere}))


def hold_scores(group: int) -> None:
    """Lock a group's scores and change their cache mark.

    Lock order, to avoid deadlocks: tables, then scores; write scores last.
    """
    lock_scores(group)
    mark = ScoreMark(group_id=group, mark=secrets.randbits(63))
    ScoreMark.objects.bulk_create([mark], update_conflicts=True, unique_fields=["group"], update_fields=["mark"])


def lock_scores(group: int) -> None:
    """Lock a group's scores until the commit; a no-op on SQLite, which allows one writer."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", (LOCK, group % 2**31))


def _last(rows: QuerySet[Any], by: list[str], *numbers: str) -> list[tuple[Any, ...]]:
    order = [F("finished_at").desc(), F("table").desc()]
    newest = Window(RowNumber(), partition_by=[F(name) for name in by], order_by=order)
    return list(rows.annotate(newest=newest).filter(newest=1).values_list(*by, *numbers))


def rate(
    seats: Iterable[Seat],
    own: Mapping[tuple[int, str], Rating] | None = None,
    everywhere: Mapping[int, Rating] | None = None,
) -> list[Rated]:
    """Return people's ratings after each table.

    ``own`` (by person and game) and ``everywhere`` (by person) are the ratings before the first table; anyone missing
    starts with the default.
    """
    at_game: dict[tuple[int, str], Rating] = dict(own or {})
    at_all: dict[int, Rating] = dict(everywhere or {})
    rated: list[Rated] = []
    for _table, table in groupby(seats, key=lambda seat: seat.table):
        sitting = list(table)
        games = _after(sitting, [None if seat.who is None else at_game.get((seat.who, seat.game)) for seat in sitting])
        alls = _after(sitting, [None if seat.who is None else at_all.get(seat.who) for seat in sitting])
        for seat, game, all_games in zip(sitting, games, alls, strict=True):
            if seat.who is not None:
                at_game[seat.who, seat.game], at_all[seat.who] = game, all_games
                rated.append(Rated(seat.row, game, all_games))
    return rated


def _after(seats: Sequence[Seat], before: Sequence[Rating | None]) -> list[Rating]:
    teams: dict[int, list[BradleyTerryFullRating]] = {}
    ranks: dict[int, float] = {}
    players = [MODEL.rating() if known is None else MODEL.create_rating([*known]) for known in before]
    for seat, player in zip(seats, players, strict=True):
        teams.setdefault(seat.side, []).append(player)
        ranks[seat.side] = seat.rank
    if len(teams) < 2:
        return [(player.mu, player.sigma) for player in players]
    after = MODEL.rate([teams[side] for side in sorted(teams)], ranks=[ranks[side] for side in sorted(teams)])
    by_side = {side: iter(team) for side, team in zip(sorted(teams), after, strict=True)}
    new = [next(by_side[seat.side]) for seat in seats]
    return [(player.mu, player.sigma) for player in new]


def store(group: int, rated: Sequence[Rated]) -> None:
    values = [(*each.own, *each.everywhere, group, each.row) for each in rated]
    with connection.cursor() as cursor:
        cursor.executemany(
            "UPDATE scoring_seatscore SET mu = %s, sigma = %s, mu_all = %s, sigma_all = %s"
            " WHERE group_id = %s AND id = %s",
            values,
        )
