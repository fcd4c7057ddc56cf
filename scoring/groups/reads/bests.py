"""Personal bests: a person's highest-scoring hands at a game."""

from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import Max, Min, Sum

from referee.engine.state import FINISHED
from scoring.groups.reads.group_tables import counted, with_who
from scoring.models import SeatScore
from scoring.tables.reads.results import points_hidden
from scoring.tables.reads.state import LeftHands, Standing

FEWEST_BEFORE = 3
"""Finished hands needed before a best is announced; a first hand would always be one."""


class PersonalBest(NamedTuple):
    """A personal best: a hand (numbered from 1) that scored more than any before; ``before`` is the previous best.

    If the lowest total wins, the hand scored less.
    """

    seat: int
    hand: int
    points: int
    before: int


class _Own(NamedTuple):
    """A seat's candidate hand, and its earlier scores at this table."""

    hand: int
    points: int
    earlier: tuple[int, ...]


def bests_at(at: Standing, left: LeftHands) -> tuple[PersonalBest, ...]:
    """Return the personal bests of the last hand or, once the game is over, of all its hands.

    A hand is compared with the same person's finished hands at the same game in the group's statistics, under any house
    rules and with any number of players, and with those of this table, so it agrees with the best hand in the
    statistics. Tables where the lowest total wins are compared only among themselves. Guests have no bests, and nobody
    has while points are hidden. Costs no query if no hand can be a best, two otherwise.
    """
    hand, rules = at.hand, at.rules
    if at.row.group_id is None or hand is None or hand.phase is not FINISHED or points_hidden(at):
        return ()
    made = [(each.number, each.scores) for each in left.hands if each.phase == str(FINISHED)]
    made.append((hand.setup.index + 1, hand.scores() or (None,) * rules.players))
    own = {seat: found for seat in range(rules.players) if (found := _own(at, made, seat)) is not None}
    if not own:
        return ()
    seats = with_who(SeatScore.objects.filter(table=at.row, seat__in=own)).values_list("seat", "who")
    people = {seat: who for seat, who in seats if who is not None}
    best = Min("best_hand") if rules.lowest_wins else Max("best_hand")
    rows = counted(at.row.group_id).exclude(table=at.row).filter(game=at.row.game, lowest=rules.lowest_wins)
    sums = with_who(rows).filter(who__in=people.values()).order_by().values("who")
    known = {who: (hands, most) for who, hands, most in sums.annotate(n=Sum("hands"), most=best).values_list(*SUMMED)}
    return tuple(_bests(at, own, people, known) if people else ())


SUMMED = ("who", "n", "most")


def _own(at: Standing, made: list[tuple[int, tuple[int | None, ...]]], seat: int) -> _Own | None:
    worth, scores = at.rules.worth, [(number, points[seat] or 0) for number, points in made]
    first = 0 if at.state.finished() else len(scores) - 1
    number, points = max(scores[first:], key=lambda each: worth(each[1]))
    earlier = tuple(each for _number, each in scores[:first])
    beaten = any(worth(each) >= worth(points) for each in earlier)
    return None if beaten or (points <= 0 and not at.rules.lowest_wins) else _Own(number, points, earlier)


def _bests(
    at: Standing, own: dict[int, _Own], people: dict[int, int], known: dict[int, tuple[int | None, int | None]]
) -> Iterator[PersonalBest]:
    for seat, who in sorted(people.items()):
        hands, most = known.get(who, (0, None))
        hand, points, earlier = own[seat]
        before = max([*earlier, *([] if most is None else [most])], key=at.rules.worth, default=None)
        enough = (hands or 0) + len(earlier) >= FEWEST_BEFORE
        if enough and before is not None and at.rules.worth(points) > at.rules.worth(before):
            yield PersonalBest(seat, hand, points, before)
