"""The records of a group: the hand that brought most, the closest game, and the best single thing anybody did."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from referee.engine.sheet import GameId
from scoring.models import Table
from scoring.queries.seat_rows import People, SeatRow


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
    game: GameId
    margin: int


@dataclass(frozen=True, slots=True)
class BestFeat:
    """The best single thing somebody did, in games that count one: at which table, in which hand, with which cards."""

    person: int | None
    table: str
    game: GameId
    hand: int
    points: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecordsHeld:
    """The records that stand; the earliest of several that are alike."""

    best_hand: BestHand | None
    closest: ClosestGame | None
    feats: tuple[BestFeat, ...]


def records_held(
    rows: QuerySet[Any], tables: Iterable[Sequence[SeatRow]], people: People, person: int | None
) -> RecordsHeld:
    """Return the records of some tables, in the order of finishing, or of what somebody did there."""
    best, closest, margin = None, None, 0
    for seats in tables:
        for seat in seats:
            if seat.best is not None and (best is None or seat.best > (best.best or 0)) and person in (None, seat.who):
                best = seat
        apart = None if seats[0].goes_on else _margin(seats)
        if apart is not None and (closest is None or apart < margin):
            closest, margin = seats[0], apart
    own = rows if person is None else rows.filter(person__in=people.spellings(person))
    feats = _feats(own)
    wanted = {best.pk if best else 0, closest.pk if closest else 0, *(pk for pk, _points in feats.values())}
    read = list(rows.filter(pk__in=wanted).values_list("pk", "person", "table", "best_number", "feat"))
    codes = dict(Table.objects.filter(pk__in={row[2] for row in read}).values_list("pk", "code"))
    found = {
        pk: (people.counts_as.get(who or 0), codes[table], number or 0, feat) for pk, who, table, number, feat in read
    }
    return RecordsHeld(
        None if best is None else BestHand(best.who, found[best.pk][1], found[best.pk][2] + 1, best.best or 0),
        None if closest is None else ClosestGame(found[closest.pk][1], closest.game, margin),
        tuple(_feat(game, found[pk]) for game, (pk, _points) in sorted(feats.items())),
    )


def _margin(seats: Sequence[SeatRow]) -> int | None:
    """Return by how much the first was ahead; ``None`` where nobody has played, here or before, or all are even."""
    ahead = [seat for seat in seats if seat.rank == 1]
    if not ahead[0].hands and not any(seat.total for seat in seats):
        return None
    if any(seat.side != ahead[0].side for seat in ahead):
        return 0
    behind = [seat.total for seat in seats if seat.rank > 1]
    return ahead[0].total - max(behind) if behind else None


def _feats(rows: QuerySet[Any]) -> dict[str, tuple[int, int]]:
    """Return the row of the best feat of each game that counts such things, and its points: a feat begins with them."""
    best: dict[str, tuple[int, int]] = {}
    with_feat = rows.filter(feat__isnull=False).order_by("finished_at", "table", "seat")
    for pk, game, feat in with_feat.annotate(written=Cast("feat", TextField())).values_list("pk", "game", "written"):
        points = int(feat[1 : feat.index(",")])
        if game not in best or points > best[game][1]:
            best[game] = (pk, points)
    return best


def _feat(game: str, found: tuple[int | None, str, int, Any]) -> BestFeat:
    who, code, _number, feat = found
    points, _trick, _on, cards, hand = feat
    return BestFeat(who, code, game, hand + 1, points, tuple(cards))
