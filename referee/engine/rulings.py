"""What the referee answers: verdicts, reasons, irregularities and score lines.

A verdict without a reason, or a reason without a clause, is a bug: every class here that
decides something carries a ``Reason``, and every ``Reason`` carries clauses of the rulebook.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from referee.engine.language import ENGLISH, Language, Phrase, say
from referee.engine.sentences import SENTENCES


class Verdict(StrEnum):
    """The three answers to an event."""

    ACCEPTED = "accepted"
    IRREGULAR = "irregular"
    IMPOSSIBLE = "impossible"


class Certainty(StrEnum):
    """How an irregularity is known."""

    SEEN = "seen"  # visible at once
    PROVED = "proved"  # a later card contradicts the act
    JOINT = "joint"  # several acts cannot all have been lawful


SEAT_FACTS = frozenset({"seat", "turn", "holder", "other"})


@dataclass(slots=True, frozen=True)
class Reason:
    """Why the referee decided so: a stable code, the facts, and the clauses that say it.

    The sentence for players is rendered on demand from ``referee.engine.sentences``, by ``phrase``
    where one code has several sentences; a game's own ``phrase`` may be a sentence itself.
    """

    code: str
    clauses: tuple[str, ...]
    facts: Mapping[str, object] = field(default_factory=dict)
    phrase: str = ""

    @property
    def text(self) -> str:
        """Return the sentence for players, with seats named by their number."""
        return self.sentence(())

    def sentence(self, names: Sequence[str], language: Language = ENGLISH) -> str:
        """Return the sentence for players.

        >>> Reason("out-of-turn", ("REC-12",), {"seat": 0, "turn": 1}).sentence(("Ann", "Bob"))
        'Ann acted out of turn; it was Bob’s turn.'
        """
        return self.said(names).told(language)

    def said(self, names: Sequence[str] = ()) -> Phrase:
        """Return the sentence, not yet in any language; seats without a name are called by their number."""
        facts = {key: _name(names, value) if key in SEAT_FACTS else value for key, value in self.facts.items()}
        return Phrase(self.template, facts)

    @property
    def template(self) -> str:
        """Return the English sentence with places for the facts.

        A game may bring a sentence of its own as ``phrase``; all others stand in ``referee.engine.sentences``.
        """
        known = SENTENCES.get(self.phrase or self.code)
        if known is None and not self.phrase:
            raise LookupError(f"there is no sentence for {self.code!r}")
        return known or self.phrase


def _name(names: Sequence[str], value: object) -> object:
    if not isinstance(value, int):
        return value
    return names[value] if 0 <= value < len(names) else say("seat {number}", number=value)


@dataclass(frozen=True, slots=True)
class Refusal:
    """An event that the referee does not take as it stands, and why."""

    verdict: Verdict
    reason: Reason


def impossible(code: str, *clauses: str, phrase: str = "", **facts: object) -> Refusal:
    """Refuse an event that cannot have happened; ``phrase`` picks a sentence of its own."""
    return Refusal(Verdict.IMPOSSIBLE, Reason(code, clauses, facts, phrase))


@dataclass(frozen=True, slots=True)
class Irregularity:
    """A deviation from correct procedure, as the record shows it.

    Events are positions in their hand's list of events. ``seat`` is ``None`` for a joint
    finding, which names only suspects: counting alone convicts nobody (REC-18).
    """

    code: str
    certainty: Certainty
    seat: int | None
    suspects: tuple[int, ...]
    event: int
    trick: int | None
    reason: Reason
    proved_by: tuple[int, ...] = ()
    claims: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Oddity:
    """An irregular act about to be recorded as it was: what is wrong with it, and whose it is."""

    code: str
    seat: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of a score sheet: whose, how many points, and why. Lines sum to the score."""

    seat: int
    points: int
    reason: Reason
