"""What a group has decided before, beside the point that comes up again."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from scoring.models import Precedent
from scoring.pages.show.house_rules import in_words
from scoring.services.precedents import option_of


class DecidedBefore(NamedTuple):
    """A decision of the group: what was asked, what was decided, since when."""

    question: str
    decision: str
    since: datetime
    rule: str


def decided_before(found: Iterable[Precedent]) -> tuple[DecidedBefore, ...]:
    """Return decisions as pages show them."""
    return tuple(DecidedBefore(each.question, each.decision, each.since, rule_of(each)) for each in found)


def rule_of(each: Precedent) -> str:
    """Return the house rule that a decision sets, in words; nothing where it sets none."""
    option = option_of(each.game, each.option) if each.option else None
    return "" if option is None else in_words(option, each.value)
