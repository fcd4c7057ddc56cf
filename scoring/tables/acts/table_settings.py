"""Changes to a table outside its log: privacy, names, group, referee, deletion."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from referee.engine.event_kinds import read_integers
from referee.engine.game import find_game
from referee.engine.reader import Reader
from referee.engine.records import read_seats, read_title
from referee.engine.rules import Problem, Refused
from referee.engine.texts import phrase
from scoring.groups.acts.evenings import read_said
from scoring.groups.acts.groups import check_shown_names, read_people, seat_people
from scoring.groups.acts.scores import forget_scores, score_before
from scoring.groups.reads.groups import as_spelled, people_of, seated_looks, seated_people
from scoring.models import Group, GroupLink, Link, Role, SeatedPerson, Table
from scoring.models.fields import evening_at
from scoring.operating.acts.database import past_deadlocks
from scoring.rulings.reads.disputes import NEUTRAL, SCOREKEEPER, WHO_MAY_RULE
from scoring.tables.acts import holding
from scoring.tables.acts.exceptions import LinkRevoked, MovedOn, NoSuchTable, NotMember
from scoring.tables.acts.holding import GROUP, PRIVATE, announce
from scoring.tables.acts.keys import Caller, keep_receipt
from scoring.tables.acts.turn import Turn, judge_carrying
from scoring.tables.acts.turns import turn_at
from scoring.tables.reads.access import standing_links
from scoring.tables.reads.results import known_by_totals
from scoring.tables.reads.rules import game_of

LARGEST_TOTAL = 999_999
"""Largest absolute final score of a past game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableChanges:
    """Changes to a table's settings; ``None`` leaves a setting as it is.

    ``group`` is a link to the new group, ``people`` its people by seat, ``None`` for guests; by default they are
    matched by name. ``referee`` is the link of the neutral phone that decides disputes. ``totals`` are the final scores
    of a past game known by its totals only.
    """

    private: bool | None = None
    rules_by: str | None = None
    referee: int | None = None
    shares_rulings: bool | None = None
    seats: Sequence[object] | None = None
    group: GroupLink | None = None
    people: Sequence[object] | None = None
    time_zone: str | None = None
    title: str | None = None
    totals: Sequence[object] | None = None
    place: object = None
    note: object = None
    tags: Sequence[object] | None = None


@past_deadlocks
def change_table(code: str, changes: TableChanges, caller: Caller) -> Table:
    """Change settings, all or nothing. Raises ``Refused``, ``NotMember``, and whatever ``turn_at`` raises."""
    group = None if changes.group is None else changes.group.group.code
    request = [getattr(changes, name) for name in TableChanges.__slots__ if name != "group"]
    with turn_at(code, caller, caller.fingerprint("table", [group, request])) as turn:
        if turn.repeats:
            return turn.row
        reader = Reader()
        seats = turn.row.seats
        if changes.seats is not None:
            seats = [name.strip() for name in read_seats(reader, changes.seats)]
            if len(seats) != len(turn.row.seats):
                reader.value("/seats", "You can only correct names here. For different people, change players.")
            turn.change(seats=seats)
        if changes.group is not None:
            _give(reader, turn, seats, changes.group, changes.people)
        elif changes.seats is not None and turn.row.group is not None:
            check_shown_names(reader, seats, seated_people(turn.row), people_of(turn.row.group))
        if changes.rules_by is not None or changes.referee is not None:
            _let_rule(reader, turn, changes.rules_by or NEUTRAL, changes.referee)
        if changes.time_zone is not None:
            if turn.row.group_id is not None:
                reader.value("/time_zone", "This table belongs to a group: change the time zone of the group.")
            turn.change(time_zone=changes.time_zone, evening=evening_at(turn.row.created, changes.time_zone))
        if changes.totals is not None:
            _correct_totals(reader, turn, changes.totals)
        if changes.title is not None:
            _entitle(reader, turn, changes.title, None if changes.group is None else changes.group.group)
        turn.change(**read_said(reader, {"place": changes.place, "note": changes.note, "tags": changes.tags}))
        reader.check()
        if changes.shares_rulings is not None:
            turn.change(shares_rulings=changes.shares_rulings)
        if changes.private is not None:
            turn.change(private=changes.private)
        if not turn.entries:  # otherwise the log recognizes a retry
            turn.did()
        if changes.private:
            announce(PRIVATE, turn.row.pk)
        return turn.row


def _correct_totals(reader: Reader, turn: Turn, totals: Sequence[object]) -> None:
    """Correct the final scores of a past game; the previous ones stay in the log."""
    row, now = turn.row, read_integers(reader, list(totals), "/totals")
    if not known_by_totals(row, turn.state):
        reader.value("/totals", "You can correct final scores here only if nothing else of the game was recorded.")
    elif len(now) != len(row.seats):
        reader.value("/totals", "There is one score for each seat.")
    elif not any(now) or any(abs(total) > LARGEST_TOTAL for total in now):
        reader.value("/totals", phrase("Enter what each player had, at most {most}.", most=LARGEST_TOTAL))
    elif any(len({now[seat] for seat in side}) > 1 for side in turn.state.rules.sides):
        reader.value("/totals", "Partners have one score: give it to each of them.")
    elif now != tuple(row.carried) and not reader.malformed:
        turn.hold()
        judged = judge_carrying(row, now, turn.watch)
        turn.carry(now, "")
        turn.adopt(judged)


def _entitle(reader: Reader, turn: Turn, title: str, group: Group | None) -> None:
    """Change the title of a table's game, or remove it; its statistics move with it."""
    read = read_title(reader, {"title": title or None})
    game = find_game(turn.row.game.partition(":")[0])
    if game is not None:
        turn.change(game=as_spelled(group or turn.row.group, game.titled_as(read)).key)


def _let_rule(reader: Reader, turn: Turn, rules_by: str, referee: int | None) -> None:
    if rules_by not in WHO_MAY_RULE:
        reader.value("/rules_by", "The scorekeeper decides, or the majority, or a neutral phone.")
        return
    if rules_by != NEUTRAL:
        if referee is not None:
            reader.value("/referee", "Only a neutral phone is chosen by its link.")
        turn.change(ruled_by={} if rules_by == SCOREKEEPER else {"kind": rules_by})
        return
    link = standing_links(turn.row).filter(pk=referee or 0).exclude(role=Role.PLAYER).first()
    if link is None:
        reader.value("/referee", "Choose the neutral phone: a link to this table without a seat.")
    else:
        turn.change(ruled_by={"kind": NEUTRAL, "link": link.pk})


def _give(reader: Reader, turn: Turn, seats: Sequence[str], own: GroupLink, people: Sequence[object] | None) -> None:
    if not own.manages:
        raise NotMember
    if turn.row.group_id not in (None, own.group_id):
        raise Refused([Problem("/group", "bad-value", "This table belongs to another group.")])
    read = read_people(reader, people, seats, own.group)
    reader.check()
    turn.change(group_id=own.group_id, looks=seated_looks(people_of(own.group), read))
    turn.change(game=as_spelled(own.group, game_of(turn.row)).key)
    if turn.row.group_id is None and own.group.time_zone not in ("", turn.row.zone):
        turn.change(evening=evening_at(turn.row.created, own.group.time_zone))
    # The phone's right to the table now depends on its group link, and ends with it.
    Link.objects.filter(table=turn.row, pk=turn.caller.link or 0, group_link=None).update(group_link=own.pk)
    SeatedPerson.objects.filter(table=turn.row).delete()
    seat_people(turn.row, read)


@past_deadlocks
def delete_table(code: str, caller: Caller) -> None:
    """Delete a table permanently, with everything that belongs to it.

    Raises ``NoSuchTable``, ``LinkRevoked`` and ``MovedOn``.
    """
    with transaction.atomic():
        row = holding.lock_table(code)
        if row is None:
            raise NoSuchTable
        if not Link.objects.filter(table=row, pk=caller.link or 0, revoked__isnull=True).exists():
            raise LinkRevoked
        if caller.expected not in (None, row.version):
            raise MovedOn(version=row.version)
        remove_table(row)
        keep_receipt(caller.receipt)
    holding.state_cache.drop(code)


def remove_table(row: Table) -> None:
    announce(PRIVATE, row.pk)
    if row.group_id is not None:
        announce(GROUP, row.group_id)
    forget_scores(row)
    row.delete()
    score_before(row, end_changed=True)
