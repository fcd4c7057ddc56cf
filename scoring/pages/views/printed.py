"""The sheet of a table for paper: who played, what every hand brought, the house rules, what was ruled."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from scoring.pages.device.access import table_or_404
from scoring.pages.show.board import board
from scoring.pages.show.game_end import ruled_hands
from scoring.queries.clock import standing_now
from scoring.queries.page_facts import page_facts
from scoring.queries.rulings import rulings_of_the_game


@require_GET
def printed(request: HttpRequest, code: str) -> HttpResponse:
    """Show a table as it is printed: on one page of paper, or two if it was long."""
    at = standing_now(table_or_404(request, code))
    facts = page_facts(at)
    shown = board(at, facts)
    context = {
        "table": at.row,
        "board": shown,
        "game": shown.game,
        "agreed": (),
        "rulings": tuple(ruled_hands(at, rulings_of_the_game(at), points=not facts.hidden)),
    }
    response = render(request, "scoring/printed.html", context)
    response["Cache-Control"] = "no-store"
    return response
