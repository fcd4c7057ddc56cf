"""What the people of a group have made."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, TypedDict

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.sheet import GameId
from scoring.api.group_access import GroupAPIView
from scoring.api.group_bodies import StatisticsQuery
from scoring.api.schema import problems
from scoring.queries.records_held import BestFeat, BestHand, ClosestGame
from scoring.queries.seat_rows import Chosen
from scoring.queries.statistics import Pair, PersonStatistics, Rating, Statistics, Streak, statistics_of
from scoring.services.scores import finish_by_time


class DescribedRating(TypedDict):
    """What is believed of somebody’s strength; `ordinal` is what somebody is worth at least, almost surely."""

    mu: float
    sigma: float
    ordinal: float


class BidStatistics(TypedDict):
    """How many bids were made, and how many over and under."""

    made: int
    over: int
    under: int


class DescribedPersonStatistics(TypedDict):
    """What somebody has made at a game, or at all of them."""

    person: int
    name: str
    game: GameId | None
    tables: int
    wins: float
    hands: int
    points: int
    best_hand: int | None
    tricks: int | None
    untold: int
    bids: BidStatistics | None
    revokes: int | None
    rating: DescribedRating | None


class GroupRecords(TypedDict):
    """The records of a group."""

    best_hand: BestHand | None
    closest_game: ClosestGame | None
    feats: list[BestFeat]


class DescribedStatistics(TypedDict):
    """The statistics of a group."""

    people: list[DescribedPersonStatistics]
    pairs: list[Pair]
    streaks: list[Streak]
    records: GroupRecords
    untold: int


class StatisticsView(GroupAPIView):
    """The statistics of a group."""

    looks_back = True

    @extend_schema(
        operation_id="get_group_statistics",
        summary="What the people of a group have made",
        parameters=[StatisticsQuery],
        responses={200: DescribedStatistics, **problems(422)},
        description=(
            "Finished tables count and, of them, hands that are finished and not void. Tables that went on with other "
            "people are one game: `tables`, `wins`, `rating`, `pairs`, `streaks` and the closest game count its last "
            "table alone, so whoever left before has hands and points of it, and neither won nor lost. A win shared by "
            "several counts a part for each. `game` null is over all games. `rating` is openskill’s BradleyTerryFull "
            "with its defaults, updated once for each game in the order of finishing, null for somebody who has not "
            "played one to its end; `ordinal` is mu less three sigma. `bids` is null where nothing is bid, `revokes` "
            "where the group does not count them. `tricks` are those that are known, null where no record tells any; "
            "`untold` are hands whose record does not tell who won the tricks."
        ),
    )
    def get(self, request: Request, code: str) -> Response:
        query = self.query(StatisticsQuery)
        finish_by_time(self.group.pk)
        found = statistics_of(self.group, chosen_in(query), person=query["person"])
        body = describe_statistics(found, revokes=self.group.counts_revokes)
        return Response(body)


def chosen_in(query: Mapping[str, Any]) -> Chosen:
    """Return what of the life of a group is asked for."""
    return Chosen(game=query["game"], first=query["from"], last=query["to"])


def describe_statistics(found: Statistics, *, revokes: bool) -> dict[str, Any]:
    """Describe the statistics of a group, as ``DescribedStatistics`` has them."""
    best, closest = found.records.best_hand, found.records.closest
    return {
        "people": [_person(each, revokes=revokes) for each in found.people],
        "pairs": [asdict(each) for each in found.pairs],
        "streaks": [asdict(each) for each in found.streaks],
        "records": {
            "best_hand": best and asdict(best),
            "closest_game": closest and asdict(closest),
            "feats": [asdict(each) for each in found.records.feats],
        },
        "untold": found.untold,
    }


def _person(each: PersonStatistics, *, revokes: bool) -> DescribedPersonStatistics:
    bids = each.bids
    return {
        "person": each.person,
        "name": each.name,
        "game": each.game or None,
        "tables": each.tables,
        "wins": float(each.wins),
        "hands": each.hands,
        "points": each.points,
        "best_hand": each.best_hand,
        "tricks": each.tricks,
        "untold": each.untold,
        "bids": None if bids is None else {"made": bids[0], "over": bids[1], "under": bids[2]},
        "revokes": each.revokes if revokes else None,
        "rating": None if each.rating is None else describe_rating(each.rating),
    }


def describe_rating(rating: Rating) -> DescribedRating:
    """Describe what is believed of somebody's strength."""
    return {"mu": rating.mu, "sigma": rating.sigma, "ordinal": rating.ordinal}
