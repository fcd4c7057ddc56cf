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
from referee.engine.records import load_record
from referee.tricks.hand import TrickHand
from tests.games.discovery import HONEST
from tests.seeds import FIRST, as_often_as

Json = dict[str, Any]
RECORDS = as_often_as(always=8, hunting=600)
TRICK_GAMES = tuple(game.id for game in all_games() if game.id in HONEST and issubclass(game.hand_class, TrickHand))


def judged(record: Json) -> Json:
    return cast(Json, adjudicate(load_record(deepcopy(record))))


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
            trick["trump_before"] = judged(cut)["hands"][-1]["trump"]
    return truth


@pytest.mark.parametrize("game", TRICK_GAMES)
def test_less_that_was_seen_accuses_nobody_and_finds_no_other_winner(game: str):
    for seed in range(FIRST, FIRST + RECORDS):
        rng = Random(seed)
        record = HONEST[game](rng)
        record = {**record, "hands": record["hands"][:1]}
        hand = record["hands"][0]
        hand["events"] = [event for event in hand["events"] if event["type"] not in ("note", "penalty", "transfer")]
        if any(event.get("cards") == ["?"] or event["type"] in ("trick", "result") for event in hand["events"]):
            continue
        truth = judged(record)
        if truth["rejected"] or truth["hands"][0]["irregularities"]:
            continue
        truth = with_trumps(record, truth)
        told = masked(rng, hand["events"], truth["hands"][0])
        known = {seat: cards for seat, cards in hand.get("known", {}).items() if rng.random() < 0.3}
        less: Json = {**record, "hands": [{"events": [], **({"known": known} if known else {})}]}
        for event in told:
            if event.pop("maybe", False) and not waiting(less):
                continue  # the cards say themselves who won
            less["hands"][0]["events"].append(event)
        answer = judged(less)
        assert answer["rejected"] is None, (seed, answer["rejected"])
        (after,) = answer["hands"]
        assert after["irregularities"] == [], (seed, after["irregularities"])
        assert [each["winner"] for each in after["tricks"]] == [
            each["winner"] for each in truth["hands"][0]["tricks"]
        ], seed


def waiting(record: Json) -> bool:
    """Whether the trick on the table is still open."""
    tricks = judged(record)["hands"][0]["tricks"]
    return bool(tricks) and tricks[-1]["winner"] is None
