"""What is exported: a group's history and statistics as files, a game that is over for BG Stats."""

from typing import TypedDict

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.shapes import CLOSED, also
from referee.notation import PROGRAMS
from scoring.api.access import TableAPIView
from scoring.api.group_access import OF_GROUP, GroupAPIView
from scoring.api.group_bodies import SeasonQuery
from scoring.api.schema import problems
from scoring.api.statistics import chosen_in
from scoring.queries.bgstats import BgStatsPlay, link_of, play_of
from scoring.queries.clock import standing_now
from scoring.queries.group_exporting import SHAPES
from scoring.services.scores import finish_by_time

SHAPE = OpenApiParameter("shape", str, OpenApiParameter.PATH, enum=[*SHAPES], description="What, and in which shape.")


@also(CLOSED)
class BgStats(TypedDict):
    """A play, and the address that offers it to BG Stats."""

    url: str
    play: BgStatsPlay


class GroupFileView(GroupAPIView):
    """The history or the statistics of a group as a file."""

    address = OF_GROUP | {"shape": "What, and in which shape."}
    looks_back = True

    @extend_schema(
        operation_id="get_group_file",
        summary="The history or the statistics of a group as a file",
        description=(
            "`history`: CSV, a row for each seat of every table that counts; `statistics`: CSV, a row for each person "
            "and game; `text`: both, as people read them; `calendar`: the evenings as iCalendar (RFC 5545). No cell of "
            "CSV can be taken for a formula."
        ),
        parameters=[SHAPE, SeasonQuery],
        responses={(200, "text/csv"): str, (200, "text/plain"): str, (200, "text/calendar"): str, **problems(422)},
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
        responses={200: BgStats},
    )
    def get(self, request: Request, code: str) -> Response:
        play = play_of(standing_now(self.table))
        if play is None:
            raise NotFound("The game is not over, or its points are hidden.", "no-play-yet")
        return Response({"url": link_of(play), "play": play})
