"""Event kinds: the fields of each, who may record it, and its wording.

An event is a class of fields, each annotated with one of the types below, under ``@event_kind``. Everything that
handles events reads their ``EventKind``: the reader and writer of records, the JSON Schema, the text notation, the
columns of a spreadsheet, the rights of a player's phone, the sentences of the log.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from typing import Annotated, Any, ClassVar, TypeVar, dataclass_transform, get_args, get_type_hints

from referee.engine.cards import Pack
from referee.engine.reader import LARGEST, LONGEST_TEXT, Reader
from referee.engine.texts import Phrase, phrase

SETTLES = "x_settles"
"""The key under which an event names the finding it settles, as [hand, event]."""

DISPUTES = "x_dispute"
"""The key under which a note raises a dispute, or says what becomes of one."""
MOST_CHOICES = 60
"""The most house rules that one event can change."""
LONGEST_CHOICE = 60
"""The most characters in the key or the value of a house rule in an event."""


class Unsaid(Enum):
    """Sentinel for an omitted field, where omission differs from ``null``."""

    UNSAID = "unsaid"


UNSAID = Unsaid.UNSAID


@dataclass(frozen=True, slots=True, eq=False)
class FieldType:
    """The type of an event field; ``null``: a null value differs from leaving the field out.

    Notation and pages choose their words by ``name``. ``read`` reads a JSON value and notes problems, ``schema`` is its
    JSON Schema, ``canonical`` returns the value as the pack spells it.
    """

    name: str
    read: Callable[[Reader, object, str], object]
    schema: Mapping[str, object]
    canonical: Callable[[object, Pack], object] = lambda value, pack: value
    null: bool = False


def read_integers(reader: Reader, value: object, pointer: str) -> tuple[int, ...]:
    """Read a list of integers; an invalid one is noted and becomes 0."""
    items = reader.array(value, pointer)
    return tuple(reader.integer(item, f"{pointer}/{i}") or 0 for i, item in enumerate(items))


def read_cards(reader: Reader, value: object, pointer: str) -> tuple[str, ...]:
    """Read a list of card names; whether the pack has them is for the hand to check."""
    items = reader.array(value, pointer)
    for item in items:
        if item.__class__ is not str or len(item) > LONGEST_TEXT:  # type: ignore[arg-type] # a string by now
            return tuple(reader.text(card, f"{pointer}/{i}") or "" for i, card in enumerate(items))
    return tuple(items)  # type: ignore[arg-type] # all are strings


def _read_points(reader: Reader, value: object, pointer: str) -> object:
    items = reader.mapping(value, pointer)
    return {str(key): reader.integer(item, f"{pointer}/{key[:20]}") for key, item in items.items()}


def _read_choices(reader: Reader, value: object, pointer: str) -> Mapping[str, object]:
    """Read house rules by key; whether they exist, and allow these values, is checked with the game."""
    items = reader.mapping(value, pointer)
    if len(items) > MOST_CHOICES:
        reader.shape(pointer, phrase("There can be at most {most} house rules.", most=MOST_CHOICES))
        return {}
    for key, item in items.items():
        plain = item is None or isinstance(item, bool | int | str)
        if not plain or len(str(item)) > LONGEST_CHOICE or len(key) > LONGEST_CHOICE:
            where = f"{pointer}/{key[:LONGEST_CHOICE]}"
            reader.shape(where, "A house rule is true or false, a whole number, a short text or nothing.")
    return dict(items)


def card_code(text: str, pack: Pack) -> str:
    """Return the code of the card a text names, or the text itself if the pack has no such card."""
    card = pack.find(text)
    return text if card is None else pack.cards[card].code


def _card(text: str | None, pack: Pack) -> object:
    return None if text is None else card_code(text, pack)


def _cards(texts: Sequence[str], pack: Pack) -> object:
    return [card_code(text, pack) for text in texts]


def _suit(text: str | None, pack: Pack) -> object:
    return None if text is None else pack.suit(text) or text


_SEAT, _A_CARD, _A_SUIT = ({"$ref": f"#/components/schemas/{name}"} for name in ("Seat", "Card", "Suit"))
_CARD_LIST = {"type": "array", "items": _A_CARD}
_WHOLE = {"type": "integer", "minimum": -LARGEST, "maximum": LARGEST}
_ANY_CARD = {"type": "string", "maxLength": 60, "description": "A card, or `?` if it was not seen."}
_SUIT_TEXT = {"type": "string", "maxLength": 60, "description": "A suit."}
_TEXT = {"type": "string", "maxLength": LONGEST_TEXT}
_CHOICES = {
    "type": "object",
    "additionalProperties": {"type": ["boolean", "integer", "string", "null"]},
    "maxProperties": MOST_CHOICES,
    "description": "House rules by key, those that change.",
}
_LIST = {"type": "array", "items": _WHOLE, "description": "One number for each seat."}

_POINTS = {"type": "object", "additionalProperties": _WHOLE, "description": "Points by seat."}

Seat = Annotated[int, FieldType("seat", Reader.integer, _SEAT)]
SeatOrNobody = Annotated[int | None, FieldType("seat", Reader.integer, _SEAT, null=True)]
Cards = Annotated[tuple[str, ...], FieldType("cards", read_cards, _CARD_LIST, _cards)]
"""Card codes, in the order in which they were named."""
OneCard = Annotated[tuple[str, ...], FieldType("cards", read_cards, _CARD_LIST | {"description": "One card."}, _cards)]
CardCode = Annotated[str, FieldType("card", Reader.text, _A_CARD, _card)]
CardSeenOrNot = Annotated[str | None, FieldType("card", Reader.text, _ANY_CARD, _card, null=True)]
"""One card, ``?`` if nobody saw it; ``null`` if there was none."""
SuitCode = Annotated[str, FieldType("suit", Reader.text, _A_SUIT, _suit)]
SuitOrNone = Annotated[str | None, FieldType("suit", Reader.text, _SUIT_TEXT, _suit, null=True)]
"""The letter of a suit, or ``null`` for no suit."""
Number = Annotated[int, FieldType("number", Reader.integer, _WHOLE)]
Numbers = Annotated[tuple[int, ...], FieldType("numbers", read_integers, _LIST)]
"""A whole number for every seat."""
PointsBySeat = Annotated[Mapping[str, int], FieldType("points", _read_points, _POINTS)]
Choices = Annotated[Mapping[str, object], FieldType("options", _read_choices, _CHOICES)]
"""House rules to change, by key."""
Text = Annotated[str, FieldType("text", Reader.text, _TEXT)]
Why = Annotated[str, FieldType("reason", Reader.text, _TEXT | {"description": "The table’s reason."})]
"""The table's reason for a decision."""
Flag = Annotated[bool, FieldType("flag", Reader.flag, {"type": "boolean"})]


@dataclass(frozen=True, slots=True)
class Shown:
    """Label and bounds of a field, in the form of an event that may be recorded at any time."""

    label: str
    least: int = 0
    most: int = 0


@dataclass(frozen=True, slots=True)
class EventField:
    """A field of an event kind; ``name`` is its key in records, ``shown`` how a form asks for it."""

    name: str
    type: FieldType
    needed: bool
    shown: Shown | None


@dataclass(frozen=True, slots=True)
class Line:
    """How the text notation writes an event: the word that begins its line, its item, and its clauses.

    ``item`` consists of words and fields: ``{seat} gives {to_seat}``. A field in parentheses, ``({suit})``, is left out
    if it is not set; ``{king|no one}`` writes a word for ``null``; ``passes|pass`` are synonyms, of which the first is
    written. Each of ``clauses`` stands there if its field is set, separated by semicolons, in any order; ``parted``: a
    semicolon precedes the first one, too. ``shared``: a line may hold several items. ``whole``: the text of the item
    may stand unquoted up to the end of the line.
    """

    head: str
    item: str
    clauses: tuple[str, ...] = ()
    parted: bool = False
    shared: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class EventKind:
    """All that is known about an event kind without a table.

    ``name`` is its ``type`` in records, ``keys`` are the keys of such an event there, apart from ``x_`` keys. ``says``
    is one English sentence for programmers. ``log`` is its sentence in the log, with places for its fields,
    ``{numbers}`` for a list and ``{why}`` for a reason. A place in parentheses, ``({suit})``, is left out if its field
    is not set; so is one in square brackets, which are never shown. ``log_one`` is that sentence if the number
    ``counted`` is one, ``log_hidden`` if points are hidden. ``label`` is the title of the form by which a table records
    it at any time.

    ``by_player``: players may record it for their own seat; otherwise only the scorekeeper. ``secret``: it can be a
    choice that nobody sees before all have chosen. ``veiled``: its cards are shown to nobody else before the hand is
    over. ``stays``: it still belongs to a finished hand, and begins no new one. ``aside``: it leaves turn, tricks and
    choices as they are. ``in_trick``: it is part of a trick. ``settles``: it can settle a finding, under ``x_settles``.
    ``coarse``: it covers several cards at once, for tables that do not record every card.
    """

    name: str
    event: type["Event"]
    lines: tuple[Line, ...]
    fields: tuple[EventField, ...]
    keys: frozenset[str]
    says: str
    log: str
    log_one: str = ""
    log_hidden: str = ""
    counted: str = ""
    label: str = ""
    by_player: bool = False
    secret: bool = False
    veiled: bool = False
    stays: bool = False
    aside: bool = False
    in_trick: bool = False
    coarse: bool = False
    settles: bool = False

    def field(self, name: str) -> EventField | None:
        return next((field for field in self.fields if field.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Base class of events: the table's consent to an irregularity, and ``x_`` keys."""

    type: ClassVar[str]
    kind: ClassVar[EventKind]
    accepted: bool = False
    extra: Mapping[str, object] | None = None

    def problem(self) -> Phrase | str | None:
        """Return why the event is impossible regardless of history; ``None`` if it is not."""
        return None


Kind = TypeVar("Kind", bound=Event)


@dataclass_transform(frozen_default=True)
def event_kind(name: str, *lines: Line, says: str, log: str, **more: Any) -> Callable[[type[Kind]], type[Kind]]:
    """Class decorator that declares an event kind; the arguments are those of ``EventKind``."""

    def declare(described: type[Kind]) -> type[Kind]:
        made = dataclass(frozen=True, slots=True)(described)
        hints = get_type_hints(made, include_extras=True)
        found = []
        for field in fields(made):
            notes = _notes(hints[field.name])
            shown = next((note for note in notes if isinstance(note, Shown)), None)
            kinds = (note for note in notes if isinstance(note, FieldType))
            found += [EventField(field.name, kind, field.default is MISSING, shown) for kind in kinds]
        keys = frozenset(("type", *(field.name for field in found), "accepted"))
        made.type = name
        made.kind = EventKind(name, made, lines, tuple(found), keys, says, log, **more)
        return made

    return declare


def _notes(hint: object) -> Sequence[object]:
    inner = [note for part in get_args(hint) for note in _notes(part)]
    return [*inner, *getattr(hint, "__metadata__", ())]
