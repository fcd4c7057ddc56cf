"""Groups of people who play together."""

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.api.access import FromHere, RetriedAPIView
from scoring.api.answers import DescribedTable, NewLink, describe_new_link, describe_table
from scoring.api.bodies import Nothing
from scoring.api.group_access import OF_GROUP, GroupAPIView
from scoring.api.group_answers import (
    DescribedGroup,
    DescribedGroupLink,
    LinksToGroup,
    NewGroup,
    NewGroupLink,
    describe_group,
    describe_group_link,
    describe_new_group_link,
)
from scoring.api.group_bodies import AdoptBody, GroupBody, GroupLinkBody, LinkNameBody, NewGroupBody
from scoring.api.headers import caller_of, etag, group_caller_of, key_of
from scoring.api.paging import PageQuery, paged, part_of
from scoring.api.schema import problems
from scoring.models.table import normal_code
from scoring.queries.groups import standing_group_links
from scoring.services.groups import (
    add_group_link,
    change_group,
    create_group,
    delete_group,
    name_group_link,
    revoke_group_link,
)
from scoring.services.keeping import keep_score
from scoring.services.table_access import admit
from scoring.services.table_changes import TableChanges, change_table


class GroupsView(RetriedAPIView):
    """Making a group; who makes it gets its first link, a member's."""

    permission_classes = [FromHere]
    opens = True

    @extend_schema(
        operation_id="create_group",
        summary="Make a group",
        description="The answer holds a member’s token, shown this once.",
        request=NewGroupBody,
        responses={201: NewGroup},
    )
    def post(self, request: Request) -> Response:
        read = NewGroupBody(data=request.data)
        read.is_valid(raise_exception=True)
        made = create_group(**read.validated_data, key=key_of(request))
        body: NewGroup = {**describe_group(made.link.group, made.link), "token": made.token or None}
        headers = {"ETag": etag(0), "Location": body["links"]["self"], "Cache-Control": "no-store"}
        return Response(body, status=201, headers=headers)


class GroupView(GroupAPIView):
    """A group: its name and its people."""

    @extend_schema(
        operation_id="get_group",
        summary="A group with its people",
        description=(
            "Whoever has a link to it may read it; `role` says what this link allows, and `links` leads to "
            "everything else."
        ),
        responses={200: DescribedGroup},
    )
    def get(self, request: Request, code: str) -> Response:
        self.version = self.group.version
        return Response(describe_group(self.group, self.link))

    @extend_schema(
        operation_id="change_group",
        summary="Change the name of a group, or what it counts",
        description=(
            "What is missing from the body stays. Every member may; a phone that has an older version in `If-Match` "
            "is refused."
        ),
        request=GroupBody,
        responses={200: DescribedGroup},
    )
    def patch(self, request: Request, code: str) -> Response:
        changes = self.read(GroupBody)
        group = change_group(self.group.code, group_caller_of(request, self.link), **changes)
        return Response(describe_group(group, self.link), headers={"ETag": etag(group.version)})

    @extend_schema(
        operation_id="delete_group",
        summary="Delete a group with all its tables and people, for good",
        description=(
            "For members. Tables, people, statistics and links go with it; an archive taken before brings it back."
        ),
        responses={204: None},
    )
    def delete(self, request: Request, code: str) -> Response:
        delete_group(self.group.code, group_caller_of(request, self.link))
        return Response(status=204)


class GroupLinksView(GroupAPIView):
    """All links to a group."""

    @extend_schema(
        operation_id="list_group_links",
        summary="The links that stand, without their tokens",
        description="Members are shown all of them; a viewer only the own one.",
        parameters=[PageQuery],
        responses={200: LinksToGroup, **problems(422)},
    )
    def get(self, request: Request, code: str) -> Response:
        query = self.query(PageQuery)
        links = standing_group_links(self.group)
        shown = links if self.link.manages else links.filter(pk=self.link.pk)
        part = part_of(shown.order_by("pk"), lambda link: (link.pk,), query)
        return paged(request, {"links": [describe_group_link(link, self.link) for link in part.items]}, part.following)

    @extend_schema(
        operation_id="make_group_link",
        summary="Make a link to a group",
        description="The token is shown this once. `url` opens the group on any phone until the link is revoked.",
        request=GroupLinkBody,
        responses={201: NewGroupLink, **problems(409)},
    )
    def post(self, request: Request, code: str) -> Response:
        made = add_group_link(self.group.code, **self.read(GroupLinkBody), caller=group_caller_of(request, self.link))
        body = describe_new_group_link(request, made, self.link)
        return Response(body, status=201, headers={"Cache-Control": "no-store"})


class GroupLinkView(GroupAPIView):
    """One link to a group."""

    address = OF_GROUP | {"number": "The id of the link."}

    @extend_schema(
        operation_id="rename_group_link",
        summary="Call a link by another name",
        description="Tables whose score is kept with it call whoever keeps it by this name.",
        request=LinkNameBody,
        responses={200: DescribedGroupLink},
    )
    def patch(self, request: Request, code: str, number: int) -> Response:
        name = self.read(LinkNameBody)["name"]
        link = name_group_link(self.group.code, number, name, group_caller_of(request, self.link))
        return Response(describe_group_link(link, self.link))

    @extend_schema(
        operation_id="revoke_group_link",
        summary="Revoke a link: it opens nothing from now on",
        description="For members. The last member’s link stays, so that somebody can still open the group.",
        responses={204: None, **problems(409)},
    )
    def delete(self, request: Request, code: str, number: int) -> Response:
        revoke_group_link(self.group.code, number, group_caller_of(request, self.link))
        return Response(status=204)


class AdoptView(GroupAPIView):
    """A table from before, or one opened without the group, becomes the group's."""

    address = OF_GROUP | {"table": "The code of a table of the group."}

    @extend_schema(
        operation_id="adopt_table",
        summary="Make a table one of the group",
        description="Takes a member’s token of the group, and in the body a scorekeeper’s of the table.",
        request=AdoptBody,
        responses={200: DescribedTable},
    )
    def post(self, request: Request, code: str, table: str) -> Response:
        read = self.read(AdoptBody)
        row, link, _known = admit(table, request.META, token=read["token"], head_only=True)
        if link is None or not link.keeps:
            raise PermissionDenied("This takes a scorekeeper’s link to the table.")
        changes = TableChanges(group=self.link, people=read["people"])
        changed = change_table(row.code, changes, caller_of(request, link))
        return Response(describe_table(changed, keeps=True), headers={"ETag": etag(changed.version)})


class KeepScoreView(GroupAPIView):
    """A member takes over the score of a table of the group."""

    address = OF_GROUP | {"table": "The code of a table of the group."}

    @extend_schema(
        operation_id="keep_score",
        summary="Keep the score of a table of the group",
        description="Makes a scorekeeper’s link to the table, called as the member’s link. Its token is shown once.",
        request=Nothing,
        responses={201: NewLink, **problems(409)},
    )
    def post(self, request: Request, code: str, table: str) -> Response:
        self.read(Nothing)
        made = keep_score(self.group.code, normal_code(table), self.link, group_caller_of(request, self.link))
        return Response(describe_new_link(request, made, made.link), status=201, headers={"Cache-Control": "no-store"})
