"""The packs, the Decktet's 45 cards and French cards (AD-1, AD-A3, AP-1), and every way of typing a card."""

from collections import Counter
from itertools import combinations

import pytest

from referee.packs import Card, Pack, decktet, french
from referee.packs.decktet import ACE, COURT, CROWN, EXCUSE, ORDER, PAWN, RANKS
from tests.referee.telling import exercises

BASIC = decktet()
FULL = decktet(excuse=True, pawns=True, courts=True)
ONE = french()
TWO = french(decks=2)


def of_rank(rank: str) -> list[Card]:
    return [card for card in FULL.cards if card.rank == rank]


@exercises("DK-1", "AT-1", "AT-15")
def test_the_basic_deck_has_36_cards_and_the_extended_deck_45():
    assert len(BASIC) == 36
    assert len(FULL) == 45
    suits_per_rank = {card.rank: len(card.suits) for card in FULL.cards}
    assert suits_per_rank == {ACE: 1, CROWN: 1, PAWN: 3, COURT: 3, EXCUSE: 0} | dict.fromkeys("23456789", 2)
    counts = Counter(card.rank for card in FULL.cards)
    assert counts == {ACE: 6, CROWN: 6, PAWN: 4, COURT: 4, EXCUSE: 1} | dict.fromkeys("23456789", 3)


@exercises("DK-2", "DK-3")
def test_suits_are_in_printed_order_and_top_and_bottom_mirror_each_other():
    assert ORDER == "MSWLYK"
    for card in FULL.cards:
        assert list(card.suits) == sorted(card.suits, key=ORDER.index)
        assert card.code == (EXCUSE if card.rank == EXCUSE else card.rank + "".join(card.suits))
    top = Counter(card.suits[0] for card in BASIC.cards)
    bottom = Counter(card.suits[-1] for card in BASIC.cards)
    assert top == {"M": 10, "S": 7, "W": 7, "L": 5, "Y": 5, "K": 2}
    assert bottom == {"M": 2, "S": 5, "W": 5, "L": 7, "Y": 7, "K": 10}


@exercises("DK-5")
def test_each_rank_has_each_suit_once_and_each_suit_ten_cards():
    for rank in RANKS:
        if rank not in (PAWN, COURT):
            assert sorted("".join("".join(card.suits) for card in of_rank(rank))) == sorted(ORDER)
    assert Counter(suit for card in BASIC.cards for suit in card.suits) == dict.fromkeys(ORDER, 10)


@exercises("DK-6")
@pytest.mark.parametrize("rank", [PAWN, COURT])
def test_each_suit_is_on_two_pawns_and_two_courts(rank: str):
    assert Counter(suit for card in of_rank(rank) for suit in card.suits) == dict.fromkeys(ORDER, 2)
    assert all(set(one.suits) & set(other.suits) for one, other in combinations(of_rank(rank), 2))


@exercises("DK-7")
def test_ranks_run_from_ace_to_crown_and_the_excuse_has_none():
    assert RANKS == ("A", "2", "3", "4", "5", "6", "7", "8", "9", "P", "C", "X")
    assert EXCUSE not in RANKS


@pytest.mark.parametrize("card", FULL.cards, ids=lambda card: card.code)
def test_every_card_is_found_by_code_by_name_and_by_rank_and_suits(card: Card):
    ways = {card.code, card.code.lower(), card.name, card.name.upper(), f"the {card.name}", f"  The  {card.name} "}
    ways.add(card.code[0] + "".join(reversed(card.code[1:])))
    if card.suits:
        names = [suit.name for suit in FULL.suits if suit.code in card.suits]
        rank = {"A": "Ace", "P": "Pawn", "C": "Court", "X": "Crown"}.get(card.rank, card.rank)
        ways |= {f"{rank} of {' and '.join(names)}", f"{rank} {'-'.join(names)}".upper()}
    assert {FULL.find(way) for way in ways} == {card.index}


TYPED_DECKTET = [
    ("Diplomat", "8MS"), ("the Huntress", "XM"), ("Chance Meeting", "7ML"), ("chancemeeting", "7ML"),
    ("Light Keeper", "PSWK"), ("Lightkeeper", "PSWK"), ("light-keeper", "PSWK"),
    ("8 of Moons and Suns", "8MS"), ("8 WYRMS-KNOTS", "8YK"), ("8SM", "8MS"), ("PKSW", "PSWK"),
    ("1M", "AM"), ("AM", "AM"), ("a of moons", "AM"), ("ace of moons", "AM"), ("1 Moons", "AM"),
    ("NK", "XK"), ("XK", "XK"), ("CK", "XK"), ("n of knots", "XK"), ("crown knots", "XK"), ("C of Knots", "XK"),
    ("CKWM", "CMWK"), ("TMWK", "CMWK"), ("tkmw", "CMWK"), ("Court of Moons, Waves and Knots", "CMWK"),
    ("0", "E"), ("E", "E"), ("e", "E"), ("the Excuse", "E"),
    ("3MV", "3MW"), ("vA", None), ("AV", "AW"), ("XV", "XW"), ("8 V L", "8WL"), ("XW", "XW"), ("9 w y", "9WY"),
    ("2 of Wood and Waves", "2WL"), ("8 Waves Wood", "8WL"), ("eight of waves and leaves", "8WL"),
    ("８ＭＳ", "8MS"), ("5 Leaf Moon", "5ML"),
]  # fmt: skip
TYPED_FRENCH = [
    ("10S", "10S"), ("TS", "10S"), ("ts", "10S"), ("10 of spades", "10S"), ("ten of spades", "10S"), ("KD", "KD"),
    ("king of diamonds", "KD"), ("K♦", "KD"), ("♦K", None), ("2♥", "2H"), ("1C", "AC"), ("ace of clubs", "AC"),
    ("9S*", "9S*"), ("nine of spades*", "9S*"), ("queen hearts", "QH"), ("11S", None), ("KX", None), ("?", None),
    ("", None), ("*", None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("pack", "typed", "code"), [*((FULL, *case) for case in TYPED_DECKTET), *((TWO, *case) for case in TYPED_FRENCH)]
)
def test_informal_input_is_understood(pack: Pack, typed: str, code: str | None):
    card = pack.find(typed)
    assert (None if card is None else pack.cards[card].code) == code


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ("9SK", ["9MS", "9WY", "9LK"]),
        ("8MM", ["8MS", "8WL", "8YK"]),
        ("CMS", ["CMWK", "CMLY", "CSLK", "CSWY"]),
        ("PMS", ["PMSL", "PMYK", "PSWK", "PWLY"]),
        ("AMS", ["AM", "AS", "AW", "AL", "AY", "AK"]),
        ("X", ["XM", "XS", "XW", "XL", "XY", "XK"]),
        ("ZZZ", ["M S W L Y K"]),
        ("", ["M S W L Y K"]),
        ("?", ["M S W L Y K"]),
    ],
)
def test_a_card_that_does_not_exist_is_refused_with_similar_ones(typed: str, named: list[str]):
    assert FULL.find(typed) is None
    sentence = str(FULL.explain(typed))
    assert all(code in sentence for code in named), sentence


def test_a_card_outside_the_pack_is_refused_by_name_without_quoting_long_text():
    assert BASIC.find("the Watchman") is None
    assert "Watchman" in str(BASIC.explain("the Watchman"))
    assert "not in the pack" in str(BASIC.explain("E"))
    assert FULL.find("M" * 100_000) is None
    assert len(str(FULL.explain("M" * 100_000))) < 300


SUITS = [
    ("M", "M"), ("moons", "M"), ("Sun", "S"), ("v", "W"), ("W", "W"), ("Wood", "L"), ("leaf", "L"),
    ("WYRMS", "Y"), ("knots", "K"), ("Z", None), ("", None), ("MS", None),
]  # fmt: skip
FRENCH_SUITS = [("S", "S"), ("hearts", "H"), ("♣", "C"), ("♦", "D"), ("M", None)]


@pytest.mark.parametrize(
    ("pack", "typed", "suit"), [*((BASIC, *case) for case in SUITS), *((ONE, *case) for case in FRENCH_SUITS)]
)
def test_suits_are_recognized_by_letter_name_and_symbol(pack: Pack, typed: str, suit: str | None):
    assert pack.suit(typed) == suit


def test_a_card_has_a_name_a_rank_and_suits():
    sea, ace = BASIC.cards[BASIC.codes["XW"]], BASIC.cards[BASIC.codes["AM"]]
    assert str(sea) == "the Sea (Crown of Waves)"
    assert f"{sea:The}" == "The Sea (Crown of Waves)"
    assert str(ace) == "the Ace of Moons"


# --- French cards: one pack, or two distinguished by their backs


@exercises("AD-1", "AP-1", "AD-A3")
def test_two_packs_differ_by_a_star_on_the_trump_deck():
    assert len(ONE) == 52
    assert Counter(card.suits for card in ONE.cards) == {(suit,): 13 for suit in "SHCD"}
    assert not any(card.star for card in ONE.cards)
    assert len(TWO) == 104
    plain = {card.code for card in TWO.cards if not card.star}
    assert {card.code for card in TWO.cards if card.star} == {code + "*" for code in plain}


@pytest.mark.parametrize("card", TWO.cards, ids=lambda card: card.code)
def test_every_french_card_is_found_by_code_and_by_name(card: Card):
    assert TWO.find(card.code) == TWO.find(card.code.lower()) == card.index
    if not card.star:
        assert TWO.find(card.name) == TWO.find(f"the {card.name}".upper()) == card.index


def test_an_unknown_french_card_is_refused_with_the_expected_form():
    assert ONE.find("9S*") is None
    assert "only one pack" in str(ONE.explain("9S*"))
    assert "10S or KD" in str(ONE.explain("9MS"))
    assert "9S*" in str(TWO.explain("nothing"))
