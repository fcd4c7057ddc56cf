"""Builds forms from the referee's asks, and parses events from them.

Nothing here is specific to a game: forms follow from the kinds of fields in ``Hand.asks``. Django's forms are used
where fields are fixed; here they change with each version, and only the referee validates them, with reason and clause.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, takewhile
from math import ceil
from typing import Any, NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext as _

from referee.engine.events import NEXT, Ask, Field
from referee.engine.game import event_kinds
from referee.engine.hand import Hand
from referee.packs import Pack
from scoring.tables.presenters.cards import Face, Pad, Symbol, faces_of, pad, symbols, symbols_of
from scoring.tables.presenters.formats import MINUS, PAGE_LANGUAGE
from scoring.tables.reads.log_entries import WHY
from scoring.wording import filled

MOST_CHIPS = 24
"""Up to this many numbers are offered as buttons; otherwise a number is typed."""
MOST_ROWS, MOST_ALONE, MOST_IN_A_ROW = 16, 9, 7
"""If every player has a number: the maximum rows of keys, keys in a single row, and keys per row of several."""
TEXT = "text"
ADJUSTMENT, KEYPAD = "adjustment", "keypad"
LONGEST_WHY = 120
NUMBER = re.compile(r"[+-]?[0-9]{1,9}")


class Choice(NamedTuple):
    """A choice; ``entered`` is the number already entered for a player, or for ``seats`` that share one."""

    value: str
    label: str
    symbol: Symbol | None = None
    struck: bool = False
    entered: str = ""
    goes_with: bool | None = None
    face: Face | None = None
    seats: tuple[int, ...] = ()


class FormField(NamedTuple):
    """A field of a form. ``taps``: tapping a choice submits the form."""

    name: str
    kind: str
    label: str
    optional: bool
    taps: bool
    many: bool
    least: int
    most: int
    choices: tuple[Choice, ...]
    pad: Pad | None
    none: str
    after: str
    total: int | None
    rest: int | None
    numbers: tuple[int, ...]
    usual: int
    warnings: tuple[str, ...]
    claims: tuple[str, ...]
    steps: tuple[int, ...] = ()
    entered: str = ""

    @property
    def can_be_left_out(self) -> bool:
        """Whether one player's number follows from the others'."""
        return self.total is not None or self.rest is not None

    @property
    def columns(self) -> int:
        """The number of columns of a player's number keys."""
        return ceil(len(self.numbers) / _rows(len(self.numbers)))


class Tap(NamedTuple):
    """The effect of tapping a player's plate: it selects the choice ``chooses``, or submits ``form``."""

    chooses: str = ""
    form: str = ""
    name: str = ""
    value: str = ""


class Form(NamedTuple):
    """A form for one kind of event; ``seats`` can be chosen, ``acting`` are to act.

    ``secret``: the choice is sealed. ``own``: it is on a player's own phone. ``says`` is the status line. ``kept``: it
    contains refused input.
    """

    event: str
    label: str
    seats: tuple[Choice, ...]
    acting: tuple[int, ...]
    fields: tuple[FormField, ...]
    secret: bool
    own: bool
    preview: bool
    place: int
    says: str
    kept: bool = False

    @property
    def id(self) -> str:
        """The prefix of element ids, unique among the page's forms and independent of whose turn it is."""
        return f"{self.event}-{self.place}" if self.place else self.event

    @property
    def first(self) -> str:
        return str(self.acting[0]) if self.acting else ""

    @property
    def chooses(self) -> bool:
        """Whether several players choose at the same time, or one after another face down."""
        return (len(self.acting) > 1 and not self.keypad) or self.secret

    @property
    def keypad(self) -> bool:
        """Whether players enter a typed number in turn; seats that have one are skipped."""
        return any(field.kind == KEYPAD for field in self.fields)

    @property
    def next_up(self) -> tuple[int, ...]:
        """The seats whose turn it is on this form."""
        return self.acting[:1] if self.keypad else self.acting

    @property
    def turns(self) -> tuple[tuple[Choice, bool], ...]:
        """The seats, each with whether it may act; in a simultaneous phase the others have chosen."""
        return tuple((seat, int(seat.value) in self.acting) for seat in self.seats)

    @property
    def taps(self) -> Mapping[int, Tap]:
        """The actions of the players' plates while this form is in front, by seat."""
        if self.own:
            return {}
        if self.tapped is not None and self.tapped.kind == "seat":
            name, choices = self.tapped.name, self.tapped.choices
            return {int(each.value): Tap("", f"ask-{self.id}", name, each.value) for each in choices}
        choosing = [seat for seat, acts in self.turns if acts or not (self.chooses or self.keypad)]
        return {int(seat.value): Tap(f"{self.id}-seat-{seat.value}") for seat in choosing}

    @property
    def tapped(self) -> FormField | None:
        """The field whose choices submit the form."""
        return next((field for field in self.fields if field.taps), None)

    @property
    def pad(self) -> Pad | None:
        return next((field.pad for field in self.fields if field.pad), None)

    @property
    def result(self) -> FormField | None:
        return next((field for field in self.fields if field.kind == "numbers"), None)

    @property
    def usual(self) -> int:
        """How many cards are usually played together now."""
        return next((field.usual for field in self.fields if field.usual), 0)

    @property
    def composed(self) -> bool:
        return any(field.kind == "cards" and field.many for field in self.fields)


# --- Building forms


def make_forms(
    asks: Iterable[Ask], pack: Pack, names: Sequence[str], *, own: bool = False, hand: Hand | None = None
) -> list[Form]:
    """Make the forms for these asks; ``own``: for a player's own phone. House rules have a page of their own.

    Cards that can't beat the last play of the ``hand`` are marked on the pad.
    """
    placed: list[Form] = []
    for ask in asks:
        if any(field.kind == "options" for field in ask.fields):
            continue
        seats = tuple(Choice(str(seat), name) for seat, name in enumerate(names)) if ask.seats else ()
        needed = [field for field in ask.fields if not field.optional]
        tapped = needed[0] if len(needed) == 1 and _can_be_tapped(needed[0]) else None
        tapped = next((field for field in ask.fields if field.last), tapped)
        fields = tuple(_field(ask.event, field, pack, names, hand, taps=field is tapped) for field in ask.fields)
        place = sum(form.event == ask.event for form in placed)
        one_by_one = any(field.steps for field in ask.fields)
        said = replace(ask, seats=ask.seats[:1]) if one_by_one else ask
        says = turn_in_words(said, names, ask.seats[0] if own else None)
        shown = (ask.event, ask.label, seats, tuple(ask.seats), fields, ask.secret, own, ask.preview, place, says)
        placed.append(Form(*shown))
    return placed


def turn_in_words(ask: Ask, names: Sequence[str], own: int | None) -> str:
    """Return the status line while a table waits for this event."""
    if ask.turn is NEXT and not ask.seats:
        return filled(_("Next: {what}"), what=PAGE_LANGUAGE.translate(ask.label))
    return PAGE_LANGUAGE.render(ask.turn.sentence(names, ask.seats, own))


def _rows(numbers: int) -> int:
    return 1 if numbers <= MOST_ALONE else ceil(numbers / MOST_IN_A_ROW)


def _kind(field: Field) -> str:
    """Return a field's kind; lists of cards, and required single cards, are chosen from the pad.

    A number with a negative minimum is an adjustment of a score.
    """
    if field.kind == "number" and field.least < 0:
        return KEYPAD if field.steps else ADJUSTMENT
    return "cards" if field.name == "cards" or (field.kind == "card" and not field.optional) else field.kind


def _can_be_tapped(field: Field) -> bool:
    kind = _kind(field)
    if kind == "number":
        return field.most - field.least < MOST_CHIPS
    return kind in ("suit", "seat", "choice") or (kind == "cards" and field.count == (1, 1))


def _field(event: str, field: Field, pack: Pack, names: Sequence[str], hand: Hand | None, *, taps: bool) -> FormField:
    laid_out = None
    kind = _kind(field)
    if kind == "cards":
        keep = event == "play" or not field.choices or len(field.choices) * 2 > len(pack.cards)
        weak = hand.weak_cards() if hand and event == "play" else ()
        alone = hand.weak_cards(1) if hand and event == "play" and field.usual == 1 else weak
        laid_out = pad(
            pack, field.choices, taken=field.taken, keep_places=keep, marked=frozenset(field.marks), order=field.order,
            weak=alone, alone=tuple(code for code in alone if code not in weak),
        )  # fmt: skip
    # Numbers are offered as keys for every player; if there are too many, they are typed.
    numbers = range(field.least, field.most + 1)
    rows = len(names) * _rows(len(numbers))
    marks = {id(mark): mark for mark in field.marks.values()}  # many cards share a mark
    return FormField(
        name=field.name,
        kind=kind,
        label=field.label,
        optional=field.optional,
        taps=taps,
        many=kind == "cards" and field.count != (1, 1),
        least=field.least,
        most=field.count[1] if kind == "cards" else field.most,
        choices=tuple(_choices(field, pack, names)),
        pad=laid_out,
        none=field.none,
        after=field.after,
        total=field.total,
        rest=field.rest,
        numbers=tuple(numbers) if len(numbers) <= MOST_CHIPS and rows <= MOST_ROWS else (),
        usual=field.usual,
        warnings=tuple(reason.sentence(names, PAGE_LANGUAGE) for reason in field.warnings),
        claims=tuple(dict.fromkeys(mark.sentence(names, PAGE_LANGUAGE) for mark in marks.values())),
        steps=field.steps,
    )


def _choices(field: Field, pack: Pack, names: Sequence[str]) -> Iterator[Choice]:
    match field.kind:
        case "suit":
            for suit in symbols_of(field.choices or symbols(pack), pack):
                yield Choice(suit.code, suit.name, suit)
        case "numbers" if field.sides:
            for side in field.sides:
                yield Choice(str(side[0]), " & ".join(names[seat] for seat in side), seats=side)
        case "seat" | "numbers":
            for seat in [int(seat) for seat in field.choices] or range(len(names)):
                yield Choice(str(seat), names[seat])
        case "number" if field.most - field.least < MOST_CHIPS:
            for number in range(field.least, field.most + 1):
                yield Choice(str(number), str(number), struck=number in field.struck)
        case "choice":
            for value, word in zip(field.choices, field.words, strict=True):
                yield Choice(value, PAGE_LANGUAGE.translate(word))
        case "points":
            for points in field.choices:
                yield Choice(points, points)
        case "card":
            for shown in faces_of(field.choices or (card.code for card in pack.cards), pack):
                label = f"{shown.code}  {shown.name}" if shown.name != shown.code else shown.code
                yield Choice(shown.code, label, face=shown, goes_with=field.goes_with.get(shown.code))


def prefilled(form: Form, event: Mapping[str, object]) -> Form:
    """Return a form prefilled from an event, except its cards."""
    fields = []
    for field in form.fields:
        value = event.get(field.name)
        if isinstance(value, list) and field.kind == "numbers":
            numbers = zip(field.choices, _by_side(value, field), strict=False)
            choices = tuple(choice._replace(entered=str(number)) for choice, number in numbers)
            fields.append(field._replace(choices=choices))
        elif value is None or isinstance(value, list | Mapping):
            fields.append(field)
        else:
            fields.append(field._replace(entered=str(value)))
    return form._replace(fields=tuple(fields))


def _by_side(numbers: Sequence[object], field: FormField) -> Sequence[object]:
    """Convert the numbers of all seats to the form's: added up for partners, if they share one."""
    if not all(choice.seats for choice in field.choices):
        return numbers
    known = {seat: number for seat, number in enumerate(numbers) if isinstance(number, int)}
    return [sum(known.get(seat, 0) for seat in choice.seats) for choice in field.choices]


def keep(forms: Iterable[Form], event: Mapping[str, object] | None) -> list[Form]:
    """Return the forms; the one of a refused event keeps its input."""
    return [
        prefilled(form, event)._replace(kept=True)
        if event and form.event == event["type"] and (form.tapped is None or form.tapped.after)
        else form
        for form in forms
    ]


# --- Parsing forms


def read_form(posted: QueryDict, asks: Iterable[Ask]) -> dict[str, Any] | None:
    """Parse the event that a form describes, as the API would accept it; ``None`` if nothing asks for it.

    An empty seat is that of the player to act now, so that taps can be faster than responses. If several asks record
    the event, the first one whose required fields are filled in is used.
    """
    name = posted.get("event", "")
    ways = [ask for ask in asks if ask.event == name]
    if not ways:
        return None
    place = posted.get("place", "")
    if place.isdecimal() and int(place) < len(ways):
        ways = ways[int(place) :]
    else:  # asks without fields are meant only if named
        ways = [way for way in ways if way.fields] or ways
    filled = (
        way
        for way in ways
        if all(field.name in posted for field in way.fields if not field.optional and field.kind != "numbers")
    )
    ask = next(filled, ways[0])
    event: dict[str, object] = {"type": name, **ask.fixed}
    if "seat" in posted and ask.seats:
        seat = posted.get("seat", "")
        event["seat"] = read_number(seat) if seat else ask.seats[0]
    kind = event_kinds()[name]
    for field in ask.fields:
        value, declared = _read(posted, field), kind.field(field.name)
        if value is not None or (field.optional and declared is not None and declared.needed):
            event[field.name] = value
    if posted.get("accepted"):
        event["accepted"] = True
        why = posted.get("why", "").strip()[:LONGEST_WHY]
        event |= {WHY: why} if why else {}
    return event


def _read(posted: QueryDict, field: Field) -> object:
    entered = [value.strip() for value in posted.getlist(field.name)]
    if field.kind == "flag":
        return any(entered)
    if field.name == "cards":
        return entered
    if field.kind == "points":
        return {posted.get("winner", ""): read_number(entered[0])} if entered and entered[0] else None
    if field.kind == "numbers":
        seats = [side[0] for side in field.sides] or count()
        apart = takewhile(lambda name: name in posted, (f"{field.name}-{seat}" for seat in seats))
        read = _numbers(entered or [posted.get(name, "").strip() for name in apart], field.total, field.rest)
        if len(read) != len(field.sides):
            return read
        told = {side[0]: number for side, number in zip(field.sides, read, strict=True)}
        return [told.get(seat, 0) for seat in range(sum(map(len, field.sides)))]
    if _kind(field) == ADJUSTMENT:
        return read_adjustment(posted, field.name)
    value = entered[0] if entered else ""
    if value == "" and (field.optional or field.kind != TEXT):
        return None
    return read_number(value) if field.kind in ("number", "seat") else value


def _numbers(entered: list[str], total: int | None, rest: int | None) -> list[int | str]:
    """Return the numbers of all seats; a single empty one is computed from the others, at least 0."""
    numbers = [read_number(value) for value in entered]
    known = [number for number in numbers if isinstance(number, int)]
    left_out = rest if total is None else max(0, total - sum(known))
    if left_out is not None and entered.count("") == 1 and len(known) == len(numbers) - 1:
        numbers[entered.index("")] = left_out
    return numbers


def read_adjustment(posted: QueryDict, name: str) -> int | str | None:
    """Parse the points by which a score changes; the sign may be chosen separately.

    A typed number takes precedence over a chosen one; without a chosen sign it is taken as it is.
    """
    texts = (posted.get(field, "").strip() for field in (f"{name}-typed", name))
    text = next(filter(None, texts), None)
    number = None if text is None else read_number(text)
    if not isinstance(number, int):
        return number
    match posted.get(f"{name}-way"):
        case "takes":
            return -abs(number)
        case "gives":
            return abs(number)
    return number


def read_number(text: str) -> int | str:
    """Parse a number; return other text as it is, for the referee's reader to refuse."""
    plain = text.replace(MINUS, "-")
    return int(plain) if NUMBER.fullmatch(plain) else text


def posted_again(posted: QueryDict, *, but: Sequence[str] = ("accepted", "why")) -> tuple[tuple[str, str], ...]:
    """Return the posted fields, for a form that repeats them; without those in ``but``."""
    left_out = ("csrfmiddlewaretoken", "version", *but)
    return tuple((name, value) for name, values in posted.lists() if name not in left_out for value in values)
