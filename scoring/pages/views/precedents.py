"""What a group has decided once and for all: looked at, decided, changed, dropped."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from referee.engine.catalogue import all_games
from referee.engine.options import Problem, Refused
from scoring.models import Group, Precedent, Table
from scoring.pages.acting import member, shows_refusals
from scoring.pages.device.group_access import visit_group
from scoring.pages.show.house_rules import DecidedBefore, decided_before, in_words, rule_of, value_text
from scoring.pages.show.numbers import whole
from scoring.pages.show.refusals import Message
from scoring.pages.show.translation import PAGE_LANGUAGE
from scoring.queries.disputes import DisputeNow
from scoring.queries.precedents import fitting, precedents_in, precedents_of
from scoring.services.precedents import NewPrecedent, change_precedent, decide, drop_precedent, option_of

WORDS = ("question", "decision", "game", "code", "clause")


def _page(request: HttpRequest, code: str, *, message: Message | None = None, status: int = 200) -> HttpResponse:
    group, link = visit_group(request, code)
    context = {
        "group": group,
        "tab": "precedents",
        "manages": link.manages,
        "message": message,
        "games": all_games(),
        "rules": list(rules_to_choose()) if link.manages else [],
        "rows": [(each, rule_of(each)) for each in precedents_of(group)],
    }
    return render(request, "scoring/group_precedents.html", context, status=status)


@require_http_methods(["GET", "POST"])
@shows_refusals(_page)
def precedents(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show what a group has decided, or decide something: in words, or as it was ruled in a dispute."""
    if request.method != "POST":
        return _page(request, code)
    group, _link, caller = member(request, code)
    if "rule" in request.POST:
        decide(group.code, as_a_rule(request.POST["rule"]), caller)
        return redirect("scoring:precedents", code=group.code)
    words = {name: request.POST.get(name, "").strip() for name in WORDS}
    wanted = NewPrecedent(
        question=words["question"],
        decision=words["decision"],
        game=words["game"],
        code=words["code"],
        clause=words["clause"],
        table=request.POST.get("table", "")[:20],
        dispute=whole(request.POST.get("dispute", "")),
    )
    decide(group.code, wanted, caller, PAGE_LANGUAGE)
    return redirect("scoring:precedents", code=group.code)


@require_POST
@shows_refusals(_page)
def precedent(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """Decide something otherwise, or drop it."""
    group, _link, caller = member(request, code)
    if "drop" in request.POST:
        drop_precedent(group.code, number, caller)
    else:
        changes = {name: request.POST[name] for name in ("question", "decision") if name in request.POST}
        change_precedent(group.code, number, changes, caller)
    return redirect("scoring:precedents", code=group.code)


class GameRules(NamedTuple):
    """The house rules of a game that a group can choose for good: what each is sent as, and what it says."""

    name: str
    rules: tuple[tuple[str, str], ...]


def rules_to_choose() -> Iterator[GameRules]:
    """Yield the house rules of every game, value by value."""
    for game in all_games():
        rules = (
            (f"{game.id} {option.key} {place}", f"{PAGE_LANGUAGE.translate(option.label)}: {value_text(option, value)}")
            for option in game.all_options()
            for place, value in enumerate(option.values)
        )
        yield GameRules(game.name, tuple(rules))


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
    """Return what the group of a table has decided about what a dispute is about, before this dispute."""
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
