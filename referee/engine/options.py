"""House rules: the options of a game, their values, and what may not be combined."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.engine.translation import Language, Listing, Phrase, phrase

Options = Mapping[str, Any]
"""House rules by key, every one of them filled in: true or false, a whole number, a text or nothing, as it declares."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a request: where (a JSON pointer), a stable code, a sentence."""

    pointer: str
    code: str
    phrase: Phrase | str

    @property
    def detail(self) -> str:
        """Return the sentence in English."""
        return str(self.phrase)

    def rendered(self, language: Language) -> str:
        """Return the sentence in a language."""
        return language.render(self.phrase) if isinstance(self.phrase, Phrase) else language.translate(self.phrase)


MOST_PROBLEMS = 20
"""How many problems one answer lists; nobody reads more of them."""


class Refused(Exception):  # noqa: N818 - it is the table that is refused, not a program that failed
    """What was asked for cannot be: every problem with its pointer, as far as anybody reads.

    ``malformed`` separates the two kinds callers see: a wrong shape or type (400) and a
    well-formed request that cannot be (422).
    """

    def __init__(self, problems: Sequence[Problem], *, malformed: bool = False) -> None:
        self.problems = tuple(problems[:MOST_PROBLEMS])
        self.malformed = malformed
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "; ".join(f"{p.pointer or '/'}: {p.detail}" for p in self.problems)


@dataclass(frozen=True, slots=True)
class Option:
    """One house rule: its key, values (the first is the default), label, help and clauses.

    ``values`` lists what is allowed; a whole-number option gives ``span`` (lowest, highest)
    and its default instead. ``labels`` name the values for players, in the same order.
    ``by_players`` gives default and highest value where they follow from the number of players.
    ``needs`` names the yes-or-no option without which there is nothing to choose here.
    ``says`` are the words for each value in the sentence of the house rules, none where it needs none; for a
    whole-number option the words for any value but the default, and for 1 where these are others.
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
        """Return the default value; ``None`` where it follows from the number of players."""
        return self.values[0] if self.values else self.default

    def standard_for(self, players: int) -> object:
        """Return the default value for so many players."""
        return self.by_players[players][0] if self.by_players else self.standard

    @property
    def kind(self) -> type:
        """Return the type of a value in JSON: ``bool``, ``int`` or ``str``."""
        if self.span is not None:
            return int
        return next(type(value) for value in self.values if value is not None)

    def worded(self, value: object, players: int | None = None) -> Phrase | str:
        """Return the words for a value in the sentence of the house rules; nothing where it goes without saying."""
        if self.values and self.says:
            return self.says[self.values.index(value)] if value in self.values else ""
        usual = self.standard if players is None else self.standard_for(players)
        if value in (None, usual):
            return ""
        return phrase(self.says[-1 if value == 1 else 0], value=value) if self.says else self.label

    def allowed(self, players: int | None = None) -> Phrase | Listing:
        """Say which values are allowed, for so many players where the number is known: a span or a list."""
        span = self.span_for(players)
        if span is not None:
            return phrase("a whole number from {least} to {most}", least=span[0], most=span[1])
        return Listing(tuple(_json(value) for value in self.values))

    def span_for(self, players: int | None) -> tuple[int, int] | None:
        """Return the lowest and the highest value, for so many players where that is known."""
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
        detail = phrase(
            "{option} cannot be {value}; it takes {allowed}.",
            option=phrase(self.label),
            value=_json(value),
            allowed=self.allowed(players),
        )
        return Problem(pointer, "bad-option", detail), False


def _json(value: object) -> str:
    return {True: "true", False: "false", None: "null"}.get(value, str(value)) if (
        value is None or isinstance(value, bool)
    ) else str(value)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Preset:
    """House rules that go by a name: those that are others than usual, by key."""

    name: str
    options: Options


USUAL = Preset("As usual", {})
"""The house rules that every game begins with."""


def switch(key: str, label: str, sentence: str, *clauses: str, says: str = "", on: bool = False) -> Option:
    """Declare a yes-or-no option, off unless ``on``; ``says`` is told where it is not as usual."""
    values = (True, False) if on else (False, True)
    labels = ("yes", "no") if on else ("no", "yes")
    return Option(key, label, sentence, clauses, values, labels, says=("", says) if says else ())


REVOKE = Option(
    "revoke",
    "When a revoke is proved",
    "What the referee proposes first; the table decides.",
    ("IR-2", "IR-3", "IR-4"),
    ("ask", "stand", "bridge", "hand-zero", "redeal"),
    (
        "ask the table",
        "let it stand",
        "give up tricks, as in bridge",
        "the offender scores nothing",
        "deal again",
    ),
    says=(
        "",
        "a proved revoke left standing",
        "a proved revoke costing tricks, as in bridge",
        "a proved revoke costing the hand",
        "a proved revoke meaning a new deal",
    ),
)
"""The one house rule that every game has."""


def fill(options: Sequence[Option], chosen: Mapping[str, object], *, players: int) -> dict[str, object]:
    """Return every option with its value, defaults filled in.

    Raises ``Refused`` for unknown keys and for values that are not allowed.
    """
    known = {option.key: option for option in options}
    problems: list[Problem] = []
    malformed = False
    for key, value in chosen.items():
        if len(problems) == MOST_PROBLEMS:
            break
        if key not in known:
            allowed = ", ".join(known)
            detail = phrase(
                "There is no option {option} in this game. Its options are: {allowed}.",
                option=repr(key),
                allowed=allowed,
            )
            problems.append(Problem(f"/options/{_escape(key)}", "unknown-option", detail))
            continue
        found = known[key].problem(value, players)
        if found:
            problems.append(found[0])
            malformed = malformed or found[1]
    if problems:
        raise Refused(problems, malformed=malformed)
    return {key: chosen[key] if key in chosen else option.standard_for(players) for key, option in known.items()}


def _escape(key: str) -> str:
    """Escape a key for a JSON pointer (RFC 6901), shortened so that no answer grows with it."""
    return key[:40].replace("~", "~0").replace("/", "~1")
