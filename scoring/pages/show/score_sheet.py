"""The score sheet of a table: a row for every hand, and the curve through the totals after each."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from referee.engine.catalogue import find_game
from referee.engine.rules import Rules
from referee.engine.sheet import DescribedHand
from referee.engine.table import add_up
from scoring.pages.show.curve import Curve, draw
from scoring.pages.show.house_rules import changes_in_words
from scoring.queries.state import LeftHand, LeftHands, Standing


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
    def rows(self) -> tuple[SheetRow, ...]:
        """Return a row for each hand, first to last."""
        notes = {"void": pgettext("hand", "void"), "finished": ""}
        return tuple(
            SheetRow(
                hand.number,
                hand.scores if self.shown else (None,) * len(hand.scores),
                notes.get(hand.phase, _("running")),
                tuple(f"{self.names[giver]} → {self.names[taker]} {count}" for giver, taker, count in hand.moved),
                rules,
            )
            for hand, rules in zip(self.hands, self._rules(), strict=True)
        )

    def _rules(self) -> Iterator[tuple[str, ...]]:
        """Yield for each hand the house rules that are others than in the hand before."""
        before = dict(self.rules.options)
        game = find_game(self.rules.game.id)
        for hand in self.hands:
            now = dict(hand.options) or dict(self.rules.options)
            yield () if game is None or now == before else changes_in_words(game, before, now, self.rules.players)
            before = now

    @property
    def rules_since(self) -> int | None:
        """Return the number of the hand that began the house rules of the last one; ``None``: those of the first."""
        numbers = [row.number for row in self.rows if row.rules]
        return numbers[-1] if numbers and self.hands[-1].options else None

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
