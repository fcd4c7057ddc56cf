"""Going on with other people: closing a table between two hands, and opening the next one with what each has made."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.engine.events import End
from referee.engine.options import Refused
from referee.engine.reader import MISSING, Reader
from referee.engine.records import read_seats
from referee.engine.rules import Rules
from referee.engine.table import next_dealer
from referee.engine.translation import phrase
from scoring.models import Group, Table
from scoring.queries.clock import by_now
from scoring.queries.groups import key_of_player, people_of, person_named, plain_name, seated_people
from scoring.queries.returning import who_left
from scoring.services.carrying_over import carry_over_phones
from scoring.services.exceptions import AlreadyContinued, HandRunning
from scoring.services.keys import Caller, fingerprint_of
from scoring.services.recording import record
from scoring.services.tables import Opened, create_table, opened_before
from scoring.services.turn import Turn
from scoring.services.turns import take_turn

KEYS = ("seats", "from", "first_dealer", "newcomer")
ZERO, LOWEST = "zero", "lowest"


@dataclass(frozen=True, slots=True)
class Company:
    """Who goes on: the names, clockwise, and for each the seat at the table before, if any."""

    seats: tuple[str, ...]
    came: tuple[int | None, ...]
    newcomer: str
    first_dealer: int | None


def continue_table(code: str, data: object, caller: Caller) -> Opened:
    """Close a table, if it is not over, and open the next one: same game, same house rules, same end.

    Everybody takes the own total along, also who sat out and comes back; a newcomer begins with nothing, or with the
    lowest total. Players' own phones come along. The dealer is who would have dealt next or, without that player, the
    next one clockwise who stayed. Raises ``Refused``, also where the game is not played by so many, ``HandRunning``,
    ``AlreadyContinued``, and what ``take_turn`` raises.
    """
    fingerprint = fingerprint_of("continue", [code, data, caller.link], caller.key)

    def act(turn: Turn) -> Opened:
        return _continue(turn, data, key=caller.key, fingerprint=fingerprint)

    def again(_: Turn) -> Opened | None:
        return opened_before(caller.key, fingerprint)

    # The key is that of the table opened, so that a retry finds it.
    return take_turn(code, replace(caller, key=None), "", act, again=again)


def _continue(turn: Turn, data: object, *, key: str | None, fingerprint: str) -> Opened:
    turn.hold()
    row = turn.row
    if Table.objects.filter(previous=row).exists():
        raise AlreadyContinued
    company = read_company(data, list(row.seats))
    state = by_now(row, turn.state)
    if state.hand is not None and not state.hand.is_over():
        raise HandRunning
    named = company.first_dealer
    dealer = next_dealer(state, company.came) if named is None else named
    if not state.finished():
        record(turn, [End()])
    people = [None] * len(company.seats) if row.group is None else _people(row, row.group, company)
    opening: dict[str, object] = {
        "game": row.game,
        "options": dict(state.rules.options),
        "end": dict(row.end),
        "seats": list(company.seats),
        "first_dealer": dealer,
        "carried": carried(
            state.totals(),
            company,
            sides(state.rules, len(company.seats)),
            back=_points_left_with(row, company, people),
        ),
        "private": row.private,
    }
    if row.group is not None:
        opening["people"] = people
    opened = create_table(opening, key=key, previous=row, fingerprint=fingerprint, group=row.group)
    carry_over_phones(row, opened.table, company.came)
    return opened


def _points_left_with(row: Table, company: Company, people: Sequence[int | None]) -> list[int | None]:
    """Return with how many points each comes back who sat at an earlier table and not at the last one."""
    if None not in company.came:
        return [None] * len(people)
    known = {each.key: each.total for each in who_left(row)}
    return [
        None if came is not None else known.get(key_of_player(name, person))
        for name, person, came in zip(company.seats, people, company.came, strict=True)
    ]


def _people(row: Table, group: Group, company: Company) -> list[int | None]:
    """Return who of the group goes on, by seat: who was there stays who it is, and a name tells who comes."""
    sat, people = seated_people(row), people_of(group)
    stayed = {sat[came] for came in company.came if came is not None}
    found: list[int | None] = []
    for came, name in zip(company.came, company.seats, strict=True):
        new = person_named(people, name) if came is None else None
        known = sat[came] if came is not None else None if new is None else new.pk
        found.append(None if known in found or (came is None and known in stayed) else known)
    return found


def read_company(data: object, before: Sequence[str]) -> Company:
    """Read who goes on; without ``from``, whoever has the name of somebody at the table before is that player."""
    reader = Reader()
    body = reader.mapping(data, "")
    reader.keys(body, KEYS, "")
    seats = tuple(name.strip() for name in read_seats(reader, body.get("seats", MISSING)))
    came = _came(reader, body["from"], seats, before) if "from" in body else by_name(seats, before)
    newcomer = body.get("newcomer", ZERO)
    if newcomer not in (ZERO, LOWEST):
        reader.value("/newcomer", "A newcomer begins with: zero, lowest.")
    dealer = body.get("first_dealer")
    first = None if dealer is None else reader.integer(dealer, "/first_dealer")
    reader.check()
    return Company(seats, came, newcomer, first)


def by_name(seats: Sequence[str], before: Sequence[str]) -> tuple[int | None, ...]:
    """Return the seat at the table before for each name.

    >>> by_name(["Cy", "Dee", "ann"], ["Ann", "Bob", "Cy"])
    (2, None, 0)
    """
    left = dict(reversed([(plain_name(name), seat) for seat, name in enumerate(before)]))
    return tuple(left.pop(plain_name(name), None) for name in seats)


def _came(reader: Reader, value: object, seats: Sequence[str], before: Sequence[str]) -> tuple[int | None, ...]:
    came = [
        None if seat is None else reader.integer(seat, f"/from/{i}")
        for i, seat in enumerate(reader.array(value, "/from"))
    ]
    known = [seat for seat in came if seat is not None]
    if len(came) != len(seats):
        reader.value("/from", "There is one place at the table before, or null, for each seat.")
    if any(not 0 <= seat < len(before) for seat in known):
        reader.value(
            "/from", phrase("The seats of the table before are 0 to {last}.", last=len(before) - 1), "no-such-seat"
        )
    if len(set(known)) < len(known):
        reader.value("/from", "Nobody sits on two seats.")
    return tuple(came)


def carried(
    totals: Sequence[int], company: Company, pairs: Sequence[Sequence[int]], *, back: Sequence[int | None]
) -> list[int]:
    """Return what each seat begins with; whoever joins a partnership begins with its total (REC-15).

    ``back`` are the points that those have who come back; two who come back as partners have one total only if both
    left with as many.
    """
    fresh = min(totals) if company.newcomer == LOWEST else 0
    begin = [None if seat is None else totals[seat] for seat in company.came]
    for pair in pairs:
        stayed = {begin[seat] for seat in pair} - {None} or {back[seat] for seat in pair}
        if len(stayed) == 1:
            for seat in pair:
                begin[seat] = next(iter(stayed))
    return [fresh if points is None else points for points in begin]


def sides(rules: Rules, players: int) -> Sequence[Sequence[int]]:
    """Return the partnerships of so many players under the table's house rules; none where they do not allow it."""
    try:
        return rules.game.rules(rules.options, players).sides
    except Refused:
        return ()
