"""The rules and the game of a stored table."""

import json
from functools import lru_cache
from typing import NotRequired, TypedDict

from django.utils.translation import gettext

from referee.engine.game import Game, find_game
from referee.engine.rules import EndRule, Options, Problem, Refused, Rules
from referee.engine.texts import phrase
from scoring.models import Table
from scoring.models.fields import canonical


def game_of(table: Table) -> Game:
    game = find_game(table.game)
    if game is None:
        detail = phrase("This table plays {game}, which isn’t installed here.", game=repr(table.game))
        raise Refused([Problem("/game", "unknown-game", detail)])
    return game


def rules_of(table: Table) -> Rules:
    """Return the rules a table was opened with; its state has the current ones."""
    return stored_rules(game_of(table), len(table.seats), canonical(table.options), canonical(table.end))


def name_of(game: Game) -> str:
    """Return a game's display name: its table's title, or else its own name.

    Names are not translated (Hearts is also a suit), except for *Any game*.
    """
    return game.title or (gettext(game.name) if game.takes_title else game.name)


class GameAndTitle(TypedDict):
    game: str
    title: NotRequired[str]


def game_and_title(table: Table) -> GameAndTitle:
    """Return the id of a table's game, and its title, if any, as in responses and files."""
    game, _colon, title = table.game.partition(":")
    return {"game": game, "title": title} if title else {"game": game}


def changed_rules(rules: Rules, chosen: Options | None = None) -> dict[str, object]:
    options = {option.key: option for option in rules.game.all_options()}
    now = rules.options if chosen is None else chosen
    return {key: value for key, value in now.items() if value != options[key].standard_for(rules.players)}


@lru_cache(maxsize=512)
def stored_rules(game: Game, players: int, options: str, end: str) -> Rules:
    """Return the rules for stored options; cached, since many tables share them."""
    return game.rules(json.loads(options), players, EndRule(**json.loads(end)))
