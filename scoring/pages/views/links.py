"""Sharing a table: links with a code to scan, made, opened and revoked, and whether the code alone opens it.

No log of any server has the token of a link. It stands behind the hash of the address, which a browser sends to nobody;
the page sends it on as a form, and where there are no scripts, whoever opens it pastes the link.
"""

from dataclasses import dataclass

import segno
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from scoring.models import Link, Role, Table
from scoring.models.table import normal_code
from scoring.pages.acting import FormError, scorekeeper, shows_refusals
from scoring.pages.device.access import join, visit
from scoring.pages.forms import LinkFor
from scoring.pages.show.refusals import Message, not_done
from scoring.queries.access import standing_links, standing_readings
from scoring.queries.rules import game_of
from scoring.services.links import NewLink, add_link
from scoring.services.links import revoke_link as revoke
from scoring.services.public_address import shared_address
from scoring.services.table_changes import TableChanges, change_table

QR_SIZE = 6


@dataclass(frozen=True, slots=True)
class Shown:
    """An address that somebody else's phone can scan."""

    title: str
    url: str
    image: str


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A link in the list: its number, whose it is, whether this device's own, and whether one has opened it yet."""

    number: int
    title: str
    created: object
    own: bool
    opened: bool


def share_page(
    request: HttpRequest,
    code: str,
    *,
    made: Shown | None = None,
    to_read: bool = False,
    message: Message | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show how a table is shared, and a link just made; ``to_read``: for reading, on any number of devices."""
    row, own, _known = visit(request, code, head_only=True)
    keeps = own is not None and own.keeps
    page = shared_address(request, reverse("scoring:table", args=[row.code]))
    context = {
        "table": row,
        "game": game_of(row),
        "message": message,
        "made": made,
        "to_read": to_read,
        "readings": standing_readings(row) if keeps else (),
        "looking": None if row.private else Shown(_("Look on"), page, qr(page)),
        "keeps": keeps,
        "own": own,
        "links": [_row(link, row, own) for link in standing_links(row)] if keeps else [],
        "form": LinkFor(row),
    }
    response = render(request, "scoring/share.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


shows_share_page = shows_refusals(share_page, not_done)


@require_GET
def share(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show how to share a table."""
    return share_page(request, code)


@require_POST
@shows_share_page
def make_link(request: HttpRequest, code: str) -> HttpResponseBase:
    """Make a link, and show it this once."""
    row, caller = scorekeeper(request, code)
    form = LinkFor(row, request.POST)
    if not form.is_valid():
        raise FormError(Message("impossible", _("There is no such link"), text=" ".join(map(str, form.errors["for"]))))
    role, _colon, seat = form.cleaned_data["for"].partition(":")
    made = add_link(row.code, role, int(seat) if seat else None, caller)
    return share_page(request, code, made=_shown(request, row, made))


@require_POST
@shows_share_page
def revoke_link(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """End what a link allows, at once and for everybody who came by it."""
    row, caller = scorekeeper(request, code)
    revoke(row.code, number, caller)
    return redirect("scoring:share", code=row.code)


@require_POST
@shows_share_page
def privacy(request: HttpRequest, code: str) -> HttpResponseBase:
    """Close a table to everybody without a link, or open it."""
    row, caller = scorekeeper(request, code)
    change_table(row.code, TableChanges(private=request.POST.get("private") == "1"), caller)
    return redirect("scoring:share", code=row.code)


def _row(link: Link, row: Table, own: Link | None) -> LinkRow:
    return LinkRow(
        link.pk, _title(link, row), link.created, own is not None and own.pk == link.pk, link.taken is not None
    )


def _title(link: Link, row: Table) -> str:
    if link.seat is not None and link.seat < len(row.seats):
        return str(row.seats[link.seat])
    return _("Scorekeeper") if link.role == Role.SCOREKEEPER else _("Spectator")


def _shown(request: HttpRequest, row: Table, made: NewLink) -> Shown | None:
    if not made.token:
        return None
    url = shared_address(request, f"{reverse('scoring:join', args=[row.code])}#{made.token}")
    return Shown(_title(made.link, row), url, qr(url))


def qr(address: str) -> str:
    """Return an address as a QR code: a picture inside its own address, which the security policy allows."""
    return segno.make(address, error="m").svg_data_uri(scale=QR_SIZE, border=3, light="#fff")


@require_http_methods(["GET", "POST"])
def join_table(request: HttpRequest, code: str) -> HttpResponseBase:
    """Ask for a link to a table, or open the table on this device with the one that was given."""
    if request.method != "POST":
        return _page(request, code)
    token = request.POST.get("token", "").rpartition("#")[2].strip()
    try:
        return join(request, code, token)
    except Http404:
        return _page(request, code, problem=_("This link opens nothing, or it was cancelled."))


def _page(request: HttpRequest, code: str, *, problem: str = "") -> HttpResponse:
    """Show the form. Whether there is such a table, nobody is told."""
    context = {"code": normal_code(code) or "-", "problem": problem}
    response = render(request, "scoring/table_join.html", context, status=404 if problem else 200)
    response["Cache-Control"] = "no-store"
    return response
