"""What is told of a table now, and to whom: points may be hidden, and what was proved held back.

The game says whether points are, the table whether it wants to hear of a revoke only when the hand is over; everybody
asks here.
"""

from referee.engine.adjudication import describe_table
from referee.engine.rulings import Certainty
from referee.engine.sheet import Adjudication, DescribedHand
from referee.engine.translation import ENGLISH, Language
from scoring.models import Table
from scoring.queries.chains import next_of
from scoring.queries.clock import standing_now
from scoring.queries.rules import rules_of
from scoring.queries.state import ChangedState, Standing, adjudication, changed, current_hand, left_hands_in


def may_hide_points(row: Table) -> bool:
    """Return whether a table's house rules hide points while the game runs."""
    rules = rules_of(row)
    return rules.game.hides_points(rules.options)


def points_hidden(at: Standing) -> bool:
    """Return whether nobody is to see the points of a table now: not before the game is over.

    A game that other people go on with at another table, with the totals of this one, is not over either.
    """
    if not at.rules.game.hides_points(at.rules.options):  # no change of rules between two hands touches that
        return False
    if not at.state.finished():
        return True
    following = next_of(at.row)
    return following is not None and points_hidden(standing_now(following))


def adjudication_shown(
    at: Standing, *, points: bool = False, keeps: bool = False, language: Language = ENGLISH
) -> Adjudication:
    """Describe everything about a table that may be shown now; hidden ``points`` only where they are asked for.

    ``keeps``: to who keeps the score, who is told also what is held back until the hand is over.
    """
    shown = _adjudication_shown(at, points=points, language=language)
    if keeps or not is_held_back(at) or not shown["hands"]:
        return shown
    *left, last = shown["hands"]
    return {**shown, "hands": [*left, without_held(last)]}


def is_held_back(at: Standing) -> bool:
    """Return whether what is proved in this hand is told only when the hand is over."""
    return at.hand is not None and at.hand.holds_back()


def without_held(hand: DescribedHand) -> DescribedHand:
    """Return a hand without what was proved in it; what was seen and left as it was, everybody saw."""
    return {**hand, "irregularities": [one for one in hand["irregularities"] if one["certainty"] == SEEN]}


SEEN = Certainty.SEEN.value


def _adjudication_shown(at: Standing, *, points: bool, language: Language) -> Adjudication:
    if points or not points_hidden(at):
        return adjudication(at, language)
    left = left_hands_in(at.row, language, points=False)
    last = current_hand(at, language, points=False)
    hands = left if last is None else [*left, last]
    return {**describe_table(at.state, points=False), "hands": hands, "rejected": None}


def changed_shown(at: Standing, *, keeps: bool = False, language: Language = ENGLISH) -> ChangedState:
    """Describe what an event can have changed, as far as it may be shown now; ``keeps``: to who keeps the score."""
    shown = changed(at.state, at.names, points=not points_hidden(at), language=language)
    if keeps or shown["hand"] is None or not is_held_back(at):
        return shown
    return {**shown, "hand": without_held(shown["hand"])}


def totals_shown(at: Standing) -> tuple[int, ...] | None:
    """Return the totals, or ``None`` while they are hidden."""
    return None if points_hidden(at) else at.state.totals()
