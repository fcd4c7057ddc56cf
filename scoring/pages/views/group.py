"""A group: who is in it, what it plays, and who may open it."""

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from referee.engine.catalogue import all_games
from referee.engine.options import Refused
from referee.engine.reader import as_seen
from scoring.models import Group
from scoring.models.table import normal_code
from scoring.models.time_zones import zone_names
from scoring.pages.acting import member, shows_refusals
from scoring.pages.device.cookie import keep_device, remember, renew
from scoring.pages.device.group_access import group_caller_of, join_group, visit_group
from scoring.pages.group_forms import GroupSettings, NewGroup
from scoring.pages.show.refusals import Message, group_refusal, members_only
from scoring.pages.views.own_tables import own_table
from scoring.queries.evenings import days_of
from scoring.queries.groups import people_of, running_tables, standing_group_links
from scoring.services.devices import devices_of
from scoring.services.exceptions import NotDone
from scoring.services.group_access import forget_group, put_group_on_device
from scoring.services.groups import change_group, create_group, delete_group
from scoring.services.keeping import keep_score
from scoring.services.openings import one_opening
from scoring.services.seating import evening_of


@require_http_methods(["GET", "POST"])
def new_group(request: HttpRequest) -> HttpResponseBase:
    """Show the form of a new group, or make the group that it describes."""
    form = NewGroup(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            with one_opening(request.META):
                made = create_group(**form.cleaned_data)
        except Refused:
            form.add_error("people", _("Two of these people are called alike."))
        else:
            response = redirect("scoring:group", code=made.link.group.code)
            put_group_on_device(keep_device(request, response), made.link)
            return response
    return render(request, "scoring/new_group.html", {"form": form}, status=422 if form.is_bound else 200)


@require_GET
def group(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show a group: what is running, and what to start; or ask for a link, where this device has none."""
    try:
        found, link = visit_group(request, code)
    except Http404 as why:
        return join_page(request, normal_code(code), turned_off=str(why))
    return group_page(request, found, manages=link.manages)


def group_page(
    request: HttpRequest, found: Group, *, manages: bool, message: Message | None = None, status: int = 200
) -> HttpResponse:
    """Show the page of a group."""
    people = [person for person in people_of(found) if person.merged_into_id is None]
    context = {
        "group": found,
        "tab": "now",
        "manages": manages,
        "running": [own_table(row) for row in running_tables(found)],
        "evening": _evening_of(found),
        "games": all_games(),
        "people": people,
        "shared": standing_group_links(found).count() > 1,
        "message": message,
    }
    response = render(request, "scoring/group.html", context, status=status)
    renew(request, response)
    return response


def _group_again(request: HttpRequest, code: str, *, message: Message, status: int) -> HttpResponse:
    found, link = visit_group(request, code)
    return group_page(request, found, manages=link.manages, message=message, status=status)


def _evening_of(group: Group) -> date | None:
    """Return the evening that the group is at, once it has a table."""
    return next((day for day in days_of(group, most=1) if day == evening_of(group)), None)


def join_page(request: HttpRequest, code: str, *, problem: str = "", turned_off: str = "") -> HttpResponse:
    """Ask for a link to a group. Whether there is such a group, nobody is told who never had it."""
    context = {"code": code, "problem": problem, "turned_off": turned_off}
    return render(request, "scoring/group_join.html", context, status=404)


@require_POST
def join(request: HttpRequest, code: str) -> HttpResponseBase:
    """Open a group on this device, with the token of a link; a whole address will do."""
    typed = request.POST.get("token", "")
    token = typed.rpartition("#")[2].strip()
    found = Group.objects.filter(code=normal_code(code)).first()
    response = redirect("scoring:group", code=normal_code(code) or "-")
    if found is None or not join_group(request, response, found, token):
        return join_page(request, normal_code(code), problem=_("This link opens nothing, or it was cancelled."))
    return response


@require_POST
def forget(request: HttpRequest, code: str) -> HttpResponseBase:
    """Take a group off this device; its other devices keep it."""
    forget_group(devices_of(request.COOKIES), normal_code(code))
    return redirect("scoring:home")


@require_POST
@shows_refusals(_group_again)
def keep(request: HttpRequest, code: str, table: str) -> HttpResponseBase:
    """Take over the score of a table of the group on this device."""
    found, link, caller = member(request, code)
    made = keep_score(found.code, normal_code(table), link, caller)
    response = redirect("scoring:table", code=made.link.table.code)
    remember(request, response, made.link.table, made.token)
    return response


@require_http_methods(["GET", "POST"])
def settings(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show what can be set for a group, or set it."""
    found, link = visit_group(request, code)
    if request.method != "POST":
        return _settings_page(request, found, manages=link.manages)
    caller = group_caller_of(request, link)
    if caller is None:
        return _settings_page(request, found, manages=False, message=members_only(), status=409)
    form = GroupSettings(request.POST)
    if not form.is_valid():
        return _settings_page(request, found, form, manages=True, status=422)
    try:
        change_group(found.code, caller, **form.cleaned_data)
    except NotDone as why:
        return _settings_page(request, found, form, manages=True, message=group_refusal(why), status=409)
    return redirect("scoring:group-settings", code=found.code)


def _settings_page(
    request: HttpRequest,
    found: Group,
    form: GroupSettings | None = None,
    *,
    manages: bool,
    message: Message | None = None,
    retype: bool = False,
    status: int = 200,
) -> HttpResponse:
    """Show what can be set for a group; ``retype``: another name than the group's was typed to delete it."""
    initial = {name: getattr(found, name) for name in ("name", "counts_revokes", "shares_rulings")}
    context = {
        "group": found,
        "tab": "settings",
        "manages": manages,
        "form": form or GroupSettings(initial=initial | {"time_zone": found.zone}),
        "zones": sorted(zone_names()) if manages else [],
        "message": message,
        "retype": retype,
    }
    return render(request, "scoring/group_settings.html", context, status=status)


@require_POST
@shows_refusals(_group_again)
def delete(request: HttpRequest, code: str) -> HttpResponseBase:
    """Delete a group with everything in it, where its name was typed once more."""
    found, _link, caller = member(request, code)
    if as_seen(request.POST.get("name", "")) != as_seen(found.name):
        return _settings_page(request, found, manages=True, retype=True, status=422)
    delete_group(found.code, caller)
    return redirect("scoring:home")
