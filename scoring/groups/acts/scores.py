"""Updating a group's ratings and statistics, and verifying them against the logs.

Ratings are openskill's BradleyTerryFull with default settings. A game is rated once, at its last table, in the order in
which games finished. Partners are a team; a guest counts as a new player each time. After a change, every game from
that table on is rated again, so the ratings always equal those of a single pass.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from openskill.models import BradleyTerryFull, BradleyTerryFullRating

from referee.engine.hand import Hand
from referee.engine.rules import Rules
from referee.engine.table import HandTally, TableState, add_up, tally
from scoring.groups.reads.group_tables import games, with_who
from scoring.models import WHOLE_WIN, Group, Person, ScoreMark, SeatedPerson, SeatScore, Table, TableEvent
from scoring.operating.acts.database import noted_if_it_can_be
from scoring.tables.reads.access import last_recorded
from scoring.tables.reads.log import hands_as_they_were
from scoring.tables.reads.results import goes_on, known_by_totals, may_hide_points, points_hidden
from scoring.tables.reads.state import TIME, Standing, by_now, standing

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


# --- Statistics


# --- Updating the statistics of a group
# Any act that changes a finished hand updates its seats' scores in the same transaction. Scores derive from the log
# alone (``score_table`` recomputes them). A finished hand writes one row per seat; a running one writes none.

SEATED = ("group", "game", "evening", "person", "side")
RATINGS = ("mu", "sigma", "mu_all", "sigma_all")
WRITTEN = tuple(
    field.name
    for field in SeatScore._meta.concrete_fields
    if field.name not in ("id", "table", "seat", *SEATED, *RATINGS)
)
"""The columns derived from a seat's hands and the table's result."""


def keep_scores(row: Table, state: TableState, first: int, hands: Sequence[Hand], now: datetime) -> None:
    """Store the scores of a table's hands from index ``first`` on; ``hands`` must include all of them.

    ``row`` is the table as read, its log already complete; ``state`` is the referee's state of it.
    """
    _take_turns(row)
    if row.group_id is not None:
        stored = list(SeatScore.objects.filter(table=row).order_by("seat"))
        fresh = [tallied for hand in hands if (tallied := tally(hand)) is not None]
        lines = [[line for line in score.lines if line[0] < first] for score in stored]
        if len(stored) == len(row.seats) and len(lines[0]) + len(fresh) == state.hands_done():
            for seat, kept in enumerate(lines):
                kept += _lines(fresh, seat)
            _change(row, stored, lambda: stand(row, state, stored, lines, now))
        else:
            _score(row, now)
    score_before(row)


def score_table(row: Table) -> None:
    """Recompute a table's scores from its log, when it joins a group or its people change."""
    _take_turns(row)
    _score(row)
    score_before(row)


def score_before(row: Table, *, end_changed: bool = False) -> None:
    """Recompute the earlier tables of a continued game, which hide their points if this one does.

    ``end_changed``: this table was just added or deleted, so the game no longer ends, or ends again, at the one before.
    """
    _take_turns(row)
    at: Table | None = row
    while at is not None and at.previous_id is not None and (end_changed or may_hide_points(at)):
        earlier, end_changed = Table.objects.filter(pk=at.previous_id), False
        group = earlier.values_list("group", flat=True).first()
        if group is not None:
            lock_scores(group)
        at = earlier.first()
        if at is not None and at.group_id is not None:
            _score(at)


def _take_turns(row: Table) -> None:
    """Lock the scores of a chain of continued tables.

    The last table decides when the earlier ones count but must not lock them: tables are locked oldest first.
    """
    if row.group_id is not None and (row.previous_id is not None or row.finished):
        lock_scores(row.group_id)


def _score(row: Table, now: datetime | None = None) -> None:
    stored = list(SeatScore.objects.filter(table=row).order_by("seat"))
    if row.group_id is None:
        _forget(stored)
        return
    by_seat = {score.seat: score for score in stored}
    scores = [by_seat.get(seat) or SeatScore(table=row, seat=seat) for seat in range(len(row.seats))]
    _change(row, scores, lambda: work_out(row, scores, now))


def work_out(row: Table, scores: Sequence[SeatScore], now: datetime | None = None) -> None:
    """Set all columns derived from a table's log and people, except ratings."""
    assert row.group_id is not None
    hands = hands_as_they_were(row, Table.objects.values_list("version", flat=True).get(pk=row.pk))
    tallies = [each for hand in hands if hand.state.hand is not None and (each := tally(hand.state.hand)) is not None]
    state = hands[-1].state if hands else standing(row).state
    people = dict(SeatedPerson.objects.filter(table=row).values_list("seat", "person"))
    for seat, score in enumerate(scores):
        score.group_id, score.game, score.evening = row.group_id, row.game, row.evening
        score.person_id, score.side = people.get(seat), min(state.rules.sides[seat])
    stand(row, state, scores, [_lines(tallies, seat) for seat in range(len(row.seats))], now)


def _lines(tallies: Iterable[HandTally], seat: int) -> list[list[Any]]:
    """Return a seat's lines, one per hand: number, score, tricks, bid, won, revokes, complete, feat."""
    lines = []
    for each in tallies:
        own = each.seats[seat]
        bid, won = (None, None) if own.bid is None else own.bid
        feat = None if own.feat is None else [own.feat.points, own.feat.trick, own.feat.on, list(own.feat.cards)]
        lines.append([each.number, own.score, own.tricks, bid, won, own.revokes, int(each.complete), feat])
    return lines


def sum_up(score: SeatScore, lines: list[list[Any]], rules: Rules) -> None:
    score.lines, score.scores = lines, [line[1] for line in lines]
    score.hands, score.points = len(lines), sum(score.scores)
    best = max(lines, key=lambda line: rules.worth(line[1]), default=None)
    score.lowest = rules.lowest_wins
    score.best_hand, score.best_number = (None, None) if best is None else (best[1], best[0])
    tricks = [line[2] for line in lines if line[2] is not None]
    score.tricks = sum(tricks) if tricks else None
    score.revokes = sum(line[5] for line in lines)
    score.untold = sum(not line[6] for line in lines)
    off = [line[4] - line[3] for line in lines if line[3] is not None]
    score.bids = bids_of(lines)
    score.bids_made = off.count(0) if off else None
    score.bids_over = sum(each > 0 for each in off) if off else None
    score.bids_under = sum(each < 0 for each in off) if off else None
    feats = [(line[7], line[0]) for line in lines if line[7] is not None]
    feat, number = max(feats, key=lambda each: each[0][0], default=(None, None))
    score.feat = None if feat is None else [*feat, number]


def bids_of(lines: Sequence[Sequence[Any]]) -> list[list[int]]:
    """Count (bid, won) pairs: ``[[bid, won, count], ...]``.

    >>> bids_of([[0, 1, 3, 3, 3], [1, 0, 2, 3, 2], [2, 1, 3, 3, 3], [3, 0, 1, None, None]])
    [[3, 2, 1], [3, 3, 2]]
    """
    counted = Counter((line[3], line[4]) for line in lines if line[3] is not None)
    return [[bid, won, count] for (bid, won), count in sorted(counted.items())]


def finished_at(row: Table, state: TableState, now: datetime | None = None) -> datetime | None:
    """Return when a table began to count: its game is over and its points are visible; ``None`` if it doesn't yet.

    A table with a time limit is over at that time or at its last entry, whichever is later. ``now`` is the time of an
    act that ends the table and is not yet in ``row``.
    """
    late = by_now(row, state)
    if not late.finished() or points_hidden(Standing(row, late)):
        return None
    log = TableEvent.objects.filter(table=row)
    if not state.finished() and row.end["kind"] == TIME:
        began, last = log.order_by("seq").first(), log.order_by("-seq").first()
        assert began is not None
        assert last is not None
        return max(began.at + timedelta(minutes=row.end["value"]), last.at)
    if row.finished and row.finished_at is not None:
        return row.finished_at
    return now or last_recorded(row)


def stand(
    row: Table, state: TableState, scores: Sequence[SeatScore], lines: Sequence[list[list[Any]]], now: datetime | None
) -> None:
    """Set totals, rank, win share, and whether the table counts.

    Until it counts, totals cover the finished hands only. A table whose game was continued has no winner.
    """
    over = finished_at(row, state, now)
    totals_only = known_by_totals(row, state)
    for score, own in zip(scores, lines, strict=True):
        sum_up(score, own, state.rules)
        score.finished_at = over
        if totals_only:
            score.hands = score.points = score.tricks = score.revokes = None
    continued = state.finished() and goes_on(row)
    made = [score.points or 0 for score in scores]
    totals = state.totals() if over else add_up(state.rules, state.brought(), made)
    sides, first = {min(side) for side in state.rules.sides}, state.rules.ahead(totals)
    for seat, score in enumerate(scores):
        score.total = totals[seat]
        score.rank = state.rules.rank(totals[seat], (totals[side] for side in sides))
        score.goes_on = continued
        score.share = WHOLE_WIN // len(first) if over and seat in first and not continued else 0


def _change(row: Table, scores: Sequence[SeatScore], recompute: Callable[[], None]) -> None:
    """Compute and upsert a table's rows in one statement, and recompute the ratings that depend on them."""
    assert row.group_id is not None
    before, moments = [_rated_by(score) for score in scores], _moments(scores)
    recompute()
    moments += _moments(scores)
    if moments:
        hold_scores(row.group_id)
    fields = [*SEATED, *WRITTEN]
    if scores[0].finished_at is None or scores[0].goes_on:  # otherwise ``rate_from`` writes the ratings
        fields += RATINGS
        for score in scores:
            score.mu = score.sigma = score.mu_all = score.sigma_all = None
    SeatScore.objects.bulk_create(
        scores, update_conflicts=True, unique_fields=["group", "table", "seat"], update_fields=fields
    )
    if moments and before != [_rated_by(score) for score in scores]:
        rate_from(row.group_id, min(moments))


def _rated_by(score: SeatScore) -> object:
    if score.finished_at is None or score.goes_on:
        return None
    return (score.group_id, score.finished_at, score.person_id, score.game, score.side, score.rank)


def _moments(scores: Iterable[SeatScore]) -> list[Moment]:
    return [Moment(score.finished_at, score.table_id) for score in scores if score.finished_at is not None]


def forget_scores(row: Table) -> None:
    with transaction.atomic():
        _take_turns(row)
        _forget(list(SeatScore.objects.filter(table=row)))


def _forget(stored: Sequence[SeatScore]) -> None:
    counted = [score for score in stored if score.finished_at is not None]
    if counted:
        hold_scores(counted[0].group_id)
    SeatScore.objects.filter(pk__in=[score.pk for score in stored]).delete()
    if counted:
        rate_from(counted[0].group_id, min(_moments(counted)))


def score_past(games: Sequence[tuple[Table, TableState]], seated: Sequence[Sequence[int | None]]) -> None:
    """Store the scores of past games, of which only totals are known; all belong to one group."""
    scores, group = list[SeatScore](), games[0][0].group_id
    assert group is not None
    for (row, state), people in zip(games, seated, strict=True):
        row.following = None  # type: ignore[attr-defined]  # a new table has no continuation; saves a query
        own = [
            SeatScore(
                table=row, seat=seat, group_id=group, game=row.game, evening=row.evening, person_id=person,
                side=min(state.rules.sides[seat]),
            )
            for seat, person in enumerate(people)
        ]  # fmt: skip
        stand(row, state, own, [[] for _seat in own], None)
        scores += own
    hold_scores(group)
    SeatScore.objects.bulk_create(scores)
    rate_from(group, min(_moments(scores)))


def forget_all_scores(rows: Sequence[Table]) -> None:
    """Delete the scores of some tables of a group; none of them may continue another."""
    _forget(list(SeatScore.objects.filter(table__in=[row.pk for row in rows])))


def people_changed(group: int, people: Iterable[int]) -> None:
    with transaction.atomic():
        hold_scores(group)
        for moment in _first(SeatScore.objects.filter(group=group, person__in=people)):
            rate_from(group, moment)


def leave_scores(group: int, people: Sequence[int]) -> None:
    hold_scores(group)
    seats = SeatScore.objects.filter(group=group, person__in=people)
    first = _first(seats)
    seats.update(person=None, **dict.fromkeys(RATINGS))
    for moment in first:
        rate_from(group, moment)


def _first(seats: QuerySet[SeatScore]) -> list[Moment]:
    return _moments(seats.filter(finished_at__isnull=False).order_by("finished_at", "table")[:1])


def finish_by_time(group: int) -> None:
    """Count the tables of a group whose time limit has passed, since no entry will trigger it.

    Includes tables whose points were hidden only by a later table that is now out of time.
    """
    scores = SeatScore.objects.filter(group=group)
    running = Q(finished=False) & ~Q(pk__in=scores.filter(finished_at__isnull=False).values("table"))
    hidden = Q(finished=True, pk__in=scores.filter(finished_at__isnull=True).values("table"))
    for row in Table.objects.filter(running | hidden, group=group, end__contains=f'"{TIME}"'):
        if finished_at(row, standing(row).state) is not None:
            with noted_if_it_can_be():
                score_table(Table.objects.select_for_update(no_key=True).get(pk=row.pk))


# --- Verifying the statistics of a group: recompute everything from the logs, and compare it with what is stored

COMPARED = ("group_id", "game", "evening", "person_id", "side", *WRITTEN)


def statistics_differences(group: Group, *, write: bool = False) -> Iterator[str]:
    """Yield a sentence for each stored statistic that differs from the logs; ``write`` repairs it."""
    right: list[SeatScore] = []
    for pk in list(Table.objects.filter(group=group).order_by("pk").values_list("pk", flat=True)):
        # Lock the table, so that nothing is written while it is compared.
        with transaction.atomic():
            row = Table.objects.select_for_update().filter(pk=pk, group=group).first()
            if row is not None:
                yield from _table(row, right, write=write)
    scored = set(SeatScore.objects.filter(group=group).values_list("table", flat=True))
    own = set(Table.objects.filter(group=group).values_list("pk", flat=True))
    for row in Table.objects.filter(pk__in=scored - own).order_by("pk"):
        yield f"{row}: It counts in this group’s statistics, but isn’t one of its tables."
        if write:
            forget_scores(row)
    yield from _ratings(group, right, write=write)


def _table(row: Table, right: list[SeatScore], *, write: bool) -> Iterator[str]:
    """Compare a table's rows with its log, appending the correct ones to ``right`` with the stored ids."""
    scores = [SeatScore(table=row, seat=seat) for seat in range(len(row.seats))]
    work_out(row, scores)
    stored = {score.seat: score for score in SeatScore.objects.filter(table=row)}
    wrong = False
    for score in scores:
        there = stored.get(score.seat)
        if there is None:
            if not score.hands and score.finished_at is None:
                continue  # no hand is finished yet
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
        yield f"{score.table}: The ratings of seat {score.seat} differ from those computed from all tables."
        if write:
            with transaction.atomic():
                hold_scores(group.pk)
                if known is None:
                    SeatScore.objects.filter(group=group, pk=score.pk).update(**dict.fromkeys(RATINGS))
                else:
                    store(group.pk, [known])
