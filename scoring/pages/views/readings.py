"""Reading one table, or one hand of it, by a link that opens nothing else, and making such links."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from scoring.models import Reading
from scoring.pages.acting import scorekeeper
from scoring.pages.device.access import LONGEST_TOKEN
from scoring.pages.device.cookie import keep_device, renew
from scoring.pages.show.board import board
from scoring.pages.show.numbers import whole
from scoring.pages.show.translation import PAGE_LANGUAGE
from scoring.pages.views.links import Shown, qr, share_page, shows_share_page
from scoring.pages.views.replay import replay_of
from scoring.queries.access import reading_on
from scoring.queries.clock import standing_now
from scoring.queries.page_facts import page_facts
from scoring.queries.points import points_hidden
from scoring.queries.rules import game_of
from scoring.queries.state import hand_described
from scoring.services.devices import devices_of
from scoring.services.exceptions import NoSuchHand
from scoring.services.public_address import shared_address
from scoring.services.readings import add_reading, forget_reading, open_reading
from scoring.services.readings import revoke_reading as revoke


@require_POST
@shows_share_page
def make_reading(request: HttpRequest, code: str) -> HttpResponseBase:
    """Make a link for reading a table, or one hand of it, and show it this once."""
    row, caller = scorekeeper(request, code)
    wanted = request.POST.get("hand", "")
    number = (whole(wanted) or 0) if wanted else None
    try:
        made = add_reading(row.code, None if number is None else number - 1, caller)
    except NoSuchHand:
        raise Http404(_("This table has no such hand.")) from None
    if not made.token:
        return share_page(request, code, to_read=True)
    url = shared_address(request, f"{reverse('scoring:reading', args=[made.reading.pk])}#{made.token}")
    title = _("The whole table") if number is None else _("Hand {number}").format(number=number)
    return share_page(request, code, made=Shown(title, url, qr(url)), to_read=True)


@require_POST
@shows_share_page
def revoke_reading(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """End what a link for reading opens, on every device."""
    row, caller = scorekeeper(request, code)
    revoke(row.code, number, caller)
    return redirect("scoring:share", code=row.code)


@require_http_methods(["GET", "POST"])
def reading(request: HttpRequest, number: int) -> HttpResponseBase:
    """Show what a link for reading opens; without it ask for it, whether there is such a one or not."""
    if request.method == "POST":
        if "forget" in request.POST:
            forget_reading(devices_of(request.COOKIES), number)
            return redirect("scoring:home")
        token = request.POST.get("token", "").rpartition("#")[2].strip()[:LONGEST_TOKEN]
        response = redirect("scoring:reading", number=number)
        if open_reading(number, token, keep_device(request, response)):
            return response
        return _ask(request, number, problem=_("This link opens nothing, or it was cancelled."))
    found = reading_on(devices_of(request.COOKIES), number)
    return _ask(request, number) if found is None else _show(request, found)


def _ask(request: HttpRequest, number: int, *, problem: str = "") -> HttpResponse:
    context = {"number": number, "problem": problem}
    response = render(request, "scoring/reading_join.html", context, status=404 if problem else 200)
    response["Cache-Control"] = "no-store"
    return response


def _show(request: HttpRequest, found: Reading) -> HttpResponse:
    """Show the hand of a link, or any of a table with its sheet; the code of the table stands nowhere."""
    at = standing_now(found.table)
    hidden = points_hidden(at)
    last = 0 if at.hand is None else at.hand.setup.index
    wanted = (whole(request.GET.get("hand", "")) or 1) - 1
    index = min(wanted, last) if found.hand is None else found.hand
    described = hand_described(at, index, PAGE_LANGUAGE, points=not hidden)
    if described is None and found.hand is not None:
        raise Http404(_("This table has no such hand."))
    context = {
        "reading": found,
        "game": game_of(at.row),
        "names": at.names,
        "replay": described and replay_of(at, described, request.GET.get("trick", ""), points=not hidden),
        "board": board(at, page_facts(at)) if found.hand is None else None,
        "hidden": hidden,
    }
    response = render(request, "scoring/reading.html", context)
    response["Cache-Control"] = "no-store"
    renew(request, response)
    return response
