"""Request bodies and query parameters of tables, and the strict fields of all bodies.

DRF's fields accept "1" for 1 and "yes" for true, and report other codes; these use the referee's reader. Records and
events are parsed by the referee itself.
"""

from collections.abc import Sequence
from typing import Annotated, Any, NotRequired, TypedDict, cast

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.fields import empty

from referee.engine.reader import LARGEST_EXACT, LONGEST_TEXT, Reader
from referee.engine.records import read_event
from referee.engine.replaying import overfull
from referee.engine.rules import Refused
from referee.engine.shapes import CLOSED, also, ref
from referee.engine.sheet import EventData
from referee.engine.texts import Listing, phrase
from scoring.groups.acts.groups import read_time_zone
from scoring.models import Role
from scoring.models.group import LONGEST_NAME
from scoring.rulings.reads.disputes import WHO_MAY_RULE


class Body(serializers.Serializer[Any]):
    """A request body with strict fields; ``x_`` keys are allowed."""

    def run_validation(self, data: Any = empty) -> dict[str, Any]:
        reader = Reader()
        values = self.read(reader, data, "")
        reader.check()
        return values

    def read(self, reader: Reader, posted: Any, pointer: str) -> dict[str, Any]:
        data, values, fields = reader.mapping(posted, pointer), dict[str, Any](), dict[str, Any](self.fields)
        reader.keys(data, tuple(fields), pointer)
        for name, field in fields.items():
            if name in data:
                null = data[name] is None and field.allow_null
                values[name] = None if null else field.read(reader, data[name], f"{pointer}/{name}")
            elif self.root.partial:
                continue
            elif field.required:
                reader.shape(f"{pointer}/{name}", str(field.error_messages["required"]), "missing-key")
            else:
                values[name] = field.get_default()
        return values


class BodySchema(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # drf-spectacular is half typed
    target_class = "scoring.tables.api.bodies.Body"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        mapped: dict[str, Any] = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return mapped | CLOSED


LONGEST_CHOICE = 20
LONGEST_LABEL = 60
MOST_NAMES = 500


# The schema has no bounds of numbers, roles or changes: the acts check them.


class Flag(serializers.BooleanField):
    read = staticmethod(Reader.flag)


class Whole(serializers.IntegerField):
    read = staticmethod(Reader.integer)


class Text(serializers.CharField):
    read = staticmethod(Reader.text)


class TimeZone(serializers.CharField):
    read = staticmethod(read_time_zone)


class Given(serializers.ListField):
    read = staticmethod(Reader.array)


@extend_schema_field(ref("Event"))
class EventField(serializers.JSONField):
    read = staticmethod(read_event)


class Words(serializers.CharField):
    def read(self, reader: Reader, value: Any, pointer: str) -> str:
        words = (reader.text(value, pointer) or "").strip()
        if isinstance(value, str):
            reader.words(words, pointer)
        return words


class Name(serializers.CharField):
    def read(self, reader: Reader, value: Any, pointer: str) -> str:
        name = (reader.text(value, pointer, LONGEST_NAME) or "").strip()
        if isinstance(value, str):
            reader.name(name, pointer)
        return name


class Label(serializers.CharField):
    def read(self, reader: Reader, value: Any, pointer: str) -> str:
        return reader.label(value, pointer, LONGEST_LABEL)


class Choice(serializers.ChoiceField):
    def read(self, reader: Reader, value: Any, pointer: str) -> str:
        word = reader.text(value, pointer, LONGEST_CHOICE)
        if word is not None and word not in self.choices:
            reader.value(pointer, phrase("There are: {known}.", known=Listing(tuple(filter(None, self.choices)))))
        return word or ""


class RoleOfLink(serializers.ChoiceField):
    def read(self, reader: Reader, value: Any, pointer: str) -> str | None:
        return reader.text(value, pointer, LONGEST_CHOICE)


class Listed(serializers.ListField):
    def __init__(self, *, most: int, too_many: str = "Too many entries.", **more: Any) -> None:
        super().__init__(**more)
        self.most, self.too_many = most, too_many

    def read(self, reader: Reader, value: Any, pointer: str) -> list[Any]:
        items, child = reader.array(value, pointer), cast(Any, self.child)
        if len(items) > self.most:
            reader.value(pointer, self.too_many)
            return []
        return [child.read(reader, item, f"{pointer}/{place}") for place, item in enumerate(items)]


class Names(Listed):
    def __init__(self, **more: Any) -> None:
        super().__init__(child=Name(), most=MOST_NAMES, too_many="Too many names.", **more)


class Changes(serializers.ListField):
    def read(self, reader: Reader, value: Any, pointer: str) -> list[dict[str, Any]]:
        items, child = reader.array(value, pointer), cast(Any, self.child)
        if problem := overfull(len(items), 0, 0, pointer):
            raise Refused([problem])
        return [child.read(reader, item, f"{pointer}/{number}") for number, item in enumerate(items)]


@also(CLOSED)
class EventsToRecord(TypedDict):
    """Events to record, all or nothing. A single event may also be sent unwrapped, with or without `sealed`."""

    events: Annotated[list[EventData], {"minItems": 1}]
    sealed: NotRequired[
        Annotated[bool, "Whether a secret choice, sent by itself, stays face down until the last one is in."]
    ]


@also(CLOSED)
class WrittenText(TypedDict):
    """A record in text notation, or an archive, wrapped in JSON."""

    text: str


@also(CLOSED)
class WrittenCells(TypedDict):
    """A record as CSV, wrapped in JSON."""

    csv: str


class Nothing(Body):
    """An empty body."""


class AgreementBody(Body):
    """A player's agreement with the hand's result or, if named, with a ruling."""

    ruling = Whole(default=None, min_value=1, help_text="The row of the ruling’s note in the log.")


@extend_schema_serializer(component_name="TableChanges")
class TableBody(Body):
    """The settings of a table to change; missing fields stay as they are."""

    private = Flag(default=None, help_text="Whether only links open the table.")
    seats = Given(child=Text(), default=None, help_text="The players’ names, by seat.")
    rules_by = Choice(WHO_MAY_RULE, default=None, help_text="Who decides disputes.")
    referee = Whole(min_value=1, default=None, help_text="The link of the neutral phone that decides disputes.")
    shares_rulings = Flag(default=None, help_text="Whether others can read the rulings made here, without names.")
    time_zone = TimeZone(
        default=None,
        help_text="The time zone that decides the evening of a table without a group (IANA name).",
    )
    title = Text(default=None, help_text="What the table plays, if the game is any game; empty: none.")
    totals = Given(child=Whole(), default=None, help_text="The final scores of a past game, by seat, corrected.")
    place = Text(default=None, help_text="Where it is played; empty: not said.")
    note = Text(default=None, help_text="A free-text note.")
    tags = Given(child=Text(), default=None, help_text="Tags by which it can be found.")
    group = Text(default=None, help_text="The code of the group that the table moves to, permanently.")
    group_token = Text(default=None, help_text="With `group`: a member’s token of that group.")
    people = Given(
        child=Whole(allow_null=True),
        default=None,
        allow_null=True,
        help_text="With `group`: the id of the person in each seat, null for guests. Without it, names are matched.",
    )

    def read(self, reader: Reader, posted: Any, pointer: str) -> dict[str, Any]:
        values = super().read(reader, posted, pointer)
        if values.get("group") is not None and values["group_token"] is None:
            reader.shape("/group_token", "A member’s token of the group is needed.", "missing-key")
        for name in ("group_token", "people"):
            if values.get(name) is not None and values["group"] is None:
                reader.shape("/group", "The code of the group is needed.", "missing-key")
        return values


@extend_schema_serializer(component_name="LinkToMake")
class ForLink(Body):
    """The holder of a new link; `seat` is required for a player."""

    role = RoleOfLink(Role.choices, error_messages={"required": "A link needs a role."})
    seat = Whole(min_value=0, allow_null=True, default=None)
    name = Label(max_length=LONGEST_LABEL, allow_blank=True, default="", help_text="The name shown in the log.")
    hand = Whole(
        min_value=1,
        allow_null=True,
        default=None,
        help_text="For a reader: the only hand to show, from 1; null: all hands.",
    )


class LinkName(Body):
    """The name of a link; if empty, its role is shown."""

    name = Label(max_length=LONGEST_LABEL, allow_blank=True, error_messages={"required": "A name is needed."})


@extend_schema_serializer(component_name="EntryChange")
class ChangeBody(Body):
    """A correction of one log row: the event that really happened, or null to delete it."""

    seq = Whole(min_value=1, error_messages={"required": "The number of a row of the log is needed."})
    event = EventField(
        allow_null=True, error_messages={"required": "An event is needed, or null to strike the one there is."}
    )


@extend_schema_serializer(component_name="Amendment")
class AmendmentBody(ChangeBody):
    """A correction of a log row, optionally with others at once."""

    also = Changes(child=ChangeBody(), default=[], help_text="More rows to amend at the same time.")
    rethread = Flag(
        default=False,
        help_text="Later plays and passes of the hand keep their order and cards, but get new seats by turn.",
    )
    keep_seats = Flag(
        default=False,
        help_text="Players keep their seats in later hands, even if the game seats them by score.",
    )
    reason = Text(max_length=LONGEST_TEXT, allow_blank=True, allow_null=True, default="")


LONGEST_HELD = 200  # characters in a query's list of cards


class Digits(serializers.IntegerField):
    def __init__(self, *, min_value: int, max_value: int = LARGEST_EXACT, **more: Any) -> None:
        needed = gettext_lazy("A whole number from {least} to {most} is needed here.")
        told = format_lazy(needed, least=min_value, most=max_value)
        messages = dict.fromkeys(("invalid", "min_value", "max_value", "max_string_length"), told)
        super().__init__(min_value=min_value, max_value=max_value, error_messages=messages, **more)

    def to_internal_value(self, data: object) -> int:
        digits = str(data)
        return super().to_internal_value(digits) if digits.isascii() and digits.isdecimal() else self.fail("invalid")


def one_of(words: Sequence[str]) -> Any:
    return format_lazy(gettext_lazy("One of these is needed here: {words}."), words=", ".join(words))


class Word(serializers.ChoiceField):
    def __init__(self, choices: Sequence[str], **more: Any) -> None:
        super().__init__(choices, error_messages={"invalid_choice": one_of(choices)}, **more)


class TrialQuery(serializers.Serializer[Any]):
    dry_run = Word(["0", "1"], default="0", help_text="1: return what the response would be, and change nothing.")


class AsksQuery(serializers.Serializer[Any]):
    cards = serializers.CharField(
        default="", allow_blank=True, max_length=LONGEST_HELD,
        help_text="The codes of cards to play together, separated by commas.",
    )  # fmt: skip


MOST_HANDS_NAMED = 20
EXPANSIONS = {
    "asks": "`asks`, the response of `asks/`.",
    "sheet": "`sheet`, the scores of all hands and the totals.",
    "hand": "`hand`, the whole last hand.",
}


def expansion(*parts: str) -> serializers.RegexField:
    """Return the field of an ``expand`` query parameter with these values."""
    either = "|".join(parts)
    return serializers.RegexField(
        f"^({either})(,({either}))*$", default="", max_length=LONGEST_HELD,
        error_messages={"invalid": one_of(parts)},
        help_text="More to include in the response, each under its own key, separated by commas: " + " ".join(
            says for name, says in EXPANSIONS.items() if name in parts
        ),
    )  # fmt: skip


class RecordingQuery(TrialQuery):
    expand = expansion("asks", "sheet", "hand")


class TableQuery(serializers.Serializer[Any]):
    hands = serializers.RegexField(
        rf"^(last|all|[1-9][0-9]{{0,3}}(,[1-9][0-9]{{0,3}}){{0,{MOST_HANDS_NAMED - 1}}})$", default="last",
        max_length=LONGEST_HELD,
        error_messages={"invalid": one_of(("last", "all", "1", "1,2", "…"))},
        help_text="The hands to include in the state: `last`, `all`, or numbers from 1, separated by commas.",
    )  # fmt: skip
    expand = expansion("asks", "sheet")
    hidden_points = Word(
        ["0", "1"],
        default="0",
        help_text="1: include points that are hidden until the game is over. Needs a scorekeeper’s token.",
    )


class RecordQuery(serializers.Serializer[Any]):
    annotate = Word(
        ["0", "1"],
        default="0",
        help_text="1: add the referee’s comments and the score sheet (text), or `x_scores` and `x_totals` (JSON).",
    )
    full = Word(
        ["0", "1"],
        default="0",
        help_text="1: JSON with the whole log: who recorded what and when, corrections, and undone events.",
    )
    part = Word(["events", "scores"], default="events", help_text="For CSV: the events, or the score sheet.")
