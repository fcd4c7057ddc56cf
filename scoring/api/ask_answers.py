"""What the API says about what comes next: every ask with its fields, who may record it, and whole events."""

from collections.abc import Sequence
from typing import Any

from referee.api.language import caller_language, describe_for_caller
from referee.engine.asks import Field, Preview
from referee.engine.catalogue import event_kinds
from referee.engine.event_kinds import EventKind
from referee.engine.hand import Hand
from referee.engine.offers import Offer
from referee.engine.options import Refused
from referee.engine.reading import load_event
from referee.engine.rulings import Reason
from scoring.api.answers import describe_choosing, describe_preview
from scoring.models import Link
from scoring.queries.asks import AsksNow
from scoring.queries.state import Standing

Described = dict[str, Any]
NUMBERED = ("seat", "points")
"""Kinds of fields whose choices are numbers."""


def describe_asks(at: Standing, found: AsksNow, link: Link | None, held: Sequence[str]) -> Described:
    """Describe what may be recorded now."""
    hand, names = found.hand, at.names
    asks = [
        describe_offer(offer, names, link, players, None if hand is None else named(hand, offer, held))
        for offer, players in zip(found.asks, found.players, strict=True)
    ]
    return {
        "version": at.row.version,
        "finished": at.state.finished(),
        "hand": None if hand is None else {
            "number": hand.setup.index + 1, "begins": found.begins, "dealer": hand.setup.dealer,
            "phase": str(hand.phase), "to_act": list(hand.to_act()),
        },
        "why_not": None if found.why_not is None else describe_for_caller(found.why_not, names),
        **describe_choosing(at.row.choosing),
        "asks": asks,
        "beside": [describe_offer(offer, names, link) for offer in found.beside],
    }  # fmt: skip


def named(hand: Hand, offer: Offer, held: Sequence[str]) -> Preview | None:
    """Return what cards put together are called, and whether they could be played now."""
    if not (held and offer.ask.preview and offer.ask.seats):
        return None
    try:
        return hand.preview(load_event({"type": offer.ask.event, "seat": offer.ask.seats[0], "cards": list(held)}))
    except Refused:
        return None


def describe_offer(
    offer: Offer,
    names: Sequence[str],
    link: Link | None,
    players: Sequence[int] = (),
    seen: Preview | None = None,
) -> Described:
    """Describe one ask: what it is for, who may record it, its fields, and the events that are taken as they are."""
    ask, kind, translate = offer.ask, event_kinds()[offer.ask.event], caller_language().translate
    yours = link is not None and (link.keeps or (link.records and link.seat in players))
    fields = [describe_field(each, kind, names, offer if place == 0 else None) for place, each in enumerate(ask.fields)]
    return {
        "event": ask.event, "label": translate(ask.label), "says": translate(kind.says),
        "seats": list(ask.seats), "players": list(players), "secret": ask.secret, "yours": yours,
        "fields": fields, "fixed": dict(ask.fixed),
        "events": list(offer.events), "complete": offer.complete, "forced": offer.forced(),
        "preview": ask.preview, "named": describe_preview(seen, list(names)),
    }  # fmt: skip


def describe_field(field: Field, kind: EventKind, names: Sequence[str], offer: Offer | None) -> Described:
    """Describe a field: its type, its values, those that a rule forbids, and those that would claim something."""
    declared = kind.field(field.name)
    numbers = field.kind in NUMBERED
    choices: list[object] = [int(each) if numbers else each for each in field.choices]
    if offer is not None and offer.values is not None and field.kind != "numbers" and field.count == (1, 1):
        choices = [value for value in offer.values if isinstance(value, int | str)]
    barred = () if offer is None else offer.barred
    described: Described = {
        "name": field.name,
        "type": field.kind if declared is None else declared.type.name,
        "label": caller_language().translate(field.label),
        "required": not field.optional,
        "choices": choices,
        "forbidden": [
            {"choices": list(each.values), "reason": describe_for_caller(each.reason, names)} for each in barred
        ],
        "claims": _claims(field, names),
    }
    return described | _bounds(field, names)


def _claims(field: Field, names: Sequence[str]) -> list[Described]:
    """Return which choices would claim something about a hand, those together that claim the same."""
    together: list[tuple[Reason, list[str]]] = []
    for code, reason in field.marks.items():
        same = next((codes for why, codes in together if why == reason), None)
        if same is None:
            together.append((reason, [code]))
        else:
            same.append(code)
    return [{"choices": codes, "reason": describe_for_caller(reason, names)} for reason, codes in together]


def _bounds(field: Field, names: Sequence[str]) -> Described:
    """Return what bounds a value, as far as something does."""
    found: Described = {}
    if field.kind in ("number", "numbers"):
        found |= {"least": field.least, "most": field.most}
    if field.kind == "cards":
        found["count"] = {"least": field.count[0], "most": field.count[1]}
    if field.kind == "numbers":
        found |= {"total": field.total, "rest": field.rest, "step": field.step}
        found |= {"least_each": list(field.floors), "most_each": list(field.ceilings)}
    shown: Described = {
        "taken": list(field.taken), "after": field.after, "none": caller_language().translate(field.none),
        "order": list(field.order), "usual": field.usual,
        "warnings": [describe_for_caller(reason, names) for reason in field.warnings],
    }  # fmt: skip
    return found | {key: value for key, value in shown.items() if value}
