"""Helpers for events at a Spades table.

Four play in partnerships unless stated otherwise, and Dee (seat 3) deals first, so seat 0 bids and leads first.
"""

from functools import partial

from tests.referee.telling import Json, bids, judged, known, plays, refusal, result, telling_of

hand, refused = telling_of("spades", players=4)
spades = partial(judged, game="spades", players=4)
refusal_of = partial(refusal, game="spades", players=4)


def bid(*numbers: int, first: int = 0) -> list[Json]:
    """Bid these tricks, seat by seat from 0; the seat ``first`` is at the dealer's left."""
    turns = [(first + step) % len(numbers) for step in range(len(numbers))]
    return bids(" ".join(f"{seat}:{numbers[seat]}" for seat in turns))


def blind(seat: int, tricks: int = 0) -> Json:
    return {"type": "bid", "seat": seat, "tricks": tricks, "blind": True}


def scored(bid_of: str, took: str, **more: object) -> list[int]:
    """Return each seat's points for bids and tricks such as ``"3 4 4 2"``, seat by seat."""
    each: list[int] = hand(bid(*map(int, bid_of.split())), result(*map(int, took.split())), **more)["scores"]
    return each


def quick(bid_of: str, took: str, number: int = 0) -> list[Json]:
    """Record a hand by its result; ``number`` hands came before it."""
    numbers = [int(each) for each in bid_of.split()]
    return [*bid(*numbers, first=number % len(numbers)), result(*map(int, took.split()))]


def first_side(bid_of: str, took: str, **more: object) -> tuple[int, int]:
    """Return the points of the first side after a hand, and its bags."""
    answer = spades(quick(bid_of, took), **more)
    return answer["totals"][0], answer["hands"][0]["bags"][0]


def entered(text: str, *, options: Json | None = None, **hands: str) -> Json:
    """Judge cards played after bids of 3, with some hands entered: ``s0="2S 3S ..."``."""
    return spades(known([*bid(3, 3, 3, 3), *plays(text)], **hands), options=options or {})


def codes(each: Json) -> list[str]:
    return [line["reason"]["code"] for line in each["score_lines"]]
