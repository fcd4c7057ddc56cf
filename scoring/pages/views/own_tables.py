"""Tables in a list: what is played there, by whom, and how it stands."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from referee.engine.catalogue import find_game
from referee.engine.options import Refused
from scoring.models import Table
from scoring.pages.show.board import outcome
from scoring.pages.show.numbers import number
from scoring.queries.chains import goes_on
from scoring.queries.clock import standing_now
from scoring.queries.points import totals_shown
from scoring.queries.state import Standing


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A table as a list shows it."""

    row: Table
    game: str
    names: str
    stands: str
    finished: bool


def own_table(row: Table) -> OwnTable:
    """Return a table as a list shows it; of a game that is not installed no more than its names is known."""
    names = ", ".join(row.seats)
    try:
        at = standing_now(row)
    except Refused:
        return OwnTable(row, _game_name(row.game), names, "", row.finished)
    return OwnTable(row, _game_name(row.game), names, _stands(at), at.state.finished())


def _stands(at: Standing) -> str:
    """Say how a table stands: the hand and the scores as far as they may be shown, or who won."""
    totals = totals_shown(at)
    scores = ", ".join(at.names)
    if totals is not None:
        pairs = zip(at.names, totals, strict=True)
        scores = " · ".join(f"{name}\N{NO-BREAK SPACE}{number(total)}" for name, total in pairs)
    if not at.state.finished():
        hand = 1 if at.hand is None else at.hand.setup.index + 1
        running = _("Hand {number}").format(number=hand)
        return f"{running}: {scores}"
    return f"{outcome(at, goes_on=goes_on(at.row), shown=totals is not None)} {scores}"


def _game_name(id: str) -> str:
    game = find_game(id)
    return id if game is None else game.name
