"""What the people of a group have made, and what the pictures of it are drawn from."""

from dataclasses import asdict
from typing import Any, TypedDict

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from referee.engine.shapes import CLOSED, also
from referee.engine.sheet import GameId
from scoring.groups.acts.scores import finish_by_time
from scoring.groups.api.answers import answered
from scoring.groups.api.bodies import RatingsQuery, SeasonQuery, StatisticsQuery
from scoring.groups.api.groups import OF_GROUP, GroupAPIView
from scoring.groups.reads import statistics
from scoring.groups.reads.charts import (
    DescribedRating,
    Ratings,
    describe_rating,
    distributions,
    rating_curves,
    two_people,
)
from scoring.groups.reads.group_tables import Chosen
from scoring.tables.acts.exceptions import NoSuchPerson
from scoring.tables.api.schema import operation, problems


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


class DescribedStatistics(TypedDict):
    """The statistics of a group."""

    people: list[DescribedPersonStatistics]
    pairs: list[statistics.Pair]
    streaks: list[statistics.Streak]
    records: statistics.GroupRecords
    untold: int


class StatisticsView(GroupAPIView):
    @operation(
        "get_group_statistics",
        "What the people of a group have made",
        {200: DescribedStatistics, **problems(422)},
        parameters=[StatisticsQuery],
    )
    def get(self, request: Request, code: str) -> Response:
        """Finished tables count and, of them, hands that are finished and not void. Tables that went on with other
        people are one game: `tables`, `wins`, `rating`, `pairs`, `streaks` and the closest game count its last table
        alone, so whoever left before has hands and points of it, and neither won nor lost. A win shared by several
        counts a part for each. `game` null is over all games. `rating` is openskill’s BradleyTerryFull with its
        defaults, updated once for each game in the order of finishing, null for somebody who has not played one to its
        end; `ordinal` is mu less three sigma. `bids` is null where nothing is bid, `revokes` where the group does not
        count them. `tricks` are those that are known, null where no record tells any; `untold` are hands whose record
        does not tell who won the tricks.
        """
        query, chosen = looked_at(self, StatisticsQuery)
        found = statistics.statistics_of(self.group, chosen, person=query["person"])
        body = {
            "people": [_person(each, revokes=self.group.counts_revokes) for each in found.people],
            "pairs": [asdict(each) for each in found.pairs],
            "streaks": [asdict(each) for each in found.streaks],
            "records": asdict(found.records),
            "untold": found.untold,
        }
        return Response(body)


def looked_at(view: GroupAPIView, kind: type[Serializer[Any]]) -> tuple[dict[str, Any], Chosen]:
    query = view.query(kind)
    finish_by_time(view.group.pk)
    return query, Chosen(game=query["game"], first=query["from"], last=query["to"])


def _person(each: statistics.PersonStatistics, *, revokes: bool) -> DescribedPersonStatistics:
    return answered(
        DescribedPersonStatistics,
        each,
        game=each.game or None,
        wins=float(each.wins),
        bids=each.bids and dict(zip(BidStatistics.__annotations__, each.bids, strict=True)),
        revokes=each.revokes if revokes else None,
        rating=each.rating and describe_rating(each.rating),
    )


@also(CLOSED)
class HandsByScore(TypedDict):
    """How many hands brought so many points."""

    points: int
    hands: int


@also(CLOSED)
class HandsByBid(TypedDict):
    """How often so many tricks were won on so high a bid."""

    bid: int
    won: int
    hands: int


@also(CLOSED)
class HandStatistics(TypedDict):
    """How the hands of a game have gone."""

    scores: list[HandsByScore]
    bids: list[HandsByBid]
    untold: int


@also(CLOSED)
class TwoPeopleAtGame(TypedDict):
    """How two people did at a game, or at all of them."""

    game: str | None
    tables: int
    ahead: list[int]
    together: int
    wins: int


@also(CLOSED)
class DescribedTwoPeople(TypedDict):
    """How two people did, as partners and against each other."""

    people: list[int]
    names: list[str]
    games: list[TwoPeopleAtGame]


class RatingsView(GroupAPIView):
    @operation(
        "get_group_ratings",
        "The ratings of a group over time",
        {200: Ratings, **problems(422)},
        parameters=[RatingsQuery],
    )
    def get(self, request: Request, code: str) -> Response:
        """What was believed of everybody’s strength after one table and another, at most `points` of them, evenly, the
        last one included; at all games where none is named. `ratings` are in the order of `people`, who have played
        most first.
        """
        query, chosen = looked_at(self, RatingsQuery)
        return Response(rating_curves(self.group, chosen, person=query["person"], most=query["points"]))


class HandsView(GroupAPIView):
    @operation(
        "get_group_hand_statistics",
        "How the hands of a game have gone",
        {200: HandStatistics, **problems(422)},
        parameters=[StatisticsQuery],
    )
    def get(self, request: Request, code: str) -> Response:
        """How many hands brought so many points, each seat counted, and how often so many tricks were won on so high a
        bid. Guests count, too. `untold` are hands whose record does not tell who won the tricks.
        """
        query, chosen = looked_at(self, StatisticsQuery)
        found = distributions(self.group, chosen, person=query["person"])
        scores = [{"points": points, "hands": count} for points, count in sorted(found.scores.items())]
        bids = [{"bid": bid, "won": won, "hands": count} for (bid, won), count in sorted(found.bids.items())]
        return Response({"scores": scores, "bids": bids, "untold": found.untold})


class PairView(GroupAPIView):
    address = OF_GROUP | {"number": "The id of the person.", "other": "The id of the other person."}

    @operation(
        "get_group_pair_statistics",
        "How two people did, as partners and against each other",
        {200: DescribedTwoPeople, **problems(422)},
        parameters=[SeasonQuery],
    )
    def get(self, request: Request, code: str, number: int, other: int) -> Response:
        """At all games (`game` null) and at each: how many tables both sat at, how often each was ahead of the other,
        how often they were partners, and how many of these both won. Empty where they never met.
        """
        _query, chosen = looked_at(self, SeasonQuery)
        two = two_people(self.group, number, other, chosen)
        if two is None:
            raise NoSuchPerson
        games = [
            answered(TwoPeopleAtGame, pair, game=game or None, ahead=pair.of(two.people[0])[1:])
            for game, pair in two.games
        ]
        return Response(answered(DescribedTwoPeople, two, games=games))
