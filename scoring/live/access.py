"""Who may watch a table. Asked once, when a stream is opened."""

from django.http import HttpRequest
from rest_framework.exceptions import AuthenticationFailed, NotFound, Throttled

from scoring.services.devices import devices_of
from scoring.services.exceptions import NoSuchTable, TooMany
from scoring.services.table_access import Admission, admit

SCHEME = "bearer"


class UnknownToken(AuthenticationFailed):
    """A token that opens nothing here, or no longer."""

    auth_header = "Bearer"
    default_detail = "This token does not belong to this table, or was revoked."


def admit_watcher(request: HttpRequest, code: str) -> Admission:
    """Return a table, and the link by which this caller watches it; ``None`` where the code alone is enough.

    Raises an ``APIException`` of the REST framework when the caller may not watch; it becomes the answer.
    A stream opened by a link ends when that link is revoked. Uses the database.
    """
    bearer = _bearer_token(request)
    devices = () if bearer else devices_of(request.COOKIES)
    try:
        admission = admit(code, request.META, token=bearer, devices=devices, head_only=True)
    except NoSuchTable as why:
        raise NotFound(str(why)) from why
    except TooMany as why:
        raise Throttled(why.wait, str(why)) from why
    if bearer and admission.link is None:
        raise UnknownToken
    return admission


def _bearer_token(request: HttpRequest) -> str:
    words = request.headers.get("Authorization", "").split()
    return words[1] if len(words) == 2 and words[0].lower() == SCHEME else ""
