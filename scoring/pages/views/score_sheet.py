"""The score of a table by itself: with points that are hidden, for paper, as a picture to keep and to send."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from scoring.pages.costly import looks_back
from scoring.pages.device.access import table_or_404, visit
from scoring.pages.show.board import FOLDS, board
from scoring.pages.show.game_end import ruled_hands
from scoring.pages.show.picture import picture_of
from scoring.queries.clock import standing_now
from scoring.queries.page_facts import page_facts
from scoring.queries.points import points_hidden
from scoring.queries.rulings import rulings_of_the_game


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


@looks_back
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
        "confirmed": (),
        "rulings": tuple(ruled_hands(at, rulings_of_the_game(at), points=not facts.hidden)),
    }
    response = render(request, "scoring/printed.html", context)
    response["Cache-Control"] = "no-store"
    return response


@looks_back
@require_GET
def picture(request: HttpRequest, code: str) -> HttpResponse:
    """Send the picture of a game, once that is over and its points may be seen."""
    at = standing_now(table_or_404(request, code))
    shown = board(at, page_facts(at))
    if not shown.finished or shown.scene is None or shown.totals is None:
        raise Http404(_("There is a picture once the game is over."))
    drawn = render_to_string("scoring/picture.svg", {"picture": picture_of(shown, shown.scene, at.row.evening)})
    headers = {"Content-Disposition": f'attachment; filename="{at.row.code}.svg"', "Cache-Control": "no-store"}
    return HttpResponse(drawn, content_type="image/svg+xml", headers=headers)
