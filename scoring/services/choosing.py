"""Choices that are made in secret and shown together when the last one is in.

Until then a choice lies in a row of its own. Here only ``_chosen`` reads what is in it, and its only caller is
``show``, which puts all of them into the log or, where two exclude each other, sends all of them back.
"""

from collections.abc import Iterable, Sequence

from referee.engine.event_kinds import Event
from referee.engine.reading import dump_event, stored_event
from referee.engine.rulings import Verdict
from referee.engine.table import TableState, judge
from scoring.models import Device, SecretChoice, Table
from scoring.queries.secret_choices import Choosing, is_secret, secret_ask, with_hand
from scoring.services.turn import Turn


def put_down(turn: Turn, event: Event) -> Choosing:
    """Put a seat's choice face down, in place of an earlier one; return who has chosen now."""
    turn.hold()
    dealt = with_hand(turn.state)
    assert dealt.hand is not None
    seat = getattr(event, "seat", 0)
    choice = SecretChoice(
        table=turn.row,
        hand=dealt.hand.setup.index,
        seat=seat,
        device=Device.objects.filter(tables=turn.caller.device_table).first() if turn.caller.device_table else None,
        by=turn.caller.by,
        event=dump_event(event, turn.state.rules.pack),
    )
    # Written over, not looked up: what lies there is not read.
    SecretChoice.objects.bulk_create(
        [choice],
        update_conflicts=True,
        unique_fields=["table", "seat"],
        update_fields=["hand", "device", "by", "event"],
    )
    return with_choice(turn.row.choosing, event)


def with_choice(row: Choosing, event: Event) -> Choosing:
    """Return who has chosen once this choice lies there, too; what it is, nobody reads."""
    (chosen, again), seat = _seats(row), getattr(event, "seat", 0)
    return choosing(chosen | {seat}, again - {seat})


def left_after(turn: Turn, before: TableState, events: Sequence[Event]) -> Choosing:
    """Return whose choices still lie there after open events.

    A seat that has chosen openly takes its own back; whatever else happens in the play takes all back.
    """
    turn.hold()
    chosen, again = _seats(turn.row.choosing)
    opened = {event.seat for event in events if is_secret(before, event)}  # type: ignore[attr-defined]  # it has one
    if any(not event.kind.aside and not is_secret(before, event) for event in events):
        return {}
    ask = secret_ask(turn.state)
    asking = set() if ask is None else set(ask.seats)
    if not turn.trial:
        _discard(turn.row, opened)
    return choosing(chosen & asking, again & asking)


def show(turn: Turn, left: Choosing) -> Choosing:
    """Show all choices if the last one is in; return whose choices lie there after that.

    Where some exclude each other, all seats choose again and nobody is told which did: two that clash on purpose
    would otherwise learn about a third.
    """
    chosen, _ = _seats(left)
    ask = secret_ask(turn.state)
    if ask is None or not chosen or not chosen >= set(ask.seats):
        return left
    choices = _chosen(turn.row, chosen)
    if clash(with_hand(turn.state), [event for event, _ in choices]):
        _discard(turn.row, chosen)
        return choosing((), chosen)
    for event, by in choices:
        # The log says whose doing it was, and that it lay face down until now.
        ruling = turn.take(event, by=by, choosing={"seat": getattr(event, "seat", None), "chosen": [], "again": []})
        assert ruling.verdict is Verdict.ACCEPTED, ruling.reason
    return {}


def _chosen(row: Table, chosen: Iterable[int]) -> list[tuple[Event, str]]:
    """Read what was chosen, in the order of the seats."""
    choices = SecretChoice.objects.filter(table=row, seat__in=chosen).order_by("seat")
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


def _discard(row: Table, seats: Iterable[int]) -> None:
    if seats:
        SecretChoice.objects.filter(table=row, seat__in=seats).delete()


def _seats(row: Choosing) -> tuple[set[int], set[int]]:
    return set(row.get("chosen", ())), set(row.get("again", ()))


def choosing(chosen: Iterable[int], again: Iterable[int]) -> Choosing:
    """Return what a table says of secret choices: who has chosen, and who has to choose again."""
    seats = {"chosen": sorted(chosen), "again": sorted(again)}
    return seats if seats["chosen"] or seats["again"] else {}
