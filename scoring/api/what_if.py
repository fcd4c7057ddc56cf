"""A table under other house rules."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.language import caller_language
from referee.api.parsers import refuse
from referee.engine.house_rules import read_options
from scoring.api import schema
from scoring.api.access import TableAPIView
from scoring.queries.clock import standing_now
from scoring.queries.judging_again import what_if
from scoring.queries.rules import game_of


class WhatIfView(TableAPIView):
    """A table judged as it lay under other house rules, for whoever may read it."""

    costly = True

    @extend_schema(
        operation_id="what_if_at_table",
        summary="A table as it lay under other house rules",
        description=(
            "Every option that is to be another one is a parameter of the query: `?ties=early&hook=true`. The answer "
            "is that of `POST referee/what-if/`. Where points are hidden it says none, and what is held back until "
            "the hand is over is not in it."
        ),
        tags=["tables"],
        auth=[],
        parameters=[schema.CODE, schema.OTHER_RULES],
        responses={
            200: schema.json("Then and now", schema.WHAT_IF),
            **schema.problems(400, 401, 404, 413, 422, 429),
        },
    )
    def get(self, request: Request, code: str) -> Response:
        asked = request.query_params
        twice = next((key for key, values in asked.lists() if len(values) > 1), None)
        if twice is not None:
            refuse("duplicate-key", f"The option {twice[:40]!a} stands twice in the address.")
        at = standing_now(self.table)
        answer = what_if(at, read_options(game_of(at.row), asked.dict()), caller_language())
        return Response(answer, headers={"Cache-Control": "no-cache"})
