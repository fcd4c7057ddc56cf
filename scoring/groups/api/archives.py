"""A whole group as one file and back, and files of its history and statistics."""

from typing import TypedDict

from django.conf import settings
from django.http import HttpResponse, StreamingHttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.requests import StrictJSONParser, TextParser
from referee.engine.reader import MISSING, Reader
from referee.engine.shapes import CLOSED, also
from referee.notation import PROGRAMS
from referee.notation.words import plain_lines
from scoring.groups.acts.group_importing import Unfinished, digest_of, import_group
from scoring.groups.api.answers import NewGroup, group_made
from scoring.groups.api.bodies import SeasonQuery
from scoring.groups.api.groups import OF_GROUP, GroupAPIView
from scoring.groups.api.statistics import looked_at
from scoring.groups.reads.group_export import SHAPES, archive_of
from scoring.operating.api.throttling import counted
from scoring.tables.api.access import FromHere, RetriedAPIView, TableAPIView
from scoring.tables.api.bodies import WrittenText
from scoring.tables.api.headers import key_of
from scoring.tables.api.schema import answer, operation, problems
from scoring.tables.reads.record_export import BgStatsPlay, link_of, play_of
from scoring.tables.reads.state import judging_watch, standing_now

SHAPE = OpenApiParameter("shape", str, OpenApiParameter.PATH, enum=[*SHAPES], description="What, and in which shape.")


@also(CLOSED)
class ImportProgress(TypedDict):
    """How many tables of an archive are there, of how many."""

    done: int
    tables: int


class ArchiveView(GroupAPIView):
    costly = True
    tagged = False

    @operation(
        "get_group_archive", "The whole group as one file", {(200, "application/x-ndjson"): str, **problems(403)}
    )
    def get(self, request: Request, code: str) -> StreamingHttpResponse:
        """Lines of JSON: the group with its people, then each table with its whole log, corrections included. Links,
        codes and what lies face down stay behind. For members, and for bots that manage.
        """
        self.require("manage")
        name = f'attachment; filename="{self.group.code}.ndjson"'
        headers = {"Content-Disposition": name, "Cache-Control": "private, no-store"}
        parts = counted(request, archive_of(self.group))
        return StreamingHttpResponse(parts, content_type="application/x-ndjson", headers=headers)


class GroupImportView(RetriedAPIView):
    parser_classes = [StrictJSONParser, TextParser]
    permission_classes = [FromHere]
    opens = costly = True

    @operation(
        "import_group",
        "Make a group from its archive: all of it or nothing",
        {201: NewGroup, 202: answer(ImportProgress, "How far it is; send the same again.")},
        request={"text/plain": str, "application/json": WrittenText},
    )
    def post(self, request: Request) -> Response:
        """The lines of `archive/` as text, or as JSON under `text`. Every table is judged again from its log. What
        takes too long for one request is answered with 202 and how many tables are there: sent again, the same archive
        goes on from them, and nothing is visible before it is whole. The answer holds a member’s token, shown this
        once.
        """
        reader = Reader()
        data = reader.mapping(request.data, "")
        reader.keys(data, ("text",), "")
        text = reader.text(data.get("text", MISSING), "/text", settings.DATA_UPLOAD_MAX_MEMORY_SIZE) or ""
        reader.check()
        lines = plain_lines(text).split("\n")
        try:
            made = import_group(lines, digest=digest_of(lines), key=key_of(request), body=text, watch=judging_watch())
        except Unfinished as cut:
            return Response({"done": cut.done, "tables": cut.tables}, status=202, headers={"Cache-Control": "no-store"})
        made.link.group.refresh_from_db()
        return group_made(made.link, {"token": made.token or None}, 0)


@also(CLOSED)
class BgStats(TypedDict):
    """A play, and the address that offers it to BG Stats."""

    url: str
    play: BgStatsPlay


class GroupFileView(GroupAPIView):
    address = OF_GROUP | {"shape": "What, and in which shape."}

    @operation(
        "get_group_file",
        "The history or the statistics of a group as a file",
        {(200, "text/csv"): str, (200, "text/plain"): str, (200, "text/calendar"): str, **problems(422)},
        parameters=[SHAPE, SeasonQuery],
    )
    def get(self, request: Request, code: str, shape: str) -> HttpResponse:
        """`history`: CSV, a row for each seat of every table that counts; `statistics`: CSV, a row for each person and
        game; `text`: both, as people read them; `calendar`: the evenings as iCalendar (RFC 5545). No cell of CSV can be
        taken for a formula.
        """
        _query, chosen = looked_at(self, SeasonQuery)
        wanted = SHAPES.get(shape)
        if wanted is None:
            raise NotFound(f"There is no such file. There are: {', '.join(SHAPES)}.", "no-such-file")
        headers = {"Content-Disposition": f'attachment; filename="{self.group.code}{wanted.ending}"'}
        body = wanted.write(self.group, chosen, PROGRAMS)
        return HttpResponse(body, content_type=wanted.kind, headers=headers)


class PlayView(TableAPIView):
    @operation("get_bgstats_play", "A game that is over as a play for BG Stats", {200: BgStats})
    def get(self, request: Request, code: str) -> Response:
        """`url` offers the play to the app, which asks before it keeps it; `play` is what it is offered. 404 while the
        game runs, or its points are hidden.
        """
        play = play_of(standing_now(self.table))
        if play is None:
            raise NotFound("The game is not over, or its points are hidden.", "no-play-yet")
        return Response({"url": link_of(play), "play": play})
