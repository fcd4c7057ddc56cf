"""Short words for rounds of American Deuce: ``0:8S+8H 1:- 2:9S+9H`` are two pairs and a pass."""

from typing import Any

from tests.referee.telling import accepted
from tests.referee.telling import hand as hand_of
from tests.referee.telling import judged as judged_of
from tests.referee.telling import refused as refused_in

Json = dict[str, Any]
TABLE: Json = {"game": "american-deuce", "players": 4, "dealer": 0}
NAMED: list[Json] = [{"type": "suit", "seat": seat, "suit": suit} for seat, suit in enumerate("SHC")]
"""Seat 0 is President-Elect; spades over hearts over clubs over diamonds."""


def moves(text: str) -> list[Json]:
    """Read plays and passes; a ``!`` has the table accept one."""
    return [_move(word) for word in text.split()]


def _move(word: str) -> Json:
    seat, cards = word.rstrip("!").split(":")
    event: Json = {"type": "pass", "seat": int(seat)}
    if cards != "-":
        event = {"type": "play", "seat": int(seat), "cards": cards.split("+")}
    return accepted(event) if word.endswith("!") else event


def name(seat: int, suit: str) -> Json:
    """Have a seat name a suit."""
    return {"type": "suit", "seat": seat, "suit": suit}


def drop(king: int | None, given: str | None = "?", returned: str | None = "?", *, constipated: bool = False) -> Json:
    """Drop a deuce."""
    if king is None:
        given = returned = None
    return {
        "type": "drop-deuce", "king": king, "constipated": constipated, "given": given, "returned": returned,
    }  # fmt: skip


def left(*cards: int) -> Json:
    """Record the rest of the round by the cards left."""
    return {"type": "result", "cards_left": list(cards)}


def judged(*hands: list[Json] | Json, **more: Any) -> Json:
    """Judge a record; seat 0 is the first President-Elect."""
    return judged_of(*hands, **(TABLE | more))


def hand(*events: Json | list[Json], **more: Any) -> Json:
    """Judge one round, all of it taken."""
    return hand_of(*events, **(TABLE | more))


def refused(*events: Json | list[Json], **more: Any) -> tuple[str, str]:
    """Return the answer to the last event."""
    return refused_in(*events, **(TABLE | more))


def with_known(events: list[Json], **more: Any) -> Json:
    """Judge one round of which some hands were entered: ``s0="3S 3H ..."``."""
    hands = {key: cards for key, cards in more.items() if key[0] == "s" and key[1:].isdigit()}
    rest = {key: value for key, value in more.items() if key not in hands}
    entered = {key[1:]: cards.split() for key, cards in hands.items()}
    answer = judged({"events": events, "known": entered}, **rest)
    only: Json = answer["hands"][0] | {"rejected": answer["rejected"]}
    return only


def code_of(answer: Json) -> tuple[str, str] | None:
    """Return how the event that stopped a record was answered."""
    rejected = answer["rejected"]
    return rejected and (rejected["verdict"], rejected["reason"]["code"])
