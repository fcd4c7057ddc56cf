"""What is exported: a group's history and statistics as files, a game that is over for BG Stats."""

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from referee.notation import PROGRAMS
from scoring.api import group_schema, schema
from scoring.api.access import TableAPIView
from scoring.api.group_access import GroupAPIView
from scoring.api.group_bodies import SeasonQuery
from scoring.api.statistics import chosen_in
from scoring.queries.bgstats import link_of, play_of
from scoring.queries.clock import standing_now
from scoring.queries.group_exporting import SHAPES
from scoring.services.scores import finish_by_time

SHAPE = OpenApiParameter("shape", str, OpenApiParameter.PATH, enum=[*SHAPES], description="What, and in which shape.")
PLAYER_PARTS: schema.Shape = {
    "name": schema.TEXT, "sourcePlayerId": schema.TEXT, "score": schema.TEXT, "rank": schema.WHOLE,
    "winner": schema.FLAG, "startPlayer": schema.FLAG,
}  # fmt: skip
PLAYER = schema.thing(PLAYER_PARTS, *PLAYER_PARTS)
GAME_PARTS: schema.Shape = {
    "name": schema.TEXT, "sourceGameId": schema.GAME, "highestWins": schema.FLAG, "noPoints": schema.FLAG,
}  # fmt: skip
GAME = schema.thing(GAME_PARTS, *GAME_PARTS)
PLAY_PARTS: schema.Shape = {
    "sourceName": schema.TEXT, "sourcePlayId": schema.TEXT, "playDate": schema.TEXT, "durationMin": schema.WHOLE,
    "game": GAME, "players": schema.many(PLAYER),
}  # fmt: skip
PLAYED = schema.thing(PLAY_PARTS, *PLAY_PARTS)
PLAY = schema.thing({"url": schema.TEXT, "play": PLAYED}, "url", "play", more=False)


class GroupFileView(GroupAPIView):
    """The history or the statistics of a group as a file."""

    looks_back = True

    @extend_schema(
        operation_id="get_group_file",
        summary="The history or the statistics of a group as a file",
        description=(
            "`history`: CSV, a row for each seat of every table that counts; `statistics`: CSV, a row for each person "
            "and game; `text`: both, as people read them; `calendar`: the evenings as iCalendar (RFC 5545). No cell of "
            "CSV can be taken for a formula."
        ),
        tags=["groups"],
        parameters=[group_schema.CODE, SHAPE, SeasonQuery],
        responses={
            (200, "text/csv"): schema.json("A table for a spreadsheet", schema.TEXT),
            (200, "text/plain"): schema.json("A text", schema.TEXT),
            (200, "text/calendar"): schema.json("A calendar", schema.TEXT),
            **schema.problems(400, 401, 404, 422, 429),
        },
    )
    def get(self, request: Request, code: str, shape: str) -> HttpResponse:
        query = self.query(SeasonQuery)
        wanted = SHAPES.get(shape)
        if wanted is None:
            raise NotFound(f"There is no such file. There are: {', '.join(SHAPES)}.", "no-such-file")
        finish_by_time(self.group.pk)
        name = f'attachment; filename="{self.group.code}{wanted.ending}"'
        headers = {"Content-Disposition": name}
        body = wanted.write(self.group, chosen_in(query), PROGRAMS)
        return HttpResponse(body, content_type=wanted.kind, headers=headers)


class PlayView(TableAPIView):
    """A game that is over, for BG Stats."""

    @extend_schema(
        operation_id="get_bgstats_play",
        summary="A game that is over as a play for BG Stats",
        description=(
            "`url` offers the play to the app, which asks before it keeps it; `play` is what it is offered. 404 while "
            "the game runs, or its points are hidden."
        ),
        tags=["tables"],
        auth=[],
        parameters=[schema.CODE],
        responses={200: schema.json("The play", PLAY), **schema.problems(404, 429)},
    )
    def get(self, request: Request, code: str) -> Response:
        play = play_of(standing_now(self.table))
        if play is None:
            raise NotFound("The game is not over, or its points are hidden.", "no-play-yet")
        return Response({"url": link_of(play), "play": play})
