"""Where a table stands, as the referee describes it."""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.engine.adjudication import describe_hand, describe_table
from referee.engine.hand import Hand
from referee.engine.rules import Rules
from referee.engine.rulings import Refusal
from referee.engine.sheet import Adjudication, DescribedHand, DescribedTable
from referee.engine.table import TableState, hand_for
from referee.engine.translation import ENGLISH, Language
from scoring.models import Table
from scoring.queries.log import state_now


@dataclass(frozen=True, slots=True)
class Standing:
    """A stored table together with the referee's state of it."""

    row: Table
    rules: Rules
    state: TableState

    @property
    def names(self) -> list[str]:
        """Return the players' names by seat."""
        return list(self.row.seats)

    @property
    def hand(self) -> Hand | None:
        """Return the last hand dealt."""
        return self.state.hand


class ChangedPart(DescribedTable):
    """What an event can have changed: the last hand, and where the game stands."""

    hand: DescribedHand | None


def standing(row: Table) -> Standing:
    """Load the referee's state of a table."""
    state = state_now(row)
    return Standing(row, state.rules, state)


def find_table(code: str) -> Table | None:
    """Return the table of this code."""
    return Table.objects.filter(code=code).first()


def left_hands(row: Table) -> list[DescribedHand]:
    """Return the sheets of all hands before the last one, first to last."""
    return [sheet.sheet for sheet in row.sheets.only("table", "sheet").order_by("number")]


def current_hand(at: Standing, language: Language = ENGLISH, *, points: bool = True) -> DescribedHand | None:
    """Describe the last hand dealt, finished or not; without ``points`` nothing says any."""
    return None if at.hand is None else describe_hand(at.hand, at.names, at.state, language=language, points=points)


def adjudication(at: Standing) -> Adjudication:
    """Describe everything: every hand, and where the game stands."""
    hand = current_hand(at)
    hands = [*left_hands(at.row), *([hand] if hand else [])]
    return {**describe_table(at.state), "hands": hands, "rejected": None}


def changed(state: TableState, names: Sequence[str], *, points: bool = True) -> ChangedPart:
    """Describe what an event can have changed: the last hand, and where the game stands; with or without points."""
    hand = None if state.hand is None else describe_hand(state.hand, names, points=points)
    return {**describe_table(state, points=points), "hand": hand}


def coming_hand(at: Standing) -> Hand | Refusal | None:
    """Return the hand that the next event will begin, if the last one is over.

    ``None`` while a hand runs; a refusal says why no further hand can be dealt.
    """
    dealt = hand_for(at.state)
    if dealt is at.state:
        return None
    return dealt if isinstance(dealt, Refusal) else dealt.hand
