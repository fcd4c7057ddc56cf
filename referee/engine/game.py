"""What a game declares: players, pack, options, how hands follow one another, and its hand."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from referee.engine.cards import Pack
from referee.engine.event_kinds import Event
from referee.engine.hand import Hand
from referee.engine.options import REVOKE, USUAL, Option, Options, Preset, Problem, Refused, fill
from referee.engine.phases import Phase
from referee.engine.questions import Question
from referee.engine.rulebook import Clause, clauses
from referee.engine.rules import END_KINDS, Dealt, EndKind, EndRule, Rules, Setup
from referee.engine.translation import Phrase, phrase


class Dealing(NamedTuple):
    """A hand dealt in several deals: how many cards each of them gives to each player, and all of it in words."""

    numbers: tuple[int, ...]
    phrase: Phrase


class Game(ABC):
    """One game; each module in ``referee.games`` holds one as ``GAME``.

    A new game derives from this class and from ``Hand``; nothing else has to change.
    """

    id: ClassVar[str]
    rules_version: ClassVar[int] = 1
    """Counts up whenever a record that was taken would be judged otherwise from then on; records say by which."""
    place: ClassVar[int] = 100
    """Where the game is listed; games of one place follow by their id."""
    name: ClassVar[str]
    tagline: ClassVar[str]
    source: ClassVar[str]
    lesson: ClassVar[tuple[str, ...]] = ()
    """The clauses that teach the game, in the order in which newcomers need them."""
    with_cards: ClassVar[str] = ""
    """With which cards it is played, as the sentence of the house rules says it."""
    feat: ClassVar[str] = ""
    """What the best single thing is called that somebody can do in it (``Hand.feats``), where a group remembers it."""
    players: ClassVar[tuple[int, ...]]
    options: ClassVar[tuple[Option, ...]] = ()
    revoke: ClassVar[Option] = REVOKE
    """The house rule that every game has, in the words of this one."""
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

    def ends_with(self, rules: Rules, finished: int) -> bool:
        """Return whether a table that ends in a way of this game's own is over after so many finished hands."""
        return False

    def course(self, rules: Rules) -> tuple[int, ...]:
        """Return how many cards each hand of a whole game has, where that is known before it begins; else nothing."""
        return ()

    def further_on(self, rules: Rules, setup: Setup, finished: int) -> Setup:
        """Return how the first hand of a table is dealt where the game has so many hands of its course behind it."""
        return setup

    def course_place(self, before: Rules, finished: int, now: Rules) -> int:
        """Return how many hands of the course by the rules of ``now`` are played after so many by those ``before``."""
        return 0

    def dealing(self, setup: Setup, dealer: str) -> Dealing | None:
        """Return how somebody deals a hand, where it is more than so many cards to each."""
        return None

    def words(self) -> Iterable[tuple[str, str]]:
        """Return the texts for players that this game keeps in tables: the form each is needed in, and the text.

        Texts in calls, options, sentences and clauses are found without it.
        """
        return ()

    @property
    def questions(self) -> frozenset[str]:
        """Return the names of the single questions this game answers."""
        return frozenset(question.name for question in self.QUESTIONS)

    def question(self, name: str) -> Question | None:
        """Return the single question of this name, if the game answers it."""
        return next((question for question in self.QUESTIONS if question.name == name), None)

    def answer(self, name: str, payload: Mapping[str, Any]) -> dict[str, Any]:
        """Answer a single question; reasons and score lines stand in the answer as they are.

        Raises ``Refused``: malformed for a wrong shape or type, otherwise for what cannot be.
        """
        question = self.question(name)
        if question is None:
            known = ", ".join(question.name for question in self.QUESTIONS) or "none"
            detail = phrase(
                "{game} has no question {question}; its questions are: {known}.",
                game=self.name,
                question=repr(name[:40]),
                known=known,
            )
            raise Refused([Problem("/game", "unknown-question", detail)])
        if not isinstance(payload, Mapping):
            raise Refused([Problem("", "wrong-type", "An object is needed here.")], malformed=True)
        return question.answer({**payload, "game": self.id})

    @property
    def pack_name(self) -> str:
        """Return what the cards are called that people need for it."""
        return self.rules({}, self.players[0]).pack.name

    @abstractmethod
    def pack(self, options: Options, players: int) -> Pack:
        """Return the pack that so many players use under these house rules."""

    def rulebook(self) -> tuple[Clause, ...]:
        """Return the game’s own clauses, in the order of its rulebook."""
        return clauses(self.id)

    def check(self, options: Options, players: int) -> list[Problem]:
        """Return what is wrong with this combination of options for so many players."""
        return []

    def sides(self, options: Options, players: int) -> tuple[tuple[int, ...], ...]:
        """Return, per seat, the seats whose scores are added together (partners)."""
        return tuple((seat,) for seat in range(players))

    def hides_points(self, options: Options) -> bool:
        """Return whether players are to see no points before the game is over, by its house rules."""
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
        """Return the game's own options and those of every table."""
        return (*self.options, self.revoke)

    def touches_tricks(self, keys: Iterable[str]) -> bool:
        """Return whether tricks can go elsewhere, or be worth something else, where these options are others."""
        return not {*keys} <= {*self.beside_tricks, REVOKE.key}

    def named_rules(self) -> tuple[Preset, ...]:
        """Return the house rules that go by a name, the usual ones first."""
        return (USUAL, *self.presets)

    def rules(self, options: Options, players: int, end: EndRule | None = None) -> Rules:
        """Return the rules of a table, or raise ``Refused`` with every problem."""
        if players not in self.players:
            allowed = _range(self.players)
            detail = phrase(
                "{game} is played by {allowed} players, not by {players}.",
                game=self.name,
                allowed=allowed,
                players=players,
            )
            raise Refused([Problem("/seats", "bad-players", detail)])
        filled = fill(self.all_options(), options, players=players)
        problems = self.check(filled, players)
        if problems:
            raise Refused(problems)
        follows = frozenset(each.key for each in self.all_options() if each.by_players and each.key not in options)
        return _rules(self, players, tuple(filled.items()), end or self.end, follows)


@lru_cache(maxsize=256)
def _rules(
    game: Game, players: int, options: tuple[tuple[str, object], ...], end: EndRule, follows: frozenset[str]
) -> Rules:
    """Work out the rules of a table once; many tables share theirs."""
    filled = dict(options)
    pack, sides = game.pack(filled, players), game.sides(filled, players)
    return game.rules_class(game, players, filled, pack, end, sides, follows)


def _range(numbers: Sequence[int]) -> Phrase | str:
    if len(numbers) == 1:
        return str(numbers[0])
    return phrase("{least} to {most}", least=numbers[0], most=numbers[-1])


def conflict(key: str, detail: Phrase | str) -> Problem:
    """Return the problem of an option that another choice rules out."""
    return Problem(f"/options/{key}", "option-conflict", detail)
