"""A game taught at the table, before anybody reads its rulebook."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from referee.engine.catalogue import find_game
from scoring.pages.show.first_trick import trick_to_play
from scoring.pages.show.lesson import lesson
from scoring.pages.show.numbers import whole
from scoring.pages.views.clause import table_asked_from


@require_GET
def teach(request: HttpRequest, game: str) -> HttpResponse:
    """Show the lesson of a game; what was tapped stands in the address, in the first trick and at each step."""
    found = find_game(game)
    if found is None or not found.lesson:
        raise Http404(_("There is no such game."))
    guessed = {number: str(value) for key, value in request.GET.items() if (number := whole(key.removeprefix("step-")))}
    at = table_asked_from(request)
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
