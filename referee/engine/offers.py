"""Legal next events in full, each judged beforehand.

An ``Ask`` describes a form: a person fills it in and sees what is wrong. A program that knows no rules needs the
possible values, the forbidden ones with reasons, and whole events to choose from. All are found by judging, so nothing
here knows a game.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product, zip_longest
from math import prod
from typing import TypeVar

from referee.engine.event_kinds import EventKind
from referee.engine.events import Ask, Field
from referee.engine.game import event_kinds
from referee.engine.hand import Hand
from referee.engine.records import load_event
from referee.engine.rules import Refused, Rules
from referee.engine.rulings import Reason, Verdict
from referee.engine.table import Ruling, TableState, judge

# --- One from each in turn, so that the first of many show some of every kind

Item = TypeVar("Item")


def interleave(several: Iterable[Iterator[Item]]) -> Iterator[Item]:
    """Yield from each of several in turn, until all are at their end.

    >>> "".join(interleave([iter("aaa"), iter("b")]))
    'abaa'
    """
    for row in zip_longest(*several):
        yield from (each for each in row if each is not None)


MOST_LISTED = 60
"""Events that are told of one ask, for each seat. Where its fields have more values it is a form, and none is told; of
plays of several cards some are."""
ENOUGH_TRIED, MOST_TRIED = 120, 400
"""Events that are judged for one ask, for each seat, where some of them stand, and where none does yet."""
STAND_INS: Mapping[str, object] = {"text": "…", "options": {}}
"""What stands in a form for words of the players and for house rules, so that an event can be judged without them."""
Data = dict[str, object]


@dataclass(frozen=True, slots=True)
class Barred:
    """Values of the first field of an ask that a rule forbids now, and why; accepted by the table, they are taken."""

    values: tuple[object, ...]
    reason: Reason


@dataclass(frozen=True, slots=True)
class Offer:
    """One ask, and what comes of it.

    ``events`` are taken as they are, whichever is chosen; words of the players, which may always be added, are left
    out. ``complete`` says that there are no others. ``values`` are those of the first field that can stand; ``None``
    where they were not all tried. ``barred`` are those that a rule forbids.
    """

    ask: Ask
    events: tuple[Data, ...] = ()
    complete: bool = True
    values: tuple[object, ...] | None = None
    barred: tuple[Barred, ...] = ()

    def forced(self) -> Data | None:
        """Return the only possible event, if there is exactly one."""
        return self.events[0] if self.complete and len(self.events) == 1 else None


def offers(table: TableState, asks: Iterable[Ask], *, held: Sequence[str] = ()) -> list[Offer]:
    """Judge what can come of asks, and leave out those of which nothing can.

    ``table`` is the one with the hand that they belong to. Where a play takes several cards, only those are told that
    ``held`` are among.
    """
    found = [make_offer(table, ask, held=held) for ask in asks]
    return [offer for offer in found if offer is not None]


@dataclass(slots=True)
class _Tried:
    """Results of the events tried so far."""

    events: list[Data] = field(default_factory=list)
    standing: dict[object, None] = field(default_factory=dict)
    barred: dict[object, Reason] = field(default_factory=dict)


def make_offer(table: TableState, ask: Ask, *, held: Sequence[str] = ()) -> Offer | None:
    """Judge the events one ask allows; ``None`` if none can be recorded."""
    assert table.hand is not None
    kind, seats = event_kinds()[ask.event], ask.seats or (None,)
    if ask.telling:
        return Offer(ask, complete=False)
    if _is_form(ask, table.rules):
        return Offer(ask, complete=False) if _takes(table, ask, kind) else None
    tried, complete = _Tried(), True
    for seat in seats:
        events = _events(table.hand, ask, kind, seat, held)
        complete = _try(table, ask, events, tried) and complete
    if complete and not tried.events and not tried.barred:
        return None
    return Offer(
        ask, tuple(tried.events), complete,
        tuple(tried.standing) if complete else None,
        _grouped({value: why for value, why in tried.barred.items() if value not in tried.standing}),
    )  # fmt: skip


def _try(table: TableState, ask: Ask, events: Iterator[Data], tried: _Tried) -> bool:
    first = ask.fields[0].name if ask.fields else ""
    found = 0
    for count, data in enumerate(events):
        if found >= MOST_LISTED or count >= (ENOUGH_TRIED if found else MOST_TRIED):
            return False
        ruling = _ruling(table, data)
        if ruling is None:
            continue
        value = _value(data.get(first))
        if ruling.verdict is Verdict.ACCEPTED:
            found += 1
            tried.events.append(data)
            tried.standing[value] = None
        elif ruling.verdict is Verdict.IRREGULAR and ruling.reason is not None and not isinstance(value, tuple):
            tried.barred.setdefault(value, ruling.reason)
    return True


def _value(value: object) -> object:
    if isinstance(value, list):
        return value[0] if len(value) == 1 else tuple(value)
    return value if not isinstance(value, dict) else tuple(value.items())


def _ruling(table: TableState, data: Data) -> Ruling | None:
    """Judge one event; ``None`` if it could not be read."""
    try:
        return judge(table, load_event(data))
    except Refused:
        return None


def _is_form(ask: Ask, rules: Rules) -> bool:
    """Return whether so much fits that no one lists it: words, numbers of all seats, values of several fields."""
    return prod(_ways(each, rules) for each in ask.fields) > MOST_LISTED


def _ways(wanted: Field, rules: Rules) -> int:
    if wanted.kind in STAND_INS:
        return 1 if wanted.optional else MOST_LISTED + 1
    if wanted.kind == "cards":
        return 1  # of them some are told
    return sum(1 for _ in islice(VALUES[wanted.kind](wanted, rules), MOST_LISTED + 1)) + wanted.optional


def _takes(table: TableState, ask: Ask, kind: EventKind) -> bool:
    """Return whether a form can be filled in: with what stands in for words, and the numbers next to 0."""
    if any(each.kind == "numbers" for each in ask.fields):
        return True  # the game asks for them only where there are some
    assert table.hand is not None
    seat = ask.seats[0] if ask.seats else None
    rulings = (_ruling(table, data) for data in islice(_events(table.hand, ask, kind, seat, (), form=True), MOST_TRIED))
    return any(ruling is not None and ruling.verdict is Verdict.ACCEPTED for ruling in rulings)


def _grouped(barred: dict[object, Reason]) -> tuple[Barred, ...]:
    together: list[tuple[Reason, list[object]]] = []
    for value, why in barred.items():
        same = next((values for reason, values in together if reason == why), None)
        if same is None:
            together.append((why, [value]))
        else:
            same.append(value)
    return tuple(Barred(tuple(values), why) for why, values in together)


# -- events that may be tried ---------------------------------------------------------------


def _events(
    hand: Hand, ask: Ask, kind: EventKind, seat: int | None, held: Sequence[str], *, form: bool = False
) -> Iterator[Data]:
    """Yield every event that an ask can be filled in to, one field after the other; of a ``form`` not each number."""
    fields = [each for each in ask.fields if each.kind not in STAND_INS or not each.optional]
    names = [each.name for each in fields]
    values = [_values(hand, each, seat, held if place == 0 else (), form=form) for place, each in enumerate(fields)]
    if len(fields) == 1:
        yield from (_event(ask, kind, seat, {names[0]: value}) for value in values[0])
        return
    # The first field changes fastest, so that the first of many events show something of each of its values.
    for filled in product(*(tuple(islice(each, MOST_TRIED + 1)) for each in reversed(values))):
        named = dict(zip(names, reversed(filled), strict=True))
        if _makes_sense(fields, named):
            yield _event(ask, kind, seat, named)


OMITTED = object()
"""A field left out."""


def _makes_sense(fields: Sequence[Field], filled: Data) -> bool:
    return all(
        filled[each.name] is OMITTED or not each.after or filled.get(each.after) is not OMITTED for each in fields
    )


def _event(ask: Ask, kind: EventKind, seat: int | None, filled: Data) -> Data:
    event: Data = {"type": ask.event, **ask.fixed}
    if seat is not None and kind.field("seat") is not None:
        event["seat"] = seat
    for each in ask.fields:
        value, declared = filled.get(each.name, OMITTED), kind.field(each.name)
        if value is OMITTED:
            if declared is not None and declared.needed:
                event[each.name] = None
        elif each.kind == "points":
            event[each.name] = {str(filled["winner"]): value}
        else:
            event[each.name] = value
    return event


def _values(hand: Hand, wanted: Field, seat: int | None, held: Sequence[str], *, form: bool) -> Iterator[object]:
    if wanted.optional:
        yield OMITTED
    if wanted.kind == "cards":
        yield from (list(group) for group in hand.card_groups(seat, wanted, held))
    elif wanted.kind in STAND_INS:
        yield STAND_INS[wanted.kind]
    elif form and wanted.kind == "number":
        yield max(wanted.least, min(0, wanted.most))
    else:
        yield from VALUES[wanted.kind](wanted, hand.rules)


def _numbers(wanted: Field, rules: Rules) -> Iterator[object]:
    """Yield a number for every seat: such as add up, such of which one is the rest, or any."""
    players = rules.players
    least = wanted.floors or (wanted.least,) * players
    most = wanted.ceilings or (wanted.most,) * players
    if wanted.total is not None:
        return (list(numbers) for numbers in _adding_up(wanted.total, tuple(zip(least, most, strict=True))))
    if wanted.rest is not None:
        return (
            list(numbers) for numbers in interleave(_with_rest(wanted.rest, one, least, most) for one in range(players))
        )
    ranges = (range(low, high + 1, wanted.step) for low, high in zip(least, most, strict=True))
    return (list(numbers) for numbers in product(*ranges))


def _adding_up(total: int, bounds: tuple[tuple[int, int], ...]) -> Iterator[tuple[int, ...]]:
    (least, most), others = bounds[0], bounds[1:]
    if not others:
        if least <= total <= most:
            yield (total,)
        return
    needed, room = sum(low for low, _ in others), sum(high for _, high in others)
    for number in range(max(least, total - room), min(most, total - needed) + 1):
        yield from ((number, *rest) for rest in _adding_up(total - number, others))


def _with_rest(rest: int, one: int, least: Sequence[int], most: Sequence[int]) -> Iterator[tuple[int, ...]]:
    ranges = [
        (rest,) if seat == one else [number for number in range(low, high + 1) if number != rest]
        for seat, (low, high) in enumerate(zip(least, most, strict=True))
    ]
    return product(*ranges)


VALUES: dict[str, Callable[[Field, Rules], Iterator[object]]] = {
    "card": lambda wanted, rules: iter(wanted.choices or rules.pack.codes),
    "suit": lambda wanted, _: iter(wanted.choices),
    "choice": lambda wanted, _: iter(wanted.choices),
    "seat": lambda wanted, _: map(int, wanted.choices),
    "points": lambda wanted, _: map(int, wanted.choices),
    "number": lambda wanted, _: iter(range(wanted.least, wanted.most + 1)),
    "flag": lambda wanted, _: iter((True,)),
    "numbers": _numbers,
}
"""The values that a field of each kind may be given, cards apart."""
