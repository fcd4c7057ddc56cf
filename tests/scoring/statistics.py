"""Groups with many tables, and their statistics recomputed independently from exported records."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from fractions import Fraction
from random import Random
from typing import Any

from django.utils import timezone
from openskill.models import BradleyTerryFull

from referee.engine.records import load_record
from referee.engine.rules import Refused
from scoring.groups.acts.scores import score_before, score_table
from scoring.models import Group, SeatedPerson, Table
from scoring.tables.acts.exceptions import NotImported
from scoring.tables.acts.importing import import_record
from scoring.tables.reads.record_export import as_json
from tests.games.discovery import RANDOM, module_of

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal")
MANY = 200
CONTRACTS = "spades"
"""The game whose sides make a contract apart from nil bids; its bids are not recomputed here."""
Json = dict[str, Any]


def adopt(
    row: Table, group: Group, people: Sequence[int | None], *, over: int = 0, previous: Table | None = None
) -> Table:
    """Move a table into a group; ``over`` is the minute after midnight at which its game ended.

    ``previous`` is the table it continued.
    """
    row.group, row.previous = group, previous
    if row.finished:
        row.finished_at = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(minutes=over)
    row.save()
    SeatedPerson.objects.filter(table=row).delete()
    SeatedPerson.objects.bulk_create(
        SeatedPerson(table=row, seat=seat, person_id=person) for seat, person in enumerate(people) if person
    )
    score_table(row)
    score_before(row, end_changed=True)
    return row


def random_tables(group: Group, people: Sequence[int], *, seed: int, count: int) -> Iterator[Table]:
    """Import this many random tables into a group, most of them finished, seating its people and some guests.

    One finished table in four continues at the next one.
    """
    rng, chains, brought = Random(seed), Random(seed), 0
    went_on: Table | None = None
    while brought < count:
        data = RANDOM[rng.choice(sorted(RANDOM))](rng)
        if data.get("hands") and rng.random() < 0.8:
            data["hands"][-1]["events"] = [*data["hands"][-1]["events"], {"type": "end"}]
        with suppress(Refused, NotImported):  # some are refused as a whole: the next one
            row = import_record(data).table
            seats = rng.sample([*people, *[None] * 5], len(row.seats))
            if {people[0], people[-1]} <= {*seats}:  # so that these two can be merged
                seats[seats.index(people[-1])] = None
            # Of many, each ends a little before or after the previous one: a late one rerates its successors.
            over = rng.randrange(600) if count < MANY else brought + rng.randrange(5)
            yield adopt(row, group, seats, over=over, previous=went_on)
            went_on = row if row.finished and chains.random() < 0.25 else None
            brought += 1


def oracle(record: Json) -> Json:
    """Judge a record with its game's second adjudicator."""
    module = module_of(record["game"], "oracle")
    assert module is not None
    answer: Json = module.judge(record)
    return answer


def recomputed(group: Group, counts_as: dict[int, int]) -> dict[tuple[int, str], Json]:
    """Return the numbers of each person and game, from the exported records of finished tables."""
    told: dict[tuple[int, str], Json] = defaultdict(
        lambda: (
            {"tables": 0, "wins": Fraction(), "hands": None, "points": None, "best_hand": None}
            | {"tricks": None, "bids": None, "revokes": None, "rating": None}
        )
    )
    model = BradleyTerryFull()
    ratings: dict[tuple[int, str], Any] = {}
    tables = Table.objects.filter(group=group, finished=True).order_by("finished_at", "pk")
    for row in tables:
        judged = oracle(as_json(row))
        assert judged["finished"]
        people = dict(SeatedPerson.objects.filter(table=row).values_list("seat", "person"))
        who = {seat: counts_as.get(person, person) for seat, person in people.items()}
        record: Json = as_json(row)
        agreed: list[Json] = [event.get("options", {}) for hand in record["hands"] for event in hand["events"]]
        wins = [each["wins"] for each in [row.options, *agreed] if "wins" in each]
        lowest = row.game == "hearts" or wins[-1:] == ["lowest"]
        ended = not Table.objects.filter(previous=row).exists()
        carried = row.previous_id is None and any(row.carried)
        if carried and all(hand["phase"] != "finished" for hand in judged["hands"]):
            judged |= {"hands": None}  # such a game is known only by its totals
        for seat, person in who.items():
            _count(told[person, row.game], judged, seat, _bidders(row, seat), ended=ended, best=min if lowest else max)
            if row.game == CONTRACTS:
                told[person, row.game]["bids"] = None
        for game in (row.game, "") if ended else ():
            made = [-total for total in judged["totals"]] if lowest else judged["totals"]
            _rate(model, ratings, game, who, made, _sides(row))
    for (person, game), rating in ratings.items():
        told[person, game]["rating"] = (rating.mu, rating.sigma)
    return told


def _sides(row: Table) -> list[tuple[int, ...]]:
    sides = load_record(as_json(row)).rules.sides
    return sorted({tuple(sorted(side)) for side in sides})


def _bidders(row: Table, seat: int) -> tuple[int, ...]:
    """Return the seats whose bids and tricks count together: partners if they bid as one."""
    together = row.options.get("partner_bid") == "joint"
    return next(side for side in _sides(row) if seat in side) if together else (seat,)


def _count(told: dict[Any, Any], judged: Json, seat: int, side: Sequence[int], *, ended: bool, best: Any) -> None:
    """Count what a table brought a seat; ``ended`` says the game was over there; ``best`` picks the winner."""
    won = [each for each, total in enumerate(judged["totals"]) if total == best(judged["totals"])]
    told["tables"] += ended
    told["wins"] += Fraction(ended and seat in won, len(won))
    if judged["hands"] is None:
        return
    told["hands"] = told["hands"] or 0
    told["points"], told["revokes"] = told["points"] or 0, told["revokes"] or 0
    for hand in judged["hands"]:
        if hand["phase"] != "finished":
            continue
        score = hand["scores"][seat]
        told["hands"] += 1
        told["points"] += score
        told[best] = best(score, told.get(best, score))
        told["best_hand"] = told[max if max in told else min]  # a lowest score is best where no highest total won
        tricks = hand["tricks_won"][seat] if "tricks_won" in hand else 0
        if tricks is not None:
            told["tricks"] = (told["tricks"] or 0) + tricks
        if hand.get("bids") and None not in [hand[key][each] for key in ("bids", "tricks_won") for each in side]:
            off = sum(hand["tricks_won"][each] - hand["bids"][each] for each in side)
            kind = "over" if off > 0 else "under" if off < 0 else "made"
            told["bids"] = told["bids"] or {"made": 0, "over": 0, "under": 0}
            told["bids"][kind] += 1
        told["revokes"] += sum(
            found["code"] == "revoke" and found["seat"] == seat and found["certainty"] in ("seen", "proved")
            for found in hand.get("irregularities", ())
        )


def _rate(
    model: BradleyTerryFull,
    ratings: dict[tuple[int, str], Any],
    game: str,
    who: dict[int, int],
    totals: Sequence[int],
    sides: Sequence[tuple[int, ...]],
) -> None:
    def rating(seat: int) -> Any:
        return ratings.get((who.get(seat, 0), game)) or model.rating()

    teams = [[rating(seat) for seat in side] for side in sides]
    after = model.rate(teams, scores=[totals[side[0]] for side in sides])
    for side, team in zip(sides, after, strict=True):
        for seat, new in zip(side, team, strict=True):
            if seat in who:
                ratings[who[seat], game] = new
