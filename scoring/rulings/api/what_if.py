"""API of what-if: a table, or a group's season, judged under other house rules."""

from typing import TypedDict

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.problems import caller_language
from referee.engine.game import find_game, read_options
from referee.engine.rules import Problem, Refused
from referee.engine.what_if_sheet import DescribedWhatIf, SeatsThenNow
from scoring.groups.api.bodies import SeasonWhatIfQuery
from scoring.groups.api.groups import Day, GroupAPIView
from scoring.rulings.reads.what_if import TableThenNow, people_then_now, season_what_if, what_if
from scoring.tables.api.access import TableAPIView
from scoring.tables.api.answers import answered
from scoring.tables.api.http import Paginator
from scoring.tables.api.schema import OTHER_RULES, operation, problems
from scoring.tables.reads.rules import game_of
from scoring.tables.reads.state import standing_now


class NumberThenNow(TypedDict):
    """A number as played, and under the other rules."""

    then: int
    now: int


class DescribedTableThenNow(TypedDict):
    """A table as played, and under the other rules; `why` is the reason if it can’t be judged by them."""

    code: str
    evening: Day
    seats: list[str]
    people: list[int | None]
    totals: SeatsThenNow
    winners: SeatsThenNow
    tricks: int | None
    unknown: int
    why: str | None
    link: str


class DescribedPersonThenNow(TypedDict):
    """A person’s points and wins, as played and under the other rules."""

    person: int
    name: str
    tables: int
    points: NumberThenNow
    wins: NumberThenNow


class SeasonProgress(TypedDict):
    """How many of the season's tables have been judged."""

    done: int
    of: int


class SeasonWhatIf(TypedDict):
    """One part of a season, judged under other house rules."""

    tables: list[DescribedTableThenNow]
    people: list[DescribedPersonThenNow]
    progress: SeasonProgress
    next: str | None


class WhatIfView(TableAPIView):
    costly = True

    @operation(
        "what_if_at_table",
        "Judge a table’s record under other house rules",
        {200: DescribedWhatIf, **problems(413, 422)},
        parameters=[OTHER_RULES],
    )
    def get(self, request: Request, code: str) -> Response:
        """Each changed option is a query parameter: `?ties=early&hook=true`. The response is that of `POST
        referee/what-if/`, without hidden points or held-back findings.
        """
        at = standing_now(self.table)
        options = read_options(game_of(at.row), request.query_params.dict())
        return Response(what_if(at, options, caller_language()))


class SeasonWhatIfView(GroupAPIView):
    costly = True

    @operation(
        "what_if_in_season",
        "Judge a group’s games under other house rules",
        {200: SeasonWhatIf, **problems(413)},
        parameters=[SeasonWhatIfQuery, OTHER_RULES],
    )
    def get(self, request: Request, code: str) -> Response:
        """`game` is required; `from` and `to` are dates; each changed option is a query parameter. A response covers as
        many tables as fit in the time limit: `progress` counts those judged, `next` is the URL of the next part.
        `people` are sums over this part only, biggest gain first.

        A table that can’t be judged has a `why`, and `totals.now` is null; tables with hidden points are left out.
        `unknown` counts hands with cards missing from the record; if that is every hand, `tricks` and `totals.now` are
        null.
        """
        query = request.query_params.dict()
        own = set(SeasonWhatIfQuery().fields)
        read = self.query(SeasonWhatIfQuery)
        game = find_game(read["game"])
        if game is None:
            raise Refused([Problem("/game", "unknown-game", "The game of the season is needed.")], malformed=True)
        options = read_options(game, {key: value for key, value in query.items() if key not in own})
        known = {option.key for option in game.all_options()}
        if unknown := next((key for key in options if key not in known), None):
            raise Refused([Problem(f"/options/{unknown[:40]}", "unknown-option", "The game has no such house rule.")])
        pages = Paginator(self, read)
        part = season_what_if(
            self.group, game, options, first=read["from"], last=read["to"], after=pages.after, most=pages.limit
        )
        answer = {
            "tables": [describe_then_now(each) for each in part.parts],
            "progress": {"done": part.done, "of": part.tables},
            "people": [
                answered(
                    DescribedPersonThenNow,
                    each,
                    points={"then": each.then, "now": each.now},
                    wins={"then": each.wins[0], "now": each.wins[1]},
                )
                for each in people_then_now(self.group, part.parts)
            ],
        }
        return pages.answer(answer, part.following)


def describe_then_now(each: TableThenNow) -> DescribedTableThenNow:
    return answered(
        DescribedTableThenNow,
        each,
        code=each.row.code,
        evening=each.row.evening,
        seats=each.row.seats,
        totals={"then": each.then, "now": each.now},
        winners=dict(zip(("then", "now"), each.winners, strict=True)),
        why=each.why or None,
        link=reverse("table-what-if", args=[each.row.code]),
    )
