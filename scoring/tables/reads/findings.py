"""Reads that relate findings, tricks and settlements to log rows."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from referee.engine.event_kinds import SETTLES
from referee.engine.sheet import DescribedHand
from referee.notation.write import number_tricks
from scoring.models import Table, TableEvent
from scoring.models.fields import written
from scoring.tables.reads.log import references, rested_on, sheets_of, standing_rows
from scoring.tables.reads.state import Standing, current_hand

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
