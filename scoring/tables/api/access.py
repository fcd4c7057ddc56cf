"""Authentication by bearer token, and permissions by what its link allows."""

from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext, gettext_lazy
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import APIException, AuthenticationFailed, NotAuthenticated, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from referee.api.middleware import TaggedAPIView, ThrottledAPIView
from referee.api.requests import limit_field, tell_limits
from scoring.groups.acts.groups import link_of_group_token
from scoring.groups.reads.groups import group_link_by, right_at_table
from scoring.models import Link, Role, Table
from scoring.models.table import normal_code
from scoring.operating.acts.limits import MINUTE, writes_left
from scoring.tables.acts.access import admit, remembered_link
from scoring.tables.acts.exceptions import LinkRevoked, ManagesNothing, NoSuchGroup, NoSuchTable, OnlyReads
from scoring.tables.acts.keys import Caller, has_receipt, replayed
from scoring.tables.api.answers import TableProblem
from scoring.tables.api.bodies import Nothing, TrialQuery
from scoring.tables.api.http import caller_of, receipt_of

SCHEME = "Bearer"
LONGEST_TOKEN = 200
OPENS_NOTHING = gettext_lazy("This token does not belong to this table, or it was turned off.")
OTHER_SITE = gettext_lazy(
    "This request came from another site and has no token. Send it from a program, or from one of our own pages."
)


class BearerAuthentication(BaseAuthentication):
    """Extracts the bearer token; it is validated by the permission, which knows the table."""

    def authenticate(self, request: Request) -> tuple[None, str] | None:
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != SCHEME.lower().encode():
            return None
        if len(words) != 2 or len(words[1]) > LONGEST_TOKEN:
            raise AuthenticationFailed(gettext("The header must read: Authorization: Bearer <token>."))
        return None, words[1].decode("latin-1")

    def authenticate_header(self, request: Request) -> str:
        return SCHEME


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # drf-spectacular is half typed
    target_class = "scoring.tables.api.access.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "The token of a link."}


class FromHere(BasePermission):
    """Permission for same-origin pages and for callers with a token.

    Without it, any website could make a visitor's browser write to a server in the visitor's own network.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
        if request.auth or origin in settings.CSRF_TRUSTED_ORIGINS or site in ("same-origin", "none"):
            return True
        # Behind a TLS proxy the server doesn't know its own scheme, so only the host is compared.
        if site == "cross-site" or (origin is not None and urlsplit(origin).netloc != request.get_host()):
            raise PermissionDenied(OTHER_SITE, "other-site")
        return True


class Admitted(BasePermission):
    """Permission by the code of a public table or a link to a private one. Sets ``table`` and ``link`` on the view."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        assert isinstance(view, TableAPIView)
        token = str(request.auth or "")
        view.table, view.link, _ = admit(view.kwargs["code"], request.META, token=token, head_only=view.head_only)
        if token and view.link is None:
            view.link = link_by_group(view.table, token, writes=False)
        return True


def link_by_group(table: Table, token: str, *, writes: bool) -> Link | None:
    """Return the table link that a group's token stands for; it is stored only if the request ``writes``.

    ``None`` for a read-only token, and for one that was revoked at this table, which may still read. Raises
    ``AuthenticationFailed``.
    """
    own = None if table.group_id is None else group_link_by(table.group_id, token=token)
    if own is None:
        raise AuthenticationFailed(OPENS_NOTHING)
    if "record" not in own.may:
        return None
    if writes:
        return link_of_group_token(table, own, token)
    link = right_at_table(table, own, token)
    return None if Link.objects.filter(table=table, token_hash=link.token_hash).exists() else link


class Records(BasePermission):
    """Permission to record, everything or for one seat. Sets ``code`` and ``link`` on the view."""

    needs_token = True  # for the schema

    def has_permission(self, request: Request, view: APIView) -> bool:
        assert isinstance(view, TableAPIView)
        code, token, reads = view.kwargs["code"], str(request.auth or ""), request.method in SAFE_METHODS
        view.code, link = normal_code(code), None if reads else remembered_link(code, token=token)
        if link is None:
            view.table, link, _ = admit(code, request.META, token=token, head_only=not reads)
        if not request.auth:
            raise NotAuthenticated(gettext("Writing at a table needs the token of a link to it."))
        view.link = link or link_by_group(view.table, token, writes=not reads)
        if view.link is None:
            raise OnlyReads
        return self.may(view.link)

    def may(self, link: Link) -> bool:
        if not link.records:
            raise PermissionDenied(gettext("This link is view-only."))
        return True


class KeepsScore(Records):
    def may(self, link: Link) -> bool:
        if link.role == Role.PLAYER:
            raise PermissionDenied(
                gettext("This needs a scorekeeper’s link; a player’s link records only what this player does.")
            )
        return super().may(link)


class Manages(KeepsScore):
    """Permission for scorekeepers whose link may also change the table's settings and links."""

    def may(self, link: Link) -> bool:
        allowed = super().may(link)
        if "manage" not in link.may:
            raise ManagesNothing
        return allowed


OF_TABLE = {"code": "The code of the table."}  # path parameters, for the schema


class RetriedAPIView(TaggedAPIView, ThrottledAPIView):
    """Base of views that accept idempotency keys; marks replayed responses."""

    address: ClassVar[Mapping[str, str]] = {}
    problem = TableProblem

    def get_permissions(self) -> list[Any]:
        # 405 comes before permissions
        return [*super().get_permissions()] if self.request.method in self.allowed_methods else []

    def read(self, kind: type[Serializer[Any]], data: object = None, *, partial: bool = False) -> dict[str, Any]:
        """Return the values of a body, or of other data; with ``partial``, only of the keys that were sent."""
        read = kind(data=self.request.data if data is None else data, context={"view": self}, partial=partial)
        read.is_valid(raise_exception=True)
        values: dict[str, Any] = read.validated_data
        return values

    def query(self, kind: type[Serializer[Any]]) -> dict[str, Any]:
        return self.read(kind, self.request.query_params.dict())

    def is_trial(self) -> bool:
        return bool(self.request.query_params) and self.query(TrialQuery)["dry_run"] == "1"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        replayed.set(False)
        super().initial(request, *args, **kwargs)
        if request.method == "DELETE" and hasattr(self, "delete"):
            self.read(Nothing)

    def handle_exception(self, exc: Exception) -> Response:
        """Respond to an exception; 204 for a retry whose first response can no longer be repeated."""
        if isinstance(exc, NoSuchTable | NoSuchGroup | LinkRevoked | AuthenticationFailed):
            with suppress(APIException):  # an invalid Authorization or Idempotency-Key header
                if has_receipt(receipt_of(self.request)):
                    replayed.set(True)
                    return Response(status=HTTPStatus.NO_CONTENT)
        return super().handle_exception(exc)

    def finalize_response(self, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(*args, **kwargs)
        if replayed.get() and response.status_code < HTTPStatus.BAD_REQUEST:
            response["Idempotent-Replayed"] = "true"
        return response


class TableAPIView(RetriedAPIView):
    """Base of views about one table: anyone admitted may read, the scorekeeper may write."""

    authentication_classes = [BearerAuthentication]
    address = OF_TABLE
    read_permission: type[BasePermission] = Admitted
    write_permission: Any = KeepsScore  # a permission, or several joined by operators
    head_only = False  # whether the state may come from the cache; the table is then loaded without it

    table: Table
    code: str
    link: Link | None

    def get_permissions(self) -> list[BasePermission]:
        if self.request.method not in self.allowed_methods:
            return []  # answered with 405, without a permission check
        return [self.read_permission() if self.request.method in SAFE_METHODS else self.write_permission()]

    def finalize_response(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, *args, **kwargs)
        link = getattr(self, "link", None)
        if link is not None and request.method not in SAFE_METHODS:
            left = writes_left(normal_code(self.kwargs["code"]), link.pk)
            tell_limits(response, [left and limit_field("writes", settings.WRITES_PER_MINUTE, MINUTE, *left)])
        return response

    @property
    def own_link(self) -> Link:
        assert self.link is not None
        return self.link

    @property
    def caller(self) -> Caller:
        return caller_of(self.request, self.own_link)
