"""A card said in words: shown as it was understood, before anything is recorded."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from scoring.pages.device.access import table_or_404
from scoring.pages.show.dictation import understand
from scoring.queries.clock import standing_now

MOST_TEXTS, LONGEST = 5, 120


@require_GET
def dictated(request: HttpRequest, code: str) -> HttpResponse:
    """Show which card some texts mean (`text`, the likeliest first), and whose it is where a name came before it."""
    at = standing_now(table_or_404(request, code))
    texts = [text for text in request.GET.getlist("text")[:MOST_TEXTS] if text.strip() and len(text) <= LONGEST]
    told = understand(texts, pack=at.rules.pack, names=at.names)
    context = {"told": told, "name": None if told.seat is None else at.names[told.seat], "asked": bool(texts)}
    response = render(request, "scoring/_dictated.html", context)
    response["Cache-Control"] = "no-store"
    return response
