"""What a correction changes: trick winners, scores and irregularities, before and after."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypedDict

from referee.engine.sheet import DescribedHand, DescribedIrregularity, DescribedTable, DescribedTrick


class TrickResult(TypedDict):
    """Who won a trick, and what it was worth, by seat."""

    winner: int | None
    points: dict[str, int]


class TrickChange(TypedDict):
    """A trick of a hand, before and after; ``None`` where it was not there."""

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
    """What differs, each with what was before and what is after; empty where nothing does."""

    tricks: list[TrickChange] = field(default_factory=list)
    scores: list[ScoreChange] = field(default_factory=list)
    totals: list[TotalChange] = field(default_factory=list)
    irregularities: list[FindingChange] = field(default_factory=list)
    winners: WinnersChange | None = None

    def described(self) -> DescribedChanges:
        """Return the changes as JSON-like data."""
        return {
            "tricks": self.tricks,
            "scores": self.scores,
            "totals": self.totals,
            "irregularities": self.irregularities,
            "winners": self.winners,
        }

    def without_points(self) -> "Changes":
        """Return what of it may be shown where points are hidden: who wins tricks and the game, what is irregular."""
        tricks: list[TrickChange] = [
            {**change, "before": _without_points(change["before"]), "after": _without_points(change["after"])}
            for change in self.tricks
        ]
        return Changes(tricks=tricks, irregularities=self.irregularities, winners=self.winners)

    def without_winners(self) -> "Changes":
        """Return what of it concerns a table from which the game goes on: nobody wins there."""
        return replace(self, winners=None)

    def __bool__(self) -> bool:
        return any(self.described().values())


def _without_points(trick: TrickResult | None) -> TrickResult | None:
    return None if trick is None else {"winner": trick["winner"], "points": {}}


def compare(
    before: Iterable[Judged],
    after: Iterable[Judged],
    totals: tuple[DescribedTable, DescribedTable],
    *,
    stopped: bool = False,
) -> Changes:
    """Compare hands, and where the table stands, before and after.

    Where judging ``stopped`` at an event that is no longer taken, only what was judged is compared.
    """
    old, new = {h.number: h for h in before}, {h.number: h for h in after}
    changes = Changes()
    for number in sorted(old.keys() | new.keys()):
        was, now = old.get(number), new.get(number)
        if stopped and now is None:
            continue
        changes.tricks.extend(_tricks(number, was, now, stopped=stopped))
        if not stopped:
            changes.scores.extend(_scores(number, was, now))
        changes.irregularities.extend(_irregularities(number, was, now, stopped=stopped))
    if stopped:
        return changes
    changes.totals.extend(_seats(totals[0]["totals"], totals[1]["totals"]))
    winners: WinnersChange | None = None
    if totals[0]["winners"] != totals[1]["winners"]:
        winners = {"before": totals[0]["winners"], "after": totals[1]["winners"]}
    return Changes(changes.tricks, changes.scores, changes.totals, changes.irregularities, winners)


def _tricks(number: int, was: Judged | None, now: Judged | None, *, stopped: bool) -> Iterable[TrickChange]:
    old = {trick["number"]: _trick(trick) for trick in (was.sheet["tricks"] if was else ())}
    new = {trick["number"]: _trick(trick) for trick in (now.sheet["tricks"] if now else ())}
    for trick in sorted(old.keys() | new.keys()):
        before, after = old.get(trick), new.get(trick)
        reached = after is not None and after["winner"] is not None
        if before != after and (reached or not stopped):
            yield {"hand": number, "trick": trick, "before": before, "after": after}


def _trick(trick: DescribedTrick) -> TrickResult:
    return {"winner": trick["winner"], "points": trick["points"]}


def _scores(number: int, was: Judged | None, now: Judged | None) -> Iterable[ScoreChange]:
    for change in _seats(was.sheet["scores"] if was else (), now.sheet["scores"] if now else ()):
        yield {"hand": number, **change}


def _seats(old: Sequence[int | None], new: Sequence[int | None]) -> Iterable[TotalChange]:
    seats = max(len(old), len(new))
    before, after = ([*numbers, *[None] * (seats - len(numbers))] for numbers in (old, new))
    for seat in range(seats):
        if before[seat] != after[seat]:
            yield {"seat": seat, "before": before[seat], "after": after[seat]}


def _irregularities(number: int, was: Judged | None, now: Judged | None, *, stopped: bool) -> Iterable[FindingChange]:
    """Tell findings apart by what they say and by the places of their events, which a struck event does not move."""
    old, new = _findings(was), _findings(now)
    if not stopped:
        for gone in (found for key, found in old.items() if key not in new):
            yield {"hand": number, "before": gone, "after": None}
    for come in (found for key, found in new.items() if key not in old):
        yield {"hand": number, "before": None, "after": come}


def _findings(hand: Judged | None) -> dict[object, DescribedIrregularity]:
    if hand is None:
        return {}
    return {_key(found, hand.places): found for found in hand.sheet["irregularities"]}


def _key(found: DescribedIrregularity, places: Sequence[int]) -> object:
    events = [found["event"], *found["proved_by"], *found.get("claims", ())]
    stood = tuple(places[event] if event < len(places) else None for _, event in events)
    return found["code"], found["certainty"], found["seat"], tuple(found["suspects"]), found["trick"], stood
