"""How the hand that comes is dealt, in words: what to do before the first card can be tapped."""

from typing import NamedTuple

from django.utils.translation import ngettext

from referee.engine.game import Game
from referee.engine.rules import Setup
from scoring.pages.show.translation import PAGE_LANGUAGE
from scoring.queries.rules import game_of
from scoring.queries.state import Standing


class Deal(NamedTuple):
    """Who deals how many cards, as a sentence and, where there is little room, the number alone."""

    sentence: str
    brief: str


def deal_of(at: Standing, setup: Setup) -> Deal | None:
    """Say how a hand of a table is dealt."""
    return deal_in_words(game_of(at.row), setup, at.names[setup.dealer])


def deal_in_words(game: Game, setup: Setup, dealer: str) -> Deal | None:
    """Say how a hand is dealt; where not everybody gets the same number, from the fewest to the most."""
    if not setup.sizes:
        return None
    fewest, most = min(setup.sizes), max(setup.sizes)
    number = str(most) if fewest == most else f"{fewest}–{most}"
    dealing = game.dealing(setup, dealer)
    if dealing is not None:
        number, sentence = " + ".join(map(str, dealing.numbers)), PAGE_LANGUAGE.render(dealing.phrase)
    else:
        sentence = ngettext("{name} deals {number} card to each.", "{name} deals {number} cards to each.", most)
        sentence = sentence.format(name=dealer, number=number)
    brief = ngettext("{number} card each", "{number} cards each", most)
    return Deal(sentence, brief.format(number=number))
