"""Rethreading a hand after a correction: the cards keep their order, and the turn decides who played them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from referee.engine.event_kinds import Event
from referee.engine.events import Note, Pass, Penalty, Play
from referee.engine.hand import Hand
from referee.engine.records import load_record, opened
from referee.engine.replaying import Entry, HandRecord, is_threaded, play_hands, rethread, seat_of
from referee.engine.rules import Refused
from referee.engine.table import TableState
from tests.games.discovery import HONEST, JUDGED, RANDOM
from tests.referee.telling import told as record_of
from tests.seeds import FIRST, as_often_as

SEEDS = range(FIRST, FIRST + as_often_as(always=3, hunting=60, quick=1))


def hands_of(data: Any, *, known: bool = True) -> list[tuple[TableState, tuple[Event, ...]]]:
    """Return each hand of a record as dealt, with its events as far as they are accepted."""
    try:
        record = load_record(data)
        written = record.hands if known else [HandRecord(hand.events) for hand in record.hands]
        hands, _ = play_hands(opened(record), written)
    except Refused:
        return []
    played = [(hand.start, hand.state.hand, written[hand.number].events) for hand in hands]
    return [(start, events[: hand.events]) for start, hand, events in played if hand is not None]


def entries(recorded: Sequence[Event], meant: Mapping[int, Event | None] | None = None) -> list[Entry]:
    return [Entry(event, (meant or {}).get(place, event)) for place, event in enumerate(recorded)]


def without_seats(events: Sequence[Event | None]) -> list[object]:
    """Return events without the seats of their plays and passes."""
    return [reseated(event, 0) if event is not None and is_threaded(event) else event for event in events]


def reseated(event: Event, seat: int) -> Event:
    return replace(event, seat=seat)  # type: ignore[call-arg]  # whatever is threaded has one


@pytest.mark.parametrize("game", RANDOM)
@pytest.mark.parametrize("seed", SEEDS)
def test_without_a_correction_no_card_moves(game, seed):
    for start, events in hands_of(RANDOM[game](Random(seed))):
        found = rethread(start, entries(events))
        assert (found.events, found.moved, found.stuck) == (events, (), None)
        assert found.before.describe() == found.after.describe()


MISTAKEN, TOO_MANY, FORGOTTEN = "a card taken for another", "an entry too many", "an entry forgotten"


def slipped(start: TableState, events: Sequence[Event], slip: str, rng: Random) -> list[Entry]:
    """Record a hand with one slip, and continue as a table would until it must notice.

    Every later card is recorded for the player who seems to be in turn.
    """
    assert start.hand is not None
    plays = [place for place, event in enumerate(events) if is_threaded(event)]
    at = rng.choice(plays[: len(plays) * 2 // 3] or plays[:1] or [0])
    hand = start.hand.copy()
    found: list[Entry] = []
    for place, event in enumerate(events):
        turn = hand.to_act()
        if place == at and slip == FORGOTTEN:
            found.append(Entry(None, event))
            continue
        tapped = reseated(event, turn[0]) if is_threaded(event) and len(turn) == 1 else event
        if place == at:
            other = mistaken(events, place, tapped, hand, rng)
            if other is None or hand.take(other) is not None:
                return []
            found.append(Entry(other, event if slip == MISTAKEN else None))
            if slip == MISTAKEN:
                continue
            tapped = reseated(event, hand.to_act()[0]) if len(hand.to_act()) == 1 else event
        if hand.take(tapped) is not None:
            break
        found.append(Entry(tapped, event))
    return found


def mistaken(events: Sequence[Event], at: int, tapped: Event, hand: Hand, rng: Random) -> Event | None:
    """Return what may be tapped by mistake instead of an event: a pass, or a card from later or never."""
    if Pass in hand.TAKES and rng.random() < 0.5:
        return Pass(seat=seat_of(tapped))
    fallen = {card for event in events[: at + 1] if isinstance(event, Play) for card in event.cards}
    late = [e.cards[0] for e in events[at + 1 :] if isinstance(e, Play) and len(e.cards) == 1][-12:]
    others = late + [card.code for card in hand.rules.pack.cards if card.code not in fallen]
    single = isinstance(tapped, Play) and len(tapped.cards) == 1 and others
    return replace(tapped, cards=(rng.choice(others),)) if single else None  # type: ignore[call-arg] # it is a play


def slips(game: str, seed: int):
    """Yield hands recorded with a slip: the deal, what was recorded, and what was intended."""
    rng = Random(seed)
    for start, events in hands_of(HONEST[game](rng), known=False):
        slip = rng.choice((MISTAKEN, TOO_MANY, FORGOTTEN))
        if any(map(is_threaded, events)) and (told := slipped(start, events, slip, rng)):
            yield start, told


@pytest.mark.parametrize("game", HONEST)
@pytest.mark.parametrize("seed", SEEDS)
def test_correcting_a_slip_restores_the_intended_record(game, seed):
    for start, told in slips(game, seed):
        found = rethread(start, [Entry(entry.recorded, seat_as_recorded(entry)) for entry in told])
        assert found.stuck is None
        assert list(found.events) == [entry.meant for entry in told]


def seat_as_recorded(entry: Entry) -> Event | None:
    """Return the intended event with the recorded seat: all a correction of cards can know."""
    recorded, meant = entry
    if recorded is None or meant is None or not is_threaded(recorded) or not is_threaded(meant):
        return meant
    return reseated(meant, seat_of(recorded))


@pytest.mark.parametrize("game", HONEST)
@pytest.mark.parametrize("seed", SEEDS)
def test_reversing_a_correction_restores_the_record(game, seed):
    for start, told in slips(game, seed):
        back = [Entry(entry.meant, entry.recorded) for entry in told]
        back = [Entry(was, seat_as_recorded(Entry(was, now))) for was, now in back]
        assert list(rethread(start, back).events) == [entry.recorded for entry in told]


@pytest.mark.parametrize("game", HONEST)
@pytest.mark.parametrize("seed", SEEDS)
def test_rethreading_keeps_card_order_and_is_idempotent(game, seed):
    rng = Random(seed)
    for start, told in slips(game, seed):
        recorded = [entry.recorded for entry in told if entry.recorded is not None]
        struck = rng.randrange(len(recorded))
        found = rethread(start, entries(recorded, {struck: None}))
        wanted = [None if place == struck else event for place, event in enumerate(recorded)]
        assert without_seats(found.events) == without_seats(wanted)
        for move in found.moved:
            assert found.events[move.place] is move.event
            assert seat_of(move.event) == move.to_seat != move.from_seat
        if found.stuck is None:
            stand = [event for event in found.events if event is not None]
            assert rethread(start, entries(stand)).events == tuple(stand)


@pytest.mark.parametrize("game", JUDGED)
def test_most_slips_give_cards_to_the_wrong_players(game):
    told = (slip for seed in range(12) for slip in slips(game, seed))
    assert any(rethread(start, [Entry(e.recorded, seat_as_recorded(e)) for e in each]).moved for start, each in told)


def played(*cards: tuple[int, str]) -> list[Event]:
    return [Play(seat=seat, cards=(card,)) for seat, card in cards]


@pytest.fixture
def start() -> TableState:
    """Ace Trump with Ann, Bob and Cy; Ann leads."""
    return hands_of(record_of([]))[0][0]


TRICKS = [*played((0, "8MS"), (1, "XS"), (2, "XM")), *played((2, "9MS"), (0, "4MS"), (1, "5SW")), *played((2, "2MK"))]


def test_the_next_trick_follows_the_corrected_leader(start):
    found = rethread(start, entries(TRICKS, {2: Play(seat=2, cards=("3MW",))}))
    assert [seat_of(event) for event in found.events[3:6] if event] == [1, 2, 0]
    assert [(m.trick, m.from_seat, m.to_seat) for m in found.moved[:3]] == [(2, 2, 1), (2, 0, 2), (2, 1, 0)]
    before, after = (hand.describe()["tricks"] for hand in (found.before, found.after))
    assert [(was["winner"], now["winner"]) for was, now in zip(before, after, strict=True)][:2] == [(2, 1), (2, 1)]


def test_remarks_and_penalties_keep_their_own_seat(start):
    beside = [*TRICKS[:3], Note(text="hm", seat=2), Penalty(seat=2, points=-5), *TRICKS[3:]]
    found = rethread(start, entries(beside, {2: Play(seat=2, cards=("3MW",))}))
    assert found.events[3:5] == tuple(beside[3:5])
    assert [seat_of(move.event) for move in found.moved] == [1, 2, 0, 1]


def test_a_play_out_of_turn_stays_with_its_player(start):
    told = [*TRICKS[:3], Play(seat=0, cards=("9MS",), accepted=True)]
    found = rethread(start, entries(told, {2: Play(seat=2, cards=("3MW",))}))
    assert found.events[3] == told[3]
    named = Play(seat=0, cards=("9MS",), accepted=True)
    found = rethread(start, entries(TRICKS[:4], {2: Play(seat=2, cards=("3MW",)), 3: named}))
    assert (found.events[3], found.stuck) == (named, None)


def test_the_first_event_that_does_not_fit_is_named_with_its_reason(start):
    told = [*TRICKS[:2], Play(seat=2, cards=("9MS",)), *played((1, "5SW"), (2, "4MS"))]
    found = rethread(start, entries(told, {0: Play(seat=0, cards=("4MS",))}))
    assert found.stuck is not None
    assert found.stuck.place == 4
    assert (found.stuck.refusal.verdict, found.stuck.refusal.reason.code) == ("impossible", "already-played")
    assert found.stuck.refusal.reason.clauses
    assert found.events[4] is found.stuck.event
