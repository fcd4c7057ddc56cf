"""What a group has played: its tables, looked for, and the tables of one evening together."""

from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from referee.engine.catalogue import all_games, find_game
from scoring.pages.device.group_access import visit_group
from scoring.pages.show.numbers import number
from scoring.queries.evenings import Evening, EveningTable, days_beside, evenings_of, tables_shown
from scoring.queries.group_tables import STATES, Wanted, page_of_tables
from scoring.queries.groups import people_of

ON_A_PAGE = 30


class Search(forms.Form):
    """Which tables somebody looks for; what cannot be is not looked for."""

    game = forms.CharField(max_length=40, required=False)
    person = forms.IntegerField(min_value=1, max_value=2**31, required=False)
    first = forms.DateField(required=False)
    last = forms.DateField(required=False)
    state = forms.ChoiceField(choices=[("", ""), *((state, state) for state in STATES)], required=False)
    q = forms.CharField(max_length=100, required=False)

    def wanted(self) -> Wanted:
        """Return what is looked for."""
        self.is_valid()
        read: dict[str, Any] = self.cleaned_data
        return Wanted(
            game=read.get("game") or "",
            person=read.get("person"),
            first=read.get("first"),
            last=read.get("last"),
            state=read.get("state") or "",
            words=" ".join((read.get("q") or "").split()),
        )


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table in the list: what was played, and each player with the points, the best first."""

    code: str
    game: str
    day: date
    runs: bool
    stands: str


@require_GET
def history(request: HttpRequest, code: str) -> HttpResponse:
    """Show the tables of a group, the last opened first, or those that somebody looks for."""
    group, link = visit_group(request, code)
    form = Search(request.GET)
    wanted = form.wanted()
    try:
        page = page_of_tables(group, wanted, cursor=request.GET.get("cursor", "")[:40], most=ON_A_PAGE)
    except ValueError:
        page = page_of_tables(group, wanted, most=ON_A_PAGE)
    asked = {name: value for name in form.fields if (value := request.GET.get(name, "")[:100])}
    context = {
        "group": group,
        "tab": "history",
        "manages": link.manages,
        "tables": [_played(table) for table in tables_shown(group, page.rows)],
        "games": all_games(),
        "people": [person for person in people_of(group) if person.merged_into_id is None],
        "wanted": wanted,
        "words": wanted.words,
        "looked": bool(asked),
        "following": urlencode(asked | {"cursor": page.following}) if page.following else "",
    }
    return render(request, "scoring/group_history.html", context)


@require_GET
def evening(request: HttpRequest, code: str, day: str) -> HttpResponse:
    """Show the tables of one evening together, and what it brought to everybody who was there."""
    group, link = visit_group(request, code)
    try:
        found = date.fromisoformat(day)
    except ValueError:
        raise Http404 from None
    (shown,) = evenings_of(group, [found])
    if not shown.tables:
        raise Http404
    before, after = days_beside(group, found)
    context = {
        "group": group,
        "tab": "history",
        "manages": link.manages,
        "evening": shown,
        "tables": [_played(table) for table in shown.tables],
        "games": all_games(),
        "again": _again(group.code, shown),
        "before": before,
        "after": after,
    }
    template = "scoring/_evening.html" if request.headers.get("HX-Request") else "scoring/group_evening.html"
    response = render(request, template, context)
    response["Vary"] = "HX-Request"
    return response


def _again(code: str, shown: Evening) -> str:
    """Return with whom a next table begins: those who sat at the last one."""
    names = [("name", each.name) for each in shown.tables[-1].seated]
    return urlencode([("group", code), *names])


def _played(table: EveningTable) -> PlayedTable:
    game, row = find_game(table.row.game), table.row
    points = None if table.result is None else table.result.points
    names = [each.name for each in table.seated]
    stands = ", ".join(names)
    if points is not None:
        ranked = sorted(zip(points, names, strict=True), key=lambda pair: -pair[0])
        stands = " · ".join(f"{name}\N{NO-BREAK SPACE}{number(brought)}" for brought, name in ranked)
    return PlayedTable(row.code, row.game if game is None else game.name, row.evening, table.runs, stands)
