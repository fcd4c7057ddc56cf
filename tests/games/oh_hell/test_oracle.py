"""The second adjudicator of Oh Hell against itself: what has to hold of every record, whoever judges it."""

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import pytest

from tests.games.oh_hell.oracle import Table, judge
from tests.games.oh_hell.oracle_hand import REST, TURNED, Claim, Place, Situation, contradict, minimal_claims
from tests.games.oh_hell.oracle_rules import MOST_CARDS, SUITS, UNSEEN, bid_points, course, full_options, suit_of
from tests.games.oh_hell.random_records import Mischief, random_record, random_table
from tests.games.oh_hell.random_story import Story

Json = dict[str, Any]
RECORDS = 50
HONEST = Mischief(
    liars=0, conspiracies=0, disorder=0, impossible=0, refuse=0, known=0.3, coarse=0.3, settlements=0, unfinished=0
)  # fmt: skip


@pytest.fixture(params=range(4))
def batch(request: pytest.FixtureRequest) -> range:
    """Some seeds."""
    return range(request.param * RECORDS, (request.param + 1) * RECORDS)


@cache
def random_one(seed: int) -> tuple[Json, Json]:
    """A random record and what comes of it."""
    record = random_record(Random(seed))
    return record, judge(deepcopy(record))


def test_hands_add_up(batch: range):
    for seed in batch:
        _, answer = random_one(seed)
        sizes = course(answer["options"])
        played = 0
        for hand in answer["hands"]:
            size = hand["hand_size"][0]
            assert size == sizes[played % len(sizes)], seed
            check_hand(hand, size, answer["options"])
            played += hand["phase"] == "finished"
        assert not (answer["finished"] and answer["next"])
        assert bool(answer["winners"]) == answer["finished"]


def check_hand(hand: Json, size: int, options: Json) -> None:
    """Bids, tricks, cards and scores of one hand fit together."""
    players = len(hand["bids"])
    assert all(bid is None or 0 <= bid <= size for bid in hand["bids"])
    assert sum(hand["tricks_won"]) <= size
    for trick in hand["tricks"]:
        seats = [play["seat"] for play in trick["plays"]]
        assert len(set(seats)) == len(seats)
        whole = len(seats) == players and not any(play["cards"] == [UNSEEN] for play in trick["plays"])
        assert not (whole and trick["winner"] is None)
        assert seats or trick["winner"] is not None
        assert trick["points"] == {}
    cards = [play["cards"][0] for trick in hand["tricks"] for play in trick["plays"] if play["cards"] != [UNSEEN]]
    assert len(set(cards)) == len(cards)
    if hand["phase"] in ("play", "finished") and options["hook"] and options["bidding"] == "in-turn":
        forbidden = any(each["code"] == "forbidden-bid" for each in hand["irregularities"])
        assert forbidden == (sum(hand["bids"]) == size)
    if hand["phase"] != "finished":
        assert hand["phase"] == "void" or hand["scores"] == [None] * players
        return
    assert sum(hand["tricks_won"]) == size
    assert set(hand["cards_left"]) == {0}
    assert None not in hand["bids"]


def test_scores_are_bids_and_penalties(batch: range):
    for seed in batch:
        record, answer = random_one(seed)
        totals = record.get("carried", [0] * len(record["seats"]))
        for index, hand in enumerate(answer["hands"]):
            events = taken(record, answer, index)
            moved = [
                sum(event["points"] for event in events if event["type"] == "penalty" and event["seat"] == seat)
                for seat in range(len(totals))
            ]
            made = [0] * len(totals)
            if hand["phase"] == "finished":
                pairs = zip(hand["bids"], hand["tricks_won"], strict=True)
                made = [bid_points(answer["options"], bid, won) for bid, won in pairs]
                assert hand["scores"] == [a + b for a, b in zip(made, moved, strict=True)]
            totals = [total + a + b for total, a, b in zip(totals, made, moved, strict=True)]
        assert answer["totals"] == totals, seed


def taken(record: Json, answer: Json, index: int) -> list[Json]:
    """The events of a hand that were taken."""
    events = record["hands"][index]["events"]
    stop = answer["rejected"]
    return events[: stop["event"]] if stop and stop["hand"] == index else events


def test_what_is_refused_changes_nothing_and_a_beginning_is_judged_alike(batch: range):
    for seed in batch:
        record, answer = random_one(seed)
        stop = answer["rejected"]
        shorter = deepcopy(record)
        if stop:
            shorter["hands"] = shorter["hands"][: stop["hand"] + 1]
            del shorter["hands"][-1]["events"][stop["event"] :]
            if not shorter["hands"][-1]["events"] and len(answer["hands"]) <= stop["hand"]:
                shorter["hands"].pop()
            assert judge(shorter) == {**answer, "rejected": None}, seed
        elif shorter["hands"] and shorter["hands"][-1]["events"]:
            last = shorter["hands"][-1]["events"].pop()
            before = judge(shorter)
            assert before["hands"][:-1] == answer["hands"][:-1], (seed, last)


def test_options_in_an_answer_are_valid_input(batch: range):
    for seed in batch:
        record, answer = random_one(seed)
        assert judge({**record, "options": answer["options"]}) == answer


def test_nobody_honest_is_accused(batch: range):
    for seed in batch:
        record = random_record(Random(seed), HONEST)
        answer = judge(record)
        assert answer["rejected"] is None or answer["rejected"]["code"] == "hand-finished", seed
        found = {each["code"] for hand in answer["hands"] for each in hand["irregularities"]}
        assert found <= {"forbidden-bid"}, seed


@pytest.mark.parametrize("batch", range(3))
def test_who_is_accused_has_lied(batch: int):
    mischief = Mischief(impossible=0, refuse=0, settlements=0, conspiracies=0.8, coarse=0.1, forgotten_turn_up=0)
    joint = 0
    for seed in range(batch * 40, (batch + 1) * 40):
        rng = Random(seed)
        record = random_table(rng)
        record["options"]["largest"] = MOST_CARDS[len(record["seats"])]
        record["options"]["course"] = "down"
        story = Story(rng, mischief, Table(record))
        record["hands"].append(story.tell_hand())
        dealt = story.dealt
        for found in story.hand.irregularities:
            if found["code"] not in ("revoke", "joint-revoke"):
                continue
            acts = [event for _, event in found.get("claims", [found["event"]])]
            assert any(lied(story, dealt, act) for act in acts), (seed, found)
            joint += found["code"] == "joint-revoke"
    assert joint


def lied(story: Story, dealt: list[list[str]], act: int) -> bool:
    """Whether somebody did not follow with this event and held a card of the suit led."""
    event = story.events[act]
    trick = next(t for t in story.hand.tricks if event["cards"] in [play["cards"] for play in t["plays"]])
    led = suit_of(trick["plays"][0]["cards"][0])
    gone = [each["cards"][0] for each in story.events[: act + 1] if each["type"] == "play"]
    return any(suit_of(card) == led and card not in gone for card in dealt[event["seat"]])


# -- counting ------------------------------------------------------------------------------------


def random_situation(rng: Random) -> tuple[Situation, list[Claim]]:
    """A few unseen cards, places that hold just so many, and claims of any truth."""
    players = rng.randint(2, 5)
    room: dict[Place, int] = {seat: rng.randint(0, 3) for seat in range(players)}
    room[REST] = rng.randint(0, 2)
    unseen = dict.fromkeys(SUITS, 0)
    turned = None
    if rng.random() < 0.5:
        turned = rng.choice(SUITS)
        room[TURNED] = 1
        unseen[turned] += 1
    for _ in range(sum(room.values()) - sum(unseen.values())):
        unseen[rng.choice(SUITS)] += 1
    events = rng.sample(range(20), rng.randint(1, 7))
    claims = [Claim(rng.randrange(players), event, 1, rng.choice(SUITS)) for event in sorted(events)]
    return Situation(unseen, room, turned), claims


def can_be_placed(situation: Situation, claims: list[Claim]) -> bool:
    """Try every way to deal the unseen cards to the places, one place after the other."""
    places = [(place, room) for place, room in situation.room.items() if room]
    allowed = situation.allowed(claims)

    def deal(number: int, left: tuple[int, ...]) -> bool:
        if number == len(places):
            return True
        place, room = places[number]
        return any(deal(number + 1, rest) for rest in shares(left, room, allowed[place]))

    return deal(0, tuple(situation.unseen[suit] for suit in SUITS))


def shares(left: tuple[int, ...], room: int, allowed: set[str], suit: int = 0) -> Iterator[tuple[int, ...]]:
    """What can be left after a place took so many cards of the suits it may hold."""
    if suit == len(SUITS):
        if room == 0:
            yield ()
        return
    most = min(room, left[suit]) if SUITS[suit] in allowed else 0
    for number in range(most + 1):
        for rest in shares(left, room - number, allowed, suit + 1):
            yield (left[suit] - number, *rest)


@pytest.mark.parametrize("batch", range(4))
def test_counting_says_what_dealing_in_every_way_says(batch: int):
    seen = set()
    for seed in range(batch * 80, (batch + 1) * 80):
        situation, claims = random_situation(Random(seed))
        answer = contradict(situation, claims)
        assert answer == (not can_be_placed(situation, claims)), seed
        seen.add(answer)
    assert seen == {True, False}


@pytest.mark.parametrize("batch", range(4))
def test_the_claims_named_are_the_fewest_and_of_those_the_earliest(batch: int):
    for seed in range(batch * 80, (batch + 1) * 80):
        situation, claims = random_situation(Random(seed))
        sets = [list(each) for size in range(1, len(claims) + 1) for each in combinations(claims, size)]
        first = next((each for each in sets if contradict(situation, each)), None)
        assert minimal_claims(situation, claims) == first, seed


# -- courses -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "players", "sizes"),
    [
        ({"largest": 3}, 4, [3, 2, 1, 2, 3]),
        ({"largest": 3, "twice_one": True}, 4, [3, 2, 1, 1, 2, 3]),
        ({"largest": 3, "course": "up-down"}, 4, [1, 2, 3, 2, 1]),
        ({"largest": 3, "course": "up-down", "twice_one": True}, 4, [1, 2, 3, 2, 1]),
        ({"largest": 3, "course": "down"}, 4, [3, 2, 1]),
        ({"largest": 3, "course": "up"}, 4, [1, 2, 3]),
        ({"largest": 1}, 4, [1]),
        ({"largest": 1, "twice_one": True}, 4, [1, 1]),
        ({"largest": 1, "course": "up-down"}, 4, [1]),
        ({}, 7, [7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7]),
        ({"course": "down"}, 6, [8, 7, 6, 5, 4, 3, 2, 1]),
        ({"course": "down"}, 3, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]),
    ],
)
def test_the_course(options: dict, players: int, sizes: list[int]):
    assert course(full_options(options, players)) == sizes
