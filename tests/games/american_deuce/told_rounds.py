"""Helpers for American Deuce rounds: events only this game has, at a table of four."""

from functools import partial
from typing import Any

from tests.referee import telling
from tests.referee.telling import Json, known, telling_of

TABLE: Json = {"game": "american-deuce", "players": 4, "dealer": 0}
hand, refused = telling_of("american-deuce", players=4, dealer=0)
judged, refusal = partial(telling.judged, **TABLE), partial(telling.refusal, **TABLE)
IRREGULAR, IMPOSSIBLE = "irregular", "impossible"
NAMED: list[Json] = [{"type": "suit", "seat": seat, "suit": suit} for seat, suit in enumerate("SHC")]
"""Seat 0 is President-Elect; spades over hearts over clubs over diamonds."""
HERS = "4D 5S 6S 7S 8S 9S 10S JS QS KS AS 5H 6H"
"""A hand of the President-Elect without the King of Diamonds and without a 2."""
HIS = "KD 2D 3D 5D 6D 7D 8D 9D 10D JD QD AD 3C"
"""A hand with the King and a 2."""


def name(seat: int, suit: str) -> Json:
    return {"type": "suit", "seat": seat, "suit": suit}


def drop(king: int | None, given: str | None = "?", returned: str | None = "?", *, constipated: bool = False) -> Json:
    if king is None:
        given = returned = None
    return {
        "type": "drop-deuce", "king": king, "constipated": constipated, "given": given, "returned": returned,
    }  # fmt: skip


def left(*cards: int) -> Json:
    return {"type": "result", "cards_left": list(cards)}


def with_known(events: list[Json], **more: Any) -> Json:
    """Judge one round with some hands entered: ``s0="3S 3H ..."``."""
    hands = {key: more.pop(key) for key in [*more] if key[0] == "s" and key[1:].isdigit()}
    answer = judged(known(events, **hands), **more)
    only: Json = answer["hands"][0] | {"rejected": answer["rejected"]}
    return only


def code_of(answer: Json) -> str | None:
    """Return the code with which an event was refused, if one was."""
    return answer["rejected"] and answer["rejected"]["reason"]["code"]
