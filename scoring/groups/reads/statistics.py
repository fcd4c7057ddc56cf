"""Statistics of a group: results by person and pair, streaks, records, and personal bests."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import wraps
from itertools import combinations
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from django.db.models import Count, Max, Min, Q, QuerySet, Sum, TextField
from django.db.models.functions import Cast

from referee.engine.sheet import GameKey
from referee.engine.state import FINISHED
from scoring.groups.reads.group_tables import (
    ALL,
    Chosen,
    People,
    SeatRow,
    counted,
    people_counted,
    seats_by_table,
    with_all,
    with_who,
)
from scoring.models import WHOLE_WIN, Group, SeatScore, Table
from scoring.tables.reads.results import points_hidden
from scoring.tables.reads.state import LeftHands, RecentCache, Standing

# --- Cache of results per group, until its finished tables or its people change

Params = ParamSpec("Params")
Read = TypeVar("Read")
MOST_GROUPS = 50
"""Groups cached per process, least recently used evicted first."""
MOST_ANSWERS = 12
"""Results cached per group; the largest takes a megabyte if a hundred people have all met."""
_answer_cache: RecentCache[str, tuple[object, RecentCache[object, Any]]] = RecentCache(MOST_GROUPS)


def cached_for_group(read: Callable[Concatenate[Group, Params], Read]) -> Callable[Concatenate[Group, Params], Read]:
    """Decorator: cache a function of a group's finished tables until the group or its scores change.

    The version is read before the tables, so a cached result is never older than its key. A lookup with a new version
    drops all results of the old one, so deleted names don't linger. Callers must not modify the result.
    """

    @wraps(read)
    def reading(group: Group, /, *args: Params.args, **kwargs: Params.kwargs) -> Read:
        state = Group.objects.filter(pk=group.pk).values_list("version", "score_mark__mark").first()
        if state is None:  # deleted meanwhile
            _answer_cache.drop(group.code)
            return read(group, *args, **kwargs)
        found = _answer_cache.get(group.code)
        if found is None or found[0] != state:
            found = (state, RecentCache(MOST_ANSWERS))
        _answer_cache.put(group.code, found)
        call = (read, args, tuple(sorted(kwargs.items())))
        answer = found[1].get(call)
        if answer is None:
            answer = (read(group, *args, **kwargs),)
            found[1].put(call, answer)
        known: Read = answer[0]
        return known

    return reading


# --- The records of a group, per game: the best hand, the closest game, the best feat
# On a tie, the earliest stands.


@dataclass(frozen=True, slots=True)
class BestHand:
    """The best hand at a game; ``hand`` counts from 1, and ``person`` is ``None`` for a guest."""

    person: int | None
    table: str
    game: GameKey
    hand: int
    points: int


@dataclass(frozen=True, slots=True)
class ClosestGame:
    """The game won by the smallest margin."""

    table: str
    game: GameKey
    margin: int


@dataclass(frozen=True, slots=True)
class BestFeat:
    """The best single feat, in games that score one: its points, hand and cards."""

    person: int | None
    table: str
    game: GameKey
    hand: int
    points: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GroupRecords:
    """The records of a group, one per game: points of different games are never compared."""

    best_hands: tuple[BestHand, ...]
    closest_games: tuple[ClosestGame, ...]
    feats: tuple[BestFeat, ...]


def records_held(
    rows: QuerySet[Any], tables: Iterable[Sequence[SeatRow]], people: People, person: int | None
) -> GroupRecords:
    best: dict[str, SeatRow] = {}
    closest: dict[str, tuple[SeatRow, int]] = {}
    for seats in tables:
        for seat in seats:
            if seat.best_hand is None or person not in (None, seat.who):
                continue
            if seat.game not in best or _worth(seat) > _worth(best[seat.game]):
                best[seat.game] = seat
        apart, game = None if seats[0].goes_on else _margin(seats), seats[0].game
        if apart is not None and (game not in closest or apart < closest[game][1]):
            closest[game] = seats[0], apart
    # The row with the best feat of each game that scores them, and its points, the first item of a feat.
    feats: dict[str, tuple[int, int]] = {}
    own = rows if person is None else rows.filter(person__in=people.spellings(person))
    with_feat = own.filter(feat__isnull=False).order_by("finished_at", "table", "seat")
    for pk, game, feat in with_feat.annotate(written=Cast("feat", TextField())).values_list("pk", "game", "written"):
        points = int(feat[1 : feat.index(",")])
        if game not in feats or points > feats[game][1]:
            feats[game] = (pk, points)
    wanted = {seat.pk for seat in best.values()} | {pk for pk, _points in feats.values()}
    wanted |= {seat.pk for seat, _apart in closest.values()}
    read = list(rows.filter(pk__in=wanted).values_list("pk", "person", "table", "best_number", "feat"))
    codes = dict(Table.objects.filter(pk__in={row[2] for row in read}).values_list("pk", "code"))
    found = {
        pk: (people.counts_as.get(who or 0), codes[table], number or 0, feat) for pk, who, table, number, feat in read
    }
    return GroupRecords(
        tuple(
            BestHand(seat.who, found[seat.pk][1], game, found[seat.pk][2] + 1, seat.best_hand or 0)
            for game, seat in sorted(best.items())
        ),
        tuple(ClosestGame(found[seat.pk][1], game, apart) for game, (seat, apart) in sorted(closest.items())),
        tuple(
            BestFeat(found[pk][0], found[pk][1], game, hand + 1, points, tuple(cards))
            for game, (pk, _points) in sorted(feats.items())
            for points, _trick, _on, cards, hand in [found[pk][3]]
        ),
    )


def _worth(seat: SeatRow) -> tuple[bool, int]:
    best = seat.best_hand or 0
    return not seat.lowest, -best if seat.lowest else best


def _margin(seats: Sequence[SeatRow]) -> int | None:
    """Return the winner's margin in points; 0 for a tie for first, ``None`` without points or without a loser."""
    ahead = [seat for seat in seats if seat.rank == 1]
    if not ahead[0].hands and not any(seat.total for seat in seats):
        return None
    if any(seat.side != ahead[0].side for seat in ahead):
        return 0
    behind = [seat.total for seat in seats if seat.rank > 1]
    return min(abs(ahead[0].total - total) for total in behind) if behind else None


# --- The statistics of a group
# Only finished, non-void hands of finished tables count (``SeatScore``). Continued tables are one game, decided at
# the last of them. Merged people count as the one they are merged into. The number of queries is constant.

NUMBERS = {
    "tables": Count("pk", filter=Q(goes_on=False)),
    "share": Sum("share"),
    "by_totals": Count("pk", filter=Q(hands=None)),
    **{f"{name}_": Sum(name) for name in ("hands", "points", "tricks", "untold", "revokes")},
    **{f"bids_{name}_": Sum(f"bids_{name}") for name in ("made", "over", "under")},
    "best": Max("best_hand", filter=Q(lowest=False)),
    "least": Min("best_hand", filter=Q(lowest=True)),
}
COMBINED: Mapping[type, Callable[[Sequence[Any]], Any]] = {Max: max, Min: min}
"""How to combine numbers of several games or merged people; others are added."""


class Rating(NamedTuple):
    """openskill's mu and sigma; ``ordinal`` is a conservative estimate for ranking."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        return self.mu - 3 * self.sigma


@dataclass(frozen=True, slots=True)
class PersonStatistics:
    """A person's results at a game, or over all games if ``game`` is empty.

    ``tables`` are games that the person finished; for ``by_totals`` of them only the totals are known. ``hands``,
    ``points`` and ``revokes`` cover the others, and are ``None`` if there are none. ``tricks`` counts known tricks,
    ``None`` if no record has any. ``bids`` are (made, over, under). There is no rating before the first finished game.
    Over all games, ``points`` and ``best_hand`` are ``None``: points of different games are never added or compared.
    """

    person: int
    name: str
    game: str
    tables: int
    wins: Fraction
    by_totals: int
    hands: int | None
    points: int | None
    best_hand: int | None
    lowest: bool  # whether the lowest hand is best
    tricks: int | None
    untold: int
    bids: tuple[int, int, int] | None
    revokes: int | None
    rating: Rating | None

    def cells(self, *, revokes: bool) -> Sequence[object]:
        rating = ("", "", "") if self.rating is None else (*self.rating, self.rating.ordinal)
        return (
            self.name, self.game, self.tables, float(self.wins), known_cell(self.hands), known_cell(self.points),
            known_cell(self.best_hand), known_cell(self.tricks), self.untold, *(self.bids or ("", "", "")),
            known_cell(self.revokes) if revokes else "", *rating, self.by_totals,
        )  # fmt: skip


STATISTICS = (
    "player", "game", "tables", "wins", "hands", "points", "best_hand", "tricks", "untold_hands",
    "bids_made", "bids_over", "bids_under", "revokes", "rating_mu", "rating_sigma", "rating_ordinal",
    "known_by_totals",
)  # fmt: skip


def known_cell(number: int | None) -> int | str:
    return "" if number is None else number


@dataclass(frozen=True, slots=True)
class Pair:
    """Two people's games: those that both finished, as partners or opponents.

    ``ahead`` is how often each finished before the other, ``together`` counts games as partners, ``wins`` those they
    won.
    """

    people: tuple[int, int]
    tables: int
    ahead: tuple[int, int]
    together: int
    wins: int

    def of(self, person: int) -> tuple[int, int, int]:
        one, other = self.people
        return (other, *self.ahead) if person == one else (one, *self.ahead[::-1])


@dataclass(frozen=True, slots=True)
class Streak:
    """A person's current and longest winning streaks, in games."""

    person: int
    now: int
    best: int


class Statistics(NamedTuple):
    people: tuple[PersonStatistics, ...]
    pairs: tuple[Pair, ...]
    streaks: tuple[Streak, ...]
    records: GroupRecords
    untold: int
    """Hands whose record does not say who won the tricks."""
    by_totals: int
    """Games of which only the totals are known."""


@cached_for_group
def statistics_of(group: Group, chosen: Chosen = ALL, *, person: int | None = None) -> Statistics:
    """Return the statistics of a group, filtered by ``chosen`` and ``person``."""
    people = people_counted(group)
    person = None if person is None else people.counts_as.get(person, person)
    rows = counted(group.pk, chosen)
    rows = rows if person is None else with_all(rows, people.spellings(person))
    tables = seats_by_table(rows, people)
    ended = [seats for seats in tables if not seats[0].goes_on]
    return Statistics(
        people=tuple(_people(rows, ended, people, person)),
        pairs=tuple(each for each in pairs_at(ended) if person is None or person in each.people),
        streaks=tuple(each for each in streaks_at(ended) if person in (None, each.person)),
        records=records_held(rows, tables, people, person),
        untold=sum(seats[0].untold for seats in tables),
        by_totals=sum(seats[0].hands is None for seats in tables),
    )


def _people(
    rows: QuerySet[Any], ended: Iterable[Sequence[SeatRow]], people: People, person: int | None
) -> Iterator[PersonStatistics]:
    """Yield each person's results: over all games, then game by game; ratings are those after the last of ``ended``."""
    last: dict[tuple[int | None, str], int] = {}
    for seats in ended:  # later rows overwrite earlier ones
        for seat in seats:
            last[seat.who, seat.game] = last[seat.who, ""] = seat.pk
    rated = rows.filter(pk__in=set(last.values())).values_list("pk", "mu", "sigma", "mu_all", "sigma_all")
    ratings = {pk: (Rating(*numbers[:2]), Rating(*numbers[2:])) for pk, *numbers in rated if None not in numbers}
    if person is not None:
        rows = rows.filter(person__in=people.spellings(person))
    games: defaultdict[int, defaultdict[str, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for numbers in rows.filter(person__isnull=False).values("person", "game").annotate(**NUMBERS).order_by("game"):
        games[people.counts_as[numbers["person"]]][numbers["game"]].append(numbers)
    for who, name in sorted(people.names.items(), key=lambda item: item[1].casefold()):
        if who in games:
            of_games = {game: _added(numbers) for game, numbers in games[who].items()}
            own = ratings.get(last.get((who, ""), 0), UNRATED)
            yield _person(who, name, "", _added([*of_games.values()]), own[1])
            for game, numbers in of_games.items():
                own = ratings.get(last.get((who, game), 0), UNRATED)
                yield _person(who, name, game, numbers, own[0])


UNRATED: tuple[Rating | None, Rating | None] = (None, None)
"""The ratings, at a game and over all, of someone who has finished none."""


def _added(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    added: dict[str, Any] = {}
    for key in NUMBERS:
        values = [numbers[key] for numbers in parts if numbers[key] is not None]
        added[key] = None if not values else COMBINED.get(type(NUMBERS[key]), sum)(values)
    return added


def _person(who: int, name: str, game: str, numbers: dict[str, Any], rating: Rating | None) -> PersonStatistics:
    bids = tuple(numbers[f"bids_{kind}_"] for kind in ("made", "over", "under"))
    return PersonStatistics(
        person=who,
        name=name,
        game=game,
        tables=numbers["tables"],
        wins=Fraction(numbers["share"], WHOLE_WIN),
        by_totals=numbers["by_totals"],
        hands=numbers["hands_"],
        points=numbers["points_"] if game else None,
        best_hand=(numbers["least"] if numbers["best"] is None else numbers["best"]) if game else None,
        lowest=numbers["best"] is None and numbers["least"] is not None,
        tricks=numbers["tricks_"],
        untold=numbers["untold_"],
        bids=None if None in bids else (bids[0], bids[1], bids[2]),
        revokes=numbers["revokes_"],
        rating=rating,
    )


def pairs_at(tables: Iterable[Sequence[SeatRow]]) -> Iterator[Pair]:
    met: dict[tuple[int, int], list[int]] = {}
    for seats in tables:
        known = sorted([(seat.who, seat.rank, seat.side, seat.share) for seat in seats if seat.who is not None])
        for (one, rank, side, share), (other, other_rank, other_side, _) in combinations(known, 2):
            count = met.get((one, other))
            if count is None:
                count = met[one, other] = [0, 0, 0, 0, 0]
            count[0] += 1
            if rank < other_rank:
                count[1] += 1
            elif other_rank < rank:
                count[2] += 1
            elif side == other_side:
                count[3] += 1
                count[4] += share > 0
    for people, (both, one_ahead, other_ahead, together, wins) in sorted(met.items()):
        yield Pair(people, both, (one_ahead, other_ahead), together, wins)


def streaks_at(tables: Iterable[Sequence[SeatRow]]) -> Iterator[Streak]:
    now: defaultdict[int, int] = defaultdict(int)
    best: defaultdict[int, int] = defaultdict(int)
    for seats in tables:
        for seat in seats:
            if seat.who is not None:
                now[seat.who] = now[seat.who] + 1 if seat.share else 0
                if now[seat.who] > best[seat.who]:
                    best[seat.who] = now[seat.who]
    for who in sorted(now):
        yield Streak(who, now[who], best[who])


# --- Personal bests: a person's highest-scoring hands at a game

FEWEST_BEFORE = 3
"""Finished hands needed before a best is announced; a first hand would always be one."""


class PersonalBest(NamedTuple):
    """A personal best: a hand (numbered from 1) that scored more than any before; ``before`` is the previous best.

    If the lowest total wins, the hand scored less.
    """

    seat: int
    hand: int
    points: int
    before: int


class _Own(NamedTuple):
    """A seat's candidate hand, and its earlier scores at this table."""

    hand: int
    points: int
    earlier: tuple[int, ...]


def bests_at(at: Standing, left: LeftHands) -> tuple[PersonalBest, ...]:
    """Return the personal bests of the last hand or, once the game is over, of all its hands.

    A hand is compared with the same person's finished hands at the same game in the group's statistics, under any house
    rules and with any number of players, and with those of this table, so it agrees with the best hand in the
    statistics. Tables where the lowest total wins are compared only among themselves. Guests have no bests, and nobody
    has while points are hidden. Costs no query if no hand can be a best, two otherwise.
    """
    hand, rules = at.hand, at.rules
    if at.row.group_id is None or hand is None or hand.phase is not FINISHED or points_hidden(at):
        return ()
    made = [(each.number, each.scores) for each in left.hands if each.phase == str(FINISHED)]
    made.append((hand.setup.index + 1, hand.scores() or (None,) * rules.players))
    own = {seat: found for seat in range(rules.players) if (found := _own(at, made, seat)) is not None}
    if not own:
        return ()
    seats = with_who(SeatScore.objects.filter(table=at.row, seat__in=own)).values_list("seat", "who")
    people = {seat: who for seat, who in seats if who is not None}
    best = Min("best_hand") if rules.lowest_wins else Max("best_hand")
    rows = counted(at.row.group_id).exclude(table=at.row).filter(game=at.row.game, lowest=rules.lowest_wins)
    sums = with_who(rows).filter(who__in=people.values()).order_by().values("who")
    summed = sums.annotate(n=Sum("hands"), most=best).values_list("who", "n", "most") if people else ()
    known = {who: (hands, most) for who, hands, most in summed}
    bests = list[PersonalBest]()
    for seat, who in sorted(people.items()):
        hands, most = known.get(who, (0, None))
        number, points, earlier = own[seat]
        before = max([*earlier, *([] if most is None else [most])], key=rules.worth, default=None)
        enough = (hands or 0) + len(earlier) >= FEWEST_BEFORE
        if enough and before is not None and rules.worth(points) > rules.worth(before):
            bests.append(PersonalBest(seat, number, points, before))
    return tuple(bests)


def _own(at: Standing, made: list[tuple[int, tuple[int | None, ...]]], seat: int) -> _Own | None:
    worth, scores = at.rules.worth, [(number, points[seat] or 0) for number, points in made]
    first = 0 if at.state.finished() else len(scores) - 1
    number, points = max(scores[first:], key=lambda each: worth(each[1]))
    earlier = tuple(each for _number, each in scores[:first])
    beaten = any(worth(each) >= worth(points) for each in earlier)
    return None if beaten or (points <= 0 and not at.rules.lowest_wins) else _Own(number, points, earlier)
