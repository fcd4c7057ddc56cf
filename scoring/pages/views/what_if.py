"""A table under other house rules, as it lay."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from referee.engine.house_rules import read_options
from referee.engine.options import Refused
from scoring.pages.costly import costly
from scoring.pages.device.access import table_or_404
from scoring.pages.show.translation import PAGE_LANGUAGE, rendered
from scoring.pages.show.what_if import other_rules_shown, show_what_if, suggested
from scoring.queries.clock import standing_now
from scoring.queries.judging_again import what_if
from scoring.queries.rules import changed_rules, game_of
from scoring.queries.season_what_if import in_line
from scoring.services.public_address import shared_address


@costly
@require_GET
def what_if_here(request: HttpRequest, code: str) -> HttpResponse:
    """Show what a table would be under the house rules that the address names."""
    at = standing_now(table_or_404(request, code))
    game, players = game_of(at.row), at.rules.players
    known = {option.key for option in game.all_options()}
    chosen = {key: str(value) for key, value in request.GET.items() if key in known and value}
    shown, problems = None, list[str]()
    if chosen:
        try:
            found = what_if(at, in_line(game, at, read_options(game, chosen)), PAGE_LANGUAGE)
        except Refused as refused:
            problems = rendered(refused.problems)
        else:
            shown = show_what_if(found, at.names, at.rules.pack, game)
    rules = changed_rules(at.state.opening)
    here = reverse("scoring:what-if", args=[at.row.code])
    context = {
        "table": at.row,
        "game": game,
        "shown": shown,
        "problems": problems,
        "suggested": suggested(game, rules, players, chosen),
        "rules": other_rules_shown(game, rules, players, chosen),
        "here": here,
        "address": shared_address(request, f"{here}?{urlencode(chosen)}"),
    }
    response = render(request, "scoring/what_if.html", context, status=422 if problems else 200)
    response["Cache-Control"] = "no-store"
    return response
