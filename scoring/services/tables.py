"""Opening a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NotRequired, TypedDict

from django.db import IntegrityError, transaction

from referee.engine import bounds
from referee.engine.options import Refused
from referee.engine.reader import Reader
from referee.engine.records import PlayerNames, read_before, read_table
from referee.engine.shapes import CLOSED, OWN_KEYS, also
from referee.engine.sheet import EndData, GameId, OptionData, SeatNumber
from referee.engine.snapshot import dump_table
from referee.engine.table import open_table
from scoring.models import Group, Role, Table
from scoring.models.table import new_code, normal_code
from scoring.queries.access import standing_links, token_hash
from scoring.queries.log import opening
from scoring.queries.precedents import decided_options
from scoring.queries.rules import dump_end
from scoring.services.carrying_over import carry_over_phones, seats_before
from scoring.services.exceptions import NotOfThisGroup
from scoring.services.keys import fingerprint_of, retried, stored_key
from scoring.services.links import new_link, new_token
from scoring.services.notifications import announce_group
from scoring.services.scores import finish_by_time, score_before
from scoring.services.seating import evening_of, read_people, read_time_zone, seat_people
from scoring.services.short_lived import keep_token, kept_token

LONGEST_GROUP = 40
TRIES = 5


@also(CLOSED | OWN_KEYS)
class NewTable(TypedDict):
    """A table to open."""

    game: GameId
    options: NotRequired[OptionData]
    end: NotRequired[EndData]
    seats: PlayerNames
    first_dealer: SeatNumber
    carried: NotRequired[list[int]]
    hands_before: NotRequired[int]
    group: NotRequired[str | None]
    people: NotRequired[list[int | None]]
    private: NotRequired[bool]
    time_zone: NotRequired[str | None]


@dataclass(frozen=True, slots=True)
class Opened:
    """A table as it was opened, and the scorekeeper's token; empty where a retry comes too late to be told it.

    ``passed_over`` are the columns of CSV that no record has, and that were not read.
    """

    table: Table
    token: str
    passed_over: tuple[str, ...] = ()


def create_table(
    data: object,
    *,
    key: str | None = None,
    previous: Table | None = None,
    after: Table | None = None,
    fingerprint: str = "",
    group: Group | None = None,
    group_link: int | None = None,
    carried_from: Sequence[object] | None = None,
) -> Opened:
    """Open a table from what a request or a form gives; a retry under the same ``key`` opens no other.

    ``previous`` is the table that it continues, ``carried_from`` where what each seat carries comes from
    (``Table.carried_from``), ``fingerprint`` that of the request where it was another one than this. ``after`` is the
    one that its people come from to begin anew; their phones come along. ``group`` is whose table it is, ``group_link``
    the link to it by which it is opened, if it is by one. ``people`` then names by id who of the group sits where;
    where it is missing, names that are spelt like theirs do.
    Raises ``Refused`` with every problem and where it is, ``NotOfThisGroup`` where it is to be a group's without its
    right, and ``KeyReused``.
    """
    reader = Reader()
    body = reader.mapping(data, "")
    extra = reader.keys(body, tuple(NewTable.__annotations__), "")
    _check_group(reader, body, group)
    private = reader.flag(body.get("private", False), "/private")
    zone = read_time_zone(reader, body.get("time_zone"), "/time_zone")
    rules, seats, dealer, carried = read_table(reader, body if previous else _as_decided(body, group))
    hands_before = read_before(reader, body, rules)
    people = read_people(reader, body.get("people"), seats, group)
    reader.check()
    if bounds.extra_size(extra) > bounds.MOST_EXTRA:
        raise Refused([bounds.too_much_extra("")])
    assert rules is not None
    fingerprint = fingerprint or fingerprint_of("tables", [data, None if group is None else group.pk], key)
    state = open_table(rules, first_dealer=dealer, carried=carried, before=hands_before)
    with transaction.atomic():
        before = opened_before(key, fingerprint)
        if before is not None:
            return before
        table = Table(
            group=group,
            time_zone=zone,
            evening=evening_of(group, zone),
            private=bool(private),
            previous=previous,
            after=after,
            game=rules.game.id,
            options=dict(rules.chosen),
            end=dump_end(rules.end),
            seats=[name.strip() for name in seats],
            first_dealer=dealer,
            carried=list(state.carried),
            carried_from=carried_from,
            hands_before=hands_before,
            extra=extra,
            snapshot=dump_table(state),
            key=key and stored_key(key),
            fingerprint=fingerprint,
        )
        try:
            insert_table(table)
        except SentTwice:
            again = opened_before(key, fingerprint)
            assert again is not None
            return again
        seat_people(table, people)
        score_before(table, anew=True)
        if after is not None:
            carry_over_phones(after, table, seats_before(after, table))
        if group is not None:
            # Nobody records that time is up, and who reads writes nothing. Afterwards: no other table is held then.
            transaction.on_commit(partial(finish_by_time, group.pk), robust=True)
            announce_group(group.pk)
        return Opened(table, first_link(table, key, group_link))


def _as_decided(body: Mapping[str, object], group: Group | None) -> Mapping[str, object]:
    """Return what a table is opened with, with the house rules that its group has decided where nothing is said."""
    options, seats = body.get("options", {}), body.get("seats")
    if group is None or not isinstance(options, Mapping) or not isinstance(seats, list | tuple):
        return body
    decided = decided_options(group, str(body.get("game", "")), (len(seats),), options)
    return {**body, "options": {**decided, **options}} if decided else body


class SentTwice(Exception):  # noqa: N818 - nothing failed: the same request came twice at once
    """The request that opens this table has opened it a moment ago."""


def opened_before(key: str | None, fingerprint: str) -> Opened | None:
    """Return the table that this very request opened before, as it was then, if it is a retry.

    Raises ``KeyReused`` when the key belongs to another request.
    """
    table = _known(key, fingerprint)
    if table is None:
        return None
    state = opening(table, 0)
    table.version, table.snapshot, table.updated = 0, dump_table(state), table.created
    table.hand_start, table.hand_number, table.finished, table.disputes = None, None, False, {}
    table.carried = list(state.carried)
    return Opened(table, _told_again(table, key))


def imported_before(key: str | None, fingerprint: str) -> Opened | None:
    """Return the table that this very request brought before, as it stands, if it is a retry."""
    table = _known(key, fingerprint)
    return None if table is None else Opened(table, _told_again(table, key))


def _known(key: str | None, fingerprint: str) -> Table | None:
    return None if key is None else retried(Table.objects.filter(key=stored_key(key)).first(), fingerprint)


def _told_again(table: Table, key: str | None) -> str:
    """Return the token of the first link to a table, some minutes long and while that stands."""
    token = kept_token(key, table.fingerprint)
    return token if token and standing_links(table).filter(token_hash=token_hash(token)).exists() else ""


def _check_group(reader: Reader, body: Mapping[str, object], group: Group | None) -> None:
    """Whose table it is follows from the caller's right; a group that is named has to be the one."""
    code = None if body.get("group") is None else reader.text(body["group"], "/group", LONGEST_GROUP)
    if code is not None and group is None:
        raise NotOfThisGroup
    if code is not None and group is not None and normal_code(code) != group.code:
        reader.value("/group", "This is not the code of the group that the token opens.", "no-such-group")


def insert_table(table: Table) -> Table:
    """Store a new table under a code that no other has."""
    for _ in range(TRIES):
        try:
            with transaction.atomic():
                table.save(force_insert=True)
                # The two are asked of the clock one after the other; a busy machine can do much between.
                Table.objects.filter(pk=table.pk).update(updated=table.created)
        except IntegrityError:
            if table.key and Table.objects.filter(key=table.key).exists():
                raise SentTwice from None
            table.code = new_code()
        else:
            table.updated = table.created
            return table
    raise RuntimeError("No free code was found for a new table.")


def first_link(table: Table, key: str | None, group_link: int | None = None) -> str:
    """Make the link of whoever opens a table, by a request of this key, and return its token."""
    token = keep_token(key, table.fingerprint, new_token())
    return new_link(table, Role.SCOREKEEPER, token=token, group_link=group_link).token


def make_link(table: Table, role: Role, *, seat: int | None = None, token: str = "") -> str:
    """Make a link to a table and return its token."""
    token = token or new_token()
    new_link(table, role, seat=seat, token=token)
    return token
