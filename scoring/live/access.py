"""Who may watch a table, or a group. Asked once, when a stream is opened."""

from django.http import HttpRequest
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, NotFound, Throttled

from referee.api.language import caller_language
from scoring.models import GroupLink, Table
from scoring.queries.evenings import group_marks
from scoring.queries.groups import group_link_by
from scoring.services.devices import devices_of
from scoring.services.exceptions import NoSuchGroup, NoSuchTable, TooMany
from scoring.services.group_access import admit_to_group
from scoring.services.table_access import Admission, admit

SCHEME = "bearer"


class UnknownToken(AuthenticationFailed):
    """A token that opens nothing here, or no longer."""

    auth_header = "Bearer"
    default_detail = "This token does not belong to this table, or was revoked."


class NoLink(NotAuthenticated):
    """Nothing that could open a group."""

    auth_header = "Bearer"
    default_detail = "A group opens with the token of a link to it."


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
        raise NotFound(why.detail.rendered(caller_language()), "no-such-table") from why
    except TooMany as why:
        raise Throttled(why.wait, why.detail.rendered(caller_language())) from why
    if bearer and admission.link is None and group_link_of(request, admission.table) is None:
        raise UnknownToken
    return admission


def group_link_of(request: HttpRequest, table: Table) -> int | None:
    """Return the id of the link to its group by which this caller may watch a table, if there is one."""
    if table.group_id is None:
        return None
    bearer = _bearer_token(request)
    link = group_link_by(table.group_id, token=bearer, devices=() if bearer else devices_of(request.COOKIES))
    return None if link is None else link.pk


def admit_group_watcher(request: HttpRequest, code: str) -> tuple[GroupLink, int]:
    """Return the link by which this caller watches a group, and how the group stands; only links open one.

    Raises an ``APIException`` when the caller may not. Uses the database.
    """
    bearer = _bearer_token(request)
    devices = () if bearer else devices_of(request.COOKIES)
    if not bearer and not devices:
        raise NoLink
    try:
        group, link = admit_to_group(code, request.META, token=bearer, devices=devices)
    except NoSuchGroup as why:
        raise NotFound(why.detail.rendered(caller_language()), "no-such-group") from why
    except TooMany as why:
        raise Throttled(why.wait, why.detail.rendered(caller_language())) from why
    return link, group_marks([group.pk])[group.pk]


def _bearer_token(request: HttpRequest) -> str:
    words = request.headers.get("Authorization", "").split()
    return words[1] if len(words) == 2 and words[0].lower() == SCHEME else ""
