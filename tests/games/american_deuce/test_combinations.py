"""Combinations and riots."""

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.american_deuce.combinations import (
    RANKS,
    STRAIGHTS,
    Combination,
    Kind,
    Lying,
    compare,
    name_cards,
    recognise,
)
from referee.packs import Card, french
from tests.games.american_deuce.told_rounds import IRREGULAR, NAMED, code_of, drop, hand, refused, with_known
from tests.referee.telling import Json, accepted, exercises, found, plays

# --- Combinations, their names, and what beats what (AD-15 .. AD-31)

ONE, TWO = french(), french(decks=2)
STANDARD = {"same_type": False, "riot_equal": "colour"}
SUITS = ("S", "H", "C", "D")
Mixed = tuple[str, ...]


def cards(text: str) -> tuple[Card, ...]:
    return tuple(TWO.cards[TWO.codes[code]] for code in text.split())


def beats(play: str, on: str, suits: Mixed = SUITS, *, under_five: bool = False, **options: object) -> bool:
    """Return whether a play beats another."""
    lies = Lying(len(on.split()), recognise(cards(on)))
    return compare(made(play), lies, suits=suits, options=STANDARD | options, under_five=under_five).beats


def made(play: str) -> Combination:
    found = recognise(cards(play))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("shown", "kind", "name"),
    [
        ("9S", "single", "9 of spades"),
        ("KS KD", "pair", "pair of kings"),
        ("2S 2H 2D", "triple", "triple of twos"),
        ("4D 3S 6H 5C 7D", "straight", "straight, 3-4-5-6-7"),
        ("2S 3D 4C 5H 6D", "straight", "straight, 2-3-4-5-6"),
        ("AS 2C 3D 4C 5H", "straight", "straight, A-2-3-4-5"),
        ("JS QD KC AH 2D", "straight", "straight, J-Q-K-A-2"),
        ("KS 10S 8S 7S 3S", "flush", "flush in spades, king high"),
        ("KS KS* 8S 8S* 3S", "flush", "flush in spades, king high"),
        ("8S 8H 8C 4D 4S", "full-house", "full house, eights"),
        ("3D 4D 5D 6D 7D", "straight-flush", "straight flush in diamonds, 3-4-5-6-7"),
        ("4S 4H 4D 4C", "riot", "riot of fours"),
        ("9S 9S* 9C 9C*", "riot", "all-black riot of nines (BLM)"),
        ("9H 9H* 9D 9D*", "riot", "all-red riot of nines (MAGA rally)"),
        ("3S 3S* 3H 3D 3C", "five-of-a-kind", "five of a kind, threes"),
    ],
)
@exercises("AD-16", "AD-17", "AD-18", "AD-19", "AD-20", "AD-21", "AD-22", "AD-23", "AD-24", "AD-29", "AD-30")
def test_combinations_are_named(shown: str, kind: str, name: str):
    assert made(shown).kind.value == kind
    assert str(name_cards(cards(shown))) == name


@pytest.mark.parametrize(
    "shown",
    [
        "3S 4S", "3S 3H 4S", "3S 4S 5S 6S", "3S 3H 3C 4S", "QS KD AC 2H 3D", "KS AD 2C 3H 4D",
        "4S 4H 4D 4C 5S", "3S 3H 4S 4H 5S", "3S 4H 5S 6S 8S", "3S 4S 5S 6S 7S 8S", "3S 3S* 3H 3H* 3C 3D",
    ],
)  # fmt: skip
@exercises("AD-Q3", "AD-24")
def test_cards_that_make_no_combination(shown: str):
    assert recognise(cards(shown)) is None
    assert name_cards(cards(shown)) == shown


@exercises("AD-20", "AD-Q3")
def test_the_eleven_straights_rank_in_order():
    assert len(STRAIGHTS) == 11
    made = [" ".join(f"{rank}{suit}" for rank, suit in zip(s, "SHCDS", strict=True)) for s in STRAIGHTS]
    for low, high in combinations(made, 2):
        assert beats(high, low)
        assert not beats(low, high)
    fives = [" ".join(f"{rank}{suit}" for rank, suit in zip(r, "SHCDS", strict=True)) for r in combinations(RANKS, 5)]
    assert sum(recognise(cards(mixed)) is not None for mixed in fives) == 11


@exercises("AD-10", "AD-Q28", "AD-30", "AD-Q20", "AD-Q19", "IR-15")
def test_house_rules_decide_which_play_beats_another():
    assert not beats("9S 9H", "8S")
    assert beats("3D 5D 7D 9D JD", "JS QD KC AH 2D")
    assert not beats("3D 5D 7D 9D JD", "JS QD KC AH 2D", same_type=True)
    assert beats("4S 4H 4D 4C", "JS QD KC AH 2D", same_type=True)
    assert not beats("9S 9H 9D 9C", "3S 3S* 3H 3D 3C", under_five=True)
    assert beats("4S 4S* 4C 4C*", "3S 3S* 3H 3D 3C", under_five=True)
    assert not beats("6S 6H 6D 6C", "5S 5S* 5C 5C*", under_five=True)
    assert beats("6S 6H 6D 6C", "5S 5S* 5C 5C*")
    assert not beats("4S 4S* 4H 4D 4C", "5S 5H 5D 5C")
    assert beats("3S 3H", "KS 2S")
    assert not beats("3S", "KS 2S")
    assert beats("3S 3H 3D 3C", "KS 2S")
    assert beats("4S 4H 4D 4C", "2S 2H 2D AC")


NINES = ("9S", "9S*", "9H", "9H*", "9C", "9D")
FIVES = ("5S", "5S*", "5H", "5H*", "5C", "5C*", "5D", "5D*")
PLAYS: dict[Kind, list[str]] = {
    Kind.SINGLE: ["3D", "3D*", "3S", "9H", "9H*", "AS", "2D", "2S*"],
    Kind.PAIR: [" ".join(pair) for pair in combinations(NINES, 2)] + ["3S 3H", "2D 2C"],
    Kind.TRIPLE: ["9S 9H 9C", "9S* 9D 9D*", "3S 3H 3D", "2S 2H 2D"],
    Kind.RIOT: [" ".join(four) for four in combinations(FIVES, 4)] + ["4S 4S* 4C 4C*", "6S 6H 6C 6D"],
}
MIXED = [
    *PLAYS[Kind.SINGLE], *PLAYS[Kind.PAIR], *PLAYS[Kind.TRIPLE], *PLAYS[Kind.RIOT][:12], "3S 4H 5C 6D 7S",
    "3H 4S 5C 6D 7H", "KS 10S 8S 7S 3S", "KS* 10S* 8S 7S 3S*", "8S 8H 8C 4D 4S", "8S* 8H* 8D 3D 3S", "3D 4D 5D 6D 7D",
    "9S 9S* 9H 9H* 9C", "AS AH AC AD AD*",
]  # fmt: skip


def overlap(*plays: str) -> bool:
    """Return whether two of these plays share a card, which cannot happen at a table."""
    shown = " ".join(plays).split()
    return len(set(shown)) < len(shown)


@pytest.mark.parametrize("kind", PLAYS)
@given(suits=st.permutations(SUITS))
def test_two_plays_of_the_same_kind_are_never_equal(kind: Kind, suits: list[str]):
    for one, other in combinations(PLAYS[kind], 2):
        if not overlap(one, other):
            assert beats(one, other, tuple(suits)) != beats(other, one, tuple(suits)), (one, other)


@given(suits=st.permutations(SUITS), picked=st.lists(st.sampled_from(MIXED), min_size=3, max_size=3, unique=True))
def test_beating_is_not_circular(suits: list[str], picked: list[str]):
    order = tuple(suits)
    for one, two, three in permutations(picked):
        under_five = any(made(play).kind is Kind.FIVE for play in picked)
        options = {"under_five": under_five}
        assert not beats(one, one, order, **options)
        if beats(two, one, order, **options) and beats(three, two, order, **options):
            assert not beats(one, three, order, **options)


# --- Leading a riot: what it claims about the remaining hand, and when that is disproved

ONE_PLAYED = "0:2S 1:- 2:- 3:- "  # twelve cards are left: three riots
RIOT = "0:5S+5H+5C+5D 1:- 2:- 3:- "
QUADS = "2S 5S 5H 5C 5D 9S 9H 9C 9D KS KH KC KD"


@exercises("AD-24", "AD-Q12")
def test_a_riot_may_be_led_only_from_a_hand_of_riots():
    assert refused(NAMED, plays("0:5S+5H+5C+5D")) == (IRREGULAR, "riot-led")
    assert found(hand(NAMED, plays(ONE_PLAYED + RIOT))) == []
    assert found(hand(NAMED, plays("0:5S+5H+5C+5D!"))) == [("riot-led", "seen", 0)]
    assert found(hand(NAMED, plays("0:5S+5H+5C+5D"), options={"riot_lead": "always"})) == []
    never = {"riot_lead": "never"}
    assert refused(NAMED, plays(ONE_PLAYED + "0:5S+5H+5C+5D"), options=never) == (IRREGULAR, "riot-led")


@exercises("AD-24", "AD-Q12")
def test_the_first_card_that_rules_out_a_legal_hand_proves_a_wrongly_led_riot():
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
def test_entered_hands_count_as_shown(hands: dict[str, str], code: str | None):
    assert code_of(with_known([*NAMED, *plays(ONE_PLAYED + RIOT)], **hands)) == code


@exercises("AD-Q12", "AD-7")
@pytest.mark.parametrize(
    ("exchange", "more", "codes"),
    [
        (drop(1, "2S", "3D"), "", []),
        # she still holds one 2 and has played another: not all riots
        (drop(1, "2H", "3D"), "", ["riot-led"]),
        (drop(1, "2S", "4D"), "0:JS", []),
        (drop(1, "2S", "9D", constipated=True), "0:9S", ["denied-deuce", "riot-led"]),
        (drop(1), "0:9D 1:9S", ["riot-led"]),
        (drop(1), "0:9S 1:2D", []),
    ],
)
def test_exchanged_cards_count_as_shown(exchange: Json, more: str, codes: list[str]):
    answer = hand(NAMED, accepted(exchange), [accepted(e) for e in plays(ONE_PLAYED + RIOT + more)])
    assert [finding["code"] for finding in answer["irregularities"]] == codes


@exercises("AD-Q12", "AD-A3")
def test_with_two_packs_eight_of_a_rank_are_two_riots():
    eight = {"players": 8}
    lead = "0:2S 1:- 2:- 3:- 4:- 5:- 6:- 7:- 0:5S+5H+5C+5D 1:- 2:- 3:- 4:- 5:- 6:- 7:- "
    assert found(hand(NAMED, plays(lead + "0:9C 1:9H 2:9S"), **eight)) == []
    events = lead + "0:9D 1:9C 2:9C* 3:9H 4:9H* 5:9S"
    assert found(hand(NAMED, plays(events), **eight)) == [("riot-led", "proved", 0)]
