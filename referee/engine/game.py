"""Game declarations, the registry of games (discovered in ``referee.games``), and their house rules."""

import pkgutil
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from typing import Any, ClassVar, NamedTuple

from referee.engine.cards import Pack
from referee.engine.event_kinds import Event, EventKind
from referee.engine.events import SHARED_EVENTS
from referee.engine.hand import Hand
from referee.engine.questions import Question
from referee.engine.rulebook import Clause, clauses
from referee.engine.rules import (
    END_KINDS,
    REVOKE,
    USUAL,
    Dealt,
    EndKind,
    EndRule,
    Option,
    Options,
    Preset,
    Problem,
    Refused,
    Rules,
    Setup,
    fill,
)
from referee.engine.sheet import LONGEST_TITLE
from referee.engine.state import FINISHED, PLAY, VOID, Phase
from referee.engine.texts import Phrase, phrase


class Dealing(NamedTuple):
    """A deal in several rounds: the cards each round gives to each player, and the deal in words."""

    numbers: tuple[int, ...]
    phrase: Phrase


class Game(ABC):
    """Base class of games; ``game.py`` of each package in ``referee.games`` holds one as ``GAME``.

    A new game derives from this class and from ``Hand``; nothing outside its package changes.
    """

    id: ClassVar[str]
    rules_version: ClassVar[int] = 1
    """Increases whenever an accepted record would be judged differently; records state the version."""
    place: ClassVar[int] = 100
    """Sort key in lists of games; games with the same place are sorted by id."""
    name: ClassVar[str]
    tagline: ClassVar[str]
    gist: ClassVar[str] = ""
    """What the game is about, in three words; shown below its name in lists."""
    emblem: ClassVar[tuple[str, ...]] = ()
    """Two cards of its pack that represent the game in lists."""
    source: ClassVar[str]
    lesson: ClassVar[tuple[str, ...]] = ()
    """The clauses that teach the game, in the order in which newcomers need them."""
    with_cards: ClassVar[str] = ""
    """The cards used, as worded in the sentence of house rules."""
    feat: ClassVar[str] = ""
    """The name of the best single feat (``Hand.feats``), in games for which a group remembers it."""
    players: ClassVar[tuple[int, ...]]
    options: ClassVar[tuple[Option, ...]] = ()
    revoke: ClassVar[Option | None] = REVOKE
    """The house rule on proved revokes, in this game's words; ``None`` where nothing can be revoked."""
    single: ClassVar[str] = ""
    """The label of an end after one hand, in games for which many tables record only the final result."""
    depth_words: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """This game's names for the depths of recording, by event kind (empty: everything): button and hint."""
    hand_word: ClassVar[str] = ""
    """What players call a hand if they do not say *hand* (``round``); selects a variant of each language."""
    brief_titles: ClassVar[Mapping[str, str]] = {}
    """Shorter forms of the players' titles, for plates; translated in the context ``plate``."""
    takes_title: ClassVar[bool] = False
    """Whether each table gives its game a title of its own."""
    title: str = ""
    """The table's title; it is then also the game's ``name`` (``titled_as``)."""
    partners_change: ClassVar[bool] = False
    """Whether house rules can change the partnerships between hands."""
    beside_tricks: ClassVar[frozenset[str]] = frozenset()
    """Options that affect neither who wins a trick nor what it is worth: those of deal, bids and scores."""
    presets: ClassVar[tuple[Preset, ...]] = ()
    """Named sets of house rules, besides the standard rules."""
    end: ClassVar[EndRule] = EndRule()
    ends: ClassVar[tuple[EndKind, ...]] = END_KINDS
    """The ways in which a table can end; a game may add its own."""
    events: ClassVar[tuple[type[Event], ...]] = ()
    """The event kinds that only this game has."""
    phases: ClassVar[tuple[Phase, ...]] = ()
    """The phases of a hand before play, in order."""
    rules_class: ClassVar[type[Rules]] = Rules
    hand_class: ClassVar[type[Hand]]
    QUESTIONS: ClassVar[tuple[Question, ...]] = ()
    """The single questions the game answers, in the order in which pages list them."""

    def ends_with(self, rules: Rules, finished: int, totals: Sequence[int]) -> bool:
        """Return whether an end specific to this game is reached after ``finished`` hands."""
        return False

    def ends_early(self, rules: Rules, totals: Sequence[int]) -> bool:
        """Return whether these totals end the game, whichever end the table has chosen."""
        return False

    def plays_on(self, rules: Rules, totals: Sequence[int]) -> bool:
        """Return whether another hand is played to break a tie although the end is reached."""
        return False

    def most_bags(self, options: Options) -> int:
        """Return the most bags a side can carry over from an earlier table; 0 in games without bags."""
        return 0

    def lowest_wins(self, options: Options) -> bool:
        """Return whether the lowest total wins; ranks, ratings and best hands follow, but not the sign of points."""
        return False

    def course(self, rules: Rules) -> tuple[int, ...]:
        """Return the hand sizes of a whole game if they are known before it begins; else ``()``."""
        return ()

    def further_on(self, rules: Rules, setup: Setup, finished: int) -> Setup:
        """Return a first hand's setup if ``finished`` hands of the course were played at an earlier table."""
        return setup

    def course_place(self, before: Rules, finished: int, now: Rules) -> int:
        """Convert a number of hands finished under the course of ``before`` to the course of ``now``."""
        return 0

    def dealing(self, setup: Setup, dealer: str) -> Dealing | None:
        """Describe a deal in several rounds, with the dealer's name; ``None`` if each player gets all cards at once."""
        return None

    def words(self) -> Iterable[tuple[str, str]]:
        """Return (form, text) of translatable texts that are not collected by themselves, such as those in tables."""
        return ()

    @property
    def key(self) -> str:
        """Return the key of tables and statistics: the id, followed by the title if there is one."""
        return f"{self.id}:{self.title}" if self.title else self.id

    def titled_as(self, title: str) -> "Game":
        """Return this game under a table's own title; raises ``Refused`` if it takes none, or if it is too long."""
        title = " ".join(title.split())
        if title and not self.takes_title:
            raise Refused([Problem("/title", "no-title", phrase("{game} can’t have another title.", game=self.name))])
        if len(title) > LONGEST_TITLE:
            told = phrase("A title has 1 to {most} characters.", most=LONGEST_TITLE)
            raise Refused([Problem("/title", "bad-value", told)])
        return _titled(self, title) if title else self

    @property
    def questions(self) -> frozenset[str]:
        return frozenset(question.name for question in self.QUESTIONS)

    def question(self, name: str) -> Question | None:
        return next((question for question in self.QUESTIONS if question.name == name), None)

    def answer(self, name: str, payload: Mapping[str, Any]) -> dict[str, Any]:
        """Answer a single question, with reasons and score lines as objects.

        Raises ``Refused``: malformed for a wrong shape or type, otherwise for an impossible value.
        """
        question = self.question(name)
        if question is None:
            known = ", ".join(question.name for question in self.QUESTIONS) or "none"
            detail = "{game} has no question “{question}”; its questions are: {known}."
            told = phrase(detail, game=self.name, question=repr(name[:40]), known=known)
            raise Refused([Problem("/game", "unknown-question", told)])
        if not isinstance(payload, Mapping):
            raise Refused([Problem("", "wrong-type", "This must be an object.")], malformed=True)
        return question.answer({**payload, "game": self.id})

    @property
    def depths(self) -> tuple[str, ...]:
        """Return the coarse event kinds that this game takes, the most detailed first.

        >>> from referee.engine.game import find_game
        >>> find_game("ace-trump").depths, find_game("american-deuce").depths
        (('trick', 'result'), ('result',))
        """
        taken = self.hand_class.TAKES
        return tuple(event.kind.name for event in SHARED_EVENTS if event.kind.coarse and event in taken)

    @property
    def pack_name(self) -> str:
        """Return what its cards are called; nothing for a game of any cards."""
        return self.rules({}, self.players[0]).pack.name

    @abstractmethod
    def pack(self, options: Options, players: int) -> Pack:
        """Return the pack for this number of players under these house rules."""

    def rulebook(self) -> tuple[Clause, ...]:
        return clauses(self.id)

    def check(self, options: Options, players: int) -> list[Problem]:
        """Return the problems with this combination of options for this number of players."""
        return []

    def sides(self, options: Options, players: int) -> tuple[tuple[int, ...], ...]:
        """Return, per seat, the seats whose scores are added together (partners)."""
        return tuple((seat,) for seat in range(players))

    def hides_points(self, options: Options) -> bool:
        return False

    def seated_as(self, seating: Sequence[int]) -> Event | None:
        """Return the event that ends a hand and seats the players clockwise in this order, if the game has one."""
        return None

    @abstractmethod
    def first(self, rules: Rules, dealer: int) -> Setup:
        """Return the setup of the first hand."""

    def can_hold(self, rules: Rules, cards: int) -> bool:
        """Return whether these cards (a bit mask) can have been dealt as one hand."""
        return True

    def following(self, hand: Dealt, totals: tuple[int, ...], rules: Rules) -> Setup:
        """Return the setup of the hand after a finished one; ``rules`` may differ from those of ``hand``.

        By default the same number of cards is dealt, and the deal passes to the left.
        """
        setup = hand.setup
        return Setup(setup.index + 1, (setup.dealer + 1) % rules.players, setup.seating, setup.sizes)

    def dealt_again(self, hand: Dealt, rules: Rules) -> Setup:
        """Return the setup for redealing a void hand (REC-14), adapted to ``rules`` if they have changed (REC-23)."""
        again = replace(hand.setup, index=hand.setup.index + 1, known=())
        if rules is hand.rules:
            return again
        usual, now = (self.first(each, again.dealer) for each in (hand.rules, rules))
        if now.sizes != usual.sizes:
            again = replace(again, sizes=now.sizes)
        if now.carry != usual.carry:
            again = replace(again, carry=now.carry, carry_ways=now.carry_ways)
        return again

    def all_options(self) -> tuple[Option, ...]:
        return self.options if self.revoke is None else (*self.options, self.revoke)

    def touches_tricks(self, keys: Iterable[str]) -> bool:
        """Return whether changing these options can change who wins a trick or what it is worth."""
        return not {*keys} <= {*self.beside_tricks, REVOKE.key}

    def named_rules(self) -> tuple[Preset, ...]:
        """Return the named sets of house rules, standard rules first."""
        return (USUAL, *self.presets)

    def rules(self, options: Options, players: int, end: EndRule | None = None) -> Rules:
        """Return the rules of a table; raises ``Refused`` with every problem."""
        if players not in self.players:
            least, most = self.players[0], self.players[-1]
            allowed = phrase("{least} to {most}", least=least, most=most) if least < most else str(least)
            detail = "{game} is for {allowed} players, not {players}."
            told = phrase(detail, game=self.name, allowed=allowed, players=players)
            raise Refused([Problem("/seats", "bad-players", told)])
        filled = fill(self.all_options(), options, players=players)
        problems = self.check(filled, players)
        if problems:
            raise Refused(problems)
        follows = frozenset(each.key for each in self.all_options() if each.by_players and each.key not in options)
        return _rules(self, players, tuple(filled.items()), end or self.end, follows)


@lru_cache(maxsize=512)
def _titled(game: Game, title: str) -> Game:
    found = copy(game)
    found.title, found.name = title, title  # type: ignore[misc]  # on this copy alone
    return found


@lru_cache(maxsize=256)
def _rules(
    game: Game, players: int, options: tuple[tuple[str, object], ...], end: EndRule, follows: frozenset[str]
) -> Rules:
    filled = dict(options)
    pack, sides = game.pack(filled, players), game.sides(filled, players)
    return game.rules_class(game, players, filled, pack, end, sides, follows)


def conflict(key: str, detail: Phrase | str) -> Problem:
    return Problem(f"/options/{key}", "option-conflict", detail)


# --- The registry of games

GAMES = "referee.games"
"""The package whose subpackages are the games; imported by name, because the engine knows no game."""


@cache
def _found() -> dict[str, Game]:
    folders = (folder.name for folder in pkgutil.iter_modules(import_module(GAMES).__path__))
    modules = (import_module(f"{GAMES}.{name}.game") for name in folders if find_spec(f"{GAMES}.{name}.game"))
    held = [module.GAME for module in modules]
    return {game.id: game for game in sorted(held, key=lambda game: (game.place, game.id))}


def all_games() -> tuple[Game, ...]:
    return tuple(_found().values())


@cache
def event_kinds() -> Mapping[str, EventKind]:
    """Return every event kind by its name in records: those that games share, then those of single games."""
    kinds: dict[str, EventKind] = {}
    for event in (*SHARED_EVENTS, *(event for game in all_games() for event in game.events)):
        known = kinds.setdefault(event.kind.name, event.kind)
        assert known is event.kind, f"two kinds of event are called {event.kind.name!r}"
    return kinds


def phases() -> tuple[Phase, ...]:
    found = [phase for game in all_games() for phase in game.phases]
    return tuple(dict.fromkeys((*found, PLAY, FINISHED, VOID)))


def end_kinds() -> tuple[EndKind, ...]:
    kinds: dict[str, EndKind] = {}
    for kind in (kind for game in all_games() for kind in game.ends):
        kinds.setdefault(kind.name, kind)
    return tuple(kinds.values())


def find_game(key: str) -> Game | None:
    """Return a game by its id or its key; ``None`` if there is none.

    >>> find_game("any-game:Skat").name, find_game("ace-pit:Skat"), find_game("skat")
    ('Skat', None, None)
    """
    name, _colon, title = key.partition(":")
    game = _found().get(name)
    try:
        return game and game.titled_as(title)
    except Refused:
        return None


@contextmanager
def with_game(game: Game) -> Iterator[Game]:
    """Context manager that temporarily adds a game to the registry, or replaces one."""
    found = _found()
    before = found.get(game.id)
    found[game.id] = game
    event_kinds.cache_clear()
    try:
        yield game
    finally:
        if before is None:
            del found[game.id]
        else:
            found[game.id] = before
        event_kinds.cache_clear()


# --- Combinations of house rules: what can still be chosen, and what a choice changes

WHOLE_NUMBER = re.compile("-?[0-9]{1,9}")
Changed = Mapping[str, Any]
"""The house rules that differ from the standard ones, by key."""


def read_options(game: Game, texts: Mapping[str, str]) -> dict[str, object]:
    """Read options from texts, as in a URL: ``true``, ``false``, ``null``, a number or a word.

    Text that is no value of its option is kept as it is, for ``Game.rules`` to refuse.

    >>> from referee.engine.game import find_game
    >>> read_options(find_game("ace-pit"), {"fork_spoon": "false", "ace_lead": "60", "totals": "hidden"})
    {'fork_spoon': False, 'ace_lead': 60, 'totals': 'hidden'}
    """
    options = {option.key: option for option in game.all_options()}
    read: dict[str, object] = {}
    for key, text in texts.items():
        option = options.get(key)
        read[key] = text
        if option is None:
            continue
        if text == "null" and None in option.values:
            read[key] = None
        elif option.kind is bool:
            read[key] = {"true": True, "false": False}.get(text, text)
        elif option.kind is int and WHOLE_NUMBER.fullmatch(text):
            read[key] = int(text)
    return read


def settled(game: Game, chosen: Changed, players: Iterable[int], *, keep: frozenset[str]) -> dict[str, object] | None:
    """Return the house rules with all others adjusted to the choices in ``keep``.

    An option that conflicts with them changes to its first value that does not. ``None`` if no number in ``players``
    can play by such rules.

    >>> from referee.engine.game import find_game
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
        key = problems[0].pointer.removeprefix("/options/")
        if key not in options or key in keep:
            return None
        for value in options[key].values or (options[key].standard_for(players),):
            wrong = _problems(game, {**rules, key: value}, players)
            if all(problem.pointer != f"/options/{key}" for problem in wrong):
                rules[key] = value
                break
        else:
            return None
    return None


def possible(game: Game, chosen: Changed, players: Iterable[int], key: str, value: object) -> bool:
    return settled(game, {**chosen, key: value}, players, keep=frozenset({key})) is not None


def matters(game: Game, chosen: Changed, players: Iterable[int], option: Option) -> bool:
    """Return whether a house rule has any effect, given the other choices."""
    numbers = tuple(players)
    if option.key in chosen:
        return True
    if option.needs and not chosen.get(option.needs):
        return False
    others = option.values[1:] if option.values else tuple(option.span or ())
    return any(possible(game, chosen, numbers, option.key, value) for value in others if value != option.standard)


@lru_cache(maxsize=64)
def pack_rules(game: Game) -> frozenset[str]:
    """Return the keys of the house rules that change the pack.

    >>> from referee.engine.game import find_game
    >>> sorted(pack_rules(find_game("ace-trump")))
    ['courts', 'excuse', 'pawns']
    """
    found = set()
    choices = ((option.key, value) for option in game.all_options() for value in option.values)
    for (key, value), players in product(choices, game.players):
        rules = _settled(game, {key: value}, players, frozenset({key}))
        if rules is not None:
            without = {other: chosen for other, chosen in rules.items() if other != key}
            before = {} if _problems(game, without, players) else without
            if _pack(game, rules, players) is not _pack(game, before, players):
                found.add(key)
    return frozenset(found)


def _pack(game: Game, rules: Options, players: int) -> Pack:
    return game.pack(fill(game.all_options(), rules, players=players), players)


def playable(game: Game, chosen: Changed, players: Iterable[int]) -> bool:
    return any(not _problems(game, chosen, number) for number in players)


def _problems(game: Game, rules: Options, players: int) -> list[Problem]:
    try:
        return game.check(fill(game.all_options(), rules, players=players), players)
    except Refused as refused:
        return list(refused.problems)
