"""The statistics of a group: what its people have made, with whom and against whom, and its records.

Finished tables count and, of them, hands that are finished and not void (``SeatScore``). Somebody merged into another
person counts as that one. What is asked for takes the same few statements, however much a group has played.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import combinations, groupby
from typing import Any, NamedTuple

from django.db.models import Count, Max, QuerySet, Sum
from django.db.models.functions import Coalesce

from scoring.models import WHOLE_WIN, Group, Person, SeatScore

WHO = Coalesce("person__merged_into", "person")
"""Who a seat counts for: the person, or the one this person is merged into."""
NUMBERS = {
    "tables": Count("pk"),
    "share": Sum("share"),
    **{f"{name}_": Sum(name) for name in ("hands", "points", "tricks", "untold", "revokes")},
    **{f"bids_{name}_": Sum(f"bids_{name}") for name in ("made", "over", "under")},
    "best": Max("best_hand"),
}


class Rating(NamedTuple):
    """What is believed of somebody's strength: openskill's mu and sigma."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """Return what somebody is worth at least, almost surely: mu less three sigma."""
        return self.mu - 3 * self.sigma


@dataclass(frozen=True, slots=True)
class PersonStatistics:
    """What somebody has made at a game, or at all of them where ``game`` is empty; ``bids`` made, over and under."""

    person: int
    name: str
    game: str
    tables: int
    wins: Fraction
    hands: int
    points: int
    best_hand: int | None
    tricks: int
    untold: int
    bids: tuple[int, int, int] | None
    revokes: int
    rating: Rating


@dataclass(frozen=True, slots=True)
class Pair:
    """Two people: tables at which both sat, together or against each other, and how these ended.

    ``ahead`` is how often each was before the other; as partners both won or lost, so ``wins`` are of both.
    """

    people: tuple[int, int]
    tables: int
    ahead: tuple[int, int]
    together: int
    wins: int


@dataclass(frozen=True, slots=True)
class Streak:
    """How many tables in a row somebody has won now, and at most."""

    person: int
    now: int
    best: int


@dataclass(frozen=True, slots=True)
class BestHand:
    """The hand that brought most: whose, at which table, its number from 1, its points."""

    person: int | None
    table: str
    hand: int
    points: int


@dataclass(frozen=True, slots=True)
class ClosestGame:
    """The game in which the first was least ahead of the second."""

    table: str
    game: str
    margin: int


@dataclass(frozen=True, slots=True)
class BestFeat:
    """The best single thing somebody did, in games that count one: at which table, in which hand, with which cards."""

    person: int | None
    table: str
    game: str
    hand: int
    points: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Statistics:
    """All of it."""

    people: tuple[PersonStatistics, ...]
    pairs: tuple[Pair, ...]
    streaks: tuple[Streak, ...]
    best_hand: BestHand | None
    closest: ClosestGame | None
    feats: tuple[BestFeat, ...]
    untold: int
    """Hands of which the record does not tell who won the tricks."""


def counted(group: int) -> QuerySet[SeatScore]:
    """Return the seats of the tables of a group that count."""
    return SeatScore.objects.filter(group=group, finished_at__isnull=False)


def statistics_of(
    group: Group, *, game: str = "", first: date | None = None, last: date | None = None, person: int | None = None
) -> Statistics:
    """Return the statistics of a group: of all, or of a ``game``, of the evenings from ``first`` to ``last``.

    ``person`` leaves only what concerns somebody. Ratings are those after the last table that is looked at.
    """
    rows = counted(group.pk).annotate(who=WHO)
    rows = rows.filter(**({"game": game} if game else {}))
    rows = rows.filter(**({"evening__gte": first} if first else {}), **({"evening__lte": last} if last else {}))
    everybody = list(Person.objects.filter(group=group))
    people = {each.pk: each.name for each in everybody if each.merged_into_id is None}
    person = next((each.counts_as for each in everybody if each.pk == person), person)
    seats = _seats(rows)
    told = tuple(each for each in _people(rows, seats, people) if person in (None, each.person))
    pairs = tuple(each for each in _pairs(seats) if person is None or person in each.people)
    streaks = tuple(each for each in _streaks(seats) if person in (None, each.person))
    own = rows if person is None else rows.filter(who=person)
    closest = _closest(seats, person)
    codes = {} if closest is None else dict(rows.filter(table=closest[0]).values_list("table", "table__code")[:1])
    return Statistics(
        people=told,
        pairs=pairs,
        streaks=streaks,
        best_hand=_best_hand(own),
        closest=None if closest is None else ClosestGame(codes[closest[0]], closest[1], closest[2]),
        feats=_feats(own),
        untold=sum(each[0].untold for _, each in seats if person is None or person in [seat.who for seat in each]),
    )


def _people(
    rows: QuerySet[Any], tables: Sequence[tuple[int, list["_Seat"]]], names: dict[int, str]
) -> Iterator[PersonStatistics]:
    """Yield each person's numbers: over all games, then game by game."""
    own: dict[tuple[int | None, str], Rating] = {}
    everywhere: dict[int | None, Rating] = {}
    for _table, seats in tables:  # what is last stays
        for seat in seats:
            own[seat.who, seat.game] = Rating(seat.mu, seat.sigma)
            everywhere[seat.who] = Rating(seat.mu_all, seat.sigma_all)
    counted = rows.filter(who__isnull=False).values("who", "game").annotate(**NUMBERS).order_by("who", "game")
    games: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    for numbers in counted:
        games[numbers["who"]].append(numbers)
    for who, name in sorted(names.items(), key=lambda item: item[1].casefold()):
        if who in games:
            yield _person(who, name, "", _added(games[who]), everywhere[who])
            for numbers in games[who]:
                yield _person(who, name, numbers["game"], numbers, own[who, numbers["game"]])


def _added(games: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the numbers of somebody over all games; what no game has stays ``None``."""
    added: dict[str, Any] = {}
    for key in NUMBERS:
        values = [numbers[key] for numbers in games if numbers[key] is not None]
        added[key] = None if not values else max(values) if key == "best" else sum(values)
    return added


def _person(who: int, name: str, game: str, numbers: dict[str, Any], rating: Rating) -> PersonStatistics:
    bids = tuple(numbers[f"bids_{kind}_"] for kind in ("made", "over", "under"))
    return PersonStatistics(
        person=who,
        name=name,
        game=game,
        tables=numbers["tables"],
        wins=Fraction(numbers["share"], WHOLE_WIN),
        hands=numbers["hands_"],
        points=numbers["points_"],
        best_hand=numbers["best"],
        tricks=numbers["tricks_"],
        untold=numbers["untold_"],
        bids=None if None in bids else (bids[0], bids[1], bids[2]),
        revokes=numbers["revokes_"],
        rating=rating,
    )


class _Seat(NamedTuple):
    table: int
    who: int | None
    side: int
    rank: int
    share: int
    total: int
    game: str
    hands: int
    untold: int
    mu: float
    sigma: float
    mu_all: float
    sigma_all: float


SEAT = _Seat._fields


def _seats(rows: QuerySet[Any]) -> list[tuple[int, list[_Seat]]]:
    """Return the seats of each table, in the order of finishing."""
    ordered = rows.order_by("finished_at", "table", "seat")
    read = map(_Seat._make, ordered.values_list(*SEAT))
    return [(table, list(seats)) for table, seats in groupby(read, key=lambda seat: seat.table)]


def _pairs(tables: Sequence[tuple[int, list[_Seat]]]) -> Iterator[Pair]:
    """Yield every two people who sat at one table."""
    counted: dict[tuple[int, int], list[int]] = {}
    for _table, seats in tables:
        known = sorted([(seat.who, seat.rank, seat.side, seat.share) for seat in seats if seat.who is not None])
        for (one, rank, side, share), (other, other_rank, other_side, _) in combinations(known, 2):
            count = counted.get((one, other))
            if count is None:
                count = counted[one, other] = [0, 0, 0, 0, 0]
            count[0] += 1
            if rank < other_rank:
                count[1] += 1
            elif other_rank < rank:
                count[2] += 1
            elif side == other_side:
                count[3] += 1
                count[4] += share > 0
    for people, (both, one_ahead, other_ahead, together, wins) in sorted(counted.items()):
        yield Pair(people, both, (one_ahead, other_ahead), together, wins)


def _streaks(tables: Sequence[tuple[int, list[_Seat]]]) -> Iterator[Streak]:
    """Yield how many tables in a row each person has won."""
    now: defaultdict[int, int] = defaultdict(int)
    best: defaultdict[int, int] = defaultdict(int)
    for _table, seats in tables:
        for seat in seats:
            if seat.who is not None:
                now[seat.who] = now[seat.who] + 1 if seat.share else 0
                best[seat.who] = max(best[seat.who], now[seat.who])
    for who in sorted(now):
        yield Streak(who, now[who], best[who])


def _closest(tables: Sequence[tuple[int, list[_Seat]]], person: int | None) -> tuple[int, str, int] | None:
    """Return the table whose first was least ahead, its game and by how much; the earliest of several."""
    found = None
    for table, seats in tables:
        behind = [seat.total for seat in seats if seat.rank > 1]
        ahead = [seat for seat in seats if seat.rank == 1]
        shared = len({seat.side for seat in ahead}) > 1
        if (
            not ahead[0].hands
            or not (behind or shared)
            or (person is not None and person not in [seat.who for seat in seats])
        ):
            continue
        margin = 0 if shared else ahead[0].total - max(behind)
        if found is None or margin < found[2]:
            found = (table, seats[0].game, margin)
    return found


def _best_hand(rows: QuerySet[Any]) -> BestHand | None:
    best = rows.filter(best_hand__isnull=False).order_by("-best_hand", "finished_at", "table", "seat")
    row = best.values_list("who", "table__code", "best_number", "best_hand").first()
    return None if row is None else BestHand(row[0], row[1], row[2] + 1, row[3])


def _feats(rows: QuerySet[Any]) -> tuple[BestFeat, ...]:
    """Return the best of each game that counts such things."""
    best: dict[str, BestFeat] = {}
    told = rows.filter(feat__isnull=False).order_by("finished_at", "table", "seat")
    for who, code, game, feat in told.values_list("who", "table__code", "game", "feat"):
        points, _trick, _on, cards, hand = feat
        if game not in best or points > best[game].points:
            best[game] = BestFeat(who, code, game, hand + 1, points, tuple(cards))
    return tuple(best[game] for game in sorted(best))
