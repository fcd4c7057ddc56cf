"""The tables that a game goes on at: whatever changes the totals of one reaches those after it.

What a table carries is worked out from the totals of the tables before it (``Table.carried_from``). Tables are held
from the oldest on, and the scores of a group after them, so that no two acts wait for each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.engine.adjudication import describe_table
from referee.engine.bounds import Watch
from referee.engine.comparison import Changes, compare
from referee.engine.table import TableState, open_table
from referee.engine.translation import phrase
from scoring.models import Table, TableEvent
from scoring.queries.chains import by_distance, carried_now, next_of
from scoring.queries.log import as_it_was, dealt_hands, standing_events
from scoring.queries.replaying import Stop, replay_hands
from scoring.queries.rules import rules_of
from scoring.queries.state import Standing, standing
from scoring.services.exceptions import AlreadyContinued, NotDone
from scoring.services.rewriting import JudgedAgain, rewrite
from scoring.services.turn import Turn


@dataclass(frozen=True, slots=True)
class LaterTable:
    """A table after one that changes: as it stands, what it carries then, its hands judged again, what changes there.

    Where the game goes on at yet another one, nobody wins it here, and ``changes`` tell no winners.
    """

    at: Standing
    carried: tuple[int, ...]
    judged: JudgedAgain
    changes: Changes

    @property
    def stop(self) -> Stop | None:
        """Return what would no longer be taken there."""
        return self.judged.stop


class ChangesLaterTables(NotDone):
    """What somebody who wants to see it first does would change the tables at which the game went on."""

    def __init__(self, tables: Sequence[LaterTable]) -> None:
        super().__init__(phrase("This changes the totals that a later table begins with."))
        self.tables = tables


def later_tables(turn: Turn) -> list[LaterTable]:
    """Judge the tables that go on from this one again, oldest first; only those that change are returned.

    They are held. Raises ``AlreadyContinued`` where this table would not be over any more, and what judging raises.
    """
    if not turn.row.finished or not turn.entries:
        return []  # nobody goes on from a table that is not over
    turn.hold()
    if turn.later is None or turn.later[0] is not turn.state:
        turn.later = turn.state, _later_tables(turn)
    later: list[LaterTable] = turn.later[1]
    return later


def _later_tables(turn: Turn) -> list[LaterTable]:
    following = _held(turn.row)
    if following is None:
        return []
    if not turn.state.finished():
        raise AlreadyContinued(following)
    made, found = [turn.state.totals()], list[LaterTable]()
    if made[0] == turn.before.totals():
        return []
    while following is not None:
        row, following = following, _held(following)
        at, carried = standing(row), carried_now(row, by_distance(made))
        state = at.state
        if carried != tuple(row.carried):
            later = _judge_later(at, carried, turn.watch, goes_on=following is not None)
            found.append(later)
            if later.stop is not None:
                break
            state = later.judged.hands[-1].state if later.judged.hands else _opened(row, carried)
        made.append(state.totals())
    return found


def _held(row: Table) -> Table | None:
    """Return the table after one, held; found by what it names, and held by its id."""
    pk = Table.objects.filter(previous=row).values_list("pk", flat=True).first()
    return None if pk is None else Table.objects.select_for_update(no_key=True).filter(pk=pk, previous=row).first()


def _judge_later(at: Standing, carried: tuple[int, ...], watch: Watch, *, goes_on: bool) -> LaterTable:
    row = at.row
    hands, stop = replay_hands(_opened(row, carried), standing_events(row), dealt=dealt_hands(row), watch=watch)
    state = hands[-1].state if hands else _opened(row, carried)
    changes = compare((), (), (describe_table(at.state), describe_table(state)), stopped=stop is not None)
    return LaterTable(at, carried, JudgedAgain(0, hands, stop), _without_a_winner(changes, goes_on=goes_on))


def _opened(row: Table, carried: Sequence[int]) -> TableState:
    return open_table(rules_of(row), first_dealer=row.first_dealer, carried=carried, before=row.hands_before)


def _without_a_winner(changes: Changes, *, goes_on: bool) -> Changes:
    return changes.without_winners() if goes_on else changes


def carry(following: Turn, later: LaterTable, turn: Turn) -> None:
    """Let a turn at a later table begin it with other totals, which ``turn`` has changed; its log says so."""
    following.carry(later.carried, next((entry.reason for entry in turn.entries if entry.reason), ""))
    rewrite(following, later.judged)


def cause(row: Table, version: int) -> str:
    """Return by what the log of a later table knows again what changed it."""
    return f"table {row.pk} {version}"


def changed_before(row: Table, version: int) -> list[LaterTable]:
    """Return what changed at the tables after one with its row of this number, rebuilt from their logs."""
    found, following = list[LaterTable](), next_of(row)
    while following is not None:
        later, following = following, next_of(following)
        entry = TableEvent.objects.filter(table=later, fingerprint=cause(row, version)).first()
        if entry is None:
            continue
        before, after = (as_it_was(later, seq)[0] for seq in (entry.seq - 1, entry.seq))
        changes = compare((), (), (describe_table(before), describe_table(after)))
        at, judged = Standing(later, before.rules, before), JudgedAgain(0, [], None)
        found.append(LaterTable(at, after.carried, judged, _without_a_winner(changes, goes_on=following is not None)))
    return found
