"""API of tables: opening, reading, continuing with other players, links, requests for a seat, and the record."""

import json
from typing import Annotated, Any, TypedDict

from django.http import HttpResponse
from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiParameter, extend_schema_serializer
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.problems import ProblemsAreJSON
from referee.api.requests import RECORD_PARSERS
from referee.engine.reader import refuse
from referee.engine.shapes import Named, one_of, ref
from referee.engine.sheet import Moment
from scoring.groups.acts.group_access import admit_to_group, link_of_token
from scoring.groups.reads.group_export import TableWithLog, full_export
from scoring.models import Role, SeatRequest
from scoring.models.fields import canonical, written
from scoring.operating.acts.limits import count_asking
from scoring.tables.acts import links
from scoring.tables.acts.exceptions import OnlyReads
from scoring.tables.acts.holding import cached_standing
from scoring.tables.acts.importing import import_record
from scoring.tables.acts.keys import (
    KEYS_ARE_KEPT,
    fingerprint_of,
    hashed,
    keep,
    keep_token,
    kept,
    kept_token,
    replayed,
)
from scoring.tables.acts.opening import DescribedCompany, NewTable, continue_table, create_table
from scoring.tables.acts.table_settings import TableChanges, change_table, delete_table
from scoring.tables.api import answers, bodies
from scoring.tables.api.access import (
    OF_TABLE,
    Admitted,
    BearerAuthentication,
    FromHere,
    KeepsScore,
    Manages,
    Records,
    RetriedAPIView,
    TableAPIView,
)
from scoring.tables.api.asks import DescribedAsks, describe_asks
from scoring.tables.api.http import PageQuery, etag_now, key_of, not_modified, paged
from scoring.tables.api.schema import operation, problems
from scoring.tables.reads.access import answered_by, link_of_table_token, standing_rights
from scoring.tables.reads.record_export import as_json, as_text, events_csv, scores_csv
from scoring.tables.reads.results import may_hide_points
from scoring.tables.reads.state import TIME


class TablesView(RetriedAPIView):
    authentication_classes = [BearerAuthentication]
    permission_classes = [FromHere]
    opens = True

    @operation("open_table", "Open a table", {201: answers.OpenedTable}, request=NewTable)
    def post(self, request: Request) -> Response:
        """The response has the scorekeeper’s token, shown only once. With a group member’s token, or that of a bot that
        may record, the table belongs to the group. `people` then gives the id of the person in each seat, null for
        guests; without `people`, players are matched by name. A page of another origin needs such a token.
        """
        group = link_of_token(str(request.auth)) if request.auth else None
        if request.auth and group is None and link_of_table_token(str(request.auth)) is None:
            raise AuthenticationFailed(gettext("This token opens no group and no table, or it was turned off."))
        if group is not None and "open" not in group.may:
            raise OnlyReads
        owner, brought = (None, None) if group is None else (group.group, group.pk)
        opened = create_table(request.data, key=key_of(request), group=owner, group_link=brought)
        return answers.opened_answer(opened)


class TableView(TableAPIView):
    """A table: anyone admitted may read it, the scorekeeper may change it."""

    write_permission = Manages

    @operation(
        "get_table",
        "Get a table and the state of its game",
        {200: answers.DescribedTable, **problems(403)},
        parameters=[bodies.TableQuery],
    )
    def get(self, request: Request, code: str) -> Response:
        """`state` is what `POST referee/judge/` would return for the record, with only the last hand in `hands`; the
        `hands` parameter selects others (404 if the table has no such hand). Where a house rule hides points until the
        game is over (`points_hidden`), scores and totals are null; with a scorekeeper’s token, `hidden_points=1` shows
        them. `previous` and `continued_by` name a private table only to scorekeepers.
        """
        row = self.table
        query = self.query(bodies.TableQuery)
        points, expand = query["hidden_points"] == "1", query["expand"].split(",")
        if points and not KeepsScore().has_permission(request, self):
            self.permission_denied(request)
        # A time limit ends a table without an event, so the version doesn't tell whether it has ended, nor whether
        # points are still hidden.
        keeps = self.link is not None and self.link.keeps
        around = answers.beside(row, keeps=keeps)
        if row.end["kind"] == TIME or may_hide_points(row):
            self.version, headers = row.version, {}
        else:
            headers = {"ETag": etag_now(row, self.link, around)}
            if not_modified(request, headers["ETag"]):
                return Response(status=304, headers=headers)
        body = answers.describe_table(
            row, keeps=keeps, points=points, around=around, hands=query["hands"], expand=expand, link=self.link
        )
        return Response(body, headers=headers)

    @operation(
        "change_table",
        "Correct names, make a table private, or give it to a group",
        {200: answers.DescribedTable},
        request=bodies.TableBody,
    )
    def patch(self, request: Request, code: str) -> Response:
        """Omitted keys stay. `seats` are all the players’ names; correcting a name keeps its score. `private` closes
        the table to everyone without a link. `group`, with the token of one of its members as `group_token`, moves the
        table to that group permanently. `title` is what the table plays, if the game is any game.
        """
        caller, changes = self.caller, self.read(bodies.TableBody)
        group, token = changes.pop("group"), changes.pop("group_token")
        own = None if group is None else admit_to_group(group, request.META, token=token).link
        row = change_table(self.code, TableChanges(group=own, **changes), caller)
        around = answers.beside(row, keeps=True)
        headers = {"ETag": etag_now(row, self.link, around), "Cache-Control": "no-cache"}
        return Response(answers.describe_table(row, keeps=True, around=around), headers=headers)

    @operation("delete_table", "Delete a table and its whole log", {204: None})
    def delete(self, request: Request, code: str) -> Response:
        """Scorekeeper only. This cannot be undone."""
        delete_table(self.code, self.caller)
        return Response(status=204)


class AsksView(TableAPIView):
    head_only = True

    @operation("get_asks", "What can be recorded now", {200: DescribedAsks}, parameters=[bodies.AsksQuery])
    def get(self, request: Request, code: str) -> Response:
        """`asks` is what the hand is waiting for, `beside` what the table may record at any time. Each gives a type of
        event with its fields and their values, who may record it (`players`: seats whose own link may; a scorekeeper’s
        link records everything), which values a rule forbids now, and which cards would claim something about a hand.
        `events` are complete events, ready to send to `events/`. If `complete` is false, there are more; a form with
        many values lists none. `forced` is the only possible event. With `cards`, a play of several cards lists only
        the plays that include those cards, and `named` says what they form together. If `asks` is empty, `why_not` says
        why play cannot go on.
        """
        row = self.table
        held = self.query(bodies.AsksQuery)["cards"]
        if row.end["kind"] == TIME:  # a time limit ends a table without an event
            self.version, headers = row.version, {}
        else:
            headers = {"ETag": etag_now(row, self.link, {})}
            if not_modified(request, headers["ETag"]):
                return Response(status=304, headers=headers)
        at = cached_standing(row)
        cards = tuple(held.split(",")) if held else ()
        codes = tuple(
            at.rules.pack.cards[card].code for text in cards if (card := at.rules.pack.find(text)) is not None
        )
        if len(codes) < len(cards):
            refuse("bad-query", "cards: the pack of this table has no such card.", "/cards")
        return Response(describe_asks(at, self.link, codes), headers=headers)


# --- Continuing with other players


class ContinueView(TableAPIView):
    @operation(
        "continue_table",
        "Continue the game with other players, between two hands",
        {201: answers.OpenedTable, **problems(409)},
        request=DescribedCompany,
    )
    def post(self, request: Request, code: str) -> Response:
        """Closes the table if the game is not over, and opens the next one with the same game, house rules and end.
        `from` gives, for each new seat, the seat at this table, or null. Without it, players are matched by `people`
        (ids of the group’s people, null for guests) or by name. Players keep their totals; a `newcomer` starts at
        `zero` or, with `lowest`, at the total of last place, which is the highest one if the lowest total wins. Carried
        points are computed, so a correction at this table also changes every later one. `options` are house rules that
        change from now on; defaults that depend on the number of players follow the new number. A course of hands
        continues where it was (`hands_before`).
        """
        return answers.opened_answer(continue_table(self.code, request.data, self.caller))


class LinksView(TableAPIView):
    read_permission = write_permission = Manages

    @operation(
        "list_links",
        "List a table’s active links, without their tokens",
        {200: answers.Rights, **problems(403)},
        parameters=[PageQuery],
    )
    def get(self, request: Request, code: str) -> Response:
        """Scorekeeper only. `own` marks the link whose token was sent."""
        own = self.own_link
        rights = standing_rights(own.table).order_by("pk")
        return paged(self, "rights", rights, lambda link: answers.describe_link(link, own))

    @operation("make_link", "Make a link", {201: answers.NewLink, **problems(409)}, request=bodies.ForLink)
    def post(self, request: Request, code: str) -> Response:
        """The token is shown only once. `url` gives the link to the first browser that opens it. A `reader`’s `url`
        opens the page of the table, or of one `hand`, on any number of devices without revealing the code; a reader’s
        token cannot be used with the API.
        """
        own = self.own_link
        right = self.read(bodies.ForLink)
        hand = None if right["hand"] is None else right["hand"] - 1
        made = links.add_link(self.code, **right | {"hand": hand}, caller=self.caller)
        body = answers.describe_new_link(request, made, own)
        return Response(body, status=201, headers={"Cache-Control": "no-store"})


class LinkView(TableAPIView):
    """A link: rename it, or revoke it on every device at once."""

    write_permission = Manages
    address = OF_TABLE | {"number": "The id of the link."}

    @operation("rename_link", "Name a link", {200: answers.DescribedLink}, request=bodies.LinkName)
    def patch(self, request: Request, code: str, number: int) -> Response:
        """From now on, the log shows this name beside the role and the seat."""
        link = links.name_link(self.code, number, self.read(bodies.LinkName)["name"], self.caller)
        return Response(answers.describe_link(link, self.own_link))

    @operation("revoke_link", "Revoke a link, on every device at once", {204: None, **problems(409)})
    def delete(self, request: Request, code: str, number: int) -> Response:
        """Scorekeeper only. The last scorekeeper’s link cannot be revoked."""
        links.revoke_link(self.code, number, self.caller)
        return Response(status=204)


# --- Requests for a seat


@extend_schema_serializer(component_name="SeatToAskFor")
class SeatBody(bodies.Body):
    """The requested seat."""

    seat = bodies.Whole(min_value=0, error_messages={"required": "A seat is needed."})


class DescribedRequest(TypedDict):
    """A request for a seat, or to keep the score from that seat."""

    id: int
    role: Annotated[str, Named("AskedRole", one_of([Role.PLAYER, Role.SCOREKEEPER], "The requested role."))]
    seat: int
    at: Moment


class NewRequest(DescribedRequest):
    """A new request, with the token that works once the request is accepted."""

    token: answers.Token


class Requests(TypedDict):
    """The pending requests that the caller may answer or, for one to keep the score, has made."""

    requests: list[DescribedRequest]


def describe_request(asked: SeatRequest) -> DescribedRequest:
    return {"id": asked.pk, "role": asked.role, "seat": asked.seat, "at": written(asked.at)}


class RequestsView(TableAPIView):
    head_only = True
    write_permission = FromHere & Admitted
    versioned = False

    @operation("list_requests", "List the seat requests that this link may answer", {200: Requests})
    def get(self, request: Request, code: str) -> Response:
        """Scorekeepers see all requests, players those for their own seat, and a phone that asks to keep the score its
        own request.
        """
        return Response({"requests": [describe_request(each) for each in answered_by(self.table, self.link)]})

    @operation(
        "ask_for_seat", "Ask for a seat, using only the code", {201: NewRequest, **problems(409)}, request=SeatBody
    )
    def post(self, request: Request, code: str) -> Response:
        """The code alone gives no seat: `token`, shown once, works only after the scorekeeper accepts, and then records
        for this seat. The request expires after ten minutes.
        """
        seat, key = self.read(SeatBody)["seat"], key_of(request)
        fingerprint = fingerprint_of("ask-for-seat", [self.table.pk, seat], key)
        asked = "" if key is None else hashed("ask-for-seat", key, fingerprint)
        before = kept(asked, KEYS_ARE_KEPT) if asked else None
        if before is not None:  # whatever became of it: a retry makes no second request
            replayed.set(True)
            described, token = json.loads(before), kept_token(key, fingerprint) or None
        else:
            count_asking(request.META, self.table.code)
            made, token = links.ask_for_seat(self.table, seat)
            described = describe_request(made)
            keep_token(key, fingerprint, token)
            if asked:
                keep(asked, KEYS_ARE_KEPT, json.dumps(described))
        return Response({**described, "token": token}, status=201, headers={"Cache-Control": "no-store"})


class RequestView(TableAPIView):
    address = OF_TABLE | {"number": "The id of the request."}
    write_permission = Records

    @operation(
        "let_in",
        "Accept a seat request",
        {201: answers.DescribedLink, **problems(409)},
        request=bodies.Nothing,
    )
    def post(self, request: Request, code: str, number: int) -> Response:
        """The request’s token can then record for the seat; older links to the seat are revoked, since this is the
        player’s new phone. 404 once the request has been answered.
        """
        self.read(bodies.Nothing)
        link = links.let_in(self.code, number, self.caller)
        return Response(answers.describe_link(link, self.own_link), status=201)

    @operation("refuse_request", "Refuse a seat request", {204: None})
    def delete(self, request: Request, code: str, number: int) -> Response:
        """The request’s token never works. 404 once the request has been answered."""
        links.refuse(self.code, number, self.caller)
        return Response(status=204)


# --- The record

AS = OpenApiParameter(
    "as", {"type": "string", "enum": ["json", "text", "csv", "bgstats"]}, description="The format, instead of `Accept`."
)
RECORD_OR_LOG = (ref("Record"), ref("TableWithLog"))
TO_IMPORT = {"oneOf": [*RECORD_OR_LOG, ref("WrittenText"), ref("WrittenCells")]}


class TextRenderer(BaseRenderer):
    media_type = "text/plain"
    format = "text"

    def render(self, data: object, accepted_media_type: str | None = None, renderer_context: object = None) -> bytes:
        return str(data).encode()


class CSVRenderer(TextRenderer):
    media_type = "text/csv"
    format = "csv"


class BgStatsRenderer(JSONRenderer):
    format = "bgstats"


class ByParameter(ProblemsAreJSON):
    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        wanted = request.query_params.get("as")
        if wanted is None:
            return super().select_renderer(request, renderers, format_suffix)
        found = next((renderer for renderer in renderers if renderer.format == wanted), None)
        if found is None:
            refuse("bad-query", f"as must be one of: {', '.join(each.format for each in renderers)}.", "/as")
        return found, found.media_type


class RecordView(TableAPIView):
    """The record of a table: JSON, text notation, CSV of events or scores, or a BG Stats play."""

    looks_back = True
    shapes = (TableWithLog, answers.BgStats)
    renderer_classes = [JSONRenderer, TextRenderer, CSVRenderer, BgStatsRenderer]
    content_negotiation_class = ByParameter

    @operation(
        "get_record",
        "The record of a table",
        {
            (200, "application/json"): {"oneOf": [*RECORD_OR_LOG, ref("BgStats")]},
            (200, "text/plain"): str,
            (200, "text/csv"): str,
        },
        parameters=[AS, bodies.RecordQuery],
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        """The events that count: corrections applied, undone events left out. `Accept` or `as` chooses JSON, which
        import and the stateless judge accept, the text notation, or CSV. With `full=1`, the JSON is the table with its
        whole log, which import accepts too. `as=bgstats` is a finished game as a play for BG Stats: `url` opens it in
        the app, which asks before saving it. 404 while the game is running or its points are hidden.
        """
        query, row = self.query(bodies.RecordQuery), self.table
        annotate = query["annotate"] == "1"
        renderer = request.accepted_renderer
        full = query["full"] == "1"
        if full and renderer.format != "json":
            refuse("bad-query", "full: only JSON holds the whole log.", "/full")
        match renderer.format:
            case "text":
                body = as_text(row, annotate=annotate)
            case "bgstats":
                body = canonical(answers.describe_play(row))
            case "csv":
                body = scores_csv(row) if query["part"] == "scores" else events_csv(row)
            case _:
                body = canonical(full_export(row) if full else as_json(row, annotate=annotate))
        kind = renderer.media_type + (f"; charset={renderer.charset}" if renderer.charset else "")
        return HttpResponse(body, content_type=kind, headers={"Vary": "Accept"})


class ImportView(RetriedAPIView):
    parser_classes = RECORD_PARSERS
    # A text body can be sent cross-site without a CORS preflight; JSON can't.
    permission_classes = [FromHere]
    opens = costly = True
    shapes = (TableWithLog, bodies.WrittenText, bodies.WrittenCells)

    @operation(
        "import_record",
        "Open a table with a whole record, all or nothing",
        {201: answers.ImportedTable},
        request={"application/json": TO_IMPORT, "text/plain": str, "text/csv": str},
    )
    def post(self, request: Request) -> Response:
        """Send the record in any format that `record/` exports: JSON, text notation or CSV, as it is, or as JSON under
        `text` or `csv`. Everything is judged again and compared with the scores that the record states (`x_scores` of a
        hand, `x_totals`; in text, the score sheet). A problem gives the place of each mistake by JSON pointer, or by
        line and column. The response has the scorekeeper’s token, shown only once, and the addresses of the table.
        Requests from a browser page of another site are refused.
        """
        return answers.imported_answer(import_record(request.data, key=key_of(request)))
