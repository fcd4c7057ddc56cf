"""What was irregular in a whole game, and what the table decided about it, hand by hand."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.engine.sheet import DescribedHand
from scoring.models import TableEvent
from scoring.queries.log import standing_rows
from scoring.queries.page_facts import event_of, is_decision
from scoring.queries.settlements import settlements
from scoring.queries.state import Standing, current_hand, is_ruled, left_hands


@dataclass(frozen=True, slots=True)
class HandRulings:
    """A hand in which something was ruled.

    ``settled`` are the events that settled each irregularity, by the place of its act among the events of the hand;
    ``decided`` is what the table decided in this hand beside that.
    """

    hand: DescribedHand
    settled: Mapping[int, Sequence[dict[str, Any]]]
    decided: tuple[dict[str, Any], ...]


def rulings_of_the_game(at: Standing) -> tuple[HandRulings, ...]:
    """Return every hand in which anything was irregular or decided, first to last."""
    last = current_hand(at)
    ruled = {hand["number"] - 1: hand for hand in [*left_hands(at.row), *([last] if last else [])] if is_ruled(hand)}
    entries = defaultdict[int, list[TableEvent]](list)
    for entry in standing_rows(at.row).filter(hand__in=ruled).order_by("hand", "place"):
        entries[entry.hand].append(entry)
    settled = defaultdict[tuple[int, int], list[dict[str, Any]]](list)
    remedies = set()
    for each in settlements(at.row, ruled):
        remedies.add(each.remedy.seq)
        settled[each.hand, each.place].append(event_of(each.remedy))
    return tuple(
        HandRulings(
            hand,
            {position: settled[number, entry.place] for position, entry in enumerate(entries[number])},
            tuple(filter(is_decision, (event_of(entry) for entry in entries[number] if entry.seq not in remedies))),
        )
        for number, hand in ruled.items()
    )
