"""Who is looking: this device, and what its link to a table allows."""

from uuid import UUID

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from scoring.models import Link, Table
from scoring.models.table import normal_code
from scoring.pages.device.cookie import remember
from scoring.pages.show.numbers import whole
from scoring.services.devices import devices_of
from scoring.services.exceptions import LinkTurnedOff, NoSuchTable
from scoring.services.keys import Caller
from scoring.services.table_access import Admission, admit, link_to_take, remembered_link

LONGEST_TOKEN = 200


def table_or_404(request: HttpRequest, code: str) -> Table:
    """Return the table of a code, however it was typed; a private one only to a device with a link to it."""
    return visit(request, code).table


def visit(request: HttpRequest, code: str, *, head_only: bool = False) -> Admission:
    """Return the table of a code, however it was typed, and this device's link to it; or no such table is there."""
    try:
        return admit(code, request.META, devices=devices_of(request.COOKIES), head_only=head_only)
    except LinkTurnedOff:
        raise Http404(_("This phone’s link to the table was turned off. The scorekeeper can make a new one.")) from None
    except NoSuchTable:
        raise Http404(_("There is no table with this code.")) from None


LATER_TABLES = "later-tables"
"""The field of a form by which somebody has seen what it changes at the tables at which the game went on."""


def right_to_act(request: HttpRequest, code: str, *, anew: bool = False) -> tuple[str, Link | None, Caller | None]:
    """Return the code of a table as it is stored, by which link this device acts, and how; no caller: it may not.

    Whether the right still stands is checked when the act is written; ``anew``: it did not, so it is looked for.
    """
    link = None if anew else remembered_link(code, devices=devices_of(request.COOKIES))
    if link is None or not link.records:
        row, link, _known = visit(request, code, head_only=True)
        return row.code, link, caller_of(request, link)
    return normal_code(code), link, caller_of(request, link)


def caller_of(request: HttpRequest, link: Link | None, *, keeping: bool = False) -> Caller | None:
    """Return who acts, and how, or ``None`` when this device may not do it.

    ``keeping``: only who keeps the score may. Otherwise players may, too, for their own seats.
    """
    if link is None or not (link.keeps if keeping else link.records):
        return None
    expected = whole(request.POST.get("version", ""))
    return Caller(
        by=link.name,
        link=link.pk,
        device_table=link.device_table,
        seat=link.seat,
        expected=expected,
        key=key_of(request),
        asks_first=LATER_TABLES not in request.POST,
    )


def speaker_of(request: HttpRequest, link: Link | None) -> Caller | None:
    """Return who speaks in a dispute, and how: anybody with a link that stands, also one for looking on."""
    if link is None or link.revoked:
        return None
    return Caller(
        by=link.name,
        link=link.pk,
        device_table=link.device_table,
        seat=link.seat,
        key=key_of(request),
        asks_first=LATER_TABLES not in request.POST,
    )


def key_of(request: HttpRequest) -> str | None:
    """Return the key under which a page sends this form, however often; a form without scripts has none."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    try:
        return str(UUID(key.strip().strip('"')))
    except ValueError:
        raise BadRequest("An Idempotency-Key is a UUID.") from None


def join(request: HttpRequest, code: str, token: str) -> HttpResponseBase:
    """Give this device the link of a token, and go to the table.

    The first device that comes back has it; from then on the token is as good as none.
    """
    token = token[:LONGEST_TOKEN]
    link = link_to_take(code, token)
    row = table_or_404(request, code) if link is None else link.table
    response = redirect("scoring:table", code=row.code)
    if link is not None:
        remember(request, response, row, token)
    response["Cache-Control"] = "no-store"
    response["Referrer-Policy"] = "no-referrer"
    return response
