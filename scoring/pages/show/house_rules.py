"""The house rules of a table in words, from what the game says of each of them."""

from collections.abc import Mapping

from referee.engine.catalogue import all_games
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


def chosen_in_words(chosen: Mapping[str, object]) -> tuple[str, ...]:
    """Return house rules as an event has them, each in words.

    An event does not say its game; the first game that has all of them tells them as every other would.
    """
    for game in all_games():
        options = {option.key: option for option in game.all_options()}
        if all(key in options and options[key].problem(value) is None for key, value in chosen.items()):
            return tuple(in_words(options[key], value) for key, value in chosen.items())
    return tuple(f"{key}: {value}" for key, value in chosen.items())


def changes_in_words(
    game: Game, before: Mapping[str, object], now: Mapping[str, object], players: int
) -> tuple[str, ...]:
    """Return the house rules that are others now than before, each in words."""
    return tuple(
        in_words(option, now[option.key], players)
        for option in game.all_options()
        if before.get(option.key) != now.get(option.key)
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
