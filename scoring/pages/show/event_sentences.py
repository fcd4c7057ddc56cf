"""What a log entry says, in one line."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import shorten
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from referee.engine.catalogue import event_kinds
from referee.engine.translation import OBJECT
from referee.packs import Pack
from scoring.models import DisputeState
from scoring.pages.show.cards import face
from scoring.pages.show.house_rules import chosen_in_words
from scoring.pages.show.numbers import signed
from scoring.pages.show.translation import PAGE_LANGUAGE
from scoring.queries.disputes import mark_of
from scoring.queries.state import Standing


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
