"""How deep a device records: every card, tricks by their winner, or results; it may change in the middle of a hand."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from referee.engine.catalogue import event_kinds
from scoring.pages.show.forms import Form

DEPTH = "depth"
"""The cookie, and the name in an address."""
A_YEAR = 365 * 24 * 3600


def chosen_depth(request: HttpRequest) -> str:
    """Return the event that this device wants in front, empty for what the hand asks first."""
    return known_depth(request.COOKIES.get(DEPTH, ""))


def depth_in_address(request: HttpRequest) -> str | None:
    """Return the depth that an address asks for, empty for every card; None where it names none."""
    return request.GET.get(DEPTH)


def choose_depth(code: str, depth: str) -> HttpResponse:
    """Remember at this table what was chosen, and go to its own address: that is the one kept on the device."""
    path = reverse("scoring:table", args=[code])
    response = redirect(path)
    response.set_cookie(DEPTH, known_depth(depth), max_age=A_YEAR, path=path, samesite="Lax", httponly=True)
    return response


def known_depth(depth: str) -> str:
    """Return a depth if it is an event that tells of several cards at once, else an empty text."""
    kind = event_kinds().get(depth)
    return depth if kind is not None and kind.coarse else ""


def in_front(forms: Sequence[Form], depth: str) -> list[Form]:
    """Return the forms with the chosen one first, as long as it can come now, and before it no choice of cards."""
    laid_out = {form.event for form in forms if lays_out_cards(form)}
    return sorted(forms, key=lambda form: (form.event != depth, form.event in laid_out)) if depth else list(forms)


def lays_out_cards(form: Form) -> bool:
    """Return whether a form tells of cards that lie there before the first trick: bids and results need none."""
    return form.pad is not None and not event_kinds()[form.event].in_trick
