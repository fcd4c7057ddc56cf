"""The rulebook of a game: every clause, with an anchor of its own number."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_GET

from referee.engine import rulebook
from referee.engine.catalogue import all_games, find_game
from referee.engine.game import Game

BASIS = {
    "seed": gettext_noop("the source says so"),
    "common": gettext_noop("played so everywhere"),
    "derived": gettext_noop("follows from the source"),
    "default": gettext_noop("our choice where the source is silent"),
}


def shared_parts(game: Game) -> tuple[str, ...]:
    """Return the files of the rulebook that a game shares with others: its deck's, and those of every table."""
    deck = game.rules({}, game.players[0]).pack.id
    return tuple(name for name in rulebook.SHARED if name in (deck, "irregularities", "record"))


@require_GET
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """Show the rulebook of a game, and what every game shares."""
    found = find_game(game)
    if found is None:
        raise Http404(_("There is no such game."))
    parts = [(found.name, found.rulebook())]
    parts += [(rulebook.title(name), rulebook.clauses(name)) for name in shared_parts(found)]
    context = {
        "game": found,
        "parts": [
            (title, [(clause, BASIS.get(clause.basis, clause.basis)) for clause in held]) for title, held in parts
        ],
        "games": all_games(),
        "offered": found.QUESTIONS,
    }
    return render(request, "scoring/rulebook.html", context)
