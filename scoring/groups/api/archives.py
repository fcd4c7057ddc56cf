"""Exports of a group, and import of an archive."""

from typing import TypedDict

from django.conf import settings
from django.http import HttpResponse, StreamingHttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.requests import StrictJSONParser, TextParser
from referee.engine.reader import MISSING, Reader
from referee.engine.shapes import CLOSED, also
from referee.notation import PROGRAMS
from referee.notation.words import plain_lines
from scoring.groups.acts.group_importing import Unfinished, digest_of, import_group
from scoring.groups.acts.scores import finish_by_time
from scoring.groups.api.answers import NewGroup, group_made
from scoring.groups.api.bodies import ArchiveQuery
from scoring.groups.api.groups import GroupAPIView
from scoring.groups.reads.group_export import SHAPES, archive_of
from scoring.groups.reads.group_tables import Chosen
from scoring.operating.api.throttling import counted
from scoring.tables.api.access import FromHere, RetriedAPIView
from scoring.tables.api.bodies import WrittenText
from scoring.tables.api.headers import key_of
from scoring.tables.api.schema import answer, operation, problems
from scoring.tables.reads.state import judging_watch


@also(CLOSED)
class ImportProgress(TypedDict):
    """Progress of an import: tables imported so far, and in all."""

    done: int
    tables: int


KINDS = ("application/x-ndjson", "application/json", "text/csv", "text/plain", "text/calendar")


class ArchiveView(GroupAPIView):
    costly = True
    tagged = False

    @operation(
        "get_group_archive",
        "Export the whole group, or its results",
        {
            **{(200, kind): str for kind in KINDS},
            **problems(403, 422),
        },
        parameters=[ArchiveQuery],
    )
    def get(self, request: Request, code: str) -> HttpResponse | StreamingHttpResponse:
        """JSON lines: the group with its people, then each table with its log, including corrections. Links, codes and
        secret choices are left out. For members and for bots with `manage`.

        With `as`, anyone with a link gets another format: `history` (CSV, a row per seat and table), `statistics` (CSV,
        a row per person and game), `text` (both, to read), `calendar` (evenings as iCalendar, RFC 5545), `bgstats`
        (games for BG Stats); `game`, `from` and `to` filter them. CSV cells are never interpreted as formulas.
        """
        query = self.query(ArchiveQuery)
        headers = {"Cache-Control": "private, no-store"}
        if not query["as"]:
            self.require("manage")
            headers["Content-Disposition"] = f'attachment; filename="{self.group.code}.ndjson"'
            parts = counted(request, archive_of(self.group))
            return StreamingHttpResponse(parts, content_type="application/x-ndjson", headers=headers)
        finish_by_time(self.group.pk)
        wanted = SHAPES[query["as"]]
        headers["Content-Disposition"] = f'attachment; filename="{self.group.code}{wanted.ending}"'
        body = wanted.write(self.group, Chosen(game=query["game"], first=query["from"], last=query["to"]), PROGRAMS)
        return HttpResponse(body, content_type=wanted.kind, headers=headers)


class GroupImportView(RetriedAPIView):
    parser_classes = [StrictJSONParser, TextParser]
    permission_classes = [FromHere]
    opens = costly = True

    @operation(
        "import_group",
        "Make a group from its archive, all or nothing",
        {201: NewGroup, 202: answer(ImportProgress, "The progress so far; send the same request again.")},
        request={"text/plain": str, "application/json": WrittenText},
    )
    def post(self, request: Request) -> Response:
        """Send the lines of `archive/` as text, or as JSON under `text`. Every table is replayed from its log.

        If that takes too long, the response is 202 with the number of tables done: send the same archive again to
        continue. Nothing is visible until the import is complete. The final response has a member’s token, shown only
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
