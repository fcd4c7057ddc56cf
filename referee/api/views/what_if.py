"""A record in, and what it would be under other house rules out."""

from time import thread_time

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.examples import EXAMPLES
from referee.api.language import caller_language
from referee.api.schema import answers, body, examples
from referee.api.throttled import CostlyAPIView
from referee.engine.bounds import deadline
from referee.engine.what_if import judge_as_it_lay, load_what_if, pointing_into
from referee.engine.what_if_sheet import View, describe_what_if


class WhatIfView(CostlyAPIView):
    """The stateless judge under other house rules."""

    @extend_schema(
        operation_id="what_if",
        summary="Judge a record as it lay under other house rules",
        description=(
            "`options` are those that are to be others; all the rest stay as the record has them, and what depends on"
            " one that goes back to its usual value goes back with it. Each trick keeps its cards and their order"
            " whoever should have led; the answer says for every trick and hand what was then and what would be now,"
            " and what only one of the two calls irregular. Where a hand cannot be judged by the other rules,"
            " `unscored` says why."
        ),
        tags=["referee"],
        request=body("WhatIfQuestion"),
        responses=answers("WhatIf", 400, 413, 415, 422, 429),
        examples=examples(EXAMPLES["what-if"]),
    )
    def post(self, request: Request) -> Response:
        watch = deadline(thread_time, settings.SECONDS_TO_JUDGE)
        record, options = load_what_if(request.data, watch)
        with pointing_into("/record", but="/options"):
            found = judge_as_it_lay(record, options, watch)
        return Response(describe_what_if(found, View(record.seats, caller_language()), watch))
