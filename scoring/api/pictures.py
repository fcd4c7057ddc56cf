"""What the pictures of a group's statistics are drawn from: ratings over time, how hands went, two people."""

from typing import TypedDict

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.shapes import CLOSED, also
from scoring.api.group_access import OF_GROUP, GroupAPIView
from scoring.api.group_bodies import RatingsQuery, SeasonQuery, StatisticsQuery
from scoring.api.group_history import Day
from scoring.api.schema import problems
from scoring.api.statistics import DescribedRating, chosen_in, describe_rating
from scoring.queries.distributions import distributions
from scoring.queries.pairs import TwoPeople, two_people
from scoring.queries.rating_curves import RatingCurves, rating_curves
from scoring.services.exceptions import NoSuchPerson
from scoring.services.scores import finish_by_time


@also(CLOSED)
class RatingMoment(TypedDict):
    """The ratings after so many tables, in the order of the people."""

    tables: int
    evening: Day
    ratings: list[DescribedRating]


@also(CLOSED)
class PersonNamed(TypedDict):
    """Somebody, and the name."""

    person: int
    name: str


@also(CLOSED)
class Ratings(TypedDict):
    """The ratings of a group over time."""

    people: list[PersonNamed]
    tables: int
    moments: list[RatingMoment]


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
    """The ratings of a group over time."""

    looks_back = True

    @extend_schema(
        operation_id="get_group_ratings",
        summary="The ratings of a group over time",
        description=(
            "What was believed of everybody’s strength after one table and another, at most `points` of them, evenly, "
            "the last one included; at all games where none is named. `ratings` are in the order of `people`, who have "
            "played most first."
        ),
        parameters=[RatingsQuery],
        responses={200: Ratings, **problems(422)},
    )
    def get(self, request: Request, code: str) -> Response:
        query = self.query(RatingsQuery)
        finish_by_time(self.group.pk)
        curves = rating_curves(self.group, chosen_in(query), person=query["person"], most=query["points"])
        return Response(describe_ratings(curves))


class HandsView(GroupAPIView):
    """How the hands of a game have gone."""

    looks_back = True

    @extend_schema(
        operation_id="get_group_hand_statistics",
        summary="How the hands of a game have gone",
        description=(
            "How many hands brought so many points, each seat counted, and how often so many tricks were won on so "
            "high a bid. Guests count, too. `untold` are hands whose record does not tell who won the tricks."
        ),
        parameters=[StatisticsQuery],
        responses={200: HandStatistics, **problems(422)},
    )
    def get(self, request: Request, code: str) -> Response:
        query = self.query(StatisticsQuery)
        finish_by_time(self.group.pk)
        found = distributions(self.group, chosen_in(query), person=query["person"])
        scores = [{"points": points, "hands": count} for points, count in sorted(found.scores.items())]
        bids = [{"bid": bid, "won": won, "hands": count} for (bid, won), count in sorted(found.bids.items())]
        return Response({"scores": scores, "bids": bids, "untold": found.untold})


class PairView(GroupAPIView):
    """Two people of a group."""

    address = OF_GROUP | {"number": "The id of the person.", "other": "The id of the other person."}
    looks_back = True

    @extend_schema(
        operation_id="get_group_pair_statistics",
        summary="How two people did, as partners and against each other",
        description=(
            "At all games (`game` null) and at each: how many tables both sat at, how often each was ahead of the "
            "other, how often they were partners, and how many of these both won. Empty where they never met."
        ),
        parameters=[SeasonQuery],
        responses={200: DescribedTwoPeople, **problems(422)},
    )
    def get(self, request: Request, code: str, number: int, other: int) -> Response:
        query = self.query(SeasonQuery)
        finish_by_time(self.group.pk)
        two = two_people(self.group, number, other, chosen_in(query))
        if two is None:
            raise NoSuchPerson
        return Response(describe_two(two))


def describe_ratings(curves: RatingCurves) -> Ratings:
    """Describe ratings over time."""
    moments: list[RatingMoment] = [
        {
            "tables": moment.tables,
            "evening": moment.evening.isoformat(),
            "ratings": [describe_rating(each) for each in moment.ratings],
        }
        for moment in curves.moments
    ]
    people: list[PersonNamed] = [{"person": person, "name": name} for person, name in curves.people]
    return {"people": people, "tables": curves.tables, "moments": moments}


def describe_two(two: TwoPeople) -> DescribedTwoPeople:
    """Describe how two people did."""
    first = two.people[0]
    games: list[TwoPeopleAtGame] = [
        {
            "game": game or None,
            "tables": pair.tables,
            "ahead": [*pair.of(first)[1:]],
            "together": pair.together,
            "wins": pair.wins,
        }
        for game, pair in two.games
    ]
    return {"people": [*two.people], "names": [*two.names], "games": games}
