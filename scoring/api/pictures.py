"""What the pictures of a group's statistics are drawn from: ratings over time, how hands went, two people."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.api import group_schema, schema
from scoring.api.group_access import GroupAPIView
from scoring.api.group_bodies import RatingsQuery, SeasonQuery, StatisticsQuery
from scoring.api.statistics import chosen_in
from scoring.queries.distributions import distributions
from scoring.queries.pairs import TwoPeople, two_people
from scoring.queries.rating_curves import RatingCurves, rating_curves
from scoring.services.exceptions import NoSuchPerson
from scoring.services.scores import finish_by_time

OTHER_ID = OpenApiParameter(
    "other", {"type": "integer", "minimum": 1}, OpenApiParameter.PATH, description="The id of the other person."
)


class RatingsView(GroupAPIView):
    """The ratings of a group over time."""

    looks_back = True

    @group_schema.reads(
        "get_group_ratings",
        "The ratings of a group over time",
        schema.json("The ratings", group_schema.RATINGS),
        RatingsQuery,
        description=(
            "What was believed of everybody’s strength after one table and another, at most `points` of them, evenly, "
            "the last one included; at all games where none is named. `ratings` are in the order of `people`, who have "
            "played most first."
        ),
    )
    def get(self, request: Request, code: str) -> Response:
        query = self.query(RatingsQuery)
        finish_by_time(self.group.pk)
        curves = rating_curves(self.group, chosen_in(query), person=query["person"], most=query["points"])
        return Response(describe_ratings(curves))


class HandsView(GroupAPIView):
    """How the hands of a game have gone."""

    looks_back = True

    @group_schema.reads(
        "get_group_hand_statistics",
        "How the hands of a game have gone",
        schema.json("The hands", group_schema.HANDS),
        StatisticsQuery,
        description=(
            "How many hands brought so many points, each seat counted, and how often so many tricks were won on so "
            "high a bid. Guests count, too. `untold` are hands whose record does not tell who won the tricks."
        ),
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

    looks_back = True

    @group_schema.reads(
        "get_group_pair_statistics",
        "How two people did, as partners and against each other",
        schema.json("The two", group_schema.TWO),
        group_schema.PERSON_ID,
        OTHER_ID,
        SeasonQuery,
        description=(
            "At all games (`game` null) and at each: how many tables both sat at, how often each was ahead of the "
            "other, how often they were partners, and how many of these both won. Empty where they never met."
        ),
    )
    def get(self, request: Request, code: str, number: int, other: int) -> Response:
        query = self.query(SeasonQuery)
        finish_by_time(self.group.pk)
        two = two_people(self.group, number, other, chosen_in(query))
        if two is None:
            raise NoSuchPerson
        return Response(describe_two(two))


def describe_ratings(curves: RatingCurves) -> dict[str, Any]:
    """Describe ratings over time."""
    moments = [
        {
            "tables": moment.tables,
            "evening": moment.evening.isoformat(),
            "ratings": [{"mu": each.mu, "sigma": each.sigma, "ordinal": each.ordinal} for each in moment.ratings],
        }
        for moment in curves.moments
    ]
    people = [{"person": person, "name": name} for person, name in curves.people]
    return {"people": people, "tables": curves.tables, "moments": moments}


def describe_two(two: TwoPeople) -> dict[str, Any]:
    """Describe how two people did."""
    first = two.people[0]
    games = [
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
