"""Who may do what at a table: what may be recorded now, secret choices, rights of links, requests for a seat."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple, TypedDict

from django.db.models import F, FilteredRelation, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from referee.engine.events import Ask, Note, Penalty, Transfer
from referee.engine.game import event_kinds
from referee.engine.offers import Offer, offers
from referee.engine.replaying import MOST_EVENTS, MOST_EVENTS_OF_HAND, MOST_HANDS, MOST_NOTES, MOST_SETTLEMENTS
from referee.engine.rulings import Refusal
from referee.engine.table import TableState, hand_for
from scoring.models import DeviceTable, Link, Role, SeatRequest, SecretChoice, Table, TableEvent
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


# --- Links and requests


HEAVY = ("snapshot", "hand_start")  # columns that only the referee reads

# --- When tables were last played; later changes such as names, group or corrections don't count

_LAST = TableEvent.objects.filter(table=OuterRef("pk"), event__isnull=False, amends__isnull=True).order_by("-seq")
PLAYED = Coalesce("finished_at", Subquery(_LAST.values("at")[:1]), "created")  # finished, or else last recorded


def last_recorded(row: Table) -> datetime:
    """Return when the last entry other than corrections was recorded, or else when the table was opened."""
    log = TableEvent.objects.filter(table=row, event__isnull=False, amends__isnull=True)
    return log.order_by("-seq").values_list("at", flat=True).first() or row.created


def played_at(row: Table) -> datetime:
    return row.finished_at or vars(row).get("played") or last_recorded(row)


Devices = tuple[str, ...]  # hashes of a device's secrets; some browsers have two


def token_hash(token: str) -> str:
    """Return the stored hash of a token or device secret; unsalted, since these are long and random."""
    return hashlib.sha256(token.encode()).hexdigest()


def hash_at_table(token: str, code: str) -> str:
    """Return the hash that identifies a group token's link at one of its tables."""
    return token_hash(f"{token}/{code}")


def links_by(*hashes: str) -> QuerySet[Link]:
    """Return active links by token hash, without read-only links, which open pages only."""
    links = Link.objects.select_related("table").filter(token_hash__in=hashes, revoked__isnull=True)
    return links.exclude(role=Role.READER)


def link_of_table_token(token: str) -> Link | None:
    return links_by(token_hash(token)).filter(scope="").first()


def standing_rights(row: Table) -> QuerySet[Link]:
    """Return the active links to a table, including read-only ones, oldest first."""
    return Link.objects.filter(table=row, revoked__isnull=True).order_by("pk")


def standing_links(row: Table) -> QuerySet[Link]:
    """Return the active links to a table, without read-only ones."""
    return standing_rights(row).exclude(role=Role.READER)


def open_tables(devices: Devices) -> QuerySet[Table]:
    """Return the tables a device can open: running ones first, then by when they were last played."""
    held = _linked(_on(devices)).filter(Q(table__private=False) | Q(own__revoked__isnull=True, link__isnull=False))
    return Table.objects.filter(pk__in=held.values("table")).order_by("finished", PLAYED.desc(), "-pk")


def right_stands(table: int, right: tuple[int, ...]) -> bool:
    """Return whether a link to a table is active and, if ``right`` has a device row, still held by it."""
    if not right:
        return True
    links = Link.objects.filter(table=table, pk=right[0], revoked__isnull=True)
    return (links.filter(devices=right[1], devices__table=table) if right[1:] else links).exists()


def _on(devices: Devices) -> QuerySet[DeviceTable]:
    return DeviceTable.objects.filter(device__secret_hash__in=devices)


def with_links(rows: QuerySet[DeviceTable]) -> QuerySet[Any]:
    return _linked(rows).select_related("own")


def own_link(row: Any) -> Link | None:
    return getattr(row, "own", None)  # Django leaves the attribute unset if nothing matched


def _linked(rows: QuerySet[DeviceTable]) -> QuerySet[Any]:
    """Annotate rows with their link, joined by table as well: on a sharded database, it is on the table's node."""
    return rows.annotate(own=FilteredRelation("link", condition=Q(link__table=F("table"))))


class NextTable(NamedTuple):
    code: str
    continues: bool


def next_table(row: Table, *, keeps: bool, devices: Devices = ()) -> NextTable | None:
    heads = Table.objects.filter(Q(previous=row) | Q(after=row)).only(*HEAD, "previous", "created")
    found = max(heads, key=lambda table: (table.previous_id == row.pk, table.created), default=None)
    code = _code(found, keeps=keeps, devices=devices)
    return None if found is None or code is None else NextTable(code, found.previous_id == row.pk)


class Neighbours(TypedDict):
    """The codes of the previous and the next table, if visible to the caller."""

    previous: str | None
    continued_by: str | None


def neighbours(row: Table, *, keeps: bool) -> Neighbours:
    before = Table.objects.filter(pk=row.previous_id).only(*HEAD).first() if row.previous_id else None
    later = Table.objects.filter(previous=row).only(*HEAD).first()
    return {"previous": _code(before, keeps=keeps), "continued_by": _code(later, keeps=keeps)}


HEAD = ("code", "private")


def _code(neighbour: Table | None, *, keeps: bool, devices: Devices = ()) -> str | None:
    """Return a neighboring table's code; a private one's only for the scorekeeper and devices that can open it."""
    if neighbour is None:
        return None
    opens = _linked(_on(devices)).filter(table=neighbour, link__isnull=False, own__revoked__isnull=True)
    told = not neighbour.private or keeps or (bool(devices) and opens.exists())
    return neighbour.code if told else None


def reading_on(devices: Devices, number: int) -> Link | None:
    held = Link.objects.select_related("table").filter(readings__device__secret_hash__in=devices)
    return held.filter(pk=number, revoked__isnull=True).first()


# --- Requests for a seat or for keeping the score, and who may answer them


KEPT = timedelta(minutes=10)
"""How long a request stays open, and how long a refused device can't ask again."""


def waiting_requests(row: Table) -> QuerySet[SeatRequest]:
    found = SeatRequest.objects.filter(table=row, refused=None, at__gte=timezone.now() - KEPT)
    return found.select_related("device").order_by("pk")


def request_of(row: Table, devices: Devices) -> SeatRequest | None:
    """Return a device's request at a table, including a refused one."""
    found = SeatRequest.objects.filter(table=row, device__secret_hash__in=devices)
    return found.filter(at__gte=timezone.now() - KEPT).first()


def may_answer(link: Link, asked: SeatRequest) -> bool:
    """Return whether a link may answer a request.

    The scorekeeper may answer all. A player may answer requests of other phones for their own seat, and other players'
    requests to keep the score.
    """
    if link.keeps:
        return True
    if link.plays is None or link.revoked:
        return False
    return (link.plays == asked.seat) == (asked.role == Role.PLAYER)


def answered_by(row: Table, link: Link | None) -> list[SeatRequest]:
    return [] if link is None else [each for each in waiting_requests(row) if may_answer(link, each)]
