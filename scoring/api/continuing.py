"""Going on with other people."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from referee.api.problems import ProblemResponse
from scoring.api import schema
from scoring.api.access import BearerAuthentication, table_or_404, writer
from scoring.api.answers import not_done, opened_answer
from scoring.api.headers import asked_by
from scoring.services.continuing import continue_table
from scoring.services.exceptions import NotDone


class ContinueView(APIView):
    """The table that follows this one."""

    authentication_classes = [BearerAuthentication]

    @extend_schema(
        operation_id="continue_table",
        summary="Go on with other people, between two hands",
        description=(
            "Closes the table, if it is not over, and opens the next one with the same game, house rules and end. "
            "`from` names, for each new seat, the seat at this table or null; without it, names tell. "
            "Everybody takes the own total along; a `newcomer` begins at `zero` or at the `lowest` total."
        ),
        tags=["tables"],
        parameters=[schema.CODE, schema.IF_MATCH, schema.KEY],
        request={"application/json": schema.COMPANY},
        responses={
            201: schema.json("The next table", schema.OPENED),
            **schema.problems(400, 401, 403, 404, 409, 412, 422, 429),
        },
    )
    def post(self, request: Request, code: str) -> Response | ProblemResponse:
        row = table_or_404(request, code)
        asked = asked_by(request, writer(request))
        try:
            return opened_answer(continue_table(row.code, request.data, asked))
        except NotDone as why:
            return not_done(why, row)
