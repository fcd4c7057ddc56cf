"""A whole group as one file, and back."""

from typing import TypedDict

from django.conf import settings
from django.http import StreamingHttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.parsers import StrictJSONParser, TextParser
from referee.engine.reader import MISSING, Reader
from referee.engine.shapes import CLOSED, also
from referee.notation.encodings import plain_lines
from scoring.api.access import FromHere, RetriedAPIView
from scoring.api.bodies import WrittenText
from scoring.api.group_access import GroupAPIView
from scoring.api.group_answers import NewGroup, describe_group
from scoring.api.headers import etag, key_of
from scoring.api.schema import answer, problems
from scoring.api.throttling import counted
from scoring.queries.archiving import archive_of
from scoring.queries.clock import judging_watch
from scoring.services.exceptions import NotMember
from scoring.services.group_importing import Unfinished, digest_of, import_group


@also(CLOSED)
class ImportProgress(TypedDict):
    """How many tables of an archive are there, of how many."""

    done: int
    tables: int


class ArchiveView(GroupAPIView):
    """The whole group as one file, worked out part by part while it is sent."""

    costly = True
    tagged = False

    @extend_schema(
        operation_id="get_group_archive",
        summary="The whole group as one file",
        description=(
            "Lines of JSON: the group with its people, then each table with its whole log, corrections included. "
            "Links, codes and what lies face down stay behind. For members."
        ),
        responses={(200, "application/x-ndjson"): str, **problems(403)},
    )
    def get(self, request: Request, code: str) -> StreamingHttpResponse:
        if not self.link.manages:
            raise NotMember
        name = f'attachment; filename="{self.group.code}.ndjson"'
        headers = {"Content-Disposition": name, "Cache-Control": "private, no-store"}
        parts = counted(request, archive_of(self.group))
        return StreamingHttpResponse(parts, content_type="application/x-ndjson", headers=headers)


class GroupImportView(RetriedAPIView):
    """A group that comes back from its archive."""

    parser_classes = [StrictJSONParser, TextParser]
    permission_classes = [FromHere]
    opens = costly = True

    @extend_schema(
        operation_id="import_group",
        summary="Make a group from its archive: all of it or nothing",
        description=(
            "The lines of `archive/` as text, or as JSON under `text`. Every table is judged again from its log. "
            "What takes too long for one request is answered with 202 and how many tables are there: sent again, the "
            "same archive goes on from them, and nothing is visible before it is whole. The answer holds a member’s "
            "token, shown this once."
        ),
        request={
            "text/plain": str,
            "application/json": WrittenText,
        },
        responses={201: NewGroup, 202: answer(ImportProgress, "How far it is; send the same again.")},
    )
    def post(self, request: Request) -> Response:
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
        body: NewGroup = {**describe_group(made.link.group, made.link), "token": made.token or None}
        headers = {"ETag": etag(0), "Location": body["links"]["self"], "Cache-Control": "no-store"}
        return Response(body, status=201, headers=headers)
