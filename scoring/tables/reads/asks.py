"""What may be recorded now, by whom, and secret choices."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Q

from referee.engine.events import Ask, Note, Penalty, Transfer
from referee.engine.game import event_kinds
from referee.engine.offers import Offer, offers
from referee.engine.replaying import MOST_EVENTS, MOST_EVENTS_OF_HAND, MOST_HANDS, MOST_NOTES, MOST_SETTLEMENTS
from referee.engine.rulings import Refusal
from referee.engine.table import TableState, hand_for
from scoring.models import Link, Role, SecretChoice, Table
from scoring.tables.reads.log import standing_rows
from scoring.tables.reads.state import Standing, asks_now, hand_asks


def all_asks(at: Standing) -> list[Ask]:
    return [*hand_asks(at), *table_asks(at)]


def player_asks(at: Standing, seat: int) -> list[Ask]:
    kinds = event_kinds()
    asks = asks_now(at)
    if asks and not asks[0].seats:
        return []
    # While others choose in secret, no player may go on, unless the choice is optional: then the asks that end it come
    # first.
    secret = [ask for ask in asks if ask.secret]
    left_out = [ask for ask in asks if not ask.secret] if secret and not asks[0].secret else []
    open_to_players = [*secret, *left_out] or asks
    return [replace(ask, seats=(seat,)) for ask in open_to_players if kinds[ask.event].by_player and seat in ask.seats]


def table_asks(at: Standing) -> tuple[Ask, ...]:
    return at.hand.table_asks() if at.hand else ()


def hand_offers(at: Standing, *, held: Sequence[str] = ()) -> list[tuple[Offer, tuple[int, ...]]]:
    """Return what may be recorded in the hand, each with the seats whose own phone may record it.

    Plays of several cards are limited to those that include ``held``.
    """
    dealt = hand_for(at.state)
    if isinstance(dealt, Refusal) or not _has_room(at, dealt):
        return []
    own = [(seat, ask) for seat in range(dealt.rules.players) for ask in player_asks(at, seat)]
    made = []
    for offer in offers(dealt, hand_asks(at), held=held):
        of_seat, kind = offer.ask.seats, (offer.ask.event, offer.ask.fields, offer.ask.fixed)
        may = [seat for seat, ask in own if seat in of_seat and (ask.event, ask.fields, ask.fixed) == kind]
        made.append((offer, tuple(dict.fromkeys(may))))
    return made


def table_offers(at: Standing) -> list[Offer]:
    hand = at.hand
    if hand is None or not _has_room(at, at.state):
        return []
    full = set()
    if hand.settlements() >= MOST_SETTLEMENTS:
        full |= {Penalty.type, Transfer.type}
    if hand.events >= MOST_NOTES:
        rows = standing_rows(at.row).filter(hand=hand.setup.index)
        if sum(row.event["type"] == Note.type for row in rows) >= MOST_NOTES:
            full.add(Note.type)
    return offers(at.state, [ask for ask in table_asks(at) if ask.event not in full])


def _has_room(at: Standing, dealt: TableState) -> bool:
    hand = dealt.hand
    if hand is None or hand.events >= MOST_EVENTS_OF_HAND or hand.setup.index >= MOST_HANDS:
        return False
    return at.row.version < MOST_EVENTS or standing_rows(at.row).count() < MOST_EVENTS


Choosing = Mapping[str, Any]  # seats that have ``chosen`` in secret, and seats that choose ``again``


def own_choices(row: Table, link: Link) -> list[dict[str, Any]]:
    """Return only the sealed choices made on the requesting device."""
    if link.device_table is None or not link.records:
        return []
    by_player = Q(by__startswith=Role.PLAYER)
    if link.keeps and link.seat is not None:
        by_player |= Q(by__startswith=f"{Role.SCOREKEEPER.value}-", seat=link.seat)
    own = SecretChoice.objects.filter(by_player, table=row, device__tables=link.device_table)
    return list(own.order_by("seat").values_list("event", flat=True))
