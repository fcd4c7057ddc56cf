"""Links to a table: who may do what at it, and who reads it, or one hand of it, and nothing besides."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.api.access import OF_TABLE, KeepsScore, TableAPIView
from scoring.api.answers import (
    DescribedLink,
    Links,
    NewLink,
    NewReading,
    Readings,
    describe_link,
    describe_new_link,
    describe_new_reading,
    describe_reading,
)
from scoring.api.bodies import ForLink, ForReading, LinkName
from scoring.api.headers import caller_of
from scoring.api.paging import PageQuery, paged, part_of
from scoring.api.schema import problems
from scoring.queries.access import standing_links, standing_readings
from scoring.services.links import add_link, name_link, revoke_link
from scoring.services.readings import add_reading, revoke_reading


class LinksView(TableAPIView):
    """All links to a table."""

    read_permission = KeepsScore

    @extend_schema(
        operation_id="list_links",
        summary="The links that stand, without their tokens",
        description="Who keeps the score is shown all of them; `own` is the one whose token was sent.",
        parameters=[PageQuery],
        responses={200: Links, **problems(403)},
    )
    def get(self, request: Request, code: str) -> Response:
        own, query = self.own_link, self.query(PageQuery)
        part = part_of(standing_links(own.table).order_by("pk"), lambda link: (link.pk,), query)
        return paged(request, {"links": [describe_link(link, own) for link in part.items]}, part.following)

    @extend_schema(
        operation_id="make_link",
        summary="Make a link",
        description="The token is shown this once. `url` gives the link to the first browser that opens it.",
        request=ForLink,
        responses={201: NewLink, **problems(409)},
    )
    def post(self, request: Request, code: str) -> Response:
        own = self.own_link
        made = add_link(self.code, **self.read(ForLink), caller=caller_of(request, own))
        body = describe_new_link(request, made, own)
        return Response(body, status=201, headers={"Cache-Control": "no-store"})


class LinkView(TableAPIView):
    """One link: its name, and its end, which is that of what it allowed at once, on every device."""

    address = OF_TABLE | {"number": "The id of the link."}

    @extend_schema(
        operation_id="rename_link",
        summary="Name a link",
        description="The log calls whoever holds it by that name from now on, beside role and seat.",
        request=LinkName,
        responses={200: DescribedLink},
    )
    def patch(self, request: Request, code: str, number: int) -> Response:
        own = self.own_link
        link = name_link(self.code, number, self.read(LinkName)["name"], caller_of(request, own))
        return Response(describe_link(link, own))

    @extend_schema(
        operation_id="revoke_link",
        summary="Revoke a link: it opens nothing from now on",
        responses={204: None, **problems(409)},
    )
    def delete(self, request: Request, code: str, number: int) -> Response:
        revoke_link(self.code, number, caller_of(request, self.own_link))
        return Response(status=204)


class ReadingsView(TableAPIView):
    """All links for reading a table."""

    read_permission = KeepsScore

    @extend_schema(
        operation_id="list_readings",
        summary="The links for reading that stand, without their tokens",
        description="`hand` is the only hand that a link opens, from 1; null: it opens the whole table.",
        parameters=[PageQuery],
        responses={200: Readings, **problems(403)},
    )
    def get(self, request: Request, code: str) -> Response:
        part = part_of(standing_readings(self.own_link.table), lambda each: (each.pk,), self.query(PageQuery))
        return paged(request, {"readings": [describe_reading(each) for each in part.items]}, part.following)

    @extend_schema(
        operation_id="make_reading",
        summary="Make a link for reading a table, or one hand of it",
        description=(
            "`url` opens it as a page on any number of devices until the link is revoked, and nothing besides: it does "
            "not tell the code. The token is shown this once."
        ),
        request=ForReading,
        responses={201: NewReading, **problems(409)},
    )
    def post(self, request: Request, code: str) -> Response:
        number = self.read(ForReading)["hand"]
        made = add_reading(self.code, None if number is None else number - 1, caller_of(request, self.own_link))
        return Response(describe_new_reading(request, made), status=201, headers={"Cache-Control": "no-store"})


class ReadingView(TableAPIView):
    """One link for reading."""

    address = OF_TABLE | {"number": "The id of the link."}

    @extend_schema(
        operation_id="revoke_reading",
        summary="Revoke a link for reading: it opens nothing from now on, on any device",
        description="For who keeps the score. Other links of the table stay.",
        responses={204: None, **problems(409)},
    )
    def delete(self, request: Request, code: str, number: int) -> Response:
        revoke_reading(self.code, number, caller_of(request, self.own_link))
        return Response(status=204)
