"""No innocent player is accused, and errors can be put right."""

import json
from typing import Any

import pytest

from referee.engine.adjudication import describe_findings
from referee.engine.records import Record, load_record, replay
from referee.engine.rulings import Verdict
from referee.engine.snapshot import dump_table, load_table
from referee.engine.table import TableState, judge
from referee.games.american_deuce.game import GAME
from referee.guides.case import Case, Looked, guides_of
from referee.guides.remedies import Steps, amended, chosen
from referee.guides.walking import walk
from tests.games.american_deuce.told_rounds import (
    HERS,
    HIS,
    IMPOSSIBLE,
    NAMED,
    TABLE,
    code_of,
    drop,
    hand,
    judged,
    refused,
    with_known,
)
from tests.referee.telling import Json, accepted, exercises, found, known, plays, told
from tests.referee.test_offers import after, offered

# --- No innocent player is accused: silence, naming, and findings withdrawn by later cards

OUT = "0:3S+4H+5C+6D+7S 1:- 2:- 3:- 0:8S+9H+10C+JD+QS 1:- 2:- 3:- 0:2S+2H+2C"


def accused(round_: Json) -> list[tuple[str, str, int | None, list[int]]]:
    """Return who is accused of what in a round, and with what certainty."""
    return [(each["code"], each["certainty"], each["seat"], each["suspects"]) for each in round_["irregularities"]]


@exercises("AD-7", "AD-Q6", "REC-18")
@pytest.mark.parametrize("silence", [drop(None), drop(0, None, None)])
def test_silence_accuses_the_cabinet_and_never_the_president_elect(silence: Json):
    out = hand(NAMED, silence, plays(OUT))
    assert accused(out) == [("king-elsewhere", "joint", None, [1, 2, 3])]
    (finding,) = out["irregularities"]
    assert (finding["event"], finding["claims"], finding["proved_by"]) == ([0, 3], [[0, 3]], [[0, 12]])
    assert "Bob, Cy and Dot" in finding["reason"]["text"]
    before = hand(NAMED, silence, plays(OUT.removesuffix(" 0:2S+2H+2C")))
    assert accused(before) == [], "she may hold it"


@exercises("AD-Q6", "AD-Q16")
def test_with_her_hand_entered_only_the_cabinet_is_suspected_until_the_king_shows():
    events = [*NAMED, accepted(drop(None))]
    assert accused(with_known(events, s0=HERS)) == [("king-elsewhere", "joint", None, [1, 2, 3])]
    shown = with_known([*events, *plays("0:4D 1:5D 2:KD")], s0=HERS)
    assert accused(shown) == [("king-elsewhere", "proved", 2, [2])]
    both = {"s0": HERS, "s1": "3C 4C 5C 7C 8C 9C 10C JC QC KC AC 3D 5D"}
    assert accused(with_known(events, **both)) == [("king-elsewhere", "joint", None, [2, 3])]


@exercises("AD-A3", "AD-Q14", "AD-Q16")
def test_a_king_that_may_not_have_been_dealt_proves_nothing():
    hers = "3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS 3H 4H 5H 6H 7H 8H 9H 10H"
    record = [*NAMED, accepted(drop(None))]
    even = {"players": 5, "options": {"deal": "even"}}
    assert accused(with_known(record, s0=hers, **even)) == []
    dealt = with_known(record, s0=hers, players=5)
    assert accused(dealt) == [("king-elsewhere", "joint", None, [1, 2, 3, 4])]
    shown = with_known([*record, *plays("0:3S 3:KD*!")], s0=hers, **even)
    assert accused(shown)[-1] == ("king-elsewhere", "proved", 3, [3])


@exercises("AD-7", "IR-4")
def test_the_president_elect_is_never_penalized_for_silence():
    done = judged([*NAMED, drop(None), *plays(OUT)], options={"revoke": "hand-zero"})["hands"][0]
    (finding,) = done["irregularities"]
    assert all(remedy.get("events") is None or all(e["type"] in ("note", "redeal") for e in remedy["events"])
               for remedy in finding["remedies"])  # fmt: skip
    zero = next(remedy for remedy in finding["remedies"] if remedy["code"] == "hand-zero")
    assert (zero["events"], zero["pending"]["code"]) == (None, "remedy-nobody")


DENIED = [*NAMED, drop(1, "9C", "4D", constipated=True), *plays("0:5D")]


@exercises("AD-7", "AD-8", "REC-17")
@pytest.mark.parametrize("order", ["1:2S 2:- 3:- 0:- 1:6H 2:KD", "1:6H 2:KD 1:2S!"])
def test_the_order_of_cards_does_not_change_a_denied_deuce_finding(order: str):
    cleared = hand(DENIED, plays(order))
    assert [each for each in accused(cleared) if each[0] != "out-of-turn"] == [("king-elsewhere", "proved", 2, [2])]


@exercises("AD-7", "REC-17")
def test_a_withdrawn_finding_gives_its_reason():
    (gone,) = hand(DENIED, plays("1:2S 2:- 3:- 0:- 1:6H 2:KD"))["withdrawn"]
    assert (gone["code"], gone["seat"], gone["event"], gone["proved_by"]) == ("denied-deuce", 1, [0, 3], [[0, 5]])
    assert gone["withdrawn_by"] == [0, 10]
    assert gone["why"]["text"] == "Bob was said to hold the king of diamonds but didn’t, so nothing was owed."
    assert hand(DENIED, plays("1:2S"))["withdrawn"] == []
    shown = hand(DENIED, plays("1:2S 2:- 3:- 0:KD!"))
    assert [each[:3] for each in accused(shown) if each[0] != "out-of-turn"][-1] == ("king-elsewhere", "proved", 0)
    assert "denied-deuce" not in {each[0] for each in accused(shown)}


@exercises("AD-7", "AD-Q16", "REC-17")
@pytest.mark.parametrize(
    ("order", "holder"), [("0:4D 1:5D 2:KD", 2), ("0:4D 1:- 2:- 3:KD", 3), ("0:4D 1:5D 2:- 3:- 0:KD", 0)]
)
def test_showing_the_king_replaces_the_suspect(order: str, holder: int):
    events = [*NAMED, accepted(drop(1, "5S", "3D", constipated=True))]
    hers = "5S 5D 6S 7S 8S 9S 10S JS QS AS 6H 7H 8H"
    assert accused(with_known(events, s1=hers)) == [("king-elsewhere", "seen", 1, [1])]
    shown = with_known([*events, *plays(order)], s1=hers)
    assert accused(shown) == [("king-elsewhere", "proved", holder, [holder])]
    assert [(gone["code"], gone["seat"]) for gone in shown["withdrawn"]] == [("king-elsewhere", 1)]
    assert shown["withdrawn"][0]["why"]["text"].startswith("Bob was said to hold the king of diamonds but didn’t")


RESTS_ON_NAMING = "said they held the king"


@exercises("AD-7", "AD-8")
def test_witnessed_findings_are_withdrawn_too():
    seen = [*NAMED, accepted(drop(1, "5S", "3D"))]
    assert found(hand(seen)) == [("denied-deuce", "seen", 1)]
    assert RESTS_ON_NAMING in hand(seen)["irregularities"][0]["reason"]["text"]
    assert found(hand(seen, plays("0:3S 1:4S 2:KD"))) == [("king-elsewhere", "proved", 2)]
    twos = hand(seen, [accepted(play) for play in plays("0:2S 2:2H 3:2C 2:2D")])
    assert "denied-deuce" not in {each[0] for each in accused(twos)}, "there was no 2 to give"
    assert twos["withdrawn"][0]["why"]["text"] == "Bob had no 2, so nothing was owed."


@exercises("AD-7", "AD-Q8")
def test_a_wrong_card_given_back_is_withdrawn_too():
    wrong = [*NAMED, drop(1, "2S", "4C"), *plays("0:4D")]
    assert RESTS_ON_NAMING in hand(wrong)["irregularities"][0]["reason"]["text"]
    assert found(hand(wrong, plays("1:5H 2:KD"))) == [("king-elsewhere", "proved", 2)]


# --- Correcting a wrong exchange: redone in the first trick, swapped back later (IR-12)

LIED = [*NAMED, accepted(drop(1, "3D", "9S", constipated=True)), *plays("0:4D 1:2D! 2:- 3:- 0:-")]
KEPT = [*NAMED, accepted(drop(1, "3D", "9S", constipated=True)), *plays("0:5S 1:6D 2:- 3:- 0:-")]
WRONG = [*NAMED, drop(1, "2S", "4C"), *plays("0:4D 1:- 2:- 3:-")]


def put_right(given: str = "?", returned: str = "?") -> Json:
    return {"type": "put-right", "given": given, "returned": returned}


@exercises("IR-12", "AD-7", "REC-8")
@pytest.mark.parametrize("swap", [put_right("2D", "3D"), put_right("2D"), put_right("?", "3D"), put_right()])
@pytest.mark.parametrize("entered", [{}, {"s0": HERS}, {"s1": HIS}, {"s0": HERS, "s1": HIS}])
def test_a_round_continues_after_a_late_deuce(swap: Json, entered: dict[str, str]):
    then = plays("1:QD 2:- 3:- 0:2D 1:- 0:4D 1:3D!")
    gone_on = with_known([*KEPT, swap, *then], **entered)
    assert gone_on["rejected"] is None
    assert gone_on["cards_left"] == [10, 10, 13, 13]
    assert code_of(with_known([*KEPT, *then], s0=HERS, s1=HIS)) == "not-in-hand"


@exercises("IR-12", "REC-8")
@pytest.mark.parametrize(
    ("events", "swap", "code"),
    [
        (NAMED, put_right(), "wrong-phase"),
        ([*NAMED, drop(None), *plays("0:3S 1:- 2:- 3:-")], put_right(), "wrong-phase"),
        ([*NAMED, drop(1), *plays("0:3S")], put_right(), "wrong-phase"),
        ([*LIED, put_right()], put_right(), "wrong-phase"),
        (LIED, put_right("2D", "4S"), "already-played"),
        (LIED, put_right("4S", "4S"), "already-played"),
        (LIED, put_right("nothing"), "not-in-deck"),
        (LIED, put_right("3D"), "not-in-hand"),
    ],
)
def test_impossible_corrections_are_refused(events: list[Json], swap: Json, code: str):
    assert refused(events, swap) == (IMPOSSIBLE, code)


@exercises("IR-12", "REC-8")
@pytest.mark.parametrize("more", [[put_right("2S")], [put_right("2D", "4S")], [put_right(), *plays("1:QD 0:2H")]])
def test_an_entered_hand_can_only_give_cards_it_holds(more: list[Json]):
    assert code_of(with_known([*KEPT, *more], s0=HERS, s1=HIS)) == "not-in-hand"


@exercises("IR-12", "AD-7")
def test_a_late_king_from_another_hand_clears_the_suspect():
    shown = hand(WRONG, put_right("4C", "KD"))
    assert found(shown) == [("king-elsewhere", "proved", 0)]
    assert [each["code"] for each in shown["withdrawn"]] == ["not-lowest"]


def table_of(events: list[Json]) -> Any:
    return replay(load_record(told(events, **TABLE))).table


@exercises("IR-12")
def test_a_late_exchange_is_offered_only_while_a_finding_calls_for_it():
    table = table_of(LIED)
    assert not offered(table, "put-right").complete, "any two cards can have changed hands"
    assert "put-right" not in [ask.event for ask in after(table, put_right()).hand.asks()]
    clean = table_of([*NAMED, drop(1), *plays("0:3S 1:- 2:- 3:-")])
    assert "put-right" not in [ask.event for ask in clean.hand.asks()]


def test_a_snapshot_keeps_withdrawn_findings_and_late_exchanges():
    table = table_of([*WRONG, put_right("4C", "KD")])
    again: Any = load_table(table.rules, json.loads(json.dumps(dump_table(table))))
    assert (again.hand.disproved(), dump_table(again)) == (table.hand.disproved(), dump_table(table))


def carry_out(table: TableState, record: Record, remedy: Json) -> TableState:
    """Carry out a remedy as the referee describes it: delete entries and record events."""
    assert table.hand is not None
    strikes = tuple((place, None) for _, place in remedy.get("strikes", ()))
    if strikes:
        struck = amended(Looked(table, table.hand, record.hands[-1].events[: table.hand.events]), strikes)
        assert isinstance(struck, TableState), struck
        table = struck
    done: TableState = after(table, *remedy["events"])
    return done


def remedies_of(record: Record, table: TableState) -> list[Json]:
    """Return every remedy offered for the irregularities of the last hand."""
    assert table.hand is not None
    described = describe_findings(table.hand, record.seats, table, events=record.hands[-1].events)
    return [dict(remedy) for each in described for remedy in each["remedies"]]


AGREED = {"penalty", "take-back", "correct", "hand-zero"}
"""Remedies that need the table's agreement, real cards, or the end of the round."""


@exercises("IR-12", "IR-4")
@pytest.mark.parametrize("entered", [{}, {"s0": HERS, "s1": HIS}])
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
        events = LIED
    record = load_record(told(known(events, **entered), **TABLE))
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
                assert after(done, drop(1, "2D", "4D"), *plays("0:2D 1:-")).hand.withdrawn == ()


@exercises("IR-12", "REC-17")
@pytest.mark.parametrize(
    ("events", "situation", "answers", "remedy"),
    [(LIED, "no-deuce", {"holds-two": "yes"}, "claim-deuce"), (WRONG, "not-lowest", {"played": "no"}, "swap-back")],
)
def test_a_guided_ruling_on_an_exchange_keeps_what_was_proved(events, situation, answers, remedy):
    record = load_record(told(events, **TABLE))
    judged = replay(record)
    proved = judged.hands[0].irregularities
    assert [found.certainty.value for found in proved] == ["proved"]
    case = Case(guides_of(GAME).guides[situation], GAME, record.rules, answers,
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
