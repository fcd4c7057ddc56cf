"""Differences between two judgements of a record: after a correction, or under other house rules (REC-22)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import TypedDict, TypeVar

from referee.engine.sheet import DescribedHand, DescribedIrregularity, DescribedTable, TrickOutcome

Key = TypeVar("Key")
Item = TypeVar("Item")


class TrickResult(TypedDict):
    """The winner of a trick, and its points by seat."""

    winner: int | None
    points: dict[str, int]


class TrickChange(TypedDict):
    """A trick of a hand, before and after; null if it does not exist."""

    hand: int
    trick: int
    before: TrickResult | None
    after: TrickResult | None


class TotalChange(TypedDict):
    """A seat's total, before and after."""

    seat: int
    before: int | None
    after: int | None


class ScoreChange(TotalChange):
    """A seat's score in a hand, before and after."""

    hand: int


class FindingChange(TypedDict):
    """An irregularity of a hand that disappears (`before`) or appears (`after`)."""

    hand: int
    before: DescribedIrregularity | None
    after: DescribedIrregularity | None


class WinnersChange(TypedDict):
    """The winning seats, before and after."""

    before: list[int]
    after: list[int]


class DescribedChanges(TypedDict):
    """All differences, each with its state before and after."""

    tricks: list[TrickChange]
    scores: list[ScoreChange]
    totals: list[TotalChange]
    irregularities: list[FindingChange]
    winners: WinnersChange | None


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged hand: its sheet, and the place in the record of each of its events."""

    number: int
    sheet: DescribedHand
    places: Sequence[int]


@dataclass(frozen=True)
class Changes:
    """All differences, each with its state before and after; falsy if there are none."""

    tricks: list[TrickChange] = field(default_factory=list)
    scores: list[ScoreChange] = field(default_factory=list)
    totals: list[TotalChange] = field(default_factory=list)
    irregularities: list[FindingChange] = field(default_factory=list)
    winners: WinnersChange | None = None

    def without_points(self) -> "Changes":
        """Return the changes that may be shown while points are hidden: winners and irregularities."""
        tricks: list[TrickChange] = []
        for change in self.tricks:
            results = change["before"], change["after"]
            before, after = (each and TrickResult(winner=each["winner"], points={}) for each in results)
            tricks.append({**change, "before": before, "after": after})
        return Changes(tricks=tricks, irregularities=self.irregularities, winners=self.winners)

    def without_winners(self) -> "Changes":
        """Return the changes without winners, for a table whose game continues at another one."""
        return replace(self, winners=None)

    def __bool__(self) -> bool:
        return any(vars(self).values())


def compare(
    before: Iterable[Judged],
    after: Iterable[Judged],
    totals: tuple[DescribedTable, DescribedTable],
    *,
    stopped: bool = False,
) -> Changes:
    """Compare two judgements of a table; if the second ``stopped`` early, only what was judged is compared."""
    hands = matched({hand.number: hand for hand in before}, {hand.number: hand for hand in after})
    changes = Changes()
    for number, was, now in sorted(hands, key=lambda each: each[0]):
        if stopped and now is None:
            continue
        tricks = (hand.sheet["tricks"] if hand else () for hand in (was, now))
        changes.tricks.extend(
            change
            for change in trick_changes(number, *tricks)
            if not stopped or (change["after"] and change["after"]["winner"] is not None)
        )
        if not stopped:
            scores = (hand.sheet["scores"] if hand else () for hand in (was, now))
            changes.scores.extend({"hand": number, **change} for change in _seats(*scores))
        for _, was_found, is_found in matched(_findings(was), _findings(now)):
            if (is_found is None and not stopped) or was_found is None:
                changes.irregularities.append({"hand": number, "before": was_found, "after": is_found})
    if stopped:
        return changes
    changes.totals.extend(_seats(totals[0]["totals"], totals[1]["totals"]))
    ahead_then, ahead_now = (each["winners"] for each in totals)
    if ahead_then != ahead_now:
        return replace(changes, winners={"before": ahead_then, "after": ahead_now})
    return changes


def matched(before: Mapping[Key, Item], after: Mapping[Key, Item]) -> Iterator[tuple[Key, Item | None, Item | None]]:
    """Yield every key with its items before and after, ``None`` if missing; new keys come last."""
    for key in {**before, **after}:
        yield key, before.get(key), after.get(key)


def trick_changes(hand: int, before: Iterable[TrickOutcome], after: Iterable[TrickOutcome]) -> Iterator[TrickChange]:
    """Yield the tricks whose winner or points differ."""
    old, new = (
        {trick["number"]: TrickResult(winner=trick["winner"], points=trick["points"]) for trick in tricks}
        for tricks in (before, after)
    )
    for trick, was, now in sorted(matched(old, new), key=lambda each: each[0]):
        if was != now:
            yield {"hand": hand, "trick": trick, "before": was, "after": now}


def goes_elsewhere(change: TrickChange) -> bool:
    """Return whether a trick that exists both before and after has a different winner."""
    before, after = change["before"], change["after"]
    return before is not None and after is not None and before["winner"] != after["winner"]


def _seats(old: Sequence[int | None], new: Sequence[int | None]) -> Iterable[TotalChange]:
    for seat, (before, after) in enumerate(zip_longest(old, new)):
        if before != after:
            yield {"seat": seat, "before": before, "after": after}


def _findings(hand: Judged | None) -> dict[object, DescribedIrregularity]:
    """Index findings by content and by the places of their events, which do not move when an event is struck."""
    known: dict[object, DescribedIrregularity] = {}
    if hand is None:
        return known
    for found in hand.sheet["irregularities"]:
        events = [found["event"], *found["proved_by"], *found.get("claims", ())]
        stood = tuple(hand.places[event] if event < len(hand.places) else None for _, event in events)
        key = found["code"], found["certainty"], found["seat"], tuple(found["suspects"]), found["trick"], stood
        known[key] = found
    return known
