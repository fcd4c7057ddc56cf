"""A game taught at the table, and its rulebook: every clause, with an anchor of its own number."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from referee.engine import rulebook
from referee.engine.catalogue import find_game
from referee.engine.game import Game
from scoring.pages.show.book import book_parts
from scoring.pages.show.first_trick import trick_to_play
from scoring.pages.show.house_rules import changed_in_words
from scoring.pages.show.lesson import lesson
from scoring.pages.show.numbers import whole
from scoring.pages.views.clause import table_behind
from scoring.queries.rules import changed_rules

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
