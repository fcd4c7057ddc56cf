"""Records: everything that happened at a table, as JSON-like data (format ``table-record/1``)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, NotRequired, TypedDict

from referee.engine import replaying
from referee.engine.cards import Pack
from referee.engine.event_kinds import SETTLES, UNSAID, Event, card_code, read_cards, read_integers
from referee.engine.events import Note, Penalty, Transfer
from referee.engine.game import all_games, event_kinds, find_game
from referee.engine.hand import Hand
from referee.engine.reader import LONGEST_TEXT, MISSING, Reader, as_seen, turns_writing
from referee.engine.replaying import HandRecord, Stop, Watch, no_watch, play_hands
from referee.engine.rules import END_KINDS, EndKind, EndRule, Refused, Rules
from referee.engine.shapes import CARD, CLOSED, OWN_KEYS, also, array
from referee.engine.sheet import LONGEST_TITLE, EndData, EventData, GameId, OptionData, SeatNumber, Title
from referee.engine.table import TableState, open_table
from referee.engine.texts import Listing, phrase


def read_event(reader: Reader, data: object, pointer: str) -> Event | None:
    """Read one event; ``None`` if it is malformed, with the problems noted."""
    if not isinstance(data, (dict, Mapping)):
        reader.mapping(data, pointer)
        return None
    kind_name = data.get("type")
    kind = event_kinds().get(kind_name) if isinstance(kind_name, str) else None
    if kind is None:
        detail = phrase("The type of an event must be one of: {types}.", types=Listing(tuple(event_kinds())))
        reader.shape(f"{pointer}/type", detail, "unknown-event" if "type" in data else "missing-key")
        return None
    before = len(reader.malformed)
    extra = None
    if not data.keys() <= kind.keys:
        extra = reader.keys(data, ("type", *(part.name for part in kind.fields), "accepted"), pointer)
    values: dict[str, Any] = {}
    for part in kind.fields:
        name = part.name
        value = data.get(name)
        if value is None and part.type.null and name in data:
            values[name] = None
        elif value is not None or (part.needed and name in data):
            values[name] = part.type.read(reader, value, f"{pointer}/{name}")
        elif part.needed:
            detail = phrase("An event of type {event} needs the key {key}.", event=kind.name, key=repr(name))
            reader.shape(f"{pointer}/{name}", detail, "missing-key")
    accepted = data.get("accepted")
    if accepted is not None:
        reader.flag(accepted, f"{pointer}/accepted")
    if len(reader.malformed) > before:
        return None
    if accepted or extra:
        values |= {"accepted": bool(accepted), "extra": extra or None}
    event = kind.event(**values)
    problem = event.problem()
    if problem is not None:
        reader.value(pointer, problem)
    return event


def read_new_event(reader: Reader, data: object, pointer: str) -> Event | None:
    """Read one event that a client sends: only decisions and remarks may settle a finding."""
    event = read_event(reader, data, pointer)
    if event is not None and event.extra and SETTLES in event.extra and not event.kind.settles:
        reader.value(f"{pointer}/{SETTLES}", "Only a decision or a remark can settle a finding.")
    return event


def load_event(data: object, *, stored: bool = False) -> Event:
    """Read one event; raises ``Refused`` with every problem.

    ``stored``: it comes from a log and was checked when it was sent, so checks added since do not apply.
    """
    reader = Reader()
    event = (read_event if stored else read_new_event)(reader, data, "")
    reader.check()
    assert event is not None
    return event


def stored_event(data: object) -> Event:
    return load_event(data, stored=True)


def dump_event(event: Event, pack: Pack | None = None) -> dict[str, object]:
    """Return an event as JSON-like data; with the pack in use, cards and suits by their canonical codes."""
    data: dict[str, object] = {"type": event.type}
    for part in event.kind.fields:
        value = getattr(event, part.name)
        if value is UNSAID or (value is None and not part.needed and not part.type.null):
            continue
        if pack is not None:
            value = part.type.canonical(value, pack)
        if isinstance(value, tuple):
            value = list(value)
        elif isinstance(value, Mapping):
            value = dict(value)
        data[part.name] = value
    if event.accepted:
        data["accepted"] = True
    return data | dict(event.extra or {})


# --- Whole records: ``load_record`` reads one, ``dump_record`` writes it, ``replay`` judges it. Reading reports every
# mistake of shape and type with its place; whether an event is legal is left to the replay.

FORMAT = "table-record/1"
MOST_SEATS = 8
LONGEST_NAME = 60
PlayerNames = Annotated[
    list[Annotated[str, {"maxLength": LONGEST_NAME}]],
    {"minItems": 1, "maxItems": MOST_SEATS},
    "The players, clockwise.",
]


@dataclass(frozen=True, slots=True)
class Record:
    """A record as it was given.

    ``before`` is how many hands of the course were played at an earlier table (``hands_before``), ``bags`` what each
    seat's account brings from there.
    """

    rules: Rules
    seats: tuple[str, ...]
    first_dealer: int
    carried: tuple[int, ...]
    hands: tuple[HandRecord, ...]
    extra: Mapping[str, object] = field(default_factory=dict)
    before: int = 0
    bags: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Replay:
    """A judged record: every hand as far as it is valid, the final state, and what stopped it."""

    hands: tuple[Hand, ...]
    table: TableState
    rejected: Stop | None = None


def replay(record: Record, watch: Watch = no_watch) -> Replay:
    """Judge a record as far as it is valid; raises ``Refused`` for impossible hands, and what ``watch`` raises."""
    table = opened(record)
    hands, stop = play_hands(table, record.hands, empty_too=False, watch=watch)
    played = tuple(hand.state.hand for hand in hands if hand.state.hand is not None)
    return Replay(played, hands[-1].state if hands else table, stop)


def opened(record: Record) -> TableState:
    return open_table(
        record.rules,
        first_dealer=record.first_dealer,
        carried=record.carried,
        before=record.before,
        bags=record.bags,
    )


@also(CLOSED | OWN_KEYS)
class DescribedHandRecord(TypedDict, total=False):
    """One deal played out."""

    events: list[EventData]
    known: Annotated[
        dict[str, Any],
        "Players’ cards that were entered, by seat, as dealt.",
        {"patternProperties": {f"^[0-{MOST_SEATS - 1}]$": array(CARD)}, "additionalProperties": False},
    ]


@also(CLOSED | OWN_KEYS)
class DescribedRecord(TypedDict):
    """Everything that happened at a table."""

    format: NotRequired[Annotated[str, {"const": FORMAT}]]
    game: GameId
    title: NotRequired[Title]
    options: NotRequired[OptionData]
    end: NotRequired[EndData]
    seats: PlayerNames
    first_dealer: SeatNumber
    carried: NotRequired[Annotated[list[int], "The points that the totals start with, per seat."]]
    carried_bags: NotRequired[
        Annotated[list[int], "Tricks above the bid on the account of each seat’s side, in a game that counts them."]
    ]
    hands_before: NotRequired[
        Annotated[int, {"minimum": 0}, "Hands of the course played at earlier tables; 0 if absent."]
    ]
    hands: NotRequired[list[DescribedHandRecord]]


def load_record(data: object, *, stored: bool = False, watch: Watch = no_watch) -> Record:
    """Read a record; raises ``Refused`` with every problem, and what ``watch`` raises. ``stored``: from our own log."""
    reader = Reader()
    payload = reader.mapping(data, "")
    extra = reader.keys(payload, tuple(DescribedRecord.__annotations__), "")
    if reader.text(payload.get("format", FORMAT), "/format") not in (FORMAT, None):
        reader.value("/format", phrase("The format of a record must be {format}.", format=repr(FORMAT)), "bad-format")
    hands = _read_hands(reader, payload.get("hands", ()), read_event if stored else read_new_event, watch)
    rules, seats, dealer, carried = read_table(reader, payload, stored=stored)
    before = read_before(reader, payload, rules)
    bags = read_bags(reader, payload, rules, seats)
    reader.check()
    assert rules is not None
    extras = [
        extra,
        *(hand.extra for hand in hands),
        *(each.extra for hand in hands for each in hand.events if each.extra),
    ]
    if sum(map(replaying.extra_size, extras)) > replaying.MOST_EXTRA:
        raise Refused([replaying.too_much_extra("")])
    return Record(rules, seats, dealer, carried, hands, extra, before, bags)


def read_table(
    reader: Reader, payload: Mapping[str, object], *, stored: bool = False
) -> tuple[Rules | None, tuple[str, ...], int, tuple[int, ...]]:
    seats = read_seats(reader, payload.get("seats", MISSING), stored=stored)
    dealer = reader.integer(payload.get("first_dealer", MISSING), "/first_dealer")
    if dealer is not None and seats and not 0 <= dealer < len(seats):
        reader.value("/first_dealer", phrase("The first dealer is a seat from 0 to {last}.", last=len(seats) - 1))
    carried: tuple[int, ...] = ()
    if "carried" in payload:
        carried = read_integers(reader, payload["carried"], "/carried")
        if seats and len(carried) != len(seats):
            reader.value("/carried", "Carried totals have one number for each seat.")
    rules = read_rules(reader, payload, len(seats)) if seats else None
    if rules is not None and len(carried) == len(seats):
        check_carried(reader, carried, rules.sides, seats)
    return rules, seats, dealer or 0, carried


def read_before(reader: Reader, payload: Mapping[str, object], rules: Rules | None) -> int:
    """Read how many hands of the course were played before; must be 0 in games without a course."""
    before = reader.integer(payload.get("hands_before", 0), "/hands_before")
    most = 0 if rules is None else max(0, len(rules.game.course(rules)) - 1)
    if before is not None and rules is not None and not 0 <= before <= most:
        detail = phrase("Hands of the sequence played before: a whole number from 0 to {most}.", most=most)
        reader.value("/hands_before", detail)
    return before or 0


def read_bags(
    reader: Reader, payload: Mapping[str, object], rules: Rules | None, seats: Sequence[str]
) -> tuple[int, ...]:
    """Read the bags that each seat's side carries over; must be 0 in games without bags."""
    if "carried_bags" not in payload:
        return ()
    bags = read_integers(reader, payload["carried_bags"], "/carried_bags")
    most = 0 if rules is None else rules.game.most_bags(rules.options)
    if len(bags) != len(seats):
        reader.value("/carried_bags", "Carried bags have one number for each seat.")
    elif not all(0 <= number <= most for number in bags):
        reader.value("/carried_bags", phrase("Carried bags: whole numbers from 0 to {most}.", most=most))
    elif rules is not None:
        check_carried(reader, bags, rules.sides, seats, "/carried_bags")
    return bags if any(bags) else ()


def check_carried(
    reader: Reader,
    carried: Sequence[int],
    sides: Sequence[Sequence[int]],
    seats: Sequence[str],
    pointer: str = "/carried",
) -> None:
    """Note each side whose players start from different totals: partners share one (REC-15)."""
    for side in dict.fromkeys(tuple(sorted(side)) for side in sides):
        if len({carried[seat] for seat in side}) > 1:
            detail = "{names} are partners and start from one total, the pair’s: give it to each of them."
            reader.value(pointer, phrase(detail, names=Listing(tuple(seats[seat] for seat in side))))


def read_seats(reader: Reader, value: object, *, stored: bool = False) -> tuple[str, ...]:
    values = reader.array(value, "/seats")
    if len(values) > MOST_SEATS:
        reader.value("/seats", phrase("A table has at most {most} seats.", most=MOST_SEATS), "bad-players")
        return ()
    read = [reader.text(name, f"/seats/{i}", LONGEST_NAME) for i, name in enumerate(values)]
    for i, name in enumerate(() if stored else read):
        if name is not None and not name.strip():
            reader.value(f"/seats/{i}", "A player needs a name.")
        elif name is not None:
            reader.name(name, f"/seats/{i}")
    if not read:
        reader.value("/seats", "A table needs players.", "bad-players")
    if not stored:
        check_names_differ(reader, [name if name and not turns_writing(name) else "" for name in read])
    return tuple(name or "" for name in read)


def check_names_differ(reader: Reader, names: Sequence[str]) -> None:
    """Note each name that looks like an earlier one."""
    before = set[str]()
    for place, name in enumerate(names):
        seen = as_seen(name)
        if seen and seen in before:
            detail = phrase("Two of you are called {name}. Add an initial.", name=name.strip())
            reader.value(f"/seats/{place}", detail, "same-name")
        before.add(seen)


def read_rules(reader: Reader, payload: Mapping[str, object], players: int) -> Rules | None:
    name = reader.text(payload.get("game", MISSING), "/game")
    game = find_game(name) if name and ":" not in name else None
    options = reader.mapping(payload.get("options", {}), "/options")
    title = read_title(reader, payload)
    end = _read_end(reader, payload["end"], END_KINDS if game is None else game.ends) if "end" in payload else None
    if name is not None and game is None:
        known = ", ".join(g.id for g in all_games())
        reader.value("/game", phrase("The games are: {known}.", known=known), "unknown-game")
    if game is None:
        return None
    try:
        return game.titled_as(title).rules(options, players, end)
    except Refused as refused:
        (reader.malformed if refused.malformed else reader.wrong).extend(refused.problems)
        return None


def read_title(reader: Reader, payload: Mapping[str, object]) -> str:
    """Read a table's title for its game; whether the game takes one is checked with its rules."""
    if payload.get("title") is None:
        return ""
    title = reader.label(payload["title"], "/title", LONGEST_TEXT)
    if not title:
        reader.value("/title", phrase("A title has 1 to {most} characters.", most=LONGEST_TITLE))
    return title


def _read_end(reader: Reader, value: object, kinds: Sequence[EndKind]) -> EndRule | None:
    payload = reader.mapping(value, "/end")
    reader.keys(payload, ("kind", "value"), "/end")
    kind = reader.text(payload.get("kind", MISSING), "/end/kind")
    found = next((known for known in kinds if known.name == kind), None)
    if kind is None or found is None:
        names = Listing(tuple(known.name for known in kinds))
        if kind is not None:
            reader.value("/end/kind", phrase("The end must be one of: {kinds}.", kinds=names), "bad-end")
        return None
    number = None
    if found.counted:
        number = reader.integer(payload.get("value", MISSING), "/end/value")
        if number is not None and number < 1:
            reader.value("/end/value", "The end needs a number of at least 1.", "bad-end")
    elif payload.get("value") is not None:
        reader.value("/end/value", phrase("The end {kind} takes no number.", kind=repr(kind)), "bad-end")
    return EndRule(kind, number)


def _read_hands(
    reader: Reader, value: object, read: Callable[[Reader, object, str], Event | None], watch: Watch
) -> tuple[HandRecord, ...]:
    hands = []
    count = 0
    hands_data = reader.array(value, "/hands")
    if len(hands_data) > replaying.MOST_HANDS:
        raise Refused([replaying.too_many_hands("/hands")])
    for number, data in enumerate(hands_data):
        watch()
        pointer = f"/hands/{number}"
        payload = reader.mapping(data, pointer)
        extra = reader.keys(payload, tuple(DescribedHandRecord.__annotations__), pointer)
        listed = reader.array(payload.get("events", ()), f"{pointer}/events")
        count += len(listed)
        if count > replaying.MOST_EVENTS:
            raise Refused([replaying.too_many_events(f"{pointer}/events")])
        if problem := replaying.overfull(len(listed), 0, 0, f"{pointer}/events"):
            raise Refused([problem])
        events = [read(reader, e, f"{pointer}/events/{i}") for i, e in enumerate(listed)]
        settlements = sum(isinstance(event, Penalty | Transfer) for event in events)
        notes = sum(isinstance(event, Note) for event in events)
        if problem := replaying.overfull(len(events), settlements, notes, f"{pointer}/events"):
            raise Refused([problem])
        known = {}
        for key, codes in reader.mapping(payload.get("known", {}), f"{pointer}/known").items():
            where = f"{pointer}/known/{key[:20]}"
            cards = read_cards(reader, codes, where)
            if key in map(str, range(MOST_SEATS)):
                known[int(key)] = cards
            else:
                reader.value(where, "Known hands are listed by seat.", "bad-known")
        hands.append(HandRecord(tuple(filter(None, events)), known, extra))
    return tuple(hands)


def dump_known(written: HandRecord, pack: Pack) -> dict[str, list[str]]:
    return {str(seat): [card_code(code, pack) for code in codes] for seat, codes in sorted(written.known.items())}


def dump_record(record: Record) -> dict[str, Any]:
    """Return a record as JSON-like data: canonical codes, and all options but those set by the number of players."""
    rules = record.rules
    pack = rules.pack
    hands = []
    for written in record.hands:
        events = [dump_event(event, pack) for event in written.events]
        known = dump_known(written, pack)
        hands.append({"events": events} | ({"known": known} if known else {}) | dict(written.extra))
    end = {"kind": rules.end.kind} | ({} if rules.end.value is None else {"value": rules.end.value})
    title = {"title": rules.game.title} if rules.game.title else {}
    data = {
        "format": FORMAT, "game": rules.game.id, **title, "options": dict(rules.chosen), "end": end,
        "seats": list(record.seats), "first_dealer": record.first_dealer,
    }  # fmt: skip
    if any(record.carried):
        data["carried"] = list(record.carried)
    if any(record.bags):
        data["carried_bags"] = list(record.bags)
    if record.before:
        data["hands_before"] = record.before
    return data | {"hands": hands} | dict(record.extra)
