"""Going on with other people: closing a table between two hands, and opening the next one with what each has made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, NotRequired, TypedDict

from referee.engine.events import End
from referee.engine.options import Refused
from referee.engine.reader import MISSING, Reader, as_seen
from referee.engine.records import read_seats
from referee.engine.rules import Rules
from referee.engine.shapes import CLOSED, Named, also, one_of
from referee.engine.sheet import OptionData
from referee.engine.table import course_place, next_dealer
from referee.engine.translation import phrase
from scoring.models import Group, Table
from scoring.queries.chains import LOWEST, next_of
from scoring.queries.clock import by_now
from scoring.queries.group_tables import people_at
from scoring.queries.groups import key_of_player, people_of, person_named
from scoring.queries.returning import former_players
from scoring.services.carrying_over import carry_over_phones
from scoring.services.deadlocks import past_deadlocks
from scoring.services.exceptions import AlreadyContinued, HandRunning
from scoring.services.keys import Caller, fingerprint_of
from scoring.services.links import brought_by
from scoring.services.recording import record
from scoring.services.seating import read_people
from scoring.services.tables import Opened, create_table, opened_before
from scoring.services.turn import Turn
from scoring.services.turns import turn_at

ZERO = "zero"
DescribedCompany = TypedDict(
    "DescribedCompany",
    {
        "seats": list[str],
        "people": NotRequired[list[int | None]],
        "from": NotRequired[list[int | None]],
        "first_dealer": NotRequired[int | None],
        "newcomer": NotRequired[
            Annotated[str, Named("Newcomer", one_of((ZERO, LOWEST), "Where the total of somebody new begins."))]
        ],
        "options": NotRequired[Annotated[OptionData, "House rules that are others from now on."]],
    },
)
"""Who goes on, as a program says it."""
DescribedCompany.__doc__ = "Who goes on."
also(CLOSED)(DescribedCompany)
Source = tuple[int, int] | str | None
"""Where the points of a seat come from, as ``Table.carried_from`` has it."""


@dataclass(frozen=True, slots=True)
class Company:
    """Who goes on: the names, clockwise, and for each the seat at the table before, if any.

    ``people`` are the ids of the group's people by seat, where the caller names them.
    """

    seats: tuple[str, ...]
    came: tuple[int | None, ...]
    newcomer: str
    first_dealer: int | None
    options: Mapping[str, object]
    """House rules that are others from now on."""
    people: tuple[int | None, ...] | None = None


@past_deadlocks
def continue_table(code: str, data: object, caller: Caller) -> Opened:
    """Close a table, if it is not over, and open the next one: same game, same end, same house rules save ``options``.

    Everybody takes the own total along, also who sat out and comes back; a newcomer begins with nothing, or with
    the lowest total. Players' own phones come along. The dealer is who would have dealt next or, without that
    player, the next one clockwise who stayed. A course of hands goes on where it was. Raises ``Refused``, also
    where the game is not played by so many, ``HandRunning``, ``AlreadyContinued``, and what ``turn_at`` raises.
    """
    fingerprint = fingerprint_of("continue", [code, data, caller.link], caller.key)
    # The key is that of the table opened, so that a retry finds it.
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
        raise AlreadyContinued(following)
    company = read_company(data, row)
    state = by_now(row, turn.state)
    if state.hand is not None and not state.hand.is_over():
        raise HandRunning
    named = company.first_dealer
    dealer = next_dealer(state, company.came) if named is None else named
    if turn.state.hand is None or not turn.state.hand.ended:
        record(turn, [End()])  # also where it is over by itself, or in time: no correction is to open it again
    people = [None] * len(company.seats) if row.group is None else _people(row, row.group, company)
    back, known = _left_at(row, company, people)
    known |= {(1, seat): total for seat, total in enumerate(state.totals())}
    options = {**state.rules.chosen, **company.options}
    coming = rules_for(state.rules, options, len(company.seats))
    sources = carried_from(company, () if coming is None else coming.sides, known, back=back)
    lowest = min(state.totals())
    opening: dict[str, object] = {
        "game": row.game,
        "options": options,
        "end": dict(row.end),
        "seats": list(company.seats),
        "first_dealer": dealer,
        "carried": [lowest if source == LOWEST else 0 if source is None else known[source] for source in sources],
        "hands_before": 0 if coming is None else course_place(state, coming),
        "private": row.private,
        "time_zone": row.time_zone or None,
    }
    if row.group is not None:
        opening["people"] = people
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
    """Return where those sat last who come back, at an earlier table and not at the last one, and their totals."""
    if None not in company.came:
        return [None] * len(people), {}
    left = {each.key: each for each in former_players(row)}
    back = [
        None if came is not None else left.get(key_of_player(name, person))
        for name, person, came in zip(company.seats, people, company.came, strict=True)
    ]
    return [None if each is None else each.sat for each in back], {each.sat: each.total for each in left.values()}


def _people(row: Table, group: Group, company: Company) -> list[int | None]:
    """Return who of the group goes on, by seat: who was there stays who it is, and a name tells who comes."""
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
    """Read who goes on; without ``from``, people of the group, or else names, tell who sat at the table before."""
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
            reader.value(f"/people/{place}", "Somebody else of the group sat there at the table before.")
    newcomer = body.get("newcomer", ZERO)
    if newcomer not in (ZERO, LOWEST):
        reader.value("/newcomer", "A newcomer begins with: zero, lowest.")
    options = reader.mapping(body.get("options", {}), "/options")
    dealer = body.get("first_dealer")
    first = None if dealer is None else reader.integer(dealer, "/first_dealer")
    reader.check()
    return Company(seats, came, newcomer, first, options, None if people is None else tuple(people))


def by_name(seats: Sequence[str], before: Sequence[str]) -> tuple[int | None, ...]:
    """Return the seat at the table before for each name.

    >>> by_name(["Cy", "Dee", "ann"], ["Ann", "Bob", "Cy"])
    (2, None, 0)
    """
    left = dict(reversed([(as_seen(name), seat) for seat, name in enumerate(before)]))
    return tuple(left.pop(as_seen(name), None) for name in seats)


def by_person(
    people: Sequence[int | None], seats: Sequence[str], sat: Sequence[int | None], before: Sequence[str]
) -> tuple[int | None, ...]:
    """Return the seat at the table before for each person of a group, and for guests by name.

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


def carried_from(
    company: Company, pairs: Sequence[Sequence[int]], totals: Mapping[Source, int], *, back: Sequence[Source]
) -> list[Source]:
    """Return where the points come from that each seat begins with (``Table.carried_from``), of these ``totals``.

    Whoever joins a partnership begins with its total (REC-15). ``back`` is where those sat last who come back; two who
    come back as partners have one total only if both left with as many.
    """
    fresh = LOWEST if company.newcomer == LOWEST else None
    begin: list[Source] = [None if seat is None else (1, seat) for seat in company.came]
    for pair in pairs:
        stayed = [begin[seat] for seat in pair if begin[seat] is not None] or [back[seat] for seat in pair]
        if len({totals.get(source) for source in stayed}) == 1:
            for seat in pair:
                begin[seat] = stayed[0]
    return [fresh if source is None else source for source in begin]


def rules_for(rules: Rules, options: Mapping[str, object], players: int) -> Rules | None:
    """Return the rules for so many players at the next table; ``None`` where these options do not allow it."""
    try:
        return rules.game.rules(options, players, rules.end)
    except Refused:
        return None
