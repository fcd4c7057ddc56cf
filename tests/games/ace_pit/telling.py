"""Helpers for Ace Pit hands: tricks and results without cards, at a table of two."""

from tests.referee.telling import Json, telling_of

hand, refused = telling_of("ace-pit", players=2)


def trick(winner: int, points: int, key: int | None = None) -> Json:
    return {"type": "trick", "winner": winner, "points": {str(winner if key is None else key): points}}


def result(*points: int) -> Json:
    return {"type": "result", "points": list(points)}
