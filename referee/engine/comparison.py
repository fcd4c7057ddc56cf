"""Differences between two judgements of a record: before and after a correction, or under other house rules
(REC-22).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import TypedDict, TypeVar

from referee.engine.sheet import DescribedHand, DescribedIrregularity, DescribedTable, TrickOutcome

Key = TypeVar("Key")
Item = TypeVar("Item")


class TrickResult(TypedDict):
    """Who won a trick, and what it was worth, by seat."""

    winner: int | None
    points: dict[str, int]


class TrickChange(TypedDict):
    """A trick of a hand, before and after; ``None`` if it was not there."""

    hand: int
    trick: int
    before: TrickResult | None
    after: TrickResult | None


class TotalChange(TypedDict):
    """What a seat has in total, before and after."""

    seat: int
    before: int | None
    after: int | None


class ScoreChange(TotalChange):
    """What a seat has of a hand, before and after."""

    hand: int


class FindingChange(TypedDict):
    """An irregularity of a hand that goes (``before``) or comes (``after``)."""

    hand: int
    before: DescribedIrregularity | None
    after: DescribedIrregularity | None


class WinnersChange(TypedDict):
    """The seats that win, before and after."""

    before: list[int]
    after: list[int]


class DescribedChanges(TypedDict):
    """What differs, each with what was before and what is after."""

    tricks: list[TrickChange]
    scores: list[ScoreChange]
    totals: list[TotalChange]
    irregularities: list[FindingChange]
    winners: WinnersChange | None


@dataclass(frozen=True, slots=True)
class Judged:
    """A hand as it was judged: its sheet, and for each of its events the place in the record."""

    number: int
    sheet: DescribedHand
    places: Sequence[int]


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs, each with what was before and what is after; empty if nothing does."""

    tricks: list[TrickChange] = field(default_factory=list)
    scores: list[ScoreChange] = field(default_factory=list)
    totals: list[TotalChange] = field(default_factory=list)
    irregularities: list[FindingChange] = field(default_factory=list)
    winners: WinnersChange | None = None

    def described(self) -> DescribedChanges:
        return {
            "tricks": self.tricks,
            "scores": self.scores,
            "totals": self.totals,
            "irregularities": self.irregularities,
            "winners": self.winners,
        }

    def without_points(self) -> "Changes":
        """Return the changes that may be shown while points are hidden: winners and irregularities."""
        tricks: list[TrickChange] = []
        for change in self.tricks:
            results = change["before"], change["after"]
            before, after = (each and TrickResult(winner=each["winner"], points={}) for each in results)
            tricks.append({**change, "before": before, "after": after})
        return Changes(tricks=tricks, irregularities=self.irregularities, winners=self.winners)

    def without_winners(self) -> "Changes":
        """Return what of it concerns a table from which the game goes on: no one wins there."""
        return replace(self, winners=None)

    def __bool__(self) -> bool:
        return any(self.described().values())


def compare(
    before: Iterable[Judged],
    after: Iterable[Judged],
    totals: tuple[DescribedTable, DescribedTable],
    *,
    stopped: bool = False,
) -> Changes:
    """Compare hands, and where the table stands, before and after. Where judging ``stopped`` at an event that is no
    longer taken, only what was judged is compared."""
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
    """Yield every key with its items before and after, ``None`` if there is none; keys that came are last."""
    for key in {**before, **after}:
        yield key, before.get(key), after.get(key)


def trick_changes(hand: int, before: Iterable[TrickOutcome], after: Iterable[TrickOutcome]) -> Iterator[TrickChange]:
    """Yield the tricks whose winner or worth changes."""
    old, new = (
        {trick["number"]: TrickResult(winner=trick["winner"], points=trick["points"]) for trick in tricks}
        for tricks in (before, after)
    )
    for trick, was, now in sorted(matched(old, new), key=lambda each: each[0]):
        if was != now:
            yield {"hand": hand, "trick": trick, "before": was, "after": now}


def goes_elsewhere(change: TrickChange) -> bool:
    """Return whether a trick that was played both times has another winner."""
    before, after = change["before"], change["after"]
    return before is not None and after is not None and before["winner"] != after["winner"]


def _seats(old: Sequence[int | None], new: Sequence[int | None]) -> Iterable[TotalChange]:
    for seat, (before, after) in enumerate(zip_longest(old, new)):
        if before != after:
            yield {"seat": seat, "before": before, "after": after}


def _findings(hand: Judged | None) -> dict[object, DescribedIrregularity]:
    """Tell findings apart by what they say and by the places of their events, which a struck event does not move."""
    known: dict[object, DescribedIrregularity] = {}
    if hand is None:
        return known
    for found in hand.sheet["irregularities"]:
        events = [found["event"], *found["proved_by"], *found.get("claims", ())]
        stood = tuple(hand.places[event] if event < len(hand.places) else None for _, event in events)
        key = found["code"], found["certainty"], found["seat"], tuple(found["suspects"]), found["trick"], stood
        known[key] = found
    return known
