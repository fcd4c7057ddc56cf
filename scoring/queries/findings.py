"""Which rows of the log a finding is about, and how it was settled: by positions in the record, which rows move."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from referee.engine.event_kinds import SETTLES
from referee.engine.sheet import DescribedHand
from scoring.models import Table, TableEvent
from scoring.models.fields import written
from scoring.queries.log import standing_rows
from scoring.queries.settlements import rested_on, settlements

Position = list[int]
WHY = "x_why"
"""The key under which an event that was accepted says why, in the words of who recorded it."""


def positions(row: Table, hands: Collection[int]) -> dict[int, Position]:
    """Return the position of each row of these hands that is part of the record now, by its number."""
    if not hands:
        return {}
    in_hand = Counter[int]()
    found: dict[int, Position] = {}
    for seq, hand in standing_rows(row).filter(hand__in=hands).order_by("hand", "place").values_list("seq", "hand"):
        found[seq] = [hand, in_hand[hand]]
        in_hand[hand] += 1
    return found


def with_rows(row: Table, hands: Sequence[DescribedHand]) -> list[DescribedHand]:
    """Return described hands of which each finding says the rows of its events, and how it was settled."""
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
    for remedy, hand, place in settlements(row, irregular):
        if (hand, place) in places:
            settled.setdefault(places[hand, place], []).append(remedy)
    accepted = _accepted(row, [number for of_hand in seqs.values() for number in of_hand])
    return [_with_rows(hand, seqs.get(hand["number"] - 1, []), settled, accepted) for hand in hands]


def _accepted(row: Table, seqs: Sequence[int]) -> dict[int, dict[str, object]]:
    """Say of irregular acts that were recorded as they were by whom, when, and why, by their rows."""
    rows = standing_rows(row).filter(seq__in=seqs, event__contains="accepted")
    return {entry.seq: _signed(entry) | {"why": (entry.event or {}).get(WHY, "")} for entry in rows}


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
    """Say how a finding was settled, by whom and when: by the last decision about it; ``None``: it is open."""
    if not remedies:
        return None
    last = remedies[-1]
    events = [{key: value for key, value in (each.event or {}).items() if key != SETTLES} for each in remedies]
    return {
        "how": events[-1].get("type"), "events": events, "seq": last.seq,
        **_signed(last),
    }  # fmt: skip
