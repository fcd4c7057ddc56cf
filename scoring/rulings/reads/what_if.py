"""Rejudging: the audit of a hand, and a table or a group's season under other house rules."""

from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from referee.engine.audit import DescribedAudit, audit_hand, describe_audit
from referee.engine.comparison import goes_elsewhere, trick_changes
from referee.engine.game import Game, settled
from referee.engine.records import load_record, stored_event
from referee.engine.replaying import TooCostly, Watch
from referee.engine.rules import Refused
from referee.engine.table import end_by_time
from referee.engine.texts import ENGLISH, Language
from referee.engine.what_if import WhatIf, judge_as_it_lay
from referee.engine.what_if_sheet import DescribedWhatIf, View, describe_what_if
from scoring.groups.reads.group_tables import Chosen, Place, among, place_in_time
from scoring.groups.reads.groups import people_of, seated_people
from scoring.models import Group, Table
from scoring.tables.reads.log import record, standing_events
from scoring.tables.reads.results import by_distance, carried_now, goes_on, points_hidden, tables_before, tables_over
from scoring.tables.reads.rules import changed_rules
from scoring.tables.reads.state import Standing, hand_played, judging_watch, standing, standing_now, time_is_up

MOST_AT_ONCE = 20
"""Maximum number of tables in one part."""

# --- Rejudging a table: the audit of a hand, or all hands under other rules, without held-back information


def what_if(at: Standing, options: Mapping[str, object], language: Language = ENGLISH) -> DescribedWhatIf:
    """Judge a table under other rules.

    Hidden points and held-back findings are left out. Raises ``Refused`` for invalid options, and ``TooCostly``.
    """
    watch = judging_watch()
    found = _under(at.row, options, watch, carried_then(at.row, options, watch))
    if time_is_up(at.row):
        judged = replace(found.then, table=end_by_time(found.then.table))
        found = replace(found, then=judged, table=end_by_time(found.table))
    view = View(at.names, language, points=not points_hidden(at), holds=True)
    return describe_what_if(found, view, watch)


def carried_then(row: Table, options: Mapping[str, object], watch: Watch) -> tuple[int, ...]:
    """Return the points a table would carry over if the tables before it had been played under other rules."""
    made: list[Sequence[int]] = []
    for earlier in reversed([*tables_before(row)] if row.carried_from else []):
        try:
            found = _under(earlier, options, watch, carried_now(earlier, by_distance(made)))
        except TooCostly:
            raise
        except Refused:
            made.append(standing(earlier).state.totals())
        else:
            made.append(found.table.totals() if found.scored else found.then.table.totals())
    return carried_now(row, by_distance(made))


def _under(row: Table, options: Mapping[str, object], watch: Watch, carried: tuple[int, ...]) -> WhatIf:
    return judge_as_it_lay(load_record(record(row), stored=True, watch=watch), options, watch, carried)


def audited(at: Standing, index: int, language: Language = ENGLISH) -> DescribedAudit | None:
    """Audit a hand by its index (from 0); ``None`` if there is no such hand."""
    if at.hand is None or not 0 <= index <= at.hand.setup.index:
        return None
    hand = at.hand if at.hand.setup.index == index else hand_played(at.row, index)
    events = [stored_event(entry.event) for entry in standing_events(at.row, hand=index)]
    checked = audit_hand(hand, events[: hand.events], judging_watch())
    return describe_audit(checked, View(at.names, language, holds=True))


# --- A group's season under other house rules, a part at a time


@dataclass(frozen=True, slots=True)
class TableThenNow:
    """A table as played and under other rules; ``now`` is ``None`` if unknown, for the reason ``why``.

    ``tricks`` counts tricks that would be won by someone else, and is ``None`` if no cards are known; ``unknown``
    counts hands with cards missing. ``people`` are the group's people by seat.
    """

    row: Table
    then: tuple[int, ...]
    now: tuple[int, ...] | None
    winners: tuple[tuple[int, ...], tuple[int, ...] | None]
    tricks: int | None
    people: tuple[int | None, ...]
    why: str = ""
    unknown: int = 0
    carried: tuple[int, ...] | None = None
    """Points it would have carried over, if it continues another table."""


class SeasonPart(NamedTuple):
    """One part of a season's tables, oldest first, and the cursor of the next part, if any."""

    parts: tuple[TableThenNow, ...]
    tables: int
    done: int
    following: Place


@dataclass(frozen=True, slots=True)
class PersonThenNow:
    """A person's results at the judged tables, as played and under the other rules."""

    person: int
    name: str
    then: int
    now: int
    wins: tuple[int, int]
    tables: int

    def order(self) -> tuple[int, ...]:
        """Sort key: biggest gain in points, then in wins."""
        return self.then - self.now, self.wins[0] - self.wins[1], -self.now, self.person


def season_what_if(
    group: Group,
    game: Game,
    options: Mapping[str, object],
    *,
    first: date | None = None,
    last: date | None = None,
    after: Place = (),
    most: int = MOST_AT_ONCE,
    language: Language = ENGLISH,
) -> SeasonPart:
    """Judge part of a season under other rules, as many tables as fit in the time limit.

    Tables with hidden points are skipped. Raises ``Refused`` if no table can have these rules, and ``TooCostly`` if a
    single table takes too long.
    """
    rows = among(tables_over(group), Chosen(game=game.id, first=first, last=last))
    places = [place_in_time(*each) for each in rows.order_by("created", "pk").values_list("created", "pk")]
    begin = done = bisect(places, after)
    watch, found = judging_watch(), list[TableThenNow]()
    for place in places[begin : begin + min(most, MOST_AT_ONCE)]:
        try:
            judged = _judged(Table.objects.get(pk=place[1]), game, options, watch, language)
        except TooCostly:
            if done == begin:
                raise
            break
        found += [judged] if judged else []
        done += 1
    return SeasonPart(tuple(found), len(places), done, places[done - 1] if done < len(places) else ())


def _judged(
    row: Table, game: Game, options: Mapping[str, object], watch: Watch, language: Language
) -> TableThenNow | None:
    at = standing_now(row)
    if points_hidden(at):
        return None
    then, people = at.state.totals(), tuple(seated_people(row))
    winners = () if goes_on(row) else at.state.winners()
    try:
        fitting = in_line(game, at, options)
        carried = carried_then(row, fitting, watch)
        found = _under(row, fitting, watch, carried)
    except TooCostly:
        raise  # says nothing about the table; the client may request another part
    except Refused as refused:
        why = refused.problems[0].rendered(language)
        return TableThenNow(row, then, None, (winners, None), None, people, why)
    if time_is_up(row):
        found = replace(found, table=end_by_time(found.table))
    unscored = next((hand.unscored for hand in found.hands if hand.unscored), None)
    if unscored is not None:
        why = unscored.sentence(at.names, language)
        return TableThenNow(row, then, None, (winners, None), None, people, why)
    unknown = [reason for hand in found.hands if (reason := found.unknown(hand)) is not None]
    if unknown and all(reason.code == "known-by-result" for reason in unknown) and len(unknown) == len(found.hands):
        return TableThenNow(row, then, None, (winners, None), None, people, "", len(unknown))
    moved = sum(
        goes_elsewhere(change)
        for hand in found.hands
        for change in trick_changes(
            hand.then.setup.index, hand.then.describe()["tricks"], hand.now.describe()["tricks"]
        )
    )
    totals = found.table.totals()
    won = found.table.rules.ahead(totals) if winners else ()
    return TableThenNow(row, then, totals, (winners, won), moved, people, unknown=len(unknown), carried=carried)


def in_line(game: Game, at: Standing, options: Mapping[str, object]) -> dict[str, object]:
    began, players = at.state.opening, at.rules.players
    chosen = settled(game, {**changed_rules(began), **options}, (players,), keep=frozenset(options))
    if chosen is None:
        return dict(options)
    whole = {option.key: chosen.get(option.key, option.standard_for(players)) for option in game.all_options()}
    return {key: value for key, value in whole.items() if key in options or value != began.options[key]}


def people_then_now(group: Group, parts: tuple[TableThenNow, ...]) -> tuple[PersonThenNow, ...]:
    """Sum people's results, as played and under the other rules; tables that can't be judged count unchanged."""
    people = {person.pk: person for person in people_of(group)}
    sums: dict[int, list[int]] = {}
    for table in parts:
        now = table.then if table.now is None else table.now
        winners_now = table.winners[0] if table.winners[1] is None else table.winners[1]
        for seat, pk in enumerate(table.people):
            if pk not in people:
                continue
            made = sums.setdefault(people[pk].counts_as, [0, 0, 0, 0, 0])
            carried = table.row.carried[seat]
            carried_now = carried if table.carried is None else table.carried[seat]
            points = (table.then[seat] - carried, now[seat] - carried_now)
            more = (*points, seat in table.winners[0], seat in winners_now, not goes_on(table.row))
            made[:] = [before + each for before, each in zip(made, more, strict=True)]
    rows = (
        PersonThenNow(pk, people[pk].name, made[0], made[1], (made[2], made[3]), made[4]) for pk, made in sums.items()
    )
    return tuple(sorted(rows, key=PersonThenNow.order))
