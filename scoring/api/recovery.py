"""The recovery code of a group: what opens it again when every phone is lost."""

from typing import TypedDict

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.sheet import Moment
from scoring.api.access import FromHere, RetriedAPIView
from scoring.api.answers import Token
from scoring.api.bodies import Nothing
from scoring.api.group_access import GroupAPIView
from scoring.api.group_answers import RecoveredGroup, describe_group, describe_token
from scoring.api.group_bodies import RecoverBody
from scoring.api.headers import etag, group_caller_of, key_of
from scoring.api.schema import problems
from scoring.models import RecoveryCode
from scoring.models.fields import written
from scoring.services.recovery import make_recovery_code, recover_group, withdraw_recovery_code


class RecoverySince(TypedDict):
    """Since when a recovery code stands, and when it was last used."""

    created: Moment
    used: Moment | None


class GroupRecovery(TypedDict):
    """Whether a group has a recovery code."""

    recovery: RecoverySince | None


class NewRecoveryCode(TypedDict):
    """A recovery code just made."""

    recovery_code: Token
    created: Moment


class RecoveryView(GroupAPIView):
    """The recovery code of a group, as far as it is known: since when it stands, and when it was used."""

    @extend_schema(
        operation_id="get_group_recovery",
        summary="Whether a group has a recovery code",
        description="The code is shown only when it is made; here is when that was, and when it was last used.",
        responses={200: GroupRecovery},
    )
    def get(self, request: Request, code: str) -> Response:
        kept = RecoveryCode.objects.filter(group=self.group).first()
        described = kept and {"created": written(kept.created), "used": kept.used and written(kept.used)}
        return Response({"recovery": described})

    @extend_schema(
        operation_id="make_group_recovery",
        summary="Make a recovery code, to be written down",
        description="It is shown this once; the one that the group had opens nothing from now on.",
        request=Nothing,
        responses={201: NewRecoveryCode},
    )
    def post(self, request: Request, code: str) -> Response:
        self.read(Nothing)
        made = make_recovery_code(self.group.code, group_caller_of(request, self.link))
        body: NewRecoveryCode = {"recovery_code": made.code or None, "created": written(made.created)}
        return Response(body, status=201, headers={"Cache-Control": "no-store"})

    @extend_schema(
        operation_id="withdraw_group_recovery",
        summary="Let the recovery code open nothing any more",
        description="Members’ links still open the group.",
        responses={204: None},
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
        request=RecoverBody,
        responses={201: RecoveredGroup, **problems(404, 409)},
    )
    def post(self, request: Request) -> Response:
        read = RecoverBody(data=request.data)
        read.is_valid(raise_exception=True)
        values = read.validated_data
        made = recover_group(values.pop("recovery_code"), request.META, **values, key=key_of(request))
        group = made.link.group
        group.refresh_from_db()
        body: RecoveredGroup = {**describe_group(group, made.link), **describe_token(request, made)}
        headers = {"ETag": etag(group.version), "Location": body["links"]["self"], "Cache-Control": "no-store"}
        return Response(body, status=201, headers=headers)
