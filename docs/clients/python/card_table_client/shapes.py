"""What requests and answers hold; made of the API’s schema."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class AboutBodyRequest(TypedDict):
    """
    What a dispute is about: a hand, counted from 0, and in it an event by its position, a trick, or a score line.
    """

    hand: NotRequired[int | None]
    event: NotRequired[int | None]
    trick: NotRequired[int | None]
    score_line: NotRequired[int | None]


class AdoptBodyRequest(TypedDict):
    """
    A table that is to be the group's, by the right of who keeps its score.
    """

    token: str
    people: NotRequired[list[int | None] | None]


BlankEnum: TypeAlias = Literal[""]


ColourEnum: TypeAlias = Literal["red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"]


class DisputeBodyRequest(TypedDict):
    """
    What somebody calls the referee for.
    """

    claim: str
    about: NotRequired[AboutBodyRequest | None]
    seat: NotRequired[int | None]
    pause: NotRequired[bool]


ForLinkRoleEnum: TypeAlias = Literal["scorekeeper", "player", "spectator"]


class ForReadingRequest(TypedDict):
    """
    What a link for reading opens.
    """

    hand: NotRequired[int | None]


class FromDisputeBodyRequest(TypedDict):
    """
    A dispute that was ruled on: at which table of the group, and its number there.
    """

    table: str
    number: int


GroupLinkBodyRoleEnum: TypeAlias = Literal["member", "viewer"]


class GuideBodyRequest(TypedDict):
    """
    What was answered, and which of the remedies of the ruling the table wants.
    """

    situation: str
    answers: NotRequired[dict[str, Any]]
    hand: NotRequired[int | None]
    remedy: str
    points: NotRequired[int | None]
    dispute: NotRequired[int | None]


class MergeBodyRequest(TypedDict):
    """
    Whom somebody counts as; null: as nobody else any more.
    """

    into: int | None


class NewGroupBodyRequest(TypedDict):
    """
    A group: its name and who plays in it.
    """

    name: str
    people: NotRequired[list[str]]


class NewPersonBodyRequest(TypedDict):
    """
    Somebody who plays in a group.
    """

    name: str
    aliases: NotRequired[list[str]]
    colour: NotRequired[ColourEnum | BlankEnum]


class NewPrecedentBodyRequest(TypedDict):
    """
    What a group decides.
    """

    question: NotRequired[str]
    decision: NotRequired[str]
    game: NotRequired[str]
    code: NotRequired[str]
    clause: NotRequired[str]
    facts: NotRequired[dict[str, Any]]
    option: NotRequired[str]
    value: NotRequired[bool | int | str | None]
    dispute: NotRequired[FromDisputeBodyRequest | None]


class NothingRequest(TypedDict):
    """
    A call that needs no body.
    """


NullEnum: TypeAlias = None


class PatchedGroupBodyRequest(TypedDict):
    """
    What changes of a group; what is missing stays.
    """

    name: NotRequired[str | None]
    counts_revokes: NotRequired[bool | None]
    shares_rulings: NotRequired[bool | None]


class PatchedLinkNameBodyRequest(TypedDict):
    """
    What people call a link.
    """

    name: NotRequired[str]


class PatchedLinkNameRequest(TypedDict):
    """
    What a link is called; empty: by its role.
    """

    name: NotRequired[str]


class PatchedPersonBodyRequest(TypedDict):
    """
    What changes of somebody; what is missing stays.
    """

    name: NotRequired[str | None]
    aliases: NotRequired[list[str] | None]
    colour: NotRequired[ColourEnum | BlankEnum | NullEnum]


class PatchedPrecedentBodyRequest(TypedDict):
    """
    What changes of a decision; what is missing stays.
    """

    question: NotRequired[str | None]
    decision: NotRequired[str | None]
    value: NotRequired[bool | int | str | None]


class PauseBodyRequest(TypedDict):
    """
    Whether the hand waits for the ruling.
    """

    paused: bool


class RecoverBodyRequest(TypedDict):
    """
    The recovery code of a group, and what becomes of its other links.
    """

    recovery_code: str
    name: NotRequired[str]
    cancel_older: NotRequired[bool]


RulesByEnum: TypeAlias = Literal["scorekeeper", "majority", "neutral"]


StateEnum: TypeAlias = Literal["upheld", "overruled"]


class WordsBodyRequest(TypedDict):
    """
    Words, where there is something to say.
    """

    text: NotRequired[str]


Seat: TypeAlias = int


Card: TypeAlias = str


Suit: TypeAlias = str


Options: TypeAlias = dict[str, bool | int | str | None]
"""
House rules by their key; what is left out has its default. Each game lists its own at `games/{game}/`.
"""


GameId: TypeAlias = Literal["ace-trump", "ransom-trump", "wildcat-chicane", "american-deuce", "ace-pit", "oh-hell"]


Phase: TypeAlias = Literal["trump", "bidding", "ransom", "ruling-card", "suits", "turn-up", "play", "finished", "void"]


Certainty: TypeAlias = Literal["seen", "proved", "joint"]


Verdict: TypeAlias = Literal["accepted", "irregular", "impossible"]


RefusingVerdict: TypeAlias = Literal["irregular", "impossible"]


IrregularityCode: TypeAlias = Literal[
    "out-of-turn",
    "no-combination",
    "passed",
    "riot-led",
    "does-not-beat",
    "king-elsewhere",
    "denied-deuce",
    "not-lowest",
    "no-suit-called",
    "excuse-led",
    "trump-led",
    "forbidden-bid",
    "revoke",
    "joint-revoke",
]


ProblemCode: TypeAlias = Literal[
    "bad-request",
    "bad-query",
    "parse-error",
    "not-json",
    "not-an-object",
    "duplicate-key",
    "bad-number",
    "bad-text",
    "too-deep",
    "wrong-type",
    "missing-key",
    "unknown-key",
    "unknown-event",
    "bad-notation",
    "bad-value",
    "bad-format",
    "unknown-game",
    "unknown-question",
    "unknown-situation",
    "unknown-option",
    "bad-option",
    "option-conflict",
    "bad-players",
    "bad-end",
    "bad-known",
    "too-many-events",
    "too-many-hands",
    "too-many-notes",
    "too-many-settlements",
    "too-much-extra",
    "other-score",
    "key-reused",
    "moved-on",
    "nothing-to-undo",
    "no-such-event",
    "already-amended",
    "later-event-not-taken",
    "not-your-seat",
    "not-hidden",
    "hidden-choice",
    "no-such-dispute",
    "no-such-clause",
    "dispute-decided",
    "not-the-referee",
    "table-paused",
    "no-remedy-left",
    "last-scorekeeper",
    "too-many-links",
    "hand-running",
    "already-continued",
    "bad-archive",
    "last-member",
    "sat-together",
    "already-merged",
    "not-allowed",
    "not-authenticated",
    "authentication-failed",
    "permission-denied",
    "other-site",
    "no-such-table",
    "no-such-link",
    "no-such-group",
    "no-such-precedent",
    "no-such-person",
    "no-such-recovery-code",
    "no-such-hand",
    "no-such-file",
    "no-play-yet",
    "unknown-deck",
    "no-slash",
    "not-found",
    "method-not-allowed",
    "not-acceptable",
    "unsupported-media-type",
    "too-large",
    "too-slow",
    "too-costly",
    "throttled",
    "server-error",
    "not-now",
    "hand-finished",
    "wrong-phase",
    "no-such-seat",
    "wrong-count",
    "not-in-deck",
    "already-played",
    "too-many-cards",
    "not-in-hand",
    "bad-suit",
    "bad-result",
    "bad-rules",
    "bad-bid",
    "out-of-turn",
    "no-combination",
    "passed",
    "riot-led",
    "does-not-beat",
    "king-elsewhere",
    "denied-deuce",
    "not-lowest",
    "no-suit-called",
    "excuse-led",
    "trump-led",
    "forbidden-bid",
    "revoke",
]


class Item(TypedDict):
    """
    A part of a trick’s points.
    """

    item: str
    points: int


class ProblemAt(TypedDict):
    """
    One thing that is wrong, and where.
    """

    pointer: str
    line: NotRequired[int]
    column: NotRequired[int]
    parameter: NotRequired[str]
    code: ProblemCode
    detail: str


class PlayEvent(TypedDict):
    """
    A seat plays cards.
    """

    type: Literal["play"]
    seat: Seat
    cards: list[Card]
    suit: NotRequired[Suit | None]
    accepted: NotRequired[bool | None]


class BidEvent(TypedDict):
    """
    A seat bids a number of tricks.
    """

    type: Literal["bid"]
    seat: Seat
    tricks: int
    accepted: NotRequired[bool | None]


class PassEvent(TypedDict):
    """
    A seat passes.
    """

    type: Literal["pass"]
    seat: Seat
    accepted: NotRequired[bool | None]


class TrickEvent(TypedDict):
    """
    A trick recorded without its cards.
    """

    type: Literal["trick"]
    winner: Seat
    trump: NotRequired[str | None]
    last: NotRequired[Card | None]
    points: NotRequired[dict[str, Any] | None]
    accepted: NotRequired[bool | None]


class ResultEvent(TypedDict):
    """
    The rest of the hand recorded by its result.
    """

    type: Literal["result"]
    tricks: NotRequired[list[int] | None]
    cards_left: NotRequired[list[int] | None]
    points: NotRequired[list[int] | None]
    last: NotRequired[Card | None]
    accepted: NotRequired[bool | None]


class NoteEvent(TypedDict):
    """
    A remark without effect.
    """

    type: Literal["note"]
    text: str
    seat: NotRequired[Seat | None]
    accepted: NotRequired[bool | None]


class PenaltyEvent(TypedDict):
    """
    The table changes a score.
    """

    type: Literal["penalty"]
    seat: Seat
    points: int
    reason: NotRequired[str | None]
    accepted: NotRequired[bool | None]


class TransferEvent(TypedDict):
    """
    The table moves tricks from one seat to another.
    """

    type: Literal["transfer"]
    from_seat: Seat
    to_seat: Seat
    tricks: int
    reason: NotRequired[str | None]
    accepted: NotRequired[bool | None]


class RedealEvent(TypedDict):
    """
    The hand is void; the same dealer deals again.
    """

    type: Literal["redeal"]
    reason: NotRequired[str | None]
    accepted: NotRequired[bool | None]


class EndEvent(TypedDict):
    """
    The players agree to end here.
    """

    type: Literal["end"]
    reason: NotRequired[str | None]
    accepted: NotRequired[bool | None]


class RulesEvent(TypedDict):
    """
    The table changes house rules between two hands; they hold from the next hand on.
    """

    type: Literal["rules"]
    options: dict[str, bool | int | str | None]
    accepted: NotRequired[bool | None]


class HoldFindingsEvent(TypedDict):
    """
    What is proved is told only when its hand is over, from now on.
    """

    type: Literal["hold-findings"]
    reason: NotRequired[str | None]
    accepted: NotRequired[bool | None]


class TellFindingsEvent(TypedDict):
    """
    What is proved is told at once, from now on.
    """

    type: Literal["tell-findings"]
    reason: NotRequired[str | None]
    accepted: NotRequired[bool | None]


class TrumpEvent(TypedDict):
    """
    The winner of the ransom names trump; in Ace Trump the table, without a seat, before each deal.
    """

    type: Literal["trump"]
    suit: Suit
    seat: NotRequired[Seat | None]
    accepted: NotRequired[bool | None]


class RansomEvent(TypedDict):
    """
    A seat’s ransom card.
    """

    type: Literal["ransom"]
    seat: Seat
    cards: list[Card]
    accepted: NotRequired[bool | None]


class RulingCardEvent(TypedDict):
    """
    A seat’s ruling card.
    """

    type: Literal["ruling-card"]
    seat: Seat
    cards: list[Card]
    accepted: NotRequired[bool | None]


class SuitEvent(TypedDict):
    """
    A seat names the next highest suit.
    """

    type: Literal["suit"]
    seat: Seat
    suit: Suit
    accepted: NotRequired[bool | None]


class DropDeuceEvent(TypedDict):
    """
    The President-Elect asked for a deuce.
    """

    type: Literal["drop-deuce"]
    king: Seat | None
    constipated: NotRequired[bool | None]
    given: NotRequired[str | None]
    returned: NotRequired[str | None]
    accepted: NotRequired[bool | None]


class TurnUpEvent(TypedDict):
    """
    The card turned up for trump.
    """

    type: Literal["turn-up"]
    card: str
    suit: NotRequired[Suit | None]
    accepted: NotRequired[bool | None]


Event: TypeAlias = (
    PlayEvent
    | BidEvent
    | PassEvent
    | TrickEvent
    | ResultEvent
    | NoteEvent
    | PenaltyEvent
    | TransferEvent
    | RedealEvent
    | EndEvent
    | RulesEvent
    | HoldFindingsEvent
    | TellFindingsEvent
    | TrumpEvent
    | RansomEvent
    | RulingCardEvent
    | SuitEvent
    | DropDeuceEvent
    | TurnUpEvent
)


class End(TypedDict):
    """
    When the game is over: by a number, when the players agree, or as the game has it.
    """

    kind: Literal["open", "score", "hands", "time", "course"]
    value: NotRequired[int | None]


class HandRecord(TypedDict):
    """
    One deal played out.
    """

    events: NotRequired[list[Event]]
    known: NotRequired[dict[str, list[Card]]]


Seat1: TypeAlias = str


class Record(TypedDict):
    """
    Everything that happened at a table.
    """

    format: NotRequired[Literal["table-record/1"]]
    game: GameId
    options: NotRequired[Options]
    end: NotRequired[End]
    seats: list[Seat1]
    first_dealer: Seat
    carried: NotRequired[list[int]]
    hands: NotRequired[list[HandRecord]]


class FaceUpItem(TypedDict):
    """
    Cards, or a suit alone where the card was not seen, that lie open for the whole hand.
    """

    label: str
    cards: list[str]
    suit: str | None


class Exchange(TypedDict):
    """
    Drop a Deuce as it was recorded.
    """

    king: Seat | None
    constipated: bool
    given: str | None
    returned: str | None


class GivenUp(TypedDict):
    """
    A trick that went to another seat than its winner, for an infraction.
    """

    trick: int
    to: Seat
    why: str


class MovedTricks(TypedDict):
    """
    Tricks that the table moved.
    """

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
    """
    Who recorded an irregular act as it was, when, and why.
    """

    by: str
    name: str
    at: str
    why: str


class Settled(TypedDict):
    """
    How the table settled it, and when.
    """

    how: str | None
    events: list[Event]
    seq: int
    by: str
    name: str
    at: str


class LaidCard(TypedDict):
    """
    A card that was laid to a trick; `shown` is the one that contradicts the act.
    """

    seat: Seat
    trick: int
    card: str
    reads: list[str]
    matches: list[str]


class Exclusion(TypedDict):
    """
    An act by which a seat claimed to hold none of certain cards.
    """

    seat: Seat
    event: list[int]


class Room(TypedDict):
    """
    A place where unseen cards can lie. In Wildcat Chicane Aces and Crowns have room apart from number cards.
    """

    place: Seat | Literal["aside"]
    cards: int


class Change(TypedDict):
    """
    Points per seat.
    """

    before: list[int | None]
    after: list[int | None]


class NextDeal(TypedDict):
    """
    How the next hand is dealt.
    """

    number: int
    dealer: Seat
    seating: list[int]
    hand_size: list[int] | None


class Play(TypedDict):
    cards: list[Card]
    suit: NotRequired[str | None]
    ruling_card: NotRequired[str | None]


class TrickQuestion(TypedDict):
    game: GameId
    options: NotRequired[Options]
    players: NotRequired[int | None]
    trump: NotRequired[str | None]
    plays: list[Play]


class LegalQuestion(TypedDict):
    game: GameId
    options: NotRequired[Options]
    hand: list[Card]
    led_card: NotRequired[str | None]
    led_suit: NotRequired[str | None]
    ruling_card: NotRequired[str | None]


class ScoreQuestion(TypedDict):
    game: GameId
    options: NotRequired[Options]
    bid: NotRequired[int | None]
    tricks: NotRequired[int]
    players: NotRequired[int | None]
    cards_left: NotRequired[list[int]]
    dealt: NotRequired[list[int]]


class DealQuestion(TypedDict):
    game: GameId
    options: NotRequired[Options]
    players: int
    last_trick: NotRequired[list[Card] | None]
    trump: NotRequired[str | None]
    hand_size: NotRequired[int | None]
    hand: NotRequired[int | None]


class RansomQuestion(TypedDict):
    game: NotRequired[GameId]
    options: NotRequired[Options]
    cards: list[Card]


class SuitQuestion(TypedDict):
    game: NotRequired[GameId]
    options: NotRequired[Options]
    card: Card
    ruling_card: Card


class BeatsQuestion(TypedDict):
    game: NotRequired[GameId]
    options: NotRequired[Options]
    decks: int
    suit_order: list[Suit]
    on: list[Card] | None
    play: list[Card]
    under_five_of_a_kind: NotRequired[bool]


class Combination(TypedDict):
    kind: Literal[
        "single", "pair", "triple", "straight", "flush", "full-house", "straight-flush", "riot", "five-of-a-kind"
    ]
    name: str


class ResponseQuestion(TypedDict):
    game: NotRequired[GameId]
    options: NotRequired[Options]
    laid: Card
    response: list[Card]


class Line(TypedDict):
    item: str
    points: int


class GameSummary(TypedDict):
    id: str
    name: str
    tagline: str
    source: str
    players: list[int]
    deck: str


class End1(TypedDict):
    """
    When it usually ends.
    """

    kind: str
    value: int | None


class Game(TypedDict):
    id: str
    name: str
    tagline: str
    source: str
    players: list[int]
    deck: str
    decks: dict[str, str]
    options: dict[str, Any]
    end: End1
    questions: list[str]


class Clause(TypedDict):
    """
    One clause of a rulebook.
    """

    id: str
    title: str
    text: str
    source: str
    basis: Literal["seed", "common", "derived", "default"]
    part: str


class DeckSummary(TypedDict):
    id: str
    name: str
    size: int


class Suit1(TypedDict):
    code: str
    name: str


class Card1(TypedDict):
    code: str
    name: str
    rank: str
    suits: list[str]
    title: str


class Deck(TypedDict):
    id: str
    name: str
    size: int
    suits: list[Suit1]
    cards: list[Card1]


class WhatIfQuestion(TypedDict):
    """
    A record, and the options that are to be others.
    """

    record: Record
    options: NotRequired[Options]


class Options1(TypedDict):
    now: Options


class Totals(TypedDict):
    now: list[int | None]


class Ahead(TypedDict):
    """
    The seats with the highest total.
    """

    now: list[int] | None


class Finished(TypedDict):
    now: bool | None


class Winners(TypedDict):
    now: list[int] | None


class OptionThenNow(TypedDict):
    key: str
    label: str
    now: bool | int | str | None
    clauses: list[str]


class Scores(TypedDict):
    now: list[int | None]


class GuideOfGame(TypedDict):
    """
    A question without a record.
    """

    game: GameId
    options: NotRequired[Options]
    players: NotRequired[int]
    situation: str
    answers: NotRequired[dict[str, int | str]]


class GuideOfRecord(TypedDict):
    """
    A question about a record, which answers some of the questions by itself.
    """

    record: Record
    hand: NotRequired[int]
    situation: str
    answers: NotRequired[dict[str, int | str]]


class Guide(TypedDict):
    """
    Something that can have gone wrong.
    """

    situation: str
    title: str
    says: str


class Choice(TypedDict):
    answer: int | str
    text: str


class GuideStep(TypedDict):
    """
    A question to the table.
    """

    id: str
    kind: Literal["choice", "seat", "trick"]
    text: str
    choices: list[Choice]


class GuideAmend(TypedDict):
    """
    An entry that is put right: its place in the record, what stands there instead, and at a table its row `seq`.
    """

    event: list[int]
    instead: Event | None
    seq: NotRequired[int]


class RecordToBring1(TypedDict):
    text: str


RecordToBring: TypeAlias = Record | RecordToBring1


class LogWriter(TypedDict):
    role: str
    seat: int | None
    name: str


class Person(TypedDict):
    id: int
    name: str
    aliases: list[str]
    colour: str | None
    merged_into: int | None


class GroupLink(TypedDict):
    id: int
    role: Literal["member", "viewer"]
    name: str
    created: str
    own: bool


Company = TypedDict(
    "Company",
    {
        "seats": list[str],
        "from": NotRequired[list[int | None]],
        "first_dealer": NotRequired[int | None],
        "newcomer": NotRequired[Literal["zero", "lowest"]],
    },
)


class NewGroupLink(TypedDict):
    id: int
    role: Literal["member", "viewer"]
    name: str
    created: str
    own: bool
    token: str
    url: str


class Link(TypedDict):
    id: int
    role: Literal["scorekeeper", "player", "spectator"]
    seat: int | None
    name: str
    created: str
    own: bool


class People(TypedDict):
    people: list[Person]
    next: str | None


class LinksToGroup(TypedDict):
    links: list[GroupLink]
    next: str | None


class NewLink(TypedDict):
    id: int
    role: Literal["scorekeeper", "player", "spectator"]
    seat: int | None
    name: str
    created: str
    own: bool
    token: str
    url: str


class Links(TypedDict):
    links: list[Link]
    next: str | None


class EventsToRecord(TypedDict):
    """
    Events, all of which are recorded or none; or one event by itself, with or without `sealed`.
    """

    events: NotRequired[list[Event]]
    sealed: NotRequired[bool]


class NewTable(TypedDict):
    game: GameId
    options: NotRequired[Options]
    end: NotRequired[End]
    seats: list[Seat1]
    first_dealer: Seat
    carried: NotRequired[list[int]]
    group: NotRequired[str | None]
    private: NotRequired[bool]
    people: NotRequired[list[int | None]]


class Trick1(TypedDict):
    hand: int
    trick: int
    before: Any
    after: Any


class Score(TypedDict):
    hand: int
    seat: int
    before: Any
    after: Any


class Total(TypedDict):
    seat: int
    before: Any
    after: Any


class Irregularity1(TypedDict):
    hand: int
    before: Any
    after: Any


class Winners1(TypedDict):
    before: Any
    after: Any


class Changes(TypedDict):
    tricks: list[Trick1]
    scores: list[Score]
    totals: list[Total]
    irregularities: list[Irregularity1]
    winners: Winners1 | None


class Hidden(TypedDict):
    seat: NotRequired[int | None]
    chosen: NotRequired[list[int]]
    again: NotRequired[list[int]]
    confirmed: NotRequired[int]


class LogEntry(TypedDict):
    position: list[int] | None
    who: LogWriter
    seq: int
    hand: int
    event: Event | None
    amends: int | None
    amended_by: int | None
    reason: str
    by: str
    at: str
    hidden: NotRequired[Hidden | None]


class Log(TypedDict):
    version: int
    events: list[LogEntry]
    next: str | None


Links1 = TypedDict(
    "Links1",
    {
        "self": str,
        "links": str,
        "recovery": str,
        "people": str,
        "tables": str,
        "evenings": str,
        "season": str,
        "statistics": str,
        "rulings": str,
        "archive": str,
        "stream": str,
        "precedents": str,
        "what-if": str,
        "page": str,
    },
)


class Group(TypedDict):
    code: str
    name: str
    version: int
    created: str
    counts_revokes: bool
    shares_rulings: bool
    people: list[Person]
    role: Literal["member", "viewer"]
    links: Links1


class NewGroup(TypedDict):
    code: str
    name: str
    version: int
    created: str
    counts_revokes: bool
    shares_rulings: bool
    people: list[Person]
    role: Literal["member", "viewer"]
    links: Links1
    token: str


class Disputes(TypedDict):
    open: list[int]
    paused: list[int]


Links3 = TypedDict(
    "Links3",
    {
        "self": str,
        "events": str,
        "asks": str,
        "undo": str,
        "amendments": str,
        "record": str,
        "disputes": str,
        "links": str,
        "readings": str,
        "continue": str,
        "stream": str,
        "page": str,
    },
)


class Count(TypedDict):
    """
    How many cards one event may have.
    """

    least: int
    most: int


MovedItem = TypedDict(
    "MovedItem",
    {
        "seq": int,
        "hand": int,
        "event": int,
        "trick": int | None,
        "cards": list[str],
        "from": int,
        "to": int,
    },
)


class Changes1(TypedDict):
    """
    Amending: what it would have changed up to there.
    """

    tricks: list[Trick1]
    scores: list[Score]
    totals: list[Total]
    irregularities: list[Irregularity1]
    winners: Winners1 | None


class Hand1(TypedDict):
    number: int
    dealer: int
    phase: Phase
    to_act: list[int]
    begins: bool


class ChangeBodyRequest(TypedDict):
    """
    A row of the log, and what happened instead; null: nothing did.
    """

    seq: int
    event: Event | None


class DisputeRulingBodyRequest(TypedDict):
    """
    What is decided.
    """

    state: StateEnum
    text: str
    clauses: NotRequired[list[str]]
    remedy: NotRequired[list[Any]]
    tree: NotRequired[str | None]
    answers: NotRequired[list[Any]]


class ForLinkRequest(TypedDict):
    """
    Whom a link is for; a player's has a seat.
    """

    role: ForLinkRoleEnum
    seat: NotRequired[int | None]
    name: NotRequired[str]


class GroupLinkBodyRequest(TypedDict):
    """
    What a link to a group allows, and what people call it.
    """

    role: GroupLinkBodyRoleEnum
    name: NotRequired[str]


class PatchedTableBodyRequest(TypedDict):
    """
    What changes of a table; what is missing stays.
    """

    private: NotRequired[bool]
    seats: NotRequired[list[str]]
    rules_by: NotRequired[RulesByEnum]
    referee: NotRequired[int]
    shares_rulings: NotRequired[bool]


class Reason(TypedDict):
    """
    Why the referee decided so.
    """

    code: str
    text: str
    clauses: list[str]
    lines: NotRequired[list[Item]]
    facts: dict[str, Any]


class ScoreLine(TypedDict):
    """
    One line of a score sheet; lines add up to the score.
    """

    seat: Seat
    points: int
    reason: Reason


class Problem(TypedDict):
    """
    An error (RFC 9457).
    """

    type: str
    instance: NotRequired[str]
    title: str
    status: int
    detail: str
    code: ProblemCode
    errors: NotRequired[list[ProblemAt]]


class BestAnswer(TypedDict):
    """
    The answer to a card laid that would have scored most; a running hand is never looked into.
    """

    known: bool
    cards: list[str]
    points: int
    reason: Reason


class Step(TypedDict):
    """
    A step of what was done, what the rule asks for, or what showed it.
    """

    part: Literal["done", "asked", "shown"]
    reason: Reason
    cards: list[str]
    trick: int | None


class Act(TypedDict):
    """
    A card that did not follow, or was led, and what it claims of the hand that remained.
    """

    led: LaidCard | None
    played: LaidCard
    claims: list[str]


class Argument(TypedDict):
    """
    Joint findings: why the claims cannot all be true, as the record stood after the event in `proved_by`.
    """

    cards: list[str]
    excluded_by: list[Exclusion]
    room: list[Room]


class Effect(TypedDict):
    """
    What the events of a remedy would change.
    """

    scores: Change
    totals: Change


class Rejected(TypedDict):
    """
    The event that was not taken.
    """

    hand: int
    event: int
    verdict: RefusingVerdict
    reason: Reason


class TrickAnswer(TypedDict):
    winner: int | None
    trump: str | None
    reason: Reason


class IllegalItem(TypedDict):
    card: str
    reason: Reason


class LegalAnswer(TypedDict):
    legal: list[str]
    illegal: list[IllegalItem]
    reason: Reason


class ScoreAnswer(TypedDict):
    points: int | list[int]
    lines: list[ScoreLine]
    reason: Reason


class DealAnswer(TypedDict):
    cards_each: list[int]
    aside: int
    tricks: int | None
    reason: Reason


class RansomAnswer(TypedDict):
    winner: int | None
    suits: list[str]
    reason: Reason


class SuitAnswer(TypedDict):
    suit: str
    reason: Reason


class BeatsAnswer(TypedDict):
    beats: bool
    combination: Combination | None
    reason: Reason


class ResponseAnswer(TypedDict):
    winner: Literal["leader", "responder"] | None
    points: int
    lines: list[Line]
    reason: Reason


class ScoreLines(TypedDict):
    now: list[ScoreLine]


class LeftOutItem(TypedDict):
    event: list[int]
    reason: Reason


class TrickOutcome(TypedDict):
    """
    What comes of a trick.
    """

    winner: Seat | None
    points: dict[str, int]
    trump: str | None
    reason: Reason | None


class IrregularThenNow(TypedDict):
    """
    Something irregular by the rules of then, by those of now, or by both.
    """

    code: IrregularityCode
    certainty: Certainty
    seat: Seat | None
    suspects: list[int]
    event: list[int]
    trick: int | None
    reason: Reason
    now: bool


class Equity(TypedDict):
    """
    What others lost by a revoke, as the cards lay: points as played, as repaired by giving up tricks (IR-4), as they would lawfully have been, and the better result for the others (IR-6); null where nobody can know.
    """

    played: list[int | None] | None
    repaired: list[int | None] | None
    lawful: list[int | None] | None
    better: list[int | None] | None
    harmed: list[int]
    reason: Reason


GuideQuestion: TypeAlias = GuideOfGame | GuideOfRecord


class GuideAnswer(TypedDict):
    """
    A question that is answered: by `you`, or by what the `record` or the house `rules` say.
    """

    id: str
    kind: Literal["choice", "seat", "trick"]
    text: str
    choices: list[Choice]
    answer: int | str
    answer_text: str
    by: Literal["you", "record", "rules"]
    reason: Reason | None


class Each(TypedDict):
    """
    A penalty, by the point.
    """

    amends: list[GuideAmend]
    events: list[Event]
    effect: Effect | None


class GuideRemedy(TypedDict):
    """
    Something the table can do; `pending` says why it cannot be carried out by events now.
    """

    code: str
    title: str
    text: str
    clauses: list[str]
    proposed: bool
    amends: list[GuideAmend] | None
    events: list[Event] | None
    effect: Effect | None
    pending: Reason | None
    each: NotRequired[Each | None]


class CardsNamed(TypedDict):
    fits: bool | None
    reasons: list[Reason]


class AskChoices(TypedDict):
    choices: list[int | str]
    reason: Reason


class LaterEvent(TypedDict):
    seq: int | None
    hand: int
    event: int
    verdict: RefusingVerdict
    reason: Reason | None


class AskField(TypedDict):
    name: str
    type: Literal["cards", "card", "suit", "seat", "number", "numbers", "points", "flag", "text", "reason", "options"]
    label: str
    required: bool
    choices: list[int | str]
    forbidden: list[AskChoices]
    claims: list[AskChoices]
    least: NotRequired[int]
    most: NotRequired[int]
    count: NotRequired[Count]
    total: NotRequired[int | None]
    rest: NotRequired[int | None]
    step: NotRequired[int]
    least_each: NotRequired[list[int]]
    most_each: NotRequired[list[int]]
    taken: NotRequired[list[str]]
    after: NotRequired[str]
    none: NotRequired[str]
    order: NotRequired[list[str]]
    usual: NotRequired[int]
    warnings: NotRequired[list[Reason]]


class Ask(TypedDict):
    event: str
    label: str
    says: str
    seats: list[int]
    players: list[int]
    secret: bool
    yours: bool
    fields: list[AskField]
    fixed: dict[str, Any]
    events: list[Event]
    complete: bool
    forced: Event | None
    preview: bool
    named: CardsNamed | None


class Asks(TypedDict):
    version: int
    finished: bool
    hand: Hand1 | None
    why_not: Reason | None
    sealed: list[int]
    choose_again: list[int]
    asks: list[Ask]
    beside: list[Ask]


class AmendmentBodyRequest(TypedDict):
    """
    Which row of the log is amended, what happened instead, and what is amended together with it.
    """

    seq: int
    event: Event | None
    also: NotRequired[list[ChangeBodyRequest]]
    rethread: NotRequired[bool]
    reason: NotRequired[str | None]
    dry_run: NotRequired[bool]


class Trick(TypedDict):
    """
    A trick, from its first play on.
    """

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
    """
    Of a penalty: what it is by the point. The offender loses the number of points that the table agrees on.
    """

    events: list[Event]
    effect: Effect | None


class TrickThenNow(TypedDict):
    """
    A trick with its cards as they lay; `change` says what is different.
    """

    number: int
    leader: Seat | None
    plays: list[PlayMade]
    now: TrickOutcome | None
    change: Reason | None


class Infraction(TypedDict):
    """
    An irregular act: `seen` by itself or against a hand that is known, `proved` by a later card, or `joint`.
    """

    code: IrregularityCode
    certainty: Certainty
    seat: Seat | None
    suspects: list[int]
    event: list[int]
    trick: int | None
    proved_by: list[list[int]]
    reason: Reason
    equity: Equity | None


class Guidance(TypedDict):
    """
    How far the answers lead: to the next `question`, or to a `ruling`; one of them is null.
    """

    situation: str
    title: str
    says: str
    answered: list[GuideAnswer]
    answers: dict[str, int | str]
    question: GuideStep | None
    ruling: Reason | None
    models: list[str]
    remedies: list[GuideRemedy]


class Remedy(TypedDict):
    """
    What the table can do about it; in the last hand of a record with what that would change.
    """

    code: str
    title: NotRequired[str]
    text: str
    clauses: NotRequired[list[str]]
    proposed: NotRequired[bool]
    events: NotRequired[list[Event] | None]
    effect: NotRequired[Effect | None]
    pending: NotRequired[Reason | None]
    each: NotRequired[EachPoint | None]


class HandThenNow(TypedDict):
    """
    A hand then and now; `unscored` says why it has no score now although it may have had one.
    """

    number: int
    phase: Phase
    changed: bool
    judged: bool
    tricks: list[TrickThenNow]
    scores: Scores
    score_lines: ScoreLines
    irregularities: list[IrregularThenNow]
    notes: list[Reason]
    left_out: list[LeftOutItem]
    unscored: Reason | None


class Audit(TypedDict):
    """
    A hand checked in full.
    """

    number: int
    complete: bool
    clean: bool
    verdict: Reason
    infractions: list[Infraction]
    unchecked: list[Reason]
    plays: int
    bids: int


class Irregularity(TypedDict):
    """
    A deviation from the rules, as the record shows it; at a table also how it was settled (null: it is open).
    """

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


class WhatIf(TypedDict):
    """
    A record as it lay: by its own rules (`then`) and by the other ones (`now`).
    """

    game: GameId
    options: Options1
    changed: list[OptionThenNow]
    hands: list[HandThenNow]
    totals: Totals
    ahead: Ahead
    finished: Finished
    winners: Winners
    over_after: int | None
    points_hidden: bool
    rejected: Rejected | None


class Audits(TypedDict):
    """
    Every hand of a record, checked in full.
    """

    hands: list[Audit]
    rejected: Rejected | None


class Ruling(TypedDict):
    verdict: Verdict
    reason: Reason | None
    irregularities: list[Irregularity]


class Ruling1(TypedDict):
    """
    409 and 422: what the referee says of the event.
    """

    verdict: Verdict
    reason: Reason | None
    irregularities: list[Irregularity]


class Hand(TypedDict):
    """
    One hand as far as it is recorded; `options` are its house rules, where they are not those of the first hand.
    """

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
    unchecked: list[Reason]
    ransom_cards: NotRequired[list[str | None]]
    ransom_winner: NotRequired[Seat | None]
    ruling_cards: NotRequired[list[str | None]]
    exchange: NotRequired[Exchange | None]
    drawn: NotRequired[list[int]]
    turned: NotRequired[str | None]
    hand_of_course: NotRequired[int]


class ChangedState(TypedDict):
    hand: Hand | None
    options_now: NotRequired[Options]
    game: GameId
    options: Options
    end: End
    totals: list[int | None]
    points_hidden: bool
    finished: bool
    winners: list[int]
    next: NextDeal | None
    course: list[int]


class Undone(TypedDict):
    version: int
    state: ChangedState
    sealed: list[int]
    choose_again: list[int]


class Recorded(TypedDict):
    version: int
    ruling: NotRequired[Ruling]
    rulings: NotRequired[list[Ruling]]
    state: ChangedState
    sealed: list[int]
    choose_again: list[int]
    dry_run: NotRequired[bool]
    named: NotRequired[CardsNamed | None]


class State(TypedDict):
    """
    Where it was done: what can have changed.
    """

    hand: Hand | None
    options_now: NotRequired[Options]
    game: GameId
    options: Options
    end: End
    totals: list[int | None]
    points_hidden: bool
    finished: bool
    winners: list[int]
    next: NextDeal | None
    course: list[int]


class Amended(TypedDict):
    version: int
    changes: Changes
    moved: list[MovedItem]
    ruling: Ruling | None
    state: NotRequired[State]
    dry_run: NotRequired[bool]
    later: NotRequired[LaterEvent | None]


class Adjudication(TypedDict):
    """
    The record as the referee sees it; `options` with all defaults filled in, as the table began. `options_now` are those of the hand in play, or of the next one, where the table has changed them since.
    """

    options_now: NotRequired[Options]
    hands: list[Hand]
    game: GameId
    options: Options
    end: End
    totals: list[int | None]
    points_hidden: bool
    finished: bool
    winners: list[int]
    next: NextDeal | None
    course: list[int]
    rejected: Rejected | None


class Table(TypedDict):
    code: str
    version: int
    seats: list[str]
    first_dealer: int
    carried: list[int | None]
    created: str
    updated: str
    private: bool
    rules_by: Literal["scorekeeper", "majority", "neutral"]
    referee: int | None
    shares_rulings: bool
    disputes: Disputes
    group: str | None
    people: list[int | None]
    previous: str | None
    next: str | None
    sealed: list[int]
    choose_again: list[int]
    links: Links3
    state: Adjudication


class OpenedTable(TypedDict):
    code: str
    version: int
    seats: list[str]
    first_dealer: int
    carried: list[int | None]
    created: str
    updated: str
    private: bool
    rules_by: Literal["scorekeeper", "majority", "neutral"]
    referee: int | None
    shares_rulings: bool
    disputes: Disputes
    group: str | None
    people: list[int | None]
    previous: str | None
    next: str | None
    sealed: list[int]
    choose_again: list[int]
    links: Links3
    state: Adjudication
    token: str


class TableProblem(TypedDict):
    """
    An error (RFC 9457). What its code has to say beside `detail` are keys of their own.
    """

    type: str
    instance: NotRequired[str]
    title: str
    status: int
    detail: str
    code: ProblemCode
    errors: NotRequired[list[ProblemAt]]
    version: NotRequired[int]
    ruling: NotRequired[Ruling1]
    position: NotRequired[int]
    hand: NotRequired[int]
    event: NotRequired[int]
    later: NotRequired[LaterEvent | None]
    changes: NotRequired[Changes1]
    seq: NotRequired[int]
    amended_by: NotRequired[int]
    state: NotRequired[Adjudication]
