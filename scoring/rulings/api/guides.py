"""Guided rulings at a table, and a hand of it checked in full."""

from typing import Annotated, Any, TypedDict

from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.problems import caller_language
from referee.api.requests import NamedParameters
from referee.engine.audit import DescribedAudit
from referee.engine.game import all_games
from referee.engine.reader import Reader, refuse
from referee.engine.rules import Problem, Refused
from referee.engine.shapes import array, ref
from referee.guides.case import guides_of
from referee.guides.sheet import Guidance, describe_guide
from referee.guides.walking import Walk
from scoring.models import Table
from scoring.rulings.acts.disputing import Chosen, carry_out_guide
from scoring.rulings.reads.precedents import guidance, guides_here, looked_at, precedents_about, read_answers, walk_here
from scoring.rulings.reads.what_if import audited
from scoring.tables.acts.exceptions import NoSuchHand
from scoring.tables.api.access import OF_TABLE, TableAPIView
from scoring.tables.api.answers import DescribedRecorded, done
from scoring.tables.api.bodies import Body, Digits, Text, Whole
from scoring.tables.api.headers import caller_of
from scoring.tables.api.schema import problems
from scoring.tables.reads.log import standing_events
from scoring.tables.reads.state import Standing, standing_now

# --- Guided rulings at a table: what can have gone wrong, what is asked next or ruled, and carrying it out

LONGEST_ID = 60
OWN = ("situation", "hand")
SITUATION = OpenApiParameter("situation", str, required=True, description="What went wrong, one of those at `guides/`.")
HAND = OpenApiParameter(
    "hand", {"type": "integer", "minimum": 1}, description="The hand it is about, from 1; usually the last one."
)
ANSWERS = NamedParameters(
    "answers",
    "The answers so far, each a parameter of its own: `who=1&next-played=no`.",
    names=lambda: {
        name for game in all_games() for guide in guides_of(game).guides.values() for name in guide.questions
    },
)


@extend_schema_field({"type": "object", "additionalProperties": {"type": ["integer", "string"]}})
class AnswersByQuestion(serializers.DictField):
    """Answers by question: a seat, the number of a trick, or the code of an answer; the guide itself looks at each."""

    def read(self, reader: Reader, value: Any, pointer: str) -> dict[str, Any]:
        return dict(reader.mapping(value, pointer))


@extend_schema_serializer(component_name="GuideToCarryOut")
class GuideBody(Body):
    """What was answered, and which of the remedies of the ruling the table wants."""

    situation = Text(
        max_length=LONGEST_ID, error_messages={"required": "The situation’s id is needed here, as a text."}
    )
    answers = AnswersByQuestion(default={}, help_text="By question: a seat, the number of a trick, or a code.")
    hand = Whole(min_value=1, allow_null=True, default=None, help_text="From 1; null: the last one.")
    remedy = Text(max_length=LONGEST_ID, error_messages={"required": "The code of a remedy is needed here."})
    points = Whole(allow_null=True, default=None, help_text="Of a penalty: what the offender loses.")
    dispute = Whole(
        min_value=1, allow_null=True, default=None, help_text="The number of the dispute that is decided by it."
    )


class HandQuery(serializers.Serializer[Any]):
    """Which hand a guide is about."""

    hand = Digits(min_value=1, max_value=9999, default=None, help_text="From 1; usually the last one.")


class GuidePrecedent(TypedDict):
    """Something that the group of a table has decided, and since when."""

    question: str
    decision: str
    since: str


class GuidanceAtTable(Guidance):
    """How far the answers lead at a table: to the next `question`, or to a `ruling`; one of them is null."""

    precedents: Annotated[list[GuidePrecedent], "What the group of the table decided about this, latest first."]


class GuidesView(TableAPIView):
    """What can have gone wrong at a table that no record shows."""

    @extend_schema(
        operation_id="list_guides_at_table",
        summary="What can have gone wrong at a table",
        description=(
            "Each leads to a ruling by a few questions, at `guide/`. What the house rules do not know, or the record of"
            " the last hand disproves, is left out."
        ),
        responses={200: array(ref("Guide"))},
    )
    def get(self, request: Request, code: str) -> Response:
        at = standing_now(self.table)
        return Response([describe_guide(guide, caller_language()) for guide in guides_here(at, looked_at(at))])


class GuideView(TableAPIView):
    """A guided ruling at a table."""

    @extend_schema(
        operation_id="guide_at_table",
        summary="Ask what to do now, with what the record answers filled in",
        description=(
            "The answer is that of `POST referee/guide/`; each entry of `amends` has its row of the log. An answer "
            "that is sent is believed although the record says otherwise, but for who did it and in which trick: what "
            "the record disproves has no remedies. Nothing is recorded."
        ),
        parameters=[SITUATION, HAND, ANSWERS],
        responses={200: GuidanceAtTable, **problems(422)},
    )  # fmt: skip
    def get(self, request: Request, code: str) -> Response:
        query = request.query_params
        if "situation" not in query:
            refuse("missing-key", "The situation’s id is needed here, as a text.", "/situation")
        at = standing_now(self.table)
        number = self.read(HandQuery, query.dict())["hand"]
        index = None if number is None else number - 1
        looked = looked_at(at, index)
        if looked is None and index is not None:
            raise Refused([Problem("/hand", "bad-value", "This table has no such hand.")])
        answered = {key: value for key, value in query.dict().items() if key not in OWN}
        situation = query["situation"]
        walked = walk_here(at, situation, read_answers(at, situation, answered), looked)
        found = with_rows(guidance(walked, at, caller_language()), at) | {"precedents": decided_before(walked, at)}
        return Response(found)

    @extend_schema(
        operation_id="carry_out_guide",
        summary="Carry out what a guided ruling has come to",
        description=(
            "Entries are put right and events recorded in one act, all or nothing, for who keeps the score. With "
            "`dispute` the ruling decides that dispute."
        ),
        request=GuideBody,
        responses={201: DescribedRecorded, **problems(409)},
    )
    def post(self, request: Request, code: str) -> Response:
        body = self.read(GuideBody)
        chosen = Chosen(
            situation=body["situation"],
            answers=body["answers"],
            hand=None if body["hand"] is None else body["hand"] - 1,
            remedy=body["remedy"],
            points=body["points"],
            dispute=body["dispute"],
        )
        return done(carry_out_guide(self.code, chosen, caller_of(request, self.own_link)), keeps=self.own_link.keeps)


def decided_before(walked: Walk, at: Standing) -> list[GuidePrecedent]:
    """Return what the group of a table has decided about what a ruling is about, the latest first."""
    return [
        {"question": each.question, "decision": each.decision, "since": each.since.isoformat()}
        for each in precedents_about(walked, at.row)
    ]


def with_rows(found: Guidance, at: Standing) -> dict[str, Any]:
    """Say of every entry that would be put right which row of the log it is."""
    rows = _rows(at.row, found)
    remedies = [
        {**each, "amends": each["amends"] and [{**amend, "seq": rows[amend["event"][1]]} for amend in each["amends"]]}
        for each in found["remedies"]
    ]
    return {**found, "remedies": remedies}


def _rows(row: Table, found: Guidance) -> list[int]:
    hands = {amend["event"][0] for each in found["remedies"] for amend in each["amends"] or ()}
    return [entry.seq for hand in hands for entry in standing_events(row, hand=hand)]


# --- A hand of a table checked in full


class AuditView(TableAPIView):
    """A hand checked in full, for whoever may read the table."""

    address = OF_TABLE | {"number": "The number of the hand, from 1."}
    costly = True

    @extend_schema(
        operation_id="audit_hand",
        summary="A hand of a table, checked in full",
        description=(
            "Each infraction with its certainty, or that there was none, and what could not be checked, as "
            "`POST referee/audit/` says it. What is held back until the hand is over is not in it."
        ),
        responses={200: DescribedAudit, **problems(413)},
    )
    def get(self, request: Request, code: str, number: int) -> Response:
        checked = audited(standing_now(self.table), number - 1, caller_language())
        if checked is None:
            raise NoSuchHand
        return Response(checked)
