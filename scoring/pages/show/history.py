"""A hand event by event, for whoever looks for the entry that is wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from referee.engine.sheet import DescribedTrick
from referee.notation.write import number_tricks
from referee.packs import Pack
from scoring.models import TableEvent
from scoring.pages.show.cards import Face, face
from scoring.pages.show.event_sentences import sentence
from scoring.queries.page_facts import HandEvents
from scoring.queries.state import Standing


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
    for number, group in groupby(zip(numbers, entries, strict=True), key=lambda pair: pair[0]):
        winner = winners.get(number)
        shown = tuple(shown_entry(entry, names, pack, points=points) for _, entry in group)
        first = all(part.number != number for part in parts)
        parts.append(TrickEntries(number, first, None if winner is None else names[winner], shown))
    return parts


def shown_entry(entry: TableEvent, names: Sequence[str], pack: Pack, *, points: bool = True) -> EntryShown:
    """Return an event as it can be tapped; without ``points`` it says none that were made."""
    event = entry.event
    cards = tuple(face(pack, code) for code in event.get("cards") or ())
    seat = event.get("seat")
    name = names[seat] if isinstance(seat, int) and 0 <= seat < len(names) else ""
    return EntryShown(entry.seq, name, cards, sentence(event, names, pack, points=points))
