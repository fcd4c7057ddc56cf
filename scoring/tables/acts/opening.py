"""Opening a table, and continuing a game at a new one with different players."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, NotRequired, TypedDict

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from referee.engine import replaying
from referee.engine.events import End
from referee.engine.reader import MISSING, Reader, as_seen
from referee.engine.records import PlayerNames, read_bags, read_before, read_seats, read_table
from referee.engine.rules import Refused, Rules
from referee.engine.shapes import CLOSED, OWN_KEYS, Named, also, one_of
from referee.engine.sheet import EndData, GameId, OptionData, SeatNumber, Title
from referee.engine.snapshot import dump_table
from referee.engine.table import TableState, course_place, next_dealer, open_table
from referee.engine.texts import phrase
from scoring.groups.acts.groups import as_keeper, evening_of, read_people, read_time_zone, seat_people
from scoring.groups.acts.scores import finish_by_time, score_before
from scoring.groups.reads.group_tables import former_players, people_at
from scoring.groups.reads.groups import as_spelled, key_of_player, people_of, person_named, seated_looks
from scoring.models import DeviceTable, Group, GroupLink, Link, Role, Table
from scoring.models.table import new_code, normal_code
from scoring.operating.acts.database import past_deadlocks
from scoring.rulings.reads.precedents import decided_options
from scoring.tables.acts.exceptions import AlreadyContinued, HandRunning, NotOfThisGroup
from scoring.tables.acts.holding import GROUP, NEXT, announce
from scoring.tables.acts.keys import Caller, fingerprint_of, keep_token, kept_token, new_token, retried, stored_key
from scoring.tables.acts.links import brought_by, new_link
from scoring.tables.acts.recording import record
from scoring.tables.acts.turn import Turn
from scoring.tables.acts.turns import turn_at
from scoring.tables.reads.access import standing_links, token_hash
from scoring.tables.reads.log import opening
from scoring.tables.reads.results import LOWEST, next_of
from scoring.tables.reads.rules import game_and_title
from scoring.tables.reads.state import by_now


def seats_before(before: Table, table: Table) -> list[int | None]:
    """Return, for each seat, the player's seat at the table before, matched by person or by a guest's name."""
    people = people_at([before, table])
    keys = [
        [key_of_player(name, person) for person, name in zip(people[row.pk], row.seats, strict=True)]
        for row in (before, table)
    ]
    sat = {key: seat for seat, key in enumerate(keys[0]) if keys[0].count(key) == 1}
    return [sat.get(key) if keys[1].count(key) == 1 else None for key in keys[1]]


def carry_over_phones(before: Table, table: Table, came: Sequence[int | None]) -> None:
    """Give each phone with an active link at the previous table a link to its player's seat here.

    ``came`` maps seats to previous ones. Revoked links stay revoked. Must be called in a transaction.
    """
    seats = {old: new for new, old in enumerate(came) if old is not None}
    held = defaultdict[Link, list[int]](list)
    phones = DeviceTable.objects.filter(
        table=before, link__table=before, link__role=Role.PLAYER, link__revoked=None, link__taken__isnull=False
    )
    for row in phones.filter(link__seat__in=seats).select_related("link").order_by("link", "pk"):
        assert row.link is not None
        held[row.link].append(row.device_id)
    now = timezone.now()
    for link, devices in held.items():
        assert link.seat is not None
        # The token is discarded: the device already has the link.
        right: dict[str, Any] = {"seat": seats[link.seat], "group_link": link.group_link, "taken": now}
        made = new_link(table, Role.PLAYER, label=link.label, **right).link
        DeviceTable.objects.bulk_create(DeviceTable(device_id=device, table=table, link=made) for device in devices)
    # After the commit, because a turn has the previous table locked: invalidate its cached page.
    rows = Table.objects.filter(pk=before.pk)
    transaction.on_commit(lambda: rows.update(updated=timezone.now()), robust=True)
    announce(NEXT, before.pk)


LONGEST_GROUP = 40
TRIES = 5


@also(CLOSED | OWN_KEYS)
class NewTable(TypedDict):
    """A table to open."""

    game: GameId
    title: NotRequired[Title]
    options: NotRequired[OptionData]
    end: NotRequired[EndData]
    seats: PlayerNames
    first_dealer: SeatNumber
    carried: NotRequired[list[int]]
    carried_bags: NotRequired[list[int]]
    hands_before: NotRequired[int]
    group: NotRequired[str | None]
    people: NotRequired[list[int | None]]
    private: NotRequired[bool]
    time_zone: NotRequired[str | None]


@dataclass(frozen=True, slots=True)
class Opened:
    """A new table. ``token`` is empty for a late retry; ``passed_over`` are ignored CSV columns."""

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
    """Open a table from a request or form; idempotent with a ``key``.

    ``previous`` is the table it continues, ``after`` the one whose players start a new game with their phones,
    ``group_link`` the link to its ``group``. Players without an id in ``people`` are matched by name. Raises
    ``Refused`` with all problems, ``NotOfThisGroup``, and ``KeyReused``.
    """
    reader = Reader()
    body = reader.mapping(data, "")
    extra = reader.keys(body, tuple(NewTable.__annotations__), "")
    _check_group(reader, body, group)
    private = reader.flag(body.get("private", False), "/private")
    zone = read_time_zone(reader, body.get("time_zone"), "/time_zone")
    rules, seats, dealer, carried = read_table(reader, body if previous else _as_decided(body, group))
    hands_before, bags = read_before(reader, body, rules), read_bags(reader, body, rules, seats)
    people = read_people(reader, body.get("people"), seats, group)
    reader.check()
    if replaying.extra_size(extra) > replaying.MOST_EXTRA:
        raise Refused([replaying.too_much_extra("")])
    assert rules is not None
    fingerprint = fingerprint or fingerprint_of("tables", [data, None if group is None else group.pk], key)
    state = open_table(rules, first_dealer=dealer, carried=carried, before=hands_before, bags=bags)
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
            **columns_of(state, group),
            seats=[name.strip() for name in seats],
            looks=seated_looks([] if group is None else people_of(group), people),
            carried_from=carried_from,
            extra=extra,
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
        score_before(table, end_changed=True)
        if after is not None:
            carry_over_phones(after, table, seats_before(after, table))
        if group is not None:
            # Time running out isn't recorded, and reads don't write. After the commit, when no other table is locked.
            transaction.on_commit(partial(finish_by_time, group.pk), robust=True)
            announce(GROUP, group.pk)
        return Opened(table, first_link(table, key, group_link))


@past_deadlocks
@transaction.atomic
def play_again(before: Table, data: object, *, group: Group | None, group_link: int | None) -> Opened | None:
    """Open a new game for a table's players, or return ``None`` if one already exists. Raises ``Refused``."""
    Table.objects.select_for_update(no_key=True).get(pk=before.pk)
    if Table.objects.filter(Q(previous=before) | Q(after=before)).exists():
        return None
    return create_table(data, group=group, group_link=group_link, after=before)


def _as_decided(body: Mapping[str, object], group: Group | None) -> Mapping[str, object]:
    """Return the body with the group's house rules as defaults."""
    options, seats = body.get("options", {}), body.get("seats")
    if group is None or not isinstance(options, Mapping) or not isinstance(seats, list | tuple):
        return body
    decided = decided_options(group, str(body.get("game", "")), (len(seats),), options)
    return {**body, "options": {**decided, **options}} if decided else body


class SentTwice(Exception):  # noqa: N818 - not an error: a concurrent duplicate
    """A concurrent request with the same key has just opened this table."""


def opened_before(key: str | None, fingerprint: str, *, as_it_stands: bool = False) -> Opened | None:
    """Return the table that an earlier attempt of the same request opened. Raises ``KeyReused``."""
    table = None if key is None else retried(Table.objects.filter(key=stored_key(key)).first(), fingerprint)
    if table is None:
        return None
    if not as_it_stands:
        state = opening(table, 0)
        table.version, table.snapshot, table.updated = 0, dump_table(state), table.created
        table.hand_start, table.hand_number, table.finished, table.disputes = None, None, False, {}
        table.carried = list(state.carried)
    token = kept_token(key, table.fingerprint)
    told = token and standing_links(table).filter(token_hash=token_hash(token)).exists()
    return Opened(table, token if told else "")


def _check_group(reader: Reader, body: Mapping[str, object], group: Group | None) -> None:
    """Check that a group named in the body is the one the caller's link opens. Raises ``NotOfThisGroup``."""
    code = None if body.get("group") is None else reader.text(body["group"], "/group", LONGEST_GROUP)
    if code is not None and group is None:
        raise NotOfThisGroup
    if code is not None and group is not None and normal_code(code) != group.code:
        reader.value("/group", "This is not the code of the group that the token opens.", "no-such-group")


def columns_of(state: TableState, group: Group | None = None) -> dict[str, Any]:
    """Return the columns of a new table that follow from its state before the first deal."""
    rules, end = state.rules, state.rules.end
    return {
        "game": as_spelled(group, rules.game).key,
        "options": dict(rules.chosen),
        "end": {"kind": end.kind} | ({} if end.value is None else {"value": end.value}),
        "first_dealer": state.first_dealer,
        "carried": list(state.carried),
        "carried_bags": list(state.bags),
        "hands_before": state.before,
        "snapshot": dump_table(state),
    }


def insert_table(table: Table) -> Table:
    for _ in range(TRIES):
        try:
            with transaction.atomic():
                table.save(force_insert=True)
                # Both defaults read the clock separately, and may differ on a busy machine.
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
    token = keep_token(key, table.fingerprint, new_token())
    own = GroupLink.objects.select_related("person").filter(pk=group_link or 0, person__isnull=False).first()
    right = {"group_link": group_link} if own is None else as_keeper(table, own)
    return new_link(table, Role.SCOREKEEPER, token=token, **right).token


def make_link(table: Table, role: Role, *, seat: int | None = None, token: str = "") -> str:
    return new_link(table, role, seat=seat, token=token).token


# --- Continuing with other players: close a table between hands, and open the next with everyone's points

ZERO = "zero"
DescribedCompany = TypedDict(
    "DescribedCompany",
    {
        "seats": list[str],
        "people": NotRequired[list[int | None]],
        "from": NotRequired[list[int | None]],
        "first_dealer": NotRequired[int | None],
        "newcomer": NotRequired[
            Annotated[
                str,
                Named(
                    "Newcomer",
                    one_of(
                        (ZERO, LOWEST),
                        "The total that a newcomer starts with: `zero`, or `lowest`, the total of last place.",
                    ),
                ),
            ]
        ],
        "options": NotRequired[Annotated[OptionData, "House rules that change from now on."]],
    },
)
DescribedCompany.__doc__ = "The players who continue."
also(CLOSED)(DescribedCompany)
Source = tuple[int, int] | str | None  # the source of a seat's points, as in ``Table.carried_from``


@dataclass(frozen=True, slots=True)
class Company:
    """The players of the next table, clockwise, each with their previous seat, if any, and person id, if given."""

    seats: tuple[str, ...]
    came: tuple[int | None, ...]
    newcomer: str
    first_dealer: int | None
    options: Mapping[str, object]
    people: tuple[int | None, ...] | None


@past_deadlocks
def continue_table(code: str, data: object, caller: Caller) -> Opened:
    """Close a table and continue its game at a new one: same game, end and house rules, except ``options``.

    Players keep their totals and phones, including those who sat out; a newcomer starts at 0 or with the last place's
    total. The next dealer deals or, if they left, the next player clockwise who stayed. Raises ``Refused``,
    ``HandRunning``, ``AlreadyContinued``, and whatever ``turn_at`` raises.
    """
    fingerprint = fingerprint_of("continue", [code, data, caller.link], caller.key)
    # The key is stored with the table opened, so that a retry finds it.
    with turn_at(code, caller.without_key(), "") as turn:
        opened = opened_before(caller.key, fingerprint)
        if opened is not None:
            return opened
        turn.check_version(caller.expected)
        return _continue(turn, data, key=caller.key, fingerprint=fingerprint)


def _continue(turn: Turn, data: object, *, key: str | None, fingerprint: str) -> Opened:
    row = turn.row
    following = next_of(row)
    if following is not None:
        raise AlreadyContinued(following=following)
    company = read_company(data, row)
    state = by_now(row, turn.state)
    if state.hand is not None and not state.hand.is_over():
        raise HandRunning
    named = company.first_dealer
    dealer = next_dealer(state, company.came) if named is None else named
    if turn.state.hand is None or not turn.state.hand.ended:
        record(turn, [End()])  # even if the game or its time is already over, so that no correction reopens it
    people = [None] * len(company.seats) if row.group is None else _people(row, row.group, company)
    back, known = _left_at(row, company, people)
    known |= {(1, seat): total for seat, total in enumerate(state.totals())}
    options = {**state.rules.chosen, **company.options}
    coming = None
    with suppress(Refused):
        coming = state.rules.game.rules(options, len(company.seats), state.rules.end)
    sources = carried_from(company, () if coming is None else coming.sides, known, back=back)
    last = min(state.totals(), key=(coming or state.rules).worth)
    opening: dict[str, object] = {
        **game_and_title(row),
        "options": options,
        "end": dict(row.end),
        "seats": list(company.seats),
        "first_dealer": dealer,
        "carried": [last if source == LOWEST else 0 if source is None else known[source] for source in sources],
        "hands_before": 0 if coming is None else course_place(state, coming),
        **({} if coming is None else carried_bags(state, coming, sources)),
        "private": row.private,
        "time_zone": row.time_zone or None,
        **({} if row.group is None else {"people": people}),
    }
    opened = create_table(
        opening,
        key=key,
        previous=row,
        fingerprint=fingerprint,
        group=row.group,
        group_link=brought_by(turn),
        carried_from=sources,
    )
    carry_over_phones(row, opened.table, company.came)
    return opened


def _left_at(row: Table, company: Company, people: Sequence[int | None]) -> tuple[list[Source], dict[Source, int]]:
    if None not in company.came:
        return [None] * len(people), {}
    left = {each.key: each for each in former_players(row)}
    back = [
        None if came is not None else left.get(key_of_player(name, person))
        for name, person, came in zip(company.seats, people, company.came, strict=True)
    ]
    return [None if each is None else each.sat for each in back], {each.sat: each.total for each in left.values()}


def _people(row: Table, group: Group, company: Company) -> list[int | None]:
    if company.people is not None:
        return list(company.people)
    sat, people = people_at([row])[row.pk], people_of(group)
    stayed = {sat[came] for came in company.came if came is not None}
    found: list[int | None] = []
    for came, name in zip(company.came, company.seats, strict=True):
        new = person_named(people, name) if came is None else None
        known = sat[came] if came is not None else None if new is None else new.pk
        found.append(None if known in found or (came is None and known in stayed) else known)
    return found


def read_company(data: object, row: Table) -> Company:
    reader = Reader()
    body = reader.mapping(data, "")
    reader.keys(body, tuple(DescribedCompany.__annotations__), "")
    seats = tuple(name.strip() for name in read_seats(reader, body.get("seats", MISSING)))
    sat = people_at([row])[row.pk]
    people = None if body.get("people") is None else read_people(reader, body["people"], seats, row.group)
    reader.check()
    if "from" in body:
        came = _came(reader, body["from"], seats, row.seats)
    else:
        came = by_name(seats, row.seats) if people is None else by_person(people, seats, sat, row.seats)
    for place, (person, seat) in enumerate(zip(people or (), came, strict=False)):
        if seat is not None and sat[seat] not in (None, person):
            reader.value(f"/people/{place}", "Someone else from the group sat there at the previous table.")
    newcomer = body.get("newcomer", ZERO)
    if newcomer not in (ZERO, LOWEST):
        reader.value("/newcomer", "A newcomer must begin with one of: zero, lowest.")
    options = reader.mapping(body.get("options", {}), "/options")
    dealer = body.get("first_dealer")
    first = None if dealer is None else reader.integer(dealer, "/first_dealer")
    reader.check()
    return Company(seats, came, newcomer, first, options, None if people is None else tuple(people))


def by_name(seats: Sequence[str], before: Sequence[str]) -> tuple[int | None, ...]:
    """Return the seat at the previous table for each name, ``None`` for newcomers.

    >>> by_name(["Cy", "Dee", "ann"], ["Ann", "Bob", "Cy"])
    (2, None, 0)
    """
    left = dict(reversed([(as_seen(name), seat) for seat, name in enumerate(before)]))
    return tuple(left.pop(as_seen(name), None) for name in seats)


def by_person(
    people: Sequence[int | None], seats: Sequence[str], sat: Sequence[int | None], before: Sequence[str]
) -> tuple[int | None, ...]:
    """Return the seat at the previous table for each of a group's people, and for guests by name.

    >>> by_person([7, None, 9], ["Ann", "Bob", "Cy"], [None, None, 7], ["Bob", "Ann", "Annie"])
    (2, 0, None)
    """
    guests = {as_seen(name): seat for seat, name in enumerate(before) if sat[seat] is None}
    known = {person: seat for seat, person in enumerate(sat) if person is not None}
    return tuple(
        guests.pop(as_seen(name), None) if person is None else known.get(person)
        for name, person in zip(seats, people, strict=True)
    )


def _came(reader: Reader, value: object, seats: Sequence[str], before: Sequence[str]) -> tuple[int | None, ...]:
    given = enumerate(reader.array(value, "/from"))
    came = [None if seat is None else reader.integer(seat, f"/from/{place}") for place, seat in given]
    known = [seat for seat in came if seat is not None]
    if len(came) != len(seats):
        reader.value("/from", "Give a seat of the previous table, or null, for each seat.")
    if any(not 0 <= seat < len(before) for seat in known):
        says = phrase("The seats of the previous table are 0 to {last}.", last=len(before) - 1)
        reader.value("/from", says, "no-such-seat")
    if len(set(known)) < len(known):
        reader.value("/from", "One person can’t sit in two seats.")
    return tuple(came)


def carried_bags(state: TableState, coming: Rules, sources: Sequence[Source]) -> dict[str, list[int]]:
    """Return the bags that each side carries over, as a field of the table; empty in games without bags.

    They are capped below the number that costs points; partners take the lower count of the two.
    """
    bags, most = state.bags_now(), coming.game.most_bags(coming.options)
    if not (bags and most):
        return {}
    own = [bags[source[1]] if isinstance(source, tuple) and source[0] == 1 else 0 for source in sources]
    return {"carried_bags": [min(most, *(own[seat] for seat in side)) for side in coming.sides]}


def carried_from(
    company: Company, pairs: Sequence[Sequence[int]], totals: Mapping[Source, int], *, back: Sequence[Source]
) -> list[Source]:
    """Return the sources of carried points (``Table.carried_from``); ``back`` are those of returning players.

    A new partner starts with the partnership's total (REC-15); returning partners only if both left with the same
    total.
    """
    fresh = LOWEST if company.newcomer == LOWEST else None
    begin: list[Source] = [None if seat is None else (1, seat) for seat in company.came]
    for pair in pairs:
        stayed = [begin[seat] for seat in pair if begin[seat] is not None] or [back[seat] for seat in pair]
        if len({totals.get(source) for source in stayed}) == 1:
            for seat in pair:
                begin[seat] = stayed[0]
    return [fresh if source is None else source for source in begin]
