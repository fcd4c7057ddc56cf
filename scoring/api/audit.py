"""A hand of a table checked in full."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.language import caller_language
from scoring.api import schema
from scoring.api.access import TableAPIView
from scoring.queries.clock import standing_now
from scoring.queries.judging_again import audited
from scoring.services.exceptions import NoSuchHand


class AuditView(TableAPIView):
    """A hand checked in full, for whoever may read the table."""

    costly = True

    @extend_schema(
        operation_id="audit_hand",
        summary="A hand of a table, checked in full",
        description=(
            "Each infraction with its certainty, or that there was none, and what could not be checked, as "
            "`POST referee/audit/` says it. What is held back until the hand is over is not in it."
        ),
        tags=["tables"],
        auth=[],
        parameters=[schema.CODE, schema.HAND],
        responses={200: schema.json("The check", schema.AUDIT), **schema.problems(401, 404, 413, 429)},
    )
    def get(self, request: Request, code: str, number: int) -> Response:
        checked = audited(standing_now(self.table), number - 1, caller_language())
        if checked is None:
            raise NoSuchHand
        return Response(checked)
