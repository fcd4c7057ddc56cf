"""API of a group's seasons, and of the draw of tonight's tables."""

from dataclasses import asdict
from datetime import date
from typing import Annotated, TypedDict

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.sheet import GameId, GameKey, Moment
from scoring.groups.acts.evenings import add_season, change_season, delete_season, draw_round, start_round
from scoring.groups.acts.groups import evening_of
from scoring.groups.acts.scores import finish_by_time
from scoring.groups.api.answers import Day, Ranking
from scoring.groups.api.bodies import DrawBody, NewSeasonBody, SeasonBody, StartBody
from scoring.groups.api.groups import OF_GROUP, GroupAPIView
from scoring.groups.reads.seasons import SeasonNow, Standings, season_now, seasons_of
from scoring.groups.reads.statistics import Pair
from scoring.groups.reads.tonight import Tonight, tonight_of
from scoring.models import Draw, Season
from scoring.tables.acts.exceptions import NoSuchSeason, first_of
from scoring.tables.api.answers import Address, answered
from scoring.tables.api.paging import PageQuery, Paginator, page_of
from scoring.tables.api.schema import operation, problems


class PersonAtGame(TypedDict):
    """A person’s points at a game; partners share theirs."""

    game: GameKey
    points: int
    tables: int


class PersonInSeason(TypedDict):
    """A person’s results in a season. `places` adds up, per game, the percentage of opponents who finished behind."""

    person: int
    name: str
    rank: int
    tables: int
    wins: float
    places: float
    evenings: int
    streak: Annotated[int, "Current number of games won in a row."]
    longest_streak: int
    games: list[PersonAtGame]


class DescribedSeason(TypedDict):
    """A season; `champions` is empty until it is over."""

    id: int
    name: str
    first: Day
    last: Day | None
    evenings: int | None
    ranked_by: Ranking
    created: Moment
    over: Annotated[bool, "Whether it is over, so that no later game counts."]
    champions: list[int]
    links: dict[str, Address]


class SeasonStandings(DescribedSeason):
    """A season with its standings, attendance and head-to-head results."""

    tables: int
    days: list[Day]
    people: list[PersonInSeason]
    pairs: list[Pair]


Seasons = page_of("Seasons", "A page of a group’s seasons.", seasons=DescribedSeason)


def describe_people(standings: Standings) -> list[PersonInSeason]:
    return [
        answered(
            PersonInSeason,
            each,
            tables=each.tally.games,
            wins=float(each.tally.wins),
            places=float(each.tally.places),
            streak=each.now,
            longest_streak=each.best,
            games=[answered(PersonAtGame, at) for at in each.games],
        )
        for each in standings.people
    ]


class SeasonAPIView(GroupAPIView):
    """Base of views of a group's seasons, as of tonight."""

    address = OF_GROUP | {"number": "The id of the season."}

    @property
    def today(self) -> date:
        return evening_of(self.group)

    def found(self, number: int) -> SeasonNow:
        season = first_of(Season.objects.filter(group=self.group, pk=number), NoSuchSeason)
        return season_now(self.group, season, self.today)

    def describe(self, now: SeasonNow) -> DescribedSeason:
        return answered(
            DescribedSeason,
            now.season,
            id=now.season.pk,
            over=now.over,
            champions=[each.person for each in now.champions],
            links={
                "self": reverse("group-season", args=[self.group.code, now.season.pk]),
                "page": reverse("scoring:season", args=[self.group.code, now.season.pk]),
            },
        )


class SeasonsView(SeasonAPIView):
    address = OF_GROUP

    @operation("list_seasons", "The seasons of a group, latest first", {200: Seasons}, parameters=[PageQuery])
    def get(self, request: Request, code: str) -> Response:
        """`champions` are the ids of the winners, once the season is over."""
        pages = Paginator(self, self.query(PageQuery))
        finish_by_time(self.group.pk)
        part = pages.cut(
            seasons_of(self.group, self.today), lambda now: (-now.season.first.toordinal(), -now.season.pk)
        )
        return pages.answer({"seasons": [self.describe(now) for now in part]})

    @operation("add_season", "Add a season", {201: DescribedSeason}, request=NewSeasonBody)
    def post(self, request: Request, code: str) -> Response:
        """The season ends on its `last` day, or after a number of `evenings` counted from its `first` day. With
        neither, it is open-ended.
        """
        season = add_season(self.group.code, self.read(NewSeasonBody), self.caller)
        described = self.describe(self.found(season.pk))
        return Response(described, status=201, headers={"Location": described["links"]["self"]})


class SeasonView(SeasonAPIView):
    @operation("get_season", "A season with its standings", {200: SeasonStandings})
    def get(self, request: Request, code: str, number: int) -> Response:
        """Counts finished games, and all hands of finished tables. Ranked by wins (a shared win is a fraction) or by
        places; the other breaks ties, and people equal in both share a rank. Points are given per game.
        """
        finish_by_time(self.group.pk)
        now = self.found(number)
        return Response(
            answered(
                SeasonStandings,
                now.standings,
                **self.describe(now),
                tables=now.standings.games,
                days=[day.isoformat() for day in now.standings.days],
                people=describe_people(now.standings),
                pairs=[asdict(each) for each in now.standings.pairs],
            )
        )

    @operation("change_season", "Change a season", {200: DescribedSeason}, request=SeasonBody)
    def patch(self, request: Request, code: str, number: int) -> Response:
        """Setting `last` clears `evenings`, and vice versa."""
        changes = self.read(SeasonBody, partial=True)
        change_season(self.group.code, number, changes, self.caller)
        return Response(self.describe(self.found(number)))

    @operation("delete_season", "Delete a season; its tables stay", {204: None})
    def delete(self, request: Request, code: str, number: int) -> Response:
        """For members and for bots with `manage`. Its tables still count in history and statistics."""
        delete_season(self.group.code, number, self.caller)
        return Response(status=204)


# --- Tonight's people and draws


class DescribedDraw(TypedDict):
    """The tables of a round; `started` is when they were opened, null until then."""

    number: Annotated[int, "The round of the evening, from 1."]
    evening: Day
    game: GameId | None
    by_rating: bool
    seed: int
    here: list[int]
    tables: Annotated[list[list[int]], "Who sits at each table, clockwise."]
    out: Annotated[list[int], "Who sits out."]
    codes: Annotated[list[str], "The codes of the opened tables; empty for a table without a game."]
    started: Moment | None


class PersonTonight(TypedDict):
    """Whether a person is here tonight, and where they are playing."""

    person: int
    here: bool
    plays: Annotated[str | None, "The code of the table; null: at none."]


class DescribedTonight(TypedDict):
    """Tonight’s people, last evening’s first, and the latest draw."""

    evening: Day
    rounds: Annotated[int, "Number of draws started."]
    people: list[PersonTonight]
    draw: DescribedDraw | None


def describe_draw(draw: Draw) -> DescribedDraw:
    return answered(DescribedDraw, draw, game=draw.game or None)


def describe_tonight(now: Tonight) -> DescribedTonight:
    people: list[PersonTonight] = [
        {"person": each.person, "here": each.here, "plays": each.plays or None} for each in now.people
    ]
    draw = None if now.draw is None else describe_draw(now.draw)
    return answered(DescribedTonight, now, people=people, draw=draw)


class TonightView(GroupAPIView):
    @operation("get_tonight", "Who is here tonight", {200: DescribedTonight})
    def get(self, request: Request, code: str) -> Response:
        """`draw` is the latest draw of the evening, `rounds` the number of draws started."""
        return Response(describe_tonight(tonight_of(self.group, evening_of(self.group))))

    @operation("draw_tables", "Draw the tables of a round", {201: DescribedDraw}, request=DrawBody)
    def post(self, request: Request, code: str) -> Response:
        """Replaces a draw that was not started. Those who have sat out least, tonight and then overall, sit out first.
        People who have met least sit together, next to those they have sat beside least. The same `seed` draws the
        same tables until another game is played.
        """
        read = self.read(DrawBody)
        draw = draw_round(self.group.code, read.pop("people"), self.caller, **read)
        return Response(describe_draw(draw), status=201)


class StartTonightView(GroupAPIView):
    @operation("start_tables", "Open the drawn tables", {201: DescribedDraw, **problems(409)}, request=StartBody)
    def post(self, request: Request, code: str) -> Response:
        """`codes` are the codes of the opened tables; every member can keep their score."""
        draw = start_round(self.group.code, self.link, self.caller, **self.read(StartBody))
        return Response(describe_draw(draw), status=201)
