"""The log of a table in words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from scoring.models import TableEvent
from scoring.pages.show.event_sentences import sentence
from scoring.pages.show.numbers import number
from scoring.queries.findings import WHY
from scoring.queries.log_tricks import TrickOfRow
from scoring.queries.state import Standing


@dataclass(frozen=True, slots=True)
class LogLine:
    """A row of the log in words: when, by whom, and what became of it."""

    seq: int
    text: str
    by: str
    at: datetime
    undone: bool
    irregular: bool
    reason: str
    who: str = ""
    above: str = ""
    """What begins here for who reads downwards: a hand, a trick, and who took it."""


def log_lines(
    at: Standing,
    entries: Sequence[TableEvent],
    amended: Mapping[int, TableEvent],
    tricks: Mapping[int, TrickOfRow],
    *,
    points: bool,
    who: bool = False,
) -> list[LogLine]:
    """Return rows of the log in words, the latest first; ``amended`` are the rows that they amend, by number.

    ``tricks`` are those the rows belong to, by number. ``who``: with the name of who recorded each.
    """
    lines = [_log_line(entry, amended, at, points=points) for entry in reversed(entries)]
    lines = list(_under_tricks(lines, tricks, at.names))
    return [replace(line, who=holder(line.by, at.names)) for line in lines] if who else lines


def _under_tricks(
    lines: Sequence[LogLine], tricks: Mapping[int, TrickOfRow], names: Sequence[str]
) -> Iterator[LogLine]:
    """Put above the latest line of each trick which it is and who took it; a note goes with the trick before it."""
    groups: list[TrickOfRow | None] = []
    for line in reversed(lines):
        before = groups[-1] if groups else None
        here = tricks.get(line.seq) or before
        beside = here is not None and here.trick is None and before is not None and before.hand == here.hand
        groups.append(before if beside else here)
    shown: TrickOfRow | None = None
    for line, here in zip(lines, reversed(groups), strict=True):
        yield line if here is None or here == shown else replace(line, above=_heading(here, names))
        shown = here


def _heading(here: TrickOfRow, names: Sequence[str]) -> str:
    hand = _("Hand {number}").format(number=here.hand + 1)
    trick = "" if here.trick is None else _("Trick {number}").format(number=here.trick)
    taken = "" if here.winner is None else f"✓ {names[here.winner]}"
    return " · ".join(filter(None, (hand, trick, taken)))


def holder(by: str, names: Sequence[str]) -> str:
    """Return how people call the holder of a link that recorded something (``Link.name``).

    >>> holder("player-1", ["Ann", "Bob"])
    'Bob'
    """
    role, _colon, label = by.partition(": ")
    seat = role.removeprefix("player-")
    if seat != role and seat.isdecimal() and int(seat) < len(names):
        who = names[int(seat)]
    else:
        who = {"scorekeeper": _("Scorekeeper"), "member": _("a member"), "import": _("brought along")}.get(role, role)
    return f"{who} ({label})" if label else who


def _choosing_line(choosing: Mapping[str, Any], names: Sequence[str], *, points: bool) -> str:
    """Say that somebody has chosen, never what; has agreed with a hand; or that an earlier table was corrected."""
    if "carried" in choosing:
        pairs = zip(names, choosing["carried"]["before"], choosing["carried"]["after"], strict=True)
        text = _("{name} {before} to {after}")
        starts = [text.format(name=n, before=number(b), after=number(a)) for n, b, a in pairs if b != a]
        corrected = _("An earlier table was corrected. Totals this table starts from: {starts}")
        return corrected.format(starts=", ".join(starts) if points else _("hidden until the game is over"))
    if "confirmed" in choosing:
        name, hand = names[choosing["seat"]], choosing["confirmed"] + 1
        return _("{name} agrees with hand {hand}").format(name=name, hand=hand)
    if choosing["again"] and choosing["seat"] in choosing["again"]:
        return _("These choices do not go together; everybody chooses again")
    return _("{name} has chosen").format(name=names[choosing["seat"]])


def _log_line(entry: TableEvent, by_seq: Mapping[int, TableEvent], at: Standing, *, points: bool) -> LogLine:
    names, pack = at.names, at.rules.pack
    amended = by_seq.get(entry.amends or 0)
    was = sentence(amended.event, names, pack, points=points) if amended and amended.event else f"#{entry.amends}"
    if entry.event:
        text = sentence(entry.event, names, pack, points=points)
    elif entry.choosing and not entry.amends:
        text = _choosing_line(entry.choosing, names, points=points)
    else:
        text = _("Taken back: {what}").format(what=was)
    if entry.amends and entry.event:
        text = _("Corrected: {what}, instead of: {was}").format(what=text, was=was)
    irregular = bool(entry.event and entry.event.get("accepted"))
    reason = entry.reason or str((entry.event or {}).get(WHY, ""))
    undone = entry.amended_by is not None
    return LogLine(entry.seq, text, entry.by, entry.at, undone, irregular, reason)
