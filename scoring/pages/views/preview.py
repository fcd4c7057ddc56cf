"""What is tapped or said, shown as it is understood before anything is recorded."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from referee.engine.options import Refused
from referee.engine.reading import load_event
from scoring.pages.device.access import table_or_404
from scoring.pages.show.clauses import CitedSentence, clause_links
from scoring.pages.show.dictation import understand
from scoring.pages.show.forms import read_form
from scoring.pages.show.translation import PAGE_LANGUAGE
from scoring.queries.asks import hand_asks
from scoring.queries.clock import standing_now
from scoring.queries.rules import game_of
from scoring.queries.secret_choices import with_hand


@require_GET
def preview(request: HttpRequest, code: str) -> HttpResponse:
    """Say what a form that is being filled in would record, as far as the game has something to say."""
    at = standing_now(table_or_404(request, code))
    hand = with_hand(at.state).hand
    data = read_form(request.GET, hand_asks(at))
    try:
        seen = None if data is None or hand is None else hand.preview(load_event(data))
    except Refused:
        seen = None
    reasons = seen.reasons if seen else ()
    game = game_of(at.row)
    cited = [
        CitedSentence(reason.sentence(at.names, PAGE_LANGUAGE), clause_links(game, reason.clauses))
        for reason in reasons
    ]
    response = render(request, "scoring/_preview.html", {"seen": seen, "cited": cited})
    response["Cache-Control"] = "no-store"
    return response


MOST_TEXTS, LONGEST = 5, 120


@require_GET
def dictated(request: HttpRequest, code: str) -> HttpResponse:
    """Show which card some texts mean (`text`, the likeliest first), and whose it is where a name came before it."""
    at = standing_now(table_or_404(request, code))
    texts = [text for text in request.GET.getlist("text")[:MOST_TEXTS] if text.strip() and len(text) <= LONGEST]
    heard = understand(texts, pack=at.rules.pack, names=at.names)
    context = {"heard": heard, "names": at.names, "typed": bool(texts)}
    response = render(request, "scoring/_dictated.html", context)
    response["Cache-Control"] = "no-store"
    return response
