"""Who is looking: the token in this device's cookie, and what its link allows."""

from collections.abc import Callable
from functools import wraps
from math import ceil
from uuid import UUID

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scoring.models import Link, Role, Table
from scoring.models.table import normal_code
from scoring.pages.device.tables import remember, token_for
from scoring.queries.access import find_link
from scoring.services.exceptions import NoSuchTable, TooMany
from scoring.services.keys import Caller
from scoring.services.table_access import admit, admit_writer

LONGEST_TOKEN = 200
STRENGTH = {Role.SCOREKEEPER: 2, Role.PLAYER: 1, Role.SPECTATOR: 0}


def table_or_404(request: HttpRequest, code: str) -> Table:
    """Return the table of a code, however it was typed; a private one only to a device with a link to it."""
    return visit(request, code)[0]


def visit(request: HttpRequest, code: str, *, head_only: bool = False) -> tuple[Table, Link | None]:
    """Return the table of a code, however it was typed, and this device's link to it; or no such table is there."""
    try:
        token = token_for(request, normal_code(code))
        return admit(code, token or "", request.META, known=token is not None, head_only=head_only)
    except NoSuchTable:
        raise Http404(_("There is no table with this code.")) from None


def own_link(request: HttpRequest, row: Table) -> Link | None:
    """Return this device's link to a table."""
    token = token_for(request, row.code)
    return find_link(row, token) if token else None


def writing(request: HttpRequest, code: str) -> tuple[str, Caller | None]:
    """Return the code of a table as it is stored, and who acts, and how; ``None``: this device may not act.

    Whether the link still opens the table is checked when the act is written.
    """
    try:
        token = token_for(request, normal_code(code))
        stored, link = admit_writer(code, token or "", request.META, known=token is not None)
    except NoSuchTable:
        raise Http404(_("There is no table with this code.")) from None
    return stored, _caller(request, link)


def caller_of(request: HttpRequest, row: Table, *, keeping: bool = False) -> Caller | None:
    """Return who acts, and how, or ``None`` when this device may not do it.

    ``keeping``: only who keeps the score may. Otherwise players may, too, for their own seats.
    """
    return _caller(request, own_link(request, row), keeping=keeping)


def _caller(request: HttpRequest, link: Link | None, *, keeping: bool = False) -> Caller | None:
    if link is None or not (link.writes if keeping else link.records):
        return None
    version = request.POST.get("version", "")
    expected = int(version) if version.isascii() and version.isdecimal() and len(version) < 10 else None
    return Caller(by=link.name, link=link.pk, seat=link.seat, expected=expected, key=_key(request))


def _key(request: HttpRequest) -> str | None:
    """Return the key under which a page sends this form, however often; a form without scripts has none."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    try:
        return str(UUID(key.strip().strip('"')))
    except ValueError:
        raise BadRequest("An Idempotency-Key is a UUID.") from None


def join(request: HttpRequest, code: str) -> HttpResponseBase:
    """Take the link in the address into this device's cookie, and go to the address without it.

    A device that may already do more keeps that.
    """
    token = request.GET.get("token", "")[:LONGEST_TOKEN]
    try:
        row, link = admit(code, token, request.META)
    except NoSuchTable:
        row, link = table_or_404(request, code), None
    response = redirect("scoring:table", code=row.code)
    known = own_link(request, row)
    if link is not None and (known is None or STRENGTH[Role(link.role)] >= STRENGTH[Role(known.role)]):
        remember(request, response, row.code, token)
    response["Cache-Control"] = "no-store"
    response["Referrer-Policy"] = "no-referrer"
    return response


def limited(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Let a view answer who comes too often."""

    @wraps(view)
    def answer(request: HttpRequest, *args: object, **named: object) -> HttpResponseBase:
        try:
            return view(request, *args, **named)
        except TooMany as why:
            minutes = ceil(why.wait / 60)
            response = render(request, "scoring/too_many.html", {"minutes": minutes}, status=429)
            response["Retry-After"] = str(ceil(why.wait))
            return response

    return answer
