"""Pages of the law book and the case book."""

from collections.abc import Iterable
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from referee.engine.game import Game, all_games, find_game
from referee.engine.rules import Option
from referee.engine.texts import capital
from scoring.groups.pages.group import in_tab
from scoring.groups.reads.evenings import game_name
from scoring.groups.reads.group_tables import cursor_of, place_of
from scoring.models import DisputeState, Group, Precedent, Table
from scoring.models.fields import LONGEST_GAME, local
from scoring.models.table import normal_code
from scoring.operating.acts.limits import shared_address
from scoring.operating.pages.environment import url
from scoring.operating.pages.site import looks_back
from scoring.rulings.acts.precedents import (
    NewPrecedent,
    change_precedent,
    decide,
    decide_house_rules,
    drop_precedent,
    share_law_book,
)
from scoring.rulings.reads.disputes import DisputeNow
from scoring.rulings.reads.precedents import (
    CaseWanted,
    anyhow_spelt,
    cases_of,
    decided_rules,
    fitting,
    names_known_in,
    precedents_in,
    precedents_of,
    situations,
    without_names,
)
from scoring.tables.pages.device import fresh_page, member, shows_refusals, visit_group
from scoring.tables.pages.forms import RULE, HouseRulesForm, field_text
from scoring.tables.pages.table_settings import REDRAWN
from scoring.tables.presenters.cards import clause_links
from scoring.tables.presenters.formats import PAGE_LANGUAGE, whole
from scoring.tables.presenters.house_rules import DecidedBefore, decided_before, house_sentence, in_words, rule_of
from scoring.tables.presenters.refusals import Message
from scoring.tables.reads.access import token_hash

WORDS = ("question", "decision", "game", "code", "clause")
ON_A_PAGE = 30
RULINGS = "rulings"


def _page(
    request: HttpRequest, code: str, *, made: str = "", message: Message | None = None, status: int = 200
) -> HttpResponse:
    """Render a group's law book; ``made`` is the code of a new link, which is shown only once."""
    group, link = visit_group(request, code)
    context = {
        **in_tab("more", group, link),
        "message": message,
        "games": all_games(),
        "book": law_book_of(group),
        "reading": shared_address(request, url("scoring:law-book-reading", made)) if made else "",
    }
    return fresh_page(request, "scoring/law_book.html", context, status=status)


@require_http_methods(["GET", "POST"])
@shows_refusals(_page)
def law_book(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show a group's law book, add a decision, or share the book."""
    if request.method != "POST":
        return _page(request, code)
    group, _link, caller = member(request, code)
    if "share" in request.POST:
        if made := share_law_book(group.code, caller, shared=request.POST["share"] == "1"):
            return _page(request, code, made=made)
        return redirect(reverse("scoring:law-book", args=[group.code]) + "#share")
    words: dict[str, Any] = {name: request.POST.get(name, "").strip() for name in WORDS}
    table, dispute = request.POST.get("table", "")[:20], whole(request.POST.get("dispute", ""))
    decide(group.code, NewPrecedent(**words, table=table, dispute=dispute), caller, PAGE_LANGUAGE)
    return redirect("scoring:law-book", code=group.code)


@require_POST
@shows_refusals(_page)
def precedent(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    group, _link, caller = member(request, code)
    if "drop" in request.POST:
        drop_precedent(group.code, number, caller)
    else:
        changes = {name: request.POST[name] for name in ("question", "decision") if name in request.POST}
        change_precedent(group.code, number, changes, caller)
    return redirect("scoring:law-book", code=group.code)


@require_GET
def law_book_reading(request: HttpRequest, book: str) -> HttpResponse:
    """Show a shared law book, without names."""
    group = get_object_or_404(Group, law_book_hash=token_hash(normal_code(book)))
    context = {"group": group, "book": law_book_of(group, named=False)}
    response = fresh_page(request, "scoring/law_book_reading.html", context)
    response["Referrer-Policy"] = "no-referrer"
    return response


@require_http_methods(["GET", "POST"])
@shows_refusals(_page)
def house_rules(request: HttpRequest, code: str, game: str) -> HttpResponseBase:
    """Show or change a group's default house rules for a game."""
    group, link, caller = member(request, code)
    found = find_game(game)
    if found is None:
        raise Http404
    decided = {each.option: each.value for each in decided_rules(group, found.id)}
    options = {option.key: option for option in found.all_options()}
    initial = {RULE + key: field_text(options[key], value) for key, value in decided.items() if key in options}
    data = request.POST.copy() if request.method == "POST" else None
    form = HouseRulesForm(found, data, initial=dict(initial))
    if data is not None and any(name in data for name in REDRAWN):
        form.redraw(data, found.players)
        form = HouseRulesForm(found, data, initial={})
    elif data is not None:
        rules = [as_a_rule(found, options[key], value) for key, value in form.chosen().items()]
        decide_house_rules(group.code, found.id, rules, caller)
        return redirect("scoring:law-book", code=group.code)
    end = found.end
    context = {
        **in_tab("more", group, link),
        "game": found,
        "sentence": house_sentence(
            found, form.chosen(), found.players, entered=form.entered(), problems={}, end=(end.kind, end.value)
        ),
        "was": form.was(),
    }
    return fresh_page(request, "scoring/law_book_rules.html", context, fragment=True)


def as_a_rule(game: Game, option: Option, value: object) -> NewPrecedent:
    return NewPrecedent(
        question=PAGE_LANGUAGE.translate(option.label),
        decision=in_words(option, value),
        game=game.id,
        clause=next(iter(option.clauses), ""),
        option=option.key,
        value=value,
    )


class Chapter(NamedTuple):
    """The law book of one game: house rules with their dates, decisions with links to clauses."""

    game: Game | None
    rules: tuple[tuple[str, date], ...]
    points: tuple[tuple[Precedent, Any], ...]


def law_book_of(group: Group, *, named: bool = True) -> list[Chapter]:
    """Return a group's law book by game; without ``named``, names of the group, its people and guests are removed."""
    found = precedents_of(group)
    if found and not named:
        names, own = names_known_in(group.pk), anyhow_spelt([group.name])
        for each in found:
            each.question, each.decision = (
                without_names(own.sub("…", text), names) for text in (each.question, each.decision)
            )
    return [
        Chapter(
            game,
            tuple((rule_of(each), local(each.since, group.zone).date()) for each in chosen if rule_of(each)),
            tuple(
                (each, clause_links(game, [each.clause]) if game and each.clause else ())
                for each in found
                if each.game == of and not each.option
            ),
        )
        for game in (*all_games(), None)
        for of in ["" if game is None else game.id]
        for chosen in [decided_rules(group, of) if of else ()]
        if chosen or any(each.game == of for each in found)
    ]


def decided_here(row: Table, each: DisputeNow, clauses: Iterable[str]) -> tuple[DecidedBefore, ...]:
    cited = [*(each.ruling.clauses if each.ruling else ()), *clauses]
    found = fitting(precedents_in(row.group_id, row.game), each.situation, cited)
    return decided_before(one for one in found if (one.table_id, one.dispute) != (row.pk, each.number))


def group_to_decide(request: HttpRequest, row: Table, each: DisputeNow) -> Group | None:
    """Return the group whose law book can take a ruling: managed by this device, and without the ruling so far."""
    if row.group is None or each.ruling is None or each.is_open:
        return None
    try:
        group, link = visit_group(request, row.group.code)
    except Http404:
        return None
    done = Precedent.objects.filter(group=group, table=row, dispute=each.number).exists()
    return group if link.manages and not done else None


# --- The case book: rulings at a group's tables and, without names, at all tables that share theirs


class CaseSearch(forms.Form):
    """Filters of the case book; invalid values are ignored."""

    game = forms.CharField(max_length=LONGEST_GAME, required=False)
    clause = forms.CharField(max_length=40, required=False)
    situation = forms.CharField(max_length=40, required=False)
    q = forms.CharField(max_length=100, required=False)


@looks_back
@require_GET
def group_rulings(request: HttpRequest, code: str) -> HttpResponse:
    group, link = visit_group(request, code)
    context = {**in_tab("more", group, link), **_cases(request, group)}
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
