"""This device given away: what it has goes to another one, or is forgotten here and stays there."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from scoring.models import Group
from scoring.pages.device.cookie import forget_device, keep_device
from scoring.pages.show.numbers import number
from scoring.pages.views.links import Shown, qr
from scoring.queries.groups import groups_on, only_here
from scoring.services.devices import devices_of
from scoring.services.moving import forget_everything, moving_token, take_everything, what_it_has
from scoring.services.public_address import shared_address

LONGEST_TOKEN = 1500


@require_GET
def device(request: HttpRequest) -> HttpResponse:
    """Show what this device has, and how to give it away."""
    return _page(request)


@require_POST
def move(request: HttpRequest) -> HttpResponse:
    """Show the code by which another device takes everything that this one has."""
    token = moving_token(devices_of(request.COOKIES))
    url = shared_address(request, f"{reverse('scoring:take-device')}#{token}")
    return _page(request, made=Shown(_("Another phone"), url, qr(url)))


@require_http_methods(["GET", "POST"])
def take(request: HttpRequest) -> HttpResponseBase:
    """Take over what another device gives away, with the token behind the hash of an address."""
    problem = ""
    if request.method == "POST":
        token = request.POST.get("token", "")[-LONGEST_TOKEN:].rpartition("#")[2].strip()
        response = redirect("scoring:home")
        if take_everything(token, keep_device(request, response)):
            return response
        problem = _("This code has run out. Show a new one on the other phone.")
    page = render(request, "scoring/device_take.html", {"problem": problem}, status=404 if problem else 200)
    page["Cache-Control"] = "no-store"
    return page


@require_POST
def forget_all(request: HttpRequest) -> HttpResponseBase:
    """Forget everything on this device, where that was asked for twice."""
    if request.POST.get("sure") != "1":
        return _page(request, problem=_("Say that you are sure."), status=422)
    forget_everything(devices_of(request.COOKIES))
    response = redirect("scoring:home")
    forget_device(request, response)
    return response


def _page(request: HttpRequest, *, made: Shown | None = None, problem: str = "", status: int = 200) -> HttpResponse:
    devices = devices_of(request.COOKIES)
    groups: list[Group] = list(groups_on(devices))
    has = what_it_has(devices)
    context = {
        "groups": groups,
        "only_here": only_here(groups, devices),
        "has": {
            "groups": ngettext("{number} group", "{number} groups", has["groups"]).format(number=number(has["groups"])),
            "tables": ngettext("{number} table", "{number} tables", has["tables"]).format(number=number(has["tables"])),
        },
        "made": made,
        "problem": problem,
    }
    response = render(request, "scoring/device.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response
