"""Going on with other people."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.api.access import TableAPIView
from scoring.api.answers import OpenedTable, opened_answer
from scoring.api.headers import caller_of
from scoring.api.schema import problems
from scoring.services.continuing import DescribedCompany, continue_table


class ContinueView(TableAPIView):
    """The table that follows this one."""

    @extend_schema(
        operation_id="continue_table",
        summary="Go on with other people, between two hands",
        description=(
            "Closes the table, if it is not over, and opens the next one with the same game, house rules and end. "
            "`from` names, for each new seat, the seat at this table or null; without it, `people` or names tell. "
            "`people` are ids of the group's people, null for guests; without them, names tell. "
            "Everybody takes the own total along; a `newcomer` begins at `zero` or at the `lowest` total. What is "
            "carried is computed: a correction of this table changes it at all tables that follow. `options` are "
            "house rules that are others from now on; those that nobody chose and that depend on the number of players "
            "follow the new one. A course of hands goes on where it was (`hands_before`)."
        ),
        request=DescribedCompany,
        responses={201: OpenedTable, **problems(409)},
    )
    def post(self, request: Request, code: str) -> Response:
        return opened_answer(continue_table(self.code, request.data, caller_of(request, self.own_link)))
