"""A spoken card: which one it is, whose it is, and that speaking alone records nothing."""

from unicodedata import combining, normalize

import pytest
from django.conf import settings
from django.utils import translation

from referee.engine.texts import OBJECT
from referee.packs.decktet import decktet
from referee.packs.french import french
from scoring.models import Table
from scoring.tables.presenters.cards import find
from scoring.tables.presenters.dictation import understand
from scoring.tables.presenters.formats import PAGE_LANGUAGE
from tests.seeds import sampled

PACK = decktet(excuse=True, pawns=True, courts=True)
FRENCH = french()
NAMES = ["Ann", "Ben", "Ann Lee", "Cy"]
PACK_WORDS = ["Jack", "King", "Ace", "Herz", "Two", "Hart", "Deuce", "Spade"]


def said(*texts, pack=PACK, names=NAMES, language="en"):
    """Return the cards that may be meant, each with its player if there is one."""
    with translation.override(language):
        heard = understand(texts, pack=pack, names=names)
    faces = heard.choice or ((heard.card,) if heard.card else ())
    seats = heard.seats or (heard.seat,)
    return [(face.code, None if seat is None else names[seat]) for face, seat in zip(faces, seats, strict=False)]


@pytest.mark.parametrize(
    ("text", "card", "name"),
    [
        ("nine of Waves and Wyrms", "9WY", None), ("9 of wyrms and waves", "9WY", None),
        ("Ben nine of waves and wyrms", "9WY", "Ben"), ("Ben, the Diplomat.", "8MS", "Ben"),
        ("Ann Lee Ace of Suns", "AS", "Ann Lee"), ("Ann ace of suns", "AS", "Ann"), ("crown of moons", "XM", None),
        ("the light keeper", "PSWK", None), ("excuse", "E", None), ("9wy", "9WY", None),
    ],
)  # fmt: skip
def test_a_card_is_recognized_by_all_its_names(text, card, name):
    assert said(text) == [(card, name)]


@pytest.mark.parametrize(
    ("text", "card"),
    [("nine of waves and worms", "9WY"), ("ace of sons", "AS"), ("ace of nots", "AK"), ("the diplomats", "8MS")],
)
def test_a_similar_sounding_word_is_enough(text, card):
    assert said(text) == [(card, None)]


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("neun der Wellen und Drachen", "9WY"), ("Sonnen Ass", "AS"), ("Ass der Sonnen", "AS"),
        ("die Wüste", "2SY"), ("Krone der Blätter", "XL"),
    ],
)  # fmt: skip
def test_dictation_works_in_german(text, card):
    assert said(text, language="de") == [(card, None)]
    assert said(f"Cy {text}", language="de") == [(card, "Cy")]


@pytest.mark.parametrize("text", ["", "Ben", "and the", "hello everybody", "queen of hearts", "nine " * 40])
def test_other_words_are_not_cards(text):
    assert said(text) == []


def test_the_first_match_that_is_a_card_wins():
    assert said("knife of waves and worms", "nine of waves and wyrms") == [("9WY", None)]


def test_ambiguous_names_are_offered():
    assert said("two of waves", "three") == [("2WL", None)]
    assert said("three") == [("3MW", None), ("3SK", None), ("3LY", None)]


def test_with_two_packs_the_page_asks_for_the_back():
    assert said("Cy queen of hearts", pack=french(decks=2)) == [("QH", "Cy"), ("QH*", "Cy")]
    assert said("queen of hearts", pack=FRENCH) == [("QH", None)]


def test_the_page_shows_a_dictated_card_without_recording_it(device):
    address = device.open_table()
    page = device.get(f"{address}dictated/", {"text": ["Bob, nine of Waves and worms", "noise"]}).content.decode()
    assert 'data-card="9WY" data-seat="1"' in page
    assert "Bob: " in page
    assert "We didn’t catch a card" in device.get(f"{address}dictated/", {"text": "hello everybody"}).content.decode()
    assert device.get(f"{address}dictated/").content.decode().strip() == ""
    assert Table.objects.get().version == 0


@pytest.mark.parametrize(
    ("text", "card", "name"),
    [
        ("jack of hearts", "JH", None), ("the jack of hearts", "JH", None), ("jack hearts", "JH", None),
        ("Jack jack of hearts", "JH", "Jack"), ("Jack, ten of hearts", "10H", "Jack"),
        ("king of spades", "KS", None), ("King queen of hearts", "QH", "King"),
        ("King king of hearts", "KH", "King"), ("ace of clubs", "AC", None), ("Ace ace of clubs", "AC", "Ace"),
        ("Ace two of hearts", "2H", "Ace"), ("two of hearts", "2H", None), ("Two three of hearts", "3H", "Two"),
        ("Hart ace of hearts", "AH", "Hart"), ("Deuce deuce of hearts", "2H", "Deuce"),
        ("deuce of hearts", "2H", None), ("trey of spades", "3S", None), ("knave of diamonds", "JD", None),
        ("to of clubs", "2C", None), ("for of spades", "4S", None), ("ate of clubs", "8C", None),
        ("Jack for of spades", "4S", "Jack"), ("JH", "JH", None),
    ],
)  # fmt: skip
def test_a_name_that_is_a_word_of_the_pack_does_not_hide_a_card(text, card, name):
    assert said(text, pack=FRENCH, names=PACK_WORDS) == [(card, name)]


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("Herzbube", "JH"), ("Herz Bube", "JH"), ("Pikass", "AS"), ("Pik As", "AS"), ("Pik-As", "AS"),
        ("Kreuz-Dame", "QC"), ("Kreuzdame", "QC"), ("Karozehn", "10D"), ("Karo10", "10D"), ("Treff König", "KC"),
        ("zwo Herz", "2H"),
    ],
)  # fmt: skip
def test_german_names_of_cards_are_compounds(text, card):
    assert said(text, pack=FRENCH, language="de") == [(card, None)]
    assert said(f"Ben {text}", pack=FRENCH, language="de") == [(card, "Ben")]


@pytest.mark.parametrize(
    ("text", "card", "name"),
    [("Herz Bube", "JH", None), ("Herz Herzbube", "JH", "Herz"), ("Herz Pikass", "AS", "Herz")],
)
def test_a_german_players_name_can_be_a_suit(text, card, name):
    assert said(text, pack=FRENCH, names=PACK_WORDS, language="de") == [(card, name)]


@pytest.mark.parametrize(("text", "card"), [("Sonnenass", "AS"), ("Mondkrone", "XM"), ("Wellenass", "AW")])
def test_german_names_of_the_decktet_are_compounds_too(text, card):
    assert said(text, language="de") == [(card, None)]


def test_the_page_asks_when_input_is_ambiguous():
    """The Knife is the 2 of Moons and Knots; a player called Moon may have played it, or the player in turn."""
    asked = said("moons 2 knots", names=["Moons", "Ann"])
    assert asked == [("2MK", None), ("2MK", "Moons")]
    assert [seat for _, seat in said("Hart ace", pack=FRENCH, names=PACK_WORDS)] == ["Hart"] * 4
    assert [card for card, _ in said("jack", pack=FRENCH, names=PACK_WORDS)] == ["JS", "JH", "JC", "JD"]


# --- Every language: its names of cards are understood

LANGUAGES = [code for code, _name in settings.LANGUAGES]
PACKS = {"decktet": PACK, "french": FRENCH, "french-2": french(decks=2)}


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_is_understood_by_its_name_in_every_language(language, pack):
    """Spoken with or without connecting words, and typed with or without accents."""
    with translation.override(language):
        for card in sampled(PACKS[pack].cards):
            name = card.called.rendered(PAGE_LANGUAGE)
            for said in {name, card.rendered(PAGE_LANGUAGE), card.rendered(PAGE_LANGUAGE, OBJECT)}:
                heard = understand([said], pack=PACKS[pack], names=["Zoe"])
                meant = [face.code for face in heard.choice or (heard.card,) if face]
                assert card.code in meant, (said, meant)
                assert {code.rstrip("*") for code in meant} == {card.code.rstrip("*")}, (said, meant)
            bare = "".join(letter for letter in normalize("NFD", name) if not combining(letter))
            for typed in (name, bare, name.upper()):
                assert find(PACKS[pack], typed) == card.index, typed


@pytest.mark.parametrize("language", LANGUAGES)
def test_ranks_and_suits_are_understood_in_either_order(language):
    with translation.override(language):
        for card in sampled(FRENCH.cards):
            words = card.called.rendered(PAGE_LANGUAGE).replace("-", " ").split()
            for said in (" ".join(words), " ".join(reversed(words))):
                heard = understand([said], pack=FRENCH, names=["Zoe"])
                assert heard.card is not None, said
                assert heard.card.code == card.code, said


SAID = {
    "de": {"B♥": "JH", "D♠": "QS", "Treff Ass": "AC", "Herz zehn": "10H"},
    "es": {
        "as de picas": "AS", "rey de corazones": "KH", "dama de diamantes": "QD", "reina de diamantes": "QD",
        "jota de tréboles": "JC", "jota de treboles": "JC", "diez de picas": "10S", "R♥": "KH",
        "siete de corazones": "7H",
    },
    "fr": {
        "as de cœur": "AH", "as de coeur": "AH", "roi de carreau": "KD", "dame de trèfle": "QC", "valet de pique": "JS",
        "R♥": "KH", "D ♠": "QS", "V de carreau": "JD", "dix de trefle": "10C", "sept de pique": "7S", "Rcœur": "KH",
    },
    "it": {
        "asso di cuori": "AH", "re di quadri": "KD", "donna di fiori": "QC", "regina di fiori": "QC",
        "fante di picche": "JS", "F♥": "JH", "dieci di cuori": "10H", "sette di picche": "7S",
    },
    "nl": {
        "hartenaas": "AH", "harten aas": "AH", "ruitenheer": "KD", "ruiten koning": "KD", "klaverenvrouw": "QC",
        "klaveren dame": "QC", "schoppenboer": "JS", "klaverboer": "JC", "schoppen tien": "10S", "H♥": "KH", "B♠": "JS",
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text", "card"), [(code, *case) for code, cases in SAID.items() for case in cases.items()]
)
def test_each_languages_words_and_letters_are_understood(language, text, card):
    assert said(text, pack=FRENCH, language=language) == [(card, None)]


@pytest.mark.parametrize("language", ["es", "fr"])
def test_a_word_in_the_pages_language_takes_precedence_over_a_code(language):
    """In Spanish and French, "as" means ace, which is also a card's code."""
    assert [card for card, _seat in said("as", pack=FRENCH, language=language)] == ["AS", "AH", "AC", "AD"]
    assert said("as", pack=FRENCH) == [("AS", None)]
