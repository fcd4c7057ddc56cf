"""Reads a single question: its keys, cards and suits, with a pointer to every problem.

Shapes are checked first (``check``), then the rules, then what the values mean.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from referee.engine.cards import Pack
from referee.engine.game import Game, all_games, find_game
from referee.engine.reader import Reader
from referee.engine.rules import Problem, Refused, Rules
from referee.engine.shapes import Schema
from referee.engine.texts import phrase

T = TypeVar("T")
Shapes = Mapping[str, Schema]
EVERY = ("game", "options")
"""The keys that every question may have."""
MOST_CARDS = 104
"""The longest list that is read card by card: two French packs."""


class QuestionReader:
    """Reads the keys of a question and collects problems.

    The keys are those that the game declares for the question of this ``name``. A key that the same question has only
    in other games is a bad value; any other key makes the question malformed, unless it starts with ``x_``.
    """

    def __init__(self, payload: Mapping[str, Any], name: str) -> None:
        self.reader = Reader()
        self.payload = payload
        self.name = name
        self._keys(payload, "", EVERY)
        self.options = self.reader.mapping(payload.get("options", {}), "/options")

    def _keys(self, payload: Mapping[str, object], pointer: str, every: Sequence[str] = (), listed: str = "") -> Shapes:
        """Note keys that mean nothing in this game; return the schemas of those that do, inside ``listed`` if given."""
        own = self._shapes(self.game, listed)
        foreign = [key for game in all_games() for key in self._shapes(game, listed) if key not in own]
        self.reader.keys(payload, (*every, *own, *foreign), pointer)
        for key in dict.fromkeys(foreign):
            if payload.get(key) is not None:
                detail = phrase("{key} means nothing in {game}.", key=key, game=self.game.name)
                self.reader.value(f"{pointer}/{key}", detail)
        return own

    def _shapes(self, game: Game, listed: str) -> Shapes:
        """Return a game's schemas for the keys of this question, or of the objects it lists under a key."""
        question = game.question(self.name)
        shapes: Shapes = question.request if question else {}
        return shapes.get(listed, {}).get("items", {}).get("properties", {}) if listed else shapes

    @property
    def game(self) -> Game:
        """Return the game that is asked; ``Game.answer`` has filled in its id."""
        game = find_game(self.payload["game"])
        assert game is not None
        return game

    def check(self) -> None:
        self.reader.check()

    def has(self, key: str) -> bool:
        return self.payload.get(key) is not None

    def missing(self, key: str, pointer: str = "") -> None:
        self.reader.shape(f"{pointer}/{key}", phrase("The key {key} is missing here.", key=repr(key)), "missing-key")

    def lacking(self, key: str, why: str, pointer: str = "") -> None:
        """Note a missing key that this game or house rule requires."""
        self.reader.value(f"{pointer}/{key}", why, "missing-key")

    # -- shapes ---------------------------------------------------------------------------

    def integer(self, key: str, *, needed: bool = True) -> int | None:
        return self._read(key, self.reader.integer, needed=needed)

    def flag(self, key: str) -> bool:
        return bool(self._read(key, self.reader.flag, needed=False))

    def numbers(self, key: str, most: int = MOST_CARDS) -> tuple[int, ...]:
        """Read a required list of whole numbers; an invalid one becomes 0."""
        items = self._list(key, most)
        return tuple(self.reader.integer(item, f"/{key}/{i}") or 0 for i, item in enumerate(items))

    def flags(self, key: str) -> tuple[bool, ...]:
        """Read an optional list of booleans."""
        items = self.reader.array(self.payload[key], f"/{key}")[: MOST_CARDS + 1] if self.has(key) else ()
        return tuple(bool(self.reader.flag(item, f"/{key}/{i}")) for i, item in enumerate(items))

    def text(self, key: str, *, needed: bool = False) -> str | None:
        return self._read(key, self.reader.text, needed=needed)

    def _read(self, key: str, read: Callable[[object, str], T], *, needed: bool) -> T | None:
        """Read the value of a key; ``None`` if it is optional and missing or null."""
        if key not in self.payload and needed:
            self.missing(key)
        elif needed or self.has(key):
            return read(self.payload[key], f"/{key}")
        return None

    def integers(self, key: str) -> tuple[int, ...]:
        """Read a required list of whole numbers, one per seat."""
        return self.numbers(key, self.game.players[-1])

    def texts(self, key: str) -> tuple[str, ...]:
        return self.listed(self._list(key), f"/{key}")

    def _list(self, key: str, most: int = MOST_CARDS) -> Sequence[object]:
        """Read a required list, of any length up to one more than ``most``."""
        if key in self.payload:
            return self.reader.array(self.payload[key], f"/{key}")[: most + 1]
        self.missing(key)
        return ()

    def listed(self, value: object, pointer: str) -> tuple[str, ...]:
        """Read a list of texts, of any length up to one more than two packs; an invalid item becomes ``""``."""
        items = self.reader.array(value, pointer)[: MOST_CARDS + 1]
        return tuple(self.reader.text(item, f"{pointer}/{i}") or "" for i, item in enumerate(items))

    def objects(self, key: str) -> Iterator[tuple[str, Mapping[str, object]]]:
        """Read a required list of objects; yield the pointer of each, and its keys that this game declares."""
        for position, value in enumerate(self._list(key)):
            pointer = f"/{key}/{position}"
            item = self.reader.mapping(value, pointer)
            own = self._keys(item, pointer, listed=key)
            yield pointer, {each: item[each] for each in item if each in own}

    # -- rules ----------------------------------------------------------------------------

    def rules(self, players: int) -> Rules:
        try:
            return self.game.rules(self.options, players)
        except Refused as refused:
            problems = [replace(p, pointer="/players") if p.pointer == "/seats" else p for p in refused.problems]
            raise Refused(problems, malformed=refused.malformed) from None

    def fitting_rules(
        self, players: int | None, fits: Callable[[Rules], bool], misfit: Problem, texts: Sequence[str] = ()
    ) -> Rules:
        """Return the rules for ``players`` or, if ``None``, for the fewest players that fit.

        Packs that hold all cards in ``texts`` are preferred. Raises ``Refused``, with ``misfit`` if no number of
        players fits.
        """
        asked = self.possible_rules() if players is None else (self.rules(players),)
        fitting = sorted(filter(fits, asked), key=lambda rules: any(rules.pack.find(text) is None for text in texts))
        if not fitting:
            raise Refused([misfit])
        return fitting[0]

    def possible_rules(self) -> Iterator[Rules]:
        """Yield the rules for every number of players that the options allow; raises ``Refused`` if none."""
        refused: Refused | None = None
        found = False
        for players in self.game.players:
            try:
                rules = self.rules(players)
            except Refused as problem:
                refused = refused or problem
            else:
                found = True
                yield rules
        if refused and not found:
            raise refused

    # -- values ---------------------------------------------------------------------------

    def card(self, pack: Pack, text: str, pointer: str) -> int:
        """Return the index of the named card; if there is none, note that and return -1."""
        card = pack.find(text)
        if card is None:
            self.reader.value(pointer, pack.explain(text), "not-in-deck")
            return -1
        return card

    def cards(self, pack: Pack, texts: Sequence[str], pointer: str) -> tuple[int, ...]:
        found: list[int] = []
        for position, text in enumerate(texts):
            card = self.card(pack, text, f"{pointer}/{position}")
            if card in found and card >= 0:
                self.twice(pack, card, f"{pointer}/{position}")
            found.append(card)
        return tuple(found)

    def twice(self, pack: Pack, card: int, pointer: str) -> None:
        self.reader.value(pointer, phrase("{card:The} is already there.", card=pack.cards[card]), "already-played")

    def between(self, key: str, number: int, least: int, most: int) -> None:
        if not least <= number <= most:
            detail = phrase("This must be a number from {least} to {most}.", least=least, most=most)
            self.reader.value(f"/{key}", detail)
