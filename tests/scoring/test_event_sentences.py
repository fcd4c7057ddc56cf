"""How the log describes an event, using its kind's template."""

import pytest
from django.template import engines
from django.utils.translation import override

from referee.engine.event_kinds import CardCode, Event, Line, SuitCode, event_kind
from referee.engine.game import with_game
from referee.packs import french
from scoring.tables.presenters.cards import symbols_of
from scoring.tables.presenters.log_lines import sentence
from tests.toy import PlainWhist


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
