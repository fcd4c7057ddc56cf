"""Results of tables, what may be shown of them, and points carried over to the next table."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, TypedDict

from django.db.models import Prefetch, Q, QuerySet, TextField
from django.db.models.functions import Cast

from referee.engine.adjudication import describe_changed
from referee.engine.rules import Refused
from referee.engine.rulings import Certainty
from referee.engine.shapes import Named
from referee.engine.sheet import Adjudication, ChangedState, DescribedHand, PerSeat
from referee.engine.table import TableState
from referee.engine.texts import ENGLISH, Language
from scoring.models import Group, SeatScore, Table
from scoring.tables.reads import state
from scoring.tables.reads.access import HEAVY, PLAYED
from scoring.tables.reads.rules import rules_of
from scoring.tables.reads.state import Standing

# --- Successive tables of a game, and points carried over

LOWEST = "lowest"  # source of a newcomer's points: the last place's total (``Table.carried_from``)
MOST_TABLES = 30  # how many tables back former players are remembered


def next_of(row: Table) -> Table | None:
    """Return the table that continues this one."""
    read = vars(row)
    found: Table | None = read["following"] if "following" in read else Table.objects.filter(previous=row).first()
    return found


def goes_on(row: Table) -> bool:
    read = vars(row)
    return bool(read["following"]) if "following" in read else Table.objects.filter(previous=row).exists()


def tables_before(row: Table) -> Iterator[Table]:
    for _ in range(MOST_TABLES):
        earlier = None if row.previous_id is None else Table.objects.filter(pk=row.previous_id).first()
        if earlier is None:
            return
        yield earlier
        row = earlier


def known_by_totals(row: Table, state: TableState) -> bool:
    """Return whether only the totals of a game are known: it is finished and has no hands."""
    brought = row.previous_id is None and any(row.carried)
    return brought and state.finished() and not state.hands_done()


def by_distance(totals: Sequence[Sequence[int]]) -> dict[int, Sequence[int]]:
    """Index totals of successive tables, oldest first, by how many tables back they were made.

    >>> by_distance([(1, 2), (3, 4)])
    {2: (1, 2), 1: (3, 4)}
    """
    return {len(totals) - place: each for place, each in enumerate(totals)}


def carried_now(row: Table, totals: Mapping[int, Sequence[int]]) -> tuple[int, ...]:
    """Return the points carried over, given totals by how many tables back; fixed points stay."""
    now = list(row.carried)
    for place, source in enumerate(row.carried_from or ()):
        if source == LOWEST:
            now[place] = min(totals.get(1, (now[place],)), key=rules_of(row).worth)
        elif isinstance(source, list):
            back, seat = source
            made = totals.get(back, ())
            now[place] = made[seat] if seat < len(made) else now[place]
    return tuple(now)


# --- Visibility: points may be hidden, and proved findings held back
# The game decides whether points are hidden, the table whether revokes are held back until the end of the hand; all
# callers must ask here.


def may_hide_points(row: Table) -> bool:
    rules = rules_of(row)
    return rules.game.hides_points(rules.options)


def points_hidden(at: Standing) -> bool:
    """Return whether points are hidden: until the game is over, including its later tables."""
    if not at.rules.game.hides_points(at.rules.options):  # this option can't change between hands
        return False
    if not at.state.finished():
        return True
    following = next_of(at.row)
    return following is not None and points_hidden(state.standing_now(following))


def adjudication_shown(
    at: Standing, *, points: bool = False, keeps: bool = False, language: Language = ENGLISH,
    hands: Sequence[int] | None = None,
) -> Adjudication:  # fmt: skip
    """Describe what may be shown of the given hands, by default all.

    ``keeps``: for the scorekeeper, with findings held back from others.
    """
    shown = state.adjudication(at, language, points=points or not points_hidden(at), hands=hands)
    if keeps or not is_held_back(at):
        return shown
    last = None if at.hand is None else at.hand.setup.index + 1
    return {**shown, "hands": [without_held(each) if each["number"] == last else each for each in shown["hands"]]}


def is_held_back(at: Standing) -> bool:
    return at.hand is not None and at.hand.holds_back()


def without_held(hand: DescribedHand) -> DescribedHand:
    return {**hand, "irregularities": [one for one in hand["irregularities"] if one["certainty"] == SEEN]}


SEEN = Certainty.SEEN.value


def changed_shown(
    at: Standing, before: TableState, *, keeps: bool = False, language: Language = ENGLISH
) -> ChangedState:
    """Describe changes, without what is hidden; ``keeps``: for the scorekeeper."""
    points = not points_hidden(at)
    return describe_changed(at.state, before, at.names, language=language, points=points, held=keeps)


class HandScored(TypedDict):
    """The scores of a hand, by seat."""

    number: int
    phase: Annotated[str, Named("Phase")]
    scores: PerSeat


class ScoredSheet(TypedDict):
    """The scores of all hands, and the totals; null where unsettled or hidden."""

    hands: list[HandScored]
    totals: PerSeat


def sheet_shown(at: Standing, *, points: bool = False) -> ScoredSheet:
    hidden: PerSeat | None = None if points or not points_hidden(at) else [None] * len(at.names)
    played: list[state.LeftHand] = []
    if at.hand is not None:
        played = [*state.left_before(at.row).hands[: at.hand.setup.index], state.LeftHand.over(at.hand)]
    hands: list[HandScored] = [
        {"number": hand.number, "phase": hand.phase, "scores": hidden or list(hand.scores)} for hand in played
    ]
    return {"hands": hands, "totals": hidden or list(at.state.totals())}


def totals_shown(at: Standing) -> tuple[int, ...] | None:
    return None if points_hidden(at) else at.state.totals()


# --- Results by seat, and players' agreement
# Stored for finished games, and computed for others, such as one ended by the clock without a write: reads don't write.


@dataclass(frozen=True, slots=True)
class Result:
    """Points made at a table by seat, partners added up, without carried points; ``None`` if hidden.

    ``first`` are the leading or winning seats. ``totals_only``: nothing else is known of the game, and the carried
    points are its result. ``sides`` maps each seat to the lowest seat of its side, ``places`` to its place, from 1;
    partners and tied players share one.
    """

    points: tuple[int, ...] | None
    totals: tuple[int, ...] | None
    finished: bool
    hand: int = 0
    goes_on: bool = False
    first: tuple[int, ...] = ()
    totals_only: bool = False
    sides: tuple[int, ...] = ()
    places: tuple[int, ...] = ()

    @property
    def ranks(self) -> tuple[int, ...]:
        """The places of a finished game; empty if hidden."""
        return self.places if self.finished and not self.goes_on else ()

    @property
    def winners(self) -> tuple[int, ...]:
        return self.first if self.finished and not self.goes_on else ()

    @property
    def leaders(self) -> tuple[int, ...]:
        return self.first if not self.finished and len(set(self.totals or ())) > 1 else ()


def heads() -> QuerySet[Table]:
    """Return tables for lists, with their neighbors and without heavy columns."""
    before = Prefetch("previous", Table.objects.only("code"))
    return Table.objects.defer(*HEAVY).annotate(played=PLAYED).prefetch_related(before)


def results_of(rows: Sequence[Table]) -> dict[int, Result]:
    """Return the results of a group's tables by id, in a constant number of queries."""
    if not rows:
        return {}
    stored = defaultdict[int, list[SeatScore]](list)
    scores = SeatScore.objects.filter(table__in=[row.pk for row in rows]).order_by("table", "seat")
    for score in scores.only("table", "total", "rank", "side", "finished_at", "goes_on", "hands"):
        stored[score.table_id].append(score)
    results, running = dict[int, Result](), list[Table]()
    for row in rows:
        own = stored[row.pk]
        over = row.finished or any(score.finished_at for score in own)
        if over and own and len(own) == len(row.seats):  # none if the game ended before its first hand did
            totals, places = tuple(score.total for score in own), tuple(score.rank for score in own)
            sides, known = tuple(score.side for score in own), own[0].hands is None
            found = Result(
                totals, totals, finished=True, goes_on=own[0].goes_on, totals_only=known, sides=sides, places=places
            )
            results[row.pk] = _shown(row, found, hide=own[0].finished_at is None)
        else:
            running.append(row)
    at_work = worked_out([row.pk for row in running]) if running else {}
    for row in running:
        if (at := at_work.get(row.pk)) is not None:
            hand = 1 if at.hand is None else at.hand.setup.index + 1
            totals, rules = tuple(at.state.totals()), at.state.rules
            sides = tuple(min(side) for side in rules.sides)
            others = dict(zip(sides, totals, strict=True)).values()
            places = tuple(rules.rank(total, others) for total in totals)
            known, more = known_by_totals(at.row, at.state), {"sides": sides, "places": places}
            found = Result(totals, totals, at.state.finished(), hand, goes_on(at.row), totals_only=known, **more)
            results[row.pk] = _shown(row, found, hide=points_hidden(at))
    return results


def _shown(row: Table, found: Result, *, hide: bool) -> Result:
    """Hide a result's points, or take out the carried ones and say who is first."""
    if hide:
        return Result(None, None, found.finished, found.hand, found.goes_on, sides=found.sides)
    points = found.totals or ()
    if not found.totals_only:
        points = tuple(total - carried for total, carried in zip(points, row.carried, strict=True))
    return replace(found, points=points, first=tuple(seat for seat, place in enumerate(found.places) if place == 1))


def worked_out(wanted: Collection[int]) -> dict[int, Standing]:
    found: dict[int, Standing] = {}
    for row in state.listed(Table.objects.filter(pk__in=wanted)):
        try:
            found[row.pk] = state.standing_now(row)
        except Refused:
            continue
    return found


def tables_over(group: Group) -> QuerySet[Table]:
    """Return the group's finished tables, including those whose time has run out."""
    tables = Table.objects.filter(group=group)
    return tables.filter(Q(finished=True) | Q(pk__in=_counting(group)) | Q(pk__in=ended_by_clock(group)))


def ended_by_clock(group: Group) -> list[int]:
    tables = Table.objects.filter(group=group, finished=False).alias(ends=Cast("end", TextField()))
    timed = (
        tables.filter(ends__contains=f'"{state.TIME}"').exclude(pk__in=_counting(group)).values_list("pk", flat=True)
    )
    wanted = list(timed)
    return [pk for pk, at in worked_out(wanted).items() if at.state.finished()] if wanted else []


def _counting(group: Group) -> QuerySet[SeatScore, int]:
    return SeatScore.objects.filter(group=group, finished_at__isnull=False).values_list("table", flat=True)


def hand_scores(at: Standing, number: int) -> list[int | None]:
    hand = at.hand
    if hand is not None and hand.setup.index == number:
        scores = hand.scores()
        return [None] * len(at.names) if scores is None or not hand.is_over() else list(scores)
    return list(state.left_before(at.row).hands[number].scores)


def confirmations(at: Standing) -> Mapping[int, Mapping[int, int]]:
    last = -1 if at.hand is None else at.hand.setup.index
    return {
        int(number): {int(seat): seq for seat, seq in sorted(agreed["seats"].items())}
        for number, agreed in sorted(at.row.agreed.items(), key=lambda item: int(item[0]))
        if int(number) <= last and agreed["scores"] == hand_scores(at, int(number))
    }
