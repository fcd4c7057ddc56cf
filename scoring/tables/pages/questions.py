"""Single questions of the referee, clauses, and the rulebook of a game."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from referee.engine import rulebook
from referee.engine.game import Game, all_games, find_game
from referee.engine.rules import Option, Refused
from referee.engine.rulings import Reason
from scoring.models import Table
from scoring.operating.acts.addresses import shared_address
from scoring.rulings.presenters.what_if import rules_behind
from scoring.rulings.reads.precedents import fitting, precedents_in
from scoring.tables.pages.device import table_or_404
from scoring.tables.pages.table import is_htmx
from scoring.tables.presenters.cards import ClauseLink, clause_links
from scoring.tables.presenters.formats import rendered, whole
from scoring.tables.presenters.house_rules import DecidedBefore, changed_in_words, decided_before
from scoring.tables.presenters.questions import (
    RULE,
    Answer,
    FilledForm,
    fill_in,
    option_text,
    read_question,
    show_answer,
    show_blanks,
)
from scoring.tables.presenters.rulebook import book_parts, clause_sheet, find_clause, lesson, trick_to_play
from scoring.tables.reads.rules import changed_rules, game_of
from scoring.tables.reads.state import Standing, current_hand, standing_now

# --- A clause by itself, opened over a table or as a small page; and the questions of a table, filled in


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


# --- The single questions of the referee, as small pages that need no table


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


# --- A game taught at the table, and its rulebook: every clause, with an anchor of its own number

LONGEST_SEARCH = 60


def shared_parts(game: Game) -> tuple[str, ...]:
    """Return the files of the rulebook that a game shares with others: its deck's, and those of every table."""
    deck = game.rules({}, game.players[0]).pack.id
    return tuple(name for name in rulebook.SHARED if name in (deck, "irregularities", "record"))


@require_GET
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """Show the rulebook of a game, and what every game shares; with a table, as that table plays it."""
    found = find_game(game)
    if found is None:
        raise Http404(_("There is no such game."))
    at = table_behind(request)
    find = " ".join(request.GET.get("find", "")[:LONGEST_SEARCH].split())
    changed = changed_rules(at.rules) if at and at.row.game == found.id else {}
    parts = book_parts(found, shared_parts(found), changed, len(at.row.seats) if at else None, find)
    context = {
        "game": found,
        "parts": parts,
        "find": find,
        "found": any(part.clauses for part in parts),
        "house": changed_in_words(found, changed, len(at.row.seats)) if at else (),
        "table": at.row if at and at.row.game == found.id else None,
        "offered": found.QUESTIONS,
        "here": request.path,
    }
    return render(request, "scoring/rulebook.html", context)


@require_GET
def teach(request: HttpRequest, game: str) -> HttpResponse:
    """Show the lesson of a game; what was tapped stands in the address, in the first trick and at each step."""
    found = find_game(game)
    if found is None or not found.lesson:
        raise Http404(_("There is no such game."))
    guessed = {number: str(value) for key, value in request.GET.items() if (number := whole(key.removeprefix("step-")))}
    at = table_behind(request)
    context = {
        "game": found,
        "steps": lesson(found, guessed),
        "first_trick": trick_to_play(found, taps_of(request)),
        "table": at.row if at else None,
        "here": request.path,
    }
    return render(request, "scoring/teach.html", context)


def taps_of(request: HttpRequest) -> list[str]:
    """Return what was tapped in the first trick, ``before`` and now; cards put together belong to the last tap."""
    last = request.GET.get("tap", "")
    return [*request.GET.getlist("before"), *([last + "+".join(request.GET.getlist("with"))] if last else [])]
