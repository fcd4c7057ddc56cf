"""An evening of a group: all its tables in one view, live while it runs, and as a picture."""

from datetime import date
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from referee.engine.catalogue import all_games
from scoring.models import Group
from scoring.pages.costly import looks_back
from scoring.pages.device.group_access import visit_group
from scoring.pages.environment import url
from scoring.pages.show.dates import day as written_day
from scoring.pages.show.evening import evening_curve, games_of, played, ranking_of, running
from scoring.pages.show.picture import picture_of_evening
from scoring.queries.evenings import Evening, days_beside, evenings_of, group_marks, hands_of, running_now
from scoring.services.public_address import shared_address
from scoring.services.seating import evening_of


@looks_back
@require_GET
def evening(request: HttpRequest, code: str, day: str) -> HttpResponse:
    """Show the tables of one evening together, and what it brought to everybody who was there."""
    group, link = visit_group(request, code)
    mark = group_marks([group.pk])[group.pk]  # before all that it stands for
    shown = _evening(group, day)
    before, after = days_beside(group, shown.day)
    live = after is None and (shown.runs or evening_of(group) == shown.day)
    context = {
        "group": group,
        "tab": "now" if live else "history",
        "manages": link.manages,
        "evening": shown,
        "live": live,
        "mark": mark,
        "running": list(running(shown.tables, running_now(shown))),
        "tables": [played(table) for table in shown.tables if not table.runs],
        "curve": evening_curve(shown, hands_of(shown)),
        "games": all_games(),
        "again": _again(group.code, shown),
        "before": before,
        "after": after,
        "address": shared_address(request, url("scoring:evening", group.code, shown.day.isoformat())),
        "title": f"{group.name}, {written_day(shown.day)}",
        "ranking": ranking_of(shown),
    }
    template = "scoring/_evening.html" if request.headers.get("HX-Request") else "scoring/group_evening.html"
    response = render(request, template, context)
    response["Vary"] = "HX-Request"
    response["Cache-Control"] = "no-store"
    return response


@looks_back
@require_GET
def evening_picture(request: HttpRequest, code: str, day: str) -> HttpResponse:
    """Send the picture of an evening, once any of its hands is over and its points may be seen."""
    group, _link = visit_group(request, code)
    shown = _evening(group, day)
    curve = evening_curve(shown, hands_of(shown))
    if curve is None:
        raise Http404(_("There is a picture once a hand is over."))
    picture = picture_of_evening(group.name, shown, curve, when=written_day(shown.day), games=games_of(shown))
    drawn = render_to_string("scoring/picture.svg", {"picture": picture})
    name = f"{group.code}-{shown.day.isoformat()}.svg"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return HttpResponse(drawn, content_type="image/svg+xml", headers=headers)


def _evening(group: Group, day: str) -> Evening:
    """Return an evening of a group; raises ``Http404`` where nothing was played then."""
    try:
        found = date.fromisoformat(day)
    except ValueError:
        raise Http404 from None
    (shown,) = evenings_of(group, [found])
    if not shown.tables:
        raise Http404
    return shown


def _again(code: str, shown: Evening) -> str:
    """Return with whom a next table begins, and whose phones come along: those who sat at the last one."""
    last = shown.tables[-1]
    names = [("name", each.name) for each in last.seated]
    return urlencode([("group", code), ("after", last.row.code), *names])
