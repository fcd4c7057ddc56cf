"""Unseen cards, and every way of filling them in."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from referee.engine.offers import offers
from referee.engine.records import load_event, load_record, opened
from referee.engine.replaying import known_masks
from referee.engine.rules import Refused
from referee.engine.rulings import Refusal, Verdict
from referee.engine.table import TableState, deal, judge
from referee.tricks.hand import TrickHand
from tests.games.discovery import INVALID, RANDOM, parts_of_all
from tests.referee.telling import (
    REDEAL,
    REVOKE,
    Json,
    exercises,
    finding,
    found,
    hand,
    judged,
    known,
    plays,
    refusal,
    refused,
    remedy,
    result,
    trick,
    unchecked,
    winners,
)
from tests.seeds import FIRST, as_often_as

# --- Unseen cards of a trick (REC-19): what they leave open, how it is shown, what is still decided

FIXED = {"trump": "fixed", "fixed_trump": "S"}


@exercises("REC-19", "REC-2")
def test_the_winner_is_unknown_until_recorded():
    done = hand(plays("0:8MS 1:? 2:9MS"))
    assert (done["phase"], done["to_act"], winners(done)) == ("play", [], [None])
    assert [play["cards"] for play in done["tricks"][0]["plays"]] == [["8MS"], ["?"], ["9MS"]]
    assert (done["cards_left"], done["scores"]) == ([11, 11, 11], [0, 0, 0])
    reason = refusal(plays("0:8MS 1:? 2:9MS 2:XM"))["reason"]
    assert (reason["code"], reason["clauses"]) == ("wrong-phase", ["REC-2", "REC-19"])
    assert reason["text"] == "A card of this trick was not seen, and it may have won. First say who won the trick."
    after = hand(plays("0:8MS 1:? 2:9MS"), trick(1), plays("1:XL"))
    assert (winners(after), after["tricks"][1]["leader"], after["cards_left"]) == ([1, None], 1, [11, 10, 11])
    entry = after["tricks"][0]
    assert (entry["reason"]["code"], entry["points"]) == ("recorded-winner", {"1": 1})
    assert entry["reason"]["text"] == "Bob won it (not every card was seen)."


@exercises("REC-19", "REC-18")
def test_the_hand_lists_unseen_cards():
    done = hand(plays("0:8MS 1:? 2:9MS"), trick(1), plays("1:XL"), trick(1))
    assert unchecked(done)["cards-unseen"].startswith("3 cards were played unseen.")
    assert "no-counting" in unchecked(done)
    assert "tricks-without-cards" not in unchecked(done)
    assert unchecked(hand(plays("0:8MS 1:?")))["cards-unseen"].startswith("1 card was played unseen.")
    assert "cards-unseen" not in unchecked(hand(plays("0:8MS 1:9MS")))


@exercises("REC-19", "AT-9", "AT-V6")
@pytest.mark.parametrize(
    ("cards", "options", "winner"),
    [
        ("0:XS 1:? 2:9MS", FIXED, 0),  # the Crown of trump
        ("0:9MS 1:? 2:XS", FIXED, 2),
        ("0:? 1:? 2:XS", FIXED, 2),
        ("0:8MS 1:? 2:9MS", FIXED, None),  # the Crown of trump may have been there
        ("0:XM 1:? 2:9WY", FIXED, None),  # any trump
        ("0:XM 1:? 2:9WY", {}, None),  # an Ace
        ("0:9MS 1:? 2:AS", {"trump": "sticky"}, None),  # an Ace before the Ace
    ],
)
def test_a_winner_is_certain_if_every_possible_card_agrees(cards, options, winner):
    done = hand(plays(cards), options=options)
    assert winners(done) == [winner]
    if winner is not None:
        entry = done["tricks"][0]
        assert (entry["reason"]["code"], done["to_act"]) == ("wins-anyway", [winner])
        name = ("Ann", "Bob", "Cy")[winner]
        assert entry["reason"]["text"] == f"{name} wins the trick, whatever the unseen cards were."
        assert entry["reason"]["clauses"] == ["AT-9", "AT-10", "REC-19"]


@exercises("REC-17", "REC-19")
def test_an_unseen_card_claims_nothing_and_may_be_any_entered_card():
    done = hand(plays("0:8MS 1:? 2:9MS"), trick(2), plays("2:9LK 0:XL 1:3MW"))
    assert found(done) == []
    # direct proofs go on: Bob follows nothing, and later shows a Moon
    lied = hand(plays("0:8MS 1:2WL 2:?"), trick(0), plays("0:XL 1:3MW"))
    assert found(lied) == [("revoke", "proved", 1)]
    entered = "3MW 9MS 2WL AK XK 3LY 4YK 5YK 6LK 7WY 8YK 9LK"
    events = [*plays("0:XL 1:? 2:4WL"), trick(0), *plays("0:8MS 1:2WL")]
    answer = judged(known(events, s1=entered))
    assert answer["rejected"]["reason"]["code"] == "revoke"  # two cards would have followed, and one went unseen
    fewer = [*plays("0:XL 1:? 2:4WL"), trick(0), *plays("0:8MS 1:9MS 2:XM"), *plays("2:4MS 0:AM 1:2WL")]
    assert judged(known(fewer, s1=entered))["rejected"] is None


@exercises("AT-V7", "REC-19")
def test_an_unseen_lead_can_have_a_called_suit():
    options = {"called_suit": True}
    done = hand(plays("0:?/M 1:2WL 2:8MS"), trick(0), plays("0:4MS/M 1:XM"), options=options)
    assert found(done) == [("revoke", "proved", 1)]
    assert refused(plays("0:?/Z"), options=options) == ("impossible", "bad-suit")
    assert refused(plays("0:8MS/M 1:?/M"), options=options) == ("impossible", "bad-suit")
    assert refused(plays("0:?/M")) == ("impossible", "bad-suit")


@exercises("REC-12", "REC-7", "REC-4")
def test_an_unseen_card_is_played_like_any_other():
    assert refused(plays("1:?")) == ("irregular", "out-of-turn")
    assert found(hand(plays("1:?!"))) == [("out-of-turn", "seen", 1)]
    assert refused(plays("0:? 0:?")) == ("impossible", "too-many-cards")
    assert refused({"type": "play", "seat": 0, "cards": ["?", "?"]}) == ("impossible", "wrong-count")
    assert refused(plays("3:?")) == ("impossible", "no-such-seat")
    assert refused(plays("0:?"), options={"bidding": True}) == ("impossible", "wrong-phase")


@exercises("REC-11", "REC-19", "AT-10")
def test_only_possible_winners_can_be_named():
    assert refused(plays("0:8MS 1:9MS"), trick(0)) == ("impossible", "bad-result")
    reason = refusal(plays("0:8MS 1:9MS"), trick(0))["reason"]
    assert reason["text"] == "Going by the cards that were seen, Ann can’t have won this trick."
    assert refused(plays("0:8MS 1:3LY 2:?"), trick(1), options=FIXED) == ("impossible", "bad-result")
    assert refused(plays("0:8MS 1:3LY 2:?"), trick(1, trump=None)) == ("impossible", "bad-result")
    assert hand(plays("0:8MS 1:3LY 2:?"), trick(1, trump="L"))["tricks_won"] == [0, 1, 0]  # the Ace of Leaves fell
    assert refused(plays("0:8MS 1:3LY 2:?"), trick(0, trump="L")) == ("impossible", "bad-result")


@exercises("REC-11", "REC-19")
def test_a_result_ends_a_hand_between_tricks_or_at_an_undecided_trick():
    done = hand(plays("0:8MS 1:? 2:9MS"), result(4, 4, 4))
    assert (done["phase"], winners(done)) == ("finished", [None])
    assert (done["scores"], done["cards_left"]) == ([4, 4, 4], [0, 0, 0])
    assert refused(plays("0:8MS 1:9MS"), result(4, 4, 4)) == ("impossible", "wrong-phase")
    assert refused(plays("0:8MS 1:?"), result(4, 4, 4)) == ("impossible", "wrong-phase")
    last = [*[trick(0)] * 11, *plays("0:8MS 1:9MS 2:?")]
    assert refused(last, result(12, 0, 0)) == ("impossible", "bad-result")
    assert hand(last, result(11, 1, 0))["scores"] == [11, 1, 0]
    assert judged([*plays("0:8MS 1:? 2:9MS"), REDEAL], [])["hands"][0]["phase"] == "void"


@exercises("AT-8", "AT-V1", "REC-9", "REC-6")
def test_trump_after_a_trick_with_unseen_cards_must_be_possible():
    assert hand(plays("0:8MS 1:? 2:9MS"), trick(1, trump="K"))["trump"] == "K"
    assert refused(plays("0:8MS 1:? 2:9MS"), trick(1, trump="K"), plays("1:AK")) == ("impossible", "already-played")
    # an Ace that fell later in the trick says what is trump
    assert refused(plays("0:8MS 1:? 2:AW"), trick(2, trump="K")) == ("impossible", "bad-suit")
    assert hand(plays("0:8MS 1:AW 2:?"), trick(2, trump="K"))["trump"] == "K"
    assert hand(plays("0:8MS 1:AW 2:?"), trick(1, trump="W"))["trump"] == "W"
    # under Sticky Aces the first one does
    sticky = {"trump": "sticky"}
    assert refused(plays("0:8MS 1:AW 2:?"), trick(1, trump="K"), options=sticky) == ("impossible", "bad-suit")
    assert hand(plays("0:8MS 1:? 2:AW"), trick(1, trump="K"), options=sticky)["trump"] == "K"
    settled = [*plays("0:8MS 1:? 2:AW"), trick(0, trump="M")]
    assert refused(settled, trick(0, trump="K"), options=sticky) == ("impossible", "bad-suit")
    # left open, it is in doubt
    open_trump = hand(plays("0:8MS 1:? 2:9MS"), trick(1), plays("1:XL 2:4WL 0:2WL"))
    assert "trump-unknown" in unchecked(open_trump)
    no_trump = hand(plays("0:8MS 1:? 2:9MS"), trick(1, trump=None), plays("1:XL 2:4WL 0:2WL"))
    assert "trump-unknown" not in unchecked(no_trump)


@exercises("AT-V5", "AT-Q19", "REC-19")
@pytest.mark.parametrize(
    ("cards", "closing", "options", "size"),
    [
        ("0:8MS 1:? 2:3MW", {}, {}, 3),
        ("0:8MS 1:3MW 2:?", {}, {}, None),
        ("0:8MS 1:3MW 2:?", {"last": "7SK"}, {}, 7),
        ("0:8MS 1:? 2:3MW", {"last": "3MW"}, {}, 3),
        ("0:8MS 1:3MW", {}, {}, None),
        ("0:8MS 1:3MW 2:?", {}, {"tides_last": "winning"}, 8),
        ("0:8MS 1:? 2:E", {}, {"excuse": True}, None),
    ],
)
def test_the_next_hand_size_is_known_if_its_card_was_seen(cards: str, closing: Json, options: Json, size: int | None):
    events = [*plays(cards), trick(0, **closing)]
    answer = judged(events, options={"tides": True} | options)
    assert answer["rejected"] is None
    assert answer["next"]["hand_size"] == (None if size is None else [size] * 3)


@exercises("IR-4", "REC-19")
def test_the_cost_of_a_trick_with_unseen_cards_is_left_to_the_table():
    events = [*REVOKE, *plays("0:2SY 1:7WY 2:?"), trick(1)]
    assert remedy(finding(events), "bridge")["pending"]["code"] == "remedy-unseen"


# -- what a card that nobody saw can be counts later on -----------------------------------------

ENTERED = "7ML 8WL 6SY XY 4YK 2MK 8YK XK XW 7WY 9WY 3MW"
WON_UNSEEN = [*plays("0:5ML 1:? 2:4MS"), trick(1), *plays("1:4YK 2:6LK 0:9LK")]
"""Seat 1 won the first trick with the Chance Meeting or the Mill: the other cards of the hand cannot have."""


def stopped_by(*events: list[Json], entered: str = ENTERED) -> str | None:
    """Return the code that stops a record in which seat 1's hand was entered."""
    rejected = judged(known([event for some in events for event in some], s1=entered))["rejected"]
    return rejected and rejected["reason"]["code"]


@exercises("REC-19", "AT-5")
def test_an_unseen_card_excuses_only_cards_it_could_be():
    assert stopped_by(WON_UNSEEN, plays("0:XS 1:XY")) == "revoke"  # the Penitent would have followed
    assert stopped_by(WON_UNSEEN, plays("0:XL 1:XY")) == "revoke"  # one of two Leaves went unseen, not both
    assert stopped_by(WON_UNSEEN, plays("0:XL 1:8WL 2:9MS 0:AL 1:XY")) is None


@exercises("REC-19", "REC-6")
def test_a_later_card_can_identify_an_earlier_unseen_one():
    assert stopped_by(WON_UNSEEN, plays("0:XM 1:7ML")) is None
    assert stopped_by(WON_UNSEEN, plays("0:XM 1:7ML 2:9MS 0:XL 1:8WL")) == "already-played"
    entered = "XY XK 3LY 4MS 4WL 5ML 5SW 6MW 6SY 7ML 7SK 8MS"
    crowns = [*plays("0:8YK 1:? 2:2MK"), trick(1), *plays("1:4MS 2:9MS 0:2SY 2:9LK 0:2WL 1:?"), trick(1)]
    assert stopped_by(crowns, plays("1:8MS"), entered=entered) is None
    assert stopped_by(crowns, plays("1:XY"), entered=entered) == "already-played"


# --- A trick with unseen cards must be possible; what all fillings agree on is known (REC-19)

TABLES: dict[str, Callable[[Any], Any]] = parts_of_all("oracle", "Table")
"""The second adjudicators' tables of trick-taking games."""
SEEDS = as_often_as(always=10, hunting=200)
FEW = 2
"""The most unseen places for which the second adjudicators try every card."""
MOONS = plays("0:AM 1:9MS 2:2MK")
"""The Ace of Moons makes Moons trump; Bob's Pact wins."""
EITHER = [*MOONS, *plays("1:XM 2:? 0:4WL")]
"""Moons are trump. Ann's Sailor wins if Cy played the Ace of Waves or of Leaves, Cy with another Ace."""


@exercises("AT-8", "REC-11", "REC-19")
def test_a_winner_needs_a_card_that_could_have_won():
    for winner in (0, 2):
        assert refused(EITHER, trick(winner)) == ("impossible", "bad-result")
    text = refusal(EITHER, trick(0))["reason"]["text"]
    assert text.endswith("an unseen card changed the trump. Say what is trump now: Leaves or Waves.")
    for suit, winner in (("W", 0), ("L", 0), ("S", 2), ("Y", 2), ("K", 2)):
        assert hand(EITHER, trick(winner, trump=suit))["trump"] == suit
        assert refused(EITHER, trick(2 - winner, trump=suit)) == ("impossible", "bad-result")
    assert hand(EITHER, trick(1))["trump"] == "M"
    assert refused(EITHER, trick(0, trump="M")) == ("impossible", "bad-result")


@exercises("AT-8", "REC-19")
def test_a_player_still_to_play_can_only_win_with_an_available_card():
    assert refused(plays("0:8MS 1:XM"), trick(0)) == ("impossible", "bad-result")
    done = hand(plays("0:8MS 1:XM"), trick(0, trump="S"))
    assert (done["trump"], winners(done)) == ("S", [0])
    assert refused(plays("0:8MS 1:XM"), trick(0, trump="S"), plays("0:AS")) == ("impossible", "already-played")


@exercises("AT-V7", "AT-Q9", "AT-16")
def test_the_card_after_an_unseen_lead_that_may_be_the_excuse_can_call_a_suit():
    options = {"called_suit": True, "excuse": True}
    done = hand(plays("0:? 1:8MS/S 2:9MS"), options=options)
    assert winners(done) == [2]  # the unseen card was the Excuse
    full = hand(plays("0:? 1:8MS/S 2:XM 3:9MS"), players=4, options=options)
    assert winners(full) == [3]
    assert refused(plays("0:? 1:8MS/S 2:9MS 2:E"), options=options) == ("impossible", "already-played")
    # without a call it is unknown, and no one is accused
    assert found(hand(plays("0:? 1:8MS 2:9MS"), options=options)) == []
    assert refused(plays("0:? 1:8MS/S"), options={"called_suit": True}) == ("impossible", "bad-suit")
    assert refused(plays("0:?/M 1:8MS/S"), options=options) == ("impossible", "bad-suit")


@exercises("AT-V5", "AT-8", "REC-8")
def test_an_entered_hand_of_one_card_identifies_the_unseen_card():
    only = known(plays("0:AW 1:?"), s1="AM")
    answer = judged(only, players=2, options={"tides": True})
    (done,) = answer["hands"]
    assert (winners(done), done["tricks"][0]["trump"], done["trump"]) == ([1], "M", "M")
    assert answer["next"]["hand_size"] == [1, 1]
    carried = judged(only, plays("0:8MS"), players=2, options={"tides": True, "trump_carry": True})
    assert carried["hands"][1]["trump"] == "M"
    assert "trump-unknown" not in unchecked(carried["hands"][1])


@exercises("AT-10", "REC-6", "REC-19")
def test_a_card_played_in_every_possible_world_counts_as_played():
    fixed = {"trump": "fixed", "fixed_trump": "M"}
    won = [*plays("0:XS 1:9MS 2:?"), trick(2)]  # only the Crown of trumps beats the Pact
    assert refused(won, plays("2:2WL 0:XM"), options=fixed) == ("impossible", "already-played")
    text = refusal(won, plays("2:XM"), options=fixed)["reason"]["text"]
    assert text == "The Huntress (Crown of Moons) has already been played: it was one of the unseen cards."
    assert winners(hand(won, plays("2:2WL 0:8MS 1:?"), options=fixed)) == [2, 0]


# -- every way, tried -----------------------------------------------------------------------------


def side_by_side(game: str, seed: int) -> Iterator[tuple[TableState, Any]]:
    """Yield the referee's and the second adjudicator's table of a random record after each accepted event."""
    data = RANDOM[game](Random(seed))
    try:
        record = load_record(data)
        table: Any = opened(record)
        other = TABLES[game](data)
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


@pytest.mark.smoke
@pytest.mark.parametrize("game", TABLES)
def test_a_winner_and_trump_are_accepted_if_and_only_if_some_cards_give_them(game: str):
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
            offered = {(event["winner"], event.get("trump", "untold")) for event in offer.events}
            assert offered <= taken, (seed, offered - taken)
            missing = taken - offered
            assert all(trump in (None, table.hand.trump) for _, trump in missing), (seed, missing)
