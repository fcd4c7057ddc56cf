"""Choices that are made in secret and shown together when the last one is in.

Until then a choice lies in a row of its own. Here only ``_sealed`` reads what is in it, and its only caller is
``show``, which puts all of them into the log or, where two exclude each other, sends both back.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import referee.engine.table as game_table
from referee.engine.event_kinds import Event
from referee.engine.reading import dump_event, load_event
from referee.engine.rulings import Verdict
from referee.engine.table import Ruling
from scoring.models import SealedChoice, Table
from scoring.queries.hidden import hidden_ask, is_hidden, with_hand
from scoring.services.turns import Request

Hidden = Mapping[str, Any]
Take = Callable[[Event, str], Ruling]


def put_down(row: Table, state: game_table.Table, event: Event, request: Request) -> Hidden:
    """Put a seat's choice face down, in place of an earlier one; return who has chosen now."""
    dealt = with_hand(state)
    assert dealt.hand is not None
    seat = getattr(event, "seat", 0)
    choice = SealedChoice(
        table=row,
        hand=dealt.hand.setup.index,
        seat=seat,
        link_id=request.link,
        by=request.by,
        event=dump_event(event, state.rules.pack),
    )
    # Written over, not looked up: what lies there is not read.
    SealedChoice.objects.bulk_create(
        [choice], update_conflicts=True, unique_fields=["table", "seat"], update_fields=["hand", "link", "by", "event"]
    )
    chosen, again = _seats(row.hidden)
    return hidden(chosen | {seat}, again - {seat})


def left_after(row: Table, before: game_table.Table, events: Sequence[Event], state: game_table.Table) -> Hidden:
    """Return whose choices still lie there after open events.

    A seat that has chosen openly takes its own back; whatever else happens in the play takes all back.
    """
    chosen, again = _seats(row.hidden)
    opened = {event.seat for event in events if is_hidden(before, event)}  # type: ignore[attr-defined]
    if any(not event.kind.aside and not is_hidden(before, event) for event in events):
        return {}
    ask = hidden_ask(state)
    asked = set() if ask is None else set(ask.seats)
    _take_back(row, opened)
    return hidden(chosen & asked, again & asked)


def show(row: Table, state: game_table.Table, left: Hidden, take: Take) -> Hidden:
    """Show all choices if the last one is in, by ``take``; return whose choices lie there after that.

    Where they exclude each other, whoever is concerned chooses again, and nothing is shown.
    """
    chosen, _ = _seats(left)
    ask = hidden_ask(state)
    if ask is None or not chosen or not chosen >= set(ask.seats):
        return left
    sealed = _sealed(row, chosen)
    back = clashing(with_hand(state), [event for event, _ in sealed])
    if back:
        _take_back(row, back)
        return hidden(chosen - back, back)
    for event, by in sealed:
        ruling = take(event, by)
        assert ruling.verdict is Verdict.ACCEPTED, ruling.reason
    return {}


def _sealed(row: Table, chosen: Iterable[int]) -> list[tuple[Event, str]]:
    """Read what was chosen, in the order of the seats."""
    choices = SealedChoice.objects.filter(table=row, seat__in=chosen).order_by("seat")
    return [(load_event(choice.event), choice.by) for choice in choices]


def clashing(dealt: game_table.Table, events: Sequence[Event]) -> set[int]:
    """Return the seats whose choices cannot stand: by themselves, or beside one another."""
    alone = {event.seat for event in events if _taken(dealt, [event]) is None}  # type: ignore[attr-defined]
    pairs = combinations([event for event in events if event.seat not in alone], 2)  # type: ignore[attr-defined]
    back = alone | {event.seat for pair in pairs if _taken(dealt, pair) is None for event in pair}  # type: ignore[attr-defined]
    if not back and _taken(dealt, events) is None:
        return {event.seat for event in events}  # type: ignore[attr-defined]
    return back


def _taken(dealt: game_table.Table, events: Iterable[Event]) -> game_table.Table | None:
    for event in events:
        ruling = game_table.judge(dealt, event)
        if ruling.verdict is not Verdict.ACCEPTED:
            return None
        dealt = ruling.table
    return dealt


def _take_back(row: Table, seats: Iterable[int]) -> None:
    if seats:
        SealedChoice.objects.filter(table=row, seat__in=seats).delete()


def _seats(told: Hidden) -> tuple[set[int], set[int]]:
    return set(told.get("chosen", ())), set(told.get("again", ()))


def hidden(chosen: Iterable[int], again: Iterable[int]) -> Hidden:
    """Return what a table says of hidden choices: who has chosen, and who has to choose again."""
    said = {"chosen": sorted(chosen), "again": sorted(again)}
    return said if said["chosen"] or said["again"] else {}
