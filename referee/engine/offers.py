"""Legal next events in full, each judged beforehand.

An ``Ask`` describes a form: a person fills it in and sees what is wrong. A program that knows no rules needs the
possible values, the forbidden ones with reasons, and complete events to choose from. All are found by judging, so
nothing here knows a game.
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

Item = TypeVar("Item")


def interleave(several: Iterable[Iterator[Item]]) -> Iterator[Item]:
    """Yield one item from each iterator in turn, until all are exhausted.

    >>> "".join(interleave([iter("aaa"), iter("b")]))
    'abaa'
    """
    for row in zip_longest(*several):
        yield from (each for each in row if each is not None)


MOST_LISTED = 60
"""The most events listed per ask and seat; if there are more, none is, except of plays of several cards."""
ENOUGH_TRIED, MOST_TRIED = 120, 400
"""The most events judged per ask and seat: if some are legal, and if none is yet."""
STAND_INS: Mapping[str, object] = {"text": "…", "options": {}}
"""Placeholders for free text and house rules, so that an event can be judged without them."""
Data = dict[str, object]


@dataclass(frozen=True, slots=True)
class Barred:
    """Values of an ask's first field that a rule forbids now, and why; the table may still accept them."""

    values: tuple[object, ...]
    reason: Reason


@dataclass(frozen=True, slots=True)
class Offer:
    """An ask and its legal events.

    Each of ``events`` can be recorded as it is; free text, which may always be added, is left out. ``complete``: there
    are no others. ``values`` are the legal values of the first field, ``None`` if not all were tried; ``barred`` are
    those that a rule forbids.
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
    """Judge the events that asks allow; asks that allow none are left out.

    ``table`` is the one whose hand made the asks. Of plays of several cards, only those that include ``held`` are
    listed.
    """
    found = [make_offer(table, ask, held=held) for ask in asks]
    return [offer for offer in found if offer is not None]


@dataclass(slots=True)
class _Tried:
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
    """Judge one event; ``None`` if it is malformed."""
    try:
        return judge(table, load_event(data))
    except Refused:
        return None


def _is_form(ask: Ask, rules: Rules) -> bool:
    """Return whether an ask has too many combinations to list: free text, numbers of all seats, several fields."""
    return prod(_ways(each, rules) for each in ask.fields) > MOST_LISTED


def _ways(wanted: Field, rules: Rules) -> int:
    if wanted.kind in STAND_INS:
        return 1 if wanted.optional else MOST_LISTED + 1
    if wanted.kind == "cards":
        return 1  # only some of them are listed
    return sum(1 for _ in islice(VALUES[wanted.kind](wanted, rules), MOST_LISTED + 1)) + wanted.optional


def _takes(table: TableState, ask: Ask, kind: EventKind) -> bool:
    """Return whether a form can be filled in, trying placeholders and the numbers nearest to 0."""
    if any(each.kind == "numbers" for each in ask.fields):
        return True  # games ask for them only if some are possible
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


# -- candidate events ------------------------------------------------------------------------


def _events(
    hand: Hand, ask: Ask, kind: EventKind, seat: int | None, held: Sequence[str], *, form: bool = False
) -> Iterator[Data]:
    """Yield every event to which an ask can be filled in; with ``form``, only one value of each number."""
    fields = [each for each in ask.fields if each.kind not in STAND_INS or not each.optional]
    names = [each.name for each in fields]
    values = [_values(hand, each, seat, held if place == 0 else (), form=form) for place, each in enumerate(fields)]
    if len(fields) == 1:
        yield from (_event(ask, kind, seat, {names[0]: value}) for value in values[0])
        return
    # The first field varies fastest, so that the first of many events include each of its values.
    for filled in product(*(tuple(islice(each, MOST_TRIED + 1)) for each in reversed(values))):
        named = dict(zip(names, reversed(filled), strict=True))
        if _makes_sense(fields, named):
            yield _event(ask, kind, seat, named)


OMITTED = object()


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
    """Yield numbers for all seats: adding up to ``total``, or with ``rest`` for one seat, or any in range."""
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
"""The possible values of a field, by its kind; ``cards`` are found by the hand."""
