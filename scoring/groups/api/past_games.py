"""API of past games, and of the notes of an evening."""

from datetime import date, time
from typing import Any, TypedDict

from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.reader import Reader
from referee.engine.shapes import ref
from referee.engine.sheet import Moment
from scoring.groups.acts.evenings import note_evening
from scoring.groups.acts.past_games import MOST_GAMES, PastGame, add_past_games, imports_of, undo_past_games
from scoring.groups.api.answers import answered
from scoring.groups.api.groups import OF_GROUP, GroupAPIView
from scoring.groups.api.history import Day
from scoring.models import EveningNote, PastImport
from scoring.tables.acts.exceptions import NoSuchEvening
from scoring.tables.api import bodies
from scoring.tables.api.bodies import Body
from scoring.tables.api.paging import PageQuery, Paginator
from scoring.tables.api.schema import operation, problems


class DayField(serializers.DateField):
    """A date in ISO 8601 format, such as 2026-03-12."""

    def read(self, reader: Reader, value: Any, pointer: str) -> date | None:
        text = reader.text(value, pointer, 10)
        try:
            return None if text is None else date.fromisoformat(text)
        except ValueError:
            reader.value(pointer, "A day is needed here, such as 2026-03-12.")
            return None


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


class Imports(TypedDict):
    """A page of a group’s past imports, except those undone."""

    imports: list[DescribedPastImport]
    next: str | None


class ImportUndone(TypedDict):
    """Numbers of tables deleted, and of tables kept because play has continued there."""

    gone: int
    kept: int


def describe_import(made: PastImport) -> DescribedPastImport:
    return answered(DescribedPastImport, made, id=made.pk, tables=[row.code for row in made.tables.order_by("pk")])


class ImportsView(GroupAPIView):
    @operation(
        "list_imports",
        "List imports of past games",
        {200: Imports, **problems(422)},
        parameters=[PageQuery],
    )
    def get(self, request: Request, code: str) -> Response:
        """Latest first. `people` are the ids of the people that the import added."""
        pages = Paginator(self, self.query(PageQuery))
        part = pages.cut(list(imports_of(self.group)), lambda made: (-made.pk,))
        return pages.answer({"imports": [describe_import(made) for made in part]})

    @operation(
        "add_past_games", "Import past games", {201: DescribedPastImport, **problems(422)}, request=PastGamesBody
    )
    def post(self, request: Request, code: str) -> Response:
        """Each game becomes a finished table on its day with its totals, and counts in history, evenings, wins and
        ratings. Unknown facts (hands, tricks, bids) are null. Unknown names become new people. All games are added,
        or none.
        """
        read = self.read(PastGamesBody)
        made = add_past_games(self.group.code, [_game(each) for each in read["games"]], self.caller, name=read["name"])
        return Response(describe_import(made), status=201)


def _game(read: dict[str, Any]) -> PastGame:
    players = read["players"]
    return PastGame(
        game=read["game"] or "",
        title=read["title"] or "",
        day=read["date"],
        options=read["options"],
        at=read["time"],
        minutes=max(0, read["minutes"] or 0),
        players=tuple(each["name"] for each in players),
        totals=tuple(each["points"] for each in players),
        people=tuple(each["person"] for each in players),
        place=read["place"] or "",
        note=read["note"] or "",
        tags=tuple(read["tags"]),
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
        return Response(describe_evening_note(said or EveningNote(evening=_day(day))))

    @operation(
        "change_evening_note",
        "Change the place, note or tags of an evening",
        {200: DescribedEveningNote, **problems(422)},
        request=EveningNoteBody,
    )
    def patch(self, request: Request, code: str, day: str) -> Response:
        """Place and tags apply to all tables of the evening; a table’s own place overrides it."""
        said = note_evening(self.group.code, _day(day), self.caller, **self.read(EveningNoteBody))
        return Response(describe_evening_note(said))


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise NoSuchEvening from None


def describe_evening_note(said: EveningNote) -> DescribedEveningNote:
    return answered(DescribedEveningNote, said)
