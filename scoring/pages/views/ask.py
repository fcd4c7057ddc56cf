"""The single questions of the referee, as small pages that need no table."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from referee.engine.catalogue import all_games, find_game
from referee.engine.options import Option, Refused
from referee.engine.rulings import Reason
from scoring.models import Table
from scoring.pages.show.clauses import ClauseLink, clause_links
from scoring.pages.show.house_rules import DecidedBefore, decided_before
from scoring.pages.show.question_answer import Answer, show_answer
from scoring.pages.show.question_form import RULE, FilledForm, option_text, read_question, show_blanks
from scoring.pages.show.translation import rendered
from scoring.pages.views.clause import table_behind
from scoring.pages.views.table import is_htmx
from scoring.queries.precedents import fitting, precedents_in
from scoring.services.public_address import shared_address


@dataclass(frozen=True, slots=True)
class RuleShown:
    """A house rule as the form shows it; ``values`` are what an address has, what players read, and which is on."""

    option: Option
    name: str
    value: str
    values: tuple[tuple[str, str, bool], ...]
    links: tuple[ClauseLink, ...]


@require_GET
def questions(request: HttpRequest) -> HttpResponse:
    """List the questions of every game."""
    games = [(game, game.QUESTIONS) for game in all_games() if game.QUESTIONS]
    return render(request, "scoring/ask.html", {"games": games})


@require_GET
def ask(request: HttpRequest, game: str, question: str) -> HttpResponse:
    """Show a question, and the answer as soon as enough is told; htmx takes the fragment alone."""
    found = find_game(game)
    declared = found.question(question) if found else None
    if found is None or declared is None:
        raise Http404(_("There is no such question."))
    filled = read_question(found, declared, request.GET)
    answer, problems = _answer(filled)
    address = reverse("scoring:question", args=[found.id, question]) + filled.address()
    at = table_behind(request)
    context: dict[str, object] = {
        "game": found,
        "question": filled,
        "blanks": show_blanks(filled),
        "answer": answer,
        "problems": problems,
        "rules": [_rule(option, filled) for option in found.all_options()],
        "changed": len(filled.changed),
        "address": shared_address(request, address),
        "offered": found.QUESTIONS,
        "here": request.path,
        "table": at.row if at else None,
        "known": _known(at.row, filled) if at and answer else (),
    }
    alone = is_htmx(request)
    response = render(request, "scoring/_question_answer.html" if alone else "scoring/question.html", context)
    response["Vary"] = "HX-Request"
    if alone:
        response["HX-Push-Url"] = f"{address}&table={at.row.code}" if at else address
    return response


def _answer(filled: FilledForm) -> tuple[Answer | None, list[str]]:
    """Return the answer, or what is wrong with the question."""
    if filled.problems or not filled.complete:
        return None, rendered(filled.problems)
    try:
        return show_answer(filled, filled.answer()), []
    except Refused as refused:
        return None, rendered(refused.problems)


def _known(row: Table, filled: FilledForm) -> tuple[DecidedBefore, ...]:
    """Return what the group of a table has decided about what is asked."""
    precedents = precedents_in(row.group_id, filled.game.id)
    reason = filled.answer().get("reason") if precedents else None
    if not isinstance(reason, Reason):
        return ()
    return decided_before(fitting(precedents, reason.code, reason.clauses, reason.facts))


def _rule(option: Option, filled: FilledForm) -> RuleShown:
    value = filled.options.get(option.key, option.standard)
    labels = option.labels or tuple(str(v) for v in option.values)
    values = tuple((option_text(v), labels[i], v == value) for i, v in enumerate(option.values))
    return RuleShown(option, f"{RULE}{option.key}", str(value), values, clause_links(filled.game, option.clauses))
