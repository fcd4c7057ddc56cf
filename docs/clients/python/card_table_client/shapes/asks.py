"""What may be recorded next; made of the API’s schema by `make clients`."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from card_table_client.shapes.codes import Phase
from card_table_client.shapes.events import Event
from card_table_client.shapes.rulings import Reason


class AskCount(TypedDict):
    least: int
    most: int


class AskHand(TypedDict):
    number: int
    dealer: int
    phase: Phase
    to_act: list[int]
    begins: bool


class CardsNamed(TypedDict):
    fits: bool | None
    reasons: list[Reason]


class AskChoices(TypedDict):
    choices: list[int | str]
    reason: Reason


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
