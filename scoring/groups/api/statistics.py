"""API of a group's statistics, and of the data of their charts."""

from dataclasses import asdict
from typing import Annotated, TypedDict

from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.rules import Problem, Refused
from referee.engine.shapes import CLOSED, also, component_name, ref
from referee.engine.sheet import GameKey
from scoring.groups.acts.scores import finish_by_time
from scoring.groups.api.bodies import StatisticsQuery
from scoring.groups.api.groups import GroupAPIView
from scoring.groups.api.seasons import PersonInSeason, describe_people
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
from scoring.groups.reads.seasons import standings_now
from scoring.models import Group
from scoring.tables.acts.exceptions import NoSuchPerson
from scoring.tables.api.answers import answered
from scoring.tables.api.schema import operation


class BidStatistics(TypedDict):
    """Numbers of bids made exactly, exceeded and missed."""

    made: int
    over: int
    under: int


class DescribedPersonStatistics(TypedDict):
    """A person’s statistics at one game, or over all games."""

    person: int
    name: str
    game: GameKey | None
    tables: int
    wins: float
    by_totals: int
    hands: int | None
    points: Annotated[int | None, "Null over all games: points of different games are never added."]
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
    by_totals: int


@also(CLOSED)
class HandsByScore(TypedDict):
    """The number of hands that scored a number of points."""

    points: int
    hands: int


@also(CLOSED)
class HandsByBid(TypedDict):
    """How often a bid was followed by a number of tricks won."""

    bid: int
    won: int
    hands: int


@also(CLOSED)
class HandStatistics(TypedDict):
    """The distribution of a game’s hands, by points and by bid."""

    scores: list[HandsByScore]
    bids: list[HandsByBid]
    untold: int


@also(CLOSED)
class TwoPeopleAtGame(TypedDict):
    """Two people’s games together at one game, or over all games."""

    game: str | None
    tables: int
    ahead: list[int]
    together: int
    wins: int


@also(CLOSED)
class DescribedTwoPeople(TypedDict):
    """Two people compared, as partners and as opponents."""

    people: list[int]
    names: list[str]
    games: list[TwoPeopleAtGame]


@also(CLOSED)
class EveningsCounted(TypedDict):
    """Everyone’s wins, places and points over the chosen evenings, by rank."""

    people: list[PersonInSeason]


def everything(group: Group, chosen: Chosen, person: int | None) -> DescribedStatistics:
    found = statistics.statistics_of(group, chosen, person=person)
    return answered(
        DescribedStatistics,
        found,
        people=[_person(each, revokes=group.counts_revokes) for each in found.people],
        pairs=[asdict(each) for each in found.pairs],
        streaks=[asdict(each) for each in found.streaks],
        records=asdict(found.records),
    )


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


def hands(group: Group, chosen: Chosen, person: int | None) -> HandStatistics:
    found = distributions(group, chosen, person=person)
    return {
        "scores": [{"points": points, "hands": count} for points, count in sorted(found.scores.items())],
        "bids": [{"bid": bid, "won": won, "hands": count} for (bid, won), count in sorted(found.bids.items())],
        "untold": found.untold,
    }


def pair(group: Group, chosen: Chosen, person: int, other: int) -> DescribedTwoPeople:
    two = two_people(group, person, other, chosen)
    if two is None:
        raise Refused([Problem("/with", "no-such-person", NoSuchPerson().detail)], malformed=True)
    games = [
        answered(TwoPeopleAtGame, both, game=game or None, ahead=both.of(two.people[0])[1:]) for game, both in two.games
    ]
    return answered(DescribedTwoPeople, two, games=games)


class StatisticsView(GroupAPIView):
    shapes = (DescribedStatistics, Ratings, HandStatistics, DescribedTwoPeople, EveningsCounted)

    @operation(
        "get_group_statistics",
        "Statistics of the people of a group",
        {200: OpenApiResponse({"oneOf": [ref(component_name(each)) for each in shapes]}, "The requested statistics.")},
        parameters=[StatisticsQuery],
    )
    def get(self, request: Request, code: str) -> Response:
        """Counts finished tables and their finished, non-void hands. A continued game counts once: `tables`, `wins`,
        `rating`, `pairs`, `streaks` and the closest game use only its last table, so someone who left earlier has hands
        and points from it but has neither won nor lost it.

        A shared win counts as a fraction. A null `game` means all games. `rating` is openskill’s BradleyTerryFull with
        its defaults, updated once per game, and null before the first finished game; `ordinal` is mu minus three sigma.
        `bids` is null in games without bids, `revokes` if the group does not count them. `tricks` counts known tricks
        and is null if none are known; `untold` counts hands whose tricks are unknown.

        `part=ratings`: ratings after evenly spaced tables, including the last, for `people`, most games first.

        `part=hands`: how many hands, including guests’, scored each number of points, and how often each bid led to
        each number of tricks.

        `part=pair`: how often two people met, finished ahead of each other, were partners, and won as partners, in all
        and per game.

        `by=evening`: wins, places and points over the chosen evenings, without guests.
        """
        query, group = self.query(StatisticsQuery), self.group
        person, chosen = query["person"], Chosen(game=query["game"], first=query["from"], last=query["to"])
        if query["by"]:
            return Response({"people": describe_people(standings_now(group, chosen, group.ranked_by))})
        finish_by_time(group.pk)
        match query["part"]:
            case "ratings":
                return Response(rating_curves(group, chosen, person=person, most=query["moments"]))
            case "hands":
                return Response(hands(group, chosen, person))
            case "pair":
                return Response(pair(group, chosen, person, query["with"]))
            case _:
                return Response(everything(group, chosen, person))
