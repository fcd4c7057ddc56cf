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
    """A hand dealt in several deals: how many cards each of them gives to each player, and all of it in words."""

    numbers: tuple[int, ...]
    phrase: Phrase


class Game(ABC):
    """One game; each module in ``referee.games`` holds one as ``GAME``. A new game derives from this class and from
    ``Hand``; nothing else has to change."""

    id: ClassVar[str]
    rules_version: ClassVar[int] = 1
    """Counts up whenever a record that was taken would be judged otherwise from then on; records say by which."""
    place: ClassVar[int] = 100
    """Where the game is listed; games of one place follow by their id."""
    name: ClassVar[str]
    tagline: ClassVar[str]
    gist: ClassVar[str] = ""
    """What it is about, in three words: below its name in a list."""
    emblem: ClassVar[tuple[str, ...]] = ()
    """Two cards of its pack that stand for it in a list."""
    source: ClassVar[str]
    lesson: ClassVar[tuple[str, ...]] = ()
    """The clauses that teach the game, in the order in which newcomers need them."""
    with_cards: ClassVar[str] = ""
    """With which cards it is played, as the sentence of the house rules says it."""
    feat: ClassVar[str] = ""
    """What the best single thing is called that somebody can do in it (``Hand.feats``), where a group remembers it."""
    players: ClassVar[tuple[int, ...]]
    options: ClassVar[tuple[Option, ...]] = ()
    revoke: ClassVar[Option | None] = REVOKE
    """The house rule on proved revokes, in the words of this game; ``None`` where nothing can be revoked."""
    single: ClassVar[str] = ""
    """What the end after one hand is called where many tables only keep how a whole game came out."""
    depth_words: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """How much is recorded in its own words, by the kind of event (empty: all there is): what one taps, and a hint."""
    hand_word: ClassVar[str] = ""
    """What its players say for a hand, where they say it otherwise (``round``): a variant of every language."""
    brief_titles: ClassVar[Mapping[str, str]] = {}
    """Shorter forms of its players' titles, for plates; translated in the context ``plate``."""
    takes_title: ClassVar[bool] = False
    """Whether a table says by a title of its own what is played."""
    title: str = ""
    """That title; it then is the name of the game, too (``titled_as``)."""
    partners_change: ClassVar[bool] = False
    """Whether other house rules can say, between two hands, who plays with whom."""
    beside_tricks: ClassVar[frozenset[str]] = frozenset()
    """The options by which no trick can go elsewhere or be worth something else: those of deal, bids and scores."""
    presets: ClassVar[tuple[Preset, ...]] = ()
    """House rules that many tables choose together, by a name, beside the usual ones."""
    end: ClassVar[EndRule] = EndRule()
    ends: ClassVar[tuple[EndKind, ...]] = END_KINDS
    """The ways in which a table can end; a game adds its own."""
    events: ClassVar[tuple[type[Event], ...]] = ()
    """The kinds of events that this game brings along."""
    phases: ClassVar[tuple[Phase, ...]] = ()
    """The phases of a hand before its play, in their order."""
    rules_class: ClassVar[type[Rules]] = Rules
    hand_class: ClassVar[type[Hand]]
    QUESTIONS: ClassVar[tuple[Question, ...]] = ()
    """The single questions it answers, in the order in which pages list them."""

    def ends_with(self, rules: Rules, finished: int, totals: Sequence[int]) -> bool:
        """Return whether a table that ends in a way of this game's own is over after so many finished hands."""
        return False

    def ends_early(self, rules: Rules, totals: Sequence[int]) -> bool:
        """Return whether these totals end the game, whatever end the table has chosen."""
        return False

    def plays_on(self, rules: Rules, totals: Sequence[int]) -> bool:
        """Return whether another hand is played to break a tie although the end is reached."""
        return False

    def most_bags(self, options: Options) -> int:
        """Return the most bags that a side can bring from a table before; 0 in a game that counts none."""
        return 0

    def lowest_wins(self, options: Options) -> bool:
        """Return whether the lowest total wins. Ranks, wins, ratings and the best hands follow; signs do not."""
        return False

    def course(self, rules: Rules) -> tuple[int, ...]:
        """Return how many cards each hand of a whole game has, where that is known before it begins; else nothing."""
        return ()

    def further_on(self, rules: Rules, setup: Setup, finished: int) -> Setup:
        """Return how a table's first hand is dealt when so many hands of its course are already played."""
        return setup

    def course_place(self, before: Rules, finished: int, now: Rules) -> int:
        """Return how many hands of the course by the rules of ``now`` are played after so many by those ``before``."""
        return 0

    def dealing(self, setup: Setup, dealer: str) -> Dealing | None:
        """Return how someone deals a hand, where it is more than so many cards to each."""
        return None

    def words(self) -> Iterable[tuple[str, str]]:
        """Return the texts for players that this game keeps in tables: the form each is needed in, and the text. Texts
        in calls, options, sentences and clauses are found without it."""
        return ()

    @property
    def key(self) -> str:
        """Return what tables and statistics are told apart by: the id, with the title where there is one."""
        return f"{self.id}:{self.title}" if self.title else self.id

    def titled_as(self, title: str) -> "Game":
        """Return this game under a table's own title, its blanks as single spaces. Raises ``Refused`` in other games
        and where the title is longer than 60 characters."""
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
        """Answer a single question; reasons and score lines stand in the answer as they are. Raises ``Refused``:
        malformed for a wrong shape or type, otherwise for what cannot be."""
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
        """Return the kinds of events by which less than every card can be recorded, the one that tells more first.

        >>> from referee.engine.game import find_game
        >>> find_game("ace-trump").depths, find_game("american-deuce").depths
        (('trick', 'result'), ('result',))
        """
        taken = self.hand_class.TAKES
        return tuple(event.kind.name for event in SHARED_EVENTS if event.kind.coarse and event in taken)

    @property
    def pack_name(self) -> str:
        return self.rules({}, self.players[0]).pack.name

    @abstractmethod
    def pack(self, options: Options, players: int) -> Pack:
        """Return the pack that so many players use under these house rules."""

    def rulebook(self) -> tuple[Clause, ...]:
        return clauses(self.id)

    def check(self, options: Options, players: int) -> list[Problem]:
        """Return what is wrong with this combination of options for so many players."""
        return []

    def sides(self, options: Options, players: int) -> tuple[tuple[int, ...], ...]:
        """Return, per seat, the seats whose scores are added together (partners)."""
        return tuple((seat,) for seat in range(players))

    def hides_points(self, options: Options) -> bool:
        return False

    def seated_as(self, seating: Sequence[int]) -> Event | None:
        """Return the event that ends a hand and seats the players like this, clockwise, in a game that has one."""
        return None

    @abstractmethod
    def first(self, rules: Rules, dealer: int) -> Setup:
        """Return how the first hand is dealt."""

    def can_hold(self, rules: Rules, cards: int) -> bool:
        """Return whether a hand of these cards (a bit mask) can have been dealt."""
        return True

    @abstractmethod
    def following(self, hand: Dealt, totals: tuple[int, ...], rules: Rules) -> Setup:
        """Return how the hand after this finished one is dealt, by rules that may be others than it had."""

    def dealt_again(self, hand: Dealt, rules: Rules) -> Setup:
        """Return how a void hand is dealt again: as it was, save what other rules say themselves (REC-14, REC-23)."""
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
        """Return the house rules that go by a name, the usual ones first."""
        return (USUAL, *self.presets)

    def rules(self, options: Options, players: int, end: EndRule | None = None) -> Rules:
        """Return the rules of a table, or raise ``Refused`` with every problem."""
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
    found.title, found.name = title, title  # type: ignore[misc]  # of this one game alone
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


# --- The games there are, found by looking into ``referee.games``

GAMES = "referee.games"
"""The package whose folders are the games; looked into by name, because no rule of the engine knows a game."""


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
    """Return every kind of event by its name in records: those that games share, then those of single games."""
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
    """Return a game by its id or its key.

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
    """Context manager that adds a game to the registry, or replaces one, for a while."""
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


# --- House rules that go together: what can be chosen beside what is chosen already, and what follows a choice

WHOLE_NUMBER = re.compile("-?[0-9]{1,9}")
Changed = Mapping[str, Any]
"""The house rules that are others than usual, by key."""


def read_options(game: Game, texts: Mapping[str, str]) -> dict[str, object]:
    """Return options written as texts, as in an address: ``true``, ``false``, ``null``, a number or a word.

    What does not read as a value of its option stays a text, and is refused with it.

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
    """Return the house rules with all that depends on a choice brought in line with it.

    What is chosen (``keep``) stays, and whatever cannot go with it changes to its first value that can; ``None`` where
    none of these numbers of players can play so.

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
    """Return whether a house rule has any effect given the other choices."""
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
            if game.rules(rules, players).pack.codes != game.rules(before, players).pack.codes:
                found.add(key)
    return frozenset(found)


def playable(game: Game, chosen: Changed, players: Iterable[int]) -> bool:
    return any(not _problems(game, chosen, number) for number in players)


def _problems(game: Game, rules: Options, players: int) -> list[Problem]:
    try:
        return game.check(fill(game.all_options(), rules, players=players), players)
    except Refused as refused:
        return list(refused.problems)
