"""What the referee says of a record; made of the API’s schema by `make clients`."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from card_table_client.shapes.codes import (
    Certainty,
    GameId,
    IrregularityCode,
    Phase,
    PlainValue,
    ReasonCode,
    RefusingVerdict,
    RemedyCode,
    Seat,
)
from card_table_client.shapes.events import Event


Fact: TypeAlias = PlainValue | list[Any]


class Item(TypedDict):
    """A part of a trick’s points."""

    item: str
    points: int


class End(TypedDict):
    """When the game is over: by a number, when the players agree, or as the game has it."""

    kind: Literal["open", "score", "hands", "time", "course"]
    value: NotRequired[int | None]


class FaceUpItem(TypedDict):
    """Cards, or a suit alone where the card was not seen, that lie open for the whole hand."""

    label: str
    cards: list[str]
    suit: str | None


class Exchange(TypedDict):
    """Drop a Deuce as it was recorded."""

    king: Seat | None
    constipated: bool
    given: str | None
    returned: str | None


class GivenUp(TypedDict):
    """A trick that went to another seat than its winner, for an infraction."""

    trick: int
    to: Seat
    why: str


class MovedTricks(TypedDict):
    """Tricks that the table moved."""

    from_seat: Seat
    to_seat: Seat
    tricks: int


PlayMade = TypedDict(
    "PlayMade",
    {
        "seat": Seat,
        "cards": NotRequired[list[str]],
        "pass": NotRequired[bool],
    },
)


class Accepted(TypedDict):
    """Who recorded an irregular act as it was, when, and why."""

    by: str
    name: str
    at: str
    why: str


class Settled(TypedDict):
    """How the table settled it, and when."""

    how: str | None
    events: list[Event]
    seq: int
    by: str
    name: str
    at: str


class LaidCard(TypedDict):
    """A card that was laid to a trick; `shown` is the one that contradicts the act."""

    seat: Seat
    trick: int
    card: str
    reads: list[str]
    matches: list[str]


class Exclusion(TypedDict):
    """An act by which a seat claimed to hold none of certain cards."""

    seat: Seat
    event: list[int]


class Room(TypedDict):
    """A place where unseen cards can lie. In Wildcat Chicane Aces and Crowns have room apart from number cards."""

    place: Seat | Literal["aside"]
    cards: int


class Change(TypedDict):
    """Points per seat."""

    before: list[int | None]
    after: list[int | None]


class NextDeal(TypedDict):
    """How the next hand is dealt."""

    number: int
    dealer: Seat
    seating: list[int]
    hand_size: list[int] | None


Options: TypeAlias = dict[str, PlainValue]


class Reason(TypedDict):
    """Why the referee decided so."""

    code: ReasonCode
    text: str
    clauses: list[str]
    lines: NotRequired[list[Item]]
    facts: dict[str, Fact]


class ScoreLine(TypedDict):
    """One line of a score sheet; lines add up to the score."""

    seat: Seat
    points: int
    reason: Reason


class BestAnswer(TypedDict):
    """The answer to a card laid that would have scored most; a running hand is never looked into."""

    known: bool
    cards: list[str]
    points: int
    reason: Reason


class Withdrawn(TypedDict):
    """A finding that a later card of its hand has disproved; `settled` is a remedy that rests on it."""

    code: IrregularityCode
    certainty: Certainty
    seat: Seat | None
    suspects: list[int]
    event: list[int]
    trick: int | None
    proved_by: list[list[int]]
    reason: Reason
    withdrawn_by: list[int]
    why: Reason
    seq: NotRequired[int | None]
    withdrawn_by_seq: NotRequired[int | None]
    settled: NotRequired[Settled | None]
    undo: NotRequired[list[int | None]]


class Step(TypedDict):
    """A step of what was done, what the rule asks for, or what showed it."""

    part: Literal["done", "asked", "shown"]
    reason: Reason
    cards: list[str]
    trick: int | None


class Act(TypedDict):
    """A card that did not follow, or was led, and what it claims of the hand that remained."""

    led: LaidCard | None
    played: LaidCard
    claims: list[str]


class Argument(TypedDict):
    """Joint findings: why the claims cannot all be true, as the record stood after the event in `proved_by`."""

    cards: list[str]
    excluded_by: list[Exclusion]
    room: list[Room]


class Effect(TypedDict):
    """What the events of a remedy would change."""

    scores: Change
    totals: Change


class Rejected(TypedDict):
    """The event that was not taken."""

    hand: int
    event: int
    verdict: RefusingVerdict
    reason: Reason


class Trick(TypedDict):
    """A trick, from its first play on."""

    number: int
    leader: Seat | None
    plays: list[PlayMade]
    winner: Seat | None
    points: dict[str, int]
    trump: NotRequired[str | None]
    called_suit: NotRequired[str | None]
    reads: NotRequired[list[str | None]]
    names: NotRequired[list[str | None]]
    reason: Reason | None
    best: NotRequired[BestAnswer]


class EachPoint(TypedDict):
    """Of a penalty: what it is by the point. The offender loses the number of points that the table agrees on."""

    events: list[Event]
    effect: Effect | None


class Remedy(TypedDict):
    """What the table can do about it; in the last hand of a record with what that would change."""

    code: RemedyCode
    title: NotRequired[str]
    text: str
    clauses: NotRequired[list[str]]
    proposed: NotRequired[bool]
    strikes: NotRequired[list[list[int]]]
    events: NotRequired[list[Event] | None]
    effect: NotRequired[Effect | None]
    pending: NotRequired[Reason | None]
    each: NotRequired[EachPoint | None]


class Irregularity(TypedDict):
    """A deviation from the rules, as the record shows it; at a table also how it was settled (null: it is open)."""

    code: IrregularityCode
    certainty: Certainty
    seat: Seat | None
    suspects: list[int]
    event: list[int]
    trick: int | None
    proved_by: list[list[int]]
    claims: NotRequired[list[list[int]]]
    argument: NotRequired[Argument | None]
    reason: Reason
    remedies: list[Remedy]
    acts: NotRequired[list[Act]]
    shown: NotRequired[LaidCard | None]
    steps: NotRequired[list[Step]]
    seq: NotRequired[int | None]
    proved_by_seq: NotRequired[list[int | None]]
    claims_seq: NotRequired[list[int | None]]
    accepted: NotRequired[Accepted | None]
    settled: NotRequired[Settled | None]


class Hand(TypedDict):
    """One hand as far as it is recorded; `options` are its house rules, where they are not those of the first hand."""

    number: int
    options: NotRequired[Options]
    dealer: Seat
    seating: list[int]
    hand_size: list[int]
    phase: Phase
    to_act: list[int]
    cards_left: list[int | None]
    trump: NotRequired[str | None]
    has_trump: NotRequired[bool]
    trumps: NotRequired[list[str | None]]
    seat_notes: NotRequired[list[str | None]]
    titles: NotRequired[list[str | None]]
    suit_order: NotRequired[list[str] | None]
    bids: NotRequired[list[int | None]]
    tricks_won: NotRequired[list[int | None]]
    opening: NotRequired[Reason | None]
    face_up: list[FaceUpItem]
    tricks: list[Trick]
    moved: NotRequired[list[MovedTricks]]
    given: NotRequired[list[GivenUp]]
    scores: list[int | None]
    score_lines: list[ScoreLine]
    irregularities: list[Irregularity]
    withdrawn: list[Withdrawn]
    unchecked: list[Reason]
    ransom_cards: NotRequired[list[str | None]]
    ransom_winner: NotRequired[Seat | None]
    ruling_cards: NotRequired[list[str | None]]
    exchange: NotRequired[Exchange | None]
    drawn: NotRequired[list[int]]
    turned: NotRequired[str | None]
    hand_of_course: NotRequired[int]


class Adjudication(TypedDict):
    """The record as the referee sees it; `options` with all defaults filled in, as the table began. `options_now` are those of the hand in play, or of the next one, where the table has changed them since."""

    options_now: NotRequired[Options]
    hands: list[Hand]
    game: GameId
    rules_version: int
    options: Options
    end: End
    totals: list[int | None]
    points_hidden: bool
    finished: bool
    winners: list[int]
    next: NextDeal | None
    course: list[int]
    rejected: Rejected | None
