"""Pages for sharing a table by links and QR codes, for claiming a seat there, and for moving a device's tables."""

from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from typing import NamedTuple

import segno
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from scoring.groups.acts.group_access import leave
from scoring.groups.acts.groups import keep_score
from scoring.groups.reads.groups import groups_on, only_here
from scoring.models import Group, Link, Role, Table
from scoring.models.table import normal_code
from scoring.operating.acts.limits import count_asking, shared_address
from scoring.operating.pages.environment import url
from scoring.tables.acts import links
from scoring.tables.acts.access import (
    devices_of,
    forget_everything,
    moving_token,
    secrets_in,
    take_everything,
    what_it_has,
)
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.table_settings import TableChanges, change_table
from scoring.tables.pages.device import (
    FormError,
    caller_of,
    forget_device,
    fresh_page,
    join,
    keep_device,
    link_to_group_of,
    remember,
    scorekeeper,
    shows_refusals,
    visit,
)
from scoring.tables.pages.forms import LinkFor
from scoring.tables.pages.table import show_now
from scoring.tables.presenters.formats import number, whole
from scoring.tables.presenters.people import Somebody, at_table
from scoring.tables.presenters.refusals import Message, not_allowed, not_done
from scoring.tables.reads.access import standing_links, standing_rights
from scoring.tables.reads.rules import game_of
from scoring.wording import filled

# --- Sharing a table: creating, opening and revoking links with QR codes, and privacy
# A link's token is in the URL's fragment, which browsers don't send, so no server logs it. The page's script submits it
# as a form; without scripts, the user pastes the link.

QR_SIZE = 6


class Shown(NamedTuple):
    """A URL with its QR code."""

    title: str
    url: str
    image: str


def share_page(
    request: HttpRequest,
    code: str,
    *,
    made: Shown | None = None,
    to_read: bool = False,
    message: Message | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the sharing page, with a link just ``made``.

    ``to_read``: a read-only link, which any number of devices may open.
    """
    row, own, _known = visit(request, code, head_only=True)
    keeps = own is not None and own.keeps
    page = shared_address(request, reverse("scoring:table", args=[row.code]))
    context = {
        "table": row,
        "game": game_of(row),
        "message": message,
        "made": made,
        "to_read": to_read,
        "readings": standing_rights(row).filter(role=Role.READER) if keeps else (),
        "looking": None if row.private else Shown(_("Watch"), page, qr(page)),
        "keeps": keeps,
        "own": own,
        "links": [
            {
                "number": link.pk,
                "title": _title(link, row),
                "created": link.created,
                "own": own is not None and own.pk == link.pk,
                "opened": link.taken is not None,
            }
            for link in (standing_links(row) if keeps else ())
        ],
        "form": LinkFor(row),
        "people": at_table(row),
    }
    return fresh_page(request, "scoring/share.html", context, fragment=True, status=status)


shows_share_page = shows_refusals(share_page, not_done)


@require_POST
@shows_share_page
def make_link(request: HttpRequest, code: str) -> HttpResponseBase:
    row, caller = scorekeeper(request, code)
    form = LinkFor(row, request.POST)
    if not form.is_valid():
        raise FormError(Message("impossible", _("There is no such link"), text=" ".join(map(str, form.errors["for"]))))
    role, _colon, seat = form.cleaned_data["for"].partition(":")
    made = links.add_link(row.code, role, int(seat) if seat else None, caller)
    if not made.token:
        return share_page(request, code)
    url = shared_address(request, f"{reverse('scoring:join', args=[row.code])}#{made.token}")
    return share_page(request, code, made=Shown(_title(made.link, row), url, qr(url)))


@require_POST
@shows_share_page
def revoke_link(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    row, caller = scorekeeper(request, code)
    links.revoke_link(row.code, number, caller)
    return redirect("scoring:share", code=row.code)


@require_POST
@shows_share_page
def privacy(request: HttpRequest, code: str) -> HttpResponseBase:
    """Make a table private, or public."""
    row, caller = scorekeeper(request, code)
    change_table(row.code, TableChanges(private=request.POST.get("private") == "1"), caller)
    return redirect("scoring:share", code=row.code)


def _title(link: Link, row: Table) -> str:
    if link.seat is not None and link.seat < len(row.seats):
        name = str(row.seats[link.seat])
        return name if link.role == Role.PLAYER else filled(_("{name} (scorekeeper)"), name=name)
    if link.label and link.role == Role.SCOREKEEPER:
        return filled(_("{name} (scorekeeper)"), name=link.label)
    return _("Scorekeeper") if link.role == Role.SCOREKEEPER else _("Spectator")


def qr(address: str) -> str:
    """Return a URL's QR code as a ``data:`` URI, which the content security policy allows."""
    return segno.make(address, error="m").svg_data_uri(scale=QR_SIZE, border=3, light="#fff")


def drawn_qr(text: str) -> bytes:
    drawing = BytesIO()
    segno.make(text, error="m", micro=False).save(drawing, kind="svg", scale=QR_SIZE, border=3, light="#fff")
    return drawing.getvalue()


@require_http_methods(["GET", "POST"])
def join_table(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show the form for a link, or open the table with the link that was sent."""
    if request.method != "POST":
        return _page(request, code)
    token = request.POST.get("token", "").rpartition("#")[2].strip()
    try:
        return join(request, code, token)
    except Http404:
        return _page(request, code, problem=_("This link doesn’t work, or it was turned off."))


def _page(request: HttpRequest, code: str, *, problem: str = "") -> HttpResponse:
    context = {
        "title": _("Open a table"),
        "text": _("Scan the code on the scorekeeper’s phone, or paste the link here."),
        "address": reverse("scoring:join", args=[normal_code(code) or "-"]),
        "label": _("Open the table"),
        "problem": problem,
    }
    return fresh_page(request, "scoring/join.html", context, status=404 if problem else 200)


# --- Moving a device's tables and groups to another device, or forgetting them

LONGEST_TOKEN = 1500


@require_POST
def move(request: HttpRequest) -> HttpResponse:
    token = moving_token(devices_of(request.COOKIES))
    url = shared_address(request, f"{reverse('scoring:take-device')}#{token}")
    return device_page(request, made=Shown(_("Another phone"), url, qr(url)))


@require_http_methods(["GET", "POST"])
def take(request: HttpRequest) -> HttpResponseBase:
    """Move another device's tables and groups here, by the token in the URL's fragment."""
    problem = ""
    if request.method == "POST":
        token = request.POST.get("token", "")[-LONGEST_TOKEN:].rpartition("#")[2].strip()
        response = redirect("scoring:home")
        if take_everything(token, keep_device(request, response)):
            return response
        problem = _("This code has expired. Show a new one on the other phone.")
    context = {
        "title": _("From another phone"),
        "text": _(
            "On the old phone, open “Move to another phone, or clear this one”. Scan the code it shows, or paste the "
            "link here."
        ),
        "address": reverse("scoring:take-device"),
        "label": _("Take everything over"),
        "problem": problem,
    }
    return fresh_page(request, "scoring/join.html", context, status=404 if problem else 200)


@require_POST
def forget_all(request: HttpRequest) -> HttpResponseBase:
    """Forget everything on this device, once confirmed."""
    if request.POST.get("sure") != "1":
        return device_page(request, problem=_("Confirm first."), status=422)
    leave(devices_of(request.COOKIES))
    forget_everything(devices_of(request.COOKIES))
    response = redirect("scoring:home")
    forget_device(request, response)
    return response


def device_page(
    request: HttpRequest, *, made: Shown | None = None, problem: str = "", status: int = 200
) -> HttpResponse:
    devices = devices_of(request.COOKIES)
    groups: list[Group] = list(groups_on(devices))
    has = what_it_has(devices)
    context = {
        "groups": groups,
        "only_here": only_here(groups, devices),
        "has": {
            "groups": filled(
                ngettext("{number} group", "{number} groups", has["groups"]), number=number(has["groups"])
            ),
            "tables": filled(
                ngettext("{number} table", "{number} tables", has["tables"]), number=number(has["tables"])
            ),
        },
        "made": made,
        "problem": problem,
    }
    return fresh_page(request, "scoring/device.html", context, status=status)


# --- *Who are you?* at a table opened by its code, answers to requests, and taking over the score


def who_page(
    request: HttpRequest,
    code: str,
    *,
    message: Message | None = None,
    asked: Mapping[str, object] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the seats to ask for; a phone of the table's group is redirected there, to be asked once for all tables."""
    row, link, _known = visit(request, code, head_only=True)
    if link_to_group_of(request, row) is not None and row.group is not None:
        return redirect(f"{url('scoring:who', row.group.code)}?table={row.code}")
    taken = {each.seat for each in standing_links(row).filter(role__in=(Role.PLAYER, Role.SCOREKEEPER))}
    mine = None if link is None else link.seat
    context = {
        "action": url("scoring:who-here", row.code),
        "back": url("scoring:table", row.code),
        "about": f"{game_of(row).name} · {row.spoken_code}",
        "picks": [
            pick(each, "seat", seat, mine=seat == mine, taken=seat in taken) for seat, each in enumerate(at_table(row))
        ],
        "many": False,
        "asks": link is None or not link.keeps,
        "allowed": not row.finished,
        "message": message,
        "asked": asked,
    }
    return fresh_page(request, "scoring/who.html", context, status=status)


def pick(who: Somebody, name: str, value: int, *, mine: bool, taken: bool) -> dict[str, object]:
    """Return a player to choose as the form's ``name``, who may be on this phone or another one."""
    says = _("this phone") if mine else _("on another phone") if taken else _("free")
    return {"who": who, "name": name, "value": value, "mine": mine, "taken": taken, "says": says}


@require_http_methods(["GET", "POST"])
@shows_refusals(who_page, not_done)
def who_here(request: HttpRequest, code: str) -> HttpResponseBase:
    """Request a seat; on the scorekeeper's phone, say whose phone it is."""
    if request.method != "POST":
        return who_page(request, code)
    row, link, _known = visit(request, code, head_only=True)
    response, seat = redirect("scoring:table", code=row.code), whole(request.POST.get("seat", ""))
    if "watch" in request.POST:
        return response
    if seat is None or not 0 <= seat < len(row.seats):
        raise FormError(Message("impossible", _("Tap your name")))
    name = row.seats[seat]
    others = standing_links(row).filter(role=Role.PLAYER, seat=seat)
    if link is not None and link.keeps:
        if others.exists():
            raise FormError(Message("impossible", filled(_("{name} already has a phone here."), name=name)), 409)
        links.sit_keeper(row.code, seat, _caller(request, link))
        return response
    if link is not None and link.plays == seat:
        return response
    if "instead" not in request.POST and others.exists():
        asked = {
            "title": filled(_("{name} already has a phone here."), name=name),
            "text": filled(_("Is this {name}’s new phone? The scorekeeper or the other phone decides."), name=name),
            "fields": [("seat", seat), ("instead", 1)],
            "yes": filled(_("Yes, I’m {name}"), name=name),
        }
        return who_page(request, code, asked=asked, status=409)
    count_asking(request.META, row.code)
    links.ask_for_seat(row, seat, keep_device(request, response))
    return response


def _caller(request: HttpRequest, link: Link | None) -> Caller:
    caller = caller_of(request, link)
    if caller is None:
        raise FormError(not_allowed(), 403)
    return replace(caller, expected=None)


@require_POST
@shows_refusals(show_now, not_done)
def answer_request(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """Accept or refuse a request."""
    row, link, _known = visit(request, code, head_only=True)
    caller = _caller(request, link)
    if "no" in request.POST:
        links.refuse(row.code, number, caller)
    else:
        links.let_in(row.code, number, caller)
    return redirect("scoring:table", code=row.code)


@require_POST
@shows_refusals(show_now, not_done)
def take_score(request: HttpRequest, code: str) -> HttpResponseBase:
    """Take over the score when the scorekeeper is gone, or dismiss the notice that another phone has."""
    row, link, _known = visit(request, code, head_only=True)
    response = redirect("scoring:table", code=row.code)
    own = link_to_group_of(request, row)
    if link is not None and link.keeps:
        links.read_relief(row.code, _caller(request, link))
    elif row.group is not None and own is not None:
        made = keep_score(row.group.code, row.code, own, Caller(by=own.name or own.role, link=own.pk))
        remember(request, response, row, made.token)
        links.note_keeper(row.code, made.link)
    else:
        links.take_score(row.code, _caller(request, link), next(iter(secrets_in(request.COOKIES)), ""))
    return response
