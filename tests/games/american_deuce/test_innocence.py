"""Nobody innocent is accused: who is asked by silence, what rests on a naming, and what a later card takes back."""

import pytest

from tests.games.american_deuce.telling import NAMED, drop, hand, judged, with_known
from tests.games.american_deuce.told_rounds import RESTS_ON_NAMING, play_round
from tests.referee.telling import Json, accepted, exercises, found, plays
from tests.seeds import FIRST, as_often_as

ROUNDS = as_often_as(always=600, hunting=2000)
"""Rounds in one run of the tests; `make innocent N=10000` plays as many as somebody likes."""
HERS = "4D 5S 6S 7S 8S 9S 10S JS QS KS AS 5H 6H"
OUT = "0:3S+4H+5C+6D+7S 1:- 2:- 3:- 0:8S+9H+10C+JD+QS 1:- 2:- 3:- 0:2S+2H+2C"


def accused(round_: Json) -> list[tuple[str, str, int | None, list[int]]]:
    """Return who stands accused of what in a round, and how that is known."""
    return [(each["code"], each["certainty"], each["seat"], each["suspects"]) for each in round_["irregularities"]]


# -- nobody answers ---------------------------------------------------------------------------


@exercises("AD-7", "AD-Q6", "REC-18")
@pytest.mark.parametrize("silence", [drop(None), drop(0, None, None)])
def test_nobody_answering_asks_the_cabinet_and_never_the_president_elect(silence: Json):
    out = hand(NAMED, silence, plays(OUT))
    assert accused(out) == [("king-elsewhere", "joint", None, [1, 2, 3])]
    (finding,) = out["irregularities"]
    assert (finding["event"], finding["claims"], finding["proved_by"]) == ([0, 3], [[0, 3]], [[0, 12]])
    assert "Bob, Cy and Dot" in finding["reason"]["text"]
    before = hand(NAMED, silence, plays(OUT.removesuffix(" 0:2S+2H+2C")))
    assert accused(before) == [], "she may hold it"


@exercises("AD-Q6", "AD-Q16")
def test_with_her_hand_entered_silence_asks_the_cabinet_at_once_and_then_whoever_shows_the_king():
    events = [*NAMED, accepted(drop(None))]
    assert accused(with_known(events, s0=HERS)) == [("king-elsewhere", "joint", None, [1, 2, 3])]
    shown = with_known([*events, *plays("0:4D 1:5D 2:KD")], s0=HERS)
    assert accused(shown) == [("king-elsewhere", "proved", 2, [2])]
    both = {"s0": HERS, "s1": "3C 4C 5C 7C 8C 9C 10C JC QC KC AC 3D 5D"}
    assert accused(with_known(events, **both)) == [("king-elsewhere", "joint", None, [2, 3])]


def test_the_king_shown_by_the_president_elect_herself_is_no_finding():
    assert accused(hand(NAMED, drop(None), plays("0:KD"))) == []


@exercises("AD-A3", "AD-Q14", "AD-Q16")
def test_a_king_that_may_lie_aside_asks_nobody():

    hers = "3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS 3H 4H 5H 6H 7H 8H 9H 10H"
    record = [*NAMED, accepted(drop(None))]
    even = {"players": 5, "options": {"deal": "even"}}
    assert accused(with_known(record, s0=hers, **even)) == []
    dealt = with_known(record, s0=hers, players=5)
    assert accused(dealt) == [("king-elsewhere", "joint", None, [1, 2, 3, 4])]
    shown = with_known([*record, *plays("0:3S 3:KD*!")], s0=hers, **even)
    assert accused(shown)[-1] == ("king-elsewhere", "proved", 3, [3])


@exercises("AD-7", "IR-4")
def test_no_remedy_for_silence_touches_the_president_elect():
    done = judged([*NAMED, drop(None), *plays(OUT)], options={"revoke": "hand-zero"})["hands"][0]
    (finding,) = done["irregularities"]
    assert all(remedy.get("events") is None or all(e["type"] in ("note", "redeal") for e in remedy["events"])
               for remedy in finding["remedies"])  # fmt: skip
    zero = next(remedy for remedy in finding["remedies"] if remedy["code"] == "hand-zero")
    assert (zero["events"], zero["pending"]["code"]) == (None, "remedy-nobody")


# -- what rests on a naming ------------------------------------------------------------------

DENIED = [*NAMED, drop(1, "9C", "4D", constipated=True), *plays("0:5D")]


@exercises("AD-7", "AD-8", "REC-17")
@pytest.mark.parametrize("order", ["1:2S 2:- 3:- 0:- 1:6H 2:KD", "1:6H 2:KD 1:2S!"])
def test_a_denied_deuce_goes_with_the_naming_whatever_the_order_of_the_cards(order: str):
    cleared = hand(DENIED, plays(order))
    assert [each for each in accused(cleared) if each[0] != "out-of-turn"] == [("king-elsewhere", "proved", 2, [2])]


@exercises("AD-7", "REC-17")
def test_a_withdrawn_finding_says_what_was_found_since_when_it_is_gone_and_why():
    (gone,) = hand(DENIED, plays("1:2S 2:- 3:- 0:- 1:6H 2:KD"))["withdrawn"]
    assert (gone["code"], gone["seat"], gone["event"], gone["proved_by"]) == ("denied-deuce", 1, [0, 3], [[0, 5]])
    assert gone["withdrawn_by"] == [0, 10]
    assert gone["why"]["text"] == "Bob was said to hold the king of diamonds and did not: nothing was owed."
    assert hand(DENIED, plays("1:2S"))["withdrawn"] == []


@exercises("AD-7")
def test_the_president_elect_who_misnamed_clears_whom_she_named():
    shown = hand(DENIED, plays("1:2S 2:- 3:- 0:KD!"))
    assert [each[:3] for each in accused(shown) if each[0] != "out-of-turn"][-1] == ("king-elsewhere", "proved", 0)
    assert "denied-deuce" not in {each[0] for each in accused(shown)}


@exercises("AD-7", "AD-Q16", "REC-17")
@pytest.mark.parametrize(
    ("order", "holder"), [("0:4D 1:5D 2:KD", 2), ("0:4D 1:- 2:- 3:KD", 3), ("0:4D 1:5D 2:- 3:- 0:KD", 0)]
)
def test_who_shows_the_king_stands_in_the_place_of_whom_only_the_naming_accused(order: str, holder: int):
    events = [*NAMED, accepted(drop(1, "5S", "3D", constipated=True))]
    hers = "5S 5D 6S 7S 8S 9S 10S JS QS AS 6H 7H 8H"
    assert accused(with_known(events, s1=hers)) == [("king-elsewhere", "seen", 1, [1])]
    shown = with_known([*events, *plays(order)], s1=hers)
    assert accused(shown) == [("king-elsewhere", "proved", holder, [holder])]
    assert [(gone["code"], gone["seat"]) for gone in shown["withdrawn"]] == [("king-elsewhere", 1)]
    assert shown["withdrawn"][0]["why"]["text"].startswith("Bob was said to hold the king of diamonds and did not")


@exercises("AD-7", "AD-8")
def test_what_was_seen_goes_too():
    seen = [*NAMED, accepted(drop(1, "5S", "3D"))]
    assert found(hand(seen)) == [("denied-deuce", "seen", 1)]
    assert RESTS_ON_NAMING in hand(seen)["irregularities"][0]["reason"]["text"]
    assert found(hand(seen, plays("0:3S 1:4S 2:KD"))) == [("king-elsewhere", "proved", 2)]
    twos = hand(seen, [accepted(play) for play in plays("0:2S 2:2H 3:2C 2:2D")])
    assert "denied-deuce" not in {each[0] for each in accused(twos)}, "there was no 2 to give"
    assert twos["withdrawn"][0]["why"]["text"] == "Bob had no 2: nothing was owed."


@exercises("AD-7", "AD-Q8")
def test_a_card_that_was_not_the_lowest_goes_too():
    wrong = [*NAMED, drop(1, "2S", "4C"), *plays("0:4D")]
    assert RESTS_ON_NAMING in hand(wrong)["irregularities"][0]["reason"]["text"]
    assert found(hand(wrong, plays("1:5H 2:KD"))) == [("king-elsewhere", "proved", 2)]


# -- whole rounds ----------------------------------------------------------------------------


@exercises("AD-7", "AD-8", "AD-Q8", "AD-24", "REC-17", "REC-18")
def test_whoever_is_accused_did_it_or_stands_accused_on_a_word_that_no_card_contradicts():
    for seed in range(FIRST, FIRST + ROUNDS):
        play_round(seed)
