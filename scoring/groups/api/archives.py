"""API of archives, of past games to import, and of the notes of an evening."""

from datetime import date, time
from typing import Any, TypedDict

from django.conf import settings
from django.http import HttpResponse, StreamingHttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.requests import StrictJSONParser, TextParser
from referee.engine.reader import MISSING, Reader
from referee.engine.shapes import CLOSED, also, ref
from referee.engine.sheet import Moment
from referee.engine.texts import phrase
from referee.notation import PROGRAMS
from referee.notation.words import plain_lines
from scoring.groups.acts.evenings import note_evening
from scoring.groups.acts.group_importing import Unfinished, digest_of, import_group
from scoring.groups.acts.past_games import MOST_GAMES, PastGame, add_past_games, imports_of, undo_past_games
from scoring.groups.acts.scores import finish_by_time
from scoring.groups.api.bodies import ArchiveQuery
from scoring.groups.api.bodies import Day as DateField
from scoring.groups.api.groups import OF_GROUP, Day, GroupAPIView, NewGroup, group_made
from scoring.groups.reads.group_export import SHAPES, archive_of
from scoring.groups.reads.group_tables import Chosen
from scoring.models import EveningNote, PastImport
from scoring.operating.api import counted
from scoring.tables.acts.exceptions import NoSuchEvening
from scoring.tables.api import bodies
from scoring.tables.api.access import FromHere, RetriedAPIView
from scoring.tables.api.answers import answered
from scoring.tables.api.bodies import Body, WrittenText
from scoring.tables.api.http import PageQuery, key_of, page_of, paged
from scoring.tables.api.schema import operation, problems
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
            **problems(403),
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
        {201: NewGroup, 202: OpenApiResponse(ImportProgress, "The progress so far; send the same request again.")},
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
        return group_made(made)


# --- Past games, and the notes of an evening


class DayField(DateField):
    """A date in ISO 8601 format, such as 2026-03-12."""

    says = phrase("A day is needed here, such as 2026-03-12.")


class ClockField(serializers.TimeField):
    """A time of day, such as 20:15."""

    def read(self, reader: Reader, value: Any, pointer: str) -> time | None:
        text = reader.text(value, pointer, 8)
        try:
            read = None if text is None else time.fromisoformat(text)
        except ValueError:
            read = None
        if text is not None and (read is None or read.tzinfo):
            reader.value(pointer, "A time of day is needed here, such as 20:15.")
            return None
        return read


@extend_schema_field(ref("Options"))
class OptionsField(serializers.DictField):
    """House rules by key."""

    read = staticmethod(Reader.mapping)


@extend_schema_serializer(component_name="PastPlayer")
class PastPlayerBody(Body):
    """A player of a past game, with the final score."""

    name = bodies.Name(error_messages={"required": "A player needs a name."})
    person = bodies.Whole(
        allow_null=True, default=None, help_text="The id of a person of the group; without it, the name is looked up."
    )
    points = bodies.Whole(error_messages={"required": "A player needs points."}, help_text="The total at the end.")


@extend_schema_serializer(component_name="PastGame")
class PastGameBody(Body):
    """A past game."""

    game = bodies.Text(error_messages={"required": "A game is needed."}, help_text="The id of a game.")
    title = bodies.Text(default="", help_text="What was played, if the game is any game.")
    date = DayField(error_messages={"required": "A day is needed."}, help_text="When it was played, as 2026-03-12.")
    time = ClockField(
        allow_null=True, default=None, help_text="When it began, in the time zone of the group, as 20:15."
    )
    options = OptionsField(default=dict, help_text="House rules, as far as known.")
    minutes = bodies.Whole(default=0, help_text="How long it took; 0: unknown.")
    players = bodies.Listed(
        child=PastPlayerBody(),
        most=8,
        error_messages={"required": "A game needs players."},
        help_text="The players, clockwise if known; partners in the seats that the game gives them.",
    )
    place = bodies.Text(default="", help_text="Where it was played.")
    note = bodies.Text(default="", help_text="A free-text note.")
    tags = bodies.Given(child=bodies.Text(), default=[], help_text="Tags by which it can be found.")


@extend_schema_serializer(component_name="PastGames")
class PastGamesBody(Body):
    """Past games to add, all or none."""

    name = bodies.Label(default="", max_length=60, help_text="A name for the import, such as the file name.")
    games = bodies.Listed(child=PastGameBody(), most=MOST_GAMES, error_messages={"required": "Games are needed."})


class DescribedPastImport(TypedDict):
    """An import of past games."""

    id: int
    name: str
    at: Moment
    by: str
    tables: list[str]
    people: list[int]


Imports = page_of("Imports", "A page of a group’s past imports, except those undone.", imports=DescribedPastImport)


class ImportUndone(TypedDict):
    """Numbers of tables deleted, and of tables kept because play has continued there."""

    gone: int
    kept: int


def describe_import(made: PastImport) -> DescribedPastImport:
    return answered(DescribedPastImport, made, id=made.pk, tables=[row.code for row in made.tables.order_by("pk")])


class ImportsView(GroupAPIView):
    @operation("list_imports", "List imports of past games", {200: Imports}, parameters=[PageQuery])
    def get(self, request: Request, code: str) -> Response:
        """Latest first. `people` are the ids of the people that the import added."""
        return paged(self, "imports", imports_of(self.group), describe_import, lambda made: (-made.pk,))

    @operation("add_past_games", "Import past games", {201: DescribedPastImport}, request=PastGamesBody)
    def post(self, request: Request, code: str) -> Response:
        """Each game becomes a finished table on its day with its totals, and counts in history, evenings, wins and
        ratings. Unknown facts (hands, tricks, bids) are null. Unknown names become new people. All games are added,
        or none.
        """
        read = self.read(PastGamesBody)
        made = add_past_games(self.group.code, [_game(each) for each in read["games"]], self.caller, name=read["name"])
        return Response(describe_import(made), status=201)


def _game(read: dict[str, Any]) -> PastGame:
    players = read.pop("players")
    return PastGame(
        day=read.pop("date"),
        at=read.pop("time"),
        minutes=max(0, read.pop("minutes")),
        players=tuple(each["name"] for each in players),
        totals=tuple(each["points"] for each in players),
        people=tuple(each["person"] for each in players),
        tags=tuple(read.pop("tags")),
        **read,
    )


class ImportView(GroupAPIView):
    address = OF_GROUP | {"number": "The id of the import."}

    @operation("undo_import", "Undo an import", {200: ImportUndone})
    def delete(self, request: Request, code: str, number: int) -> Response:
        """Deletes the import’s tables, except those where play has continued, and its people without other tables."""
        return Response(undo_past_games(self.group.code, number, self.caller)._asdict())


class DescribedEveningNote(TypedDict):
    """The place, note and tags of an evening."""

    evening: Day
    place: str
    note: str
    tags: list[str]


@extend_schema_serializer(component_name="EveningNoteChanges")
class EveningNoteBody(Body):
    """Fields of an evening to change; omitted keys stay."""

    place = bodies.Text(default=None, help_text="Where it was played; applies to tables without a place of their own.")
    note = bodies.Text(default=None, help_text="A free-text note on the evening.")
    tags = bodies.Given(child=bodies.Text(), default=None, help_text="Tags by which its tables can be found.")


class EveningNoteView(GroupAPIView):
    address = OF_GROUP | {"day": "The evening, as 2026-03-12."}

    @operation("get_evening_note", "The note on an evening", {200: DescribedEveningNote})
    def get(self, request: Request, code: str, day: str) -> Response:
        """Empty strings if there is no note."""
        said = EveningNote.objects.filter(group=self.group, evening=_day(day)).first()
        return Response(answered(DescribedEveningNote, said or EveningNote(evening=_day(day))))

    @operation(
        "change_evening_note",
        "Change the place, note or tags of an evening",
        {200: DescribedEveningNote},
        request=EveningNoteBody,
    )
    def patch(self, request: Request, code: str, day: str) -> Response:
        """Place and tags apply to all tables of the evening; a table’s own place overrides it."""
        said = note_evening(self.group.code, _day(day), self.caller, **self.read(EveningNoteBody))
        return Response(answered(DescribedEveningNote, said))


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise NoSuchEvening from None
