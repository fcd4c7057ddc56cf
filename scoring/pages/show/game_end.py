"""The end of a game: its best hand, and all that was irregular or decided in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.engine.sheet import DescribedIrregularity
from referee.engine.table import add_up
from scoring.pages.show.clauses import ClauseLink, clause_links
from scoring.pages.show.event_sentences import sentence
from scoring.pages.show.findings import (
    WithdrawnShown,
    certainty,
    finding_word,
    is_announced,
    show_withdrawn,
    who_of,
)
from scoring.pages.show.score_sheet import ScoreSheet
from scoring.queries.rules import game_of
from scoring.queries.rulings import HandRulings
from scoring.queries.state import Standing

MOST_ALIKE = 3
"""So many best hands are named where several brought the same."""


def best_hand(sheet: ScoreSheet) -> str:
    """Say which hand brought most, and to whom: all that did, partners as one. Empty where there is no choice."""
    settled = [hand for hand in sheet.hands if hand.settled]
    if not sheet.shown or len(settled) < 2:
        return ""
    nothing = (0,) * len(sheet.names)
    brought = [
        (points, hand.number, " & ".join(sheet.names[seat] for seat in sheet.rules.sides[side]))
        for hand in settled
        for side, points in enumerate(add_up(sheet.rules, nothing, [points or 0 for points in hand.scores]))
        if side == sheet.rules.sides[side][0]
    ]
    most = max(points for points, _number, _who in brought)
    if most <= 0:
        return ""
    alike = [_("{name} (hand {number})").format(name=who, number=n) for points, n, who in brought if points == most]
    who = ", ".join(alike[:MOST_ALIKE]) + (", …" if len(alike) > MOST_ALIKE else "")
    sentence = ngettext("Best hand, {points} point: {who}.", "Best hand, {points} points: {who}.", most)
    return sentence.format(points=most, who=who)


class FoundShown(NamedTuple):
    """An irregularity of a game that is over: whose it was, how it is known, by which clauses, what became of it."""

    word: str
    who: str
    certainty: str
    trick: int | None
    links: tuple[ClauseLink, ...]
    settled: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuledHand:
    """A hand in which something was irregular, or the table decided something."""

    number: int
    found: tuple[FoundShown, ...]
    withdrawn: tuple[WithdrawnShown, ...]
    decided: tuple[str, ...]


def ruled_hands(at: Standing, rulings: tuple[HandRulings, ...], *, points: bool) -> Iterator[RuledHand]:
    """Return what was ruled in each hand, as far as there is anything to be told; without ``points`` none is named."""
    names, pack = at.names, at.rules.pack
    for ruled in rulings:
        last = at.hand if at.hand is not None and at.hand.setup.index == ruled.hand["number"] - 1 else None
        found = tuple(
            _found(each, ruled, at, points=points) for each in ruled.hand["irregularities"] if is_announced(each, last)
        )
        decided = tuple(sentence(event, names, pack, points=points) for event in ruled.decided)
        pairs = zip(ruled.hand.get("withdrawn", []), ruled.resting, strict=True)
        gone = tuple(show_withdrawn(each, rows, at, points=points) for each, rows in pairs)
        if found or gone or decided:
            yield RuledHand(ruled.hand["number"], found, gone, decided)


def _found(found: DescribedIrregularity, ruled: HandRulings, at: Standing, *, points: bool) -> FoundShown:
    settled = ruled.settled.get(found["event"][1], ())
    return FoundShown(
        word=finding_word(found),
        who=who_of(found, at.names),
        certainty=certainty(found["certainty"]),
        trick=found["trick"],
        links=clause_links(game_of(at.row), found["reason"]["clauses"]),
        settled=tuple(sentence(event, at.names, at.rules.pack, points=points) for event in settled),
    )
