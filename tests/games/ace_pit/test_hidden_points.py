"""Points kept from the players until the game is over (AP-18): what the referee tells, and what it does not."""

import json
import re
from typing import Any

import pytest

from referee.engine.adjudication import describe_replay
from referee.engine.events import Play
from referee.engine.records import Replay, load_record, replay
from referee.engine.translation import ENGLISH
from referee.notation import write_sheet, write_text
from tests.games.ace_pit.telling import refused, result, trick
from tests.referee.telling import END, NAMES, Json, exercises, penalty, plays, told

HIDDEN = {"totals": "hidden"}
HAND = plays("0:8H 1:7H+9H 1:AD 0:2C 1:5S 0:JC 1:6S 0:9D+JD! 1:7C 0:7S 0:4D 1:3D")
"""Sets, an unbeaten Ace, a Throw Away, two cards that are no set, Even Stevens, a Spoon: six tricks."""
NUMBERS = ("95", "50", "10", "20", "15", "155", "175", "200")


def replayed(*hands: list[Json], **more: Any) -> Replay:
    record = told(*hands, game="ace-pit", players=2, options=HIDDEN, **more)
    return replay(load_record(json.loads(json.dumps(record))))


def shown(judged: Replay) -> Json:
    """Describe a record the way it is shown: with points, unless the table hides them."""
    return dict(describe_replay(judged, NAMES[:2], points=not judged.table.hides_points()))


@exercises("AP-18")
def test_points_are_hidden_until_the_game_is_over():
    assert replayed([]).table.hides_points()
    assert replayed(HAND).table.hides_points()
    assert replayed([result(30, 45)], [result(30, 40)]).table.hides_points()
    over = replayed([result(30, 45)], [result(30, 45)], end={"kind": "hands", "value": 2})
    assert not over.table.hides_points()
    assert shown(over)["totals"] == [60, 90]
    assert not replayed([*HAND, END]).table.hides_points()
    open_table = replay(load_record(told(HAND, game="ace-pit", players=2)))
    assert not open_table.table.hides_points()


@exercises("AP-18")
def test_cards_winners_and_reasons_are_told_and_no_points():
    answer = shown(replayed(HAND))
    (hand,) = answer["hands"]
    assert (answer["totals"], answer["points_hidden"]) == ([None, None], True)
    assert (hand["scores"], hand["score_lines"]) == ([None, None], [])
    assert [each["winner"] for each in hand["tricks"]] == [1, 1, 1, 1, 0, 1]
    assert all(each["points"] == {} and each["reason"]["lines"] == [] for each in hand["tricks"])
    assert [each["reason"]["text"] for each in hand["tricks"]] == [
        "Bob wins with Spoon, Pin and Flush.",
        "The 2 of clubs does not beat the ace of diamonds: Bob wins.",
        "The jack of clubs makes no set with the 5 of spades, a Throw Away: Bob wins.",
        "No set, but accepted (the 9 of diamonds and the jack of diamonds): Bob wins.",
        "Ann wins with Even Stevens.",
        "Bob wins with Spoon.",
    ]
    assert [each["reason"]["clauses"] for each in hand["tricks"]] == [
        each["reason"] and each["reason"]["clauses"]
        for each in describe_replay(replayed(HAND), NAMES[:2])["hands"][0]["tricks"]
    ]


@exercises("AP-18")
def test_a_remedy_does_not_say_what_it_would_change():
    (found,) = shown(replayed(HAND))["hands"][0]["irregularities"]
    set_up = {remedy["code"]: remedy for remedy in found["remedies"]}
    assert [event["type"] for event in set_up["stand"]["events"]] == ["note"]
    assert all(remedy["effect"] is None for remedy in set_up.values())
    each = set_up["penalty"]["each"]
    assert (each["events"][0]["points"], each["effect"]) == (-1, None)


@exercises("AP-18")
def test_what_a_response_would_be_is_told_by_its_sets():
    hand = replayed(plays("0:8H")).table.hand
    assert hand is not None
    for cards, text in (
        (("7H", "9H"), "Bob wins with Spoon, Pin and Flush."),
        (("8S",), "Bob wins with Even Stevens."),
    ):
        seen = hand.preview(Play(1, cards))
        assert seen is not None
        assert [reason.sentence(NAMES, ENGLISH) for reason in seen.reasons] == [text]


@exercises("AP-18", "REC-11")
@pytest.mark.parametrize("impossible", [result(95, 95), result(0, 100), result(25, 95), result(1000, 1000)])
def test_a_refused_result_and_its_form_do_not_tell_what_was_made(impossible: Json):
    assert refused(HAND, impossible, options=HIDDEN) == ("impossible", "bad-result")
    judged = replayed([*HAND, impossible])
    assert judged.rejected is not None
    said = judged.rejected.refusal.reason.text
    assert not re.search(r"\d", said.replace("multiples of 5", "")), said
    before = replayed(HAND[:-2]).table.hand
    assert before is not None
    (points,) = next(ask for ask in before.asks() if ask.event == "result").fields
    assert (points.least, points.most) == (0, 520)


@exercises("AP-18")
def test_the_text_of_a_running_table_has_its_events_and_no_points_that_follow_from_them():
    record = load_record(told([*HAND, penalty(0, -5)], game="ace-pit", players=2, options=HIDDEN))
    text, sheet = write_text(record, annotate=True), write_sheet(record)
    assert "# Bob wins the trick. Bob wins with Spoon, Pin and Flush." in text
    assert "Totals: hidden" in sheet
    assert "score:" not in sheet
    assert "points" not in text.replace("Points", "")
    for number in NUMBERS:
        assert not re.search(rf"\+{number}\b|\b{number} points", text + sheet)
    recorded = load_record(told([trick(1, 95)], game="ace-pit", players=2, options=HIDDEN))
    assert "95" in write_text(recorded)
    assert "95" not in write_sheet(recorded)
