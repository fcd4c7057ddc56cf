"""Recording events, secret choices, and players' agreement."""

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace

from referee.engine.event_kinds import Event
from referee.engine.events import Preview
from referee.engine.records import dump_event, stored_event
from referee.engine.rulings import Verdict
from referee.engine.table import Ruling, TableState, judge
from referee.engine.texts import phrase
from scoring.models import Device, Role, SecretChoice
from scoring.operating.acts.database import past_deadlocks
from scoring.rulings.acts.dispute_index import check_marks, check_pause
from scoring.rulings.reads.disputes import AGREES, just_ruled
from scoring.tables.acts import exceptions
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.turn import Turn
from scoring.tables.acts.turns import LaterTable, at_once, changed_before, later_tables, trial_at, turn_at
from scoring.tables.reads.access import Choosing, standing_links
from scoring.tables.reads.log import as_it_was, hands_as_they_were, opening
from scoring.tables.reads.results import hand_scores
from scoring.tables.reads.state import LeftHand, LeftHands, Standing, is_secret, secret_ask, with_hand

# --- Secret choices, revealed together once the last one is in
# Until then a choice is stored in a row of its own. Only ``show`` reads it: it logs all of them or, if two exclude each
# other, rejects all of them.


def put_down(turn: Turn, event: Event) -> None:
    turn.hold()
    dealt = with_hand(turn.state)
    assert dealt.hand is not None
    choice = SecretChoice(
        table=turn.row,
        hand=dealt.hand.setup.index,
        seat=getattr(event, "seat", 0),
        device=Device.objects.filter(tables=turn.caller.device_table).first() if turn.caller.device_table else None,
        by=turn.caller.by,
        event=dump_event(event, turn.state.rules.pack),
    )
    # Overwrite without reading the stored choice.
    SecretChoice.objects.bulk_create(
        [choice],
        update_conflicts=True,
        unique_fields=["table", "seat"],
        update_fields=["hand", "device", "by", "event"],
    )


def left_after(turn: Turn, before: TableState, events: Sequence[Event]) -> Choosing:
    """Return the seats whose secret choices remain: a public choice removes the seat's own, other events remove all."""
    turn.hold()
    chosen, again = _seats(turn.row.choosing)
    opened = {event.seat for event in events if is_secret(before, event)}  # type: ignore[attr-defined]  # it has one
    if any(not event.kind.aside and not is_secret(before, event) for event in events):
        return {}
    ask = secret_ask(turn.state)
    asking = set() if ask is None else set(ask.seats)
    if not turn.trial:
        SecretChoice.objects.filter(table=turn.row, seat__in=opened).delete()
    return choosing(chosen & asking, again & asking)


def show(turn: Turn, left: Choosing) -> Choosing:
    """Reveal all choices once everyone has chosen; return the seats whose choices remain.

    If choices exclude each other, everyone chooses again, so that two players who clash on purpose can't learn a third
    player's choice.
    """
    chosen, _ = _seats(left)
    ask = secret_ask(turn.state)
    if ask is None or not chosen or not chosen >= set(ask.seats):
        return left
    rows = SecretChoice.objects.filter(table=turn.row, seat__in=chosen).order_by("seat")
    choices = [(stored_event(row.event), row.by) for row in rows]
    if clash(with_hand(turn.state), [event for event, _ in choices]):
        rows.delete()
        return choosing((), chosen)
    for event, by in choices:
        # The log says who chose, and that the choice was sealed until now.
        turn.take(event, by=by, choosing={"seat": getattr(event, "seat", None), "chosen": [], "again": []})
    return {}


def clash(dealt: TableState, events: Iterable[Event]) -> bool:
    """Return whether any of the choices is invalid, alone or combined with the others."""
    for event in events:
        ruling = judge(dealt, event)
        if ruling.verdict is not Verdict.ACCEPTED:
            return True
        dealt = ruling.table
    return False


def _seats(row: Choosing) -> tuple[set[int], set[int]]:
    return set(row.get("chosen", ())), set(row.get("again", ()))


def choosing(chosen: Iterable[int], again: Iterable[int]) -> Choosing:
    seats = {"chosen": sorted(chosen), "again": sorted(again)}
    return seats if seats["chosen"] or seats["again"] else {}


# --- Recording events, all or nothing; openly, or sealed if the choice is secret

EVENTS_TO_AN_ACT = 10  # events of a request that count as one act


@dataclass(frozen=True, slots=True)
class Recorded:
    """The result of an act: states before and after, rulings, secret choices, changed later tables.

    ``seen`` is the name of the cards of a tried event, in games that name combinations.
    """

    at: Standing
    before: TableState
    version: int
    rulings: list[Ruling]
    again: bool = False
    choosing: Choosing = field(default_factory=dict)
    seen: Preview | None = None
    later: Sequence[LaterTable] = ()


def record_events(code: str, events: Sequence[Event], caller: Caller, *, secret: bool | None = False) -> Recorded:
    """Record events at a table, all or nothing; ``secret`` seals a single one until everyone has chosen.

    With ``None``, a secret choice made with the player's own link is sealed. Raises ``NotTaken``, ``NotYourSeat``,
    ``SecretAmongOthers``, ``NotSecret``, ``Refused`` if the log is full, and whatever ``turn_at`` raises.
    """
    dumped = [dump_event(event) for event in events] if caller.key else []
    fingerprint = caller.fingerprint("seal" if secret else "events", dumped)
    acts = 1 + (len(events) - 1) // EVENTS_TO_AN_ACT
    return record_once(code, caller, fingerprint, lambda turn: record(turn, events, secret=secret), acts=acts)


@past_deadlocks
def record_once(
    code: str, caller: Caller, fingerprint: str, act: Callable[[Turn], Recorded], *, acts: int = 1
) -> Recorded:
    """Record an act, or answer a retry. ``act`` may run twice, so it must act only through its turn."""
    done = at_once(code, caller, fingerprint, act, acts)
    if done is not None:
        return done
    with turn_at(code, caller, fingerprint, acts=acts) as turn:
        return recorded_before(turn) if turn.repeats else act(turn)


def try_events(code: str, events: Sequence[Event], caller: Caller, *, secret: bool | None = False) -> Recorded:
    """Return what ``record_events`` would, without writing; sealed choices stay sealed."""
    with trial_at(code, caller, acts=1 + (len(events) - 1) // EVENTS_TO_AN_ACT) as turn:
        before = with_hand(turn.state).hand
        tried = record(turn, events, secret=secret)
        seen = before.preview(events[0]) if before is not None and len(events) == 1 else None
        return replace(tried, version=turn.found, seen=seen)


def record(turn: Turn, events: Sequence[Event], *, secret: bool | None = False) -> Recorded:
    seat = turn.caller.seat
    if seat is not None and not all(is_own(event, seat) for event in events):
        raise exceptions.NotYourSeat
    if any(event.extra for event in events):
        check_marks(events)
    if turn.row.disputes:
        check_pause(turn.row, events)
    if secret:
        return choose(turn, events[0])
    before = turn.state
    for position, event in enumerate(events):
        if secret is None and is_secret(turn.state, event) and _own_choice(turn, event):
            if len(events) > 1:
                raise exceptions.SecretAmongOthers
            return choose(turn, event)
        turn.take(event, position)
    if turn.row.choosing:
        left = left_after(turn, before, events)
        turn.choosing = left if turn.trial else show(turn, left)
    return recorded(turn)


def _own_choice(turn: Turn, event: Event) -> bool:
    """Return whether a choice is made on the player's own phone; the scorekeeper's counts if others have phones."""
    if turn.caller.seat is not None:
        return True
    if turn.caller.sits is None or turn.caller.sits != getattr(event, "seat", None):
        return False
    turn.hold()
    return standing_links(turn.row).filter(role=Role.PLAYER).exists()


def choose(turn: Turn, event: Event) -> Recorded:
    """Seal a secret choice, judged by public information only; the last one reveals all."""
    turn.hold()
    turn.judge(event)
    if not is_secret(turn.state, event):
        raise exceptions.NotSecret
    seat: int = getattr(event, "seat", 0)
    if turn.caller.seat is None and standing_links(turn.row).filter(role=Role.PLAYER, seat=seat).exists():
        raise exceptions.NotYourSeat(phrase("This seat has its own phone, which alone makes its secret choices."))
    dealt = with_hand(turn.state).hand
    assert dealt is not None
    chosen, again = _seats(turn.row.choosing)
    now = choosing(chosen | {seat}, again - {seat})
    if turn.trial:
        return Recorded(turn.at, turn.before, turn.found, [], choosing=now)
    put_down(turn, event)
    turn.choosing = show(turn, now)
    if turn.entries:
        return recorded(turn)
    told = {"seat": seat, "chosen": [], "again": [], **turn.choosing}
    turn.add(None, hand=dealt.setup.index, choosing=told)
    return Recorded(turn.at, turn.before, turn.version, [], choosing=told)


def recorded(turn: Turn) -> Recorded:
    return Recorded(turn.at, turn.before, turn.version, turn.rulings, choosing=turn.choosing, later=later_tables(turn))


def recorded_before(turn: Turn) -> Recorded:
    written = turn.logged
    if written is None:  # the key belongs to a request that wrote no log row
        raise exceptions.KeyReused
    hands = hands_as_they_were(turn.row, written.seq)
    states = [opening(turn.row, written.seq), *(hand.state for hand in hands)]
    rulings = [ruling for hand in hands for ruling in hand.rulings]
    own = rulings[-written.batch :] if written.event is not None else []
    if len(own) == 1 and written.amends is None:
        before = rulings[-2].table if len(rulings) > 1 else states[0]
    else:
        before = as_it_was(turn.row, written.seq - written.batch)
    later = changed_before(turn.row, written.seq) if turn.row.finished else ()
    row, left = copy(turn.row), [state.hand for state in states[1:-1] if state.hand is not None]
    row.version, row.choosing = written.seq, written.choosing or {}
    row.left = LeftHands(tuple(map(LeftHand.over, left)))
    at = Standing(row, states[-1])
    return Recorded(at, before, written.seq, own, again=True, choosing=row.choosing, later=later)


def is_own(event: Event, seat: int) -> bool:
    return event.kind.by_player and getattr(event, "seat", None) == seat


@past_deadlocks
def confirm_hand(code: str, number: int, caller: Caller, *, ruling: int | None = None) -> Recorded:
    """Record that the caller's seat agrees with the result of a hand (from 1), or with a ``ruling`` in it.

    Raises ``NotYourSeat``, ``NoSuchHand``, ``HandRunning``, and whatever ``agree_with_ruling`` and ``turn_at`` raise.
    """
    with turn_at(code, caller, caller.fingerprint("confirm", [number, ruling])) as turn:
        if turn.repeats:
            return recorded_before(turn)
        return confirm(turn, number) if ruling is None else agree_with_ruling(turn, number, ruling)


def agree_with_ruling(turn: Turn, number: int, seq: int) -> Recorded:
    """Record that the caller's seat agrees with the latest ruling, given by its log row. Idempotent.

    Raises ``NotYourSeat``, and ``MovedOn`` if anything was recorded since: playing on accepts the ruling.
    """
    turn.hold()
    seat, ruled = _own_seat(turn), just_ruled(turn.row)
    if ruled is None or (ruled.row.hand, ruled.row.seq) != (number - 1, seq):
        raise exceptions.MovedOn(version=turn.found)
    turn.choosing = dict(turn.row.choosing)
    if seat not in ruled.agreed:
        turn.add(None, hand=ruled.row.hand, choosing={"seat": seat, AGREES: seq})
    return Recorded(turn.at, turn.before, turn.version, [], choosing=turn.choosing)


def _own_seat(turn: Turn) -> int:
    seat = turn.caller.sits
    if seat is None:
        raise exceptions.NotYourSeat(phrase("Players agree from their own phone, with the link of their seat."))
    return seat


def confirm(turn: Turn, number: int) -> Recorded:
    turn.hold()
    seat = _own_seat(turn)
    last = None if turn.state.hand is None else turn.state.hand.setup.index
    if last is None or not 1 <= number <= last + 1:
        raise exceptions.NoSuchHand
    scores = hand_scores(turn.at, number - 1)
    if None in scores:
        raise exceptions.HandRunning
    turn.choosing = dict(turn.row.choosing)  # keeps sealed choices
    turn.confirm(number - 1, seat, scores)
    return Recorded(turn.at, turn.before, turn.version, [], choosing=turn.choosing)
