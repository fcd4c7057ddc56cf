"""The argument of a proof by counting, checked card by card by the second adjudicator (REC-18)."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, cast

import pytest

from referee.engine.adjudication import adjudicate
from referee.engine.records import load_record
from tests.games.decktet_tricks.oracle import Table
from tests.games.decktet_tricks.oracle_hand import Hand
from tests.games.decktet_tricks.oracle_proof import Claim, can_be_placed
from tests.games.decktet_tricks.random_records import GAMES, random_record
from tests.games.tricks.random_story import Mischief
from tests.referee.telling import Json, exercises, hand, judged, known, plays, result
from tests.referee.tricks.test_proofs import EVERY_MOON_ELSEWHERE
from tests.seeds import FIRST, as_often_as

RECORDS = as_often_as(always=200, hunting=400)
LIARS = Mischief(liars=1.0, impossible=0.0, coarse=0.05, known=0.4, aliases=0.0)


def findings(data: Json) -> Iterator[Json]:
    """Yield every finding by counting that a record holds, as it was found and while it stands."""
    for described in cast(Json, adjudicate(load_record(data)))["hands"]:
        yield from (found for found in described["irregularities"] if found["certainty"] == "joint")


@cache
def drawn(game: str) -> tuple[tuple[Json, Json], ...]:
    """Return random records of liars, each with a finding by counting."""
    records = (random_record(Random(seed), game, LIARS) for seed in range(FIRST, FIRST + RECORDS))
    return tuple((data, found) for data in records for found in findings(data))


def told_until(data: Json, position: list[int]) -> tuple[Hand, list[Claim]]:
    """Tell a record to the second adjudicator up to an event; return the hand and all claims made in it."""
    table = Table(data)
    number, event = position
    for index, told in enumerate(data["hands"][: number + 1]):
        table.start_hand(told.get("known", {}))
        for each in told["events"][: event + 1 if index == number else None]:
            assert table.apply(each) is None
    return table.hands[-1], table.hands[-1].claims


def check(data: Json, found: Json) -> None:
    """Check an argument from nothing but the record."""
    at, made = told_until(data, found["proved_by"][0])
    argument = found["argument"]
    acts = [excluded["event"] for excluded in argument["excluded_by"]]
    assert acts == found["claims"]
    claims = [claim for claim in made if [at.index, claim.event] in acts]
    assert [(claim.seat, claim.event) for claim in claims] == [
        (excluded["seat"], excluded["event"][1]) for excluded in argument["excluded_by"]
    ]
    suspects = {claim.seat for claim in claims}
    assert sorted(suspects) == found["suspects"]

    cards = set(argument["cards"])
    situation = next(each for each in at.situations(at.position) if cards & set(each.unseen))
    for card in situation.unseen:
        denied_by = {claim.seat for claim in claims if card in claim.forbidden}
        assert (card in cards) is (denied_by == suspects)
    assert cards <= set(situation.unseen)
    room = {"aside" if place == -1 else place: left for place, left in situation.room.items()}
    assert {each["place"]: each["cards"] for each in argument["room"]} == {
        place: left for place, left in room.items() if left and place not in suspects
    }
    assert sum(each["cards"] for each in argument["room"]) < len(cards)
    for left_out in claims:
        assert can_be_placed(situation, [claim for claim in claims if claim is not left_out])


@exercises("REC-18", "WC-2", "REC-8")
@pytest.mark.parametrize("game", GAMES)
def test_the_argument_of_every_finding_by_counting_holds(game: str):
    for data, found in drawn(game):
        check(data, found)
    assert drawn(game)


def sentence(*events: Any, **more: Any) -> str:
    """Return what is said of the first finding of a hand."""
    return str(hand(*events, **more)["irregularities"][0]["reason"]["text"])


@exercises("REC-18")
def test_the_sentence_says_which_cards_whose_claims_and_where_there_is_room():
    done = hand(EVERY_MOON_ELSEWHERE, players=4)["irregularities"][0]
    assert done["reason"]["text"] == (
        "Of AM, 2MK, 3MW, 4MS, 5ML, 6MW, 7ML, 8MS and 9MS only 8 can lie with Ann: "
        "Bob, Cy and Dot said by their plays that they hold none; not all of that can be true."
    )
    assert done["argument"] == {
        "cards": ["AM", "2MK", "3MW", "4MS", "5ML", "6MW", "7ML", "8MS", "9MS"],
        "excluded_by": [{"seat": seat, "event": [0, seat]} for seat in (1, 2, 3)],
        "room": [{"place": 0, "cards": 8}],
    }


@exercises("REC-18", "AT-2")
def test_cards_set_aside_are_room_too():
    five = plays("0:XM 1:AS 2:AL 3:AY 4:AK")
    assert sentence(five, players=5).startswith(
        "Of AM, 2MK, 3MW, 4MS, 5ML, 6MW, 7ML, 8MS and 9MS only 7 can lie with Ann or aside: Bob, Cy, Dot and Eve said"
    )


@exercises("REC-18", "REC-8")
def test_an_entered_hand_has_no_room():
    moons = "XM AM 2MK 3MW 4MS 5ML 6MW 7ML 8MS"
    done = judged(known(EVERY_MOON_ELSEWHERE, s0=moons), players=4)["hands"][0]["irregularities"][0]
    assert done["argument"]["room"] == []
    assert done["reason"]["text"] == (
        "For 9MS no other place is left: "
        "Bob, Cy and Dot said by their plays that they hold none; not all of that can be true."
    )


# -- one suspect ------------------------------------------------------------------------------

CY = "AL AY AK 2WL 3LY 4WL 4YK 5YK 6LK 7WY 8WL 8YK"
"""Cy’s hand, entered: neither a Moon nor a Sun."""
BOB_DENIES = plays("0:8MS 1:XW 2:2WL")
"""Sixteen Moons and Suns are out, Ann has room for eleven cards, and Bob says that he has none."""
BOB_WINS = plays("0:9WY 1:XY 2:7WY")
"""The next trick goes to Bob; without his Crown, Ann would win it."""


def offered(*events: Json | list[Json]) -> tuple[Json, dict[str, Json]]:
    """Return the finding of a hand in which Cy’s cards are known, and its remedies by code."""
    told = [each for part in events for each in (part if isinstance(part, list) else [part])]
    found = judged(known(told, s2=CY))["hands"][0]["irregularities"]
    assert [each["certainty"] for each in found] == ["joint"]
    return found[0], {remedy["code"]: remedy for remedy in found[0]["remedies"]}


@exercises("REC-18")
def test_a_single_suspect_is_named():
    found, _ = offered(BOB_DENIES)
    assert (found["certainty"], found["seat"], found["suspects"]) == ("joint", None, [1])
    assert found["claims"] == [[0, 1]]
    assert found["argument"]["room"] == [{"place": 0, "cards": 11}]
    assert found["reason"]["text"] == (
        "Of AM, AS, 2MK, 2SY, 3MW, 3SK, 4MS, 5ML, 5SW, 6MW, 6SY, 7ML, 7SK, 9MS, XM and XS only 11 can lie with Ann: "
        "Bob said by what they played that they hold none, which cannot be true."
    )


@exercises("REC-18", "IR-4")
def test_the_remedies_of_a_single_suspect_are_for_that_player():
    _, waiting = offered(BOB_DENIES)
    assert waiting["bridge"]["pending"]["code"] == "remedy-next-trick"
    assert "Bob" in waiting["bridge"]["pending"]["text"]
    assert waiting["hand-zero"]["pending"]["code"] == "remedy-at-end"
    _, done = offered(BOB_DENIES, BOB_WINS)
    (moved,) = done["bridge"]["events"]
    assert (moved["from_seat"], moved["to_seat"], moved["tricks"]) == (1, 0, 1)
    assert done["bridge"]["effect"]["scores"] == {"before": [1, 1, 0], "after": [2, 0, 0]}
    _, over = offered(BOB_DENIES, BOB_WINS, result(6, 4, 2))
    (paid,) = over["hand-zero"]["events"]
    assert (paid["seat"], paid["points"]) == (1, -4)


@exercises("REC-18", "IR-4")
def test_of_two_acts_of_one_player_tricks_are_given_up_only_if_it_does_not_matter_which_was_unlawful():
    neither_won = plays("0:XM 1:XW 2:2WL 0:XS 1:9LK 2:4WL")
    found, _ = offered(neither_won)
    assert (found["suspects"], found["claims"]) == ([1], [[0, 1], [0, 4]])
    _, same = offered(neither_won, plays("0:9WY 1:XY 2:7WY"))
    assert [event["tricks"] for event in same["bridge"]["events"]] == [1]

    first_won = plays("0:XM 1:AW 2:3LY 1:9LK 2:6LK 0:XL 0:XS 1:XY 2:5YK 0:9MS 1:9WY 2:4YK")
    found, differs = offered(first_won)
    assert (found["suspects"], found["claims"]) == ([1], [[0, 1], [0, 7]])
    assert differs["bridge"]["pending"]["code"] == "remedy-which-trick"
    assert "Bob" in differs["bridge"]["pending"]["text"]


@exercises("REC-18", "WC-2")
def test_aces_and_crowns_are_counted_apart_and_the_sentence_says_so():
    told = set()
    for _, found in drawn("wildcat-chicane"):
        high = {card[0] in "AX" for card in found["argument"]["cards"]}
        assert len(high) == 1
        apart = "Only Aces and Crowns are counted" if True in high else "Only number cards are counted"
        assert apart in found["reason"]["text"]
        told.add(apart)
    assert told
