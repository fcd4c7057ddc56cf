"""The score sheet of a table: a row for every hand, and the curve through the totals after each."""

from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from referee.engine.catalogue import find_game
from referee.engine.rules import Rules
from referee.engine.sheet import DescribedHand
from referee.engine.table import add_up
from scoring.pages.show.curve import Curve, draw
from scoring.pages.show.house_rules import changes_in_words
from scoring.queries.state import LeftHand, LeftHands, Standing

LETTER, BESIDE, ROOM = 9, 10, 200
"""How wide a letter of a name is about, and what stands beside a name; and what a narrow phone has for names."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A hand in the score sheet, with the tricks that the table moved in it, and the house rules that began with it.

    ``scores`` hold no points while a hand runs or points are hidden.
    """

    number: int
    scores: tuple[int | None, ...]
    note: str
    moved: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """What every hand has brought; ``shown``: its points may be seen.

    Rows and curve are worked out when they are drawn. Two sheets are the same where the hands that were left are, and
    the last one has brought the same: so a long sheet is compared as fast as a short one.
    """

    code: str
    names: tuple[str, ...]
    carried: tuple[int, ...]
    left: LeftHands
    last: LeftHand | None
    shown: bool
    rules: Rules = field(compare=False)

    @property
    def upright(self) -> bool:
        """Return whether the names stand upright: side by side they would be wider than a phone."""
        return sum(map(len, self.names)) * LETTER + len(self.names) * BESIDE > ROOM

    @property
    def rows_left(self) -> tuple[SheetRow, ...]:
        """Return a row for each hand before the last, first to last."""
        return tuple(self._row(at) for at in range(len(self.left.hands)))

    @property
    def last_row(self) -> SheetRow | None:
        """Return the row of the last hand; ``None`` before the first."""
        return self._row(len(self.left.hands)) if self.last else None

    def _row(self, at: int) -> SheetRow:
        """Return the row of a hand, with the house rules that are others than in the hand before."""
        hand = self._hand(at)
        before, options = self._options(at - 1), self._options(at)
        game = find_game(self.rules.game.id)
        notes = {"void": pgettext("hand", "void"), "finished": ""}
        return SheetRow(
            hand.number,
            hand.scores if self.shown else (None,) * len(hand.scores),
            notes.get(hand.phase, _("running")),
            tuple(f"{self.names[giver]} → {self.names[taker]} {count}" for giver, taker, count in hand.moved),
            () if game is None or options == before else changes_in_words(game, before, options, self.rules.players),
        )

    def _hand(self, at: int) -> LeftHand:
        return self.left.hands[at] if at < len(self.left.hands) or self.last is None else self.last

    def _options(self, at: int) -> dict[str, Any]:
        """Return the house rules of a hand; before the first, and where it says nothing, those of the record."""
        options: dict[str, Any] = dict(self._hand(at).options) if at >= 0 else {}
        return options or dict(self.rules.options)

    @property
    def rules_since(self) -> int | None:
        """Return the number of the hand that began the house rules of the last one; ``None``: those of the first."""
        if self.last is None or not self.last.options:
            return None
        changed = (at for at in range(len(self.left.hands), -1, -1) if self._options(at) != self._options(at - 1))
        return next((self._hand(at).number for at in changed), None)

    @property
    def has_curve(self) -> bool:
        """Return whether any hand is settled and its points may be seen."""
        return self.shown and (self.left.settled or (self.last is not None and self.last.settled))

    @property
    def curve(self) -> Curve:
        """Draw the totals at the start and after every settled hand."""
        end = self.rules.end
        return draw(self.names, self._totals(), end.value if end.kind == "score" else None)

    @property
    def hands(self) -> tuple[LeftHand, ...]:
        """Return what each hand has brought, first to last."""
        return (*self.left.hands, self.last) if self.last else self.left.hands

    def _totals(self) -> list[tuple[str, tuple[int, ...]]]:
        """Return the totals at the start and after every settled hand, partners added."""
        made = [0] * len(self.names)
        rows = [("0", self.carried)]
        for hand in self.hands:
            scores = [points for points in hand.scores if points is not None]
            if len(scores) < len(made):
                continue
            made = [before + points for before, points in zip(made, scores, strict=True)]
            rows.append((str(hand.number), add_up(self.rules, self.carried, made)))
        return rows


def score_sheet(at: Standing, described: DescribedHand | None, left: LeftHands, *, shown: bool) -> ScoreSheet:
    """Return the sheet of a table, with the hand in progress as the referee describes it."""
    last = None if described is None else LeftHand.of(described)
    carried = tuple(at.row.carried)
    return ScoreSheet(at.row.code, tuple(at.names), carried, left, last, shown, at.state.opening)
