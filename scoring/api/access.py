"""Who is calling: the token in the Authorization header, and what its link allows."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, NotFound, PermissionDenied
from rest_framework.request import Request

from scoring.models import Link, Table
from scoring.models.code import normal_code
from scoring.queries.access import find_link
from scoring.queries.state import find_table

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


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the header stands in the schema."""

    target_class = "scoring.api.access.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "The token of a link to the table."}


def table_or_404(code: str) -> Table:
    """Return the table of a code, however it was typed."""
    table = find_table(normal_code(code))
    if table is None:
        raise NotFound("There is no table with this code.")
    return table


def writer(request: Request, table: Table) -> Link:
    """Return the link that allows this caller to write at this table."""
    if not request.auth:
        raise NotAuthenticated("Writing at a table needs the token of a link to it.")
    link = find_link(table, str(request.auth))
    if link is None:
        raise AuthenticationFailed("This token does not belong to this table, or was revoked.")
    if not link.writes:
        raise PermissionDenied("This link is for looking only.")
    return link
