"""Opening a table, and reading one."""

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.api.access import BearerAuthentication, FromHere, KeepsScore, RetriedAPIView, TableAPIView
from scoring.api.answers import DescribedTable, OpenedTable, beside, describe_table, opened_answer
from scoring.api.bodies import TableBody, TableQuery
from scoring.api.headers import caller_of, etag_now, key_of, not_modified
from scoring.api.schema import problems
from scoring.queries.access import is_token_of_table
from scoring.queries.clock import TIME
from scoring.queries.points import may_hide_points
from scoring.services.exceptions import NotMember
from scoring.services.group_access import link_of_token
from scoring.services.table_changes import TableChanges, change_table, delete_table
from scoring.services.tables import NewTable, create_table


class TablesView(RetriedAPIView):
    """Opening a table; who opens it gets its first link, with the right to keep score."""

    authentication_classes = [BearerAuthentication]
    permission_classes = [FromHere]
    opens = True

    @extend_schema(
        operation_id="open_table",
        summary="Open a table",
        description=(
            "The answer holds the scorekeeper’s token, shown this once. With a member’s token of a group the table is "
            "the group’s: `people` names by id who of it sits where, null for guests; without `people` names tell. "
            "From a page of another origin this takes such a token."
        ),
        request=NewTable,
        responses={201: OpenedTable},
    )
    def post(self, request: Request) -> Response:
        group = link_of_token(str(request.auth)) if request.auth else None
        if request.auth and group is None and not is_token_of_table(str(request.auth)):
            raise AuthenticationFailed("This token opens no group and no table, or was revoked.")
        if group is not None and not group.manages:
            raise NotMember
        owner, brought = (None, None) if group is None else (group.group, group.pk)
        opened = create_table(request.data, key=key_of(request), group=owner, group_link=brought)
        return opened_answer(opened)


class TableView(TableAPIView):
    """A table as it stands: read by whoever may see it, made private by who keeps score."""

    @extend_schema(
        operation_id="get_table",
        summary="Where a table stands",
        description=(
            "`state` is the adjudication of its record, as `POST referee/judge/` gives it. Where a house rule hides "
            "points until the game is over (`points_hidden`), scores and totals are null; `points=1` with a "
            "scorekeeper’s token asks for them. `previous` and `next` name a private table only to who keeps the score."
        ),
        parameters=[TableQuery],
        responses={200: DescribedTable, **problems(403)},
    )
    def get(self, request: Request, code: str) -> Response:
        row = self.table
        points = self.query(TableQuery)["points"] == "1"
        if points and not KeepsScore().has_permission(request, self):
            self.permission_denied(request)
        # Time ends a table without an event, so then its version does not tell whether it has changed; nor does it
        # tell whether points are hidden still.
        keeps = self.link is not None and self.link.keeps
        around = beside(row, keeps=keeps)
        if row.end["kind"] == TIME or may_hide_points(row):
            self.version, headers = row.version, {}
        else:
            headers = {"ETag": etag_now(row, self.link, around)}
            if not_modified(request, headers["ETag"]):
                return Response(status=304, headers=headers)
        return Response(describe_table(row, keeps=keeps, points=points, around=around), headers=headers)

    @extend_schema(
        operation_id="change_table",
        summary="Correct names, or make a table private",
        description=(
            "`seats` are the players’ names, as many as there are; a corrected spelling keeps the score. `private` "
            "closes the table to everybody without a link. What is missing stays."
        ),
        request=TableBody,
        responses={200: DescribedTable},
    )
    def patch(self, request: Request, code: str) -> Response:
        caller = caller_of(request, self.own_link)
        row = change_table(self.code, TableChanges(**self.read(TableBody)), caller)
        around = beside(row, keeps=True)
        headers = {"ETag": etag_now(row, self.link, around), "Cache-Control": "no-cache"}
        return Response(describe_table(row, keeps=True, around=around), headers=headers)

    @extend_schema(
        operation_id="delete_table",
        summary="Delete a table with everything recorded at it, for good",
        responses={204: None},
    )
    def delete(self, request: Request, code: str) -> Response:
        delete_table(self.code, caller_of(request, self.own_link))
        return Response(status=204)
