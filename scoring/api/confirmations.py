"""Players agree with what a hand has brought."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.api import schema
from scoring.api.access import Records, TableAPIView
from scoring.api.bodies import Nothing
from scoring.api.headers import caller_of
from scoring.models import Table, TableEvent
from scoring.models.fields import written
from scoring.queries.clock import standing_now
from scoring.queries.results import confirmations
from scoring.queries.state import find_table
from scoring.services.confirming import confirm_hand
from scoring.services.exceptions import NoSuchHand


class ConfirmationView(TableAPIView):
    """Who agrees with the result of a hand."""

    write_permission = Records

    @extend_schema(
        operation_id="get_confirmation",
        summary="Who agrees with the result of a hand",
        description="Each seat agrees for itself; `at` is the moment. After a correction the list is empty again.",
        tags=["tables"],
        auth=[],
        parameters=[schema.CODE, schema.HAND_INDEX],
        responses={200: schema.json("Who agrees", schema.CONFIRMED), **schema.problems(401, 404, 429)},
    )
    def get(self, request: Request, code: str, number: int) -> Response:
        return Response(describe_confirmations(self.table, number))

    @extend_schema(
        operation_id="confirm_hand",
        summary="Agree with the result of a hand, as a player",
        description="It holds up nothing. A result that is corrected afterwards is to be agreed with again.",
        tags=["tables"],
        parameters=[schema.CODE, schema.HAND_INDEX, schema.IF_MATCH, schema.KEY],
        request=Nothing,
        responses={
            201: schema.json("Who agrees", schema.CONFIRMED),
            **schema.problems(400, 401, 403, 404, 409, 412, 422, 429),
        },
    )
    def post(self, request: Request, code: str, number: int) -> Response:
        self.read(Nothing)
        confirm_hand(self.code, number, caller_of(request, self.own_link))
        row = find_table(self.code)
        assert row is not None
        return Response(describe_confirmations(row, number), status=201)


def describe_confirmations(row: Table, number: int) -> dict[str, Any]:
    """Say which seats agree with a hand; raises ``NoSuchHand`` where there is no such hand."""
    at = standing_now(row)
    if at.hand is None or not 1 <= number <= at.hand.setup.index + 1:
        raise NoSuchHand
    confirmed = confirmations(at).get(number - 1, {})
    moments = dict(TableEvent.objects.filter(table=row, seq__in=confirmed.values()).values_list("seq", "at"))
    return {
        "hand": number,
        "confirmed": [{"seat": seat, "at": written(moments[seq])} for seat, seq in confirmed.items()],
    }
