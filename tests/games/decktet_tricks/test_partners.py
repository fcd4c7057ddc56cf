"""Partners, and how sentences name suits."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.games.decktet_tricks.oracle import Invalid, Table
from tests.games.decktet_tricks.oracle_cards import best_play
from tests.games.decktet_tricks.random_records import HONEST, random_table
from tests.games.decktet_tricks.random_story import Story
from tests.referee.telling import (
    Json,
    bids,
    exercises,
    hand,
    judged,
    judged_record,
    known,
    plays,
    ransoms,
    refusal,
    ruling_cards,
    trick,
)
from tests.seeds import FIRST, as_often_as

# --- What partners give up for a revoke (IR-4), compared with a plain reading of the clause

RECORDS = as_often_as(always=8, hunting=150)
"""How many partnership hands with a revoke are checked."""
REVOKING = replace(HONEST, liars=0.6)


def partner_hands(game: str) -> Iterator[tuple[int, Json]]:
    """Judge random partnership hands, and yield the finished ones with a revoke."""
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
    laid = [play["cards"] for trick in hand["tricks"] for play in trick["plays"]]
    return ["?"] not in laid and len(laid) == sum(hand["tricks_won"]) * len(hand["scores"])


@exercises("IR-4", "AT-V3", "RT-16")
@pytest.mark.parametrize("game", ["ace-trump", "ransom-trump"])
def test_partners_give_up_the_tricks_the_clause_names(game: str):
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
    """The positions of the tricks this revoke costs, if others have been given up already."""
    offender, place = finding["suspects"][0], finding["trick"] - 1
    players = len(hand["scores"])
    side = {offender, (offender + players // 2) % players}
    won = [trick["winner"] for trick in hand["tricks"]]
    later = [each for each in range(place, len(won)) if each not in gone and won[each] in side]
    if place in later and won[place] == offender:
        return later[:2]
    return later[:1]


def moves(hand: Json, due: list[int], options: Json) -> list[tuple[int, int, int]]:
    tricks = [hand["tricks"][place] for place in due]
    ways = Counter((trick["winner"], best_of_the_others(trick, options, len(hand["scores"]))) for trick in tricks)
    return [(giver, taker, count) for (giver, taker), count in ways.items() if giver != taker]


def best_of_the_others(trick: Json, options: Json, players: int) -> int:
    """Who has the best card apart from the winning side; the winner if no other can win."""
    plays, winner = trick["plays"], int(trick["winner"])
    if trick.get("called_suit"):
        first = next(play for play in plays if play["cards"] != ["E"])
        first["suit"] = trick["called_suit"]
    best = best_play(options, plays, trick["trump"], barred={winner, (winner + players // 2) % players})
    return winner if best is None else int(plays[best]["seat"])


# --- Sentences about suits: called suits with their clause, impossible ones with the reason

CALLED = {"called_suit": True}


def said(reason: Json) -> tuple[str, list[str]]:
    return reason["text"], reason["clauses"]


@exercises("AT-V7", "AT-10")
def test_a_trick_with_a_called_suit_names_it_and_its_clause():
    done = hand(plays("0:8MS/S 1:9MS 2:XM"), options=CALLED)
    assert said(done["tricks"][0]["reason"]) == (
        "The Pact (9 of Moons and Suns) is the highest card of the suit called, Suns.", ["AT-10", "AT-V7"],
    )  # fmt: skip
    ransomed = [*ransoms("AM 2MK 2WL"), *plays("0:8MS/S 1:9MS 2:XK")]
    done = hand(ransomed, game="ransom-trump", options=CALLED)
    assert done["tricks"][0]["reason"]["clauses"][:1] == ["RT-12"]


@exercises("AT-V7", "AT-5", "RT-16", "REC-17")
def test_a_revoke_against_a_called_suit_names_it_and_its_clause():
    found = hand(plays("0:8MS/S 1:4YK 2:9MS 2:9LK/L 0:XL 1:7SK"), options=CALLED)["irregularities"][0]
    text, clauses = said(found["reason"])
    assert text.startswith("Bob didn’t follow the suit called, Suns, with the Battle")
    assert clauses == ["AT-5", "AT-V7", "REC-17"]
    opened = ransoms("2MK 2WL 2SY")
    ransom = hand(opened, plays("0:8MS/S 1:4YK 2:9MS 2:9LK/L 0:XL 1:7SK"), game="ransom-trump", options=CALLED)
    assert ransom["irregularities"][0]["reason"]["clauses"] == ["RT-11", "RT-16", "AT-V7", "REC-17"]


@exercises("AT-V4", "RT-16", "WC-7", "REC-12")
@pytest.mark.parametrize(
    ("before", "game", "clauses"),
    [
        ([], "ace-trump", ["AT-V4", "REC-12"]),
        (ransoms("2MK 2WL 2SY"), "ransom-trump", ["RT-16", "AT-V4", "REC-12"]),
        (ruling_cards("XM AK XY"), "wildcat-chicane", ["WC-7", "REC-12"]),
    ],
)
def test_a_bid_out_of_turn_cites_who_bids_when(before: list[Json], game: str, clauses: list[str]):
    options = {} if game == "wildcat-chicane" else {"bidding": True}
    assert refusal(before, bids("1:3"), game=game, options=options)["reason"]["clauses"] == clauses


@exercises("AT-3", "AT-13")
def test_a_lead_out_of_turn_cites_who_leads():
    assert refusal(plays("1:8MS"))["reason"]["clauses"] == ["AT-3", "REC-12"]
    assert refusal(plays("0:8MS 1:9MS 2:4MS 0:XM"))["reason"]["clauses"] == ["AT-13", "REC-12"]


FIXED = {"trump": "fixed", "fixed_trump": "M"}
BOUGHT = ransoms("8MS 7SK 6LK")


@exercises("AT-8", "AT-V1", "AT-V6", "RT-7", "RT-Q3", "WC-5", "AT-V7")
@pytest.mark.parametrize(
    ("events", "more", "text"),
    [
        (plays("0:8MS/M"), {}, "At this table, no suit is named when a card is played."),
        (plays("0:8MS/M 1:9MS/M"), {"options": CALLED}, "A suit is named only with the card led: Moons can’t be"),
        (plays("0:8MS/K"), {"options": CALLED}, "Knots can’t be named with the Diplomat (8 of Moons and Suns), which"),
        (plays("0:8MS/Q"), {"options": CALLED}, "“Q” is not a suit."),
        ([trick(0, trump="Q")], {}, "“Q” is not a suit."),
        ([trick(0, trump="K"), trick(0, trump=None)], {}, "This hand has a trump by now: Knots."),
        ([*plays("0:8MS 1:? 2:AW"), trick(2, trump="K")], {}, "Trump can’t be Knots after this trick: no Ace"),
        ([*plays("0:AW 1:8MS 2:9MS"), trick(2, trump="K")], {"options": {"trump": "sticky"}},
         "Trump can’t be Knots after this trick: the first Ace made it Waves for the whole hand."),
        ([trick(2, trump="K")], {"options": FIXED}, "Trump can’t be Knots: in this hand it is Moons."),
        ([trick(2, trump=None)], {"options": FIXED}, "This hand has a trump by now: Moons."),
        ([trick(2, trump=None)], {"options": {"trump": "named"}}, "This hand has a trump: say which suit."),
        ([*BOUGHT, {"type": "trump", "seat": 0, "suit": "K"}], {"game": "ransom-trump"},
         "Trump can’t be Knots: the Diplomat (8 of Moons and Suns), which won the ransom, doesn’t show it."),
        ([*BOUGHT, trick(0, trump="K")], {"game": "ransom-trump"},
         "Trump can’t be Knots: the Diplomat (8 of Moons and Suns), which won the ransom, doesn’t show it."),
        ([*ransoms("2MK 2WL 2SY"), trick(0, trump="K")], {"game": "ransom-trump"}, "This hand has no trump."),
        ([*ruling_cards("XM AK XY"), *bids("0:1 1:1 2:1"), trick(0, trump="K")], {"game": "wildcat-chicane"},
         "Each player has their own trump, so no suit is trump for everyone."),
    ],
)  # fmt: skip
def test_an_impossible_suit_is_refused_with_the_reason(events: list[Json], more: dict[str, Any], text: str):
    assert refusal(events, **more)["reason"]["text"].startswith(text)


@exercises("REC-8")
def test_a_card_outside_the_pack_is_not_reported_as_held_elsewhere():
    ann = "8MS 9MS XM AM 2MK 3MW 5ML 7ML 4MS AS 3SK XS"
    own = judged(known(plays("0:AK"), s0=ann))["rejected"]["reason"]
    assert said(own) == ("The Ace of Knots is not in the hand entered for Ann.", ["REC-8"])
    other = judged(known(plays("0:8MS 1:9MS"), s0=ann))["rejected"]["reason"]["text"]
    assert other == "Bob can’t have the Pact (9 of Moons and Suns): it is in the hand entered for Ann."
