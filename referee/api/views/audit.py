"""A record in, a full check of each of its hands out."""

from time import thread_time

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.examples import EXAMPLES
from referee.api.language import caller_language
from referee.api.schema import answers, body, examples
from referee.api.throttled import CostlyAPIView
from referee.engine.audit import audit
from referee.engine.audit_sheet import describe_audits
from referee.engine.bounds import deadline
from referee.engine.records import load_record
from referee.engine.what_if_sheet import View


class AuditView(CostlyAPIView):
    """The stateless check of hands in full."""

    @extend_schema(
        operation_id="audit",
        summary="Check the hands of a record in full",
        description=(
            "A hand that was played to its last card, or whose hands were entered, is known: every card is judged"
            " against the hand it came from. The answer lists each infraction with its certainty, or says that there"
            " was none, and what could not be checked."
        ),
        tags=["referee"],
        request=body("Record"),
        responses=answers("Audits", 400, 413, 415, 422, 429),
        examples=examples(EXAMPLES["audit"]),
    )
    def post(self, request: Request) -> Response:
        watch = deadline(thread_time, settings.SECONDS_TO_JUDGE)
        record = load_record(request.data, watch=watch)
        judged, checked = audit(record, watch)
        return Response(describe_audits(judged, checked, View(record.seats, caller_language())))
