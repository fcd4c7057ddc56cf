"""What the calls at a table take, in body and query. Serializers describe it; the referee's reader reads the bodies.

Fields of the REST framework take "1" for 1 and "yes" for true, and know no codes of ours: what they declare is used,
not how they read. What is a record or part of one (a table opened, brought or continued, events) the referee reads.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any, NotRequired, TypedDict

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.fields import empty

from referee.engine.bounds import overfull
from referee.engine.options import Refused
from referee.engine.reader import LONGEST_TEXT, Reader
from referee.engine.reading import read_event
from referee.engine.records import PlayerNames
from referee.engine.shapes import CLOSED, FLAG, OWN_KEYS, Named, also, answer, closed, number, one_of, text
from referee.engine.sheet import EventData, GameId, OptionData, SeatNumber
from referee.engine.strict_json import LARGEST_EXACT
from referee.engine.translation import Listing, phrase
from scoring.api import schema
from scoring.models import Role
from scoring.models.group import LONGEST_NAME
from scoring.queries.chains import LOWEST
from scoring.queries.disputes import WHO_MAY_RULE
from scoring.queries.log import MOST_ROWS
from scoring.services.seating import read_time_zone


class Body(serializers.Serializer[Any]):
    """The body of a request: keys of its own, and such as begin with ``x_``."""

    def run_validation(self, data: Any = empty) -> dict[str, Any]:
        """Return the values by key, with defaults; raises ``Refused`` with every problem."""
        reader = Reader()
        values = self.read(reader, data, "")
        reader.check()
        return values

    def read(self, reader: Reader, posted: Any, pointer: str) -> dict[str, Any]:
        """Read the values by key, with defaults; problems are noted under ``pointer``."""
        data, values = reader.mapping(posted, pointer), dict[str, Any]()
        reader.keys(data, tuple(self.fields), pointer)
        for name, field in self.fields.items():
            if name in data:
                null = data[name] is None and field.allow_null
                values[name] = None if null else READ[type(field)](reader, data[name], f"{pointer}/{name}")
            elif field.required:
                reader.shape(f"{pointer}/{name}", str(field.error_messages["required"]), "missing-key")
            else:
                values[name] = field.default
        return values


class BodySchema(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # drf-spectacular is half typed
    """Other keys than these are refused."""

    target_class = "scoring.api.bodies.Body"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        mapped: dict[str, Any] = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return mapped | {"additionalProperties": False}


@extend_schema_field(schema.EVENT)
class EventField(serializers.JSONField):
    """An event, read as one of the game."""


def read_changes(reader: Reader, value: Any, pointer: str) -> list[dict[str, Any]]:
    """Read changes of rows of the log."""
    items = reader.array(value, pointer)
    if problem := overfull(len(items), 0, 0, pointer):
        raise Refused([problem])
    return [ChangeBody().read(reader, item, f"{pointer}/{number}") for number, item in enumerate(items)]


LONGEST_CHOICE = 20
LONGEST_LABEL = 60
READ: dict[type, Callable[[Reader, Any, str], Any]] = {
    serializers.BooleanField: Reader.flag,
    serializers.IntegerField: Reader.integer,
    serializers.CharField: Reader.text,
    serializers.ChoiceField: partial(Reader.text, longest=LONGEST_CHOICE),
    EventField: read_event,
    serializers.ListField: read_changes,
}


class ChosenField(serializers.ChoiceField):
    """One of a few words; another one is no value."""


class NameField(serializers.CharField):
    """What people call somebody or something: up to sixty characters, of which one can be seen."""


class NamesField(serializers.ListField):
    """Several names."""


class TimeZoneField(serializers.CharField):
    """The IANA name of a time zone."""


class DistinctField(serializers.ListField):
    """Ids of people, which the service looks for."""


class SeatsField(serializers.ListField):
    """Names by seat, which the referee reads."""


class LabelField(serializers.CharField):
    """A name, or none."""


def read_label(reader: Reader, value: Any, pointer: str) -> str:
    """Read a name of which a character can be seen, or none."""
    label = (reader.text(value, pointer, LONGEST_LABEL) or "").strip()
    if label:
        reader.name(label, pointer)
    return label


def read_name(reader: Reader, value: Any, pointer: str) -> str:
    """Read a name, without the space around it."""
    name = (reader.text(value, pointer, LONGEST_NAME) or "").strip()
    if isinstance(value, str):
        reader.name(name, pointer)
    return name


def read_names(reader: Reader, value: Any, pointer: str) -> list[str]:
    """Read several names."""
    items = reader.array(value, pointer)
    if len(items) > MOST_NAMES:
        reader.value(pointer, "That are too many names.")
        return []
    return [read_name(reader, item, f"{pointer}/{place}") for place, item in enumerate(items)]


def read_ids(reader: Reader, value: Any, pointer: str) -> list[int | None]:
    """Read ids of people."""
    return [
        reader.integer(each, f"{pointer}/{place}")
        for place, each in enumerate(reader.array(value, pointer)[:MOST_NAMES])
    ]


def read_choice(reader: Reader, value: Any, pointer: str, choices: Sequence[str]) -> str:
    """Read one of a few words."""
    word = reader.text(value, pointer, LONGEST_CHOICE)
    if word is not None and word not in choices:
        reader.value(pointer, phrase("There are: {known}.", known=Listing(tuple(filter(None, choices)))))
    return word or ""


def read_rules_by(reader: Reader, value: Any, pointer: str) -> str:
    """Read who decides disputes."""
    return read_choice(reader, value, pointer, WHO_MAY_RULE)


MOST_NAMES = 500
READ |= {
    ChosenField: read_rules_by,
    LabelField: read_label,
    NameField: read_name,
    NamesField: read_names,
    SeatsField: Reader.array,
    TimeZoneField: read_time_zone,
    DistinctField: read_ids,
}


@also(CLOSED | OWN_KEYS)
class NewTable(TypedDict):
    """A table to open; the referee reads it."""

    game: GameId
    options: NotRequired[OptionData]
    end: NotRequired[Annotated[Any, Named("End")]]
    seats: PlayerNames
    first_dealer: SeatNumber
    carried: NotRequired[list[Annotated[int, number()]]]
    hands_before: NotRequired[int]
    group: NotRequired[str | None]
    private: NotRequired[bool]
    people: NotRequired[list[int | None]]
    time_zone: NotRequired[str | None]


Company = TypedDict(
    "Company",
    {
        "seats": list[str],
        "people": NotRequired[list[int | None]],
        "from": NotRequired[list[int | None]],
        "first_dealer": NotRequired[int | None],
        "newcomer": NotRequired[
            Annotated[str, Named("Newcomer", one_of(("zero", LOWEST), "Where the total of somebody new begins."))]
        ],
        "options": NotRequired[Annotated[OptionData, "House rules that are others from now on."]],
    },
)
Company.__doc__ = "Who goes on."
also(CLOSED)(Company)


# Programs that make clients of this read the properties only, and send `events`; the rest says what else is taken.
@also(
    {
        "if": {"required": ["events"], "properties": {"events": {}}},
        "then": closed({"events": {}, "sealed": {}}),
        "else": {"anyOf": [schema.EVENT, answer({"type": text(), "sealed": FLAG})]},
    }
)
class EventsToRecord(TypedDict, total=False):
    """Events, all of which are recorded or none; or one event by itself, with or without `sealed`."""

    events: Annotated[list[EventData], {"minItems": 1}]
    sealed: Annotated[bool, "Whether a secret choice lies face down until the last one is in."]


@also(CLOSED)
class WrittenText(TypedDict):
    """A record in the text notation, or an archive, as JSON."""

    text: str


@also(CLOSED)
class WrittenCells(TypedDict):
    """A record as CSV, as JSON."""

    csv: str


class Nothing(Body):
    """A call that needs no body."""


@extend_schema_serializer(component_name="TableChanges")
class TableBody(Body):
    """What changes of a table; what is missing stays."""

    private = serializers.BooleanField(required=False, default=None, help_text="Whether only links open the table.")
    seats = SeatsField(
        child=serializers.CharField(), required=False, default=None, help_text="The players’ names, by seat."
    )
    rules_by = ChosenField(WHO_MAY_RULE, required=False, default=None, help_text="Who decides disputes.")
    referee = serializers.IntegerField(
        min_value=1, required=False, default=None, help_text="The link of the neutral phone that decides disputes."
    )
    shares_rulings = serializers.BooleanField(
        required=False, default=None, help_text="Whether others read, without names, what was ruled here."
    )
    time_zone = TimeZoneField(
        required=False, default=None, help_text="Where the evening of a table without a group is counted (IANA name)."
    )


@extend_schema_serializer(component_name="LinkToMake")
class ForLink(Body):
    """Whom a link is for; a player's has a seat."""

    role = serializers.ChoiceField(Role.choices, error_messages={"required": "A link needs a role."})
    seat = serializers.IntegerField(min_value=0, allow_null=True, default=None)
    name = LabelField(max_length=LONGEST_LABEL, allow_blank=True, default="", help_text="What the log calls it.")


@extend_schema_serializer(component_name="ReadingToMake")
class ForReading(Body):
    """What a link for reading opens."""

    hand = serializers.IntegerField(
        min_value=1, allow_null=True, default=None, help_text="The number of the hand, from 1; null: the whole table."
    )


class LinkName(Body):
    """What a link is called; empty: by its role."""

    name = LabelField(max_length=LONGEST_LABEL, allow_blank=True, error_messages={"required": "A name is needed."})


@extend_schema_serializer(component_name="EntryChange")
class ChangeBody(Body):
    """A row of the log, and what happened instead; null: nothing did."""

    seq = serializers.IntegerField(
        min_value=1, error_messages={"required": "The number of a row of the log is needed."}
    )
    event = EventField(
        allow_null=True, error_messages={"required": "An event is needed, or null to strike the one there is."}
    )


@extend_schema_serializer(component_name="Amendment")
class AmendmentBody(ChangeBody):
    """Which row of the log is amended, what happened instead, and what is amended together with it."""

    also = serializers.ListField(child=ChangeBody(), default=[], help_text="What is amended together with it.")
    rethread = serializers.BooleanField(
        default=False,
        help_text="Later plays and passes of the hand keep their order and cards; their seats follow from the turn.",
    )
    keep_seats = serializers.BooleanField(
        default=False,
        help_text="The players of later hands stay where they sat, in a game that seats them by the score.",
    )
    reason = serializers.CharField(max_length=LONGEST_TEXT, allow_blank=True, allow_null=True, default="")


LONGEST_HELD = 200
"""Characters of a list of cards in a query."""


class Digits(serializers.IntegerField):
    """A number in a query, written with the ten digits and nothing else."""

    def __init__(self, *, min_value: int, max_value: int = LARGEST_EXACT, **more: Any) -> None:
        needed = gettext_lazy("A whole number from {least} to {most} is needed here.")
        told = format_lazy(needed, least=min_value, most=max_value)
        messages = dict.fromkeys(("invalid", "min_value", "max_value", "max_string_length"), told)
        super().__init__(min_value=min_value, max_value=max_value, error_messages=messages, **more)

    def to_internal_value(self, data: object) -> int:
        digits = str(data)
        return super().to_internal_value(digits) if digits.isascii() and digits.isdecimal() else self.fail("invalid")


class Word(serializers.ChoiceField):
    """One of a few words in a query."""

    def __init__(self, choices: Sequence[str], **more: Any) -> None:
        told = format_lazy(gettext_lazy("One of these is needed here: {words}."), words=", ".join(choices))
        super().__init__(choices, error_messages={"invalid_choice": told}, **more)


class LogQuery(serializers.Serializer[Any]):
    """Which rows of the log are wanted. A query is text, so the framework reads it."""

    after = Digits(min_value=0, max_value=999_999_999, default=0, help_text="Only what came after this version.")
    limit = Digits(min_value=1, max_value=MOST_ROWS, default=MOST_ROWS, help_text="Rows in one answer.")


class TrialQuery(serializers.Serializer[Any]):
    """Whether something is done, or only tried."""

    dry_run = Word(["0", "1"], default="0", help_text="1: say what would be answered, and do nothing.")


class AsksQuery(serializers.Serializer[Any]):
    """Which cards are in the hand of whoever puts a play together."""

    cards = serializers.CharField(
        default="", allow_blank=True, max_length=LONGEST_HELD,
        help_text="Cards that are to be played together, by code, with commas between them.",
    )  # fmt: skip


class TableQuery(serializers.Serializer[Any]):
    """Whether points are wanted that are hidden still."""

    points = Word(
        ["0", "1"],
        default="0",
        help_text="1: with points that are hidden until the game is over; for a scorekeeper’s token.",
    )


class RecordQuery(serializers.Serializer[Any]):
    """What a record is exported with."""

    annotate = Word(
        ["0", "1"],
        default="0",
        help_text="Text: with the referee’s comments and the score sheet. JSON: with `x_scores` and `x_totals`.",
    )
    full = Word(
        ["0", "1"],
        default="0",
        help_text="1: JSON with the whole log: when and by whom, what was corrected and taken back.",
    )
    part = Word(["events", "scores"], default="events", help_text="CSV: the events, or the score sheet.")
