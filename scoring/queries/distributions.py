"""How often a hand of a game has brought so many points, and how often so many tricks were won on so high a bid."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.db.models import QuerySet, Sum, TextField
from django.db.models.functions import Cast

from scoring.models import Group
from scoring.queries.kept import cached_for_group
from scoring.queries.seat_rows import Chosen, counted, people_counted


@dataclass(frozen=True, slots=True)
class Distributions:
    """Of the hands of a game: how many brought so many points, how often (bid, won) came, and what is not known.

    ``untold`` are hands, each counted for every seat looked at, whose record does not tell who won the tricks.
    """

    scores: Mapping[int, int]
    bids: Mapping[tuple[int, int], int]
    untold: int


@cached_for_group
def distributions(group: Group, chosen: Chosen, *, person: int | None = None) -> Distributions:
    """Return how the hands of all seats at a game have gone, or of those of a person, guests included."""
    rows = counted(group.pk, chosen).order_by()
    if person is not None:
        people = people_counted(group)
        rows = rows.filter(person__in=people.spellings(people.counts_as.get(person, person)))
    bids: Counter[tuple[int, int]] = Counter()
    for bid, won, count in chain.from_iterable(_all(rows.exclude(bids_made=None), "bids")):
        bids[bid, won] += count
    untold = rows.aggregate(hands=Sum("untold"))["hands"] or 0
    return Distributions(dict(Counter(chain.from_iterable(_all(rows, "scores")))), dict(bids), untold)


def _all(rows: QuerySet[Any], column: str) -> Any:
    """Return what stands in a column of JSON, row by row; read at once, for there may be some thousand rows."""
    written = rows.annotate(written=Cast(column, TextField())).values_list("written", flat=True)
    return json.loads(f"[{','.join(written)}]")


@cached_for_group
def most_played(group: Group, chosen: Chosen) -> str:
    """Return the game of which most hands are looked at; empty where none was played."""
    games = counted(group.pk, chosen).order_by().values("game").annotate(all_hands=Sum("hands"))
    return max(((each["all_hands"], each["game"]) for each in games), default=(0, ""))[1]
