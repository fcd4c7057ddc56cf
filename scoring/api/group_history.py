"""What a group has played: its tables, its evenings, and a season of them."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.api import group_schema, schema
from scoring.api.group_access import GroupAPIView
from scoring.api.group_bodies import EveningsQuery, SeasonQuery, TablesQuery
from scoring.queries.evenings import Evening, EveningTable, Present, days_of, evenings_of, tables_shown
from scoring.queries.group_tables import Wanted, following_codes, page_of_tables
from scoring.queries.seasons import Season, season_of

PRIVATE = {"Cache-Control": "private, no-cache"}


class GroupTablesView(GroupAPIView):
    """The tables of a group."""

    @extend_schema(
        operation_id="get_group_tables",
        summary="The tables of a group, the last opened first",
        description=(
            "`points` is what a table brought each seat, `totals` counts also what was carried in; both are null while "
            "a house rule hides them. `people` are the ids that people count as, null for guests. `next` is the "
            "address of the tables that follow."
        ),
        tags=["groups"],
        parameters=[group_schema.CODE, TablesQuery],
        responses={200: schema.json("The tables", group_schema.TABLES), **schema.problems(400, 401, 404, 429)},
    )
    def get(self, request: Request, code: str) -> Response:
        asked = self.read(TablesQuery, request.query_params.dict())
        wanted = Wanted(
            asked["game"], asked["person"], asked["from"], asked["to"], asked["state"], " ".join(asked["q"].split())
        )
        try:
            page = page_of_tables(self.group, wanted, cursor=asked["cursor"], most=asked["limit"])
        except ValueError:
            raise ValidationError({"cursor": ["This is no cursor of these tables."]}) from None
        later = following_codes(page.rows)
        tables = [describe_table(table, later.get(table.row.pk)) for table in tables_shown(self.group, page.rows)]
        return Response({"tables": tables, "next": _next(request, page.following)}, headers=PRIVATE)


class GroupEveningsView(GroupAPIView):
    """The evenings of a group."""

    @extend_schema(
        operation_id="get_group_evenings",
        summary="The evenings of a group, the last one first",
        description=(
            "Each with its tables, the first opened first, and who was there, most points first. Points are what the "
            "hands of that evening brought: what was carried from table to table counts once. `came` is when the first "
            "table was opened at which somebody sat; `left` when the last one was over, if others have opened one "
            "since. Points that are hidden still do not count, and `points_hidden` says so."
        ),
        tags=["groups"],
        parameters=[group_schema.CODE, EveningsQuery],
        responses={200: schema.json("The evenings", group_schema.EVENINGS), **schema.problems(400, 401, 404, 429)},
    )
    def get(self, request: Request, code: str) -> Response:
        asked = self.read(EveningsQuery, request.query_params.dict())
        most = asked["limit"]
        days = days_of(self.group, before=asked["cursor"], first=asked["from"], last=asked["to"], most=most + 1)
        evenings = [describe_evening(evening) for evening in evenings_of(self.group, days[:most])]
        following = days[most - 1].isoformat() if len(days) > most else ""
        return Response({"evenings": evenings, "next": _next(request, following)}, headers=PRIVATE)


class GroupSeasonView(GroupAPIView):
    """A season of a group."""

    @extend_schema(
        operation_id="get_group_season",
        summary="What the people of a group have brought from one evening to another",
        description="Tables that are over count, with what they brought; partners have the same. Guests are left out.",
        tags=["groups"],
        parameters=[group_schema.CODE, SeasonQuery],
        responses={200: schema.json("The ranking", group_schema.SEASON), **schema.problems(400, 401, 404, 429)},
    )
    def get(self, request: Request, code: str) -> Response:
        asked = self.read(SeasonQuery, request.query_params.dict())
        season = season_of(self.group, first=asked["from"], last=asked["to"], game=asked["game"])
        return Response({"people": [describe_season(each) for each in season]}, headers=PRIVATE)


def _next(request: Request, cursor: str) -> str | None:
    if not cursor:
        return None
    query = request.query_params.copy()
    query["cursor"] = cursor
    return f"{request.path}?{query.urlencode()}"


def describe_table(table: EveningTable, later: str | None = None) -> dict[str, Any]:
    """Describe a table as a list of them does."""
    row, result = table.row, table.result
    points, totals = (None, None) if result is None else (result.points, result.totals)
    return {
        "code": row.code,
        "game": row.game,
        "evening": row.evening.isoformat(),
        "created": row.created.isoformat(),
        "finished_at": None if row.finished_at is None else row.finished_at.isoformat(),
        "finished": not table.runs,
        "version": row.version,
        "seats": list(row.seats),
        "people": [who.person for who in table.seated],
        "points": None if points is None else list(points),
        "totals": None if totals is None else list(totals),
        "winners": [] if result is None else list(result.winners),
        "points_hidden": result is not None and points is None,
        "private": row.private,
        "previous": None if row.previous is None else row.previous.code,
        "next": later,
        "links": {
            "self": reverse("table", args=[row.code]),
            "record": reverse("table-record", args=[row.code]),
            "page": reverse("scoring:table", args=[row.code]),
        },
    }


def describe_evening(evening: Evening) -> dict[str, Any]:
    """Describe an evening."""
    following = {table.row.previous_id: table.row.code for table in evening.tables if table.row.previous_id}
    return {
        "date": evening.day.isoformat(),
        "running": evening.runs,
        "points_hidden": evening.points_hidden,
        "tables": [describe_table(table, following.get(table.row.pk)) for table in evening.tables],
        "people": [_present(each) for each in evening.people],
        "out": [each.who.person for each in evening.out if each.who.person is not None],
    }


def _present(each: Present) -> dict[str, Any]:
    return {
        "person": each.who.person,
        "name": each.who.name,
        "rank": each.rank,
        "points": each.points,
        "tables": each.tables,
        "came": each.came.isoformat(),
        "left": None if each.left is None else each.left.isoformat(),
        "plays": each.plays,
    }


def describe_season(each: Season) -> dict[str, Any]:
    """Describe somebody's season."""
    games = [{"game": game, "points": points, "tables": tables} for game, points, tables in each.games]
    return {
        "person": each.person,
        "name": each.name,
        "rank": each.rank,
        "points": each.points,
        "tables": each.tables,
        "games": games,
    }
