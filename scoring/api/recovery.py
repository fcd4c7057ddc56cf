"""The recovery code of a group: what opens it again when every phone is lost."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.api import group_schema, schema
from scoring.api.access import FromHere, RetriedAPIView
from scoring.api.bodies import Nothing
from scoring.api.group_access import GroupAPIView
from scoring.api.group_answers import describe_group, describe_token
from scoring.api.group_bodies import RecoverBody
from scoring.api.headers import etag, group_caller_of, key_of
from scoring.models import RecoveryCode
from scoring.models.fields import written
from scoring.services.recovery import make_recovery_code, recover_group, withdraw_recovery_code


class RecoveryView(GroupAPIView):
    """The recovery code of a group, as far as it is known: since when it stands, and when it was used."""

    @group_schema.reads(
        "get_group_recovery",
        "Whether a group has a recovery code",
        schema.json("Since when", group_schema.RECOVERY),
        refusals=(401, 404, 429),
        description="The code is shown only when it is made; here is when that was, and when it was last used.",
    )
    def get(self, request: Request, code: str) -> Response:
        kept = RecoveryCode.objects.filter(group=self.group).first()
        described = kept and {"created": written(kept.created), "used": kept.used and written(kept.used)}
        return Response({"recovery": described})

    @extend_schema(
        operation_id="make_group_recovery",
        summary="Make a recovery code, to be written down",
        description="It is shown this once; the one that the group had opens nothing from now on.",
        tags=["groups"],
        parameters=[group_schema.CODE, schema.KEY],
        request=Nothing,
        responses={
            201: schema.json("The code", group_schema.MADE_RECOVERY),
            **schema.problems(400, 401, 403, 404, 412, 422, 429),
        },
    )
    def post(self, request: Request, code: str) -> Response:
        self.read(Nothing)
        made = make_recovery_code(self.group.code, group_caller_of(request, self.link))
        body = {"recovery_code": made.code or None, "created": written(made.created)}
        return Response(body, status=201, headers={"Cache-Control": "no-store"})

    @extend_schema(
        operation_id="withdraw_group_recovery",
        summary="Let the recovery code open nothing any more",
        description="Members’ links still open the group.",
        tags=["groups"],
        parameters=[group_schema.CODE, schema.KEY],
        responses={204: schema.empty("Withdrawn"), **schema.problems(400, 401, 403, 404, 412, 422, 429)},
    )
    def delete(self, request: Request, code: str) -> Response:
        withdraw_recovery_code(self.group.code, group_caller_of(request, self.link))
        return Response(status=204)


class RecoverView(RetriedAPIView):
    """A group that is opened again with what was written down."""

    permission_classes = [FromHere]

    @extend_schema(
        operation_id="recover_group",
        summary="Open a group with its recovery code",
        description=(
            "Makes a member’s link; its token is shown this once. The recovery code goes on working until another one "
            "is made. Wrong ones count as wrong codes of tables do."
        ),
        tags=["groups"],
        auth=[],
        parameters=[schema.KEY],
        request=RecoverBody,
        responses={
            201: schema.json("The group", group_schema.RECOVERED),
            **schema.problems(400, 403, 404, 409, 422, 429),
        },
    )
    def post(self, request: Request) -> Response:
        read = RecoverBody(data=request.data)
        read.is_valid(raise_exception=True)
        body = read.validated_data
        made = recover_group(body.pop("recovery_code"), request.META, **body, key=key_of(request))
        group = made.link.group
        group.refresh_from_db()
        body = describe_group(group, made.link) | describe_token(request, made)
        headers = {"ETag": etag(group.version), "Location": body["links"]["self"], "Cache-Control": "no-store"}
        return Response(body, status=201, headers=headers)
