"""The JSON shapes of an adjudication and its parts."""

from collections.abc import Mapping, Sequence
from functools import cache
from string import Formatter
from typing import Annotated, Any, Literal, NotRequired, Required, TypedDict

from referee.engine.cards import Card
from referee.engine.rulings import Reason
from referee.engine.shapes import Formatted, Internal, Named, one_of
from referee.engine.texts import ENGLISH, Language, Listing, Phrase

# Games return ``HandParts`` and ``TrickParts``, or subclasses with keys of their own; the engine adds what every hand
# has and renders reasons. All consumers of an adjudication rely on these shapes.

EventData = Annotated[Mapping[str, Any], Named("Event")]
"""An event as a record holds it: its ``type`` and the fields its kind declares."""
Position = Annotated[list[int], {"minItems": 2, "maxItems": 2}, "Hand and event, counted from 0."]
"""The place of an event in a record: its hand and its index there, both from 0."""
PerSeat = list[int | None]
"""A number for each seat, ``None`` if it is unsettled or unknown."""
Points = Annotated[dict[str, int], "Points by seat."]
SeatNumber = Annotated[int, Named("Seat")]
SeatNumbers = Annotated[list[int], "Seats in ascending order."]
EachText = list[str | None]
Moment = Annotated[str, Formatted("date-time")]
GameId = Annotated[str, Named("GameId")]
LONGEST_TITLE = 60
Title = Annotated[
    str,
    {"minLength": 1, "maxLength": LONGEST_TITLE, "examples": ["Skat"]},
    "What the table plays, if the game is any game.",
]
GameKey = Annotated[str, Named("GameKey")]
"""The key under which statistics are kept."""
OptionData = Annotated[dict[str, Any], Named("Options")]
Situation = Annotated[
    str, "What went wrong, one of those listed at `referee/guides/`.", {"maxLength": 60, "examples": ["revoke"]}
]
AnswersSoFar = Annotated[
    dict[str, object],
    {"additionalProperties": {"type": ["integer", "string"]}},
    "The answers so far, by question: a seat, the number of a trick, or the code of an answer.",
]
RowNumber = int | None
"""The row of an event in a table's log; ``None`` if it has none."""
SettledBy = Annotated[str, "The link that accepted it.", {"examples": ["scorekeeper"]}]
Plain = Annotated[object, Named("PlainValue")]


class Item(TypedDict):
    """A part of a trick’s points."""

    item: Annotated[str, {"examples": ["pin"]}]
    points: int


class Details(TypedDict, total=False):
    """What a game adds to the reason of a trick: its items (``{"item": "pin", "points": 25}``)."""

    lines: Annotated[list[Item], "The parts of a trick’s points, in games that count them."]


class DescribedReason(Details):
    """Why the referee decided as it did."""

    code: Required[Annotated[str, Named("ReasonCode")]]
    text: Required[
        Annotated[
            str,
            "A sentence for players, in the caller’s language.",
            {"examples": ["The Sea (Crown of Waves) is the highest trump."]},
        ]
    ]
    clauses: Required[Annotated[list[str], "Clauses of the game’s rulebook.", {"examples": [["AT-9"]]}]]
    facts: Required[
        Annotated[
            dict[str, Annotated[object, Named("Fact")]],
            "The values in the sentence by name, not translated: seats and numbers, cards by code, other things in "
            "English. `code` determines which there are.",
            {"example": {"card": "XWS"}},
        ]
    ]


DescribedPlayMade = TypedDict(
    "DescribedPlayMade", {"seat": SeatNumber, "cards": NotRequired[list[str]], "pass": NotRequired[bool]}
)
DescribedPlayMade.__doc__ = "Cards played, or a pass."


class TrickEntry(TypedDict):
    """The cards of a trick: who led, and every play; ``details`` become part of its reason."""

    number: int
    leader: SeatNumber | None
    plays: list[DescribedPlayMade]
    called_suit: NotRequired[Annotated[str | None, "The suit that the leader named."]]
    reads: NotRequired[Annotated[EachText, "The suit of each card, as read by its owner."]]
    names: NotRequired[
        Annotated[list[Any], {"items": {"type": ["string", "null"]}}, "The name of the combination in each play."]
    ]
    details: NotRequired[Annotated[Details, Internal]]
    best: NotRequired[Annotated[Any, Named("BestAnswer")]]


class GivenUp(TypedDict):
    """A trick that went to a seat other than its winner's, because of an infraction."""

    trick: int
    to: SeatNumber
    why: Annotated[str, {"examples": ["revoke in trick 1"]}]


class MovedTricks(TypedDict):
    """Tricks that the table moved."""

    from_seat: SeatNumber
    to_seat: SeatNumber
    tricks: int


class TrickOutcome(TrickEntry):
    """A trick and its result; ``points`` are what it is worth, by seat."""

    winner: SeatNumber | None
    points: Points
    trump: Annotated[str | None, "Trump when the trick was decided."]


class BestOutcome(TypedDict):
    """The best-scoring response to a card."""

    known: Annotated[bool, "Whether the player’s hand is known; otherwise all unplayed cards are considered."]
    cards: Annotated[list[str], "None: no card of that hand could win."]
    points: int


class BestParts(BestOutcome):
    """The best response as its game describes it."""

    reason: Reason


class BestAnswer(BestOutcome):
    """The best-scoring response to a card; never revealed while the hand is in progress."""

    reason: DescribedReason


class TrickParts(TrickOutcome):
    """A trick as its game describes it."""

    reason: Reason | None


class DescribedTrick(TrickOutcome):
    """A trick, from its first play on."""

    reason: DescribedReason | None


class HandFacts(TypedDict):
    """Optional facts about a hand: trump, bids, tricks, moved tricks, notes beside players' names."""

    entered: NotRequired[Annotated[PerSeat, "The numbers entered so far in this hand, one for each player."]]
    name: NotRequired[Annotated[str | None, "The table’s name for the hand."]]
    trump: NotRequired[Annotated[str | None, "The current trump."]]
    has_trump: NotRequired[Annotated[bool, "Whether one suit can be trump for all players."]]
    suit_order: NotRequired[Annotated[list[str] | None, "American Deuce: the suits named so far, highest first."]]
    bids: NotRequired[PerSeat]
    tricks_won: NotRequired[PerSeat]
    contracts: NotRequired[Annotated[PerSeat, "What each seat’s side has bid together; null until all of it has bid."]]
    bags: NotRequired[
        Annotated[list[int], "Tricks above the bid on the account of each seat’s side: after the hand, or before it."]
    ]
    trumps: NotRequired[Annotated[EachText, "Each seat’s own trump, where they differ."]]
    seat_notes: NotRequired[Annotated[EachText, "Text to show beside each player’s name."]]
    titles: NotRequired[Annotated[EachText, "Each player’s title in this hand."]]
    moved: NotRequired[list[MovedTricks]]


class HandParts(HandFacts):
    """A hand as its game describes it.

    ``opening`` is the reason for what came before the first trick. ``given_up`` are the tricks that went to another
    seat because of an infraction: (trick, seat, infraction).
    """

    tricks: list[TrickParts]
    opening: NotRequired[Reason | None]
    given_up: NotRequired[list[tuple[int, int, Phrase]]]


class DescribedSetup(TypedDict):
    """How a hand is dealt; ``hand_size`` is null if the record does not say."""

    number: int
    dealer: SeatNumber
    seating: Annotated[list[int], "The seats clockwise as they sit in this hand."]
    hand_size: Annotated[list[int] | None, "One number for each seat."]


class NextDeal(DescribedSetup):
    """The deal of the next hand."""


class DescribedScoreLine(TypedDict):
    """One line of a score sheet; the lines add up to the score."""

    seat: SeatNumber
    points: int
    reason: DescribedReason


class FaceUp(TypedDict):
    """Cards that lie face up for the whole hand, or a suit alone if the card was not seen."""

    label: str
    cards: list[str]
    suit: str | None


class Change(TypedDict):
    """Numbers per seat, before and after."""

    before: PerSeat
    after: PerSeat


class TotalsBeforeAfter(TypedDict):
    """The totals of all seats, before and after the events of a remedy."""

    before: list[int]
    after: list[int]


class DescribedEffect(TypedDict):
    """What the events of a remedy would change."""

    scores: Change
    totals: TotalsBeforeAfter


class DescribedEachPoint(TypedDict):
    """One penalty point: its events and its effect. The table agrees on the number of points."""

    events: list[EventData]
    effect: DescribedEffect | None


class Outcome(TypedDict, total=False):
    """How a remedy is carried out: by which ``events`` and with what ``effect``, or why that is still open.

    A penalty gives it for ``each`` point. ``strikes`` are entries to strike first, the last one first.
    """

    strikes: Annotated[list[Position], "Entries to delete first, in this order: amendments with `event` null."]
    events: Annotated[list[EventData] | None, "The events that carry it out; null if they cannot be known."]
    effect: DescribedEffect | None
    pending: DescribedReason | None
    each: DescribedEachPoint | None


class DescribedRemedy(Outcome):
    """A remedy open to the table; in the last hand of a record, with its effect."""

    code: Required[Annotated[str, Named("RemedyCode")]]
    title: Required[Annotated[str, "A few words, for a button."]]
    text: Required[str]
    clauses: Required[list[str]]
    proposed: Required[Annotated[bool, "Whether the house rules propose this one."]]


class DescribedLaidCard(TypedDict):
    """A card that was played to a trick; `shown` is the one that contradicts the act."""

    seat: SeatNumber
    trick: int
    card: str
    reads: Annotated[list[str], "Its suits, as read by its player."]
    matches: Annotated[list[str], "Those of them that match the suit led."]


class DescribedAct(TypedDict):
    """A card that did not follow suit, or was led, and what it claims about the rest of the hand."""

    led: DescribedLaidCard | None
    played: DescribedLaidCard
    claims: Annotated[list[str], "The suits of which this play claims that its player holds none."]


class DescribedStep(TypedDict):
    """One step of an explanation: what was done, what the rule requires, or what showed it."""

    part: Annotated[str, Named("StepPart", one_of(("done", "asked", "shown"), "What a step says."))]
    reason: DescribedReason
    cards: Annotated[list[str], "The cards; `?` is an unseen card."]
    trick: int | None


class Exclusion(TypedDict):
    """An act by which a seat claimed to hold none of certain cards."""

    seat: SeatNumber
    event: Position


class Room(TypedDict):
    """A place where unseen cards can be. In Wildcat Chicane, Aces and Crowns are counted apart from number cards."""

    place: Annotated[SeatNumber | Literal["aside"], "A seat, or `aside` for the cards not dealt to anyone."]
    cards: Annotated[int, "The number of such cards that can be there."]


class DescribedArgument(TypedDict):
    """Joint findings: why the claims cannot all be true, as the record stood after the event in `proved_by`."""

    cards: Annotated[list[str], "Unseen cards that every suspect claims not to hold."]
    excluded_by: Annotated[list[Exclusion], "The claims that exclude them, the same acts as `claims`."]
    room: Annotated[list[Room], "All other places with room for such cards; together they hold fewer than `cards`."]


class Accepted(TypedDict):
    """Who accepted an irregular act, when, and why."""

    by: SettledBy
    name: Annotated[str, "The name of that link."]
    at: Moment
    why: Annotated[str, "Their reason, if they gave one (`x_why` of the event)."]


class Settled(TypedDict):
    """How the table settled an irregularity, and when."""

    how: Annotated[str | None, "The type of the event that settled it.", {"examples": ["penalty"]}]
    events: Annotated[list[EventData], "The events that carried it out."]
    seq: int
    by: SettledBy
    name: Annotated[str, "The name of that link."]
    at: Moment


class Irregular(TypedDict):
    """An irregular act: its seat and place, how it is known, and the reason."""

    code: Annotated[str, Named("IrregularityCode")]
    certainty: Annotated[str, Named("Certainty")]
    seat: SeatNumber | None
    suspects: SeatNumbers
    event: Position
    trick: int | None
    reason: DescribedReason


class DescribedIrregularity(Irregular):
    """A deviation from the rules, as the record shows it; at a table also how it was settled (null if open)."""

    proved_by: list[Position]
    remedies: list[DescribedRemedy]
    acts: Annotated[list[DescribedAct], "The cards in question that were played to tricks and make a claim."]
    shown: DescribedLaidCard | None
    steps: Annotated[list[DescribedStep], "What was done, required and shown, if it is not about a card led."]
    claims: NotRequired[Annotated[list[Position], "Joint findings: the acts that cannot all have been lawful."]]
    argument: NotRequired[DescribedArgument | None]
    seq: NotRequired[Annotated[RowNumber, "At a table: the row of its event in the log."]]
    proved_by_seq: NotRequired[Annotated[list[RowNumber], "At a table: the rows of `proved_by`."]]
    claims_seq: NotRequired[Annotated[list[RowNumber], "At a table: the rows of `claims`."]]
    accepted: NotRequired[Accepted | None]
    settled: NotRequired[Settled | None]


class DescribedWithdrawn(Irregular):
    """A finding that a later card of its hand disproved; `settled` is a remedy that rests on it."""

    proved_by: list[Position]
    withdrawn_by: Annotated[Position, "The event that disproved it."]
    why: DescribedReason
    seq: NotRequired[Annotated[RowNumber, "At a table: the row of its event in the log."]]
    withdrawn_by_seq: NotRequired[Annotated[RowNumber, "At a table: the row of the event that disproved it."]]
    settled: NotRequired[Settled | None]
    undo: NotRequired[
        Annotated[
            list[RowNumber],
            "At a table: the rows that settled it, last first; amend each with `event` null to delete it.",
        ]
    ]


class DescribedHand(DescribedSetup, HandFacts):
    """One hand as far as it is recorded; `options` are its house rules if they differ from the first hand's."""

    options: NotRequired[OptionData]
    phase: Annotated[str, Named("Phase")]
    to_act: Annotated[list[int], "The seats that may act now."]
    cards_left: list[int]
    tricks: list[DescribedTrick]
    opening: NotRequired[DescribedReason | None]
    given: NotRequired[list[GivenUp]]
    face_up: list[FaceUp]
    scores: Annotated[PerSeat, "The settled score of each seat; null if not settled yet."]
    score_lines: list[DescribedScoreLine]
    irregularities: list[DescribedIrregularity]
    withdrawn: Annotated[list[DescribedWithdrawn], "Findings that a later card has disproved."]
    unchecked: Annotated[list[DescribedReason], "What could not be checked from the record."]


class ChangedHand(HandFacts):
    """What has changed in the last hand. A missing key is unchanged; a hand just dealt has all keys."""

    number: int
    phase: Annotated[str, Named("Phase")]
    to_act: Annotated[list[int], "The seats that may act now."]
    cards_left: list[int]
    scores: Annotated[PerSeat, "The settled score of each seat; null if not settled yet."]
    tricks: Annotated[list[DescribedTrick], "New or changed tricks, usually the last ones."]
    findings: NotRequired[Annotated[int, "The number of irregularities so far; get the table for the list."]]
    dealer: NotRequired[SeatNumber]
    seating: NotRequired[Annotated[list[int], "The seats clockwise as they sit in this hand."]]
    hand_size: NotRequired[Annotated[list[int] | None, "One number for each seat."]]
    options: NotRequired[OptionData]
    opening: NotRequired[DescribedReason | None]
    given: NotRequired[list[GivenUp]]
    face_up: NotRequired[list[FaceUp]]


class DescribedEnd(TypedDict):
    """When a table ends: the kind of end, and its number, if it takes one."""

    kind: str
    value: NotRequired[int | None]


EndData = Annotated[DescribedEnd, Named("End")]


class TableOutcome(TypedDict):
    """The state of a game: totals, winners, and how the next hand is dealt."""

    options_now: NotRequired[OptionData]
    totals: Annotated[PerSeat, "One number for each seat; null while a table hides its points."]
    points_hidden: Annotated[bool, "Points are hidden until the game is over."]
    finished: bool
    winners: SeatNumbers
    next: NextDeal | None


class ChangedState(TableOutcome):
    """What can have changed at a table: the state of the game, and what is new in the last hand.

    If `points_hidden` turns false, fetch the table: its points are visible from then on.
    """

    hand: ChangedHand | None


class DescribedTable(TableOutcome):
    """The state of a game, and its rules.

    Totals and scores are null while points are hidden. ``options`` are the house rules with which the table began,
    ``options_now`` those of the hand in play or the next one, if they differ.
    """

    game: GameId
    title: NotRequired[Title]
    rules_version: Annotated[int, "The version of the game’s rules that judged this."]
    options: OptionData
    end: EndData
    course: Annotated[list[int], "The sizes of all hands of the game, if they are known before it starts."]


class DescribedRejected(TypedDict):
    """The event that was refused."""

    hand: int
    event: int
    verdict: Annotated[str, Named("RefusingVerdict")]
    reason: DescribedReason


class Adjudication(DescribedTable):
    """A judged record. `options` are the house rules at the start, with all defaults; `options_now` are those of the
    hand in play or the next one, if they have changed since.
    """

    hands: list[DescribedHand]
    rejected: DescribedRejected | None


# --- Reasons as JSON-like data: a translated sentence, untranslated facts


def describe_reason(reason: Reason, names: Sequence[str] = (), language: Language = ENGLISH) -> DescribedReason:
    """Describe a reason with only the facts its sentence mentions; others may be secret, such as hidden points."""
    named = places(reason.template)
    return {
        "code": reason.code,
        "text": reason.sentence(names, language),
        "clauses": list(reason.clauses),
        "facts": {key: describe_fact(fact) for key, fact in reason.facts.items() if key in named},
    }


@cache
def places(sentence: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(sentence) if name)


def describe_fact(fact: object) -> object:
    """Return a fact as JSON, untranslated: numbers and seats as they are, cards by code, otherwise English words."""
    if fact is None or isinstance(fact, bool | int):
        return fact
    if isinstance(fact, Card):
        return fact.code
    parts = fact.parts if isinstance(fact, Listing) else fact
    return [describe_fact(part) for part in parts] if isinstance(parts, tuple | list) else str(fact)
