"""What requests and answers hold; made of the API’s schema."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class DisputeSubject(TypedDict):
    """
    What a dispute is about: a hand, counted from 0, and in it an event by its position, a trick, or a score line.
    """

    hand: NotRequired[int | None]
    event: NotRequired[int | None]
    trick: NotRequired[int | None]
    score_line: NotRequired[int | None]


class DisputeToRaise(TypedDict):
    """
    What somebody calls the referee for.
    """

    claim: str
    about: NotRequired[DisputeSubject | None]
    seat: NotRequired[int | None]
    pause: NotRequired[bool]


class FromDispute(TypedDict):
    """
    A dispute that was ruled on: at which table of the group, and its number there.
    """

    table: str
    number: int


class GroupChanges(TypedDict):
    """
    What changes of a group; what is missing stays.
    """

    name: NotRequired[str | None]
    counts_revokes: NotRequired[bool | None]
    shares_rulings: NotRequired[bool | None]


class GroupLinkName(TypedDict):
    """
    What people call a link.
    """

    name: str


GroupRole: TypeAlias = Literal["member", "viewer"]


class GroupToMake(TypedDict):
    """
    A group: its name and who plays in it.
    """

    name: str
    people: NotRequired[list[str]]


class GroupToRecover(TypedDict):
    """
    The recovery code of a group, and what becomes of its other links.
    """

    recovery_code: str
    name: NotRequired[str]
    cancel_older: NotRequired[bool]


class GuideToCarryOut(TypedDict):
    """
    What was answered, and which of the remedies of the ruling the table wants.
    """

    situation: str
    answers: NotRequired[dict[str, int | str]]
    hand: NotRequired[int | None]
    remedy: str
    points: NotRequired[int | None]
    dispute: NotRequired[int | None]


class LinkName(TypedDict):
    """
    What a link is called; empty: by its role.
    """

    name: str


LinkRole: TypeAlias = Literal["scorekeeper", "player", "spectator"]


class LinkToMake(TypedDict):
    """
    Whom a link is for; a player's has a seat.
    """

    role: LinkRole
    seat: NotRequired[int | None]
    name: NotRequired[str]


class Merge(TypedDict):
    """
    Whom somebody counts as; null: as nobody else any more.
    """

    into: int | None


class Nothing(TypedDict):
    """
    A call that needs no body.
    """


class Pause(TypedDict):
    """
    Whether the hand waits for the ruling.
    """

    paused: bool


PersonColour: TypeAlias = Literal["red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"]


class PersonToAdd(TypedDict):
    """
    Somebody who plays in a group.
    """

    name: str
    aliases: NotRequired[list[str]]
    colour: NotRequired[PersonColour]


class PrecedentChanges(TypedDict):
    """
    What changes of a decision; what is missing stays.
    """

    question: NotRequired[str | None]
    decision: NotRequired[str | None]
    value: NotRequired[bool | int | str | None]


class ReadingToMake(TypedDict):
    """
    What a link for reading opens.
    """

    hand: NotRequired[int | None]


RulingState: TypeAlias = Literal["upheld", "overruled"]


class TableToAdopt(TypedDict):
    """
    A table that is to be the group's, by the right of who keeps its score.
    """

    token: str
    people: NotRequired[list[int | None] | None]


WhoRules: TypeAlias = Literal["scorekeeper", "majority", "neutral"]


class Words(TypedDict):
    """
    Words, where there is something to say.
    """

    text: NotRequired[str]


Seat: TypeAlias = int


Card: TypeAlias = str


Suit: TypeAlias = str


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


RemedyCode: TypeAlias = Literal[
    "bridge",
    "choose-again",
    "claim-deuce",
    "claim-rest",
    "correct",
    "equity",
    "hand-zero",
    "note",
    "penalty",
    "redeal",
    "redo-exchange",
    "stand",
    "swap-back",
    "take-back",
    "take-bid-back",
    "warn",
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
    "bad-log",
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


ReasonCode: TypeAlias = Literal[
    "accepted",
    "ace-laid",
    "ace-laid-without-points",
    "add-card",
    "again",
    "agree-on-trump",
    "all-follow",
    "all-passed",
    "already-aside",
    "already-played",
    "any-lead",
    "aside-already",
    "audit-clean",
    "audit-found",
    "audit-so-far-clean",
    "audit-so-far-found",
    "back",
    "bad-bid",
    "bad-result",
    "bad-result-fewer",
    "bad-result-leader",
    "bad-result-left",
    "bad-result-open-trick",
    "bad-result-points",
    "bad-result-points-few",
    "bad-result-points-hidden",
    "bad-result-points-made",
    "bad-result-points-needed",
    "bad-result-points-never",
    "bad-result-responder",
    "bad-result-seats",
    "bad-result-single",
    "bad-result-sum",
    "bad-result-tricks",
    "bad-result-winner",
    "bad-rules",
    "bad-suit",
    "bad-transfer-more",
    "bad-transfer-none",
    "bad-transfer-self",
    "bad-trump",
    "beats",
    "beats-deck",
    "beats-lower",
    "beats-mixture",
    "beats-no-combination",
    "beats-suit",
    "beats-trump-colour",
    "best-answer-at-all",
    "best-answer-drawn",
    "best-answer-in-hand",
    "bid-already",
    "bid-difference",
    "bid-exact",
    "bid-exact-square",
    "bid-exact-ten",
    "bid-far-off",
    "bid-made",
    "bid-missed",
    "bid-missed-nothing",
    "bid-off-by",
    "bid-square",
    "bid-tricks-only",
    "bids-first",
    "bids-missing",
    "binding",
    "by-number",
    "cannot-have-won",
    "cards-left",
    "cards-left-quick",
    "cards-not-in-pack",
    "cards-unjudged",
    "cards-unseen",
    "change",
    "claim",
    "claims-trump-only",
    "claims-void",
    "composed",
    "condoned",
    "constipated-king",
    "counts",
    "counts-as-led",
    "dealt",
    "dealt-otherwise",
    "dealt-tide",
    "dealt-turned",
    "denied-deuce",
    "denied-deuce-held",
    "deuce-dropped",
    "does-not-beat",
    "does-not-beat-deck",
    "does-not-beat-lower",
    "does-not-beat-mixture",
    "does-not-beat-suit",
    "does-not-beat-trump-colour",
    "draw-now",
    "draws",
    "earlier-bird",
    "earlier-of-equals",
    "earlier-pawn",
    "equity-at-end",
    "equity-enough",
    "equity-no-tricks",
    "equity-owed",
    "equity-unknown",
    "equity-unseen",
    "established",
    "exchange-late",
    "exchange-unseen",
    "excuse-led",
    "first-counts",
    "forbidden-bid",
    "game-over",
    "game-over-rules",
    "give-back",
    "give-up",
    "guide-by-log",
    "guide-no-act",
    "guide-no-record",
    "guide-nothing-there",
    "guide-too-late",
    "hand-finished",
    "hand-running",
    "hands-unknown",
    "hands-unknown-cards",
    "hands-unknown-exchange",
    "hiding-stays",
    "higher-symbol",
    "highest-follower",
    "highest-of-all",
    "highest-trump",
    "in-time",
    "in-time-partners",
    "joint-revoke",
    "joint-revoke-nowhere",
    "joint-revoke-one-nowhere",
    "joint-revoke-one-room",
    "joint-revoke-room",
    "king-elsewhere",
    "king-in-cabinet",
    "king-not-held",
    "king-not-named",
    "known-first-card-no",
    "known-first-card-yes",
    "known-first-trick-over-no",
    "known-first-trick-over-yes",
    "known-hand-over-no",
    "known-hand-over-yes",
    "known-last-trick-no",
    "known-last-trick-yes",
    "known-next-bid-no",
    "known-next-bid-yes",
    "known-next-dealt-no",
    "known-next-dealt-yes",
    "known-next-led-no",
    "known-next-led-yes",
    "known-next-played-no",
    "known-next-played-yes",
    "known-next-scored-no",
    "known-next-scored-yes",
    "known-partners-no",
    "known-partners-yes",
    "known-played-on-no",
    "known-played-on-yes",
    "last-card",
    "last-of-turned-suit",
    "later-of-equals",
    "lay-ransom",
    "lay-ruling-card",
    "leads",
    "leads-riot",
    "logged",
    "look-it-up",
    "may-ask",
    "may-drop-deuce",
    "may-not-excuse-led",
    "may-not-revoke",
    "may-not-trump-led",
    "must-follow",
    "must-follow-or-excuse",
    "name-highest-suit",
    "name-second-suit",
    "name-suit",
    "name-third-suit",
    "name-trump-first",
    "no",
    "no-answer-in-hand",
    "no-better-answer",
    "no-better-in-hand",
    "no-card-left",
    "no-claims",
    "no-combination",
    "no-combination-asked",
    "no-combination-beats",
    "no-counting",
    "no-exchange",
    "no-ransom",
    "no-ruling-card",
    "no-set",
    "no-set-free",
    "no-set-pair",
    "no-set-without-points",
    "no-such-seat",
    "no-suit-called",
    "no-suit-called-after-excuse",
    "no-trump",
    "nobody-bids",
    "nobody-dropped",
    "none-excuse-led",
    "none-trump-led",
    "not-dealt",
    "not-in-deck",
    "not-in-hand",
    "not-lowest",
    "not-of-this-game",
    "not-offered",
    "not-passed",
    "nothing-to-claim",
    "nothing-to-follow",
    "other-kind",
    "other-number",
    "other-number-led",
    "other-number-led-riot",
    "other-number-riot",
    "other-pack",
    "other-points",
    "other-winner",
    "other-winner-named",
    "out-of-turn",
    "partners-stay",
    "pass-last",
    "pass-leader",
    "passed",
    "pay",
    "penalty",
    "penalty-card",
    "pick-up",
    "proved-denied-deuce",
    "proved-king-cabinet",
    "proved-king-elsewhere",
    "proved-not-lowest",
    "proved-revoke",
    "proved-riot-led",
    "proved-trump-led",
    "put-right",
    "ransom-won",
    "read",
    "read-bottom",
    "read-top",
    "recorded-winner",
    "recorded-winner-half",
    "redo",
    "remedy-agree",
    "remedy-at-end",
    "remedy-late-exchange",
    "remedy-next-trick",
    "remedy-next-trick-side",
    "remedy-nobody",
    "remedy-points-hidden",
    "remedy-redo-exchange",
    "remedy-take-back",
    "remedy-unseen",
    "remedy-which-trick",
    "response-first",
    "rest-of-hand",
    "result-only",
    "result-only-points",
    "result-only-round",
    "revoke",
    "riot-beats",
    "riot-beats-five",
    "riot-led",
    "riot-led-never",
    "riot-lies",
    "riot-of-equal-rank",
    "riot-too-weak",
    "round-won",
    "rules-mid-hand",
    "seated-otherwise",
    "set",
    "set-without-points",
    "show-again",
    "since-denied-deuce",
    "since-denied-deuce-held",
    "since-king-elsewhere",
    "since-king-in-cabinet",
    "since-king-not-held",
    "since-king-not-named",
    "since-not-lowest",
    "size-unknown",
    "stands",
    "step-fours-left",
    "step-gave",
    "step-gave-back",
    "step-king-drops",
    "step-king-said",
    "step-led",
    "step-lowest",
    "step-no-deuce",
    "step-nobody-said",
    "step-owed",
    "step-showed",
    "step-since",
    "swap",
    "throw-away",
    "throw-away-without-points",
    "tide-unknown",
    "too-late",
    "too-many-cards",
    "too-many-high",
    "too-many-numbers",
    "too-many-to-a-trick",
    "trick-without-trump",
    "tricks",
    "tricks-without-cards",
    "tricks-without-cards-points",
    "trump-by-ransom",
    "trump-carried",
    "trump-first",
    "trump-in-order",
    "trump-known",
    "trump-led",
    "trump-made",
    "trump-not-recorded",
    "trump-unknown",
    "trump-unknown-carried",
    "trump-unknown-play",
    "trump-unknown-turned",
    "turn-card-up",
    "turn-up-late",
    "turn-up-no-suit",
    "turn-up-other-suit",
    "turn-up-suit-entered",
    "turned-card-entered",
    "turned-card-played",
    "turned-up",
    "turned-up-suit",
    "void",
    "waits",
    "warning",
    "went-out",
    "who-names-trump",
    "winner-first",
    "wins-anyway",
    "wrong-count",
    "wrong-count-exchange",
    "wrong-count-lead",
    "wrong-count-none",
    "wrong-count-one",
    "wrong-count-response",
    "wrong-phase",
    "yes",
    "zero-bid",
    "zero-brings-nothing",
]


PlainValue: TypeAlias = bool | int | str | None


Fact: TypeAlias = PlainValue | list[Any]


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


class Combination(TypedDict):
    kind: Literal[
        "single", "pair", "triple", "straight", "flush", "full-house", "straight-flush", "riot", "five-of-a-kind"
    ]
    name: str


class Line(TypedDict):
    item: str
    points: int


class Index(TypedDict):
    """
    The addresses by name.
    """

    version: Literal["1"]
    links: dict[str, str]
    questions: dict[str, str]


class GameSummary(TypedDict):
    id: str
    name: str
    tagline: str
    rules_version: int
    source: str
    players: list[int]
    deck: str


class End1(TypedDict):
    """
    When it usually ends.
    """

    kind: str
    value: int | None


class OneOfItem(TypedDict):
    const: PlainValue
    title: str


class XByPlayers(TypedDict):
    default: int
    maximum: int


OptionSchema = TypedDict(
    "OptionSchema",
    {
        "title": str,
        "description": str,
        "type": str | list[str],
        "default": NotRequired[PlainValue],
        "minimum": NotRequired[int],
        "maximum": NotRequired[int],
        "oneOf": NotRequired[list[OneOfItem]],
        "x-clauses": list[str],
        "x-by-players": NotRequired[dict[str, XByPlayers]],
    },
)


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
    now: PlainValue
    clauses: list[str]


class Scores(TypedDict):
    now: list[int | None]


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


class RuledBy(TypedDict):
    kind: NotRequired[str]


class WrittenCells(TypedDict):
    csv: str


class WrittenText(TypedDict):
    text: str


class SeasonProgress(TypedDict):
    done: int
    of: int


class NumberThenNow(TypedDict):
    now: int


DisputeState: TypeAlias = Literal["open", "upheld", "overruled", "agreed", "withdrawn"]


class AskCount(TypedDict):
    least: int
    most: int


class DisputeAtTable(TypedDict):
    table: str
    number: int | None


class SeatAgreed(TypedDict):
    seat: int
    at: str


class PersonNamed(TypedDict):
    person: int
    name: str


class ImportProgress(TypedDict):
    done: int
    tables: int


class HandsByScore(TypedDict):
    points: int
    hands: int


class Rating(TypedDict):
    mu: float
    sigma: float
    ordinal: float


class Streak(TypedDict):
    person: int
    now: int
    best: int


class BidStatistics(TypedDict):
    made: int
    over: int
    under: int


class NewRecoveryCode(TypedDict):
    recovery_code: str
    created: str


class RecoverySince(TypedDict):
    created: str
    used: str | None


class ClosestGame(TypedDict):
    table: str
    game: GameId
    margin: int


class TrickResult(TypedDict):
    winner: int | None
    points: dict[str, int]


class WinnersChange(TypedDict):
    before: list[int]
    after: list[int]


class TotalChange(TypedDict):
    seat: int
    before: int | None
    after: int | None


class SeatsThenNow(TypedDict):
    now: list[int] | None


class PersonAtGame(TypedDict):
    game: GameId
    points: int
    tables: int


class HandsByBid(TypedDict):
    bid: int
    won: int
    hands: int


class Reading(TypedDict):
    id: int
    hand: int | None
    created: str


class DisputesOpen(TypedDict):
    open: list[int]
    paused: list[int]


class BestHand(TypedDict):
    person: int | None
    table: str
    hand: int
    points: int


class ScoreChange(TypedDict):
    hand: int
    seat: int
    before: int | None
    after: int | None


class HandAgreed(TypedDict):
    scores: list[int]
    seats: dict[str, int]


class LogWriter(TypedDict):
    role: str
    seat: int | None
    name: str


class DisputeAbout(TypedDict):
    hand: int
    event: NotRequired[int | None]
    trick: NotRequired[int | None]
    score_line: NotRequired[int | None]
    seq: NotRequired[int | None]


class BgStatsGame(TypedDict):
    name: str
    sourceGameId: GameId
    highestWins: bool
    noPoints: bool


class DisputeWords(TypedDict):
    text: str
    by: str
    seat: int | None
    at: str
    seq: int


class NewReading(TypedDict):
    id: int
    hand: int | None
    created: str
    token: str
    url: str


class Confirmation(TypedDict):
    hand: int
    confirmed: list[SeatAgreed]


class GroupRecovery(TypedDict):
    recovery: RecoverySince | None


class Person(TypedDict):
    id: int
    name: str
    aliases: list[str]
    colour: str | None
    merged_into: int | None


class PairStatistics(TypedDict):
    people: list[int]
    tables: int
    ahead: list[int]
    together: int
    wins: int


class BgStatsPlayer(TypedDict):
    name: str
    sourcePlayerId: str
    score: str
    rank: int
    winner: bool
    startPlayer: bool


class TwoPeopleAtGame(TypedDict):
    game: str | None
    tables: int
    ahead: list[int]
    together: int
    wins: int


class SecretChoices(TypedDict):
    seat: NotRequired[int | None]
    chosen: NotRequired[list[int]]
    again: NotRequired[list[int]]
    confirmed: NotRequired[int]


class Feat(TypedDict):
    person: int | None
    table: str
    hand: int
    points: int
    game: GameId
    cards: list[str]


class Readings(TypedDict):
    readings: list[Reading]
    next: str | None


MovedEntry = TypedDict(
    "MovedEntry",
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


class AskHand(TypedDict):
    number: int
    dealer: int
    phase: Phase
    to_act: list[int]
    begins: bool


class GroupLink(TypedDict):
    id: int
    role: GroupRole
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


class HandAsDealt(TypedDict):
    number: int
    known: dict[str, list[str]]
    extra: dict[str, Any]
    retired: int | None


class RatingMoment(TypedDict):
    tables: int
    evening: str
    ratings: list[Rating]


class DisputeVote(TypedDict):
    text: str
    by: str
    seat: int | None
    at: str
    seq: int
    vote: DisputeState


class PersonPresent(TypedDict):
    person: int | None
    name: str
    rank: int
    points: int
    tables: int
    came: str
    left: str | None
    plays: bool


class NewGroupLink(TypedDict):
    id: int
    role: GroupRole
    name: str
    created: str
    own: bool
    token: str
    url: str


class Link(TypedDict):
    id: int
    role: LinkRole
    seat: int | None
    name: str
    created: str
    own: bool


class People(TypedDict):
    people: list[Person]
    next: str | None


class PersonThenNow(TypedDict):
    person: int
    name: str
    tables: int
    points: NumberThenNow
    wins: NumberThenNow


class PersonInSeason(TypedDict):
    person: int
    name: str
    rank: int
    points: int
    tables: int
    games: list[PersonAtGame]


class LinksToGroup(TypedDict):
    links: list[GroupLink]
    next: str | None


class NewLink(TypedDict):
    id: int
    role: LinkRole
    seat: int | None
    name: str
    created: str
    own: bool
    token: str
    url: str


class HandStatistics(TypedDict):
    scores: list[HandsByScore]
    bids: list[HandsByBid]
    untold: int


class Season(TypedDict):
    people: list[PersonInSeason]


class TwoPeople(TypedDict):
    people: list[int]
    names: list[str]
    games: list[TwoPeopleAtGame]


class Links(TypedDict):
    links: list[Link]
    next: str | None


class TrickChange(TypedDict):
    hand: int
    trick: int
    before: TrickResult | None
    after: TrickResult | None


class DisputeRuling(TypedDict):
    text: str
    by: str
    seat: int | None
    at: str
    seq: int
    clauses: list[str]
    remedy: list[Event]
    carried_out: bool
    tree: str | None
    answers: list[Any]


class EventsToRecord(TypedDict):
    """
    Events, all of which are recorded or none; or one event by itself, with or without `sealed`.
    """

    events: NotRequired[list[Event]]
    sealed: NotRequired[bool]


class Ratings(TypedDict):
    people: list[PersonNamed]
    tables: int
    moments: list[RatingMoment]


class Precedent(TypedDict):
    id: int
    game: str | None
    code: str | None
    clause: str | None
    facts: dict[str, PlainValue]
    question: str
    decision: str
    option: str | None
    value: PlainValue
    dispute: DisputeAtTable | None
    since: str


class Links1(TypedDict):
    dispute: str
    page: str


class RulingOfGroup(TypedDict):
    game: GameId
    table: str
    dispute: int
    situation: str
    claim: str
    state: DisputeState
    ruling: str
    clauses: list[str]
    decided: str
    links: Links1


class TableThenNow(TypedDict):
    code: str
    evening: str
    seats: list[str]
    people: list[int | None]
    totals: SeatsThenNow
    winners: SeatsThenNow
    tricks: int
    why: str | None
    link: str


TableAddresses = TypedDict(
    "TableAddresses",
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


class BgStatsPlay(TypedDict):
    sourceName: str
    sourcePlayId: str
    playDate: str
    durationMin: int
    game: BgStatsGame
    players: list[BgStatsPlayer]


class RulingsOfGroup(TypedDict):
    rulings: list[RulingOfGroup]
    next: str | None


class Precedents(TypedDict):
    precedents: list[Precedent]
    next: str | None


class LoggedRow(TypedDict):
    seq: int
    hand: int
    place: int
    event: Event | None
    amends: int | None
    amended_by: int | None
    reason: str
    by: str
    at: str
    batch: int
    choosing: SecretChoices | None


class PersonStatistics(TypedDict):
    person: int
    name: str
    game: GameId | None
    tables: int
    wins: float
    hands: int
    points: int
    best_hand: int | None
    tricks: int
    untold: int
    bids: BidStatistics | None
    revokes: int | None
    rating: Rating


class GroupRecords(TypedDict):
    best_hand: BestHand | None
    closest_game: ClosestGame | None
    feats: list[Feat]


class BgStats(TypedDict):
    url: str
    play: BgStatsPlay


GroupAddresses = TypedDict(
    "GroupAddresses",
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


class Links2(TypedDict):
    self: str
    record: str
    page: str


class GroupTable(TypedDict):
    code: str
    game: GameId
    evening: str
    created: str
    finished_at: str | None
    finished: bool
    version: int
    seats: list[str]
    people: list[int | None]
    points: list[int] | None
    totals: list[int] | None
    winners: list[int]
    points_hidden: bool
    private: bool
    previous: str | None
    next: str | None
    links: Links2


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
    hidden: NotRequired[SecretChoices | None]


class GroupTables(TypedDict):
    tables: list[GroupTable]
    next: str | None


class Log(TypedDict):
    version: int
    events: list[LogEntry]
    next: str | None


class SeasonWhatIf(TypedDict):
    tables: list[TableThenNow]
    people: list[PersonThenNow]
    progress: SeasonProgress
    next: str | None


class Group(TypedDict):
    code: str
    name: str
    version: int
    created: str
    counts_revokes: bool
    shares_rulings: bool
    people: list[Person]
    role: GroupRole
    links: GroupAddresses


class NewGroup(TypedDict):
    code: str
    name: str
    version: int
    created: str
    counts_revokes: bool
    shares_rulings: bool
    people: list[Person]
    role: GroupRole
    links: GroupAddresses
    token: str


class RecoveredGroup(TypedDict):
    code: str
    name: str
    version: int
    created: str
    counts_revokes: bool
    shares_rulings: bool
    people: list[Person]
    role: GroupRole
    links: GroupAddresses
    token: str
    url: str


class Evening(TypedDict):
    date: str
    running: bool
    points_hidden: bool
    tables: list[GroupTable]
    people: list[PersonPresent]
    out: list[int]


class Evenings(TypedDict):
    evenings: list[Evening]
    next: str | None


class Dispute(TypedDict):
    id: int
    state: DisputeState
    about: DisputeAbout
    situation: str
    paused: bool
    claim: str
    seat: int | None
    by: str
    at: str
    seq: int
    votes: list[DisputeVote]
    proposal: DisputeWords | None
    ruling: DisputeRuling | None


class DisputeDone(TypedDict):
    version: int
    dispute: Dispute


class Disputes(TypedDict):
    rules_by: WhoRules
    disputes: list[Dispute]
    next: str | None


class Statistics(TypedDict):
    people: list[PersonStatistics]
    pairs: list[PairStatistics]
    streaks: list[Streak]
    records: GroupRecords
    untold: int


class EntryChange(TypedDict):
    """
    A row of the log, and what happened instead; null: nothing did.
    """

    seq: int
    event: Event | None


class GroupLinkToMake(TypedDict):
    """
    What a link to a group allows, and what people call it.
    """

    role: GroupRole
    name: NotRequired[str]


class PersonChanges(TypedDict):
    """
    What changes of somebody; what is missing stays.
    """

    name: NotRequired[str | None]
    aliases: NotRequired[list[str] | None]
    colour: NotRequired[PersonColour]


class PrecedentToMake(TypedDict):
    """
    What a group decides.
    """

    question: NotRequired[str]
    decision: NotRequired[str]
    game: NotRequired[str]
    code: NotRequired[str]
    clause: NotRequired[str]
    facts: NotRequired[dict[str, PlainValue]]
    option: NotRequired[str]
    value: NotRequired[bool | int | str | None]
    dispute: NotRequired[FromDispute | None]


class RulingToMake(TypedDict):
    """
    What is decided.
    """

    state: RulingState
    text: str
    clauses: NotRequired[list[str]]
    remedy: NotRequired[list[Event]]
    tree: NotRequired[str | None]
    answers: NotRequired[list[Any]]


class TableChanges(TypedDict):
    """
    What changes of a table; what is missing stays.
    """

    private: NotRequired[bool]
    seats: NotRequired[list[str]]
    rules_by: NotRequired[WhoRules]
    referee: NotRequired[int]
    shares_rulings: NotRequired[bool]


Options: TypeAlias = dict[str, PlainValue]
"""
House rules by their key; what is left out has its default. Each game lists its own at `games/{game}/`.
"""


class Reason(TypedDict):
    """
    Why the referee decided so.
    """

    code: ReasonCode
    text: str
    clauses: list[str]
    lines: NotRequired[list[Item]]
    facts: dict[str, Fact]


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


class TrickQuestion(TypedDict):
    game: GameId
    options: NotRequired[Options]
    players: NotRequired[int | None]
    trump: NotRequired[str | None]
    plays: list[Play]


class TrickAnswer(TypedDict):
    winner: int | None
    trump: str | None
    reason: Reason


class LegalQuestion(TypedDict):
    game: GameId
    options: NotRequired[Options]
    hand: list[Card]
    led_card: NotRequired[str | None]
    led_suit: NotRequired[str | None]
    ruling_card: NotRequired[str | None]


class IllegalItem(TypedDict):
    card: str
    reason: Reason


class LegalAnswer(TypedDict):
    legal: list[str]
    illegal: list[IllegalItem]
    reason: Reason


class ScoreQuestion(TypedDict):
    game: GameId
    options: NotRequired[Options]
    bid: NotRequired[int | None]
    tricks: NotRequired[int]
    players: NotRequired[int | None]
    cards_left: NotRequired[list[int]]
    dealt: NotRequired[list[int]]


class ScoreAnswer(TypedDict):
    points: int | list[int]
    lines: list[ScoreLine]
    reason: Reason


class DealQuestion(TypedDict):
    game: GameId
    options: NotRequired[Options]
    players: int
    last_trick: NotRequired[list[Card] | None]
    trump: NotRequired[str | None]
    hand_size: NotRequired[int | None]
    hand: NotRequired[int | None]


class DealAnswer(TypedDict):
    cards_each: list[int]
    aside: int
    tricks: int | None
    reason: Reason


class RansomQuestion(TypedDict):
    game: NotRequired[GameId]
    options: NotRequired[Options]
    cards: list[Card]


class RansomAnswer(TypedDict):
    winner: int | None
    suits: list[str]
    reason: Reason


class SuitQuestion(TypedDict):
    game: NotRequired[GameId]
    options: NotRequired[Options]
    card: Card
    ruling_card: Card


class SuitAnswer(TypedDict):
    suit: str
    reason: Reason


class BeatsQuestion(TypedDict):
    game: NotRequired[GameId]
    options: NotRequired[Options]
    decks: int
    suit_order: list[Suit]
    on: list[Card] | None
    play: list[Card]
    under_five_of_a_kind: NotRequired[bool]


class BeatsAnswer(TypedDict):
    beats: bool
    combination: Combination | None
    reason: Reason


class ResponseQuestion(TypedDict):
    game: NotRequired[GameId]
    options: NotRequired[Options]
    laid: Card
    response: list[Card]


class ResponseAnswer(TypedDict):
    winner: Literal["leader", "responder"] | None
    points: int
    lines: list[Line]
    reason: Reason


OptionsSchema = TypedDict(
    "OptionsSchema",
    {
        "$schema": str,
        "title": str,
        "type": str,
        "properties": dict[str, OptionSchema],
    },
)


class WhatIfQuestion(TypedDict):
    """
    A record, and the options that are to be others.
    """

    record: Record
    options: NotRequired[Options]


class Options1(TypedDict):
    now: Options


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

    code: RemedyCode
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
    count: NotRequired[AskCount]
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


class TableWithLog(TypedDict):
    format: Literal["table-log/1"]
    id: str
    rules_version: int
    game: GameId
    options: Options
    end: End
    seats: list[Seat1]
    first_dealer: Seat
    carried: list[int]
    extra: dict[str, Any]
    private: bool
    created: str
    updated: str
    evening: str
    finished_at: str | None
    agreed: dict[str, HandAgreed]
    log: list[LoggedRow]
    dealt: list[HandAsDealt]
    ruled_by: NotRequired[RuledBy]
    shares_rulings: NotRequired[bool]


RecordToBring: TypeAlias = Record | TableWithLog | WrittenText | WrittenCells


class Ask(TypedDict):
    event: str
    label: str
    says: str
    seats: list[int]
    players: list[int]
    secret: bool
    yours: bool
    fields: list[AskField]
    fixed: dict[str, str]
    events: list[Event]
    complete: bool
    forced: Event | None
    preview: bool
    named: CardsNamed | None


class Asks(TypedDict):
    version: int
    finished: bool
    hand: AskHand | None
    why_not: Reason | None
    sealed: list[int]
    choose_again: list[int]
    asks: list[Ask]
    beside: list[Ask]


class Amendment(TypedDict):
    """
    Which row of the log is amended, what happened instead, and what is amended together with it.
    """

    seq: int
    event: Event | None
    also: NotRequired[list[EntryChange]]
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


class Game(TypedDict):
    id: str
    name: str
    tagline: str
    rules_version: int
    source: str
    players: list[int]
    deck: str
    decks: dict[str, str]
    options: OptionsSchema
    end: End1
    questions: list[str]


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


GuideQuestion: TypeAlias = GuideOfGame | GuideOfRecord


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

    code: RemedyCode
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


class FindingChange(TypedDict):
    hand: int
    before: Irregularity | None
    after: Irregularity | None


class Ruling(TypedDict):
    verdict: Verdict
    reason: Reason | None
    irregularities: list[Irregularity]


class DisputeEvidence(TypedDict):
    event: Event | None
    trick: Trick | None
    score_line: ScoreLine | None
    findings: list[Irregularity]
    unchecked: list[Reason]
    held: bool


class Changes(TypedDict):
    tricks: list[TrickChange]
    scores: list[ScoreChange]
    totals: list[TotalChange]
    irregularities: list[FindingChange]
    winners: WinnersChange | None


class DisputeInFull(TypedDict):
    id: int
    state: DisputeState
    about: DisputeAbout
    situation: str
    paused: bool
    claim: str
    seat: int | None
    by: str
    at: str
    seq: int
    votes: list[DisputeVote]
    proposal: DisputeWords | None
    ruling: DisputeRuling | None
    record: DisputeEvidence


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
    rules_version: int
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


class Amended(TypedDict):
    version: int
    changes: Changes
    moved: list[MovedEntry]
    ruling: Ruling | None
    state: NotRequired[ChangedState]
    dry_run: NotRequired[bool]
    later: NotRequired[LaterEvent | None]


class Adjudication(TypedDict):
    """
    The record as the referee sees it; `options` with all defaults filled in, as the table began. `options_now` are those of the hand in play, or of the next one, where the table has changed them since.
    """

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


class Table(TypedDict):
    code: str
    version: int
    seats: list[str]
    first_dealer: int
    carried: list[int | None]
    created: str
    updated: str
    private: bool
    rules_by: WhoRules
    referee: int | None
    shares_rulings: bool
    disputes: DisputesOpen
    group: str | None
    people: list[int | None]
    previous: str | None
    next: str | None
    sealed: list[int]
    choose_again: list[int]
    links: TableAddresses
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
    rules_by: WhoRules
    referee: int | None
    shares_rulings: bool
    disputes: DisputesOpen
    group: str | None
    people: list[int | None]
    previous: str | None
    next: str | None
    sealed: list[int]
    choose_again: list[int]
    links: TableAddresses
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
    ruling: NotRequired[Ruling]
    position: NotRequired[int]
    hand: NotRequired[int]
    event: NotRequired[int]
    later: NotRequired[LaterEvent | None]
    changes: NotRequired[Changes]
    seq: NotRequired[int]
    amended_by: NotRequired[int]
    state: NotRequired[Adjudication]
