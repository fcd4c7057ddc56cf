"""Honest hands of which a part goes unseen: nobody is accused, no winner is wrong, nothing is called impossible.

The truth is a record in which every card is known and nobody breaks a rule. Some of its cards are then not seen, some
tricks are told by their winner and trump, some hands are entered; whatever is told is true.
"""

from copy import deepcopy
from random import Random
from typing import Any, cast

import pytest

from referee.engine.adjudication import adjudicate
from referee.engine.catalogue import all_games
from referee.engine.reading import load_event
from referee.engine.records import load_record, opened, replay
from referee.engine.rulings import Certainty, Irregularity, Refusal, Verdict
from referee.engine.table import hand_for, judge
from referee.tricks.hand import TrickHand
from tests.games.discovery import HONEST, RANDOM
from tests.games.oh_hell.oracle_rules import suit_of
from tests.seeds import FIRST, as_often_as

Json = dict[str, Any]
RECORDS = as_often_as(always=8, hunting=600)
TRICK_GAMES = tuple(game.id for game in all_games() if game.id in HONEST and issubclass(game.hand_class, TrickHand))


def judged(record: Json) -> Json:
    return cast(Json, adjudicate(load_record(deepcopy(record))))


def replayed(record: Json) -> TrickHand:
    """The last hand of a record that is taken."""
    return cast(TrickHand, replay(load_record(deepcopy(record))).hands[-1])


def masked(rng: Random, events: list[Json], truth: Json) -> list[Json]:
    """Tell the events of a hand with less than was seen: cards, or whole tricks, by their true winner and trump."""
    tricks = [trick for trick in truth["tricks"] if trick["winner"] is not None]
    players, number = len(truth["scores"]), 0
    told: list[Json] = []
    trick: list[Json] = []
    own_trumps = truth.get("trumps") is not None
    for event in events:
        if event["type"] != "play":
            told.append(event)
            continue
        trick.append(event)
        if len(trick) < players:
            continue
        after = tricks[number + 1]["trump_before"] if number + 1 < len(tricks) else truth["trump"]
        closing: Json = {"type": "trick", "winner": tricks[number]["winner"]}
        if not own_trumps:
            closing["trump"] = after
        style = rng.random()
        if style < 0.15:
            told.append(closing)
        elif style < 0.55:
            hide = rng.choice([0.2, 0.5, 1.0])
            laid = [
                {"type": "play", "seat": play["seat"], "cards": ["?"]} if rng.random() < hide else play
                for play in trick
            ]
            seen = laid if rng.random() < 0.7 else laid[: rng.randint(1, players)]
            told += [*seen, closing | {"maybe": True}] if any(play["cards"] == ["?"] for play in laid) else trick
        else:
            told += trick
        number, trick = number + 1, []
    return told + trick


def with_trumps(record: Json, truth: Json) -> Json:
    """Note trump before each trick, as it was before its first card."""
    for place, each in enumerate(truth["hands"]):
        number = -1
        events = record["hands"][place]["events"]
        plays = [at for at, event in enumerate(events) if event["type"] == "play"]
        for number, trick in enumerate(each["tricks"]):
            at = plays[number * len(each["scores"])]
            cut = {**record, "hands": [*record["hands"][:place], {**record["hands"][place], "events": events[:at]}]}
            trick["trump_before"] = replayed(cut).trump
    return truth


@pytest.mark.parametrize("game", TRICK_GAMES)
def test_less_that_was_seen_accuses_nobody_and_finds_no_other_winner(game: str):
    for seed in range(FIRST, FIRST + RECORDS):
        look_at_masked(game, seed)


def look_at_masked(game: str, seed: int) -> bool:
    """Judge an honest hand with less than was seen of it; return whether there was one to judge."""
    rng = Random(seed)
    record = HONEST[game](rng)
    record = {**record, "hands": record["hands"][:1]}
    hand = record["hands"][0]
    hand["events"] = [event for event in hand["events"] if event["type"] not in ("note", "penalty", "transfer")]
    if any(event.get("cards") == ["?"] or event["type"] in ("trick", "result") for event in hand["events"]):
        return False
    truth = judged(record)
    if truth["rejected"] or truth["hands"][0]["irregularities"]:
        return False
    truth = with_trumps(record, truth)
    told = masked(rng, hand["events"], truth["hands"][0])
    known = {seat: cards for seat, cards in hand.get("known", {}).items() if rng.random() < 0.3}
    less: Json = {**record, "hands": [{"events": [], **({"known": known} if known else {})}]}
    for event in told:
        if event.pop("maybe", False) and not waiting(less):
            continue  # the cards say themselves who won
        less["hands"][0]["events"].append(event)
    answer = judged(less)
    assert answer["rejected"] is None, (game, seed, answer["rejected"])
    (after,) = answer["hands"]
    assert after["irregularities"] == [], (game, seed, after["irregularities"])
    winners = [each["winner"] for each in truth["hands"][0]["tricks"]]
    assert [each["winner"] for each in after["tricks"]] == winners, (game, seed)
    return True


@pytest.mark.parametrize("game", TRICK_GAMES)
def test_whoever_is_found_at_any_moment_did_say_something_untrue(game: str):
    assert sum(look_at_liars(game, seed) for seed in range(FIRST, FIRST + 3 * RECORDS)) > 0


def look_at_liars(game: str, seed: int) -> int:
    """Judge a random record event by event against the true hands; return how many findings were looked at.

    What is proved of somebody was untrue when it was said; of acts that cannot all be true one was untrue.
    """
    stories: list[Any] = []
    record: Json = cast(Any, RANDOM[game])(Random(seed), stories=stories)
    (story,) = stories
    table, looked_at = opened(load_record({**deepcopy(record), "hands": []})), 0
    for number, hand in enumerate(record["hands"]):
        dealt = hand_for(table)
        if hand.get("known") or isinstance(dealt, Refusal):
            break
        table = dealt
        for index, event in enumerate(hand["events"]):
            if 0 < index < len(story.held[number]) and misdealt(event, story.held[number][index - 1]):
                return looked_at  # what this seat held before is not known
            ruling = judge(table, load_event(event))
            table = ruling.table
            if ruling.verdict is not Verdict.ACCEPTED or table.hand is None:
                return looked_at
            for found in table.hand.irregularities:
                if found.certainty is not Certainty.SEEN:
                    claims = [each for each in story.table.hands[number].claims if each.event in said_by(found)]
                    assert any(untrue(story.held[number], each) for each in claims), (game, seed, found)
                    looked_at += 1
    return looked_at


def misdealt(event: Json, held: list[list[str]]) -> bool:
    """Whether a story had a seat play a card that it did not hold: the table finds out that it had misdealt."""
    seat = event.get("seat", 0)
    own = [sorted(card) for card in held[seat]] if seat < len(held) else []  # suits may be written either way
    return any(card != "?" and sorted(card) not in own for card in event.get("cards", ()))


def said_by(found: Irregularity) -> tuple[int, ...]:
    """The events whose claims a finding is about."""
    return found.claims or (found.event,)


def untrue(held: list[list[list[str]]], claim: Any) -> bool:
    """Whether the hand of which something was claimed did hold such a card."""
    hand, forbidden = held[claim.event][claim.seat], getattr(claim, "forbidden", None)
    return any(card in forbidden if forbidden is not None else suit_of(card) == claim.suit for card in hand)


def waiting(record: Json) -> bool:
    """Whether the trick on the table is still open."""
    return bool(replayed(record).plays)
