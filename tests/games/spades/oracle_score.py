"""A side's score in Spades, computed plainly from clauses SP-9 to SP-12 for the second adjudicator."""

from __future__ import annotations

from typing import Any

Told = tuple[Any, int, str, bool]  # bid, own tricks, the outcome of a nil, whether it was blind
PRICES = {"ten": (10, 100), "five": (5, 50)}


def side_score(options: dict, told: list[Told], gained: int, account: int) -> tuple[int, int]:
    """The points of a side in a hand, and its bags afterwards."""
    points = bags = 0
    plain = [each for each in told if not each[2]]
    failed = [each for each in told if each[2] == "failed"]
    counting = plain + (failed if options["failed_nil"] == "count" else [])
    contract, own = sum(bid for bid, *_ in plain), sum(tricks for _, tricks, *_ in counting)
    helped = own + (gained if plain else 0)
    if helped < contract:
        points -= 10 * contract
    else:
        points += 10 * contract
        bags += max(0, own - contract)
    for _, tricks, nil, blind in told:
        worth = 0 if not nil else int(options["nil"]) * (2 if blind else 1)
        points += worth if nil == "made" else -worth
        if nil == "failed" and options["failed_nil"] == "bags":
            bags += tricks
    points += bags * options["overtrick"]
    account += bags
    if options["bags"] in PRICES:
        limit, price = PRICES[options["bags"]]
        while account >= limit:
            account -= limit
            points -= price
    return points, account
