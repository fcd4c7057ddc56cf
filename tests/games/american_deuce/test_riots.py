"""Leading a riot: what it says of the hand that remains, and when that is proved false."""

import pytest

from tests.games.american_deuce.telling import NAMED, code_of, drop, hand, refused, with_known
from tests.referee.telling import Json, accepted, exercises, found, plays

IRREGULAR = "irregular"
ONE_PLAYED = "0:2S 1:- 2:- 3:- "  # twelve cards are left: three riots
RIOT = "0:5S+5H+5C+5D 1:- 2:- 3:- "
QUADS = "2S 5S 5H 5C 5D 9S 9H 9C 9D KS KH KC KD"


@exercises("AD-24", "AD-Q12")
def test_a_riot_is_led_only_from_a_hand_of_riots():
    assert refused(NAMED, plays("0:5S+5H+5C+5D")) == (IRREGULAR, "riot-led")
    assert found(hand(NAMED, plays(ONE_PLAYED + RIOT))) == []
    assert found(hand(NAMED, plays("0:5S+5H+5C+5D!"))) == [("riot-led", "seen", 0)]
    assert found(hand(NAMED, plays("0:5S+5H+5C+5D"), options={"riot_lead": "always"})) == []
    assert refused(NAMED, plays(ONE_PLAYED + "0:5S+5H+5C+5D"), options={"riot_lead": "never"}) == (
        IRREGULAR,
        "riot-led",
    )


@exercises("AD-24", "AD-Q12")
def test_a_riot_led_is_proved_wrong_by_the_first_card_after_which_no_such_hand_is_left():
    led = hand(NAMED, plays(ONE_PLAYED + RIOT + "0:9H 1:9S"))
    assert found(led) == [("riot-led", "proved", 0)]
    finding = led["irregularities"][0]
    assert (finding["event"], finding["trick"], finding["proved_by"]) == ([0, 7], 2, [[0, 12]])
    own = hand(NAMED, plays(ONE_PLAYED + RIOT + "0:9S 1:- 2:- 3:- 0:JS 1:- 2:- 3:- 0:KS"))
    assert found(own) == [("riot-led", "proved", 0)]
    assert own["irregularities"][0]["proved_by"] == [[0, 19]]
    honest = ONE_PLAYED + RIOT + "0:9S 1:- 2:- 3:- 0:9H+9C 1:- 2:- 3:- 0:9D 1:KS"
    assert found(hand(NAMED, plays(honest))) == []


@exercises("AD-Q12")
def test_two_riots_led_are_two_claims():
    events = ONE_PLAYED + RIOT + "0:9S+9H+9C+9D 1:- 2:- 3:- 0:KS 1:KD!"
    assert found(hand(NAMED, plays(events)))[1:] == [("riot-led", "proved", 0)] * 2


@exercises("AD-Q12")
@pytest.mark.parametrize(
    ("hands", "code"),
    [
        ({"s0": QUADS}, None),
        ({"s0": QUADS.replace("KS", "JS")}, "riot-led"),
        ({"s1": "9S 10S JS QS KS AS 3S 4S 6S 7S 8S 3H 4H"}, "riot-led"),
        ({"s1": "9S 10S JS QS KS AS 3S 6S 7S 8S 3H 6H 7H"}, "riot-led"),
        ({"s1": "9S 10S JS QS KS AS 3S 3C 6D 9H JH QH 3H"}, None),
    ],
)
def test_entered_hands_count_among_what_has_been_shown(hands: dict[str, str], code: str | None):
    stopped = code_of(with_known([*NAMED, *plays(ONE_PLAYED + RIOT)], **hands))
    assert (stopped and stopped[1]) == code


@exercises("AD-Q12", "AD-7")
@pytest.mark.parametrize(
    ("exchange", "more", "codes"),
    [
        (drop(1, "2S", "3D"), "", []),
        (drop(1, "2H", "3D"), "", ["riot-led"]),  # she still holds one 2 and has played another: the rest is no riot
        (drop(1, "2S", "4D"), "0:JS", []),
        (drop(1, "2S", "9D", constipated=True), "0:9S", ["denied-deuce", "riot-led"]),
        (drop(1), "0:9D 1:9S", ["riot-led"]),
        (drop(1), "0:9S 1:2D", []),
    ],
)
def test_cards_of_the_exchange_count_among_what_has_been_shown(exchange: Json, more: str, codes: list[str]):
    answer = hand(NAMED, accepted(exchange), [accepted(e) for e in plays(ONE_PLAYED + RIOT + more)])
    assert [finding["code"] for finding in answer["irregularities"]] == codes


@exercises("AD-Q12", "AD-A3")
def test_with_two_packs_eight_of_a_rank_are_two_riots():
    eight = {"players": 8}
    lead = "0:2S 1:- 2:- 3:- 4:- 5:- 6:- 7:- 0:5S+5H+5C+5D 1:- 2:- 3:- 4:- 5:- 6:- 7:- "
    assert found(hand(NAMED, plays(lead + "0:9C 1:9H 2:9S"), **eight)) == []
    events = lead + "0:9D 1:9C 2:9C* 3:9H 4:9H* 5:9S"
    assert found(hand(NAMED, plays(events), **eight)) == [("riot-led", "proved", 0)]


@exercises("AD-24")
def test_the_last_cards_may_be_a_riot():
    out = "0:3S+3H+3C+4S+4H 1:- 2:- 3:- 0:6S+6H+6C 1:- 2:- 3:- 0:8S 1:- 2:- 3:- 0:9S+9H+9C+9D"
    done = hand(NAMED, plays(out))
    assert (found(done), done["phase"]) == ([], "finished")
