"""Exporting a record, and importing one."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.negotiation import ProblemsAreJSON
from referee.api.parsers import RECORD_PARSERS, refuse
from referee.engine.shapes import ref
from scoring.api.access import FromHere, RetriedAPIView, TableAPIView
from scoring.api.answers import OpenedTable, opened_answer
from scoring.api.bodies import RecordQuery, WrittenCells, WrittenText
from scoring.api.headers import key_of
from scoring.models.fields import canonical
from scoring.queries.archiving import TableWithLog, full_export
from scoring.queries.exporting import as_json, as_text, events_csv, scores_csv
from scoring.services.importing import import_record

AS = OpenApiParameter("as", {"type": "string", "enum": ["json", "text", "csv"]}, description="Instead of `Accept`.")
RECORD_OR_LOG = {"oneOf": [ref("Record"), ref("TableWithLog")]}
TO_IMPORT = {"oneOf": [*RECORD_OR_LOG["oneOf"], ref("WrittenText"), ref("WrittenCells")]}


class TextRenderer(BaseRenderer):
    """Writes a record in the text notation, which people read and type (media type ``text/plain``)."""

    media_type = "text/plain"
    format = "text"

    def render(self, data: object, accepted_media_type: str | None = None, renderer_context: object = None) -> bytes:
        return str(data).encode()


class CSVRenderer(TextRenderer):
    """Tables for a spreadsheet."""

    media_type = "text/csv"
    format = "csv"


class ByParameter(ProblemsAreJSON):
    """The format that ``?as=`` names, or else one that the caller accepts."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        wanted = request.query_params.get("as")
        if wanted is None:
            return super().select_renderer(request, renderers, format_suffix)
        found = next((renderer for renderer in renderers if renderer.format == wanted), None)
        if found is None:
            refuse("bad-query", f"as is one of: {', '.join(each.format for each in renderers)}.", "/as")
        return found, found.media_type


class RecordView(TableAPIView):
    """A table as a file: its record as JSON, in the text notation, or as the cells of events or of the score sheet."""

    looks_back = True
    shapes = (TableWithLog,)
    renderer_classes = [JSONRenderer, TextRenderer, CSVRenderer]
    content_negotiation_class = ByParameter

    @extend_schema(
        operation_id="get_record",
        summary="The record of a table",
        description=(
            "What was recorded and stands, as amended, without what was taken back: as JSON, which import and the "
            "stateless judge take, as text, or as CSV, by `Accept` or `as`. With `full=1` the JSON is the table with "
            "its whole log, which import takes, too."
        ),
        parameters=[AS, RecordQuery],
        responses={(200, "application/json"): RECORD_OR_LOG, (200, "text/plain"): str, (200, "text/csv"): str},
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        query, row = self.query(RecordQuery), self.table
        annotate = query["annotate"] == "1"
        renderer = request.accepted_renderer
        full = query["full"] == "1"
        if full and renderer.format != "json":
            refuse("bad-query", "full: only JSON holds the whole log.", "/full")
        match renderer.format:
            case "text":
                body = as_text(row, annotate=annotate)
            case "csv":
                body = scores_csv(row) if query["part"] == "scores" else events_csv(row)
            case _:
                body = canonical(full_export(row) if full else as_json(row, annotate=annotate))
        kind = "application/json" if renderer.format == "json" else f"{renderer.media_type}; charset=utf-8"
        return HttpResponse(body, content_type=kind, headers={"Vary": "Accept"})


class ImportView(RetriedAPIView):
    """A table that begins with a whole record."""

    parser_classes = RECORD_PARSERS
    # A text comes from any page without being asked about first; JSON does not.
    permission_classes = [FromHere]
    opens = costly = True
    shapes = (TableWithLog, WrittenText, WrittenCells)

    @extend_schema(
        operation_id="import_record",
        summary="Open a table with a whole record: all of it or nothing",
        description=(
            "The record as JSON, in the text notation or as CSV (as it is, or as JSON under `text` or `csv`), as it is "
            "taken away. Everything is judged again; scores it states (`x_scores` of a hand, `x_totals`; in text the "
            "score sheet) are compared. A problem says by pointer, or line and column, what is wrong. The answer "
            "holds the scorekeeper’s token, shown this once. "
            "What a browser sends from a page of another site is refused."
        ),
        request={"application/json": TO_IMPORT, "text/plain": str, "text/csv": str},
        responses={201: OpenedTable},
    )
    def post(self, request: Request) -> Response:
        return opened_answer(import_record(request.data, key=key_of(request)))
