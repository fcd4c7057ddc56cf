"""Opening a table and reading one, going on with other people, its links, and its record."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.problems import ProblemsAreJSON
from referee.api.requests import RECORD_PARSERS
from referee.engine.reader import refuse
from referee.engine.shapes import ref
from scoring.groups.acts.group_access import link_of_token
from scoring.groups.reads.group_export import TableWithLog, full_export
from scoring.models.fields import canonical
from scoring.tables.acts.exceptions import OnlyReads
from scoring.tables.acts.importing import import_record
from scoring.tables.acts.links import add_link, add_reading, name_link, revoke_link, revoke_reading
from scoring.tables.acts.opening import DescribedCompany, NewTable, continue_table, create_table
from scoring.tables.acts.table_settings import TableChanges, change_table, delete_table
from scoring.tables.api import answers, bodies
from scoring.tables.api.access import (
    OF_TABLE,
    BearerAuthentication,
    FromHere,
    KeepsScore,
    Manages,
    RetriedAPIView,
    TableAPIView,
)
from scoring.tables.api.headers import PageQuery, caller_of, etag_now, key_of, not_modified, paged, part_of
from scoring.tables.api.schema import problems
from scoring.tables.reads.access import link_of_table_token, standing_links, standing_readings
from scoring.tables.reads.record_export import as_json, as_text, events_csv, scores_csv
from scoring.tables.reads.results import may_hide_points
from scoring.tables.reads.state import TIME


class TablesView(RetriedAPIView):
    authentication_classes = [BearerAuthentication]
    permission_classes = [FromHere]
    opens = True

    @extend_schema(
        operation_id="open_table",
        summary="Open a table",
        description=(
            "The answer holds the scorekeeper’s token, shown this once. With a member’s token of a group the table is "
            "the group’s, and with that of a bot that records: `people` names by id who of it sits where, null for "
            "guests; without `people` names tell. "
            "From a page of another origin this takes such a token."
        ),
        request=NewTable,
        responses={201: answers.OpenedTable},
    )
    def post(self, request: Request) -> Response:
        group = link_of_token(str(request.auth)) if request.auth else None
        if request.auth and group is None and link_of_table_token(str(request.auth)) is None:
            raise AuthenticationFailed("This token opens no group and no table, or was revoked.")
        if group is not None and "open" not in group.may:
            raise OnlyReads
        owner, brought = (None, None) if group is None else (group.group, group.pk)
        opened = create_table(request.data, key=key_of(request), group=owner, group_link=brought)
        return answers.opened_answer(opened)


class TableView(TableAPIView):
    """A table as it stands: read by whoever may see it, made private by who keeps score."""

    write_permission = Manages

    @extend_schema(
        operation_id="get_table",
        summary="Where a table stands",
        description=(
            "`state` is the adjudication of its record, as `POST referee/judge/` gives it. Where a house rule hides "
            "points until the game is over (`points_hidden`), scores and totals are null; `points=1` with a "
            "scorekeeper’s token asks for them. `previous` and `next` name a private table only to who keeps the score."
        ),
        parameters=[bodies.TableQuery],
        responses={200: answers.DescribedTable, **problems(403)},
    )
    def get(self, request: Request, code: str) -> Response:
        row = self.table
        points = self.query(bodies.TableQuery)["points"] == "1"
        if points and not KeepsScore().has_permission(request, self):
            self.permission_denied(request)
        # Time ends a table without an event, so then its version does not tell whether it has changed; nor does it
        # tell whether points are hidden still.
        keeps = self.link is not None and self.link.keeps
        around = answers.beside(row, keeps=keeps)
        if row.end["kind"] == TIME or may_hide_points(row):
            self.version, headers = row.version, {}
        else:
            headers = {"ETag": etag_now(row, self.link, around)}
            if not_modified(request, headers["ETag"]):
                return Response(status=304, headers=headers)
        return Response(answers.describe_table(row, keeps=keeps, points=points, around=around), headers=headers)

    @extend_schema(
        operation_id="change_table",
        summary="Correct names, or make a table private",
        description=(
            "`seats` are the players’ names, as many as there are; a corrected spelling keeps the score. `private` "
            "closes the table to everybody without a link. What is missing stays."
        ),
        request=bodies.TableBody,
        responses={200: answers.DescribedTable},
    )
    def patch(self, request: Request, code: str) -> Response:
        caller = caller_of(request, self.own_link)
        row = change_table(self.code, TableChanges(**self.read(bodies.TableBody)), caller)
        around = answers.beside(row, keeps=True)
        headers = {"ETag": etag_now(row, self.link, around), "Cache-Control": "no-cache"}
        return Response(answers.describe_table(row, keeps=True, around=around), headers=headers)

    @extend_schema(
        operation_id="delete_table",
        summary="Delete a table with everything recorded at it, for good",
        responses={204: None},
    )
    def delete(self, request: Request, code: str) -> Response:
        delete_table(self.code, caller_of(request, self.own_link))
        return Response(status=204)


# --- Going on with other people


class ContinueView(TableAPIView):
    @extend_schema(
        operation_id="continue_table",
        summary="Go on with other people, between two hands",
        description=(
            "Closes the table, if it is not over, and opens the next one with the same game, house rules and end. "
            "`from` names, for each new seat, the seat at this table or null; without it, `people` or names tell. "
            "`people` are ids of the group's people, null for guests; without them, names tell. "
            "Everybody takes the own total along; a `newcomer` begins at `zero` or at the `lowest` total. What is "
            "carried is computed: a correction of this table changes it at all tables that follow. `options` are "
            "house rules that are others from now on; those that nobody chose and that depend on the number of players "
            "follow the new one. A course of hands goes on where it was (`hands_before`)."
        ),
        request=DescribedCompany,
        responses={201: answers.OpenedTable, **problems(409)},
    )
    def post(self, request: Request, code: str) -> Response:
        return answers.opened_answer(continue_table(self.code, request.data, caller_of(request, self.own_link)))


class LinksView(TableAPIView):
    read_permission = write_permission = Manages

    @extend_schema(
        operation_id="list_links",
        summary="The links that stand, without their tokens",
        description="Who keeps the score is shown all of them; `own` is the one whose token was sent.",
        parameters=[PageQuery],
        responses={200: answers.Links, **problems(403)},
    )
    def get(self, request: Request, code: str) -> Response:
        own, query = self.own_link, self.query(PageQuery)
        part = part_of(standing_links(own.table).order_by("pk"), lambda link: (link.pk,), query)
        return paged(request, {"links": [answers.describe_link(link, own) for link in part.items]}, part.following)

    @extend_schema(
        operation_id="make_link",
        summary="Make a link",
        description="The token is shown this once. `url` gives the link to the first browser that opens it.",
        request=bodies.ForLink,
        responses={201: answers.NewLink, **problems(409)},
    )
    def post(self, request: Request, code: str) -> Response:
        own = self.own_link
        made = add_link(self.code, **self.read(bodies.ForLink), caller=caller_of(request, own))
        body = answers.describe_new_link(request, made, own)
        return Response(body, status=201, headers={"Cache-Control": "no-store"})


class LinkView(TableAPIView):
    """One link: its name, and its end, which is that of what it allowed at once, on every device."""

    write_permission = Manages
    address = OF_TABLE | {"number": "The id of the link."}

    @extend_schema(
        operation_id="rename_link",
        summary="Name a link",
        description="The log calls whoever holds it by that name from now on, beside role and seat.",
        request=bodies.LinkName,
        responses={200: answers.DescribedLink},
    )
    def patch(self, request: Request, code: str, number: int) -> Response:
        own = self.own_link
        link = name_link(self.code, number, self.read(bodies.LinkName)["name"], caller_of(request, own))
        return Response(answers.describe_link(link, own))

    @extend_schema(
        operation_id="revoke_link",
        summary="Revoke a link: it opens nothing from now on",
        responses={204: None, **problems(409)},
    )
    def delete(self, request: Request, code: str, number: int) -> Response:
        revoke_link(self.code, number, caller_of(request, self.own_link))
        return Response(status=204)


class ReadingsView(TableAPIView):
    read_permission = write_permission = Manages

    @extend_schema(
        operation_id="list_readings",
        summary="The links for reading that stand, without their tokens",
        description="`hand` is the only hand that a link opens, from 1; null: it opens the whole table.",
        parameters=[PageQuery],
        responses={200: answers.Readings, **problems(403)},
    )
    def get(self, request: Request, code: str) -> Response:
        part = part_of(standing_readings(self.own_link.table), lambda each: (each.pk,), self.query(PageQuery))
        return paged(request, {"readings": [answers.describe_reading(each) for each in part.items]}, part.following)

    @extend_schema(
        operation_id="make_reading",
        summary="Make a link for reading a table, or one hand of it",
        description=(
            "`url` opens it as a page on any number of devices until the link is revoked, and nothing besides: it does "
            "not tell the code. The token is shown this once."
        ),
        request=bodies.ForReading,
        responses={201: answers.NewReading, **problems(409)},
    )
    def post(self, request: Request, code: str) -> Response:
        number = self.read(bodies.ForReading)["hand"]
        made = add_reading(self.code, None if number is None else number - 1, caller_of(request, self.own_link))
        return Response(answers.describe_new_reading(request, made), status=201, headers={"Cache-Control": "no-store"})


class ReadingView(TableAPIView):
    write_permission = Manages
    address = OF_TABLE | {"number": "The id of the link."}

    @extend_schema(
        operation_id="revoke_reading",
        summary="Revoke a link for reading: it opens nothing from now on, on any device",
        description="For who keeps the score. Other links of the table stay.",
        responses={204: None, **problems(409)},
    )
    def delete(self, request: Request, code: str, number: int) -> Response:
        revoke_reading(self.code, number, caller_of(request, self.own_link))
        return Response(status=204)


AS = OpenApiParameter("as", {"type": "string", "enum": ["json", "text", "csv"]}, description="Instead of `Accept`.")
RECORD_OR_LOG = {"oneOf": [ref("Record"), ref("TableWithLog")]}
TO_IMPORT = {"oneOf": [*RECORD_OR_LOG["oneOf"], ref("WrittenText"), ref("WrittenCells")]}


class TextRenderer(BaseRenderer):
    media_type = "text/plain"
    format = "text"

    def render(self, data: object, accepted_media_type: str | None = None, renderer_context: object = None) -> bytes:
        return str(data).encode()


class CSVRenderer(TextRenderer):
    media_type = "text/csv"
    format = "csv"


class ByParameter(ProblemsAreJSON):
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
        parameters=[AS, bodies.RecordQuery],
        responses={(200, "application/json"): RECORD_OR_LOG, (200, "text/plain"): str, (200, "text/csv"): str},
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        query, row = self.query(bodies.RecordQuery), self.table
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
    parser_classes = RECORD_PARSERS
    # A text comes from any page without being asked about first; JSON does not.
    permission_classes = [FromHere]
    opens = costly = True
    shapes = (TableWithLog, bodies.WrittenText, bodies.WrittenCells)

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
        responses={201: answers.OpenedTable},
    )
    def post(self, request: Request) -> Response:
        return answers.opened_answer(import_record(request.data, key=key_of(request)))
