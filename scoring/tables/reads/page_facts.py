"""Reads for a table's pages besides its state, and the irregularities of a whole game."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.engine.adjudication import View, describe_withdrawn
from referee.engine.event_kinds import SETTLES, Event
from referee.engine.events import HouseRules, Note
from referee.engine.game import event_kinds
from referee.engine.hand import Hand
from referee.engine.rulings import Certainty
from referee.engine.sheet import DescribedHand, DescribedTrick
from referee.engine.state import VOID
from scoring.groups.reads.statistics import PersonalBest, bests_at
from scoring.models import Precedent, Table, TableEvent
from scoring.rulings.reads.precedents import precedents_in
from scoring.tables.reads import state
from scoring.tables.reads.log import Reference, last_rows, references, rested_on, standing_events, standing_rows
from scoring.tables.reads.results import goes_on, known_by_totals, points_hidden
from scoring.tables.reads.state import LeftHands, Standing

ASKED_FOR = 5  # hands for which a finding asks for a decision; later it is shown only in the replay


@dataclass(frozen=True, slots=True)
class IrregularHand:
    """A hand with irregularities: its standing events, and the entries that settled any."""

    hand: Hand
    events: tuple[dict[str, Any], ...]
    settled: Mapping[int, Sequence[dict[str, Any]]]
    by: tuple[str, ...] = ()  # the recorder of each event, as in the log
    resting: tuple[tuple[TableEvent, ...], ...] = ()  # remedies, by finding that was withdrawn

    @property
    def undecided(self) -> bool:
        found = self.hand.irregularities
        return any(one.certainty is not Certainty.SEEN and one.event not in self.settled for one in found)


@dataclass(frozen=True, slots=True)
class PageFacts:
    """Scores of finished hands, whether points are hidden, and hands with irregularities.

    ``irregular`` is the current hand; ``undecided`` are earlier ones with a proved irregularity that is undecided.
    ``last`` is the last event, ``decided`` are the table's decisions in the current hand.
    """

    left: LeftHands
    hidden: bool
    irregular: IrregularHand | None = None
    undecided: tuple[IrregularHand, ...] = ()
    last: dict[str, Any] | None = None
    decided: tuple[dict[str, Any], ...] = ()
    precedents: tuple[Precedent, ...] = ()  # the group's decisions, if the hand has irregularities
    played: Sequence[Event] | None = None  # events of the last hand (``played_events``)
    goes_on: bool = False  # whether the game continues at another table, so that there is no winner yet
    totals_only: bool = False  # whether only the game's totals are known
    bests: tuple[PersonalBest, ...] = ()


def is_decision(event: dict[str, Any]) -> bool:
    """Return whether an event is a decision: it moved points or tricks, settled something, or changed rules."""
    kind = event_kinds().get(event.get("type", ""))
    if kind is not None and kind.event is HouseRules:
        return True
    return kind is not None and kind.settles and (kind.name != Note.type or SETTLES in event)


def decisions(entries: Sequence[TableEvent]) -> tuple[dict[str, Any], ...]:
    return tuple(filter(is_decision, (entry.event or {} for entry in entries)))


def page_facts(at: Standing) -> PageFacts:
    facts = _facts(at)
    bests = bests_at(at, facts.left)
    return replace(facts, bests=bests) if bests else facts


def _facts(at: Standing) -> PageFacts:
    left, hidden = state.left_before(at.row), points_hidden(at)
    continued = at.state.finished() and goes_on(at.row)
    if at.hand is None:
        return PageFacts(left, hidden)
    lately = [hand.number - 1 for hand in left.hands[-ASKED_FOR:] if hand.proved and hand.phase != str(VOID)]
    irregular_now = bool(at.hand.irregularities or at.hand.disproved())
    if not irregular_now and not lately:
        if not at.hand.settlements():
            known = known_by_totals(at.row, at.state)
            return PageFacts(left, hidden, goes_on=continued, totals_only=known)
        decided = decisions(standing_events(at.row, hand=at.hand.setup.index))
        last = last_rows(at.row, most=1)[0].event
        return PageFacts(left, hidden, last=last, decided=decided, goes_on=continued)
    here = [at.hand.setup.index] if irregular_now else []
    settled = references(at.row, (*lately, *here), SETTLES)
    undecided = [irregular_hand(at.row, state.hand_played(at.row, index), settled) for index in lately]
    irregular = irregular_hand(at.row, at.hand, settled) if here else None
    return PageFacts(
        left,
        hidden,
        irregular,
        tuple(hand for hand in undecided if hand.undecided),
        last=irregular.events[-1] if irregular else last_rows(at.row, most=1)[0].event,
        decided=tuple(filter(is_decision, irregular.events)) if irregular else (),
        precedents=precedents_in(at.row.group_id, at.row.game),
        played=state.played_events(at, irregular.events) if irregular else None,
        goes_on=continued,
    )


def irregular_hand(row: Table, hand: Hand, settled: Sequence[Reference]) -> IrregularHand:
    index = hand.setup.index
    entries = standing_events(row, hand=index)
    positions = {entry.place: position for position, entry in enumerate(entries)}
    remedies = defaultdict[int, list[TableEvent]](list)
    for each in settled:
        if each.hand == index and each.place in positions:
            remedies[positions[each.place]].append(each.row)
    seqs = [entry.seq for entry in entries]
    gone = [describe_withdrawn(one, hand, View(row.seats)) for one in hand.disproved()]
    resting = tuple(tuple(rested_on(one, remedies[one["event"][1]], seqs)) for one in gone)
    taken_back = {remedy.seq for rows in resting for remedy in rows}
    still: dict[int, list[dict[str, Any]]] = {}
    for position, rows in remedies.items():
        if decided := [remedy.event or {} for remedy in rows if remedy.seq not in taken_back]:
            still[position] = decided
    events = tuple(entry.event or {} for entry in entries)
    return IrregularHand(hand, events, still, tuple(entry.by for entry in entries), resting)


@dataclass(frozen=True, slots=True)
class HandEvents:
    """A hand event by event: its index among ``count`` hands, its tricks, and its standing events."""

    index: int
    count: int
    tricks: list[DescribedTrick]
    entries: list[TableEvent]
    hidden: bool


def hand_events(at: Standing, index: int | None = None) -> HandEvents | None:
    sheets = state.adjudication(at)["hands"]
    index = len(sheets) - 1 if index is None else index
    if not 0 <= index < len(sheets):
        return None
    entries = standing_events(at.row, hand=index)
    return HandEvents(index, len(sheets), sheets[index]["tricks"], entries, points_hidden(at))


@dataclass(frozen=True, slots=True)
class HandRulings:
    """A hand with rulings: what settled each act, by position, and other decisions."""

    hand: DescribedHand
    resting: tuple[tuple[TableEvent, ...], ...]  # remedies, by finding that was withdrawn
    settled: Mapping[int, Sequence[dict[str, Any]]]
    decided: tuple[dict[str, Any], ...]


def rulings_of_the_game(at: Standing) -> tuple[HandRulings, ...]:
    ruled = {hand["number"] - 1: hand for hand in state.adjudication(at)["hands"] if state.is_ruled(hand)}
    entries = defaultdict[int, list[TableEvent]](list)
    for entry in standing_rows(at.row).filter(hand__in=ruled).order_by("hand", "place"):
        entries[entry.hand].append(entry)
    settled = defaultdict[tuple[int, int], list[TableEvent]](list)
    for each in references(at.row, ruled, SETTLES):
        settled[each.hand, each.place].append(each.row)
    known = {remedy.seq for rows in settled.values() for remedy in rows}
    found = []
    for number, hand in ruled.items():
        its, seqs = entries[number], [entry.seq for entry in entries[number]]
        remedies = [settled.get((number, entry.place), []) for entry in its]
        resting = tuple(tuple(rested_on(one, remedies[one["event"][1]], seqs)) for one in hand.get("withdrawn", []))
        gone = {remedy.seq for rows in resting for remedy in rows}
        still = [[remedy.event or {} for remedy in rows if remedy.seq not in gone] for rows in remedies]
        decided = decisions([entry for entry in its if entry.seq not in known])
        found.append(HandRulings(hand, resting, dict(enumerate(still)), decided))
    return tuple(found)
