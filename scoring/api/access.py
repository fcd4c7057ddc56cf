"""Who is calling: the token in the Authorization header, and what its link allows."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, NotFound, PermissionDenied, Throttled
from rest_framework.request import Request

from scoring.models import Link, Role, Table
from scoring.services.exceptions import NoSuchTable, TooMany
from scoring.services.table_access import admit

SCHEME = "Bearer"
LONGEST_TOKEN = 200


class BearerAuthentication(BaseAuthentication):
    """Takes the token out of the header; which table it opens is asked when the table is known."""

    def authenticate(self, request: Request) -> tuple[None, str] | None:
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != SCHEME.lower().encode():
            return None
        if len(words) != 2 or len(words[1]) > LONGEST_TOKEN:
            raise AuthenticationFailed("The header reads: Authorization: Bearer <token>.")
        return None, words[1].decode("latin-1")

    def authenticate_header(self, request: Request) -> str:
        return SCHEME


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # drf-spectacular is half typed
    """How the header stands in the schema."""

    target_class = "scoring.api.access.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "The token of a link to the table."}


def table_or_404(request: Request, code: str) -> Table:
    """Return the table of a code, however it was typed; a private one only to who has a link to it."""
    try:
        table, link = admit(code, str(request.auth or ""), request.META)
    except NoSuchTable as why:
        raise NotFound(str(why)) from why
    except TooMany as why:
        raise Throttled(why.wait, str(why)) from why
    request.link = link  # type: ignore[attr-defined]  # asked for below, so that it is looked up once
    return table


def own_link(request: Request) -> Link | None:
    """Return the caller's link to the table that ``table_or_404`` found."""
    link: Link | None = getattr(request, "link", None)
    return link


def writer(request: Request) -> Link:
    """Return the link that allows this caller to keep the score of the table asked for."""
    link = _known(request)
    if link.role == Role.PLAYER:
        raise PermissionDenied("This takes a scorekeeper’s link; a player’s records what this player does.")
    if not link.writes:
        raise PermissionDenied("This link is for looking only.")
    return link


def recorder(request: Request) -> Link:
    """Return the link that allows this caller to record events at the table asked for: any, or those of one seat."""
    link = _known(request)
    if not link.records:
        raise PermissionDenied("This link is for looking only.")
    return link


def _known(request: Request) -> Link:
    if not request.auth:
        raise NotAuthenticated("Writing at a table needs the token of a link to it.")
    link = own_link(request)
    if link is None:
        raise AuthenticationFailed("This token does not belong to this table, or was revoked.")
    return link
