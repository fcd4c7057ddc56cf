"""What partners give up for a revoke (IR-4), beside what a plain second account of the clause says."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.games.decktet_tricks.oracle import Invalid, Table
from tests.games.decktet_tricks.oracle_cards import rank_of, suits_of
from tests.games.decktet_tricks.oracle_rules import lead_of, led_suits, shares
from tests.games.decktet_tricks.random_records import HONEST, random_table
from tests.games.decktet_tricks.random_story import Story
from tests.referee.telling import exercises, judged_record
from tests.seeds import FIRST, as_often_as

Json = dict[str, Any]
RECORDS = as_often_as(always=20, hunting=150)
"""So many hands of partners with a revoke."""
REVOKING = replace(HONEST, liars=0.6)


def partner_hands(game: str) -> Iterator[tuple[int, Json]]:
    """Judge random hands of partners, and yield those that are finished and hold a revoke."""
    found, seed = 0, FIRST
    while found < RECORDS:
        seed += 1
        rng = Random(seed)
        record = random_table(rng, game, 4 if game == "ransom-trump" else rng.choice([4, 6]))
        record["options"] |= {"partners": True, "tides": False} if game == "ace-trump" else {"partners": True}
        try:
            story = Story(rng, REVOKING, Table(record))
        except Invalid:
            continue
        record["hands"] = [story.tell_hand()]
        (hand,) = judged_record(record)["hands"]
        if hand["phase"] == "finished" and hand["irregularities"] and seen_whole(hand):
            found += 1
            yield seed, {"hand": hand, "options": story.table.options}


def seen_whole(hand: Json) -> bool:
    """Whether every card of a hand was recorded."""
    laid = [play["cards"] for trick in hand["tricks"] for play in trick["plays"]]
    return ["?"] not in laid and len(laid) == sum(hand["tricks_won"]) * len(hand["scores"])


@exercises("IR-4", "AT-V3", "RT-16")
@pytest.mark.parametrize("game", ["ace-trump", "ransom-trump"])
def test_partners_give_up_what_the_clause_says(game: str):
    for seed, answer in partner_hands(game):
        hand, options = answer["hand"], answer["options"]
        gone: set[int] = set()
        for finding in hand["irregularities"]:
            remedy = next((each for each in finding["remedies"] if each["code"] == "bridge"), None)
            if remedy is None or len(finding["suspects"]) > 1 or len(finding.get("claims", [])) > 1:
                continue
            due = given_up(hand, finding, gone)
            gone |= set(due)
            assert remedy["events"] is not None, (seed, remedy["pending"])
            moved = [(event["from_seat"], event["to_seat"], event["tricks"]) for event in remedy["events"]]
            assert sorted(moved) == sorted(moves(hand, due, options)), (seed, finding["event"])


def given_up(hand: Json, finding: Json, gone: set[int]) -> list[int]:
    """The tricks that this revoke costs, by their places, where others are gone already."""
    offender, place = finding["suspects"][0], finding["trick"] - 1
    players = len(hand["scores"])
    side = {offender, (offender + players // 2) % players}
    won = [trick["winner"] for trick in hand["tricks"]]
    later = [each for each in range(place, len(won)) if each not in gone and won[each] in side]
    if place in later and won[place] == offender:
        return later[:2]
    return later[:1]


def moves(hand: Json, due: list[int], options: Json) -> list[tuple[int, int, int]]:
    """Who gives how many of them to whom."""
    ways: dict[tuple[int, int], int] = {}
    for place in due:
        trick = hand["tricks"][place]
        giver, taker = trick["winner"], best_of_the_others(trick, options, len(hand["scores"]))
        if giver != taker:
            ways[giver, taker] = ways.get((giver, taker), 0) + 1
    return [(giver, taker, count) for (giver, taker), count in ways.items()]


def best_of_the_others(trick: Json, options: Json, players: int) -> int:
    """Whose card is best without those of the side that won; the winner where no other can win."""
    plays = trick["plays"]
    if trick.get("called_suit"):
        first = next(play for play in plays if play["cards"] != ["E"])
        first["suit"] = trick["called_suit"]
    lead, trump = lead_of(plays, options["excuse_led"]), trick["trump"]
    side = {trick["winner"], (trick["winner"] + players // 2) % players}
    others = [play for play in plays if play["seat"] not in side and play["cards"] != ["E"]]
    able = [play for play in others if trump and trump in suits_of(play["cards"][0])]
    trumped = bool(able)
    if not able:
        able = [play for play in others if lead is None or shares(play["cards"][0], led_suits(lead))]
    if not able:
        return int(trick["winner"])
    top = max(rank_of(play["cards"][0]) for play in able)
    best = [play for play in able if rank_of(play["cards"][0]) == top]
    early = trumped or lead is None or best[0]["cards"][0][0] in "PC" or options["ties"] == "early"
    if len(best) > 1 and not early:
        assert lead is not None
        if options["ties"] == "late":
            return int(best[-1]["seat"])
        best.sort(
            key=lambda play: min(led_suits(lead).index(s) for s in suits_of(play["cards"][0]) if s in led_suits(lead))
        )
    return int(best[0]["seat"])
