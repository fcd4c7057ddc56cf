"""API of requests for a seat."""

import json
from typing import Annotated, TypedDict

from drf_spectacular.utils import extend_schema_serializer
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.shapes import Named, one_of
from referee.engine.sheet import Moment
from scoring.models import Link, Role, SeatRequest
from scoring.models.fields import written
from scoring.operating.acts.limits import count_asking
from scoring.tables.acts.keys import (
    KEYS_ARE_KEPT,
    fingerprint_of,
    hashed,
    keep,
    keep_token,
    kept,
    kept_token,
    replayed,
)
from scoring.tables.acts.links import ask_for_seat, let_in, refuse
from scoring.tables.api import answers, bodies
from scoring.tables.api.access import OF_TABLE, Admitted, FromHere, Records, TableAPIView
from scoring.tables.api.answers import Token
from scoring.tables.api.headers import key_of
from scoring.tables.api.schema import operation, problems
from scoring.tables.reads.access import answered_by


@extend_schema_serializer(component_name="SeatToAskFor")
class SeatBody(bodies.Body):
    """The requested seat."""

    seat = bodies.Whole(min_value=0, error_messages={"required": "A seat is needed."})


class DescribedRequest(TypedDict):
    """A request for a seat, or to keep the score from that seat."""

    id: int
    role: Annotated[str, Named("AskedRole", one_of([Role.PLAYER, Role.SCOREKEEPER], "The requested role."))]
    seat: int
    at: Moment


class NewRequest(DescribedRequest):
    """A new request, with the token that works once the request is accepted."""

    token: Token


class Requests(TypedDict):
    """The pending requests that the caller may answer or, for one to keep the score, has made."""

    requests: list[DescribedRequest]


def describe_request(asked: SeatRequest) -> DescribedRequest:
    return {"id": asked.pk, "role": asked.role, "seat": asked.seat, "at": written(asked.at)}


class RequestsView(TableAPIView):
    head_only = True
    write_permission = FromHere & Admitted
    versioned = False

    @operation("list_requests", "List the seat requests that this link may answer", {200: Requests})
    def get(self, request: Request, code: str) -> Response:
        """Scorekeepers see all requests, players those for their own seat, and a phone that asks to keep the score its
        own request.
        """
        return Response({"requests": [describe_request(each) for each in answered_by(self.table, self.link)]})

    @operation(
        "ask_for_seat", "Ask for a seat, using only the code", {201: NewRequest, **problems(409)}, request=SeatBody
    )
    def post(self, request: Request, code: str) -> Response:
        """The code alone gives no seat: `token`, shown once, works only after the scorekeeper accepts, and then records
        for this seat. The request expires after ten minutes.
        """
        seat, key = self.read(SeatBody)["seat"], key_of(request)
        fingerprint = fingerprint_of("ask-for-seat", [self.table.pk, seat], key)
        asked = "" if key is None else hashed("ask-for-seat", key, fingerprint)
        before = kept(asked, KEYS_ARE_KEPT) if asked else None
        if before is not None:  # whatever became of it: a retry makes no second request
            replayed.set(True)
            described, token = json.loads(before), kept_token(key, fingerprint) or None
        else:
            count_asking(request.META, self.table.code)
            made, token = ask_for_seat(self.table, seat)
            described = describe_request(made)
            keep_token(key, fingerprint, token)
            if asked:
                keep(asked, KEYS_ARE_KEPT, json.dumps(described))
        return Response({**described, "token": token}, status=201, headers={"Cache-Control": "no-store"})


class RequestView(TableAPIView):
    address = OF_TABLE | {"number": "The id of the request."}
    write_permission = Records

    @operation(
        "let_in",
        "Accept a seat request",
        {201: answers.DescribedLink, **problems(409)},
        request=bodies.Nothing,
    )
    def post(self, request: Request, code: str, number: int) -> Response:
        """The request’s token can then record for the seat; older links to the seat are revoked, since this is the
        player’s new phone. 404 once the request has been answered.
        """
        self.read(bodies.Nothing)
        own: Link = self.own_link
        return Response(answers.describe_link(let_in(self.code, number, self.caller), own), status=201)

    @operation("refuse_request", "Refuse a seat request", {204: None})
    def delete(self, request: Request, code: str, number: int) -> Response:
        """The request’s token never works. 404 once the request has been answered."""
        refuse(self.code, number, self.caller)
        return Response(status=204)
