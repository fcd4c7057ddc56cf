"""What can be set for a table beside its record: names, the group it belongs to, and its going."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template import defaultfilters
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from scoring.models import Link, Role, Table
from scoring.pages.acting import scorekeeper, shows_refusals
from scoring.pages.device.access import visit
from scoring.pages.device.group_access import visit_group
from scoring.pages.show.numbers import whole
from scoring.pages.show.refusals import Message
from scoring.queries.access import standing_links
from scoring.queries.disputes import MAJORITY, NEUTRAL, SCOREKEEPER
from scoring.queries.groups import groups_on, people_of, seated_people
from scoring.queries.rules import game_of
from scoring.services.devices import devices_of
from scoring.services.table_changes import TableChanges, change_table, delete_table

GUEST = "-"


def who_may_rule() -> list[tuple[str, str]]:
    """Return who can decide disputes at a table, each with what people call it."""
    return [
        (SCOREKEEPER, _("whoever keeps the score")),
        (MAJORITY, _("the majority, each on the own phone")),
        (NEUTRAL, _("a neutral phone")),
    ]


def neutral_links(row: Table) -> QuerySet[Link]:
    """Return the links of phones that play no seat."""
    return standing_links(row).exclude(role=Role.PLAYER)


def role_name(link: Link) -> str:
    """Say what a link without a name is for."""
    return _("a phone that keeps the score") if link.keeps else _("a phone that watches")


def named_links(row: Table, own: Link | None) -> list[tuple[int, str]]:
    """Return the links of phones that play no seat, each by a name of its own: by when it was made where need be."""
    links = list(neutral_links(row).order_by("created", "pk"))
    called = [_("this phone") if link == own else link.label or role_name(link) for link in links]
    dated = [
        _("{name}, since {time}").format(name=name, time=defaultfilters.date(localtime(link.created), "j M H:i"))
        if called.count(name) > 1
        else name
        for link, name in zip(links, called, strict=True)
    ]
    return [
        (link.pk, f"{name} ({dated[: place + 1].count(name)})" if dated.count(name) > 1 else name)
        for place, (link, name) in enumerate(zip(links, dated, strict=True))
    ]


def _page(
    request: HttpRequest, code: str, *, message: Message | None = None, retype: bool = False, status: int = 200
) -> HttpResponse:
    row, link, _known = visit(request, code, head_only=True)
    own = list(groups_on(devices_of(request.COOKIES)))
    ours = next((group for group in own if group.pk == row.group_id), None)
    people = [] if ours is None else [person for person in people_of(ours) if person.merged_into_id is None]
    context = {
        "table": row,
        "game": game_of(row),
        "message": message,
        "keeps": link is not None and link.keeps,
        "groups": own if row.group_id is None else [],
        "group": ours,
        "people": people,
        "who_may_rule": who_may_rule(),
        "rules_by": row.ruled_by.get("kind", SCOREKEEPER),
        "referee": row.ruled_by.get("link"),
        "neutral": named_links(row, link),
        "seated": list(zip(row.seats, seated_people(row), strict=True)),
        "retype": retype,
    }
    return render(request, "scoring/table_settings.html", context, status=status)


@require_GET
def table_settings(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show what can be set for a table."""
    return _page(request, code)


@require_POST
@shows_refusals(_page)
def names(request: HttpRequest, code: str) -> HttpResponseBase:
    """Put the players' names right."""
    row, caller = scorekeeper(request, code)
    change_table(row.code, TableChanges(seats=request.POST.getlist("name")), caller)
    return redirect("scoring:table-settings", code=row.code)


@require_POST
@shows_refusals(_page)
def give(request: HttpRequest, code: str) -> HttpResponseBase:
    """Make a table one of a group of this device, or say anew who of its group sat where."""
    row, caller = scorekeeper(request, code)
    _group, own = visit_group(request, request.POST.get("group", "")[:40])
    chosen = request.POST.getlist("person")
    people = [None if each == GUEST else whole(each) or 0 for each in chosen]
    change_table(row.code, TableChanges(group=own, people=people if chosen else None), caller)
    return redirect("scoring:table-settings", code=row.code)


@require_POST
@shows_refusals(_page)
def referee(request: HttpRequest, code: str) -> HttpResponseBase:
    """Say who decides disputes at this table, and whether others read what was ruled."""
    row, caller = scorekeeper(request, code)
    rules_by, shares = request.POST.get("rules_by", ""), "shares" in request.POST
    link = whole(request.POST.get("link", "")) if rules_by == NEUTRAL else None
    change_table(row.code, TableChanges(rules_by=rules_by, referee=link, shares_rulings=shares), caller)
    return redirect("scoring:table-settings", code=row.code)


@require_POST
@shows_refusals(_page)
def delete(request: HttpRequest, code: str) -> HttpResponseBase:
    """Delete a table, where its code was typed once more."""
    row, _link, _known = visit(request, code, head_only=True)
    typed = request.POST.get("code", "").upper().replace("-", "").replace(" ", "")
    if typed != row.code:
        return _page(request, code, retype=True, status=422)
    row, caller = scorekeeper(request, code)
    delete_table(row.code, caller)
    return redirect("scoring:home")
