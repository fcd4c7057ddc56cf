"""What a group has decided once and for all, and the case book: what was ruled at the tables."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from referee.engine.game import all_games, find_game
from referee.engine.rules import Problem, Refused
from referee.engine.texts import capital
from scoring.groups.reads.evenings import game_name
from scoring.models import DisputeState, Group, Precedent, Table
from scoring.operating.pages.site import looks_back
from scoring.rulings.acts.precedents import NewPrecedent, change_precedent, decide, drop_precedent, option_of
from scoring.rulings.reads.casebook import CaseWanted, cases_of, situations
from scoring.rulings.reads.disputes import DisputeNow
from scoring.rulings.reads.precedents import fitting, precedents_in, precedents_of
from scoring.tables.pages.acting import member, shows_refusals
from scoring.tables.pages.device import visit_group
from scoring.tables.presenters.cards import clause_links
from scoring.tables.presenters.formats import PAGE_LANGUAGE, whole
from scoring.tables.presenters.house_rules import DecidedBefore, decided_before, in_words, rule_of, value_text
from scoring.tables.presenters.refusals import Message
from scoring.tables.reads.cursors import cursor_of, place_of

WORDS = ("question", "decision", "game", "code", "clause")
ON_A_PAGE = 30
RULINGS = "rulings"


def _page(request: HttpRequest, code: str, *, message: Message | None = None, status: int = 200) -> HttpResponse:
    group, link = visit_group(request, code)
    translate = PAGE_LANGUAGE.translate
    context = {
        "group": group,
        "tab": "more",
        "manages": link.manages,
        "message": message,
        "games": all_games(),
        # The house rules of every game, value by value: what each is sent as, and what it says.
        "rules": [
            (
                game.name,
                [
                    (f"{game.id} {option.key} {place}", f"{translate(option.label)}: {value_text(option, value)}")
                    for option in game.all_options()
                    for place, value in enumerate(option.values)
                ],
            )
            for game in (all_games() if link.manages else ())
        ],
        "rows": [(each, rule_of(each)) for each in precedents_of(group)],
    }
    return render(request, "scoring/group_precedents.html", context, status=status)


@require_http_methods(["GET", "POST"])
@shows_refusals(_page)
def precedents(request: HttpRequest, code: str) -> HttpResponseBase:
    if request.method != "POST":
        return _page(request, code)
    group, _link, caller = member(request, code)
    if "rule" in request.POST:
        decide(group.code, as_a_rule(request.POST["rule"]), caller)
        return redirect("scoring:precedents", code=group.code)
    words: dict[str, Any] = {name: request.POST.get(name, "").strip() for name in WORDS}
    table, dispute = request.POST.get("table", "")[:20], whole(request.POST.get("dispute", ""))
    wanted = NewPrecedent(**words, table=table, dispute=dispute)
    decide(group.code, wanted, caller, PAGE_LANGUAGE)
    return redirect("scoring:precedents", code=group.code)


@require_POST
@shows_refusals(_page)
def precedent(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    group, _link, caller = member(request, code)
    if "drop" in request.POST:
        drop_precedent(group.code, number, caller)
    else:
        changes = {name: request.POST[name] for name in ("question", "decision") if name in request.POST}
        change_precedent(group.code, number, changes, caller)
    return redirect("scoring:precedents", code=group.code)


def as_a_rule(sent: str) -> NewPrecedent:
    """Return the decision for a house rule, as the form sends one; raises ``Refused`` where there is none such."""
    game, key, place = (*sent.split(" "), "", "")[:3]
    option, number = option_of(game, key), whole(place)
    if option is None or number is None or number >= len(option.values):
        raise Refused([Problem("/option", "unknown-option", "The game has no such house rule.")])
    value = option.values[number]
    return NewPrecedent(
        question=PAGE_LANGUAGE.translate(option.label),
        decision=in_words(option, value),
        game=game,
        clause=next(iter(option.clauses), ""),
        option=key,
        value=value,
    )


def decided_here(row: Table, each: DisputeNow, clauses: Iterable[str]) -> tuple[DecidedBefore, ...]:
    cited = [*(each.ruling.clauses if each.ruling else ()), *clauses]
    found = fitting(precedents_in(row.group_id, row.game), each.situation, cited)
    return decided_before(one for one in found if (one.table_id, one.dispute) != (row.pk, each.number))


def group_to_decide(request: HttpRequest, row: Table, each: DisputeNow) -> Group | None:
    """Return the group that may take a ruling for its rule: this device manages it, and it has not done so yet."""
    if row.group is None or each.ruling is None or each.is_open:
        return None
    try:
        group, link = visit_group(request, row.group.code)
    except Http404:
        return None
    done = Precedent.objects.filter(group=group, table=row, dispute=each.number).exists()
    return group if link.manages and not done else None


# --- The case book: what was ruled at the tables of a group, and, without names, wherever others may read it


class CaseSearch(forms.Form):
    """Which rulings somebody looks for; what cannot be is not looked for."""

    game = forms.CharField(max_length=40, required=False)
    clause = forms.CharField(max_length=40, required=False)
    situation = forms.CharField(max_length=40, required=False)
    q = forms.CharField(max_length=100, required=False)


@looks_back
@require_GET
def group_rulings(request: HttpRequest, code: str) -> HttpResponse:
    group, link = visit_group(request, code)
    context = {"group": group, "tab": "more", "manages": link.manages, **_cases(request, group)}
    return render(request, "scoring/group_rulings.html", context)


@looks_back
@require_GET
def rulings(request: HttpRequest) -> HttpResponse:
    return render(request, "scoring/rulings.html", _cases(request, None))


def _cases(request: HttpRequest, group: Group | None) -> dict[str, object]:
    form = CaseSearch(request.GET)
    form.is_valid()
    read: dict[str, Any] = form.cleaned_data
    wanted = CaseWanted(
        read.get("game") or "",
        (read.get("clause") or "").strip().upper(),
        read.get("situation") or "",
        " ".join((read.get("q") or "").split()),
    )
    page = cases_of(group, wanted, after=place_of(RULINGS, request.GET.get("cursor", "")) or (), most=ON_A_PAGE)
    query = {name: str(value) for name, value in read.items() if value}
    cases = []
    for case in page.cases:
        game = find_game(case.game)
        cases.append(
            {
                "case": case,
                "game": game_name(case.game),
                "situation": situation_word(case.situation),
                "word": str(DisputeState(case.state).label),
                "links": () if game is None else clause_links(game, case.clauses),
            }
        )
    return {
        "cases": cases,
        "wanted": wanted,
        "games": all_games(),
        "situations": [(name, situation_word(name)) for name in situations(group)],
        "following": urlencode(query | {"cursor": cursor_of(RULINGS, page.following)}) if page.following else "",
    }


def situation_word(situation: str) -> str:
    known = {
        "card": _("a card"),
        "trick": _("a trick"),
        "score-line": _("a line of the score"),
        "words": _("something said"),
    }
    return capital(known.get(situation) or _(situation.removeprefix("joint-").replace("-", " ")))
