"""The log of a table in words: what an entry says, a hand event by event, and what a correction changes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from textwrap import shorten
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from referee.engine.comparison import Changes, ScoreChange, TotalChange, TrickChange, TrickResult
from referee.engine.game import event_kinds
from referee.engine.sheet import DescribedIrregularity, DescribedTrick
from referee.engine.texts import OBJECT
from referee.notation.write import number_tricks
from referee.packs import Pack
from scoring.models import DisputeState, TableEvent
from scoring.rulings.reads.disputes import mark_of
from scoring.tables.acts.rethreading import MovedEntry
from scoring.tables.acts.turns import LaterTable
from scoring.tables.presenters.cards import Face, face
from scoring.tables.presenters.formats import PAGE_LANGUAGE, number, signed
from scoring.tables.presenters.house_rules import chosen_in_words
from scoring.tables.reads.findings import WHY, TrickOfRow
from scoring.tables.reads.page_facts import HandEvents
from scoring.tables.reads.state import Standing

# --- What a log entry says, in one line


def sentence(event: Mapping[str, Any], names: Sequence[str], pack: Pack, *, points: bool = True) -> str:
    """Say what an event records, by the words of its kind; without ``points`` it says none that were made."""
    kind = event_kinds().get(event["type"])
    if kind is None:
        return str(event["type"])
    if (sentence := _dispute(event)) is not None:
        return sentence
    facts: dict[str, object] = {}
    for field in kind.fields:
        value = event.get(field.name)
        can_be_negative = field.shown is not None and field.shown.least < 0
        facts[field.name] = (
            signed(value) if can_be_negative and isinstance(value, int) else _fact(field.type.name, value, names, pack)
        )
        if field.type.name == "numbers" and value:
            facts["numbers"] = ", ".join(f"{name} {number}" for name, number in zip(names, value, strict=False))
    reason = event.get("reason")
    facts["why"] = f" ({reason})" if reason else ""
    if not points and kind.log_hidden:
        return PAGE_LANGUAGE.translate(kind.log_hidden)
    one = kind.log_one and abs(event[kind.counted]) == 1
    template = PAGE_LANGUAGE.translate(kind.log_one if one else kind.log)
    text = BRACKETED.sub(lambda place: place[0] if event.get(place[1]) is not None else "", template)
    return text.format_map(_Blank(facts))


def _dispute(event: Mapping[str, Any]) -> str | None:
    """Say what a note makes of a dispute, where it is one about a dispute."""
    mark = mark_of(event)
    number = None if mark is None else mark.get("id") or mark.get("of")
    if mark is None or number is None:
        return None
    state = mark.get("state") or mark.get("vote")
    words = {"number": number, "text": event.get("text", ""), "state": state}
    if state in DisputeState.values:
        words["state"] = DisputeState(state).label
        template = (
            _("Dispute {number}, vote: {state}: {text}") if "vote" in mark else _("Dispute {number} {state}: {text}")
        )
    elif mark.get("proposes"):
        template = _("Dispute {number}, offered: {text}")
    else:
        template = _("Dispute {number}: {text}")
    return template.format(**words)


LEFT_OUT = "–"
BRACKETED = re.compile(r" \(\{(\w+)\}\)")
"""The place of a field in brackets: where the field was left out, they are left out, too."""


class _Blank(dict[str, object]):
    """Facts of an event; one that was left out is a dash."""

    def __missing__(self, key: str) -> object:
        return _Cards((), None)


@dataclass(frozen=True, slots=True)
class _Cards:
    """Cards by their names; a language may ask for a single one with its article, as the object of the sentence."""

    codes: Sequence[str]
    pack: Pack | None

    def __format__(self, form: str) -> str:
        if self.pack is None or not self.codes:
            return LEFT_OUT
        if form == OBJECT and len(self.codes) == 1 and self.codes[0] in self.pack.codes:
            return PAGE_LANGUAGE.render(self.pack.cards[self.pack.codes[self.codes[0]]], OBJECT)
        return ", ".join(face(self.pack, code).name for code in self.codes)


def _fact(kind: str, value: Any, names: Sequence[str], pack: Pack) -> object:
    """Say what stands in a field of this type."""
    if kind in ("cards", "card"):
        return _Cards((value,) if isinstance(value, str) else value or (), pack)
    if value is None:
        return LEFT_OUT
    if kind == "seat" and isinstance(value, int) and 0 <= value < len(names):
        return names[value]
    if kind == "options":
        return ", ".join(chosen_in_words(value)) or _("as they were")
    if kind == "suit":
        return next((_(suit.name) for suit in pack.suits if suit.code == value), str(value))
    return str(value)


class Undoes(NamedTuple):
    """The name of the button, and a line for the table where an earlier entry was corrected last."""

    label: str
    line: str


LONGEST_UNDONE = 50
"""How much of what an undo takes back has room on the felt."""


def undoes(event: Mapping[str, Any], at: Standing, *, amended: bool, points: bool) -> Undoes:
    """Say that this event is taken back next; ``amended``: one before it was corrected last.

    Without ``points`` it says none that were made.
    """
    what = sentence(event, at.names, at.rules.pack, points=points)
    brief = shorten(what, LONGEST_UNDONE, placeholder=" …")
    line = _("Corrected. Undo now takes back: {what}").format(what=brief) if amended else ""
    return Undoes(label=_("Undo: {what}").format(what=what), line=line)


# --- The log of a table in words


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


# --- A hand event by event, for whoever looks for the entry that is wrong


@dataclass(frozen=True, slots=True)
class EntryShown:
    """An event that can be corrected: its row of the log, whose it is, its cards, and what it says."""

    seq: int
    name: str
    cards: tuple[Face, ...]
    text: str


@dataclass(frozen=True, slots=True)
class TrickEntries:
    """The events of a trick; without a number, what stands between tricks.

    ``first`` says that no part before this one is of the same trick.
    """

    number: int | None
    first: bool
    winner: str | None
    entries: tuple[EntryShown, ...]


@dataclass(frozen=True, slots=True)
class HandHistory:
    """The events of a hand, trick by trick, and its neighbours; hands are counted from 0."""

    index: int
    before: int | None
    after: int | None
    tricks: tuple[TrickEntries, ...]

    @property
    def number(self) -> int:
        """Return the number of the hand as people count."""
        return self.index + 1


def history(at: Standing, hand: HandEvents) -> HandHistory:
    """Return the history of a hand, trick by trick."""
    parts = _parts(hand.entries, hand.tricks, at.names, at.rules.pack, points=not hand.hidden)
    before = hand.index - 1 if hand.index > 0 else None
    after = hand.index + 1 if hand.index + 1 < hand.count else None
    return HandHistory(hand.index, before, after, tuple(parts))


def _parts(
    entries: Sequence[TableEvent],
    tricks: Sequence[DescribedTrick],
    names: Sequence[str],
    pack: Pack,
    *,
    points: bool,
) -> list[TrickEntries]:
    winners = {trick["number"]: trick["winner"] for trick in tricks}
    numbers = number_tricks([entry.event for entry in entries], tricks)
    parts: list[TrickEntries] = []
    for trick, group in groupby(zip(numbers, entries, strict=True), key=lambda pair: pair[0]):
        winner = winners.get(trick)
        shown = tuple(shown_entry(entry, names, pack, points=points) for _, entry in group)
        first = all(part.number != trick for part in parts)
        parts.append(TrickEntries(trick, first, None if winner is None else names[winner], shown))
    return parts


def shown_entry(entry: TableEvent, names: Sequence[str], pack: Pack, *, points: bool = True) -> EntryShown:
    """Return an event as it can be tapped; without ``points`` it says none that were made."""
    event = entry.event
    cards = tuple(face(pack, code) for code in event.get("cards") or ())
    seat = event.get("seat")
    name = names[seat] if isinstance(seat, int) and 0 <= seat < len(names) else ""
    return EntryShown(entry.seq, name, cards, sentence(event, names, pack, points=points))


# --- What a correction changes, in lines that people read before they save it


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One line of what changes; ``kind`` is ``total``, ``trick``, ``finding``, ``winners`` or ``points``."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class MovedCards:
    """Cards played together, or a pass without any, that go from one player to another."""

    cards: tuple[Face, ...]
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class MovedTrick:
    """What of a trick goes to other players."""

    number: int | None
    plays: tuple[MovedCards, ...]


def moved_tricks(moved: Sequence[MovedEntry], names: Sequence[str], pack: Pack) -> tuple[MovedTrick, ...]:
    """Say which cards go to whom, trick by trick."""
    tricks = groupby(moved, key=lambda move: move.trick)
    return tuple(MovedTrick(trick, tuple(_moved(move, names, pack) for move in plays)) for trick, plays in tricks)


def _moved(move: MovedEntry, names: Sequence[str], pack: Pack) -> MovedCards:
    faces = tuple(face(pack, code) for code in move.event.get("cards") or ())
    return MovedCards(faces, names[move.entry.event["seat"]], names[move.event["seat"]])


def change_lines(changes: Changes, names: Sequence[str], hand: int) -> Iterator[ChangeLine]:
    """Say what changes: totals first, then tricks, what is irregular, and who wins."""
    for change in changes.totals:
        text = _("{name} {before} to {after}")
        yield ChangeLine("total", text.format(name=names[change["seat"]], **_both(change)))
    for trick in changes.tricks:
        yield ChangeLine("trick", _trick(trick, names, hand))
    for finding in changes.irregularities:
        found = finding["after"] or finding["before"]
        text = _("Now irregular: {what}") if finding["after"] else _("No longer irregular: {what}")
        if found:
            yield ChangeLine("finding", text.format(what=_finding(found, names)))
    if changes.winners:
        after = " & ".join(names[seat] for seat in changes.winners["after"])
        text = _("Then {names} wins the game.") if after else _("Then the game is not over.")
        yield ChangeLine("winners", text.format(names=after))


def later_lines(each: LaterTable, *, hidden: bool) -> tuple[str, tuple[ChangeLine, ...]]:
    """Say what changes at a table at which the game went on: a title, and line by line."""
    row = each.at.row
    title = _("Then at the next table, with {names}").format(names=", ".join(row.seats))
    if hidden:
        return title, (ChangeLine("points", _("Points are hidden until the game is over.")),)
    return title, tuple(change_lines(each.changes, list(row.seats), 0))


def _finding(found: DescribedIrregularity, names: Sequence[str]) -> str:
    code = found["code"].replace("-", " ")
    act = _(code)
    return act if found["seat"] is None else _("{act} ({name})").format(act=act, name=names[found["seat"]])


def _both(change: ScoreChange | TotalChange) -> dict[str, str]:
    values = {"before": change["before"], "after": change["after"]}
    return {key: "–" if value is None else number(value) for key, value in values.items()}


def _trick(change: TrickChange, names: Sequence[str], hand: int) -> str:
    where = _("Trick {trick}") if change["hand"] == hand else _("Hand {hand}, trick {trick}")
    place = where.format(trick=change["trick"], hand=change["hand"] + 1)
    before, after = _winner(change["before"], names), _winner(change["after"], names)
    if before == after:
        return _("{place}: other points").format(place=place)
    return _("{place}: {after} instead of {before}").format(place=place, after=after, before=before)


def _winner(trick: TrickResult | None, names: Sequence[str]) -> str:
    winner = trick["winner"] if trick else None
    return _("nobody") if winner is None else names[winner]
