"""How the hand that comes is dealt, in words: what to do before the first card can be tapped."""

from dataclasses import dataclass

from django.utils.translation import ngettext

from referee.engine.rules import Setup
from scoring.queries.state import Standing


@dataclass(frozen=True, slots=True)
class Deal:
    """Who deals how many cards, as a sentence and, where there is little room, the number alone."""

    sentence: str
    brief: str


def deal_of(at: Standing, setup: Setup) -> Deal | None:
    """Say how a hand is dealt; where not everybody gets the same number, from the fewest to the most."""
    if not setup.sizes:
        return None
    fewest, most = min(setup.sizes), max(setup.sizes)
    number = str(most) if fewest == most else f"{fewest}–{most}"
    sentence = ngettext("{name} deals {number} card to each.", "{name} deals {number} cards to each.", most)
    brief = ngettext("{number} card each", "{number} cards each", most)
    return Deal(sentence.format(name=at.names[setup.dealer], number=number), brief.format(number=number))
