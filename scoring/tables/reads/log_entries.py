"""Log rows as API clients read them, and the rows behind findings, settlements and tricks."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, Any, NotRequired, TypedDict

from referee.engine import sheet
from referee.engine.event_kinds import SETTLES
from referee.engine.sheet import DescribedHand
from referee.notation.write import number_tricks
from scoring.models import Table, TableEvent
from scoring.models.fields import written
from scoring.tables.reads.log import references, rested_on, sheets_of, standing_rows
from scoring.tables.reads.results import points_hidden
from scoring.tables.reads.state import Standing, current_hand, is_veiled, standing_now, veiled


class CarriedChange(TypedDict):
    """The points carried over to a table, before and after a correction."""

    before: list[int]
    after: list[int]


class SecretChoices(TypedDict, total=False):
    """The content of a row without an event: a sealed choice, carried points, an agreement, or a new scorekeeper."""

    seat: Annotated[int | None, "The seat that chose."]
    chosen: list[int]
    again: list[int]
    confirmed: Annotated[int, "The hand whose result the seat agrees with, from 1."]
    ruling: Annotated[int, "The log row of the ruling that the seat agrees with."]
    keeper: Annotated[int, "The link of the phone that keeps the score from now on."]
    carried: Annotated[CarriedChange, "Corrected points that this table starts with, or scores of a past game."]


class LogWriter(TypedDict):
    """Who wrote a log row."""

    role: Annotated[str, "`scorekeeper`, `player`, or another kind of writer."]
    seat: int | None
    name: str


class LogEntry(TypedDict):
    """A log row."""

    position: Annotated[
        list[int] | None, "Its place in the record, as hand and event, both from 0; null if it is not part of it."
    ]
    seq: int
    hand: int
    event: sheet.EventData | None
    amends: int | None
    amended_by: int | None
    reason: str
    by: str
    who: LogWriter
    at: sheet.Moment
    hidden: NotRequired[SecretChoices | None]


class StreamedRow(TypedDict):
    """`recorded` in a group’s stream: a log row of one of its tables."""

    table: Annotated[str, "The code of the table."]
    row: LogEntry


class TableOpened(TypedDict):
    """`opened`: a new table of the group."""

    table: Annotated[str, "The code of the table."]
    game: sheet.GameId
    title: NotRequired[sheet.Title]
    seats: list[str]


class TableFinished(TypedDict):
    """`finished`: the latest event has ended the game."""

    table: Annotated[str, "The code of the table."]


def describe_entries(row: Table, entries: Sequence[TableEvent]) -> list[LogEntry]:
    """Describe log rows without information that is still hidden; the same for every reader."""
    places = positions(row, {entry.hand for entry in entries})
    carried = any("carried" in (entry.choosing or ()) for entry in entries)
    points = not carried or not points_hidden(standing_now(row))
    shown = [_describe_entry(entry, places, points=points) for entry in entries]
    if any(entry.event and is_veiled(entry.event) for entry in entries):
        state = standing_now(row).state
        for line in shown:
            line["event"] = line["event"] and veiled(line["event"], line["hand"] - 1, state)
    return shown


def _describe_entry(entry: TableEvent, positions: Mapping[int, sheet.Position], *, points: bool) -> LogEntry:
    by, _, name = entry.by.partition(": ")
    role, _, seat = by.partition("-")
    hidden: Any = entry.choosing
    if hidden is not None:
        hidden = {key: value for key, value in hidden.items() if points or key != "carried"}
        if "confirmed" in hidden:
            hidden["confirmed"] += 1
    return {
        "position": positions.get(entry.seq),
        "seq": entry.seq,
        "hand": entry.hand + 1,
        "event": entry.event,
        "amends": entry.amends,
        "amended_by": entry.amended_by,
        "reason": entry.reason,
        "by": by,
        "who": {"role": role, "seat": int(seat) if seat else None, "name": name},
        "at": written(entry.at),
        "hidden": hidden,
    }


# --- The rows to which findings, settlements and tricks refer

Position = list[int]
WHY = "x_why"  # key of an accepted event's reason, in the words of who recorded it


def positions(row: Table, hands: Collection[int]) -> dict[int, Position]:
    if not hands:
        return {}
    in_hand = Counter[int]()
    found: dict[int, Position] = {}
    for seq, hand in standing_rows(row).filter(hand__in=hands).order_by("hand", "place").values_list("seq", "hand"):
        found[seq] = [hand, in_hand[hand]]
        in_hand[hand] += 1
    return found


def with_rows(row: Table, hands: Sequence[DescribedHand]) -> list[DescribedHand]:
    irregular = {hand["number"] - 1 for hand in hands if hand["irregularities"] or hand.get("withdrawn")}
    if not irregular:
        return list(hands)
    rows = standing_rows(row).filter(hand__in=irregular).order_by("hand", "place").values_list("hand", "place", "seq")
    seqs: dict[int, list[int]] = {}
    places: dict[tuple[int, int], tuple[int, int]] = {}
    for hand, place, seq in rows:
        places[hand, place] = (hand, len(seqs.setdefault(hand, [])))
        seqs[hand].append(seq)
    settled: dict[tuple[int, int], list[TableEvent]] = {}
    for remedy, hand, place in references(row, irregular, SETTLES):
        if (hand, place) in places:
            settled.setdefault(places[hand, place], []).append(remedy)
    irregular_acts = standing_rows(row).filter(hand__in=irregular, event__contains="accepted")
    accepted = {each.seq: _signed(each) | {"why": (each.event or {}).get(WHY, "")} for each in irregular_acts}
    return [_with_rows(hand, seqs.get(hand["number"] - 1, []), settled, accepted) for hand in hands]


def _signed(entry: TableEvent) -> dict[str, object]:
    by, _colon, name = entry.by.partition(": ")
    return {"by": by, "name": name, "at": written(entry.at)}


def _with_rows(
    hand: DescribedHand,
    seqs: Sequence[int],
    settled: dict[tuple[int, int], list[TableEvent]],
    accepted: dict[int, dict[str, object]],
) -> DescribedHand:
    def seq(position: Sequence[int]) -> int | None:
        return seqs[position[1]] if position[1] < len(seqs) else None

    withdrawn: list[Any] = []
    resting: set[int] = set()
    for gone in hand.get("withdrawn", []):
        own = rested_on(gone, settled.get((gone["event"][0], gone["event"][1]), []), seqs)
        resting.update(remedy.seq for remedy in own)
        undo = [remedy.seq for remedy in reversed(own)]
        rows = {"seq": seq(gone["event"]), "withdrawn_by_seq": seq(gone["withdrawn_by"])}
        withdrawn.append({**gone, **rows, "settled": _settled(own), "undo": undo})
    found: list[Any] = []
    for one in hand["irregularities"]:
        remedies = settled.get((one["event"][0], one["event"][1]), [])
        more: dict[str, object] = {
            "seq": seq(one["event"]),
            "proved_by_seq": [seq(position) for position in one["proved_by"]],
            "accepted": accepted.get(seq(one["event"]) or 0) if one["certainty"] == "seen" else None,
            "settled": _settled([remedy for remedy in remedies if remedy.seq not in resting]),
        }
        if "claims" in one:
            more["claims_seq"] = [seq(position) for position in one["claims"]]
        found.append({**one, **more})
    return {**hand, "irregularities": found, "withdrawn": withdrawn}


def _settled(remedies: Sequence[TableEvent]) -> dict[str, object] | None:
    if not remedies:
        return None
    last = remedies[-1]
    events = [{key: value for key, value in (each.event or {}).items() if key != SETTLES} for each in remedies]
    return {
        "how": events[-1].get("type"), "events": events, "seq": last.seq,
        **_signed(last),
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class TrickOfRow:
    """A hand (from 0), a trick in it (from 1), and the seat that took it; ``None`` if there is none yet."""

    hand: int
    trick: int | None = None
    winner: int | None = None


def tricks_of_rows(at: Standing, entries: Sequence[TableEvent]) -> dict[int, TrickOfRow]:
    """Map row numbers to tricks; rows that amend, were undone, or have no event are left out."""
    by_seq = {entry.seq: entry for entry in entries if entry.event and entry.amends is None}
    if not by_seq:
        return {}
    hands = {entry.hand for entry in by_seq.values()}
    first, last = min(hands), max(hands)
    tricks = {sheet.number: sheet.sheet["tricks"] for sheet in sheets_of(at.row, first=first, last=last)}
    if last not in tricks and (current := current_hand(at)) is not None:
        tricks[last] = current["tricks"]
    found: dict[int, TrickOfRow] = {}
    standing = standing_rows(at.row).filter(hand__gte=first, hand__lte=last).order_by("hand", "place")
    for hand, rows in groupby(standing, key=lambda row: row.hand):
        its = list(rows)
        winners = {trick["number"]: trick["winner"] for trick in tricks.get(hand, ())}
        numbers = number_tricks([row.event for row in its], tricks.get(hand, ()))
        for row, number in zip(its, numbers, strict=True):
            found[row.place] = TrickOfRow(hand, number, winners.get(number))
    return {seq: found[entry.place] for seq, entry in by_seq.items() if entry.place in found}
