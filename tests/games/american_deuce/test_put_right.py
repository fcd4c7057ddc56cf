"""A wrong exchange put right: done again in the first trick, two cards changing hands later (IR-12)."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.engine.adjudication import describe_findings
from referee.engine.catalogue import find_game
from referee.engine.options import Refused
from referee.engine.reading import load_event
from referee.engine.records import Record, load_record, replay
from referee.engine.rulings import Verdict
from referee.engine.snapshot import dump_table, load_table
from referee.engine.table import TableState, judge
from referee.guides.case import Case, Looked
from referee.guides.reading import guides_of
from referee.guides.remedies import Steps, amended, chosen
from referee.guides.walking import walk
from referee.notation import read_text
from tests.games.american_deuce.random_records import random_record
from tests.games.american_deuce.telling import NAMED, TABLE, drop, hand, refused, with_known
from tests.referee.telling import Json, accepted, exercises, found, plays, told
from tests.referee.test_offers import after, offered
from tests.seeds import FIRST, as_often_as

RECORDS = as_often_as(always=60, hunting=500)

HERS = "4D 5S 6S 7S 8S 9S 10S JS QS KS AS 5H 6H"
HIS = "KD 2D 3D 5D 6D 7D 8D 9D 10D JD QD AD 3C"
LIED = [*NAMED, accepted(drop(1, "3D", "9S", constipated=True)), *plays("0:4D 1:2D! 2:- 3:- 0:-")]
KEPT = [*NAMED, accepted(drop(1, "3D", "9S", constipated=True)), *plays("0:5S 1:6D 2:- 3:- 0:-")]
WRONG = [*NAMED, drop(1, "2S", "4C"), *plays("0:4D 1:- 2:- 3:-")]


def put_right(given: str = "?", returned: str = "?") -> Json:
    """Two cards change hands."""
    return {"type": "put-right", "given": given, "returned": returned}


@exercises("IR-12", "AD-7", "REC-8")
@pytest.mark.parametrize("swap", [put_right("2D", "3D"), put_right("2D"), put_right("?", "3D"), put_right()])
@pytest.mark.parametrize("entered", [{}, {"s0": HERS}, {"s1": HIS}, {"s0": HERS, "s1": HIS}])
def test_a_round_goes_on_with_the_hands_as_they_are_after_a_late_deuce(swap: Json, entered: dict[str, str]):
    then = plays("1:QD 2:- 3:- 0:2D 1:- 0:4D 1:3D!")
    gone_on = with_known([*KEPT, swap, *then], **entered)
    assert gone_on["rejected"] is None
    assert gone_on["cards_left"] == [10, 10, 13, 13]
    without = with_known([*KEPT, *then], **{"s0": HERS, "s1": HIS} | entered)
    assert without["rejected"]["reason"]["code"] == "not-in-hand"


@exercises("IR-12", "REC-8")
@pytest.mark.parametrize(
    ("events", "swap", "answer"),
    [
        ([*NAMED], put_right(), ("impossible", "wrong-phase")),
        ([*NAMED, drop(None), *plays("0:3S 1:- 2:- 3:-")], put_right(), ("impossible", "wrong-phase")),
        ([*NAMED, drop(1), *plays("0:3S")], put_right(), ("impossible", "wrong-phase")),
        ([*LIED, put_right()], put_right(), ("impossible", "wrong-phase")),
        (LIED, put_right("2D", "4S"), ("impossible", "already-played")),
        (LIED, put_right("4S", "4S"), ("impossible", "already-played")),
        (LIED, put_right("nothing"), ("impossible", "not-in-deck")),
        (LIED, put_right("3D"), ("impossible", "not-in-hand")),
    ],
)
def test_what_cannot_be_put_right(events: list[Json], swap: Json, answer: tuple[str, str]):
    assert refused(events, swap) == answer


@exercises("IR-12", "REC-8")
def test_a_hand_that_was_entered_gives_only_what_it_holds():
    known = {"s0": HERS, "s1": HIS}
    assert with_known([*KEPT, put_right("2S")], **known)["rejected"]["reason"]["code"] == "not-in-hand"
    assert with_known([*KEPT, put_right("2D", "4S")], **known)["rejected"]["reason"]["code"] == "not-in-hand"
    stranger = with_known([*KEPT, put_right(), *plays("1:QD 0:2H")], **known)
    assert stranger["rejected"]["reason"]["code"] == "not-in-hand"


@exercises("IR-12", "AD-7")
def test_the_king_moved_late_by_another_hand_clears_whom_was_named():
    shown = hand(WRONG, put_right("4C", "KD"))
    assert found(shown) == [("king-elsewhere", "proved", 0)]
    assert [each["code"] for each in shown["withdrawn"]] == ["not-lowest"]


@exercises("IR-12")
def test_putting_right_is_offered_while_a_finding_asks_for_it():
    table: Any = replay(load_record(told(LIED, **TABLE))).table
    assert {"type": "put-right", "given": None, "returned": None} in offered(table, "put-right").events
    assert "put-right" not in [ask.event for ask in after(table, put_right()).hand.asks()]
    clean: Any = replay(load_record(told([*NAMED, drop(1), *plays("0:3S 1:- 2:- 3:-")], **TABLE))).table
    assert "put-right" not in [ask.event for ask in clean.hand.asks()]


def test_a_snapshot_holds_what_was_withdrawn_and_put_right():
    table = replay(load_record(told([*WRONG, put_right("4C", "KD")], **TABLE))).table
    again = load_table(table.rules, json.loads(json.dumps(dump_table(table))))
    assert again.hand is not None
    assert (again.hand.disproved(), dump_table(again)) == (table.hand and table.hand.disproved(), dump_table(table))


def carry_out(table: TableState, record: Record, remedy: Json) -> TableState:
    """Carry a remedy out as the referee says: strike what is struck, and record the events."""
    assert table.hand is not None
    strikes = tuple((place, None) for _, place in remedy.get("strikes", ()))
    if strikes:
        struck = amended(Looked(table, table.hand, record.hands[-1].events[: table.hand.events]), strikes)
        assert isinstance(struck, TableState), struck
        table = struck
    for event in remedy["events"]:
        ruling = judge(table, load_event(event))
        assert ruling.verdict is Verdict.ACCEPTED, (remedy["code"], ruling.reason)
        table = ruling.table
    return table


def remedies_of(record: Record, table: TableState) -> list[Json]:
    """Return everything that is offered for what is irregular in the last hand."""
    assert table.hand is not None
    described = describe_findings(table.hand, record.seats, table, events=record.hands[-1].events)
    return [dict(remedy) for each in described for remedy in each["remedies"]]


AGREED = {"penalty", "take-back", "correct", "hand-zero"}
"""What the table has to agree on first, does with real cards, or can do only once the round is over."""


@exercises("IR-12", "IR-4")
@pytest.mark.parametrize("entered", [{}, {"0": HERS, "1": HIS}])
@pytest.mark.parametrize(
    ("events", "codes"),
    [
        ([*NAMED, accepted(drop(1, "3D", "9S", constipated=True)), *plays("0:4D 1:2D!")], {"redo-exchange"}),
        (KEPT, {"claim-deuce"}),
        ([*NAMED, accepted(drop(1, "2D", "5S")), *plays("0:4D")], {"redo-exchange"}),
        ([*NAMED, accepted(drop(1, "2D", "5S")), *plays("0:4D 1:- 2:- 3:-")], {"swap-back"}),
    ],
)
def test_every_remedy_of_a_wrong_exchange_is_carried_out(events: list[Json], codes: set[str], entered: Json):
    if events is KEPT and not entered:
        events = [*LIED]
    record = load_record(
        told({"events": events, "known": {seat: cards.split() for seat, cards in entered.items()}}, **TABLE)
    )
    table = replay(record).table
    offered_now = remedies_of(record, table)
    assert codes <= {remedy["code"] for remedy in offered_now}
    for remedy in offered_now:
        if remedy["code"] not in AGREED:
            assert remedy["events"], remedy
        if remedy["events"]:
            done = carry_out(table, record, remedy)
            assert done.hand is not None
            if remedy["code"] == "redo-exchange":
                again = drop(1, "2D", "4D")
                done = after(done, again, *plays("0:2D 1:-"))
                assert done.hand.withdrawn == ()


GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_remedy_of_every_golden_record_is_carried_out(path: Path):
    carry_out_all(read_text(path.read_text()))


@exercises("IR-4", "IR-12")
def test_every_remedy_of_random_rounds_is_carried_out():
    rng = Random(FIRST)
    for seed in range(FIRST, FIRST + RECORDS):
        data = random_record(Random(seed), 0.15)
        data["hands"] = [{**each, "events": each["events"][: rng.randint(4, 40)]} for each in data["hands"][:1]]
        try:
            record = load_record(data)
            replay(record)
        except Refused:
            continue
        carry_out_all(record)


def carry_out_all(record: Record) -> None:
    """Carry out everything that is offered at a table, each on a copy of it."""
    judged = replay(record)
    if judged.table.hand is None:
        return
    for remedy in remedies_of(record, judged.table):
        assert remedy["events"] is not None or remedy["pending"], remedy
        if remedy["events"]:
            carry_out(judged.table, record, remedy)


@exercises("IR-12", "REC-17")
@pytest.mark.parametrize(
    ("events", "situation", "answers", "remedy"),
    [
        (LIED, "no-deuce", {"holds-two": "yes"}, "claim-deuce"),
        (WRONG, "not-lowest", {"played": "no"}, "swap-back"),
    ],
)
def test_a_guided_ruling_on_an_exchange_keeps_what_was_proved(
    events: list[Json], situation: str, answers: Json, remedy: str
):
    record = load_record(told(events, **TABLE))
    judged = replay(record)
    proved = judged.hands[0].irregularities
    assert [found.certainty.value for found in proved] == ["proved"]
    game = find_game("american-deuce")
    assert game is not None
    case = Case(guides_of(game).guides[situation], game, record.rules, answers,
                Looked(judged.table, judged.hands[0], record.hands[0].events), record.seats)  # fmt: skip
    done = chosen(walk(case), remedy)
    assert isinstance(done.outcome, Steps)
    assert (done.outcome.amends, done.outcome.events[0].type) == ((), "put-right")
    table = judged.table
    for event in done.outcome.events:
        ruling = judge(table, event)
        assert ruling.verdict is Verdict.ACCEPTED
        table = ruling.table
    assert table.hand is not None
    assert table.hand.irregularities == proved
