"""What the referee says of a record, as JSON holds it: the shapes of an adjudication and its parts.

A game gives ``HandParts`` and ``TrickParts``, with keys of its own where it derives from them; the engine adds what
every hand has and puts reasons into words. Everybody who reads an adjudication reads it by these shapes.
"""

from collections.abc import Mapping
from typing import Any, NotRequired, Required, TypedDict

from referee.engine.rulings import Reason
from referee.engine.translation import Phrase

EventData = Mapping[str, Any]
"""An event as a record holds it: its ``type``, and the fields that its kind declares."""
Position = list[int]
"""Where an event stands in a record: its hand and its place there, both counted from 0."""
PerSeat = list[int | None]
"""A number for each seat, ``None`` where nothing is settled or known."""


class Details(TypedDict, total=False):
    """What a game adds to the reason of a trick: its items (``{"item": "pin", "points": 25}``)."""

    lines: list[dict[str, Any]]


class DescribedReason(Details):
    """Why the referee decided so: a stable code, a sentence for players, the clauses that say it.

    ``facts`` are what the sentence is made of, by name, for whoever says it in other words.
    """

    code: Required[str]
    text: Required[str]
    clauses: Required[list[str]]
    facts: Required[dict[str, object]]


DescribedPlay = TypedDict("DescribedPlay", {"seat": int, "cards": NotRequired[list[str]], "pass": NotRequired[bool]})
"""What a seat did in its turn: the cards it played, or that it passed."""


class TrickEntry(TypedDict):
    """The cards of a trick: who led, and every play.

    For pages: ``called_suit`` is the suit the leader named, ``reads`` the suit that each card is to its owner,
    ``names`` what the cards of each play are together. ``details`` become part of its reason. ``best`` is the best
    answer there was to a card laid: ``BestParts``, its reason described with the rest.
    """

    number: int
    leader: int
    plays: list[DescribedPlay]
    called_suit: NotRequired[str | None]
    reads: NotRequired[list[str | None]]
    names: NotRequired[list[Any]]
    details: NotRequired[Details]
    best: NotRequired[Any]


class GivenUp(TypedDict):
    """A trick that went to another seat than its winner, and for what."""

    trick: int
    to: int
    why: str


class MovedTricks(TypedDict):
    """Tricks that the table moved from one seat to another."""

    from_seat: int
    to_seat: int
    tricks: int


class TrickOutcome(TrickEntry):
    """A trick and what came of it; ``points`` are what it is worth, by seat."""

    winner: int | None
    points: dict[str, int]
    trump: str | None


class BestOutcome(TypedDict):
    """The answer that would have scored most, where a game has answers to a card laid.

    ``known``: it is of the hand that its player held; else of all cards that were still out. Without ``cards`` no card
    of that hand could win.
    """

    known: bool
    cards: list[str]
    points: int


class BestParts(BestOutcome):
    """The best answer as its game describes it."""

    reason: Reason


class TrickParts(TrickOutcome):
    """A trick as its game describes it."""

    reason: Reason | None


class DescribedTrick(TrickOutcome):
    """A trick: its plays, who won it, what it is worth to whom, the trump that decided it, and why."""

    reason: DescribedReason | None


class HandFacts(TypedDict):
    """What a game may say of a hand: trump, bids, tricks, tricks moved, and what stands beside a player's name."""

    trump: NotRequired[str | None]
    has_trump: NotRequired[bool]
    suit_order: NotRequired[list[str] | None]
    bids: NotRequired[PerSeat]
    tricks_won: NotRequired[PerSeat]
    trumps: NotRequired[list[str | None]]
    seat_notes: NotRequired[list[str | None]]
    titles: NotRequired[list[str | None]]
    moved: NotRequired[list[MovedTricks]]


class HandParts(HandFacts):
    """A hand as its game describes it.

    ``opening`` is the reason for what came before the first trick; ``given_up`` are the numbers of tricks that went to
    another seat for an infraction, that seat, and for what. For pages: ``has_trump`` says that one suit can be
    trump for all alike, ``trumps`` each seat's own; ``titles`` and ``seat_notes`` what stands beside a player's name.
    """

    tricks: list[TrickParts]
    opening: NotRequired[Reason | None]
    given_up: NotRequired[list[tuple[int, int, Phrase]]]


class DescribedSetup(TypedDict):
    """How a hand is dealt; ``hand_size`` is ``None`` where the record does not tell it."""

    number: int
    dealer: int
    seating: list[int]
    hand_size: list[int] | None


class DescribedLine(TypedDict):
    """A line of a hand's score sheet; the lines of a seat add up to its score."""

    seat: int
    points: int
    reason: DescribedReason


class FaceUp(TypedDict):
    """What lies open for the whole hand: its name, and cards, or a suit alone."""

    label: str
    cards: list[str]
    suit: str | None


class BeforeAfter(TypedDict):
    """Numbers per seat before something and after it."""

    before: PerSeat
    after: PerSeat


class TotalsBeforeAfter(TypedDict):
    """The totals of all seats before the events of a remedy and after them."""

    before: list[int]
    after: list[int]


class DescribedEffect(TypedDict):
    """What the events of a remedy change: scores of the hand, and totals."""

    scores: BeforeAfter
    totals: TotalsBeforeAfter


class CarriedOut(TypedDict):
    """The events that carry a remedy out, and what they change."""

    events: list[EventData]
    effect: DescribedEffect | None


class Outcome(TypedDict, total=False):
    """What comes of a remedy: by which ``events`` and to what ``effect``, or why that is still open.

    A penalty says it for ``each`` point. ``strikes`` are entries that are struck before, the last one first.
    """

    strikes: list[Position]
    events: list[EventData] | None
    effect: DescribedEffect | None
    pending: DescribedReason | None
    each: CarriedOut | None


class DescribedRemedy(Outcome):
    """What a table can do about an irregularity.

    Its outcome is told for the last hand of a table.
    """

    code: Required[str]
    title: Required[str]
    text: Required[str]
    clauses: Required[list[str]]
    proposed: Required[bool]


class DescribedCard(TypedDict):
    """A card that was laid to a trick: its suits as its player reads them, and those that were asked for."""

    seat: int
    trick: int
    card: str
    reads: list[str]
    matches: list[str]


class DescribedAct(TypedDict):
    """A card played that claims its player held none of some suits: the card led to it, the card, the suits."""

    led: DescribedCard | None
    played: DescribedCard
    claims: list[str]


class DescribedStep(TypedDict):
    """A step of what was done: ``done``, ``asked`` by the rule, or ``shown``; its cards, ``?`` where unseen."""

    part: str
    reason: DescribedReason
    cards: list[str]
    trick: int | None


class ExcludedBy(TypedDict):
    """Whose claim says that the cards are not in the hand, and with which event."""

    seat: int
    event: Position


class Room(TypedDict):
    """A place, a seat or ``aside``, and how many of the cards can lie there."""

    place: int | str
    cards: int


class DescribedArgument(TypedDict):
    """Why claims cannot all be true: the cards, whose claims exclude them, where there is room."""

    cards: list[str]
    excluded_by: list[ExcludedBy]
    room: list[Room]


class Irregular(TypedDict):
    """An irregular act: whose, when, how it is known, and why."""

    code: str
    certainty: str
    seat: int | None
    suspects: list[int]
    event: Position
    trick: int | None
    reason: DescribedReason


class DescribedFinding(Irregular):
    """An irregularity: whose act it was, how it is known, what proves it, and what the table can do.

    ``acts`` are the cards in question where they were laid to tricks, ``shown`` is the card that contradicts them;
    ``steps`` tell in order what was done where no card that was led says it. A joint finding has ``claims`` and an
    ``argument``.
    """

    proved_by: list[Position]
    remedies: list[DescribedRemedy]
    acts: list[DescribedAct]
    shown: DescribedCard | None
    steps: list[DescribedStep]
    claims: NotRequired[list[Position]]
    argument: NotRequired[DescribedArgument | None]


class DescribedWithdrawn(Irregular):
    """A finding that a later event of its hand has disproved: what proved it, what disproved it, and why."""

    proved_by: list[Position]
    withdrawn_by: Position
    why: DescribedReason


class DescribedHand(DescribedSetup, HandFacts):
    """A hand as far as it is recorded; ``options`` are its house rules, where they are not those of the first hand."""

    options: NotRequired[dict[str, Any]]
    phase: str
    to_act: list[int]
    cards_left: list[int]
    tricks: list[DescribedTrick]
    opening: NotRequired[DescribedReason | None]
    given: NotRequired[list[GivenUp]]
    face_up: list[FaceUp]
    scores: PerSeat
    score_lines: list[DescribedLine]
    irregularities: list[DescribedFinding]
    withdrawn: list[DescribedWithdrawn]
    unchecked: list[DescribedReason]


class DescribedEnd(TypedDict):
    """When a table ends: the kind of its end, and the number that goes with it, if any does."""

    kind: str
    value: NotRequired[int | None]


class DescribedTable(TypedDict):
    """Where a game stands: its rules, totals, winners, and how the next hand is dealt.

    Where points are hidden until the game is over, totals and scores are ``None``. ``options`` are the house rules by
    which the table began, ``options_now`` those of the hand in play or the next one, where they are others.
    """

    game: str
    rules_version: int
    options: dict[str, Any]
    options_now: NotRequired[dict[str, Any]]
    end: DescribedEnd
    totals: PerSeat
    points_hidden: bool
    finished: bool
    winners: list[int]
    next: DescribedSetup | None
    course: list[int]


class DescribedRejection(TypedDict):
    """The event that was not taken: its position, the verdict, and why."""

    hand: int
    event: int
    verdict: str
    reason: DescribedReason


class Adjudication(DescribedTable):
    """All that the referee makes of a record."""

    hands: list[DescribedHand]
    rejected: DescribedRejection | None
