"""The referee on one core: plays judged, events judged one by one, proofs by counting.

Every figure is the best of several runs. Beside it stands OpenSpiel's Hearts driven from Python, or a bare bit-mask
loop that only finds trick winners, measured at the same time. These ratios can be compared between machines; the
figures themselves cannot.
"""

import gc
import json
from collections.abc import Callable, Iterator
from itertools import cycle
from math import nan
from random import Random
from time import perf_counter
from typing import Any

from referee.engine.adjudication import adjudicate
from referee.engine.claims import Claim, Places, contradictory, minimal
from referee.engine.event_kinds import Event
from referee.engine.events import Play
from referee.engine.records import Record, load_record, replay
from referee.engine.rulings import Refusal
from referee.engine.table import TableState, deal, judge, open_table
from referee.packs import Card, decktet
from tests.bench.peer import PLAYS as PEER_PLAYS
from tests.bench.peer import hearts
from tests.bench.table import Figure

PLAYERS = 4
HANDS = 50
PLAYS = 36 * HANDS
RUNS = 15
LATE = 140
"""A table with this many hands has seen 5,040 events, and the first dealer deals again."""

PACK = decktet()
RANKS = "A23456789X"
Situation = tuple[tuple[Claim, ...], tuple[Places, ...]]


def figures() -> Iterator[Figure]:
    data = honest_record(Random(1), HANDS)
    text = json.dumps(data)
    record = load_record(data)
    bare = bare_plays(record)

    def whole() -> None:
        judged = replay(record)
        assert judged.rejected is None
        assert not any(hand.irregularities for hand in judged.hands)

    works: dict[str, Callable[[], object]] = {
        "replay": whole,
        "judge": lambda: step_by_step(record),
        "described": lambda: adjudicate(record),
        "json": lambda: json.dumps(adjudicate(load_record(json.loads(text)))),
    }
    peer = hearts()
    for key, work in works.items():
        best, other = best_of(work, peer) if peer else (best_of(work)[0], nan)
        yield Figure(f"referee/{key}", PLAYS / best, (PLAYS / best) / (PEER_PLAYS / other))
    yield long_tables()
    yield from counting(bare)


def best_of(*works: Callable[[], object], runs: int = RUNS) -> list[float]:
    """Return the shortest time of each, run alternately so that all meet the same load."""
    gc.collect()
    times = [[timed(work) for work in works] for _ in range(runs)]
    return [min(each) for each in zip(*times, strict=True)]


def timed(work: Callable[[], object]) -> float:
    started = perf_counter()
    work()
    return perf_counter() - started


# -- records ----------------------------------------------------------------------------------


def honest_record(rng: Random, hands: int) -> dict[str, Any]:
    """Deal and play hands in which everyone follows suit; the winners are computed here, not by the referee."""
    told = [{"events": honest_hand(rng, number % PLAYERS)} for number in range(hands)]
    seats = ["Ann", "Bob", "Cy", "Dot"]
    return {"format": "table-record/1", "game": "ace-trump", "seats": seats, "first_dealer": 0, "hands": told}


def honest_hand(rng: Random, dealer: int) -> list[dict[str, Any]]:
    cards = list(PACK.cards)
    rng.shuffle(cards)
    held = [cards[seat::PLAYERS] for seat in range(PLAYERS)]
    leader, trump, events = (dealer + 1) % PLAYERS, "", []
    while held[leader]:
        trick: list[tuple[int, Card]] = []
        for step in range(PLAYERS):
            seat = (leader + step) % PLAYERS
            lawful = [card for card in held[seat] if trick and follows(card, trick[0][1])] or held[seat]
            card = rng.choice(lawful)
            held[seat].remove(card)
            trick.append((seat, card))
            events.append({"type": "play", "seat": seat, "cards": [card.code]})
            trump = card.suits[0] if card.rank == "A" else trump
        leader = winner(trick, trump)
    return events


def follows(card: Card, led: Card) -> bool:
    return bool(set(card.suits) & set(led.suits))


def winner(trick: list[tuple[int, Card]], trump: str) -> int:
    led = trick[0][1]
    able = [play for play in trick if trump in play[1].suits] or [play for play in trick if follows(play[1], led)]
    top = max(RANKS.index(card.rank) for _, card in able)
    tied = [play for play in able if RANKS.index(play[1].rank) == top]
    return next(seat for suit in (trump, *led.suits) for seat, card in tied if suit in card.suits)


def bare_plays(record: Record) -> Callable[[], int]:
    """Return the bare loop: bit masks only; no record, no reasons, no state."""
    cards = [PACK.codes[event.cards[0]] for hand in record.hands for event in hand.events if isinstance(event, Play)]
    alike = [PACK.mask(c.index for c in PACK.cards if follows(c, d)) for d in PACK.cards]
    suits = {suit.code: PACK.mask(c.index for c in PACK.cards if suit.code in c.suits) for suit in PACK.suits}
    aces = {c.index: suits[c.suits[0]] for c in PACK.cards if c.rank == "A"}
    ranks = [RANKS.index(c.rank) for c in PACK.cards]

    def loop() -> int:
        won = gone = trump = led = place = 0
        best = -1
        for card in cards:
            bit = 1 << card
            if gone & bit:
                gone = 0
            gone |= bit
            if place == 0:
                led, best = alike[card], -1
            if card in aces:
                trump = aces[card]
            if (trump | led) & bit and ranks[card] > best:
                best, won = ranks[card], won + place
            place = (place + 1) & 3
        return won

    return loop


def step_by_step(record: Record) -> TableState:
    """Judge a record as a table does: event by event, each with the state left by the last."""
    table = open_table(record.rules, first_dealer=record.first_dealer)
    for hand in record.hands:
        table = dealt(table)
        for event in hand.events:
            table = judge(table, event).table
    return table


def dealt(table: TableState) -> TableState:
    opened = deal(table)
    assert not isinstance(opened, Refusal)
    return opened


# -- long tables ------------------------------------------------------------------------------


def long_tables() -> Figure:
    """Return the cost of the tenth event of a hand at an old table, relative to a young one."""
    data = honest_record(Random(2), LATE)
    data["hands"].append(data["hands"][0])  # the same hand, so that only the length of the table differs
    record = load_record(data)
    table = open_table(record.rules, first_dealer=0)
    early_and_late = []
    for number, hand in enumerate(record.hands):
        table = dealt(table)
        for position, event in enumerate(hand.events, 1):
            if position == 10 and number in (0, LATE):
                early_and_late.append((table, event))
            table = judge(table, event).table
    early, late = [again(*each) for each in early_and_late]
    costs = best_of(early, late)
    return Figure("referee/late", costs[1] * 1000, costs[1] / costs[0])


def again(table: TableState, event: Event) -> Callable[[], None]:

    def work() -> None:
        for _ in range(1000):
            judge(table, event)

    return work


# -- proofs by counting -----------------------------------------------------------------------


def counting(bare: Callable[[], object]) -> Iterator[Figure]:
    """Yield the cost of one proof by counting: six hands and a pile, the slowest of many situations."""
    rng = Random(3)
    drawn = [situation(rng) for _ in range(3000)]
    guilty = [each for each in drawn if contradictory(*each)]
    yield slowest("referee/counting", contradictory, drawn, bare)
    yield slowest("referee/smallest", minimal, guilty[:300], bare)


def slowest(key: str, work: Callable[..., object], cases: list[Situation], bare: Callable[[], object]) -> Figure:
    case = max(cases, key=lambda case: min(timed(lambda: work(*case)) for _ in range(3)))
    each, loop = best_of(lambda: work(*case), bare, runs=100)
    return Figure(key, each * 1e6, each / loop * PLAYS)


def situation(rng: Random) -> Situation:
    """Deal all 45 cards to six hands and a pile, play some, and let players fail to follow now and then."""
    pack = decktet(excuse=True, pawns=True, courts=True)
    size = rng.randint(2, 6)
    unseen = pack.mask(rng.sample(range(len(pack)), 6 * size + 3))
    seats = cycle(rng.sample(range(6), 6))
    claims = []
    for event in range(rng.randint(6, 18)):
        led = rng.choice(pack.cards)
        denied = pack.mask(card.index for card in pack.cards if follows(card, led))
        claims.append(Claim(next(seats), event, event // 6 + 1, denied, "revoke", "AT-5"))
    return tuple(claims), (Places(unseen, (size,) * 6),)
