"""Who may watch a table. Asked once, when a stream is opened."""

from django.http import HttpRequest
from rest_framework.exceptions import AuthenticationFailed

from scoring.models import Link, Table
from scoring.pages.device import token_for
from scoring.queries.access import find_link

SCHEME = "bearer"


class UnknownToken(AuthenticationFailed):
    """A token that opens nothing here, or no longer."""

    auth_header = "Bearer"
    default_detail = "This token does not belong to this table, or was revoked."


def may_watch(request: HttpRequest, table: Table) -> Link | None:
    """Return the link by which this caller watches, or ``None`` where the code alone is enough.

    Raises an ``APIException`` of the REST framework when the caller may not watch; it becomes the answer.
    A stream opened by a link ends when that link is revoked. May use the database.
    """
    if token := _bearer_token(request):
        link = find_link(table, token)
        if link is None:
            raise UnknownToken
        return link
    token = token_for(request, table.code)
    return find_link(table, token) if token else None


def _bearer_token(request: HttpRequest) -> str:
    words = request.headers.get("Authorization", "").split()
    return words[1] if len(words) == 2 and words[0].lower() == SCHEME else ""
