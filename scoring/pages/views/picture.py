"""A game that is over as a picture to keep and to send."""

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from scoring.pages.device.access import table_or_404
from scoring.pages.show.board import board
from scoring.pages.show.picture import picture_of
from scoring.queries.clock import standing_now
from scoring.queries.page_facts import page_facts


@require_GET
def picture(request: HttpRequest, code: str) -> HttpResponse:
    """Send the picture of a game, once that is over and its points may be seen."""
    at = standing_now(table_or_404(request, code))
    shown = board(at, page_facts(at))
    if not shown.finished or shown.scene is None or shown.totals is None:
        raise Http404(_("There is a picture once the game is over."))
    drawn = render_to_string("scoring/picture.svg", {"picture": picture_of(shown, shown.scene, at.row.created)})
    headers = {"Content-Disposition": f'attachment; filename="{at.row.code}.svg"', "Cache-Control": "no-store"}
    return HttpResponse(drawn, content_type="image/svg+xml", headers=headers)
