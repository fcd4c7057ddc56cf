"""Other house rules from the next hand on, as a table agrees between two hands."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from referee.engine.events import HouseRules
from referee.engine.game import Game
from referee.engine.house_rules import settled
from scoring.pages.device.access import visit
from scoring.pages.forms import HouseRulesForm, rule_values
from scoring.pages.show.house_rules import changes_in_words
from scoring.pages.show.house_sentence import house_sentence
from scoring.pages.views.table import is_htmx, table_form
from scoring.queries.clock import standing_now
from scoring.queries.rules import changed_rules, game_of
from scoring.queries.state import Standing
from scoring.services.recording import Recorded, record
from scoring.services.turn import Turn

REDRAWN = ("look", "preset")
"""The buttons that record nothing: what was chosen is brought in line, or changed as they say."""


@require_http_methods(["GET", "POST"])
def house_rules(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show how the next hand is played, or record what the table agreed on instead."""
    row, link, _known = visit(request, code)
    at = standing_now(row)
    game, keeps = game_of(row), link is not None and link.keeps
    form = HouseRulesForm(game, initial=rule_values(game, at.rules))
    if request.method != "POST":
        return _page(request, at, form, keeps=keeps)
    data = request.POST.copy()
    form = HouseRulesForm(game, data, initial={})
    if any(name in request.POST for name in REDRAWN):
        chosen = form.redrawn(request.POST, (at.rules.players,))
        if chosen is not None:
            form.fill_in(chosen, data)
        return _page(request, at, HouseRulesForm(game, data, initial={}), keeps=keeps)
    if not wanted_changes(form, at):
        return redirect("scoring:table", code=row.code)
    return change(request, row.code)


@table_form("rules")
def change(request: HttpRequest, turn: Turn, expected: int | None) -> Recorded:
    """Record the house rules that the form has otherwise than the table."""
    turn.check_version(expected)
    form = HouseRulesForm(game_of(turn.row), request.POST, initial={})
    return record(turn, [HouseRules(wanted_changes(form, turn.at))])


def wanted_changes(form: HouseRulesForm, at: Standing) -> dict[str, object]:
    """Return the house rules that the form has otherwise than the table, with all that depends on them."""
    game, players = form.game, at.rules.players
    before, chosen = changed_rules(at.rules), form.chosen()
    new = {key for key in {*before, *chosen} if before.get(key) != chosen.get(key)}
    now = settled(game, chosen, (players,), keep=frozenset(new)) if new else before
    now = chosen if now is None else now
    options = {option.key: now.get(option.key, option.standard_for(players)) for option in game.all_options()}
    return {key: value for key, value in options.items() if value != at.rules.options[key]}


def can_change(at: Standing) -> bool:
    """Return whether a table may agree on other house rules now: between two hands."""
    hand = at.hand
    return hand is not None and hand.is_over() and not at.state.finished()


def _page(request: HttpRequest, at: Standing, form: HouseRulesForm, *, keeps: bool) -> HttpResponse:
    game: Game = form.game
    hand = at.hand
    kind, value = at.rules.end.kind, at.rules.end.value
    changes = wanted_changes(form, at) if form.is_bound else {}
    context = {
        "table": at.row,
        "game": game,
        "keeps": keeps,
        "can_change": can_change(at),
        "number": 1 if hand is None else hand.setup.index + 2,
        "sentence": house_sentence(
            game, form.chosen(), (at.rules.players,), entered=form.entered(), problems={}, end=(kind, value)
        ),
        "changes": changes_in_words(game, at.rules.options, {**at.rules.options, **changes}, at.rules.players),
        "was": form.was(),
    }
    template = "scoring/_rules_sentence.html" if is_htmx(request) else "scoring/table_rules.html"
    response = render(request, template, context)
    response["Cache-Control"] = "no-store"
    response["Vary"] = "HX-Request"
    return response
