"""What a group has played: its tables, and those that somebody looks for."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from referee.engine.catalogue import all_games
from scoring.pages.costly import looks_back
from scoring.pages.device.group_access import visit_group
from scoring.pages.show.evening import played
from scoring.queries.evenings import tables_shown
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


@looks_back
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
    filters = {name: value for name in form.fields if (value := request.GET.get(name, "")[:100])}
    context = {
        "group": group,
        "tab": "history",
        "manages": link.manages,
        "tables": [played(table) for table in tables_shown(group, page.rows)],
        "games": all_games(),
        "people": [person for person in people_of(group) if person.merged_into_id is None],
        "wanted": wanted,
        "words": wanted.words,
        "looked": bool(filters),
        "following": urlencode(filters | {"cursor": page.following}) if page.following else "",
    }
    return render(request, "scoring/group_history.html", context)
