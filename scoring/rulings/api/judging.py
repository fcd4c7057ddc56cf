"""API of guided rulings, of the audit of a hand, and of what-if: a table or a season judged under other house rules."""

from typing import Annotated, Any, TypedDict

from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.problems import caller_language
from referee.api.requests import NamedParameters
from referee.engine.audit import DescribedAudit
from referee.engine.game import all_games, find_game, read_options
from referee.engine.reader import Reader, refuse
from referee.engine.rules import Problem, Refused
from referee.engine.shapes import ref
from referee.engine.what_if_sheet import DescribedWhatIf, SeatsThenNow
from referee.guides.case import guides_of
from referee.guides.sheet import DescribedGuide, Guidance, describe_guide
from scoring.groups.api.bodies import SeasonWhatIfQuery
from scoring.groups.api.groups import Day, GroupAPIView
from scoring.rulings.acts.disputing import Chosen, carry_out_guide
from scoring.rulings.reads.precedents import guidance, guides_here, looked_at, precedents_about, read_answers, walk_here
from scoring.rulings.reads.what_if import TableThenNow, audited, people_then_now, season_what_if, what_if
from scoring.tables.acts.exceptions import NoSuchHand
from scoring.tables.api.access import OF_TABLE, TableAPIView
from scoring.tables.api.answers import DescribedRecorded, answered, done
from scoring.tables.api.bodies import Body, Digits, Text, Whole
from scoring.tables.api.http import Paginator
from scoring.tables.api.schema import OTHER_RULES, operation, problems
from scoring.tables.reads.log import standing_events
from scoring.tables.reads.rules import game_of
from scoring.tables.reads.state import standing_now

LONGEST_ID = 60
OWN = ("situation", "hand")
SITUATION = OpenApiParameter(
    "situation", str, description="What went wrong: one of the `guides` listed by the response without it."
)
HAND = OpenApiParameter(
    "hand", {"type": "integer", "minimum": 1}, description="The hand in question, from 1; by default the last one."
)
ANSWERS = NamedParameters(
    "answers",
    "The answers so far, each as its own parameter: `who=1&next-played=no`.",
    names=lambda: {
        name for game in all_games() for guide in guides_of(game).guides.values() for name in guide.questions
    },
)


@extend_schema_field({"type": "object", "additionalProperties": {"type": ["integer", "string"]}})
class AnswersByQuestion(serializers.DictField):
    """Answers by question id; the guide validates each one."""

    def read(self, reader: Reader, value: Any, pointer: str) -> dict[str, Any]:
        return dict(reader.mapping(value, pointer))


@extend_schema_serializer(component_name="GuideToCarryOut")
class GuideBody(Body):
    """The answers to a guide's questions, and the chosen remedy."""

    situation = Text(
        max_length=LONGEST_ID, error_messages={"required": "The situation’s id is needed here, as a string."}
    )
    answers = AnswersByQuestion(
        default={}, help_text="The answers by question: a seat, the number of a trick, or a code."
    )
    hand = Whole(min_value=1, allow_null=True, default=None, help_text="From 1; null: the last one.")
    remedy = Text(max_length=LONGEST_ID, error_messages={"required": "The code of a remedy is needed here."})
    points = Whole(allow_null=True, default=None, help_text="For a penalty: how many points the offender loses.")
    dispute = Whole(
        min_value=1, allow_null=True, default=None, help_text="The number of a dispute to decide by this ruling."
    )


class HandQuery(serializers.Serializer[Any]):
    hand = Digits(min_value=1, max_value=9999, default=None)


class GuidePrecedent(TypedDict):
    """An earlier decision of the table's group, and its date."""

    question: str
    decision: str
    since: str


class GuidesAtTable(TypedDict):
    """The guides available at a table."""

    guides: list[DescribedGuide]


class GuidanceAtTable(Guidance):
    """The next `question` of a guide at a table, or its `ruling`; the other is null."""

    precedents: Annotated[list[GuidePrecedent], "What the table’s group has decided about this, latest first."]


class GuideView(TableAPIView):
    shapes = (GuidesAtTable, GuidanceAtTable)

    @operation(
        "guide_at_table",
        "Ask the referee what to do now, using the table’s record",
        {200: {"oneOf": [ref("GuidesAtTable"), ref("GuidanceAtTable")]}, **problems(422)},
        parameters=[SITUATION, HAND, ANSWERS],
    )
    def get(self, request: Request, code: str) -> Response:
        """Without `situation`: the available `guides`, each of which leads to a ruling in a few questions; guides that
        the house rules exclude or the record disproves are left out. With it: the response of `POST referee/guide/`,
        where each entry of `amends` includes its log row.

        Answers are taken as true even if the record contradicts them, except for who did it and in which trick: an
        accusation that the record disproves has no remedies. Nothing is recorded.
        """
        query = request.query_params
        at = standing_now(self.table)
        number = self.query(HandQuery)["hand"]
        index = None if number is None else number - 1
        looked = looked_at(at, index)
        if looked is None and index is not None:
            raise Refused([Problem("/hand", "bad-value", "This table has no such hand.")])
        answered = {key: value for key, value in query.dict().items() if key not in OWN}
        situation = query.get("situation")
        if situation is None:
            if answered:
                refuse("missing-key", "The situation’s id is needed here, as a string.", "/situation")
            return Response({"guides": [describe_guide(each, caller_language()) for each in guides_here(at, looked)]})
        walked = walk_here(at, situation, read_answers(at, situation, answered), looked)
        found = guidance(walked, at, caller_language())
        # Add the log row of every entry to correct.
        hands = {amend["event"][0] for each in found["remedies"] for amend in each["amends"] or ()}
        seqs = [entry.seq for hand in hands for entry in standing_events(at.row, hand=hand)]
        remedies = [
            {**each, "amends": each["amends"] and [{**one, "seq": seqs[one["event"][1]]} for one in each["amends"]]}
            for each in found["remedies"]
        ]
        decided: list[GuidePrecedent] = [
            {"question": each.question, "decision": each.decision, "since": each.since.isoformat()}
            for each in precedents_about(walked, at.row)
        ]
        return Response({**found, "remedies": remedies, "precedents": decided})

    @operation(
        "carry_out_guide",
        "Carry out a guided ruling",
        {201: DescribedRecorded, **problems(409)},
        request=GuideBody,
    )
    def post(self, request: Request, code: str) -> Response:
        """Corrects entries and records events, all or nothing. Scorekeeper only. With `dispute`, the ruling also
        decides that dispute.
        """
        body = self.read(GuideBody)
        chosen = Chosen(**body | {"hand": None if body["hand"] is None else body["hand"] - 1})
        return done(carry_out_guide(self.code, chosen, self.caller), self.own_link)


class AuditView(TableAPIView):
    address = OF_TABLE | {"number": "The number of the hand, from 1."}
    costly = True

    @operation("audit_hand", "Check a hand of a table in full", {200: DescribedAudit, **problems(413)})
    def get(self, request: Request, code: str, number: int) -> Response:
        """The irregularities found, each with its certainty, and what could not be checked, as in `POST
        referee/audit/`. Findings held back until the end of the hand are left out.
        """
        checked = audited(standing_now(self.table), number - 1, caller_language())
        if checked is None:
            raise NoSuchHand
        return Response(checked)


# --- What-if


class NumberThenNow(TypedDict):
    """A number as played, and under the other rules."""

    then: int
    now: int


class DescribedTableThenNow(TypedDict):
    """A table as played, and under the other rules; `why` is the reason if it can’t be judged by them."""

    code: str
    evening: Day
    seats: list[str]
    people: list[int | None]
    totals: SeatsThenNow
    winners: SeatsThenNow
    tricks: int | None
    unknown: int
    why: str | None
    link: str


class DescribedPersonThenNow(TypedDict):
    """A person’s points and wins, as played and under the other rules."""

    person: int
    name: str
    tables: int
    points: NumberThenNow
    wins: NumberThenNow


class SeasonProgress(TypedDict):
    """How many of the season's tables have been judged."""

    done: int
    of: int


class SeasonWhatIf(TypedDict):
    """One part of a season, judged under other house rules."""

    tables: list[DescribedTableThenNow]
    people: list[DescribedPersonThenNow]
    progress: SeasonProgress
    next: str | None


class WhatIfView(TableAPIView):
    costly = True

    @operation(
        "what_if_at_table",
        "Judge a table’s record under other house rules",
        {200: DescribedWhatIf, **problems(413, 422)},
        parameters=[OTHER_RULES],
    )
    def get(self, request: Request, code: str) -> Response:
        """Each changed option is a query parameter: `?ties=early&hook=true`. The response is that of `POST
        referee/what-if/`, without hidden points or held-back findings.
        """
        at = standing_now(self.table)
        options = read_options(game_of(at.row), request.query_params.dict())
        return Response(what_if(at, options, caller_language()))


class SeasonWhatIfView(GroupAPIView):
    costly = True

    @operation(
        "what_if_in_season",
        "Judge a group’s games under other house rules",
        {200: SeasonWhatIf, **problems(413)},
        parameters=[SeasonWhatIfQuery, OTHER_RULES],
    )
    def get(self, request: Request, code: str) -> Response:
        """`game` is required; `from` and `to` are dates; each changed option is a query parameter. A response covers as
        many tables as fit in the time limit: `progress` counts those judged, `next` is the URL of the next part.
        `people` are sums over this part only, biggest gain first.

        A table that can’t be judged has a `why`, and `totals.now` is null; tables with hidden points are left out.
        `unknown` counts hands with cards missing from the record; if that is every hand, `tricks` and `totals.now` are
        null.
        """
        query = request.query_params.dict()
        own = set(SeasonWhatIfQuery().fields)
        read = self.query(SeasonWhatIfQuery)
        game = find_game(read["game"])
        if game is None:
            raise Refused([Problem("/game", "unknown-game", "The game of the season is needed.")], malformed=True)
        options = read_options(game, {key: value for key, value in query.items() if key not in own})
        known = {option.key for option in game.all_options()}
        if unknown := next((key for key in options if key not in known), None):
            raise Refused([Problem(f"/options/{unknown[:40]}", "unknown-option", "The game has no such house rule.")])
        pages = Paginator(self, read)
        part = season_what_if(
            self.group, game, options, first=read["from"], last=read["to"], after=pages.after, most=pages.limit
        )
        answer = {
            "tables": [describe_then_now(each) for each in part.parts],
            "progress": {"done": part.done, "of": part.tables},
            "people": [
                answered(
                    DescribedPersonThenNow,
                    each,
                    points={"then": each.then, "now": each.now},
                    wins={"then": each.wins[0], "now": each.wins[1]},
                )
                for each in people_then_now(self.group, part.parts)
            ],
        }
        return pages.answer(answer, part.following)


def describe_then_now(each: TableThenNow) -> DescribedTableThenNow:
    return answered(
        DescribedTableThenNow,
        each,
        code=each.row.code,
        evening=each.row.evening,
        seats=each.row.seats,
        totals={"then": each.then, "now": each.now},
        winners=dict(zip(("then", "now"), each.winners, strict=True)),
        why=each.why or None,
        link=reverse("table-what-if", args=[each.row.code]),
    )
