"""How the log describes an event, using its kind's template."""

from referee.engine.event_kinds import CardCode, Event, Line, SuitCode, event_kind
from referee.engine.game import with_game
from referee.packs import french
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
