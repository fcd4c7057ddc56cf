"""Players agree with what a hand has brought."""

from typing import TypedDict

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.sheet import Moment
from scoring.api.access import OF_TABLE, Records, TableAPIView
from scoring.api.bodies import Nothing
from scoring.api.headers import caller_of
from scoring.api.schema import problems
from scoring.models import Table, TableEvent
from scoring.models.fields import written
from scoring.queries.clock import standing_now
from scoring.queries.results import confirmations
from scoring.queries.state import find_table
from scoring.services.confirming import confirm_hand
from scoring.services.exceptions import NoSuchHand


class SeatAgreed(TypedDict):
    """A seat that agrees, and since when."""

    seat: int
    at: Moment


class Confirmation(TypedDict):
    """Who agrees with the result of a hand."""

    hand: int
    confirmed: list[SeatAgreed]


class ConfirmationView(TableAPIView):
    """Who agrees with the result of a hand."""

    address = OF_TABLE | {"number": "The number of the hand, from 1."}
    write_permission = Records

    @extend_schema(
        operation_id="get_confirmation",
        summary="Who agrees with the result of a hand",
        description="Each seat agrees for itself; `at` is the moment. After a correction the list is empty again.",
        responses={200: Confirmation},
    )
    def get(self, request: Request, code: str, number: int) -> Response:
        return Response(describe_confirmations(self.table, number))

    @extend_schema(
        operation_id="confirm_hand",
        summary="Agree with the result of a hand, as a player",
        description="It holds up nothing. A result that is corrected afterwards is to be agreed with again.",
        request=Nothing,
        responses={201: Confirmation, **problems(409)},
    )
    def post(self, request: Request, code: str, number: int) -> Response:
        self.read(Nothing)
        confirm_hand(self.code, number, caller_of(request, self.own_link))
        row = find_table(self.code)
        assert row is not None
        return Response(describe_confirmations(row, number), status=201)


def describe_confirmations(row: Table, number: int) -> Confirmation:
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
