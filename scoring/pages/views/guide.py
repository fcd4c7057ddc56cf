"""A guided ruling at a table: what went wrong, question after question, and what to do now."""

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from referee.engine.options import Refused
from scoring.pages.device.access import visit
from scoring.pages.show.forms import read_adjustment
from scoring.pages.show.guide import disputes_decided, guides_shown, show_guide
from scoring.pages.show.house_rules import decided_before
from scoring.pages.show.numbers import whole
from scoring.pages.show.translation import PAGE_LANGUAGE, rendered
from scoring.pages.views.table import table_form
from scoring.queries.clock import standing_now
from scoring.queries.disputes import disputes_now
from scoring.queries.guiding import guidance, guides_here, looked_at, precedents_about, read_answers, walk_here
from scoring.queries.rules import game_of
from scoring.services.guiding import Chosen, carry_out
from scoring.services.recording import Recorded
from scoring.services.turn import Turn

ABOUT = ("hand", "dispute")
"""What an address says beside the situation and the answers: which hand it is about, and which dispute."""


@require_safe
def guide(request: HttpRequest, code: str) -> HttpResponse:
    """Show what can have gone wrong, the next question, or what to do now."""
    row, link, _known = visit(request, code)
    at = standing_now(row)
    answers = {key: str(value) for key, value in request.GET.items() if value}
    situation = answers.pop("situation", "")
    about = {key: answers.pop(key) for key in ABOUT if key in answers and whole(answers[key]) is not None}
    number = whole(about["hand"]) if "hand" in about else None
    looked = looked_at(at, None if number is None else number - 1)
    if looked is None and number is not None:
        raise Http404(_("There is no such hand."))
    here = reverse("scoring:guide", args=[row.code])
    context = {
        "table": row,
        "game": game_of(row),
        "keeps": link is not None and link.keeps,
        "here": here,
        "about": urlencode(about),
        "fields": about,
        "problems": (),
        "guides": (),
        "guide": None,
        "decides": (),
        "known": (),
    }
    status = 200
    if situation:
        try:
            walked = walk_here(at, situation, read_answers(at, situation, answers), looked)
        except Refused as refused:
            context["problems"], status = rendered(refused.problems), 422
        else:
            found = guidance(walked, at, PAGE_LANGUAGE)
            context["known"] = decided_before(precedents_about(walked, row))
            context["guide"] = show_guide(found, game_of(row), at.names, about)
            if row.disputes:
                context["decides"] = disputes_decided(disputes_now(row), answers | {"situation": situation}, about)
    if context["guide"] is None:
        context["guides"] = guides_shown(guides_here(at, looked), about)
    response = render(request, "scoring/guide.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


@table_form("guide")
def carry_out_guide(request: HttpRequest, turn: Turn, expected: int | None) -> Recorded:
    """Carry out what a guided ruling has come to, with one tap."""
    turn.check_version(expected)
    answers = {key.removeprefix(ANSWER): str(request.POST[key]) for key in request.POST if key.startswith(ANSWER)}
    situation, number = request.POST.get("situation", ""), whole(request.POST.get("hand", ""))
    points = read_adjustment(request.POST, "points")
    chosen = Chosen(
        situation=situation,
        answers=read_answers(turn.at, situation, answers),
        hand=None if number is None else number - 1,
        remedy=request.POST.get("remedy", ""),
        points=points if isinstance(points, int) else None,
        dispute=whole(request.POST.get("dispute", "")),
    )
    return carry_out(turn, chosen, PAGE_LANGUAGE)


ANSWER = "answer-"
"""How the fields of a form begin that hold the answers."""
