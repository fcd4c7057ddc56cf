"""Pages of a group: front page, links, joining, settings, archive."""

from collections import Counter
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from referee.engine.game import all_games
from referee.engine.reader import as_seen
from referee.engine.rules import Refused
from referee.notation.words import plain_lines
from scoring.groups.acts import group_access, groups
from scoring.groups.acts.group_access import leave
from scoring.groups.acts.group_importing import Unfinished, digest_of, import_group
from scoring.groups.presenters import same_again
from scoring.groups.reads.evenings import days_of, evenings_of
from scoring.groups.reads.groups import people_of, running_tables, standing_group_links
from scoring.models import Group, GroupLink, GroupRole, RecoveryCode, Scope
from scoring.models.fields import zone_names
from scoring.models.table import normal_code
from scoring.operating.acts.limits import one_opening, shared_address
from scoring.operating.pages.environment import url
from scoring.operating.pages.site import costly
from scoring.tables.acts.access import devices_of
from scoring.tables.acts.exceptions import NoSuchRecoveryCode, NotDone, PhoneTurnedOff, TooMany, TooManyLinks
from scoring.tables.acts.keys import replayed
from scoring.tables.acts.links import note_keeper
from scoring.tables.pages.device import (
    FormError,
    fresh_page,
    group_caller_of,
    is_htmx,
    join_group,
    keep_device,
    key_of,
    member,
    remember,
    renew,
    shows_refusals,
    visit_group,
)
from scoring.tables.pages.forms import GroupLinkForm, GroupSettings, ImportForm, NewGroup, RecoverForm
from scoring.tables.pages.home import own_table, tile_of
from scoring.tables.pages.links import Shown, qr
from scoring.tables.presenters.formats import rendered
from scoring.tables.presenters.people import of_group, seating
from scoring.tables.presenters.refusals import Message, group_refusal, members_only
from scoring.tables.reads.state import judging_watch

ROOM = 12
"""Number of name fields on the form for a new group; people can be added later."""


@require_http_methods(["GET", "POST"])
def new_group(request: HttpRequest) -> HttpResponseBase:
    form = NewGroup(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            with one_opening(request.META):
                made = groups.create_group(**form.cleaned_data)
        except Refused:
            form.add_error("people", _("Two of these people have the same name."))
        else:
            return _opened(request, made.link)
    people = (form["people"].value() or "").splitlines()
    context = {"form": form, "seats": seating(people, range(2, ROOM + 1))}
    return render(request, "scoring/new_group.html", context, status=422 if form.is_bound else 200)


def _opened(request: HttpRequest, link: GroupLink) -> HttpResponseRedirect:
    response = redirect("scoring:who", code=link.group.code)
    group_access.put_group_on_device(keep_device(request, response), link, phone=True)
    return response


def in_tab(tab: str, group: Group, link: GroupLink) -> dict[str, Any]:
    """Return what every page in one of a group's tabs shows."""
    return {"group": group, "tab": tab, "manages": link.manages}


def group_page(request: HttpRequest, code: str, *, message: Message | None = None, status: int = 200) -> HttpResponse:
    """Show the group's front page: running tables, a new game, the last evening."""
    found, link = visit_group(request, code)
    members = people_of(found)
    who = of_group(members)
    running = [own_table(row) for row in running_tables(found)]
    (last,) = evenings_of(found, days_of(found, most=1)) or (None,)
    again = None if last is None else last.tables[-1]
    context = {
        **in_tab("now", found, link),
        "tiles": [(each, tile_of(each["at"])) for each in running[:MOST_TILES] if "at" in each],
        "running": [each for place, each in enumerate(running) if place >= MOST_TILES or "at" not in each],
        "evening": last,
        "tonight": last is not None and last.day == groups.evening_of(found),
        "again": again and f"{url('scoring:new-table', again.row.game_id)}?{same_again(found, again)}",
        "games": all_games(),
        "people": [who[each.pk] for each in members if each.merged_into_id is None],
        "shared": standing_group_links(found).exclude(role=GroupRole.BOT).count() > 1,
        "message": message,
    }
    response = render(request, "scoring/group.html", context, status=status)
    renew(request, response)
    return response


MOST_TILES = 3
"""Running tables shown as tiles; the rest are rows."""


@require_GET
def more(request: HttpRequest, code: str) -> HttpResponse:
    found, link = visit_group(request, code)
    members = people_of(found)
    who = of_group(members)
    own = [who[each.pk] for each in members if each.merged_into_id is None]
    context = {**in_tab("more", found, link), "people": own}
    return render(request, "scoring/group_more.html", context)


@require_GET
def group(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show a group, or the join page if this device has no link to it."""
    try:
        return group_page(request, code)
    except Http404 as why:
        return join_page(request, normal_code(code), turned_off=str(why))


def join_page(request: HttpRequest, code: str, *, problem: str = "", turned_off: str = "") -> HttpResponse:
    """Ask for a link, without revealing whether the group exists; always a 404."""
    context = {
        "title": _("Open a group"),
        "heading": _("Open a group with a link"),
        "text": _("Scan the code on a phone that has the group, or paste the whole link here."),
        "address": reverse("scoring:join-group", args=[code or "-"]),
        "label": _("Open the group"),
        "problem": problem,
        "turned_off": turned_off,
        "of_group": True,
    }
    return render(request, "scoring/join.html", context, status=404)


@require_POST
def join(request: HttpRequest, code: str) -> HttpResponseBase:
    typed = request.POST.get("token", "")
    token = typed.rpartition("#")[2].strip()
    found = Group.objects.filter(code=normal_code(code)).first()
    response = redirect("scoring:group", code=normal_code(code) or "-")
    try:
        own = None if found is None else join_group(request, response, found, token)
    except PhoneTurnedOff:
        told = _("This phone was turned off. Its old links don’t bring it back: ask a member for a new one.")
        return join_page(request, normal_code(code), turned_off=told)
    if found is None or own is None:
        return join_page(request, normal_code(code), problem=_("This link doesn’t work, or it was turned off."))
    if own.manages and own.answered is None:
        response["Location"] = reverse("scoring:who", args=[found.code])
    return response


@require_POST
def forget(request: HttpRequest, code: str) -> HttpResponseBase:
    leave(devices_of(request.COOKIES), normal_code(code) or "-")
    return redirect("scoring:home")


@require_POST
@shows_refusals(group_page)
def keep(request: HttpRequest, code: str, table: str) -> HttpResponseBase:
    found, link, caller = member(request, code)
    made = groups.keep_score(found.code, normal_code(table), link, caller)
    if not replayed.get():
        note_keeper(made.link.table.code, made.link)
    response = redirect("scoring:table", code=made.link.table.code)
    remember(request, response, made.link.table, made.token)
    return response


@require_http_methods(["GET", "POST"])
def settings(request: HttpRequest, code: str) -> HttpResponseBase:
    if request.method != "POST":
        return _settings_page(request, code)
    found, link = visit_group(request, code)
    caller = group_caller_of(request, link)
    if caller is None:
        return _settings_page(request, code, message=members_only(), status=409)
    form = GroupSettings(request.POST)
    if not form.is_valid():
        return _settings_page(request, code, form, status=422)
    try:
        groups.change_group(found.code, caller, **form.cleaned_data)
    except NotDone as why:
        return _settings_page(request, code, form, message=group_refusal(why), status=409)
    return redirect("scoring:group-settings", code=found.code)


def _settings_page(
    request: HttpRequest,
    code: str,
    form: GroupSettings | None = None,
    *,
    message: Message | None = None,
    retype: bool = False,
    status: int = 200,
) -> HttpResponse:
    """Show the group's settings; ``retype`` says that the name typed to confirm deletion was wrong."""
    found, link = visit_group(request, code)
    initial = {name: getattr(found, name) for name in ("name", "counts_revokes", "shares_rulings", "ranked_by")}
    context = {
        **in_tab("more", found, link),
        "form": form or GroupSettings(initial=initial | {"time_zone": found.zone}),
        "zones": sorted(zone_names()) if link.manages else [],
        "message": message,
        "retype": retype,
    }
    return render(request, "scoring/group_settings.html", context, status=status)


@require_POST
@shows_refusals(group_page)
def delete(request: HttpRequest, code: str) -> HttpResponseBase:
    found, _link, caller = member(request, code)
    if as_seen(request.POST.get("name", "")) != as_seen(found.name):
        return _settings_page(request, code, retype=True, status=422)
    groups.delete_group(found.code, caller)
    return redirect("scoring:home")


# --- Links to a group


def links_page(
    request: HttpRequest,
    code: str,
    *,
    made: Shown | None = None,
    written: str = "",
    message: Message | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the links to a group; ``made`` is a new link and ``written`` a recovery code, each shown only once."""
    group, own = visit_group(request, code)
    links = list(standing_group_links(group).select_related("person")) if own.manages else [own]
    phones = [link for link in links if link.phone or link.answered or (link.pk == own.pk and not link.made_by)]
    makers = GroupLink.objects.filter(group=group, pk__in=[link.made_by for link in links if link.scope])
    context = {
        **in_tab("more", group, own),
        "own": own,
        "made": made,
        "written": written,
        "recovery": RecoveryCode.objects.filter(group=group).first(),
        "message": message,
        "phones": phones,
        "invitations": [link for link in links if link not in phones],
        "people": of_group(people_of(group)),
        "brought": Counter(link.invited_by for link in links),
        "scopes": {
            Scope.READ.value: _("reads only"),
            Scope.RECORD.value: _("keeps score, too"),
            Scope.MANAGE.value: _("manages people and settings, too"),
        },
        "makers": dict(makers.values_list("pk", "name")),
    }
    return fresh_page(request, "scoring/group_links.html", context, status=status)


@require_http_methods(["GET", "POST"])
@shows_refusals(links_page)
def group_links(request: HttpRequest, code: str) -> HttpResponseBase:
    if request.method != "POST":
        return links_page(request, code)
    group, _link, caller = member(request, code)
    form = GroupLinkForm(request.POST)
    if not form.is_valid():
        raise FormError(Message("impossible", _("There is no such link")))
    made = groups.add_group_link(group.code, **form.cleaned_data, caller=caller)
    if not made.token:
        return links_page(request, code)
    if made.link.role == GroupRole.BOT:
        return links_page(request, code, made=Shown(made.link.name, made.token, ""))
    url = shared_address(request, f"{reverse('scoring:group', args=[group.code])}#{made.token}")
    return links_page(request, code, made=Shown(made.link.name, url, qr(url)))


@require_POST
@shows_refusals(links_page)
def revoke_group_link(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    group, link, caller = member(request, code)
    groups.revoke_group_link(group.code, number, caller)
    return redirect("scoring:group" if number == link.pk else "scoring:group-links", code=group.code)


# --- Recovery codes


@require_http_methods(["GET", "POST"])
def recover(request: HttpRequest) -> HttpResponseBase:
    form = RecoverForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            made = group_access.recover_group(
                form.cleaned_data.pop("code"), request.META, **form.cleaned_data, key=key_of(request)
            )
        except TooMany:
            raise
        except NoSuchRecoveryCode:
            form.add_error("code", _("This code doesn’t work, or a newer one has replaced it."))
        except TooManyLinks:
            form.add_error("cancel_older", _("The group can’t have more links. Use this to turn off old ones."))
        except NotDone:
            form.add_error("code", _("This form was already sent. Reload the page and try again."))
        else:
            return _opened(request, made.link)
    return fresh_page(request, "scoring/recover.html", {"form": form}, status=422 if form.is_bound else 200)


@require_POST
@shows_refusals(links_page)
def recovery(request: HttpRequest, code: str) -> HttpResponse:
    group, _link, caller = member(request, code)
    try:
        if "withdraw" not in request.POST:
            return links_page(request, code, written=group_access.make_recovery_code(group.code, caller))
        group_access.withdraw_recovery_code(group.code, caller)
    except NoSuchRecoveryCode:
        pass  # already withdrawn, from another device
    return links_page(request, code)


# --- Importing a group from its archive, with progress


@costly
@require_http_methods(["GET", "POST"])
def import_here(request: HttpRequest) -> HttpResponseBase:
    if request.method == "GET":
        return _page(request)
    form = ImportForm(request.POST, request.FILES)
    text = ""
    try:
        text = plain_lines(form.sent_text()) if form.is_valid() else ""
        lines = text.split("\n")
        with one_opening(request.META):
            made = import_group(lines, digest=digest_of(lines), watch=judging_watch())
    except Unfinished as cut:
        return _page(request, cut=cut, text=text)
    except Refused as refused:
        if refused.problems[0].code == "too-large":
            return _page(request, [_("This archive is too large here. Ask whoever runs the server to restore it.")])
        return _page(request, rendered(refused.problems))
    response = _opened(request, made.link)
    if is_htmx(request):
        response.status_code, response["HX-Redirect"] = 204, response["Location"]
    return response


def _page(
    request: HttpRequest, problems: list[str] | None = None, *, cut: Unfinished | None = None, text: str = ""
) -> HttpResponse:
    context = {"problems": problems or [], "cut": cut, "text": text}
    return render(request, "scoring/group_import.html", context, status=422 if problems else 200)
