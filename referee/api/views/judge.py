"""A record in, its adjudication out."""

from time import thread_time

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.examples import EXAMPLES
from referee.api.language import caller_language
from referee.api.parsers import RECORD_PARSERS
from referee.api.schema import answers, body_of_record, examples
from referee.api.throttled import CostlyAPIView
from referee.engine.adjudication import adjudicate
from referee.engine.bounds import deadline
from referee.notation import read_any_form


class JudgeView(CostlyAPIView):
    """The stateless judge."""

    parser_classes = RECORD_PARSERS

    @extend_schema(
        operation_id="judge",
        summary="Judge a record",
        description=(
            "Takes everything that happened at a table and answers with trick winners, scores, irregularities and"
            " the reason for each."
            " The record comes as JSON, in the text notation or as CSV. Where an event is not taken, the events"
            " before it are adjudicated and"
            " `rejected` says what stopped it."
        ),
        tags=["referee"],
        request=body_of_record(),
        responses=answers("Adjudication", 400, 413, 415, 422, 429),
        examples=examples(EXAMPLES["judge"]),
    )
    def post(self, request: Request) -> Response:
        watch = deadline(thread_time, settings.SECONDS_TO_JUDGE)
        return Response(adjudicate(read_any_form(request.data, watch).record, watch, caller_language()))
