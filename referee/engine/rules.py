"""The rules of a table: a game with its options, when it ends, how each hand is dealt, and what may change between."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from referee.engine.cards import Pack
from referee.engine.options import Option, Options, Refused
from referee.engine.rulings import Refusal, impossible


@dataclass(frozen=True, slots=True)
class EndKind:
    """A way for a table to end (REC-16).

    ``counted`` says that a number goes with it. ``label`` is how people choose it, ``says`` how a table tells it
    (``says_one`` where the number is one), ``until`` how the sentence of the house rules ends with it
    (``until_one``).
    """

    name: str
    label: str
    says: str
    says_one: str = ""
    counted: bool = True
    until: str = ""
    until_one: str = ""


OPEN = EndKind("open", "when we feel like it", "Open end", counted=False, until="until we stop")
BY_SCORE = EndKind(
    "score",
    "when somebody reaches this score",
    "Played to {value} points",
    "Played to {value} point",
    until="until somebody has {value} points",
    until_one="until somebody has one point",
)
BY_HANDS = EndKind(
    "hands",
    "after this many hands",
    "{value} hands",
    "{value} hand",
    until="for {value} hands",
    until_one="for one hand",
)
BY_TIME = EndKind(
    "time",
    "after this many minutes, when the hand is over",
    "No new hand after {value} minutes",
    "No new hand after {value} minute",
    until="for {value} minutes",
    until_one="for one minute",
)
END_KINDS = (OPEN, BY_SCORE, BY_HANDS, BY_TIME)
"""The ways in which a table of any game can end; a game may have ways of its own."""


@dataclass(frozen=True, slots=True)
class EndRule:
    """When a table ends: the name of the ``EndKind``, and the number that goes with it."""

    kind: str = "open"
    value: int | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """How a hand is dealt.

    ``seating`` lists the seats clockwise; ``sizes`` the cards each seat is dealt, by seat
    (``None``: not known from the record); ``known`` the hands somebody entered, as bit masks;
    ``carry`` what a game carries over from the hand before (a trump suit), ``carry_ways`` all that it may be
    where cards nobody recorded leave it open; ``finished`` how many hands of this table were finished before it.
    """

    index: int
    dealer: int
    seating: tuple[int, ...]
    sizes: tuple[int, ...] | None
    known: tuple[int | None, ...] = ()
    carry: str | None = None
    carry_ways: tuple[str | None, ...] = ()
    finished: int = 0


class Dealt(Protocol):
    """A hand as the deal after it knows it; a game looks closer at hands of its own class."""

    @property
    def rules(self) -> "Rules":
        """Return the rules it was dealt under."""

    @property
    def setup(self) -> Setup:
        """Return how it was dealt."""


class Declared(Protocol):
    """What the rules of a table know of their game; every ``referee.engine.game.Game`` is one."""

    id: ClassVar[str]
    rules_version: ClassVar[int]
    name: ClassVar[str]
    players: ClassVar[tuple[int, ...]]
    ends: ClassVar[tuple[EndKind, ...]]

    def ends_with(self, rules: "Rules", finished: int) -> bool:
        """Return whether a table that ends in the game's own way is over after so many finished hands."""

    @property
    def hand_class(self) -> type[object]:
        """Return the class of its hands, which ``referee.engine.hand.class_of`` looks at."""

    def all_options(self) -> tuple[Option, ...]:
        """Return its options and those of every table."""

    def rules(self, options: Options, players: int, end: EndRule | None = None) -> "Rules":
        """Return the rules of a table, or raise ``Refused`` with every problem."""

    def first(self, rules: "Rules", dealer: int) -> Setup:
        """Return how the first hand is dealt."""

    def following(self, hand: Dealt, totals: tuple[int, ...], rules: "Rules") -> Setup:
        """Return how the hand after this finished one is dealt, by these rules."""

    def dealt_again(self, hand: Dealt, rules: "Rules") -> Setup:
        """Return how a void hand is dealt again, by these rules."""

    def course(self, rules: "Rules") -> tuple[int, ...]:
        """Return how many cards each hand of a whole game has, where that is known before it begins."""

    def further_on(self, rules: "Rules", setup: Setup, finished: int) -> Setup:
        """Return how a first hand is dealt after so many hands of the course."""

    def course_place(self, before: "Rules", finished: int, now: "Rules") -> int:
        """Return the place in the course by the rules of now at which one goes on after so many hands by others."""

    def can_hold(self, rules: "Rules", cards: int) -> bool:
        """Return whether a hand of these cards (a bit mask) can have been dealt."""

    def hides_points(self, options: Options) -> bool:
        """Return whether players are to see no points before the game is over, by its house rules."""

    def touches_tricks(self, keys: Iterable[str]) -> bool:
        """Return whether tricks can go elsewhere, or be worth something else, where these options are others."""


@dataclass(frozen=True)
class Rules:
    """The rules of one table: a game with its options, for a number of players.

    ``sides`` lists, per seat, the seats whose scores are added together (partners). ``follows`` names the options that
    nobody chose and whose value follows the number of players. Games derive from this class to keep what follows from
    the options at hand.
    """

    game: Declared
    players: int
    options: Options
    pack: Pack
    end: EndRule
    sides: tuple[tuple[int, ...], ...]
    follows: frozenset[str] = frozenset()

    @property
    def chosen(self) -> Options:
        """Return the options as they are stored: without those that follow the number of players."""
        return {key: value for key, value in self.options.items() if key not in self.follows}


def changed_rules(rules: Rules, options: Options) -> Rules:
    """Return the rules of a table with some house rules changed (REC-23); raises ``Refused`` where they cannot be."""
    return rules.game.rules({**rules.chosen, **options}, rules.players, rules.end)


def clauses_of(rules: Rules, options: Options) -> tuple[str, ...]:
    """Return the clauses of these house rules."""
    found = (option.clauses for option in rules.game.all_options() if option.key in options)
    return tuple(dict.fromkeys(clause for clauses in found for clause in clauses))


def agree_on(rules: Rules, options: Options) -> Rules | Refusal:
    """Return the rules of a table once it has changed some house rules, or say why it cannot.

    Who plays with whom stays for the whole game, and so does whether points are hidden (REC-15).
    """
    try:
        coming = changed_rules(rules, options)
    except Refused as refused:
        return impossible("bad-rules", "REC-23", *clauses_of(rules, options), why=refused.problems[0].phrase)
    if coming.sides != rules.sides:
        return impossible("bad-rules", "REC-23", "REC-15", phrase="partners-stay")
    if rules.game.hides_points(coming.options) != rules.game.hides_points(rules.options):
        return impossible("bad-rules", "REC-23", *clauses_of(rules, options), phrase="hiding-stays")
    return coming
