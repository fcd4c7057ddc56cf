"""Ace Pit told to the referee: plays in one line, tricks and results without their cards."""

from typing import Any

from tests.referee.telling import accepted
from tests.referee.telling import hand as hand_of
from tests.referee.telling import refused as refused_in

Json = dict[str, Any]


def hand(*events: Json | list[Json], **more: Any) -> Json:
    """Judge one hand of two players, seat 0 laying first."""
    return hand_of(*events, game="ace-pit", players=2, **more)


def refused(*events: Json | list[Json], **more: Any) -> tuple[str, str]:
    """Return the answer to the last event."""
    return refused_in(*events, game="ace-pit", players=2, **more)


def told_plays(text: str) -> list[Json]:
    """Read plays such as ``0:8H 1:7H+9H``; a ``!`` has the table accept one."""
    events = []
    for word in text.split():
        seat, cards = word.rstrip("!").split(":")
        event = {"type": "play", "seat": int(seat), "cards": cards.split("+")}
        events.append(accepted(event) if word.endswith("!") else event)
    return events


def trick(winner: int, points: int, key: int | None = None) -> Json:
    return {"type": "trick", "winner": winner, "points": {str(winner if key is None else key): points}}


def result(*points: int) -> Json:
    return {"type": "result", "points": list(points)}
