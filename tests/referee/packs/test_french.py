"""French cards: one pack, or two distinguished by their backs (AD-1, AD-A3, AP-1)."""

from collections import Counter

import pytest

from referee.packs import Card, french
from tests.referee.telling import exercises

ONE = french()
TWO = french(decks=2)


@exercises("AD-1", "AP-1", "AD-A3")
def test_two_packs_differ_by_a_star_on_the_trump_deck():
    assert len(ONE) == 52
    assert Counter(card.suits for card in ONE.cards) == {(suit,): 13 for suit in "SHCD"}
    assert not any(card.star for card in ONE.cards)
    assert len(TWO) == 104
    plain = {card.code for card in TWO.cards if not card.star}
    assert {card.code for card in TWO.cards if card.star} == {code + "*" for code in plain}


@pytest.mark.parametrize("card", TWO.cards, ids=lambda card: card.code)
def test_every_card_is_found_by_code_and_by_name(card: Card):
    assert TWO.find(card.code) == TWO.find(card.code.lower()) == card.index
    if not card.star:
        assert TWO.find(card.name) == TWO.find(f"the {card.name}".upper()) == card.index


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("10S", "10S"), ("TS", "10S"), ("ts", "10S"), ("10 of spades", "10S"), ("ten of spades", "10S"), ("KD", "KD"),
        ("king of diamonds", "KD"), ("K♦", "KD"), ("♦K", None), ("2♥", "2H"), ("1C", "AC"), ("ace of clubs", "AC"),
        ("9S*", "9S*"), ("nine of spades*", "9S*"), ("queen hearts", "QH"), ("11S", None), ("KX", None), ("?", None),
        ("", None), ("*", None),
    ],
)  # fmt: skip
def test_informal_input_is_understood(typed: str, code: str | None):
    card = TWO.find(typed)
    assert (None if card is None else TWO.cards[card].code) == code


def test_an_unknown_card_is_refused_with_the_expected_form():
    assert ONE.find("9S*") is None
    assert "only one pack" in str(ONE.explain("9S*"))
    assert "10S or KD" in str(ONE.explain("9MS"))
    assert "9S*" in str(TWO.explain("nothing"))


@pytest.mark.parametrize(("typed", "suit"), [("S", "S"), ("hearts", "H"), ("♣", "C"), ("♦", "D"), ("M", None)])
def test_suits_are_recognized_by_letter_name_and_symbol(typed: str, suit: str | None):
    assert ONE.suit(typed) == suit
