"""What was ruled at the tables of a group."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.shapes import TIME
from scoring.api import group_schema, schema
from scoring.api.bodies import Digits
from scoring.api.group_access import GroupAPIView
from scoring.queries.casebook import MOST_LOOKED_AT, Case, CaseWanted, cases_of
from scoring.queries.disputes import LONGEST_WORD

MOST_CASES, USUAL_CASES = 100, 30
CASE_PARTS: schema.Shape = {
    "game": schema.GAME, "table": schema.TEXT, "dispute": schema.WHOLE, "situation": schema.TEXT,
    "claim": schema.TEXT, "state": schema.DISPUTE_STATE, "ruling": schema.TEXT, "clauses": schema.many(schema.TEXT),
    "decided": TIME, "links": schema.FREE,
}  # fmt: skip
CASES = schema.thing(
    {"rulings": schema.many(schema.thing(CASE_PARTS, *CASE_PARTS)), "next": schema.TEXT_OR_NULL}, "rulings", "next"
)


class RulingsQuery(serializers.Serializer[Any]):
    """Which rulings are wanted."""

    game = serializers.CharField(max_length=LONGEST_WORD, default="", allow_blank=True, help_text="Of this game.")
    clause = serializers.CharField(max_length=LONGEST_WORD, default="", allow_blank=True, help_text="By this clause.")
    situation = serializers.CharField(
        max_length=LONGEST_WORD, default="", allow_blank=True, help_text="What they are about, as `situation` has it."
    )
    q = serializers.CharField(max_length=100, default="", allow_blank=True, help_text="Words of claim or ruling.")
    cursor = Digits(min_value=0, max_value=MOST_LOOKED_AT, default=0, help_text="From where on, as `next` has it.")
    limit = Digits(min_value=1, max_value=MOST_CASES, default=USUAL_CASES, help_text="Rulings in one answer.")


class GroupRulingsView(GroupAPIView):
    """The rulings of a group."""

    @extend_schema(
        operation_id="get_group_rulings",
        summary="What was ruled at the tables of a group, the latest first",
        tags=["groups"],
        parameters=[group_schema.CODE, RulingsQuery],
        responses={200: schema.json("The rulings", CASES), **schema.problems(400, 401, 404, 429)},
    )
    def get(self, request: Request, code: str) -> Response:
        asked = self.read(RulingsQuery, request.query_params.dict())
        wanted = CaseWanted(asked["game"], asked["clause"], asked["situation"], asked["q"])
        page = cases_of(self.group, wanted, leave=asked["cursor"], most=asked["limit"])
        following = None
        if page.following:
            query = request.query_params.copy()
            query["cursor"] = str(page.following)
            following = f"{request.path}?{query.urlencode()}"
        return Response({"rulings": [describe_case(case) for case in page.cases], "next": following})


def describe_case(case: Case) -> dict[str, Any]:
    """Describe a ruling as a list of them does."""
    return {
        "game": case.game, "table": case.table, "dispute": case.number, "situation": case.situation,
        "claim": case.claim, "state": case.state, "ruling": case.ruling, "clauses": list(case.clauses),
        "decided": case.decided.isoformat(),
        "links": {
            "dispute": reverse("table-dispute", args=[case.table, case.number]),
            "page": reverse("scoring:dispute", args=[case.table, case.number]),
        },
    }  # fmt: skip
