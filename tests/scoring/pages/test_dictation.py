"""A card said in words: which one it is, whose, and that nothing is recorded by saying it."""

import pytest
from django.utils import translation

from referee.packs.decktet import decktet
from referee.packs.french import french
from scoring.models import Table
from scoring.pages.show.dictation import MOST_OFFERED, understand

PACK = decktet(excuse=True, pawns=True, courts=True)
NAMES = ["Ann", "Ben", "Ann Lee", "Cy"]


def told(*texts, pack=PACK, language="en"):
    with translation.override(language):
        heard = understand(texts, pack=pack, names=NAMES)
    return heard.card and heard.card.code, heard.seat


@pytest.mark.parametrize(
    ("text", "card", "seat"),
    [
        ("nine of Waves and Wyrms", "9WY", None),
        ("9 of wyrms and waves", "9WY", None),
        ("Ben nine of waves and wyrms", "9WY", 1),
        ("Ben, the Diplomat.", "8MS", 1),
        ("Ann Lee Ace of Suns", "AS", 2),
        ("Ann ace of suns", "AS", 0),
        ("crown of moons", "XM", None),
        ("the light keeper", "PSWK", None),
        ("excuse", "E", None),
        ("9wy", "9WY", None),
    ],
)
def test_a_card_is_known_by_all_its_names(text, card, seat):
    assert told(text) == (card, seat)


@pytest.mark.parametrize(
    ("text", "card"),
    [("nine of waves and worms", "9WY"), ("ace of sons", "AS"), ("ace of nots", "AK"), ("the diplomats", "8MS")],
)
def test_a_word_that_sounds_like_it_is_enough(text, card):
    assert told(text) == (card, None)


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("neun der Wellen und Drachen", "9WY"),
        ("Sonnen Ass", "AS"),
        ("Ass der Sonnen", "AS"),
        ("die Wüste", "2SY"),
        ("Krone der Blätter", "XL"),
    ],
)
def test_in_german(text, card):
    assert told(text, language="de") == (card, None)
    assert told(f"Cy {text}", language="de") == (card, 3)


@pytest.mark.parametrize("text", ["", "Ben", "and the", "hello everybody", "queen of hearts", "nine " * 40])
def test_what_is_no_card(text):
    assert told(text) == (None, None)


def test_the_first_that_is_a_card_counts():
    assert told("knife of waves and worms", "nine of waves and wyrms") == ("9WY", None)


def test_where_a_few_may_be_meant_they_are_offered():
    heard = understand(["two of waves", "three"], pack=PACK, names=NAMES)
    assert heard.card is not None
    assert heard.card.code == "2WL"
    three = understand(["three"], pack=PACK, names=NAMES)
    assert three.card is None
    assert [face.code for face in three.choice] == ["3MW", "3SK", "3LY"]
    assert len(three.choice) <= MOST_OFFERED


def test_of_two_packs_the_back_is_asked_for():
    heard = understand(["Cy queen of hearts"], pack=french(decks=2), names=NAMES)
    assert (heard.card, heard.seat) == (None, 3)
    assert [face.code for face in heard.choice] == ["QH", "QH*"]
    assert told("queen of hearts", pack=french()) == ("QH", None)


def test_the_page_shows_it_and_records_nothing(device):
    address = device.open_table()
    page = device.get(f"{address}dictated/", {"text": ["Bob, nine of Waves and worms", "noise"]}).content.decode()
    assert 'data-card="9WY" data-seat="1"' in page
    assert "Bob: " in page
    assert "No card" in device.get(f"{address}dictated/", {"text": "hello everybody"}).content.decode()
    assert device.get(f"{address}dictated/").content.decode().strip() == ""
    assert Table.objects.get().version == 0
