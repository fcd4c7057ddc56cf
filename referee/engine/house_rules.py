"""House rules that go together: what can be chosen beside what is chosen already, and what follows a choice."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from referee.engine.game import Game
from referee.engine.options import Option, Options, Problem, Refused, fill

LONGEST_NUMBER = 10
"""Digits of a number that no option reaches."""
Changed = Mapping[str, Any]
"""The house rules that are others than usual, by key."""


def read_options(game: Game, texts: Mapping[str, str]) -> dict[str, object]:
    """Return options written as texts, as in an address: ``true``, ``false``, ``null``, a number or a word.

    What does not read as a value of its option stays a text, and is refused with it.

    >>> from referee.engine.catalogue import find_game
    >>> read_options(find_game("ace-pit"), {"fork_spoon": "false", "ace_lead": "60", "totals": "hidden"})
    {'fork_spoon': False, 'ace_lead': 60, 'totals': 'hidden'}
    """
    kinds = {option.key: option for option in game.all_options()}
    return {key: _read(kinds[key], text) if key in kinds else text for key, text in texts.items()}


def _read(option: Option, text: str) -> object:
    if text == "null" and None in option.values:
        return None
    if option.kind is bool:
        return {"true": True, "false": False}.get(text, text)
    number = option.kind is int and text.isascii() and text.isdecimal() and len(text) < LONGEST_NUMBER
    return int(text) if number else text


def settled(game: Game, chosen: Changed, players: Iterable[int], *, keep: frozenset[str]) -> dict[str, object] | None:
    """Return the house rules with all that depends on a choice brought in line with it.

    What is chosen (``keep``) stays, and whatever cannot go with it changes to its first value that can; ``None`` where
    none of these numbers of players can play so.

    >>> from referee.engine.catalogue import find_game
    >>> settled(find_game("ace-trump"), {"hook": True}, (4,), keep=frozenset({"bidding"}))
    {}
    >>> settled(find_game("ace-trump"), {"trump": "fixed"}, (4,), keep=frozenset({"trump"}))
    {'trump': 'fixed', 'fixed_trump': 'M'}
    """
    return next((found for number in players if (found := _settled(game, chosen, number, keep)) is not None), None)


def _settled(game: Game, chosen: Changed, players: int, keep: frozenset[str]) -> dict[str, object] | None:
    options = {option.key: option for option in game.all_options()}
    rules = dict(chosen)
    for _turn in options:
        problems = _problems(game, rules, players)
        if not problems:
            return {key: value for key, value in rules.items() if value != options[key].standard_for(players)}
        key = _key(problems[0])
        if key not in options or key in keep:
            return None
        lawful = (value for value in _values(options[key], players) if not _wrong(game, rules, key, value, players))
        value = next(lawful, rules)
        if value is rules:
            return None
        rules[key] = value
    return None


def possible(game: Game, chosen: Changed, players: Iterable[int], key: str, value: object) -> bool:
    """Return whether a value can be chosen beside what is chosen, perhaps with changes to what depends on it."""
    return settled(game, {**chosen, key: value}, players, keep=frozenset({key})) is not None


def matters(game: Game, chosen: Changed, players: Iterable[int], option: Option) -> bool:
    """Return whether there is anything to choose about a house rule beside what is chosen."""
    numbers = tuple(players)
    if option.key in chosen:
        return True
    if option.needs and not chosen.get(option.needs):
        return False
    others = option.values[1:] if option.values else tuple(option.span or ())
    return any(possible(game, chosen, numbers, option.key, value) for value in others if value != option.standard)


@lru_cache(maxsize=64)
def pack_rules(game: Game) -> frozenset[str]:
    """Return the house rules by which a game is played with another pack.

    >>> from referee.engine.catalogue import find_game
    >>> sorted(pack_rules(find_game("ace-trump")))
    ['courts', 'excuse', 'pawns']
    """
    return frozenset(
        option.key
        for option in game.all_options()
        if any(
            _has_another_pack(game, option.key, value, players) for value in option.values for players in game.players
        )
    )


def _has_another_pack(game: Game, key: str, value: object, players: int) -> bool:
    rules = settled(game, {key: value}, (players,), keep=frozenset({key}))
    if rules is None:
        return False
    without = {other: chosen for other, chosen in rules.items() if other != key}
    before = {} if _problems(game, without, players) else without
    return game.rules(rules, players).pack.codes != game.rules(before, players).pack.codes


def playable(game: Game, chosen: Changed, players: Iterable[int]) -> bool:
    """Return whether one of these numbers of players can play by these house rules, just as they are."""
    return any(not _problems(game, chosen, number) for number in players)


def _problems(game: Game, rules: Options, players: int) -> list[Problem]:
    try:
        return game.check(fill(game.all_options(), rules, players=players), players)
    except Refused as refused:
        return list(refused.problems)


def _wrong(game: Game, rules: Options, key: str, value: object, players: int) -> bool:
    return any(_key(problem) == key for problem in _problems(game, {**rules, key: value}, players))


def _key(problem: Problem) -> str:
    return problem.pointer.removeprefix("/options/")


def _values(option: Option, players: int) -> tuple[object, ...]:
    return option.values or (option.standard_for(players),)
