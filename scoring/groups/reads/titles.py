"""Titles that a group gives to games without a referee, and how each was last played."""

from typing import TypedDict

from referee.engine.game import Game, all_games, find_game
from referee.engine.reader import as_seen
from referee.engine.sheet import EndData, GameId, OptionData
from scoring.models import Group, Table

MOST_TITLES = 60


class PlayedTitle(TypedDict):
    """A group's title for a game, with the players, house rules and end of its latest table."""

    game: GameId
    title: str
    players: int
    options: OptionData
    end: EndData


def titles_of(group: Group) -> list[PlayedTitle]:
    """Return the titles of a group, most recently played first."""
    found: dict[str, PlayedTitle] = {}
    tables = Table.objects.filter(group=group, game__contains=":").order_by("-created", "-pk")
    for key, seats, options, end in tables.values_list("game", "seats", "options", "end"):
        game = find_game(key)
        if game is not None and key not in found and len(found) < MOST_TITLES:
            played = PlayedTitle(game=game.id, title=game.title, players=len(seats), options=options, end=end)
            found[key] = played
    return [*found.values()]


def games_of(group: Group) -> tuple[Game, ...]:
    """Return the installed games, and the titled ones of a group."""
    keys = Table.objects.filter(group=group, game__contains=":").order_by("game").values_list("game", flat=True)
    titled = (find_game(key) for key in keys.distinct())
    return (*all_games(), *(game for game in titled if game is not None))


def as_spelled(group: Group | None, game: Game) -> Game:
    """Return a game with its title as the group first spelled it; titles ignore case and spacing."""
    if group is None or not game.title:
        return game
    keys = Table.objects.filter(group=group, game__startswith=f"{game.id}:").values_list("game", flat=True).distinct()
    same = (found for key in keys if (found := find_game(key)) and as_seen(found.title) == as_seen(game.title))
    return next(same, game)
