"""A group's history: tables, evenings and rulings."""

from datetime import date
from typing import Any, TypedDict

from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.claims import JOINT_REVOKE
from referee.engine.rulebook import is_clause
from referee.engine.rules import Problem, Refused
from referee.engine.sheet import GameId, GameKey, Moment
from referee.engine.texts import Listing, phrase
from scoring.groups.api.bodies import EveningsQuery, GameField, TablesQuery
from scoring.groups.api.groups import Day, GroupAPIView
from scoring.groups.reads import evenings
from scoring.groups.reads.group_tables import Chosen, Wanted, following_codes, page_of_tables
from scoring.groups.reads.groups import PlayedTitle, titles_of
from scoring.models.fields import LONGEST_GAME
from scoring.rulings.acts.disputing import no_such_clause
from scoring.rulings.acts.precedents import IRREGULAR
from scoring.rulings.api.disputes import DisputeStatus
from scoring.rulings.reads.disputes import LONGEST_WORD
from scoring.rulings.reads.precedents import POINTED_AT, CaseWanted, DecidedCase, cases_of, situations
from scoring.tables.api.answers import Address, answered, links
from scoring.tables.api.http import PageQuery, Paginator, page_of
from scoring.tables.api.schema import operation
from scoring.tables.reads.rules import game_and_title

MOST_EVENINGS = 30  # per response, each with all its tables
SITUATIONS = (*sorted((*IRREGULAR, JOINT_REVOKE)), *POINTED_AT)
"""The subject of a ruling: an irregularity, or the thing that was disputed."""


class GroupTableAddresses(TypedDict):
    """Addresses of a table of a group."""

    self: Address
    record: Address
    page: Address


class GroupTable(TypedDict):
    """A table in a group’s history, with its result."""

    code: str
    game: GameId
    title: str | None
    evening: Day
    created: Moment
    finished_at: Moment | None
    finished: bool
    version: int
    seats: list[str]
    people: list[int | None]
    points: list[int] | None
    totals: list[int] | None
    winners: list[int]
    points_hidden: bool
    totals_only: bool
    place: str
    note: str
    tags: list[str]
    private: bool
    previous: str | None
    continued_by: str | None
    links: GroupTableAddresses


GroupTables = page_of("GroupTables", "A page of a group’s tables.", tables=GroupTable)


class PointsAtGame(TypedDict):
    """A person's visible points at a game."""

    game: GameKey
    points: int


class PersonPresent(TypedDict):
    """A person’s or guest’s evening: wins and places of the games. Points of different games are never added."""

    person: int | None
    name: str
    rank: int
    wins: float
    places: float
    points: list[PointsAtGame]
    tables: int
    came: Moment
    left: Moment | None
    plays: bool


class DescribedEvening(TypedDict):
    """An evening: its tables and people."""

    date: Day
    running: bool
    points_hidden: bool
    tables: list[GroupTable]
    people: list[PersonPresent]
    out: list[int]


Evenings = page_of("Evenings", "A page of a group’s evenings.", evenings=DescribedEvening)


class GroupTitles(TypedDict):
    """The titles of a group’s games without a referee, latest first."""

    titles: list[PlayedTitle]


class GroupTitlesView(GroupAPIView):
    @operation("list_group_titles", "Titles of a group’s games without a referee", {200: GroupTitles})
    def get(self, request: Request, code: str) -> Response:
        """`players`, `options` and `end` are those of the latest table with that title."""
        return Response({"titles": titles_of(self.group)})


class GroupTablesView(GroupAPIView):
    @operation("list_group_tables", "The tables of a group, latest first", {200: GroupTables}, parameters=[TablesQuery])
    def get(self, request: Request, code: str) -> Response:
        """`points` are what each seat scored at this table, `totals` include carried points; both are null while points
        are hidden. `totals_only` marks games of which only the totals are known.

        A table without a `place` of its own has its evening’s; the evening’s `tags` are added to its own. `people` are
        the ids that players count as, null for guests. `next` is the address of the next page.
        """
        query = self.query(TablesQuery)
        wanted = Wanted(
            game=query["game"], first=query["from"], last=query["to"], person=query["person"], state=query["status"],
            words=query["q"], place=query["place"], tag=query["tag"],
        )  # fmt: skip
        pages = Paginator(self, query)
        page = page_of_tables(self.group, wanted, after=pages.after, most=pages.limit)
        later = following_codes(page.rows)
        tables = [
            describe_table(table, later.get(table.row.pk)) for table in evenings.tables_shown(self.group, page.rows)
        ]
        return pages.answer({"tables": tables}, page.following)


class GroupEveningsView(GroupAPIView):
    @operation(
        "list_group_evenings", "The evenings of a group, latest first", {200: Evenings}, parameters=[EveningsQuery]
    )
    def get(self, request: Request, code: str) -> Response:
        """Each evening with its tables in order and its people, ranked by wins or places (the group’s `ranked_by`).

        A shared win counts as a fraction. `places` adds up, per game, the percentage of opponents who finished behind;
        a tie counts half. `points` are those scored that evening per game, carried points counted once. `came` is when
        a person’s first table was opened, `left` when their last one ended, if others played on. Hidden points don’t
        count yet; `points_hidden` says so.
        """
        query = self.query(EveningsQuery)
        pages = Paginator(self, query, MOST_EVENINGS)
        before = date.fromordinal(-pages.after[0]) if pages.after else None
        chosen = Chosen(first=query["from"], last=query["to"])
        days = evenings.days_of(self.group, before=before, chosen=chosen, most=pages.limit + 1)
        shown = pages.cut(days, lambda day: (-day.toordinal(),))
        return pages.answer({"evenings": [describe_evening(each) for each in evenings.evenings_of(self.group, shown)]})


def describe_table(table: evenings.EveningTable, later: str | None = None) -> GroupTable:
    row, result = table.row, table.result
    points, totals = (None, None) if result is None else (result.points, result.totals)
    return answered(
        GroupTable,
        row,
        **{"title": None, **game_and_title(row)},
        finished=not table.runs,
        people=[who.person for who in table.seated],
        points=points,
        totals=totals,
        winners=() if result is None else result.winners,
        points_hidden=result is not None and points is None,
        totals_only=result is not None and result.totals_only,
        **table.said._asdict(),
        previous=None if row.previous is None else row.previous.code,
        continued_by=later,
        links=links(GroupTableAddresses, "table", row.code),
    )


def describe_evening(evening: evenings.Evening) -> DescribedEvening:
    following = {table.row.previous_id: table.row.code for table in evening.tables if table.row.previous_id}
    return answered(
        DescribedEvening,
        evening,
        date=evening.day,
        running=evening.runs,
        tables=[describe_table(table, following.get(table.row.pk)) for table in evening.tables],
        people=[
            answered(
                PersonPresent,
                each,
                person=each.who.person,
                name=each.who.shown,
                wins=float(each.wins),
                places=float(each.places),
                points=[{"game": game, "points": points} for game, points in each.points.items()],
            )
            for each in evening.people
        ],
        out=[each.who.person for each in evening.out if each.who.person is not None],
    )


class RulingAddresses(TypedDict):
    """Addresses of a ruling."""

    dispute: Address
    page: Address


class RulingOfGroup(TypedDict):
    """A decided dispute at a table of a group."""

    game: GameId
    table: str
    dispute: int
    situation: str
    claim: str
    status: DisputeStatus
    decision: str
    clauses: list[str]
    decided: Moment
    links: RulingAddresses


RulingsOfGroup = page_of("RulingsOfGroup", "A page of a group’s rulings.", rulings=RulingOfGroup)


class ClauseField(serializers.CharField):
    """A clause of an installed rulebook."""

    def to_internal_value(self, data: Any) -> str:
        clause = super().to_internal_value(data)
        if clause and not is_clause(clause):
            raise Refused([no_such_clause("/clause", clause)], malformed=True)
        return clause


class RulingsQuery(PageQuery):
    game = GameField(max_length=LONGEST_GAME, default="", allow_blank=True, help_text="Only rulings in this game.")
    clause = ClauseField(
        max_length=LONGEST_WORD, default="", allow_blank=True, help_text="Only rulings by this clause."
    )
    situation = serializers.CharField(
        max_length=LONGEST_WORD, default="", allow_blank=True, help_text="Only rulings about this `situation`."
    )
    q = serializers.CharField(
        max_length=100,
        default="",
        allow_blank=True,
        help_text="Only rulings whose claim or decision contains these words.",
    )


class GroupRulingsView(GroupAPIView):
    @operation(
        "list_group_rulings",
        "Rulings at a group’s tables, latest first",
        {200: RulingsOfGroup},
        parameters=[RulingsQuery],
    )
    def get(self, request: Request, code: str) -> Response:
        """Decided disputes with their clauses, latest first. `next` is the address of the next page."""
        query = self.query(RulingsQuery)
        situation = query["situation"]
        # Imported rulings can be about situations unknown here.
        if situation and situation not in SITUATIONS and situation not in situations(self.group):
            detail = phrase("The situations are: {known}.", known=Listing(SITUATIONS))
            raise Refused([Problem("/situation", "unknown-situation", detail)], malformed=True)
        wanted = CaseWanted(query["game"], query["clause"], situation, query["q"])
        pages = Paginator(self, query)
        page = cases_of(self.group, wanted, after=pages.after, most=pages.limit)
        return pages.answer({"rulings": [describe_case(case) for case in page.cases]}, page.following)


def describe_case(case: DecidedCase) -> RulingOfGroup:
    there = [case.table, case.number]
    addresses = {"dispute": reverse("table-dispute", args=there), "page": reverse("scoring:dispute", args=there)}
    return answered(RulingOfGroup, case, dispute=case.number, status=case.state, decision=case.ruling, links=addresses)
