"""*Who are you?* at a table opened by its code, answers to requests, and taking over the score."""

from collections.abc import Mapping
from dataclasses import replace

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from scoring.groups.acts.groups import keep_score
from scoring.groups.reads.groups import group_link_by
from scoring.models import Link, Role
from scoring.operating.acts.limits import count_asking
from scoring.operating.pages.environment import url
from scoring.tables.acts import requests
from scoring.tables.acts.access import devices_of, secrets_in
from scoring.tables.acts.keys import Caller
from scoring.tables.pages.acting import FormError, shows_refusals
from scoring.tables.pages.device import caller_of, keep_device, remember, visit
from scoring.tables.pages.table import show_now
from scoring.tables.presenters.formats import whole
from scoring.tables.presenters.people import at_table
from scoring.tables.presenters.refusals import Message, not_allowed, not_done
from scoring.tables.reads.access import standing_links
from scoring.tables.reads.rules import game_of
from scoring.wording import filled


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
    own = None if row.group_id is None else group_link_by(row.group_id, devices=devices_of(request.COOKIES))
    if row.group is not None and own is not None and own.manages:
        return redirect(f"{url('scoring:who', row.group.code)}?table={row.code}")
    taken = {each.seat for each in standing_links(row).filter(role__in=(Role.PLAYER, Role.SCOREKEEPER))}
    mine = None if link is None else link.seat
    context = {
        "action": url("scoring:who-here", row.code),
        "back": url("scoring:table", row.code),
        "about": f"{game_of(row).name} · {row.spoken_code}",
        "picks": [
            {
                "who": each,
                "name": "seat",
                "value": seat,
                "mine": seat == mine,
                "taken": seat in taken,
                "says": _("this phone") if seat == mine else _("on another phone") if seat in taken else _("free"),
            }
            for seat, each in enumerate(at_table(row))
        ],
        "many": False,
        "asks": link is None or not link.keeps,
        "allowed": not row.finished,
        "message": message,
        "asked": asked,
    }
    response = render(request, "scoring/who.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


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
        requests.sit_keeper(row.code, seat, _caller(request, link))
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
    requests.ask_for_seat(row, seat, keep_device(request, response))
    return response


def _caller(request: HttpRequest, link: Link | None) -> Caller:
    caller = caller_of(request, link)
    if caller is None:
        raise FormError(not_allowed(), 403)
    return replace(caller, expected=None)


@require_POST
@shows_refusals(show_now, not_done)
def answer(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """Accept or refuse a request."""
    row, link, _known = visit(request, code, head_only=True)
    caller = _caller(request, link)
    if "no" in request.POST:
        requests.refuse(row.code, number, caller)
    else:
        requests.let_in(row.code, number, caller)
    return redirect("scoring:table", code=row.code)


@require_POST
@shows_refusals(show_now, not_done)
def take_score(request: HttpRequest, code: str) -> HttpResponseBase:
    """Take over the score when the scorekeeper is gone, or dismiss the notice that another phone has."""
    row, link, _known = visit(request, code, head_only=True)
    response = redirect("scoring:table", code=row.code)
    own = None if row.group_id is None else group_link_by(row.group_id, devices=devices_of(request.COOKIES))
    if link is not None and link.keeps:
        requests.read_relief(row.code, _caller(request, link))
    elif row.group is not None and own is not None and own.manages:
        made = keep_score(row.group.code, row.code, own, Caller(by=own.name or own.role, link=own.pk))
        remember(request, response, row, made.token)
        requests.note_keeper(row.code, made.link)
    else:
        requests.take_score(row.code, _caller(request, link), next(iter(secrets_in(request.COOKIES)), ""))
    return response
