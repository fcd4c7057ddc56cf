"""The case book: what was ruled at the tables of a group, and, without names, wherever others may read it."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from referee.engine.catalogue import all_games, find_game
from referee.engine.translation import capital
from scoring.models import DisputeState, Group
from scoring.pages.costly import looks_back
from scoring.pages.device.group_access import visit_group
from scoring.pages.show.clauses import ClauseLink, clause_links
from scoring.pages.show.disputes import state_word
from scoring.queries.casebook import Case, CasePage, CaseWanted, cases_of, cases_of_everybody, situations

ON_A_PAGE = 30
MOST_LEFT_OUT = 2000


class CaseSearch(forms.Form):
    """Which rulings somebody looks for; what cannot be is not looked for."""

    game = forms.CharField(max_length=40, required=False)
    clause = forms.CharField(max_length=40, required=False)
    situation = forms.CharField(max_length=40, required=False)
    q = forms.CharField(max_length=100, required=False)
    leave = forms.IntegerField(min_value=0, max_value=MOST_LEFT_OUT, required=False)


@looks_back
@require_GET
def group_rulings(request: HttpRequest, code: str) -> HttpResponse:
    """Show what was ruled at the tables of a group."""
    group, link = visit_group(request, code)
    wanted, leave, query = _wanted(request)
    page = cases_of(group, wanted, leave=leave, most=ON_A_PAGE)
    context = _context(page, wanted, query, group)
    return render(
        request, "scoring/group_rulings.html", context | {"group": group, "tab": "rulings", "manages": link.manages}
    )


@looks_back
@require_GET
def rulings(request: HttpRequest) -> HttpResponse:
    """Show what was ruled wherever others may read it, without names."""
    wanted, leave, query = _wanted(request)
    page = cases_of_everybody(wanted, leave=leave, most=ON_A_PAGE)
    return render(request, "scoring/rulings.html", _context(page, wanted, query, None))


def _wanted(request: HttpRequest) -> tuple[CaseWanted, int, dict[str, str]]:
    form = CaseSearch(request.GET)
    form.is_valid()
    read: dict[str, Any] = form.cleaned_data
    wanted = CaseWanted(
        read.get("game") or "",
        (read.get("clause") or "").strip().upper(),
        read.get("situation") or "",
        " ".join((read.get("q") or "").split()),
    )
    query = {name: str(value) for name, value in read.items() if value and name != "leave"}
    return wanted, read.get("leave") or 0, query


def _context(page: CasePage, wanted: CaseWanted, query: dict[str, str], group: Group | None) -> dict[str, object]:
    following = urlencode(query | {"leave": str(page.following)}) if page.following else ""
    return {
        "cases": [show_case(case) for case in page.cases],
        "wanted": wanted,
        "games": all_games(),
        "situations": [(name, situation_word(name)) for name in situations(group)],
        "following": following,
    }


def show_case(case: Case) -> dict[str, object]:
    """Return a ruling as a list of them shows it."""
    game = find_game(case.game)
    links: tuple[ClauseLink, ...] = () if game is None else clause_links(game, case.clauses)
    return {
        "case": case,
        "game": case.game if game is None else game.name,
        "situation": situation_word(case.situation),
        "word": state_word(DisputeState(case.state)),
        "links": links,
    }


def situation_word(situation: str) -> str:
    """Say what a ruling is about."""
    known = {
        "card": _("a card"),
        "trick": _("a trick"),
        "score-line": _("a line of the score"),
        "words": _("something said"),
    }
    return capital(known.get(situation) or _(situation.removeprefix("joint-").replace("-", " ")))
