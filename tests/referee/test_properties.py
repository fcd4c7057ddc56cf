"""Laws that hold for every table, tested on random records of every game."""

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, cast

import pytest
from hypothesis import Phase, assume, settings
from hypothesis import given as hypothesis_given
from hypothesis import strategies as st

from referee.engine.adjudication import adjudicate, describe_replay
from referee.engine.hand import Hand
from referee.engine.records import Record, Replay, load_event, load_record, opened, replay
from referee.engine.replaying import Stop, known_masks
from referee.engine.rules import Refused
from referee.engine.rulings import Refusal, Verdict
from referee.engine.snapshot import dump_table, load_table
from referee.engine.table import Ruling, deal, judge
from tests.referee.random_tables import records
from tests.referee.telling import NOTE, look_over
from tests.referee.test_differential import comparable
from tests.seeds import as_often_as

Json = dict[str, Any]
SETTLED = ("note", "penalty", "transfer", "redeal", "end")
seeds = st.integers(0, 2**32 - 1)


def given(*drawn: Any, **named: Any):
    """Draw examples without shrinking: a smaller seed makes no shorter record."""
    tries = as_often_as(always=30, hunting=100, quick=10)
    unshrunk = settings(phases=(Phase.explicit, Phase.reuse, Phase.generate), max_examples=tries)
    return lambda law: unshrunk(hypothesis_given(*drawn, **named)(law))


def loaded(data: Json) -> Record:
    """Read a record; skip those refused as a whole."""
    try:
        record = load_record(data)
        replay(record)
    except Refused:
        assume(False)
    return record


def answered(data: Json) -> Json:
    """Judge a record; skip those refused as a whole."""
    record = loaded(data)
    return cast(Json, describe_replay(replay(record), record.seats))


def step_by_step(record: Record, *, through_json: bool = False) -> Replay:
    """Judge a record event by event, as a table does; optionally save and load the state after each."""
    table = opened(record)
    hands: list[Hand] = []
    for number, written in enumerate(record.hands):
        dealt = deal(table, known_masks(record.rules.pack, written.known))
        if isinstance(dealt, Refusal):
            if written.events:
                return Replay(tuple(hands), table, Stop(number, 0, Ruling(dealt.verdict, table, dealt.reason)))
            continue
        table = dealt
        for position, event in enumerate(written.events):
            ruling = judge(table, event)
            table = ruling.table
            if ruling.verdict is not Verdict.ACCEPTED:
                assert table.hand is not None
                return Replay((*hands, table.hand), table, Stop(number, position, ruling))
            if through_json:
                table = load_table(record.rules, json.loads(json.dumps(dump_table(table))))
        assert table.hand is not None
        hands.append(table.hand)
    return Replay(tuple(hands), table)


@given(records())
def test_cards_are_neither_duplicated_nor_lost(data: Json):
    answer = answered(data)
    for number, hand in enumerate(answer["hands"]):
        aside = [card for card in (*hand.get("ransom_cards", ()), *hand.get("ruling_cards", ())) if card]
        shown = [card for trick in hand["tricks"] for play in trick["plays"] for card in play.get("cards", ())]
        seen = [card for card in (*shown, *aside) if card != "?"]
        assert len({*seen}) == len(seen)
        taken = [event["type"] for event in data["hands"][number]["events"]]
        missing = None in (*hand.get("ransom_cards", ()), *hand.get("ruling_cards", ()))
        skipped = missing and hand["phase"] not in ("ransom", "ruling-card")
        unseen = skipped or "trick" in taken or "result" in taken
        if answer["game"] != "ace-pit" and not unseen and hand["phase"] != "void":
            assert sum(hand["cards_left"]) + len(shown) + len(aside) == sum(hand["hand_size"])


@given(records())
def test_lines_add_up_to_scores_and_scores_to_totals(data: Json):
    record, answer = loaded(data), answered(data)
    look_over(answer)
    seats = range(len(data["seats"]))
    made = [0 for _ in seats]
    for hand in answer["hands"]:
        for line in hand["score_lines"]:
            made[line["seat"]] += line["points"]
    carried = data.get("carried", [0 for _ in seats])
    began, sides = record.rules.sides, replay(record).table.rules.sides  # AG-4: teams can change between rounds
    brought = [sum(carried[min(old)] for old in {began[each] for each in sides[seat]}) for seat in seats]
    assert answer["totals"] == [brought[seat] + sum(made[each] for each in sides[seat]) for seat in seats]


@given(records())
def test_a_replay_equals_judging_step_by_step(data: Json):
    record = loaded(data)
    stepwise = step_by_step(record)
    whole = replay(record)
    assert describe_replay(whole, record.seats) == describe_replay(stepwise, record.seats)
    assert dump_table(whole.table) == dump_table(stepwise.table)


@given(records())
def test_saving_and_loading_the_state_after_every_event_changes_nothing(data: Json):
    record = loaded(data)
    saved = step_by_step(record, through_json=True)
    assert describe_replay(saved, record.seats) == describe_replay(replay(record), record.seats)


@pytest.mark.smoke
@given(records(), st.lists(records(), min_size=2, max_size=2), seeds)
def test_judging_changes_no_earlier_state_and_a_refused_event_changes_none(data: Json, others: list[Json], seed):
    record, rng = loaded(data), Random(seed)
    strange = [event for other in (*others, data) for hand in other["hands"] for event in hand["events"]]
    assume(strange)
    table = opened(record)
    for written in record.hands:
        dealt = deal(table, known_masks(record.rules.pack, written.known))
        if isinstance(dealt, Refusal):
            break
        table = dealt
        for event in written.events:
            before = json.dumps(dump_table(table))
            for disturbance in (readable(rng.choice(strange)), event):
                if disturbance is None:
                    continue
                ruling = judge(table, disturbance)
                assert json.dumps(dump_table(table)) == before
                if ruling.verdict is not Verdict.ACCEPTED:
                    assert ruling.table is table
                    assert ruling.reason is not None
                    assert ruling.reason.clauses
            if ruling.verdict is not Verdict.ACCEPTED:
                break
            table = ruling.table


def readable(data: Json):
    try:
        return load_event(data)
    except Refused:
        return None


@given(records(), seeds)
def test_a_note_changes_nothing_else(data: Json, seed: int):
    plain = answered(data)
    assume(bool(plain["hands"]))
    rng = Random(seed)
    number = rng.randrange(len(plain["hands"]))
    rejected = plain["rejected"] or {"hand": -1, "event": 0}
    events = data["hands"][number]["events"]
    place = rng.randint(0, rejected["event"] if rejected["hand"] == number else len(events))
    noted = json.loads(json.dumps(data))
    noted["hands"][number]["events"].insert(place, NOTE)
    assert adjudicate(load_record(noted)) == moved(plain, number, place)


def moved(answer: Json, hand: int, place: int) -> Json:
    """Shift the positions of one hand's events, from ``place`` on, by one."""

    def shift(position: list[int]) -> list[int]:
        return [position[0], position[1] + (position[0] == hand and position[1] >= place)]

    answer = json.loads(json.dumps(answer))
    for each in answer["hands"]:
        for finding in each["irregularities"]:
            finding["event"] = shift(finding["event"])
            for event in settling(finding["remedies"]):
                event["x_settles"] = shift(event["x_settles"])
            for reason in (finding.get("argument") or {}).get("excluded_by", ()):
                reason["event"] = shift(reason["event"])
            for key in ("proved_by", "claims"):
                if key in finding:
                    finding[key] = [shift(position) for position in finding[key]]
    if answer["rejected"]:
        answer["rejected"]["event"] = shift([answer["rejected"]["hand"], answer["rejected"]["event"]])[1]
    return answer


def settling(remedies: Any) -> Iterator[Json]:
    parts = remedies.values() if isinstance(remedies, dict) else remedies if isinstance(remedies, list) else ()
    if isinstance(remedies, dict) and "x_settles" in remedies:
        yield remedies
    for part in parts:
        yield from settling(part)


@given(records(), st.integers(1, 7))
def test_rotating_the_seats_rotates_the_answer(data: Json, steps: int):
    answer = answered(data)
    assume(answer["options"].get("partner_bid") != "joint")
    players = len(data["seats"])
    assume(steps % players)
    turned = comparable(cast(Json, adjudicate(load_record(turn_record(data, steps, players)))))
    expected = turn_answer(comparable(answer), steps, players)
    for judged in (turned, expected):
        for hand in judged["hands"]:
            hand["scores"] = scores_of_sides(hand["scores"], loaded(data).rules.sides)
    if answer["game"] == "american-deuce":  # its seating starts with the President-Elect, all others with seat 0
        for dealt in (*expected["hands"], expected["next"] or {"seating": []}):
            dealt["seating"] = [(seat + steps) % players for seat in dealt["seating"]]
    assert turned == expected


def scores_of_sides(scores: list[int | None] | None, sides: Sequence[Sequence[int]]) -> list[int | None] | None:
    """Return the score of each seat's side: some games write it at the side's lower seat, which rotation changes."""
    own = [[scores[each] for each in side] for side in sides] if scores else []
    return scores and [None if None in side else sum(score or 0 for score in side) for side in own]


def turn_record(data: Json, steps: int, players: int) -> Json:
    data = json.loads(json.dumps(data))
    data["first_dealer"] = (data["first_dealer"] + steps) % players
    for key in ("seats", "carried", "carried_bags"):
        if key in data:
            data[key] = turned_list(data[key], steps)
    for hand in data["hands"]:
        if "known" in hand:
            hand["known"] = {turned_name(seat, steps, players): cards for seat, cards in hand["known"].items()}
        for event in hand["events"]:
            for key in ("seat", "winner", "from_seat", "to_seat", "king"):
                if event.get(key) in range(players):
                    event[key] = (event[key] + steps) % players
            for key in ("tricks", "cards_left", "points"):
                if isinstance(event.get(key), list) and len(event[key]) == players:
                    event[key] = turned_list(event[key], steps)
            if isinstance(event.get("points"), dict):
                event["points"] = {turned_name(seat, steps, players): n for seat, n in event["points"].items()}
    return data


PER_SEAT = ("hand_size", "bids", "cards_left", "tricks_won", "scores", "ruling_cards", "totals", "contracts", "bags")
SEATS = ("to_act", "suspects", "winners")


def turn_answer(value: Any, steps: int, players: int, key: str = "") -> Any:
    if value is not None and key in ("dealer", "leader", "winner", "seat"):
        return (value + steps) % players
    if value is not None and key in PER_SEAT:
        return turned_list(value, steps)
    if key in SEATS:
        return sorted((seat + steps) % players for seat in value)
    if key == "points":
        return {str((int(seat) + steps) % players): points for seat, points in value.items()}
    if isinstance(value, dict):
        return {name: turn_answer(part, steps, players, name) for name, part in value.items()}
    if isinstance(value, list):
        return [turn_answer(part, steps, players) for part in value]
    return value


def turned_name(seat: str, steps: int, players: int) -> str:
    """Rotate a key that is a seat."""
    return str((int(seat) + steps) % players) if seat in map(str, range(players)) else seat


def turned_list(values: list[Any], steps: int) -> list[Any]:
    return [values[(seat - steps) % len(values)] for seat in range(len(values))]
