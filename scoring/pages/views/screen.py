"""The big screen: a table as a tablet or a television shows it to everybody, live and without controls."""

from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from scoring.pages.device.access import table_or_404
from scoring.pages.show.board import board, rulings
from scoring.pages.show.disputes import called
from scoring.pages.views.links import qr
from scoring.pages.views.table import is_htmx
from scoring.queries.clock import standing_now
from scoring.queries.disputes import open_disputes
from scoring.queries.page_facts import page_facts
from scoring.services.public_address import shared_address

_qr = lru_cache(maxsize=500)(qr)


@require_GET
def screen(request: HttpRequest, code: str) -> HttpResponse:
    """Show a table large; htmx takes the fragment alone."""
    at = standing_now(table_or_404(request, code))
    shown = board(at, page_facts(at))
    context: dict[str, object] = {
        "board": shown,
        "rulings": rulings(shown),
        "table": at.row,
        "called": called(open_disputes(at.row), at.names),
        "hands_left": at.state.hands_left(),
        "qr": None if at.row.private else _qr(shared_address(request, reverse("scoring:table", args=[code]))),
    }
    name = "scoring/_screen_answer.html" if is_htmx(request) else "scoring/screen.html"
    response = render(request, name, context)
    response["Cache-Control"] = "no-store"
    response["Vary"] = "HX-Request"
    return response
