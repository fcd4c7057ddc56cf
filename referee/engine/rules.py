"""House rules (the options of a game) and the rules of a table that follow from them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.engine.cards import Pack
from referee.engine.rulings import Refusal, impossible
from referee.engine.texts import Language, Listing, Phrase, phrase

if TYPE_CHECKING:
    from referee.engine.game import Game

Options = Mapping[str, Any]
"""House rules by key, all of them filled in: booleans, whole numbers, texts or ``None``."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a request: where (a JSON pointer), a stable code, a sentence."""

    pointer: str
    code: str
    phrase: Phrase | str

    @property
    def detail(self) -> str:
        return str(self.phrase)

    def rendered(self, language: Language) -> str:
        return language.render(self.phrase) if isinstance(self.phrase, Phrase) else language.translate(self.phrase)


MOST_PROBLEMS = 20
"""The most problems that one answer lists."""


class Refused(Exception):  # noqa: N818 - a refusal, not an error of the program
    """A refused request; ``malformed`` tells a wrong shape or type (400) from an impossible request (422)."""

    def __init__(self, problems: Sequence[Problem], *, malformed: bool = False) -> None:
        self.problems = tuple(problems[:MOST_PROBLEMS])
        self.malformed = malformed
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "; ".join(f"{p.pointer or '/'}: {p.detail}" for p in self.problems)


@dataclass(frozen=True, slots=True)
class Option:
    """One house rule; the first of its ``values`` is the default.

    A whole-number option has ``span`` (lowest, highest) and ``default`` instead of ``values``. ``labels`` name the
    values for players, in the same order. ``by_players`` gives default and highest value if they depend on the number
    of players. ``needs`` names the yes-or-no option without which this one has no effect. ``says`` are the words for
    each value in the sentence of house rules, empty if it goes without saying; for a whole-number option the words for
    any value but the default, and for 1 if these differ.
    """

    key: str
    label: str
    help: str
    clauses: tuple[str, ...]
    values: tuple[object, ...] = ()
    labels: tuple[str, ...] = ()
    span: tuple[int, int] | None = None
    default: object = None
    by_players: Mapping[int, tuple[int, int]] | None = None
    says: tuple[str, ...] = ()
    needs: str = ""

    @property
    def standard(self) -> object:
        return self.values[0] if self.values else self.default

    def standard_for(self, players: int) -> object:
        return self.by_players[players][0] if self.by_players else self.standard

    @property
    def kind(self) -> type:
        if self.span is not None:
            return int
        return next(type(value) for value in self.values if value is not None)

    def worded(self, value: object, players: int | None = None) -> Phrase | str:
        """Return the words for a value in the sentence of house rules; empty if it goes without saying."""
        if self.values and self.says:
            return self.says[self.values.index(value)] if value in self.values else ""
        usual = self.standard if players is None else self.standard_for(players)
        if value in (None, usual):
            return ""
        return phrase(self.says[-1 if value == 1 else 0], value=value) if self.says else self.label

    def allowed(self, players: int | None = None) -> Phrase | Listing:
        """Return the allowed values, for this number of players if it is known: a span or a list."""
        span = self.span_for(players)
        if span is not None:
            return phrase("a whole number from {least} to {most}", least=span[0], most=span[1])
        return Listing(tuple(_json(value) for value in self.values))

    def span_for(self, players: int | None) -> tuple[int, int] | None:
        if self.span is None or not self.by_players or players is None:
            return self.span
        return self.span[0], self.by_players[players][1]

    def problem(self, value: object, players: int | None = None) -> tuple[Problem, bool] | None:
        """Return what is wrong with ``value`` and whether it is malformed, or ``None``."""
        pointer = f"/options/{self.key}"
        if value is None and None in self.values:
            return None
        if type(value) is not self.kind:
            detail = phrase("{option} takes {allowed}.", option=phrase(self.label), allowed=self.allowed(players))
            return Problem(pointer, "wrong-type", detail), True
        span = self.span_for(players)
        if span[0] <= value <= span[1] if span and isinstance(value, int) else value in self.values:
            return None
        facts = {"option": phrase(self.label), "value": _json(value), "allowed": self.allowed(players)}
        return Problem(pointer, "bad-option", phrase("{option} cannot be {value}; it takes {allowed}.", **facts)), False


def _json(value: object) -> str:
    return json.dumps(value) if value is None or isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Preset:
    """House rules that go by a name; ``options`` are those that differ from the standard rules."""

    name: str
    options: Options


USUAL = Preset("Standard rules", {})
"""The house rules with which every game begins."""


def switch(key: str, label: str, sentence: str, *clauses: str, says: str = "", on: bool = False) -> Option:
    """Declare a yes-or-no option, off unless ``on``; ``says`` words the other value in the sentence of house rules."""
    values = (True, False) if on else (False, True)
    labels = ("yes", "no") if on else ("no", "yes")
    return Option(key, label, sentence, clauses, values, labels, says=("", says) if says else ())


REVOKE = Option(
    "revoke",
    "When a revoke is proved",
    "What the referee suggests first; you decide.",
    ("IR-2", "IR-3", "IR-4"),
    ("ask", "stand", "bridge", "hand-zero", "redeal"),
    ("ask us", "let it stand", "give up tricks, as in bridge", "the offender scores nothing", "deal again"),
    says=(
        "",
        "a proved revoke left standing",
        "a proved revoke costing tricks, as in bridge",
        "a proved revoke costing the hand",
        "a proved revoke meaning a new deal",
    ),
)
"""The house rule that every game has, unless nothing can be revoked in it."""


def fill(options: Sequence[Option], chosen: Mapping[str, object], *, players: int) -> dict[str, object]:
    """Return every option with its value, defaults filled in; raises ``Refused`` for unknown keys and bad values."""
    known = {option.key: option for option in options}
    problems: list[Problem] = []
    malformed = False
    for key, value in chosen.items():
        if len(problems) == MOST_PROBLEMS:
            break
        if key not in known:
            detail = "There is no option {option} in this game. Its options are: {allowed}."
            told = phrase(detail, option=repr(key), allowed=", ".join(known))
            pointer = key[:40].replace("~", "~0").replace("/", "~1")
            problems.append(Problem(f"/options/{pointer}", "unknown-option", told))
        elif found := known[key].problem(value, players):
            problems.append(found[0])
            malformed = malformed or found[1]
    if problems:
        raise Refused(problems, malformed=malformed)
    return {key: chosen[key] if key in chosen else option.standard_for(players) for key, option in known.items()}


# --- The rules of a table: options, end, deal, and changes between hands


@dataclass(frozen=True, slots=True)
class EndKind:
    """A way for a table to end (REC-16); ``counted``: it takes a number.

    ``label`` is how people choose it, ``says`` how a table states it, ``until`` how the sentence of house rules ends
    with it; ``says_one`` and ``until_one`` are for the number one.
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
    "when a player reaches this score",
    "Played to {value} points",
    "Played to {value} point",
    until="until a player has {value} points",
    until_one="until a player has 1 point",
)
BY_HANDS = EndKind(
    "hands",
    "after this many hands",
    "{value} hands",
    "{value} hand",
    until="for {value} hands",
    until_one="for 1 hand",
)
BY_TIME = EndKind(
    "time",
    "after this many minutes (you finish the hand)",
    "No new hand after {value} minutes",
    "No new hand after {value} minute",
    until="for {value} minutes",
    until_one="for 1 minute",
)
END_KINDS = (OPEN, BY_SCORE, BY_HANDS, BY_TIME)
"""The ways in which a table of any game can end; a game may add its own."""


@dataclass(frozen=True, slots=True)
class EndRule:
    """When a table ends: the name of the ``EndKind``, and its number, if it takes one."""

    kind: str = "open"
    value: int | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """How a hand is dealt.

    ``seating`` lists the seats clockwise; ``sizes`` are the cards dealt to each seat (``None``: unknown from the
    record), ``known`` the hands that were entered, as bit masks. ``carry`` is what a game carries over from the hand
    before (a trump suit), ``carry_ways`` all it may be if unrecorded cards leave it open. ``finished`` is how many
    hands of this table were finished before it; ``totals`` and ``bags`` are what each seat had then.
    """

    index: int
    dealer: int
    seating: tuple[int, ...]
    sizes: tuple[int, ...] | None
    known: tuple[int | None, ...] = ()
    carry: str | None = None
    carry_ways: tuple[str | None, ...] = ()
    finished: int = 0
    totals: tuple[int, ...] = ()
    bags: tuple[int, ...] = ()

    @property
    def cardless(self) -> bool:
        return self.sizes is not None and not any(self.sizes)


@dataclass(frozen=True)
class Rules:
    """The rules of one table: a game, its options and the number of players; games derive their own.

    ``sides`` lists, per seat, the seats whose scores are added together (partners). ``follows`` names the options that
    nobody chose and whose value depends on the number of players.
    """

    game: "Game"
    players: int
    options: Options
    pack: Pack
    end: EndRule
    sides: tuple[tuple[int, ...], ...]
    follows: frozenset[str] = frozenset()

    @property
    def lowest_wins(self) -> bool:
        return self.game.lowest_wins(self.options)

    def worth(self, points: int) -> int:
        """Return points on a scale on which more is better."""
        return -points if self.lowest_wins else points

    def fine(self, points: int) -> int:
        """Return what a penalty of ``points`` adds to a score: negative, unless the lowest total wins."""
        return self.worth(-abs(points))

    def ahead(self, totals: Sequence[int]) -> tuple[int, ...]:
        best = max(map(self.worth, totals))
        return tuple(seat for seat, total in enumerate(totals) if self.worth(total) == best)

    def rank(self, total: int, others: Iterable[int]) -> int:
        return 1 + sum(self.worth(other) > self.worth(total) for other in others)

    @property
    def chosen(self) -> Options:
        """Return the options as stored: without those that follow from the number of players."""
        return {key: value for key, value in self.options.items() if key not in self.follows}


def changed_rules(rules: Rules, options: Options) -> Rules:
    """Return a table's rules with some house rules changed (REC-23); raises ``Refused`` if they conflict."""
    return rules.game.rules({**rules.chosen, **options}, rules.players, rules.end)


def clauses_of(rules: Rules, options: Options) -> tuple[str, ...]:
    found = (option.clauses for option in rules.game.all_options() if option.key in options)
    return tuple(dict.fromkeys(clause for clauses in found for clause in clauses))


def agree_on(rules: Rules, options: Options) -> Rules | Refusal:
    """Return the changed rules, or why they are refused: hidden points stay, and usually the sides, too (REC-15)."""
    try:
        coming = changed_rules(rules, options)
    except Refused as refused:
        return impossible("bad-rules", "REC-23", *clauses_of(rules, options), why=refused.problems[0].phrase)
    if coming.sides != rules.sides and not rules.game.partners_change:
        return impossible("bad-rules", "REC-23", "REC-15", phrase="partners-stay")
    if rules.game.hides_points(coming.options) != rules.game.hides_points(rules.options):
        return impossible("bad-rules", "REC-23", *clauses_of(rules, options), phrase="hiding-stays")
    return coming
