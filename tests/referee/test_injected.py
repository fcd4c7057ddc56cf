"""Hands with infractions of every kind put into them: what is told of them, when, of whom, and at what price.

The makers of random records play with hands that nobody sees and break every rule now and then. Whatever is provable is
announced at its first provable moment, which the second adjudicators find for themselves; of the innocent nothing is
said, as the hands show once they are played out; and a price that is shown before is what comes of it.
`make hunt` goes on with thousands of other hands.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, cast

import pytest

from referee.engine.adjudication import describe_findings, describe_irregularity
from referee.engine.audit import audit_hand
from referee.engine.event_kinds import Event
from referee.engine.hand import Hand
from referee.engine.options import Refused
from referee.engine.reading import load_event
from referee.engine.records import Record, load_record, replay
from referee.engine.remedies import scores_of
from referee.engine.replaying import known_masks
from referee.engine.rulings import Certainty, Refusal, Verdict
from referee.engine.sentences import table as words
from referee.engine.table import TableState, deal, judge, open_table
from referee.notation import read_text
from tests.games.discovery import COMPARED, INVALID, ORACLES, RANDOM
from tests.referee.test_golden import FILES
from tests.seeds import FIRST, as_often_as

Json = dict[str, Any]
MOMENTS = as_often_as(always=2, hunting=25)
"""Hands of every game that are looked at whenever something is found, just before, and at their end."""
HANDS = as_often_as(always=15, hunting=250)
"""Hands of every game that are looked at for guilt and prices."""
OF_FINDING = ("code", "certainty", "seat", "suspects", "event", "trick", "proved_by", "claims")


def first_hand(game: str, seed: int) -> Record | None:
    """Return a random record of one hand, with whatever infractions happened in it; ``None``: nothing was played."""
    data = RANDOM[game](Random(seed))
    try:
        record = load_record({**data, "hands": data["hands"][:1]})
        known_masks(record.rules.pack, record.hands[0].known if record.hands else {})
    except Refused:
        return None
    return record if record.hands and record.hands[0].events else None


def states(record: Record) -> Iterator[TableState]:
    """Yield the table after each event of the only hand, as far as it is taken."""
    written = record.hands[0]
    try:
        table = deal(
            open_table(record.rules, first_dealer=record.first_dealer, carried=record.carried),
            known_masks(record.rules.pack, written.known),
        )
    except Refused:
        return
    if isinstance(table, Refusal):
        return
    for event in written.events:
        ruling = judge(table, event)
        if ruling.verdict is not Verdict.ACCEPTED:
            return
        table = ruling.table
        yield table


def found_in(hand: Hand) -> list[Json]:
    """Return what is found in a hand, as both adjudicators say it."""
    described = [cast(Json, describe_irregularity(found, hand, ())) for found in hand.irregularities]
    return [{key: each.get(key) for key in OF_FINDING} for each in described]


@pytest.mark.parametrize("game", COMPARED)
def test_what_is_provable_is_announced_at_its_first_provable_moment(game: str):
    looked_at, seed = 0, FIRST
    while looked_at < MOMENTS:
        seed += 1
        record = first_hand(game, seed)
        reached = [] if record is None else list(states(record))
        if record is None or not reached or not hand_of(reached[-1]).irregularities:
            continue
        looked_at += 1
        for count in telling_moments(reached):
            mine, theirs = found_in(hand_of(reached[count - 1])), by_the_oracle(game, seed, count)
            assert mine == theirs, f"{game}, seed {seed}, after {count} events"


def telling_moments(reached: list[TableState]) -> list[int]:
    """Return after how many events something is found that was not before, and the moments before them and at the end.

    A finding says by which event it was proved, so what is announced too late shows at the next of these moments.
    """
    found = [hand_of(table).irregularities for table in reached]
    changed = [count for count in range(1, len(found)) if found[count] != found[count - 1]]
    return sorted({*(each for count in changed for each in (count, count + 1)), len(found)})


def by_the_oracle(game: str, seed: int, count: int) -> list[Json]:
    """Return what the second adjudicator finds after so many events of the first hand."""
    data = RANDOM[game](Random(seed))
    cut = {**data["hands"][0], "events": data["hands"][0]["events"][:count]}
    try:
        answer = ORACLES[game]({**data, "hands": [cut]})
    except INVALID:
        return []
    return [{key: each.get(key) for key in OF_FINDING} for each in answer["hands"][0]["irregularities"]]


def hand_of(table: TableState) -> Hand:
    """Return the hand of a table at which one was dealt."""
    assert table.hand is not None
    return table.hand


@pytest.mark.parametrize("game", RANDOM)
def test_nobody_innocent_is_accused_and_a_price_shown_before_is_what_comes_of_it(game: str):
    kinds: Counter[str] = Counter()
    for seed in range(FIRST, FIRST + HANDS):
        record = first_hand(game, seed)
        if record is None:
            continue
        reached = list(states(record))
        if not reached:
            continue
        check_guilt(record, reached, f"{game}, seed {seed}")
        rng = Random(seed)
        for table in (reached[-1], rng.choice(reached)):
            kinds.update(found.code for found in hand_of(table).irregularities)
            check_prices(table, record, f"{game}, seed {seed}")
    assert kinds, "infractions of some kind are met"
    assert set(kinds) <= {*words("irregular"), "joint-revoke"}


def check_guilt(record: Record, reached: list[TableState], where: str) -> None:
    """Once all cards are shown, whoever was accused at any moment did it, and somebody of every suspected row did."""
    last = hand_of(reached[-1])
    checked = audit_hand(last, record.hands[0].events[: len(reached)])
    if not checked.complete:
        return
    guilty = {(found.code, found.event) for found in checked.infractions}
    for table in reached:
        for found in hand_of(table).irregularities:
            if found.certainty is Certainty.JOINT:
                acts = {event for _, event in guilty}
                assert acts & {*found.claims}, f"{where}: of the suspects nobody did it"
            elif found.certainty is Certainty.PROVED:
                assert (found.code, found.event) in guilty, f"{where}: {found.seat} did nothing of the kind"


def check_prices(table: TableState, record: Record, where: str) -> None:
    """Carry out every remedy of every finding of the last hand."""
    hand = hand_of(table)
    check_remedies(hand, table, record.seats, record.hands[hand.setup.index].events[: hand.events], where)


def check_remedies(hand: Hand, table: TableState, names: Sequence[str], events: Sequence[Event], where: str) -> int:
    """Carry out every remedy of a hand's findings, compare what comes of it with what was said, and count them."""
    carried = 0
    for found in describe_findings(hand, names, table, events=events):
        for remedy in found["remedies"]:
            done = cast(Json | None, remedy if remedy.get("events") is not None else remedy.get("each"))
            if done is None:
                assert remedy["pending"], where
                continue
            after = table
            for event in done["events"]:
                ruling = judge(after, load_event(event))
                assert ruling.verdict is Verdict.ACCEPTED, (where, remedy["code"], event, ruling.reason)
                after = ruling.table
            assert list(after.totals()) == done["effect"]["totals"]["after"], (where, remedy["code"])
            assert list(scores_of(after)) == done["effect"]["scores"]["after"], (where, remedy["code"])
            carried += 1
    return carried


def test_every_remedy_of_every_golden_record_can_be_carried_out():
    """At every moment at which something is found, at the end of the record, and of earlier hands then (IR-5)."""
    carried = 0
    for path in FILES:
        record = read_text(path.read_text())
        table: TableState | Refusal = open_table(record.rules, first_dealer=record.first_dealer, carried=record.carried)
        played: list[Hand] = []
        for written in record.hands:
            assert not isinstance(table, Refusal)
            table = deal(table, known_masks(record.rules.pack, written.known))
            for count, event in enumerate(written.events, 1):
                assert not isinstance(table, Refusal)
                before = hand_of(table).irregularities
                table = judge(table, event).table
                if hand_of(table).irregularities != before or count == len(written.events):
                    moment = f"{path.stem}, hand {len(played) + 1}, event {count}"
                    carried += check_remedies(hand_of(table), table, record.seats, written.events[:count], moment)
            assert not isinstance(table, Refusal)
            played.append(hand_of(table))
        assert not isinstance(table, Refusal)
        for hand in played[:-1]:
            events = record.hands[hand.setup.index].events
            carried += check_remedies(hand, table, record.seats, events, f"{path.stem}, hand {hand.setup.index + 1}")
    assert carried > len(FILES)


def test_infractions_of_every_kind_are_met():
    missing = {*words("irregular"), "joint-revoke"}
    for seed in range(FIRST, FIRST + 1000):
        for game in RANDOM:
            record = first_hand(game, seed)
            for hand in () if record is None else replay(record).hands:
                missing -= {found.code for found in hand.irregularities}
        if not missing:
            break
    assert not missing
