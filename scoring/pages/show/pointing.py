"""What somebody who calls the referee can point at: a card or a trick of a hand, or a line of its score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.engine.sheet import DescribedHand
from scoring.models import TableEvent
from scoring.pages.show.cards import Face, face
from scoring.pages.show.clauses import CitedSentence, cited
from scoring.pages.show.event_sentences import sentence
from scoring.queries.rules import game_of
from scoring.queries.state import Standing

LAST_TRICKS = 2


@dataclass(frozen=True, slots=True)
class CardToPoint:
    """A play that can be pointed at, by its position in the hand."""

    position: int
    name: str
    faces: tuple[Face, ...]
    text: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class TrickToPoint:
    """A trick that can be pointed at, with its cards."""

    number: int
    cards: tuple[CardToPoint, ...]
    chosen: bool


@dataclass(frozen=True, slots=True)
class Pointing:
    """A hand, from 0, its last tricks, and the line of its score that was pointed at, if one was."""

    hand: int
    tricks: tuple[TrickToPoint, ...]
    line: tuple[int, str, int, CitedSentence | None] | None

    @property
    def anything(self) -> bool:
        """Return whether something was pointed at already."""
        return self.line is not None or any(
            trick.chosen or any(each.chosen for each in trick.cards) for trick in self.tricks
        )


def pointing(
    at: Standing,
    hand: int,
    described: DescribedHand | None,
    about: Mapping[str, int | None],
    entries: Sequence[TableEvent],
) -> Pointing:
    """Return what can be pointed at in a hand: its last tricks, and the one that is pointed at.

    ``entries`` are the rows of the hand; what is not ``described`` has no tricks yet.
    """
    if described is None:
        return Pointing(hand, (), None)
    played: dict[tuple[int, tuple[str, ...]], int] = {}
    texts: dict[int, str] = {}
    for position, entry in enumerate(entries):
        event = entry.event or {}
        if event.get("type") == "play":
            played[event["seat"], tuple(event["cards"])] = position
            texts[position] = sentence(event, at.names, at.rules.pack)
    tricks = []
    for trick in described["tricks"]:
        cards = []
        for play in trick["plays"]:
            position = played.get((play["seat"], tuple(play.get("cards", ()))), -1)
            if position >= 0:
                faces = tuple(face(at.rules.pack, code) for code in play.get("cards", ()))
                chosen = about.get("event") == position
                cards.append(CardToPoint(position, at.names[play["seat"]], faces, texts[position], chosen))
        tricks.append(TrickToPoint(trick["number"], tuple(cards), about.get("trick") == trick["number"]))
    shown = [
        trick
        for place, trick in enumerate(tricks)
        if place >= len(tricks) - LAST_TRICKS or trick.chosen or any(each.chosen for each in trick.cards)
    ]
    lines, number = described["score_lines"], about.get("score_line")
    line = None
    if number is not None and 0 <= number < len(lines):
        score_line = lines[number]
        line = (
            number,
            at.names[score_line["seat"]],
            score_line["points"],
            cited(game_of(at.row), score_line["reason"]),
        )
    return Pointing(hand, tuple(reversed(shown)), line)
