"""The house rules of a table in words, from what the game says of each of them."""

from collections.abc import Mapping

from referee.engine.game import Game
from referee.engine.options import Option
from referee.engine.translation import Phrase
from scoring.pages.show.translation import PAGE_LANGUAGE


def words(option: Option, value: object, players: int | None = None) -> str:
    """Return what the sentence of the house rules says of one; nothing where it goes without saying."""
    told = option.told(value, players)
    return PAGE_LANGUAGE.render(told) if isinstance(told, Phrase) else PAGE_LANGUAGE.translate(told)


def changed_in_words(game: Game, changed: Mapping[str, object], players: int) -> tuple[str, ...]:
    """Return the house rules that are others than usual, each in words."""
    return tuple(
        in_words(option, changed[option.key], players) for option in game.all_options() if option.key in changed
    )


def in_words(option: Option, value: object, players: int | None = None) -> str:
    """Return a house rule in words, as the sentence has it or by its label and value."""
    said = words(option, value, players)
    return said or f"{PAGE_LANGUAGE.translate(option.label)}: {value_text(option, value)}"


def value_text(option: Option, value: object) -> str:
    """Return what players call the value of a house rule."""
    if value in option.values and option.labels:
        return PAGE_LANGUAGE.translate(option.labels[option.values.index(value)])
    return str(value)
