"""Games with toy rules or events of their own: their pages, and how the log describes an event."""

import pytest
from django.template import engines
from django.utils.translation import override

from referee.engine.event_kinds import CardCode, Event, Line, SuitCode, event_kind
from referee.engine.events import Ask, Field
from referee.engine.game import with_game
from referee.packs import french
from scoring.tables.presenters.cards import symbols_of
from scoring.tables.presenters.log_lines import sentence
from tests.scoring.pages.phones import join, make_link
from tests.scoring.pages.reading import UNFOLDED, text
from tests.toy import TEN_CARDS as GAME
from tests.toy import PlainWhist, TenCards, WhistHand

# --- A game without pages of its own can be played on the common ones

HAND = ["3R", "5R", "4B", "1B", "1R", "2R", "2B", "3B", "5B", "4R"]


@pytest.fixture(autouse=True)
def _toy():
    with with_game(GAME):
        yield


def opened(device, **more):
    return device.open_table(GAME.id, ["Ann", "Bob"], dealer=0, **more)


def test_a_toy_game_is_listed_with_its_rules(device):
    assert GAME.tagline in device.get("/").content.decode()
    assert 'id="TOY-2"' in device.get(f"/games/{GAME.id}/").content.decode()


def test_a_toy_game_can_be_played_to_its_end(device):
    address = opened(device, end="hands", **{"end-hands": "1"})
    for card in HAND:
        page = device.get(address)
        seat = "0" if "Ann leads." in text(page) or "Ann plays" in text(page) else "1"
        assert f'value="{card}"' in page.content.decode()
        assert device.tap(address, "play", seat=seat, cards=card).status_code == 302
    page = device.get(address + UNFOLDED)
    assert "win" in text(page)
    assert "is the highest card that follows suit." in text(page)
    assert f'/games/{GAME.id}/#TOY-3"' in page.content.decode()


def test_a_trump_set_by_the_deal_is_shown_before_the_first_event(device):
    assert "R Trump Reds" in text(device.get(opened(device)))


def test_rulings_of_a_toy_game_ask_the_table_too(device):
    answer = device.tap(opened(device), "play", seat="0", cards="3R")
    assert answer.status_code == 409
    assert "Ann acted out of turn; it was Bob’s turn." in text(answer)


def test_suits_of_a_toy_game_are_shown_by_letters(device):
    page = device.get(opened(device)).content.decode()
    assert page.count('aria-label="Reds ') == 5
    assert '<span class="symbol letter" aria-hidden="true">R</span>' in page


class WaitingHand(WhistHand):
    """A hand of the toy game in which the table turns a card before anyone plays."""

    def to_act(self) -> tuple[int, ...]:
        return ()

    def asks(self) -> tuple[Ask, ...]:
        return (Ask("note", "Bottom card"), Ask("play", "Play without it", (0, 1), (Field("cards", "cards", "Card"),)))


class Waiting(TenCards):
    """The toy game with a card to turn."""

    hand_class = WaitingHand


def test_the_page_says_what_to_record_when_no_one_is_to_act(device):
    with with_game(Waiting()):
        page = device.get(opened(device))
    assert "Next: Bottom card" in text(page)


def test_players_phones_are_not_asked_for_the_tables_entry(device):
    with with_game(Waiting()):
        address = opened(device)
        phone = join(make_link(device, address, "player:0"))
        assert 'data-event="play"' in device.get(address).content.decode()
        assert 'data-event="play"' not in phone.get(address).content.decode()


# --- How the log describes an event, using its kind's template


@event_kind("shown", Line("Shown", "{card} ({suit})"), says="A card is shown.", log="Shown: {card} ({suit})")
class ShownCard(Event):
    """An event in which a card is shown."""

    card: CardCode
    suit: SuitCode | None = None


class Showing(PlainWhist):
    """The toy game with an event of its own."""

    events = (ShownCard,)


def test_a_bracketed_placeholder_is_left_out_without_its_field():
    pack = french()
    with with_game(Showing()):
        assert sentence({"type": "shown", "card": "3H"}, (), pack) == "Shown: 3 of hearts"
        assert sentence({"type": "shown", "card": "?", "suit": "H"}, (), pack) == "Shown: ? (Hearts)"


@pytest.mark.parametrize(
    ("language", "event", "told"),
    [
        ("fr", {"type": "play", "seat": 0, "cards": ["QS"]}, "Ben joue la dame de pique"),
        ("nl", {"type": "play", "seat": 0, "cards": ["QS", "2H"]}, "Ben speelt schoppen­vrouw, harten 2"),
        ("de", {"type": "score", "seat": 0, "points": 1}, "Ben: 1 Punkt"),
        ("de", {"type": "score", "seat": 0, "points": 2}, "Ben: 2 Punkte"),
        ("es", {"type": "suit", "seat": 0, "suit": "H"}, "Ben nombra corazones"),
    ],
)
def test_suits_and_cards_are_small_inside_sentences_and_one_point_is_one(language, event, told):
    with override(language):
        assert sentence(event, ("Ben",), french()) == told


def test_suits_that_a_page_lists_after_a_word_are_small():
    suits = engines["jinja2"].env.from_string('no {{ suits|map(attribute="name")|listed("")|inside }}')  # type: ignore[attr-defined]  # what the engine brings
    with override("fr"):
        assert suits.render(suits=symbols_of("SH", french())) == "no pique, cœur"
    with override("de"):
        assert suits.render(suits=symbols_of("SH", french())) == "no Pik, Herz"
