"""API descriptions of what may be recorded next, with the fields of each event."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypedDict, cast

from referee.api.problems import caller_language, describe_for_caller
from referee.engine.event_kinds import EventKind
from referee.engine.events import Field, Preview
from referee.engine.game import event_kinds
from referee.engine.hand import Hand
from referee.engine.offers import Offer
from referee.engine.records import load_event
from referee.engine.rulings import Reason, Refusal
from referee.engine.shapes import Named, one_of
from referee.engine.sheet import DescribedReason, EventData, Plain
from referee.engine.table import hand_for
from scoring.models import Link
from scoring.tables.reads.access import hand_offers, table_offers
from scoring.tables.reads.state import Standing


class SecretChoosing(TypedDict):
    """Seats that have made a sealed choice, and seats that must choose again."""

    sealed: list[int]
    choose_again: list[int]


class CardsNamed(TypedDict):
    """The name of a combination of cards, and whether it may be played now."""

    fits: bool | None
    reasons: list[DescribedReason]


Seen = Annotated[CardsNamed | None, "The name of the combination in `cards`, and whether it could be played now."]
Choice = Annotated[int | str, "A card or suit by its code, a seat or a number."]


class AskChoices(TypedDict):
    """Values of a field to which the same reason applies."""

    choices: Sequence[Choice]
    reason: DescribedReason


class AskCount(TypedDict):
    """How many cards one event may have."""

    least: int
    most: int


class AskBounds(TypedDict, total=False):
    """The limits of a field’s value; absent where there are none."""

    least: int
    most: int
    count: Annotated[AskCount, "How many cards one event may have."]
    total: Annotated[int | None, "The sum of all seats’ numbers."]
    rest: Annotated[int | None, "A number that exactly one seat has."]
    step: Annotated[int, "The increment between numbers."]
    least_each: Annotated[list[int], "The minimum for each seat; empty: `least` for all."]
    most_each: Annotated[list[int], "The maximum for each seat; empty: `most` for all."]
    sides: Annotated[list[list[int]], "Partners; one of them may have the whole number, the others 0."]
    taken: Annotated[list[str], "Cards that were choices until a player took them."]
    after: Annotated[str, "The field that this one depends on."]
    none: Annotated[str, "What leaving the field out means."]
    order: Annotated[list[str], "All cards as the game ranks them."]
    usual: Annotated[int, "The usual number of cards in a play now."]
    warnings: list[DescribedReason]


FIELD_TYPES = (
    "cards", "card", "suit", "seat", "number", "numbers", "points", "flag", "text", "choice", "reason", "options",
)  # fmt: skip


class AskField(AskBounds):
    """A field of an event that may be recorded."""

    name: Annotated[str, "The key in the event."]
    type: Annotated[str, Named("AskFieldType", one_of(FIELD_TYPES, "The type of the field’s value."))]
    label: str
    required: bool
    choices: Annotated[list[Choice], "The possible values; empty if any value may be sent."]
    forbidden: Annotated[list[AskChoices], "Values that a rule forbids now; they need `accepted`."]
    claims: Annotated[list[AskChoices], "Cards whose play claims that the hand holds none of certain others."]


class DescribedAsk(TypedDict):
    """An event that may be recorded now."""

    event: Annotated[str, "The type of the event."]
    label: str
    says: Annotated[str, "What the event means, for developers."]
    seats: Annotated[list[int], "The seats that may act; empty: an act of the whole table."]
    players: Annotated[list[int], "Seats whose own link may record it; a scorekeeper’s always may."]
    secret: Annotated[bool, "Everyone chooses before seeing what others chose: send it with `sealed`."]
    yours: Annotated[bool, "Whether the caller’s token may record it."]
    fields: list[AskField]
    fixed: Annotated[dict[str, Plain], "Fields with only one possible value."]
    events: Annotated[list[EventData], "Complete events, ready to send."]
    complete: Annotated[bool, "Whether `events` lists every possible event, apart from free text."]
    forced: Annotated[EventData | None, "The only possible event."]
    preview: Annotated[bool, "Whether combinations of cards have names: send `cards` to get them."]
    named: Seen


class AskHand(TypedDict):
    """The current hand."""

    number: int
    dealer: int
    phase: Annotated[str, Named("Phase")]
    to_act: list[int]
    begins: Annotated[bool, "Whether the next event begins this hand."]


class DescribedAsks(SecretChoosing):
    """The events that may be recorded now."""

    version: int
    finished: bool
    hand: AskHand | None
    why_not: DescribedReason | None
    asks: list[DescribedAsk]
    beside: list[DescribedAsk]


NUMBERED = ("seat", "points")  # field types whose choices are numbers


def describe_asks(at: Standing, link: Link | None, held: Sequence[str] = ()) -> DescribedAsks:
    dealt, names = hand_for(at.state), at.names
    hand = None if isinstance(dealt, Refusal) else dealt.hand
    asks = [
        describe_offer(offer, names, link, players, None if hand is None else named(hand, offer, held))
        for offer, players in hand_offers(at, held=held)
    ]
    return {
        "version": at.row.version,
        "finished": at.state.finished(),
        "hand": None if hand is None else {
            "number": hand.setup.index + 1, "begins": dealt is not at.state, "dealer": hand.setup.dealer,
            "phase": str(hand.phase), "to_act": list(hand.to_act()),
        },
        "why_not": describe_for_caller(dealt.reason, names) if isinstance(dealt, Refusal) else None,
        **describe_choosing(at.row.choosing),
        "asks": asks,
        "beside": [describe_offer(offer, names, link) for offer in table_offers(at)],
    }  # fmt: skip


def named(hand: Hand, offer: Offer, held: Sequence[str]) -> Preview | None:
    if not (held and offer.ask.preview and offer.ask.seats):
        return None
    return hand.preview(load_event({"type": offer.ask.event, "seat": offer.ask.seats[0], "cards": list(held)}))


def describe_offer(
    offer: Offer, names: Sequence[str], link: Link | None, players: Sequence[int] = (), seen: Preview | None = None
) -> DescribedAsk:
    ask, kind, translate = offer.ask, event_kinds()[offer.ask.event], caller_language().translate
    yours = link is not None and (link.keeps or (link.records and link.plays in players))
    fields = [describe_field(each, kind, names, offer if place == 0 else None) for place, each in enumerate(ask.fields)]
    return {
        "event": ask.event, "label": translate(ask.label), "says": translate(kind.says),
        "seats": list(ask.seats), "players": list(players), "secret": ask.secret, "yours": yours,
        "fields": fields, "fixed": dict(ask.fixed),
        "events": list(offer.events), "complete": offer.complete, "forced": offer.forced(),
        "preview": ask.preview, "named": describe_preview(seen, list(names)),
    }  # fmt: skip


def describe_field(field: Field, kind: EventKind, names: Sequence[str], offer: Offer | None) -> AskField:
    declared = kind.field(field.name)
    numbers = field.kind in NUMBERED
    choices: list[int | str] = [int(each) if numbers else each for each in field.choices]
    if offer is not None and offer.values is not None and field.kind != "numbers" and field.count == (1, 1):
        choices = [value for value in offer.values if isinstance(value, int | str)]
    barred = () if offer is None else offer.barred
    return {
        "name": field.name,
        "type": field.kind if declared is None else declared.type.name,
        "label": caller_language().translate(field.label),
        "required": not field.optional,
        "choices": choices,
        "forbidden": [
            {"choices": cast(list[Choice], list(each.values)), "reason": describe_for_caller(each.reason, names)}
            for each in barred
        ],
        "claims": _claims(field, names),
        **_bounds(field, names),
    }


def _claims(field: Field, names: Sequence[str]) -> list[AskChoices]:
    together: list[tuple[Reason, list[str]]] = []
    for code, reason in field.marks.items():
        same = next((codes for why, codes in together if why == reason), None)
        if same is None:
            together.append((reason, [code]))
        else:
            same.append(code)
    return [{"choices": codes, "reason": describe_for_caller(reason, names)} for reason, codes in together]


def _bounds(field: Field, names: Sequence[str]) -> AskBounds:
    found: dict[str, Any] = {}
    if field.kind in ("number", "numbers"):
        found |= {"least": field.least, "most": field.most}
    if field.kind == "cards":
        found["count"] = {"least": field.count[0], "most": field.count[1]}
    if field.kind == "numbers":
        found |= {"total": field.total, "rest": field.rest, "step": field.step}
        found |= {"least_each": list(field.floors), "most_each": list(field.ceilings)}
        found |= {"sides": [list(side) for side in field.sides]} if field.sides else {}
    shown = {
        "taken": list(field.taken), "after": field.after, "none": caller_language().translate(field.none),
        "order": list(field.order), "usual": field.usual,
        "warnings": [describe_for_caller(reason, names) for reason in field.warnings],
    }  # fmt: skip
    return cast(AskBounds, found | {key: value for key, value in shown.items() if value})


def describe_choosing(choosing: Mapping[str, Any]) -> SecretChoosing:
    return {"sealed": choosing.get("chosen", []), "choose_again": choosing.get("again", [])}


def describe_preview(seen: Preview | None, names: list[str]) -> CardsNamed | None:
    if seen is None:
        return None
    return {"fits": seen.fits, "reasons": [describe_for_caller(reason, names) for reason in seen.reasons]}
