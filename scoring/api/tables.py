"""Opening a table, and reading one."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from scoring.api import schema
from scoring.api.access import BearerAuthentication, table_or_404
from scoring.api.answers import describe_table
from scoring.api.headers import etag, not_modified
from scoring.queries.log import record
from scoring.services.tables import create_table


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
        opened = create_table(request.data)
        body = describe_table(opened.table) | {"token": opened.token}
        return Response(
            body,
            status=201,
            headers={"ETag": etag(0), "Location": body["links"]["self"], "Cache-Control": "no-store"},
        )


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


class RecordView(APIView):
    """The record of a table."""

    @extend_schema(
        operation_id="get_record",
        summary="The record of a table",
        description="What was recorded and stands: the form that import and the stateless judge take.",
        tags=["tables"],
        auth=[],
        parameters=[schema.CODE],
        responses={200: schema.json("The record", schema.RECORD), **schema.problems(404)},
    )
    def get(self, request: Request, code: str) -> Response:
        row = table_or_404(code)
        return Response(record(row), headers={"ETag": etag(row.version), "Cache-Control": "no-cache"})
