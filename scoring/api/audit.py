"""A hand of a table checked in full."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.language import caller_language
from referee.engine.audit_sheet import DescribedAudit
from scoring.api.access import OF_TABLE, TableAPIView
from scoring.api.schema import problems
from scoring.queries.clock import standing_now
from scoring.queries.judging_again import audited
from scoring.services.exceptions import NoSuchHand


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
