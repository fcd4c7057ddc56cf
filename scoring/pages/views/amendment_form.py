"""What the pages of a correction hold while it is put together: the event that is right, and what goes with it."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import BadRequest
from django.http import QueryDict

from referee.engine.asks import Ask, Field
from referee.engine.catalogue import event_kinds
from referee.engine.event_kinds import Event
from referee.engine.options import Refused
from referee.engine.reading import dump_event, load_event, stored_event
from referee.engine.rethreading import is_threaded
from scoring.models import TableEvent
from scoring.pages.show.cards import face
from scoring.pages.show.forms import read_form
from scoring.pages.show.numbers import whole
from scoring.queries.log import standing_events, state_before
from scoring.queries.state import Standing
from scoring.services.amending import Amendment, Change
from scoring.services.exceptions import MovedOn

LONGEST_REASON = 2000
MOST_TOGETHER, LONGEST_CHANGE = 20, 2000
MOST_ROWS = 2**31
Fields = tuple[tuple[str, str], ...]
"""What a form holds, name by name."""
ALSO, STRUCK = "also", "struck"
"""Other corrections that are made together with this one; the row from which on everything is struck."""


@dataclass(frozen=True, slots=True)
class AmendmentForm:
    """A correction of an entry, as it was tapped together.

    ``also`` are other entries that are corrected in the same go, such as the second of two cards that were swapped.
    """

    at: Standing
    entry: TableEvent
    data: QueryDict

    def amendment(self) -> Amendment:
        """Return the correction; raises ``Refused`` where its event is none, ``MovedOn`` where nothing asks for it."""
        struck = self.struck()
        rows = {later.seq for later in struck}
        others = [change for change in self.also() if change.seq not in rows | {self.entry.seq}]
        return Amendment(
            seq=self.entry.seq,
            event=self.event(),
            reason=self.data.get("why", "").strip()[:LONGEST_REASON],
            also=(*others, *(Change(seq=seq, event=None) for seq in rows)),
            rethread=bool(self.data.get("rethread")),
            keep_seats=bool(self.data.get("keep_seats")),
        )

    def threaded(self) -> "AmendmentForm":
        """Return the same correction, with which the plays of its hand go to whose turn it then is."""
        data = self.data.copy()
        data["rethread"] = "1"
        return replace(self, data=data)

    def event(self) -> Event | None:
        """Return the event that stands in the place of the entry; nothing where it is struck."""
        if self.data.get("strike"):
            return None
        asks = self.asks()
        read = read_form(self.data, asks) or read_form(self.data, asks_at(self.at, self.entry))
        if read is None:
            raise MovedOn(version=self.at.row.version)
        return load_event(read)

    def also(self) -> list[Change]:
        """Return the other corrections, one an entry; raises ``BadRequest`` for what this page did not write."""
        changes = [_change(text) for text in self.data.getlist(ALSO)[:MOST_TOGETHER]]
        last = {change.seq: change for change in changes}
        last.pop(self.entry.seq, None)
        return list(last.values())

    def asks(self) -> list[Ask]:
        """Return what could be recorded at the place of the entry, once the other corrections are made."""
        return asks_at(self.at, self.entry, {change.seq: change.event for change in self.also()})

    def struck(self) -> list[TableEvent]:
        """Return the entries that are struck with it: one, by its row, and all that came after it."""
        entries = standing_events(self.at.row)
        rows = [entry.seq for entry in entries]
        first = whole(self.data.get(STRUCK, ""))
        return entries[rows.index(first) :] if first in rows else []

    def taps(self) -> list[dict[str, object]]:
        """Return the struck plays and passes as taps that wait: whose they are follows from the turn."""
        pack = self.at.rules.pack
        events = [stored_event(entry.event) for entry in self.struck()]
        taps: list[dict[str, object]] = []
        for play in (dump_event(event, pack) for event in events if is_threaded(event)):
            cards = play.get("cards")
            codes = [str(code) for code in cards] if isinstance(cards, list) else []
            label = ", ".join(face(pack, code).name for code in codes)
            taps.append({"event": play["type"], "cards": codes, "label": label})
        return taps

    def fields(self, **more: str) -> Fields:
        """Return what the form holds, to send it once more with ``more``."""
        left_out = ("csrfmiddlewaretoken", "version", "why", *more)
        held = tuple((name, value) for name, values in self.data.lists() for value in values if name not in left_out)
        return held + tuple((name, value) for name, value in more.items() if value)

    def fields_accepting(self, seq: int, event: Event) -> Fields:
        """Return what the form holds, with consent to what an entry says: this one, or another."""
        if seq == self.entry.seq:
            return self.fields(accepted="1")
        others = (change for change in self.also() if change.seq != seq)
        also = [*map(self._written, others), self._written(Change(seq=seq, event=replace(event, accepted=True)))]
        return self.fields(also="") + tuple((ALSO, text) for text in also)

    def with_another(self, but: int | None = None) -> str:
        """Return what an address carries along when another entry is corrected together with this one.

        The correction of ``but``, the row of that entry, is left to its form.
        """
        changes = [*self.also(), Change(seq=self.entry.seq, event=self.event())]
        return carried([self._written(change) for change in changes if change.seq != but])

    def carried(self) -> list[str]:
        """Return the other corrections as a form holds them."""
        return [self._written(change) for change in self.also()]

    def in_the_way(self) -> TableEvent | None:
        """Return the earlier entry of the hand with the card, or the suit, that this form would repeat."""
        event = self.event()
        if event is None:
            return None
        wanted, changed = _said_once(dump_event(event, self.at.rules.pack)), {change.seq for change in self.also()}
        entries = standing_events(self.at.row, hand=self.entry.hand)
        earlier = [each for each in entries if each.place < self.entry.place and each.seq not in changed]
        return next((each for each in earlier if wanted & _said_once(each.event)), None)

    def _written(self, change: Change) -> str:
        event = None if change.event is None else dump_event(change.event, self.at.rules.pack)
        return json.dumps({"seq": change.seq, "event": event})


def asks_at(at: Standing, entry: TableEvent, changes: Mapping[int, Event | None] | None = None) -> list[Ask]:
    """Return what could be recorded at the place of an entry, with some other rows changed."""
    hand = state_before(at.row, entry, changes).hand
    assert hand is not None
    there = [each.event for each in standing_events(at.row, hand=entry.hand)]
    asks = [replace(ask, fields=tuple(_with_named(ask, field, there) for field in ask.fields)) for ask in hand.asks()]
    return [*asks, *hand.table_asks()]


def _with_named(ask: Ask, field: Field, there: Iterable[Mapping[str, Any]]) -> Field:
    """Let a suit be chosen that another entry of the same kind names: that one may be wrong, too."""
    if field.kind != "suit" or not field.choices:
        return field
    named = (event.get(field.name) for event in there if event["type"] == ask.event)
    return replace(field, choices=tuple(dict.fromkeys((*field.choices, *filter(None, named)))))


def _said_once(event: Mapping[str, Any]) -> set[str]:
    """Return the cards of an event, or else its suits: no two entries of its kind have them."""
    cards: set[str] = set()
    suits: set[str] = set()
    for field in event_kinds()[event["type"]].fields:
        value = event.get(field.name)
        if value and field.type.name in ("cards", "card"):
            cards.update([value] if isinstance(value, str) else value)
        elif value and field.type.name == "suit":
            suits.add(f"{event['type']} {value}")
    return cards - {"?"} or suits


def carried(also: list[str]) -> str:
    """Return other corrections as an address carries them along; empty without any."""
    return urlencode([(ALSO, text) for text in also])


def _change(text: str) -> Change:
    try:
        if len(text) > LONGEST_CHANGE:
            raise ValueError(text)
        data = json.loads(text)
        return Change(seq=_row(data["seq"]), event=None if data["event"] is None else load_event(data["event"]))
    except (ValueError, KeyError, TypeError, RecursionError, Refused) as why:
        raise BadRequest(f"{ALSO} is no correction") from why


def _row(number: object) -> int:
    if not isinstance(number, int) or not 0 < number < MOST_ROWS:
        raise ValueError(number)
    return number
