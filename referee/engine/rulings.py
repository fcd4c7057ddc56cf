"""The referee's answers: verdicts, reasons, irregularities and score lines.

A verdict without a reason, or a reason without a clause, is a bug.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from referee.engine.texts import AND, ENGLISH, OR, Language, Listing, Phrase, phrase, sentences


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
SEATS_FACT = "seats"
"""The fact that lists several seats, all of them named."""
PLACES_FACT = "places"
"""The fact that lists where cards can be: seats, and ``None`` for the cards set aside."""


@dataclass(slots=True, frozen=True)
class Reason:
    """Why the referee decided as it did: a stable code, the facts, and the clauses it rests on.

    Its sentence comes from ``sentences.toml``, under ``phrase`` if a code has several; a game's ``phrase`` may also be
    the sentence itself.
    """

    code: str
    clauses: tuple[str, ...]
    facts: Mapping[str, object] = field(default_factory=dict)
    phrase: str = ""

    @property
    def text(self) -> str:
        return self.sentence(())

    def sentence(self, names: Sequence[str], language: Language = ENGLISH) -> str:
        """Return the sentence for players, with their names for seats.

        >>> Reason("out-of-turn", ("REC-12",), {"seat": 0, "turn": 1}).sentence(("Ann", "Bob"))
        'Ann acted out of turn; it was Bob’s turn.'
        """
        return language.fill(self.template, self.named_facts(names))

    def phrase_for(self, names: Sequence[str] = ()) -> Phrase:
        """Return the untranslated sentence; seats without a name are called by their number."""
        return Phrase(self.template, self.named_facts(names))

    def named_facts(self, names: Sequence[str]) -> dict[str, object]:
        return {key: _with_names(names, key, value) for key, value in self.facts.items()}

    @property
    def template(self) -> str:
        """Return the English sentence with placeholders for the facts."""
        known = sentences().get(self.phrase or self.code)
        if known is None and not self.phrase:
            raise LookupError(f"there is no sentence for {self.code!r}")
        return known or self.phrase


def _with_names(names: Sequence[str], key: str, value: object) -> object:
    if key in SEAT_FACTS:
        return _name(names, value)
    if key not in (SEATS_FACT, PLACES_FACT) or not isinstance(value, tuple):
        return value
    seats = tuple(_name(names, seat) for seat in value if seat is not None)
    if key == SEATS_FACT:
        return Listing(seats, last=AND)
    if None not in value:
        return phrase("with {seats}", seats=Listing(seats, last=OR))
    return phrase("with {seats} or aside", seats=Listing(seats)) if seats else phrase("aside")


def _name(names: Sequence[str], value: object) -> object:
    if not isinstance(value, int):
        return value
    return names[value] if 0 <= value < len(names) else phrase("seat {number}", number=value)


@dataclass(frozen=True, slots=True)
class Refusal:
    """An event that the referee does not accept as it stands, and why."""

    verdict: Verdict
    reason: Reason


def impossible(code: str, *clauses: str, phrase: str = "", **facts: object) -> Refusal:
    """Return a refusal for an event that cannot have happened; ``phrase`` selects another sentence."""
    return Refusal(Verdict.IMPOSSIBLE, Reason(code, clauses, facts, phrase))


class LaidCard(NamedTuple):
    """A card that was played to a trick, as the player of its seat reads it.

    ``reads`` are its printed suits, or the one that counts for this player; ``matches`` those of them that had to be
    followed when the act in question was done.
    """

    seat: int
    trick: int
    card: str
    reads: tuple[str, ...]
    matches: tuple[str, ...]


class Act(NamedTuple):
    """A play that claims that the rest of the hand held none of the suits ``claims``.

    ``led`` is the card that set what had to be followed; ``None`` if the act was a lead itself, or nobody saw it.
    """

    led: LaidCard | None
    played: LaidCard
    claims: tuple[str, ...]


class Step(NamedTuple):
    """A step in explaining an irregularity that no led card explains.

    ``part`` is ``done`` (what was said, given or led), ``asked`` (what the rule requires) or ``shown`` (what gave it
    away); ``cards`` are codes, ``?`` for an unseen card; ``trick`` is where they were played, if they were.
    """

    part: str
    reason: Reason
    cards: tuple[str, ...]
    trick: int | None = None


class Argument(NamedTuple):
    """Why claims cannot all be true (REC-18), as the record stood after the event that made it so.

    ``cards`` (a bit mask) have not been seen, and every suspect claims to hold none of them. ``excluded_by`` are these
    claims, as (seat, event). ``room`` is how many such cards every other place can hold, as (seat or ``None`` for those
    set aside, number); together that is fewer than the cards.
    """

    cards: int
    excluded_by: tuple[tuple[int, int], ...]
    room: tuple[tuple[int | None, int], ...]


@dataclass(frozen=True, slots=True)
class Irregularity:
    """A deviation from correct procedure, as the record shows it.

    Events are positions in their hand's list of events. ``seat`` is ``None`` for a joint finding, which names suspects
    and the ``argument``; it convicts only a single suspect (REC-18).
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
    argument: Argument | None = None

    @property
    def offender(self) -> int | None:
        return self.suspects[0] if len(self.suspects) == 1 else None


class Withdrawn(NamedTuple):
    """A finding that a later event of the hand disproved: the finding, that event, and why."""

    found: Irregularity
    event: int
    reason: Reason


def cause(found: Irregularity) -> Phrase:
    """Return the text that a remedy's events give as their reason: the irregularity and its trick."""
    act = phrase(found.code.replace("-", " "))
    return phrase("{act} in trick {trick}", act=act, trick=found.trick) if found.trick else act


@dataclass(frozen=True, slots=True)
class Oddity:
    """An irregularity of an event that is about to be recorded; ``seat`` is whose act it is."""

    code: str
    seat: int
    reason: Reason


def out_of_turn(seat: int, turn: int | None, *clauses: str) -> list[Oddity]:
    """Return the irregularity of ``seat`` acting in the turn of another seat; none in its own turn (REC-12)."""
    if seat == turn:
        return []
    return [Oddity("out-of-turn", seat, Reason("out-of-turn", (*clauses, "REC-12"), {"seat": seat, "turn": turn}))]


@dataclass(frozen=True, slots=True)
class Remedy:
    """A remedy for an irregularity; ``over`` is its sentence once the hand is over, if that differs."""

    text: str
    clauses: tuple[str, ...]
    title: str = ""
    over: str = ""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of a score sheet; the lines add up to the score."""

    seat: int
    points: int
    reason: Reason


def by_seat(lines: Sequence[ScoreLine], players: int) -> tuple[int, ...]:
    """Return the sum of each seat's lines."""
    sums = [0] * players
    for line in lines:
        sums[line.seat] += line.points
    return tuple(sums)


class Undertaken(NamedTuple):
    """Tricks bid and won by a seat, or by a side that bids together."""

    bid: int
    won: int


class Feat(NamedTuple):
    """A feat of one seat in one trick, which a group remembers: ``cards`` played on the card ``on``."""

    seat: int
    points: int
    trick: int
    on: str
    cards: tuple[str, ...]
