"""Drop a Deuce, on time and late."""

import pytest

from tests.games.american_deuce.told_rounds import (
    HERS,
    HIS,
    IMPOSSIBLE,
    IRREGULAR,
    NAMED,
    code_of,
    drop,
    hand,
    left,
    refused,
    with_known,
)
from tests.referee.telling import Json, accepted, exercises, found, plays

# --- Drop a Deuce: legal exchanges, their claims, and what later cards prove

WITHOUT = "KD 4C 3D 5D 6D 7D 8D 9D 10D JD QD AD 3C"


def findings(events: list[Json], **more: object) -> list[tuple[str, str, int | None]]:
    return found(hand(NAMED, events, **more))


@exercises("AD-7", "AD-8", "AD-Q7", "AD-Q9", "AD-Q10")
@pytest.mark.parametrize(
    "exchange",
    [
        drop(1, "2S", "3D"), drop(1), drop(1, "2S"), drop(1, "?", "3D"), drop(None), drop(0, None, None),
        drop(1, "5S", "9S", constipated=True), drop(1, "5S", "5S", constipated=True), drop(1, constipated=True),
        drop(1, None, None),
    ],
)  # fmt: skip
def test_a_lawful_exchange_is_recorded(exchange: Json):
    assert found(hand(NAMED, exchange)) == []
    assert refused(NAMED, exchange, exchange) == (IMPOSSIBLE, "wrong-phase")


@exercises("AD-7")
@pytest.mark.parametrize(
    ("events", "code"),
    [
        ([*NAMED, *plays("0:3S"), drop(1)], "wrong-phase"),
        ([*NAMED, *plays("0:3S 1:- 2:- 3:-"), drop(1)], "wrong-phase"),
        ([*NAMED, left(0, 1, 1, 1), drop(1)], "hand-finished"),
        ([*NAMED, drop(4)], "no-such-seat"),
        ([*NAMED, drop(0)], "wrong-count"),
        ([*NAMED, drop(0, None, None, constipated=True)], "wrong-count"),
        ([*NAMED, drop(1, "2S*")], "not-in-deck"),
        ([*NAMED, drop(1, "2S", "nothing")], "not-in-deck"),
    ],
)
def test_an_impossible_exchange_is_refused(events: list[Json], code: str):
    assert refused(events) == (IMPOSSIBLE, code)


@exercises("AD-8", "AD-Q16", "AD-Q8")
@pytest.mark.parametrize(
    ("exchange", "expected"),
    [
        (drop(1, "5S", "3D"), [("denied-deuce", 1)]),
        (drop(1, "2S", "3D", constipated=True), [("denied-deuce", 1)]),
        (drop(1, "2S", "2S"), [("not-lowest", 0)]),
        (drop(1, "2S", "KD"), [("king-elsewhere", 0)]),  # no King in hand: nothing is owed on either side
        (drop(1, "?", "KD"), []),  # given without a 2 and drawn back
        (drop(1, "5S", "KD"), [("king-elsewhere", 0)]),
        (drop(1, "5S", "KD", constipated=True), [("king-elsewhere", 0)]),
        (drop(1, "KD", "KD", constipated=True), []),
        (drop(1, "3D", "3D"), [("denied-deuce", 1)]),  # what was received can be the lowest
        (drop(1, "2S", "2C"), [("not-lowest", 0)]),
        (drop(1, "2S", "10S"), []),
        (drop(1, "2S", "KC"), [("not-lowest", 0)]),
    ],
)
def test_an_unlawful_exchange_can_show_at_once(exchange: Json, expected: list[tuple[str, int]]):
    odd = hand(NAMED, accepted(exchange))
    assert found(odd) == [(code, "seen", seat) for code, seat in expected]
    assert all(finding["trick"] is None for finding in odd["irregularities"])
    if expected:
        assert refused(NAMED, exchange) == (IRREGULAR, expected[0][0])


@exercises("AD-8", "REC-17", "IR-12")
def test_a_denied_deuce_is_proved_when_the_2_is_shown_later():
    lied = hand(NAMED, drop(1, "5S", "9S", constipated=True), plays("0:3S 1:2H"))
    assert found(lied) == [("denied-deuce", "proved", 1)]
    finding = lied["irregularities"][0]
    assert (finding["event"], finding["proved_by"], finding["trick"]) == ([0, 3], [[0, 5]], None)
    assert "redo-exchange" in [remedy["code"] for remedy in finding["remedies"]]
    assert findings([drop(1, "5S", "2H", constipated=True), *plays("0:3S 1:2H")]) == []
    assert findings([drop(1, "5S", constipated=True), *plays("0:3S 1:2H")]) == []
    unseen = [drop(1, "5S", constipated=True), *plays("0:3S+3H 1:2H+2D")]
    assert findings(unseen) == [("denied-deuce", "proved", 1)]


@exercises("AD-7", "AD-Q8", "REC-17")
def test_a_card_lower_than_the_one_given_back_proves_it_was_not_the_lowest():
    assert findings([drop(1, "2S", "4C"), *plays("0:4D")]) == [("not-lowest", "proved", 0)]
    assert findings([drop(1, "2S", "4C"), *plays("0:4H")]) == []
    assert findings([drop(1, "2S", "4C"), *plays("0:2S")]) == []
    assert findings([accepted(drop(1, "3D", "4C")), *plays("0:3D")]) == [("denied-deuce", "seen", 1)]
    assert findings([drop(1, "?", "4C"), *plays("0:4D")]) == []
    assert findings([drop(1, "?", "4C"), *plays("0:4D+3S!")]) == [("no-combination", "seen", 0)]  # drawn blindly?
    assert findings([drop(4, "2S", "4C*"), *plays("0:4C")], players=5) == [("not-lowest", "proved", 0)]


@exercises("AD-Q8")
def test_an_unseen_card_given_back_is_disproved_only_by_the_lowest_card():
    assert findings([drop(1, "2S"), *plays("0:3D")]) == [("not-lowest", "proved", 0)]
    assert findings([drop(1, "2S"), *plays("0:3C")]) == []
    assert findings([drop(1), *plays("0:3D")]) == []


@exercises("AD-7", "AD-Q6", "AD-Q16")
def test_another_player_showing_the_king_disproves_the_claim():
    assert findings([drop(1, "2S", "3D"), *plays("0:3S 1:4S 2:KD")]) == [("king-elsewhere", "proved", 2)]
    assert findings([drop(1, "2S", "3D"), *plays("0:3S 1:KD")]) == []
    assert findings([drop(1), *plays("0:KD")]) == []
    assert findings([drop(1, "2S"), *plays("0:KD")]) == [("king-elsewhere", "proved", 0)]
    assert findings([drop(None), *plays("0:KD")]) == []
    assert findings([drop(0, None, None), *plays("0:3S 1:KD")]) == [("king-elsewhere", "proved", 1)]
    assert findings([drop(None), *plays("0:3S 1:KD")]) == [("king-elsewhere", "proved", 1)]
    assert findings([drop(1), *plays("0:3S 1:4S 2:KD")], players=5) == []
    assert findings([drop(1), *plays("0:3S 1:4S 2:KD*")], players=5) == [("king-elsewhere", "proved", 2)]


@exercises("REC-8", "AD-7")
@pytest.mark.parametrize(
    ("exchange", "hands", "code"),
    [
        (drop(1, "2S"), {"s1": HIS}, "not-in-hand"),
        (drop(1, "2D", "3S"), {"s0": HERS}, "not-in-hand"),
        (drop(1, "4D", "5S"), {"s0": HERS}, "not-in-hand"),
        (drop(1, "2D", "5S"), {"s0": HERS}, "not-lowest"),
        (drop(1, "2D", "4D"), {"s0": HERS, "s1": HIS}, None),
        (drop(2), {"s1": HIS}, "king-elsewhere"),
        (drop(None), {"s1": HIS}, "king-elsewhere"),
        (drop(1), {"s1": HERS}, "king-elsewhere"),
        (drop(0, None, None), {"s0": HERS}, "king-elsewhere"),
        (drop(1, constipated=True), {"s1": HIS}, "denied-deuce"),
        (drop(1), {"s1": WITHOUT}, None),  # a Constipated King, whatever was claimed
        (drop(1, "4C", "9S"), {"s0": HERS, "s1": WITHOUT}, None),
        (drop(1, "9D", "6H"), {"s1": HIS}, "denied-deuce"),
        (drop(None), {"s0": HERS}, "king-elsewhere"),
        (drop(None), {"s0": HERS.replace("4D", "KD")}, None),
        (drop(1, constipated=True), {"s1": WITHOUT}, None),
    ],
)
def test_an_exchange_against_entered_hands(exchange: Json, hands: dict[str, str], code: str | None):
    assert code_of(with_known([*NAMED, exchange], **hands)) == code


@exercises("AD-7", "AD-8", "AD-Q8", "REC-17")
@pytest.mark.parametrize(
    ("exchange", "played", "hands", "expected"),
    [
        # a 3 received may be the 3 given back
        (accepted(drop(1, "3D")), "0:3C", {}, []),
        (accepted(drop(1, "3D")), "0:3C 1:3S 1:3D", {}, []),
        (accepted(drop(1, "3D")), "0:3C 2:3D", {}, None),
        (accepted(drop(1, "3D")), "0:3C 1:3S 0:3D", {}, []),  # a card drawn blindly need not be the lowest
        # the 2 received came back
        (drop(1, "2S"), "0:4C 1:2S", {}, [("not-lowest", 0, 5)]),
        (drop(1, "2S"), "0:4C 1:2H", {}, []),
        # the one card that could have been lower turns up elsewhere
        (drop(1, "2S"), "0:3C", {}, []),
        (drop(1, "2S"), "0:3C 2:3D", {}, [("not-lowest", 0, 5)]),
        # what was given shows in her hand
        (drop(1), "0:5C", {"s0": HERS}, []),  # there may have been no 2, whatever was recorded
        (drop(1), "0:5C 1:2C", {"s0": HERS}, [("denied-deuce", 1, 5)]),
        (drop(1), "0:2C", {"s0": HERS}, []),
        (drop(1, constipated=True), "0:2D", {"s0": HERS}, [("denied-deuce", 1, 4)]),
        # the returned card excuses one 2 if it may have been a 2
        (drop(1, constipated=True), "0:4D 1:2H", {"s0": HERS}, [("denied-deuce", 1, 5)]),
        (drop(1, constipated=True), "0:4C 1:2H 1:4D", {}, []),
        (drop(1, constipated=True), "0:4D 1:2H+2C", {}, [("denied-deuce", 1, 5)]),
        (drop(1, "9D", constipated=True), "0:4D 1:2H", {}, []),
        (drop(1, "9D", constipated=True), "0:4D 1:2H 1:9D", {}, [("denied-deuce", 1, 6)]),
        # the King, or every 2, turns up elsewhere: nothing was owed
        (drop(1), "0:4D 2:2S 3:2H 2:2C 3:2D", {}, []),
        (drop(1, "9D"), "", {}, None),
        (drop(1, constipated=True), "0:4D 2:KD 1:2H+2C", {}, [("king-elsewhere", 2, 5)]),
    ],
)
def test_an_exchange_is_wrong_once_no_legal_exchange_fits(exchange, played, hands, expected):
    done = with_known([*NAMED, exchange, *map(accepted, plays(played))], **hands)
    assert (done["rejected"] is None) == (expected is not None)
    proved = [each for each in done["irregularities"] if each["certainty"] == "proved"]
    if expected is not None:
        assert [(each["code"], each["seat"], each["proved_by"][0][1]) for each in proved] == expected


# --- Remedies of a wrong exchange, before and after the end of the first trick (IR-12)


def codes(round_: Json) -> list[str]:
    return [remedy["code"] for remedy in round_["irregularities"][0]["remedies"]]


@exercises("IR-12", "AD-8")
def test_an_exchange_is_redone_only_before_the_end_of_the_first_trick():
    lied = [*NAMED, drop(1, "5S", "9S", constipated=True)]
    first = hand(lied, plays("0:3S 1:2H"))
    assert "redo-exchange" in codes(first)
    assert "claim-deuce" not in codes(first)
    later = hand(lied, plays("0:3S 1:2H 2:- 3:- 0:-"))
    assert "redo-exchange" not in codes(later)
    claim = next(each for each in later["irregularities"][0]["remedies"] if each["code"] == "claim-deuce")
    assert (claim["clauses"], claim["text"].split(" may ")[0]) == (["IR-12"], "The President-Elect")
    over = hand(lied, plays("0:3S 1:2H"), left(0, 5, 3, 10))
    assert not {"redo-exchange", "claim-deuce", "swap-back"} & set(codes(over))


@exercises("IR-12", "AD-7", "AD-Q8")
def test_a_card_that_was_not_the_lowest_is_swapped_back_if_still_unplayed():
    wrong = [*NAMED, drop(1, "2S", "4C"), *plays("0:4D")]
    assert "redo-exchange" in codes(hand(wrong))
    later = hand(wrong, plays("1:- 2:- 3:-"))
    assert ("swap-back" in codes(later), "redo-exchange" in codes(later)) == (True, False)
    played = hand(wrong, plays("1:- 2:- 3:- 0:3H 1:4C"))
    assert "swap-back" not in codes(played)


@exercises("IR-12", "REC-21")
def test_a_witnessed_wrong_exchange_costs_the_same_as_a_proved_one():
    seen = hand(NAMED, accepted(drop(1, "5S", "3D")))
    assert "redo-exchange" in codes(seen)
    assert "take-back" not in codes(seen)
    passed = hand(NAMED, plays("0:3S 2:-!"))
    assert codes(passed) == ["stand", "penalty", "redeal"]
