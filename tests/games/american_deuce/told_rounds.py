"""Helpers for American Deuce rounds: events only this game has, at a table of four."""

from functools import partial
from typing import Any

from tests.referee.telling import Json, telling_of
from tests.referee.telling import judged as judged_of

TABLE: Json = {"game": "american-deuce", "players": 4, "dealer": 0}
hand, refused = telling_of("american-deuce", players=4, dealer=0)
judged = partial(judged_of, **TABLE)
NAMED: list[Json] = [{"type": "suit", "seat": seat, "suit": suit} for seat, suit in enumerate("SHC")]
"""Seat 0 is President-Elect; spades over hearts over clubs over diamonds."""


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
    hands = {key: cards for key, cards in more.items() if key[0] == "s" and key[1:].isdigit()}
    rest = {key: value for key, value in more.items() if key not in hands}
    entered = {key[1:]: cards.split() for key, cards in hands.items()}
    answer = judged({"events": events, "known": entered}, **rest)
    only: Json = answer["hands"][0] | {"rejected": answer["rejected"]}
    return only


def code_of(answer: Json) -> tuple[str, str] | None:
    rejected = answer["rejected"]
    return rejected and (rejected["verdict"], rejected["reason"]["code"])


RESTS_ON_NAMING = "said they held the king"
