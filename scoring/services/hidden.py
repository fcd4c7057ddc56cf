"""Choices that are made in secret and shown together when the last one is in.

Until then a choice lies in a row of its own. Here only ``_sealed`` reads what is in it, and its only caller is
``show``, which puts all of them into the log or, where two exclude each other, sends all of them back.
"""

from collections.abc import Iterable, Sequence

from referee.engine.event_kinds import Event
from referee.engine.reading import dump_event, stored_event
from referee.engine.rulings import Verdict
from referee.engine.table import TableState, judge
from scoring.models import SealedChoice, Table
from scoring.queries.hidden import Hidden, hidden_ask, is_hidden, with_hand
from scoring.services.turns import Turn


def put_down(turn: Turn, event: Event) -> Hidden:
    """Put a seat's choice face down, in place of an earlier one; return who has chosen now."""
    turn.hold()
    dealt = with_hand(turn.state)
    assert dealt.hand is not None
    seat = getattr(event, "seat", 0)
    choice = SealedChoice(
        table=turn.row,
        hand=dealt.hand.setup.index,
        seat=seat,
        link_id=turn.request.link,
        by=turn.request.by,
        event=dump_event(event, turn.state.rules.pack),
    )
    # Written over, not looked up: what lies there is not read.
    SealedChoice.objects.bulk_create(
        [choice], update_conflicts=True, unique_fields=["table", "seat"], update_fields=["hand", "link", "by", "event"]
    )
    chosen, again = _seats(turn.row.hidden)
    return hidden(chosen | {seat}, again - {seat})


def left_after(turn: Turn, before: TableState, events: Sequence[Event]) -> Hidden:
    """Return whose choices still lie there after open events.

    A seat that has chosen openly takes its own back; whatever else happens in the play takes all back.
    """
    turn.hold()
    chosen, again = _seats(turn.row.hidden)
    opened = {event.seat for event in events if is_hidden(before, event)}  # type: ignore[attr-defined]
    if any(not event.kind.aside and not is_hidden(before, event) for event in events):
        return {}
    ask = hidden_ask(turn.state)
    asked = set() if ask is None else set(ask.seats)
    _take_back(turn.row, opened)
    return hidden(chosen & asked, again & asked)


def show(turn: Turn, left: Hidden) -> Hidden:
    """Show all choices if the last one is in; return whose choices lie there after that.

    Where some exclude each other, all seats choose again and nobody is told which did: two that clash on purpose
    would otherwise learn about a third.
    """
    chosen, _ = _seats(left)
    ask = hidden_ask(turn.state)
    if ask is None or not chosen or not chosen >= set(ask.seats):
        return left
    sealed = _sealed(turn.row, chosen)
    if clash(with_hand(turn.state), [event for event, _ in sealed]):
        _take_back(turn.row, chosen)
        return hidden((), chosen)
    for event, by in sealed:
        # The log says whose doing it was, and that it lay hidden until now.
        ruling = turn.take(event, by=by, hidden={"seat": getattr(event, "seat", None), "chosen": [], "again": []})
        assert ruling.verdict is Verdict.ACCEPTED, ruling.reason
    return {}


def _sealed(row: Table, chosen: Iterable[int]) -> list[tuple[Event, str]]:
    """Read what was chosen, in the order of the seats."""
    choices = SealedChoice.objects.filter(table=row, seat__in=chosen).order_by("seat")
    return [(stored_event(choice.event), choice.by) for choice in choices]


def clash(dealt: TableState, events: Sequence[Event]) -> bool:
    """Return whether choices cannot all stand: by themselves, or beside one another."""
    return _taken(dealt, events) is None


def _taken(dealt: TableState, events: Iterable[Event]) -> TableState | None:
    for event in events:
        ruling = judge(dealt, event)
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
