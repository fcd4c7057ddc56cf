"""The log of a table in words: what an entry says, a hand event by event, and what a correction changes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from textwrap import shorten
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.translation import gettext as _

from referee.engine import grammar
from referee.engine.comparison import Changes, TrickResult
from referee.engine.game import event_kinds
from referee.engine.texts import OBJECT
from referee.notation.write import number_tricks
from referee.packs import Pack
from scoring.models import DisputeState, TableEvent
from scoring.rulings.reads.disputes import mark_of
from scoring.tables.acts.amending import MovedEntry
from scoring.tables.acts.turns import LaterTable
from scoring.tables.presenters.cards import face
from scoring.tables.presenters.formats import MINUS, PAGE_LANGUAGE, listed, number, signed, spoken
from scoring.tables.presenters.house_rules import chosen_in_words
from scoring.tables.reads.log_entries import WHY, TrickOfRow
from scoring.tables.reads.page_facts import HandEvents
from scoring.tables.reads.state import Standing, is_veiled
from scoring.wording import filled

if TYPE_CHECKING:
    from scoring.tables.reads.log import LastChange

# --- What a log entry says, in one line

LEFT_OUT = "–"
BRACKETED = re.compile(r" (?:\(\{(\w+)\}\)|\[(\{(\w+)\})\])")
"""The place of a field in brackets: where it was left out, or says no, they are left out, too. Square ones never
show."""


def sentence(event: Mapping[str, Any], names: Sequence[str], pack: Pack, *, points: bool = True) -> str:
    """Describe what an event records, by the words of its kind; without ``points`` it says none that were made."""
    kind = event_kinds().get(event["type"])
    if kind is None:
        return str(event["type"])
    if (sentence := _dispute(event)) is not None:
        return sentence
    facts = _Facts()
    for field in kind.fields:
        value = event.get(field.name)
        if field.shown is not None and field.shown.least < 0 and isinstance(value, int):
            facts[field.name] = signed(value)
        elif field.type.name == "flag" and field.shown is not None:
            facts[field.name] = PAGE_LANGUAGE.translate(field.shown.label)
        else:
            facts[field.name] = _fact(field.type.name, value, names, pack)
        if field.type.name == "numbers" and value:
            facts["numbers"] = ", ".join(f"{name} {_number(each)}" for name, each in zip(names, value, strict=False))
    reason = event.get("reason")
    facts["why"] = f" ({reason})" if reason else ""
    if not points and kind.log_hidden:
        return PAGE_LANGUAGE.translate(kind.log_hidden)
    one = kind.log_one and abs(event[kind.counted]) == 1
    template = PAGE_LANGUAGE.translate(kind.log_one if one else kind.log)

    def told(place: re.Match[str]) -> str:
        bare = f" {place[2]}" if place[2] else place[0]
        return bare if event.get(place[1] or place[3]) not in (None, False) else ""

    return grammar.filled(spoken(), BRACKETED.sub(told, template), facts)


def _dispute(event: Mapping[str, Any]) -> str | None:
    mark = mark_of(event)
    number = None if mark is None else mark.get("id") or mark.get("of")
    if mark is None or number is None:
        return None
    state, text = mark.get("state") or mark.get("vote"), event.get("text", "")
    if state not in DisputeState.values:
        template = _("Dispute {number}, offered: {text}") if mark.get("proposes") else _("Dispute {number}: {text}")
        return filled(template, number=number, text=text)
    label = DisputeState(state).label
    if "vote" in mark:
        return filled(_("Dispute {number}, vote: {state}: {text}"), number=number, text=text, state=label)
    said = text.rstrip(".").casefold() == str(label).casefold()  # a ruling without words of its own
    template = _("Dispute {number}: {text}") if said else _("Dispute {number}, {state}: {text}")
    return filled(template, number=number, text=text, state=label)


class _Facts(dict[str, object]):
    """Facts of an event; one that was left out is a dash, however it is to be written."""

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
        return listed((face(self.pack, code).name for code in self.codes), "")


def _fact(kind: str, value: Any, names: Sequence[str], pack: Pack) -> object:
    if kind in ("cards", "card"):
        return _Cards((value,) if isinstance(value, str) else value or (), pack)
    if value is None:
        return LEFT_OUT
    if kind == "seat" and isinstance(value, int) and 0 <= value < len(names):
        return names[value]
    if kind == "options":
        return ", ".join(chosen_in_words(value)) or _("as they were")
    if kind == "suit":
        return grammar.Noun(next((_(suit.name) for suit in pack.suits if suit.code == value), str(value)))
    if kind == "choice":
        return PAGE_LANGUAGE.translate(value)
    return _Number(_number(value))


class _Number(str):
    """A number in words; a language may ask for one word or many after it."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        return f"{self!s} {form.split('|')[grammar.plural(spoken(), self)]}" if form else str(self)


def _number(value: object) -> str:
    return str(value).replace("-", MINUS, 1) if isinstance(value, int) else str(value)


LONGEST_UNDONE = 50
"""How much of what an undo takes back has room on the felt."""


def undoes(change: "LastChange", at: Standing, *, points: bool, lately: bool) -> dict[str, str]:
    """Describe what an undo takes back next, on its button; and, in a line, what the last one took back or was
    corrected.

    What was taken back is told only ``lately``. Without ``points`` it says none that were made.
    """
    said = {"label": "", "line": "", "took_back": ""}
    if change.undone_next is not None:
        what = sentence(change.undone_next, at.names, at.rules.pack, points=points)
        said["label"] = filled(_("Undo: {what}"), what=what)
        if change.corrected:
            brief = in_brief(change.undone_next, at, points=points)
            said["line"] = filled(_("Corrected. Undo will remove: {what}"), what=brief)
    if change.took_back and lately:
        what = ", ".join(in_brief(row.event or {}, at, points=points) for row in change.took_back)
        said["took_back"] = filled(_("Took back: {what}"), what=shorten(what, LONGEST_UNDONE, placeholder=" …"))
    return said


def in_brief(event: Mapping[str, Any], at: Standing, *, points: bool) -> str:
    """Describe what an event was where there is little room: of cards only whose they are and what they are called."""
    seat, codes = event.get("seat"), event.get("cards")
    if isinstance(seat, int) and isinstance(codes, list) and codes:
        cards = listed((face(at.rules.pack, code).short for code in codes), "")
        return filled(_("{name}’s {cards}"), name=at.names[seat], cards=cards)
    return shorten(sentence(event, at.names, at.rules.pack, points=points), LONGEST_UNDONE, placeholder=" …")


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

    Above the latest line of each trick stands which it is and who took it; ``tricks`` are those the rows belong to, by
    number, and a note goes with the trick before it. ``who``: with the name of who recorded each.
    """
    lines = [_log_line(entry, amended, at, points=points) for entry in reversed(entries)]
    groups: list[TrickOfRow | None] = []
    for line in reversed(lines):
        before = groups[-1] if groups else None
        here = tricks.get(line.seq) or before
        beside = here is not None and here.trick is None and before is not None and before.hand == here.hand
        groups.append(before if beside else here)
    told: TrickOfRow | None = None
    for place, here in enumerate(reversed(groups)):
        if here is not None and here != told:
            hand = filled(_("Hand {number}"), number=here.hand + 1)
            trick = "" if here.trick is None else filled(_("Trick {number}"), number=here.trick)
            taken = "" if here.winner is None else f"✓ {at.names[here.winner]}"
            lines[place] = replace(lines[place], above=" · ".join(filter(None, (hand, trick, taken))))
        told = here
    return [replace(line, who=holder(line.by, at.names)) for line in lines] if who else lines


def role_of(by: str, names: Sequence[str]) -> tuple[str, str, str]:
    """Split the name of a link (``Link.name``) into its role, its player's name, and its label.

    >>> role_of("player-1", ["Ann", "Bob"]), role_of("scorekeeper: Dora", ["Ann", "Bob"])
    (('player', 'Bob', ''), ('scorekeeper', '', 'Dora'))
    """
    role, _colon, label = by.partition(": ")
    kind, _dash, seat = role.partition("-")
    seated = seat.isdecimal() and int(seat) < len(names)
    return (kind, names[int(seat)], label) if seated else (role, "", label)


def holder(by: str, names: Sequence[str]) -> str:
    """Return how people call the holder of a link that recorded something (``Link.name``).

    >>> holder("player-1", ["Ann", "Bob"])
    'Bob'
    >>> holder("scorekeeper-0", ["Ann", "Bob"]), holder("scorekeeper: Dora", ["Ann", "Bob"])
    ('Ann (scorekeeper)', 'Dora (scorekeeper)')
    """
    role, name, label = role_of(by, names)
    if role == "scorekeeper" and (name or label):
        return filled(_("{name} (scorekeeper)"), name=name or label)
    roles = {"scorekeeper": _("Scorekeeper"), "member": _("a member"), "import": _("imported")}
    who = name or roles.get(role, role)
    return f"{who} ({label})" if label else who


def keeper_line(by: str, names: Sequence[str]) -> str:
    """Return whose phone keeps the score from here on, by how the log names the holder of its link (``Link.name``)."""
    _role, name, label = role_of(by, names)
    text = _("{name}’s phone keeps score from here on")
    return filled(text, name=name or label) if name or label else _("Another phone keeps score from here on")


def _log_line(entry: TableEvent, by_seq: Mapping[int, TableEvent], at: Standing, *, points: bool) -> LogLine:
    names, pack = at.names, at.rules.pack
    amended = by_seq.get(entry.amends or 0)
    was = sentence(amended.event, names, pack, points=points) if amended and amended.event else f"#{entry.amends}"
    if entry.event:
        text = sentence(entry.event, names, pack, points=points)
    elif entry.choosing and not entry.amends:
        keeper = "keeper" in entry.choosing
        own = at.row.carried_from is None
        text = keeper_line(entry.by, names) if keeper else _choosing(entry.choosing, names, points=points, own=own)
    else:
        text = filled(_("Taken back: {what}"), what=was)
    if entry.amends and entry.event:
        text = filled(_("Corrected: {what}, instead of: {was}"), what=text, was=was)
    irregular = bool(entry.event and entry.event.get("accepted"))
    reason = entry.reason or str((entry.event or {}).get(WHY, ""))
    return LogLine(entry.seq, text, entry.by, entry.at, entry.amended_by is not None, irregular, reason)


def _choosing(choosing: Mapping[str, Any], names: Sequence[str], *, points: bool, own: bool) -> str:
    """State that someone has chosen, never what; has agreed with something; or that an earlier table was corrected.

    ``own``: nothing comes from an earlier table, so it was the final scores of this one.
    """
    if "carried" in choosing:
        pairs = zip(names, choosing["carried"]["before"], choosing["carried"]["after"], strict=True)
        text = _("{name} {before} to {after}")
        starts = [filled(text, name=n, before=number(b), after=number(a)) for n, b, a in pairs if b != a]
        corrected = _("An earlier table was corrected. Totals this table starts from: {starts}")
        if own:
            corrected = _("Final scores corrected: {starts}")
        return filled(corrected, starts=", ".join(starts) if points else _("hidden until the game is over"))
    if "confirmed" in choosing:
        name, hand = names[choosing["seat"]], choosing["confirmed"] + 1
        return filled(_("{name} agrees with hand {hand}"), name=name, hand=hand)
    if "ruling" in choosing:
        return filled(_("{name} agrees with the ruling"), name=names[choosing["seat"]])
    if choosing["again"] and choosing["seat"] in choosing["again"]:
        return _("These choices clash: everyone chooses again")
    return filled(_("{name} has chosen"), name=names[choosing["seat"]])


# --- A hand event by event, to find the wrong entry


def history(at: Standing, hand: HandEvents) -> dict[str, Any]:
    """Return a hand trick by trick, and the places of its neighbours, counted from 0.

    A part without a number is what stands between tricks; ``first``: no part before this one is of the same trick.
    """
    winners = {trick["number"]: trick["winner"] for trick in hand.tricks}
    numbers = number_tricks([entry.event for entry in hand.entries], hand.tricks)
    parts: list[dict[str, Any]] = []
    for trick, group in groupby(zip(numbers, hand.entries, strict=True), key=lambda pair: pair[0]):
        winner = winners.get(trick)
        parts.append(
            {
                "number": trick,
                "first": all(part["number"] != trick for part in parts),
                "winner": None if winner is None else at.names[winner],
                "entries": [shown_entry(entry, at.names, at.rules.pack, points=not hand.hidden) for _, entry in group],
            }
        )
    return {
        "number": hand.index + 1,
        "before": hand.index or None,
        "after": hand.index + 2 if hand.index + 1 < hand.count else None,
        "tricks": parts,
    }


def shown_entry(entry: TableEvent, names: Sequence[str], pack: Pack, *, points: bool = True) -> dict[str, Any]:
    event = entry.event
    seat = event.get("seat")
    return {
        "seq": entry.seq,
        "name": names[seat] if isinstance(seat, int) and 0 <= seat < len(names) else "",
        "cards": [] if is_veiled(event) else [face(pack, code) for code in event.get("cards") or ()],
        "text": sentence(event, names, pack, points=points),
    }


# --- What a correction changes, in lines that people read before they save it


class ChangeLine(NamedTuple):
    """One line of what changes; ``kind`` is ``total``, ``trick``, ``finding``, ``winners`` or ``points``.

    ``cleared`` is a finding that goes away.
    """

    kind: str
    text: str


def moved_tricks(moved: Sequence[MovedEntry], names: Sequence[str], pack: Pack) -> list[dict[str, Any]]:
    return [
        {
            "number": trick,
            "plays": [
                {
                    "cards": [face(pack, code) for code in move.event.get("cards") or ()],
                    "before": names[move.entry.event["seat"]],
                    "after": names[move.event["seat"]],
                }
                for move in plays
            ],
        }
        for trick, plays in groupby(moved, key=lambda move: move.trick)
    ]


def change_lines(changes: Changes, names: Sequence[str], hand: int) -> Iterator[ChangeLine]:
    """Describe what changes: totals first, then tricks, what is irregular, and who wins."""
    for change in changes.totals:
        was, now = (LEFT_OUT if total is None else number(total) for total in (change["before"], change["after"]))
        text = _("{name} {before} to {after}")
        yield ChangeLine("total", filled(text, name=names[change["seat"]], before=was, after=now))
    for trick in changes.tricks:
        where = _("Trick {trick}") if trick["hand"] == hand else _("Hand {hand}, trick {trick}")
        place = filled(where, trick=trick["trick"], hand=trick["hand"] + 1)
        before, after = _winner(trick["before"], names), _winner(trick["after"], names)
        text = _("{place}: different points") if before == after else _("{place}: {after} instead of {before}")
        yield ChangeLine("trick", filled(text, place=place, after=after, before=before))
    for finding in changes.irregularities:
        if found := finding["after"] or finding["before"]:
            word = found["code"].replace("-", " ")
            act = _(word)
            if found["seat"] is not None:
                act = filled(_("{act} ({name})"), act=act, name=names[found["seat"]])
            text = _("Now a rule break: {what}") if finding["after"] else _("No longer a rule break: {what}")
            yield ChangeLine("finding" if finding["after"] else "cleared", filled(text, what=act))
    if changes.winners:
        winners = listed(names[seat] for seat in changes.winners["after"])
        text = _("Then {names} wins the game.") if winners else _("Then the game is not over.")
        yield ChangeLine("winners", filled(text, names=winners))


def later_lines(each: LaterTable, *, hidden: bool) -> tuple[str, tuple[ChangeLine, ...]]:
    """Describe what changes at a table at which the game went on: a title, and line by line."""
    row = each.at.row
    title = filled(_("Then at the next table, with {names}"), names=listed(row.seats))
    if hidden:
        return title, (ChangeLine("points", _("Points are hidden until the game is over.")),)
    return title, tuple(change_lines(each.changes, list(row.seats), 0))


def _winner(trick: TrickResult | None, names: Sequence[str]) -> str:
    winner = trick["winner"] if trick else None
    return _("no one") if winner is None else names[winner]
