"""What was irregular in a whole game, and what the table decided about it, hand by hand."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.engine.sheet import DescribedHand
from scoring.models import TableEvent
from scoring.queries.log import standing_rows
from scoring.queries.page_facts import event_of, is_decision
from scoring.queries.settlements import rested_on, settlements
from scoring.queries.state import Standing, current_hand, is_ruled, left_hands


@dataclass(frozen=True, slots=True)
class HandRulings:
    """A hand in which something was ruled.

    ``settled`` are the events that settled each irregularity, by the place of its act among the events of the hand;
    ``decided`` is what the table decided in this hand beside that.
    """

    hand: DescribedHand
    resting: tuple[tuple[TableEvent, ...], ...]
    """The remedies that rest on each of the findings that the hand has withdrawn."""
    settled: Mapping[int, Sequence[dict[str, Any]]]
    decided: tuple[dict[str, Any], ...]


def rulings_of_the_game(at: Standing) -> tuple[HandRulings, ...]:
    """Return every hand in which anything was irregular or decided, first to last."""
    last = current_hand(at)
    ruled = {hand["number"] - 1: hand for hand in [*left_hands(at.row), *([last] if last else [])] if is_ruled(hand)}
    entries = defaultdict[int, list[TableEvent]](list)
    for entry in standing_rows(at.row).filter(hand__in=ruled).order_by("hand", "place"):
        entries[entry.hand].append(entry)
    settled = defaultdict[tuple[int, int], list[TableEvent]](list)
    for each in settlements(at.row, ruled):
        settled[each.hand, each.place].append(each.remedy)
    return tuple(_rulings(hand, entries[number], settled) for number, hand in ruled.items())


def _rulings(
    hand: DescribedHand, entries: Sequence[TableEvent], settled: Mapping[tuple[int, int], list[TableEvent]]
) -> HandRulings:
    number, seqs = hand["number"] - 1, [entry.seq for entry in entries]
    remedies = {position: settled.get((number, entry.place), []) for position, entry in enumerate(entries)}
    gone = hand.get("withdrawn", [])
    resting = tuple(tuple(rested_on(one, remedies[one["event"][1]], seqs)) for one in gone)
    disproved = {remedy.seq for rows in resting for remedy in rows}
    known = {remedy.seq for rows in settled.values() for remedy in rows}
    return HandRulings(
        hand,
        resting,
        {
            position: [event_of(remedy) for remedy in rows if remedy.seq not in disproved]
            for position, rows in remedies.items()
        },
        tuple(filter(is_decision, (event_of(entry) for entry in entries if entry.seq not in known))),
    )
