"""What the record itself tells of a dispute, before anybody rules: what was played, what is proved, what nobody knows.

Nothing that follows about a hidden hand is told here, but for what the referee announces anyway, and that only when
the table wants to hear of it.
"""

from collections.abc import Sequence
from typing import Any

from referee.engine.sheet import DescribedHand, DescribedIrregularity
from referee.engine.translation import ENGLISH, Language
from scoring.models import Table, TableEvent
from scoring.queries.clock import standing_now
from scoring.queries.disputes import DisputeNow
from scoring.queries.findings import with_rows
from scoring.queries.log import standing_events
from scoring.queries.points import is_held_back, points_hidden, without_held
from scoring.queries.state import Standing, hand_described


def what_the_record_tells(
    row: Table, each: DisputeNow, *, keeps: bool = False, language: Language = ENGLISH
) -> dict[str, Any]:
    """Return what was recorded, the trick it belongs to, what was found about it, and what could not be checked.

    ``numbers`` are the places of these findings among all of the hand, ``rows`` those of its record. ``held``: the
    table wants to hear of what is proved only when the hand is over, so nothing proved is told yet.
    """
    at = standing_now(row)
    hand = each.about["hand"] or 0
    described = hand_shown(at, hand, keeps=keeps, language=language)
    if described is None:
        return NOTHING
    held = is_held_back(at) and not keeps and at.hand is not None and at.hand.setup.index == hand
    (shown,) = with_rows(row, [described])
    rows = standing_events(row, hand=hand)
    event = _event(rows, each)
    trick = next((trick for trick in shown["tricks"] if trick["number"] == _trick(shown, each, event)), None)
    numbers = [number for number, found in enumerate(shown["irregularities"]) if concerns(found, each)]
    lines, line = shown["score_lines"], each.about.get("score_line")
    return {
        "event": event,
        "trick": trick,
        "score_line": lines[line] if line is not None and line < len(lines) else None,
        "findings": [shown["irregularities"][number] for number in numbers],
        "numbers": numbers,
        "rows": rows,
        "unchecked": list(shown["unchecked"]),
        "held": held,
    }


NOTHING: dict[str, Any] = {
    "event": None, "trick": None, "score_line": None, "findings": [], "numbers": [], "rows": [], "unchecked": [],
    "held": False,
}  # fmt: skip
"""What a record without a hand tells."""


def hand_shown(at: Standing, hand: int, *, keeps: bool = False, language: Language = ENGLISH) -> DescribedHand | None:
    """Describe a hand as far as it may be shown: without hidden points, and without what is held back."""
    described = hand_described(at, hand, language, points=not points_hidden(at))
    if described is None or keeps or not is_held_back(at) or at.hand is None or at.hand.setup.index != hand:
        return described
    return without_held(described)


def _event(entries: Sequence[TableEvent], each: DisputeNow) -> dict[str, Any] | None:
    position = each.about.get("event")
    if position is None:
        return None
    return dict(entries[position].event or {}) if position < len(entries) else None


def _trick(shown: DescribedHand, each: DisputeNow, event: dict[str, Any] | None) -> int | None:
    """Return the number of the trick that a dispute is about, or that its card was played to."""
    if each.about.get("trick") is not None:
        return each.about["trick"]
    if event is None or event.get("type") != "play" or not event.get("cards"):
        return None
    played = {"seat": event.get("seat"), "cards": event["cards"]}
    plays = ((trick["number"], dict(play)) for trick in shown["tricks"] for play in trick["plays"])
    return next((number for number, play in plays if played.items() <= play.items()), None)


def concerns(found: DescribedIrregularity, each: DisputeNow) -> bool:
    """Return whether a finding is about what the dispute is about; in words alone it may be about any."""
    about = each.about
    if about.get("event") is not None:
        named = [found["event"], *found.get("claims", ()), *found["proved_by"]]
        return [about["hand"], about["event"]] in [list(position) for position in named]
    if about.get("trick") is not None:
        return found["trick"] == about["trick"]
    return about.get("score_line") is None
