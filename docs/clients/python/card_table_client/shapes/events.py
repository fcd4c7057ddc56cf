"""What a table records; made of the API’s schema by `make clients`."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from card_table_client.shapes.codes import Card, Seat, Suit


class PlayEvent(TypedDict):
    """A seat plays cards."""

    type: Literal["play"]
    seat: Seat
    cards: list[Card]
    suit: NotRequired[Suit | None]
    accepted: NotRequired[bool | None]


class BidEvent(TypedDict):
    """A seat bids a number of tricks."""

    type: Literal["bid"]
    seat: Seat
    tricks: int
    accepted: NotRequired[bool | None]


class PassEvent(TypedDict):
    """A seat passes."""

    type: Literal["pass"]
    seat: Seat
    accepted: NotRequired[bool | None]


class TrickEvent(TypedDict):
    """A trick recorded without its cards."""

    type: Literal["trick"]
    winner: Seat
    trump: NotRequired[str | None]
    last: NotRequired[Card | None]
    points: NotRequired[dict[str, Any] | None]
    accepted: NotRequired[bool | None]


class ResultEvent(TypedDict):
    """The rest of the hand recorded by its result."""

    type: Literal["result"]
    tricks: NotRequired[list[int] | None]
    cards_left: NotRequired[list[int] | None]
    points: NotRequired[list[int] | None]
    last: NotRequired[Card | None]
    accepted: NotRequired[bool | None]


class NoteEvent(TypedDict):
    """A remark without effect."""

    type: Literal["note"]
    text: str
    seat: NotRequired[Seat | None]
    accepted: NotRequired[bool | None]


class PenaltyEvent(TypedDict):
    """The table changes a score."""

    type: Literal["penalty"]
    seat: Seat
    points: int
    reason: NotRequired[str | None]
    accepted: NotRequired[bool | None]


class TransferEvent(TypedDict):
    """The table moves tricks from one seat to another."""

    type: Literal["transfer"]
    from_seat: Seat
    to_seat: Seat
    tricks: int
    reason: NotRequired[str | None]
    accepted: NotRequired[bool | None]


class RedealEvent(TypedDict):
    """The hand is void; the same dealer deals again."""

    type: Literal["redeal"]
    reason: NotRequired[str | None]
    accepted: NotRequired[bool | None]


class EndEvent(TypedDict):
    """The players agree to end here."""

    type: Literal["end"]
    reason: NotRequired[str | None]
    accepted: NotRequired[bool | None]


class RulesEvent(TypedDict):
    """The table changes house rules between two hands; they hold from the next hand on."""

    type: Literal["rules"]
    options: dict[str, bool | int | str | None]
    accepted: NotRequired[bool | None]


class HoldFindingsEvent(TypedDict):
    """What is proved is told only when its hand is over, from now on."""

    type: Literal["hold-findings"]
    reason: NotRequired[str | None]
    accepted: NotRequired[bool | None]


class TellFindingsEvent(TypedDict):
    """What is proved is told at once, from now on."""

    type: Literal["tell-findings"]
    reason: NotRequired[str | None]
    accepted: NotRequired[bool | None]


class TrumpEvent(TypedDict):
    """The winner of the ransom names trump; in Ace Trump the table, without a seat, before each deal."""

    type: Literal["trump"]
    suit: Suit
    seat: NotRequired[Seat | None]
    accepted: NotRequired[bool | None]


class RansomEvent(TypedDict):
    """A seat’s ransom card."""

    type: Literal["ransom"]
    seat: Seat
    cards: list[Card]
    accepted: NotRequired[bool | None]


class RulingCardEvent(TypedDict):
    """A seat’s ruling card."""

    type: Literal["ruling-card"]
    seat: Seat
    cards: list[Card]
    accepted: NotRequired[bool | None]


class SuitEvent(TypedDict):
    """A seat names the next highest suit."""

    type: Literal["suit"]
    seat: Seat
    suit: Suit
    accepted: NotRequired[bool | None]


class DropDeuceEvent(TypedDict):
    """The President-Elect asked for a deuce."""

    type: Literal["drop-deuce"]
    king: Seat | None
    constipated: NotRequired[bool | None]
    given: NotRequired[str | None]
    returned: NotRequired[str | None]
    accepted: NotRequired[bool | None]


class PutRightEvent(TypedDict):
    """A wrong exchange was put right after the first trick: a card for the President-Elect, one for the King."""

    type: Literal["put-right"]
    given: str | None
    returned: str | None
    accepted: NotRequired[bool | None]


class SeatingEvent(TypedDict):
    """After a round: how the players sit in the next one, where the score would seat them otherwise."""

    type: Literal["seating"]
    places: list[int]
    accepted: NotRequired[bool | None]


class TurnUpEvent(TypedDict):
    """The card turned up for trump."""

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
    | PutRightEvent
    | SeatingEvent
    | TurnUpEvent
)
