"""A clause by itself, opened over a table or as a small page; and the questions of a table, filled in."""

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from referee.engine.catalogue import find_game
from scoring.pages.device.access import table_or_404
from scoring.pages.show.clause_sheet import clause_sheet, find_clause
from scoring.pages.show.question_form import fill_in
from scoring.pages.show.what_if import rules_behind
from scoring.pages.views.table import is_htmx
from scoring.queries.clock import standing_now
from scoring.queries.rules import changed_rules, game_of
from scoring.queries.state import Standing, current_hand


def table_behind(request: HttpRequest) -> Standing | None:
    """Return the table from which a page was asked for, if the address names one that this device may see."""
    code = request.GET.get("table", "")[:40]
    if not code:
        return None
    try:
        return standing_now(table_or_404(request, code))
    except Http404:
        return None


@require_GET
def clause(request: HttpRequest, game: str, number: str) -> HttpResponse:
    """Show a clause: its sentence, how the table plays it, and an example with drawn cards."""
    named, at = find_game(game), table_behind(request)
    shown = game_of(at.row) if at else named
    found = find_clause(shown, number) if shown and named else None
    if found is None or shown is None:
        raise Http404(_("There is no such rule."))
    context = {
        "sheet": clause_sheet(shown, *found, changed_rules(at.rules) if at else None),
        "game": shown,
        "here": request.path,
        "table": at.row if at else None,
        "others": rules_behind(shown, changed_rules(at.rules), at.rules.players, (number,)) if at else (),
    }
    alone = is_htmx(request)
    response = render(request, "scoring/_clause_sheet.html" if alone else "scoring/clause.html", context)
    response["Vary"] = "HX-Request"
    return response


@require_GET
def ask_here(request: HttpRequest, code: str, question: str = "") -> HttpResponseBase:
    """Go to a question with the house rules of a table and its last trick filled in."""
    at = standing_now(table_or_404(request, code))
    game = game_of(at.row)
    declared = game.question(question) if question else next(iter(game.QUESTIONS), None)
    if declared is None:
        raise Http404(_("There is no such question."))
    hand = current_hand(at)
    seen = (
        {name: [text for text in texts if text != "?"] for name, texts in declared.seen(hand).items()} if hand else {}
    )
    filled = fill_in(game, declared, seen, changed_rules(at.rules))
    address = reverse("scoring:question", args=[game.id, declared.name])
    return redirect(f"{address}{filled.address()}&{urlencode({'table': at.row.code})}")
