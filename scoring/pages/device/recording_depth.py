"""How deep a device records: every card, tricks by their winner, or results; it may change in the middle of a hand."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from referee.engine.catalogue import event_kinds
from scoring.pages.show.forms import Form

COOKIE = "way"
A_YEAR = 365 * 24 * 3600


def chosen_way(request: HttpRequest) -> str:
    """Return the event that this device wants in front, empty for what the hand asks first."""
    return known_way(request.COOKIES.get(COOKIE, ""))


def choose_way(code: str, way: str) -> HttpResponse:
    """Remember at this table what was chosen, and go to its own address: that is the one kept on the device."""
    path = reverse("scoring:table", args=[code])
    response = redirect(path)
    response.set_cookie(COOKIE, known_way(way), max_age=A_YEAR, path=path, samesite="Lax", httponly=True)
    return response


def known_way(way: str) -> str:
    """Return a way if it is an event that tells of several cards at once, else an empty text."""
    kind = event_kinds().get(way)
    return way if kind is not None and kind.coarse else ""


def in_front(forms: Sequence[Form], way: str) -> list[Form]:
    """Return the forms with the chosen one first, as long as it can come now, and before it no choice of cards."""
    return sorted(forms, key=lambda form: (form.event != way, form.secret)) if way else list(forms)
