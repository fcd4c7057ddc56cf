"""Opening a table, and reading one."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from scoring.api import schema
from scoring.api.access import BearerAuthentication, table_or_404
from scoring.api.answers import describe_table
from scoring.api.headers import etag, not_modified
from scoring.services.tables import Opened, create_table


class TablesView(APIView):
    """All tables."""

    @extend_schema(
        operation_id="open_table",
        summary="Open a table",
        description="The answer holds the scorekeeper’s token, shown this once.",
        tags=["tables"],
        auth=[],
        request={"application/json": schema.NEW_TABLE},
        responses={201: schema.json("The table", schema.OPENED), **schema.problems(400, 422)},
    )
    def post(self, request: Request) -> Response:
        return opened_answer(create_table(request.data))


def opened_answer(opened: Opened) -> Response:
    """Answer with a table just opened, and the token that is shown this once."""
    body = describe_table(opened.table) | {"token": opened.token}
    headers = {"ETag": etag(opened.table.version), "Location": body["links"]["self"], "Cache-Control": "no-store"}
    return Response(body, status=201, headers=headers)


class TableView(APIView):
    """One table."""

    authentication_classes = [BearerAuthentication]

    @extend_schema(
        operation_id="get_table",
        summary="Where a table stands",
        description="`state` is the adjudication of its record, as `POST referee/judge/` gives it.",
        tags=["tables"],
        auth=[],
        parameters=[schema.CODE, schema.IF_NONE_MATCH],
        responses={
            200: schema.json("The table", schema.TABLE),
            304: schema.empty("Nothing has changed."),
            **schema.problems(404),
        },
    )
    def get(self, request: Request, code: str) -> Response:
        row = table_or_404(code)
        headers = {"ETag": etag(row.version), "Cache-Control": "no-cache"}
        if not_modified(request, row.version):
            return Response(status=304, headers=headers)
        return Response(describe_table(row), headers=headers)
