"""Pages of a group's history: its tables, one evening (live while it goes on), and the evening's recap."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from referee.engine.game import all_games, find_game
from scoring.groups.acts.groups import evening_of
from scoring.groups.presenters.evening import (
    digest_lines,
    evening_curve,
    last_hand,
    picture_of_evening,
    played,
    ranking_of,
    running,
    same_again,
)
from scoring.groups.reads import evenings
from scoring.groups.reads.digest import digest_of
from scoring.groups.reads.evening_notes import NOTHING, places_and_tags, said_of_evenings
from scoring.groups.reads.group_tables import STATES, Wanted, page_of_tables
from scoring.groups.reads.groups import people_of
from scoring.groups.reads.titles import games_of
from scoring.models import Group
from scoring.models.fields import LONGEST_GAME
from scoring.operating.acts.addresses import shared_address
from scoring.operating.pages.environment import url
from scoring.operating.pages.site import looks_back
from scoring.tables.pages.device import visit_group
from scoring.tables.presenters.formats import day as written_day
from scoring.tables.presenters.formats import since_and_until
from scoring.tables.presenters.people import of_group
from scoring.tables.reads.cursors import cursor_of, place_of

ON_A_PAGE = 30
HISTORY = "history"
"""The list to which this page's cursors belong."""


class Search(forms.Form):
    """Filters of the history; invalid values are ignored."""

    game = forms.CharField(max_length=LONGEST_GAME, required=False)
    person = forms.IntegerField(min_value=1, max_value=2**31, required=False)
    first = forms.DateField(required=False)
    last = forms.DateField(required=False)
    state = forms.ChoiceField(choices=[("", ""), *((state, state) for state in STATES)], required=False)
    place = forms.CharField(max_length=100, required=False)
    tag = forms.CharField(max_length=100, required=False)
    q = forms.CharField(max_length=100, required=False)

    def wanted(self) -> Wanted:
        self.is_valid()
        read: dict[str, Any] = self.cleaned_data
        return Wanted(
            game=read.get("game") or "",
            person=read.get("person"),
            first=read.get("first"),
            last=read.get("last"),
            state=read.get("state") or "",
            words=" ".join((read.get("q") or "").split()),
            place=read.get("place") or "",
            tag=read.get("tag") or "",
        )


@looks_back
@require_GET
def history(request: HttpRequest, code: str) -> HttpResponse:
    group, link = visit_group(request, code)
    form = Search(request.GET)
    wanted = form.wanted()
    after = place_of(HISTORY, request.GET.get("cursor", ""))
    page = page_of_tables(group, wanted, after=after or (), most=ON_A_PAGE)
    filters = {name: value for name in form.fields if (value := request.GET.get(name, "")[:LONGEST_GAME])}
    members = people_of(group)
    places, tags = places_and_tags(group)

    def other(**changes: object) -> str:
        return "?" + urlencode({name: value for name, value in (filters | changes).items() if value})

    context = {
        "group": group,
        "tab": "history",
        "manages": link.manages,
        "tables": [
            played(table, found=page.found.get(table.row.pk, "")) for table in evenings.tables_shown(group, page.rows)
        ],
        "places": places,
        "tags": tags,
        "games": games_of(group),
        "people": [each.pk for each in members if each.merged_into_id is None],
        "who": of_group(members),
        "wanted": wanted,
        "game": find_game(wanted.game),
        "words": wanted.words,
        "other": other,
        "span": since_and_until(wanted.first, wanted.last),
        "filters": filters,
        "looked": bool(filters),
        "following": urlencode(filters | {"cursor": cursor_of(HISTORY, page.following)}) if page.following else "",
    }
    return render(request, "scoring/group_history.html", context)


@looks_back
@require_GET
def evening(request: HttpRequest, code: str, day: str) -> HttpResponse:
    group, link = visit_group(request, code)
    mark = evenings.group_marks([group.pk])[group.pk]  # read before the data, so that it is never too new
    shown = _evening(group, day)
    before, after = evenings.days_beside(group, shown.day)
    last = shown.tables[-1]
    places, tags = places_and_tags(group)
    live = after is None and (shown.runs or evening_of(group) == shown.day)
    context = {
        "group": group,
        "tab": "now" if live else "history",
        "manages": link.manages,
        "evening": shown,
        "played_games": [(game, evenings.game_name(game)) for game in shown.played],
        "live": live,
        "mark": mark,
        "running": list(running(shown.tables, evenings.running_now(shown))),
        "tables": [played(table) for table in shown.tables if not table.runs],
        "curve": evening_curve(shown),
        "winners": [each.who for each in shown.people if each.rank == 1],
        "digest": list(digest_lines(digest_of(group, shown), group.code)) if shown.games else [],
        "games": all_games(),
        "said": said_of_evenings(group, shown.day).get(shown.day, NOTHING),
        "places": places,
        "tags": tags,
        "again": same_again(group, last),
        "before": before,
        "after": after,
        "address": shared_address(request, url("scoring:evening", group.code, shown.day.isoformat())),
        "title": f"{group.name}, {written_day(shown.day)}",
        "ranking": ranking_of(shown, group.ranked_by),
    }
    template = "scoring/_evening.html" if request.headers.get("HX-Request") else "scoring/group_evening.html"
    response = render(request, template, context)
    response["Vary"] = "HX-Request"
    response["Cache-Control"] = "no-store"
    return response


@looks_back
@require_GET
def evening_digest(request: HttpRequest, code: str, day: str) -> HttpResponse:
    """Show the recap of an evening; 404 until a game is over."""
    group, link = visit_group(request, code)
    shown = _evening(group, day)
    if not shown.games:
        raise Http404(_("There is a recap once a game is over."))
    digest = digest_of(group, shown)
    context = {
        "group": group,
        "tab": "history",
        "manages": link.manages,
        "evening": shown,
        "winners": () if shown.runs else digest.winners,
        "digest": list(digest_lines(digest, group.code, rulings=True)),
        "games": [(played(table), last_hand(table)) for table in shown.over],
        "curve": evening_curve(shown),
        "said": said_of_evenings(group, shown.day).get(shown.day, NOTHING),
        "address": shared_address(request, url("scoring:evening-digest", group.code, shown.day.isoformat())),
        "title": f"{group.name}, {written_day(shown.day)}",
        "ranking": ranking_of(shown, group.ranked_by),
    }
    response = render(request, "scoring/evening_digest.html", context)
    response["Cache-Control"] = "no-store"
    return response


@looks_back
@require_GET
def evening_picture(request: HttpRequest, code: str, day: str) -> HttpResponse:
    group, _link = visit_group(request, code)
    shown = _evening(group, day)
    if not shown.games:
        raise Http404(_("You can get a picture once a game is over."))
    said = said_of_evenings(group, shown.day).get(shown.day, NOTHING)
    picture = picture_of_evening(group, shown, digest_of(group, shown), said.note, written_day(shown.day))
    drawn = render_to_string("scoring/picture.svg", {"picture": picture})
    name = f"{group.code}-{shown.day.isoformat()}.svg"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return HttpResponse(drawn, content_type="image/svg+xml", headers=headers)


def _evening(group: Group, day: str) -> evenings.Evening:
    """Return an evening of a group. Raises ``Http404`` if nothing was played on that day."""
    shown = evenings.evening_on(group, day)
    if shown is None:
        raise Http404
    return shown
