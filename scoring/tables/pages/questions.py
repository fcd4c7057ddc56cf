"""Pages of the referee's standalone questions, of clauses, rulebooks and lessons."""

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from referee.engine import rulebook
from referee.engine.game import all_games, find_game
from referee.engine.rules import Refused
from referee.engine.rulings import Reason
from scoring.operating.acts.limits import shared_address
from scoring.rulings.presenters.what_if import rules_behind
from scoring.rulings.reads.precedents import fitting, precedents_in
from scoring.tables.pages.device import is_htmx, table_or_404
from scoring.tables.presenters.cards import clause_links
from scoring.tables.presenters.formats import PAGE_LANGUAGE, rendered, whole
from scoring.tables.presenters.house_rules import changed_in_words, decided_before
from scoring.tables.presenters.questions import (
    RULE,
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

# --- A single clause, in a dialog or on its own page; and a table's prefilled questions


def table_behind(request: HttpRequest) -> Standing | None:
    """Return the table in the query string, if this device may see it."""
    code = request.GET.get("table", "")[:40]
    if not code:
        return None
    try:
        return standing_now(table_or_404(request, code))
    except Http404:
        return None


@require_GET
def clause(request: HttpRequest, game: str, number: str) -> HttpResponse:
    named, at = find_game(game), table_behind(request)
    shown = game_of(at.row) if at else named
    found = find_clause(shown, number) if shown and named else None
    if found is None or shown is None:
        raise Http404(_("That rule doesn’t exist."))
    context = {
        "sheet": clause_sheet(shown, *found, changed_rules(at.rules) if at else None),
        "game": shown,
        "here": request.path,
        "table": at.row if at else None,
        "others": rules_behind(shown, changed_rules(at.rules), at.rules.players, (number,)) if at else (),
        "fragment": is_htmx(request),
    }
    response = render(request, "scoring/clause.html", context)
    response["Vary"] = "HX-Request"
    return response


@require_GET
def ask_here(request: HttpRequest, code: str, question: str = "") -> HttpResponseBase:
    """Redirect to a question, prefilled with a table's house rules and last trick."""
    at = standing_now(table_or_404(request, code))
    game = game_of(at.row)
    declared = game.question(question) if question else next(iter(game.QUESTIONS), None)
    if declared is None:
        raise Http404(_("That question doesn’t exist."))
    hand = current_hand(at)
    seen = (
        {name: [text for text in texts if text != "?"] for name, texts in declared.seen(hand).items()} if hand else {}
    )
    filled = fill_in(game, declared, seen, changed_rules(at.rules))
    address = reverse("scoring:question", args=[game.id, declared.name])
    return redirect(f"{address}{filled.address()}&{urlencode({'table': at.row.code})}")


# --- The referee's standalone questions, without a table


@require_GET
def questions(request: HttpRequest) -> HttpResponse:
    games = [(game, game.QUESTIONS) for game in all_games() if game.QUESTIONS]
    return render(request, "scoring/ask.html", {"games": games})


@require_GET
def ask(request: HttpRequest, game: str, question: str) -> HttpResponse:
    """Show a question, with its answer once the form is complete; htmx gets only the fragment."""
    found = find_game(game)
    declared = found.question(question) if found else None
    if found is None or declared is None:
        raise Http404(_("That question doesn’t exist."))
    filled = read_question(found, declared, request.GET)
    answer, problems = None, filled.problems
    if filled.complete:
        try:
            answer = filled.answer()
        except Refused as refused:
            problems = refused.problems
    address = reverse("scoring:question", args=[found.id, question]) + filled.address()
    at = table_behind(request)
    context: dict[str, object] = {
        "game": found,
        "question": filled,
        "blanks": show_blanks(filled),
        "answer": None if answer is None else show_answer(filled, answer),
        "problems": rendered(problems),
        "rules": _rules(filled),
        "changed": len(filled.changed),
        "address": shared_address(request, address),
        "offered": found.QUESTIONS,
        "here": request.path,
        "table": at.row if at else None,
        "known": (),
        "fragment": is_htmx(request),
    }
    reason = answer.get("reason") if answer else None
    if at and isinstance(reason, Reason):
        precedents = precedents_in(at.row.group_id, found.id)
        context["known"] = decided_before(fitting(precedents, reason.code, reason.clauses, reason.facts))
    response = render(request, "scoring/question.html", context)
    response["Vary"] = "HX-Request"
    if is_htmx(request):
        response["HX-Push-Url"] = f"{address}&table={at.row.code}" if at else address
    return response


def _rules(filled: FilledForm) -> list[dict[str, Any]]:
    """Return the form's house rules: values from the query, with labels and choices."""
    rules = []
    for option in filled.game.all_options():
        on = filled.options.get(option.key, option.standard)
        labels = option.labels or tuple(map(str, option.values))
        rules.append(
            {
                "name": f"{RULE}{option.key}",
                "label": PAGE_LANGUAGE.translate(option.label),
                "help": PAGE_LANGUAGE.translate(option.help),
                "was": "",
                "span": option.span,
                "entered": on,
                "choices": [
                    (option_text(value), PAGE_LANGUAGE.translate(label), value == on)
                    for value, label in zip(option.values, labels, strict=True)
                ],
                "links": clause_links(filled.game, option.clauses),
            }
        )
    return rules


# --- Lessons, and rulebooks with an anchor for every clause

LONGEST_SEARCH = 60


@require_GET
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """Show a game's rulebook with the shared chapters; for a table, with its house rules."""
    found = find_game(game)
    if found is None:
        raise Http404(_("There is no such game."))
    at = table_behind(request)
    find = " ".join(request.GET.get("find", "")[:LONGEST_SEARCH].split())
    changed = changed_rules(at.rules) if at and at.row.game == found.id else {}
    # Chapters that games share: the deck's, and those of every game with a referee.
    rules = found.rules({}, found.players[0])
    deck, refereed = rules.pack.id, () if found.first(rules, 0).cardless else ("irregularities", "record")
    shared = [name for name in rulebook.SHARED if name == deck or name in refereed]
    parts = book_parts(found, shared, changed, len(at.row.seats) if at else None, find)
    context = {
        "game": found,
        "parts": parts,
        "decktet": deck == "decktet",
        "find": find,
        "found": bool(parts),
        "house": changed_in_words(found, changed, len(at.row.seats)) if at else (),
        "table": at.row if at and at.row.game == found.id else None,
        "offered": found.QUESTIONS,
        "here": request.path,
    }
    return render(request, "scoring/rulebook.html", context)


@require_GET
def teach(request: HttpRequest, game: str) -> HttpResponse:
    """Show a game's lesson; the steps taken so far are in the query."""
    found = find_game(game)
    if found is None or not found.lesson:
        raise Http404(_("There is no such game."))
    guessed = {number: str(value) for key, value in request.GET.items() if (number := whole(key.removeprefix("step-")))}
    at = table_behind(request)
    # In the first trick, additional cards belong to the last tap.
    last = request.GET.get("tap", "")
    taps = [*request.GET.getlist("before"), *([last + "+".join(request.GET.getlist("with"))] if last else [])]
    context = {
        "game": found,
        "steps": lesson(found, guessed),
        "first_trick": trick_to_play(found, taps),
        "table": at.row if at else None,
        "here": request.path,
    }
    return render(request, "scoring/teach.html", context)
