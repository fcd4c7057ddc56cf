"""What a correction changes: trick winners, scores and irregularities, before and after."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Data = Mapping[str, Any]
MISSING: Data = {}


@dataclass(frozen=True, slots=True)
class Judged:
    """A hand as it was judged: its sheet, and for each of its events the place in the record."""

    number: int
    sheet: Data
    places: Sequence[int]


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs, each with what was before and what is after; empty where nothing does."""

    tricks: list[dict[str, Any]] = field(default_factory=list)
    scores: list[dict[str, Any]] = field(default_factory=list)
    totals: list[dict[str, Any]] = field(default_factory=list)
    irregularities: list[dict[str, Any]] = field(default_factory=list)
    winners: dict[str, Any] | None = None

    def described(self) -> dict[str, Any]:
        """Return the changes as JSON-like data."""
        return {
            "tricks": self.tricks,
            "scores": self.scores,
            "totals": self.totals,
            "irregularities": self.irregularities,
            "winners": self.winners,
        }

    def __bool__(self) -> bool:
        return any(self.described().values())


def compare(
    before: Iterable[Judged], after: Iterable[Judged], totals: tuple[Data, Data], *, stopped: bool = False
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
    changes.totals.extend(_seats({}, totals[0]["totals"], totals[1]["totals"]))
    winners = None
    if totals[0]["winners"] != totals[1]["winners"]:
        winners = {"before": totals[0]["winners"], "after": totals[1]["winners"]}
    return Changes(changes.tricks, changes.scores, changes.totals, changes.irregularities, winners)


def _sheet(hand: Judged | None) -> Data:
    return MISSING if hand is None else hand.sheet


def _tricks(number: int, was: Judged | None, now: Judged | None, *, stopped: bool) -> Iterable[dict[str, Any]]:
    old = {trick["number"]: _trick(trick) for trick in _sheet(was).get("tricks") or ()}
    new = {trick["number"]: _trick(trick) for trick in _sheet(now).get("tricks") or ()}
    for trick in sorted(old.keys() | new.keys()):
        before, after = old.get(trick), new.get(trick)
        reached = after is not None and after["winner"] is not None
        if before != after and (reached or not stopped):
            yield {"hand": number, "trick": trick, "before": before, "after": after}


def _trick(trick: Data) -> dict[str, Any]:
    return {"winner": trick["winner"], "points": trick.get("points") or {}}


def _scores(number: int, was: Judged | None, now: Judged | None) -> Iterable[dict[str, Any]]:
    old, new = _sheet(was).get("scores") or (), _sheet(now).get("scores") or ()
    return _seats({"hand": number}, old, new)


def _seats(where: Data, old: Sequence[int | None], new: Sequence[int | None]) -> Iterable[dict[str, Any]]:
    seats = max(len(old), len(new))
    before, after = ([*numbers, *[None] * (seats - len(numbers))] for numbers in (old, new))
    for seat in range(seats):
        if before[seat] != after[seat]:
            yield {**where, "seat": seat, "before": before[seat], "after": after[seat]}


def _irregularities(number: int, was: Judged | None, now: Judged | None, *, stopped: bool) -> Iterable[dict[str, Any]]:
    """Tell findings apart by what they say and by the places of their events, which a struck event does not move."""
    old, new = _findings(was), _findings(now)
    if not stopped:
        yield from ({"hand": number, "before": found, "after": None} for key, found in old.items() if key not in new)
    yield from ({"hand": number, "before": None, "after": found} for key, found in new.items() if key not in old)


def _findings(hand: Judged | None) -> dict[object, dict[str, Any]]:
    if hand is None:
        return {}
    return {_key(found, hand.places): found for found in hand.sheet.get("irregularities") or ()}


def _key(found: Data, places: Sequence[int]) -> object:
    events = [found["event"], *found["proved_by"], *found.get("claims", ())]
    stood = tuple(places[event] if event < len(places) else None for _, event in events)
    return found["code"], found["certainty"], found["seat"], tuple(found["suspects"]), found["trick"], stood
