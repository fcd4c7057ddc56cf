"""A trick closed with unseen cards has to be possible; what all ways of filling them in agree on is known (REC-19)."""

from collections.abc import Iterator
from copy import deepcopy
from importlib import import_module
from random import Random
from typing import Any

import pytest

from referee.engine.catalogue import all_games
from referee.engine.offers import offers
from referee.engine.options import Refused
from referee.engine.reading import load_event
from referee.engine.records import load_record
from referee.engine.replaying import known_masks
from referee.engine.rulings import Refusal, Verdict
from referee.engine.table import TableState, deal, judge, open_table
from referee.tricks.hand import TrickHand
from tests.games.discovery import INVALID, ORACLES, RANDOM
from tests.referee.telling import (
    bids,
    exercises,
    found,
    hand,
    judged,
    known,
    plays,
    refusal,
    refused,
    ruling_cards,
    trick,
    winners,
)
from tests.seeds import FIRST, as_often_as

Json = dict[str, Any]
TRICK_GAMES = tuple(game.id for game in all_games() if game.id in ORACLES and issubclass(game.hand_class, TrickHand))
SEEDS = as_often_as(always=10, hunting=200)
FEW = 2
"""The second adjudicators try every card of so many places at most."""
MOONS = plays("0:AM 1:9MS 2:2MK")
"""The Ace of Moons makes Moons trump; Bob's Pact wins."""
EITHER = [*MOONS, *plays("1:XM 2:? 0:4WL")]
"""Moons are trump. Ann's Sailor wins if Cy played the Ace of Waves or of Leaves, Cy with another Ace."""


def said(done: Json, code: str) -> bool:
    """Return whether a hand says so of what could not be checked."""
    return any(reason["code"] == code for reason in done["unchecked"])


# -- winner and trump together ------------------------------------------------------------------


@exercises("AT-8", "REC-11", "REC-19")
def test_a_winner_needs_a_card_that_can_have_won():
    for winner in (0, 2):
        assert refused(EITHER, trick(winner)) == ("impossible", "bad-result")
    text = refusal(EITHER, trick(0))["reason"]["text"]
    assert text.endswith("a card that nobody saw changed the trump. Say what is trump now: Leaves or Waves.")
    for suit, winner in (("W", 0), ("L", 0), ("S", 2), ("Y", 2), ("K", 2)):
        assert hand(EITHER, trick(winner, trump=suit))["trump"] == suit
        assert refused(EITHER, trick(2 - winner, trump=suit)) == ("impossible", "bad-result")
    assert hand(EITHER, trick(1))["trump"] == "M"
    assert refused(EITHER, trick(0, trump="M")) == ("impossible", "bad-result")


@exercises("AT-8", "REC-19")
def test_a_player_who_has_not_played_can_only_have_won_with_a_card_that_there_is():
    assert refused(plays("0:8MS 1:XM"), trick(0)) == ("impossible", "bad-result")
    done = hand(plays("0:8MS 1:XM"), trick(0, trump="S"))
    assert (done["trump"], winners(done)) == ("S", [0])
    assert refused(plays("0:8MS 1:XM"), trick(0, trump="S"), plays("0:AS")) == ("impossible", "already-played")


@exercises("AT-V7", "AT-Q9", "AT-16")
def test_an_unseen_lead_may_be_the_excuse_so_that_the_next_card_calls_a_suit():
    options = {"called_suit": True, "excuse": True}
    done = hand(plays("0:? 1:8MS/S 2:9MS"), options=options)
    assert winners(done) == [2]  # the unseen card was the Excuse
    full = hand(plays("0:? 1:8MS/S 2:XM 3:9MS"), players=4, options=options)
    assert winners(full) == [3]
    assert refused(plays("0:? 1:8MS/S 2:9MS 2:E"), options=options) == ("impossible", "already-played")
    # without a call nobody can say, and nothing is held against anybody
    assert found(hand(plays("0:? 1:8MS 2:9MS"), options=options)) == []
    assert refused(plays("0:? 1:8MS/S"), options={"called_suit": True}) == ("impossible", "bad-suit")
    assert refused(plays("0:?/M 1:8MS/S"), options=options) == ("impossible", "bad-suit")


# -- what all ways agree on ---------------------------------------------------------------------


@exercises("AT-V5", "AT-8", "REC-8")
def test_an_entered_hand_of_one_card_says_what_nobody_saw():
    only = known(plays("0:AW 1:?"), s1="AM")
    answer = judged(only, players=2, options={"tides": True})
    (done,) = answer["hands"]
    assert (winners(done), done["tricks"][0]["trump"], done["trump"]) == ([1], "M", "M")
    assert answer["next"]["hand_size"] == [1, 1]
    carried = judged(only, plays("0:8MS"), players=2, options={"tides": True, "trump_carry": True})
    assert carried["hands"][1]["trump"] == "M"
    assert not said(carried["hands"][1], "trump-unknown")


@exercises("AT-8", "REC-19")
def test_a_trump_that_may_be_either_of_two_is_unknown_and_a_trick_is_judged_where_both_agree():
    table: Json = {"players": 2, "dealer": 1, "options": {"tides": True}}
    first = plays("0:9MS 1:2SY")  # two cards each are dealt next
    done = judged(first, known(plays("1:? 0:XM"), s1="AW AL"), **table)["hands"][1]
    assert (winners(done), done["trump"], said(done, "trump-unknown")) == ([1], None, True)
    last = judged(first, known(plays("1:? 0:XM 1:? 0:2WL"), s1="AW AL"), **table)["hands"][1]
    assert winners(last) == [1, 0]
    seen = judged(first, known(plays("1:? 0:XM 1:AL"), s1="AW AL"), **table)["hands"][1]
    assert seen["trump"] == "L"


@exercises("AT-8", "REC-19")
def test_a_later_trick_in_which_the_trumps_that_can_be_differ_says_so():
    table: Json = {"players": 3}
    blind = hand(trick(0), plays("0:8MS 1:9MS 2:XM"), **table)
    assert said(blind, "trump-unknown")  # by the Ace of Suns the Pact would have won
    same = hand(trick(0), plays("0:XM 1:AM 2:AS"), **table)
    assert not said(same, "trump-unknown")


@exercises("AT-10", "REC-6", "REC-19")
def test_a_card_that_fell_in_every_way_has_been_played():
    fixed = {"trump": "fixed", "fixed_trump": "M"}
    won = [*plays("0:XS 1:9MS 2:?"), trick(2)]  # only the Crown of trumps beats the Pact
    assert refused(won, plays("2:2WL 0:XM"), options=fixed) == ("impossible", "already-played")
    text = refusal(won, plays("2:XM"), options=fixed)["reason"]["text"]
    assert text == "The Huntress (Crown of Moons) has been played already: it was one of the cards that nobody saw."
    assert winners(hand(won, plays("2:2WL 0:8MS 1:?"), options=fixed)) == [2, 0]


# -- every game by its own rules ------------------------------------------------------------------


@exercises("WC-11", "WC-13", "REC-19")
def test_in_wildcat_chicane_a_player_wins_only_by_the_own_reading():
    ruled = [*ruling_cards("XM AM XS"), *bids("0:1 1:1 2:1")]
    # Bob reads by the bottom and has no Moon left
    assert refused(ruled, plays("0:9MS 1:?"), trick(1), game="wildcat-chicane") == ("impossible", "bad-result")
    assert winners(hand(ruled, plays("0:9MS 1:? 2:8MS"), game="wildcat-chicane")) == [0]


@exercises("RT-12", "RT-Q3", "REC-19")
def test_a_trick_can_tell_the_trump_of_a_hand_begun_without_its_ransoms():
    unseen = plays("0:8MS 1:? 2:XM")
    for event in (trick(0), trick(0, trump="S")):  # only Suns as trump make the Diplomat win
        assert hand(trick(0), unseen, event, game="ransom-trump")["trump"] == "S"
    assert refused(trick(0), unseen, trick(0, trump="M"), game="ransom-trump") == ("impossible", "bad-result")


# -- every way, tried -----------------------------------------------------------------------------


def side_by_side(game: str, seed: int) -> Iterator[tuple[TableState, Any]]:
    """Yield the referee's and the second adjudicator's table of a random record, after each event that both take."""
    data = RANDOM[game](Random(seed))
    try:
        record = load_record(data)
        table: Any = open_table(record.rules, first_dealer=record.first_dealer, carried=record.carried)
        other = import_module(ORACLES[game].__module__).Table(data)
        for told, written in zip(record.hands, data["hands"], strict=True):
            if other.refusal():
                return
            other.start_hand(written.get("known", {}))
            table = deal(table, known_masks(record.rules.pack, told.known))
            for event, raw in zip(told.events, written["events"], strict=True):
                ruling = judge(table, event)
                if isinstance(table, Refusal) or ruling.verdict is not Verdict.ACCEPTED or other.apply(raw):
                    return
                table = ruling.table
                yield table, other
    except Refused:
        return
    except INVALID:
        return


@pytest.mark.parametrize("game", TRICK_GAMES)
def test_every_pair_of_winner_and_trump_is_taken_if_and_only_if_some_cards_give_it(game: str):
    for seed in range(FIRST, FIRST + SEEDS):
        for table, other in side_by_side(game, seed):
            theirs = other.hands[-1]
            trick_open = theirs.open_trick()
            if trick_open is None or theirs.unseen_slots() > FEW or theirs.phase() != "play":
                continue
            if not any(play["cards"] == ["?"] for play in trick_open["plays"]):
                continue
            suits = [suit.code for suit in table.rules.pack.suits]
            taken: set[tuple[object, object]] = set()
            for winner in range(table.rules.players):
                for trump in ("untold", None, *suits):
                    event = trick(winner) | ({} if trump == "untold" else {"trump": trump})
                    ruling = judge(table, load_event(event))
                    code = None if ruling.verdict is Verdict.ACCEPTED else ruling.reason.code  # type: ignore[union-attr]
                    refusal_of_theirs = deepcopy(other).apply(event)
                    assert code == (refusal_of_theirs and refusal_of_theirs[1]), (seed, len(theirs.tricks), event)
                    if code is None:
                        taken.add((winner, trump))
            assert isinstance(table.hand, TrickHand)
            (offer,) = (each for each in offers(table, table.hand.asks()) if each.ask.event == "trick")
            offered: set[tuple[object, object]] = {
                (event["winner"], event.get("trump", "untold")) for event in offer.events
            }
            assert offered <= taken, (seed, offered - taken)
            missing = taken - offered
            assert all(trump in (None, table.hand.trump) for _, trump in missing), (seed, missing)
