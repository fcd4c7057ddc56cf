"""Points that are hidden until the game is over, for whoever keeps the score and asks for them."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from scoring.pages.device.access import visit
from scoring.pages.show.board import FOLDS, board
from scoring.queries.clock import standing_now
from scoring.queries.page_facts import page_facts
from scoring.queries.points import points_hidden


@require_GET
def points(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show the score sheet of a table with its points, this once; everybody else is sent to the table."""
    row, link, _known = visit(request, code)
    at = standing_now(row)
    if link is None or not link.keeps or not points_hidden(at):
        return redirect("scoring:table", code=row.code)
    shown = board(at, page_facts(at), points=True, opened=FOLDS)
    context = {"table": row, "board": shown, "keeps": True, "opened": FOLDS}
    response = render(request, "scoring/points.html", context)
    response["Cache-Control"] = "no-store"
    return response
