"""*Who are you?*, asked once of each phone that opens a group; the answer applies at all its tables."""

from collections.abc import Mapping
from dataclasses import replace

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from referee.engine.reader import Reader
from scoring.groups.acts.people import add_person
from scoring.groups.acts.phones import join_by, say_who
from scoring.groups.reads.groups import people_of, person_named, standing_group_links, strangers
from scoring.models import Group
from scoring.models.table import normal_code
from scoring.operating.pages.environment import url
from scoring.tables.acts.exceptions import HasPhone, TooManyLinks
from scoring.tables.acts.keys import Caller
from scoring.tables.pages.device import FormError, keep_device, member, shows_refusals, visit_group
from scoring.tables.presenters.formats import whole
from scoring.tables.presenters.people import of_group
from scoring.tables.presenters.refusals import Message
from scoring.wording import filled

LONGEST_NAME = 60
FEW = 8
"""Most people for whom chips have a large circle."""


def who_page(
    request: HttpRequest,
    code: str,
    *,
    message: Message | None = None,
    asked: Mapping[str, object] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the people of a group to choose from; ``asked`` is a question to answer first."""
    group, own = visit_group(request, code)
    members, others = people_of(group), set()
    who = of_group(members)
    for link in standing_group_links(group).filter(person__isnull=False).exclude(pk=own.pk).select_related("person"):
        if link.person is not None:
            others.add(link.person.counts_as)
    mine = own.person.counts_as if own.person else None
    shown = [each for each in members if each.merged_into_id is None]
    table = normal_code(request.POST.get("table") or request.GET.get("table", ""))[:8]
    context = {
        "action": url("scoring:who", group.code),
        "back": url("scoring:table", table) if table else url("scoring:group", group.code),
        "about": group.name,
        "picks": [
            {
                "who": who[each.pk],
                "name": "person",
                "value": each.pk,
                "mine": each.pk == mine,
                "taken": each.pk in others,
                "says": _("this phone")
                if each.pk == mine
                else _("on another phone")
                if each.pk in others
                else _("free"),
            }
            for each in shown
        ],
        "many": len(shown) > FEW,
        "new": True,
        "group": group,
        "allowed": own.manages,
        "watches": own.answered is not None and mine is None,
        "table": table,
        "message": message,
        "asked": asked,
    }
    response = render(request, "scoring/who.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


@require_http_methods(["GET", "POST"])
@shows_refusals(who_page)
def who(request: HttpRequest, code: str) -> HttpResponseBase:
    if request.method != "POST":
        return who_page(request, code)
    group, own, caller = member(request, code)
    caller = replace(caller, key=None, expected=None)  # idempotent, so it needs no key
    table = normal_code(request.POST.get("table", ""))[:8]
    response = redirect("scoring:table", code=table) if table else redirect("scoring:group", code=group.code)
    name, person = " ".join(request.POST.get("name", "").split()), whole(request.POST.get("person", ""))
    if name and person is None:
        found = _named(request, group, name, caller, table)
        if isinstance(found, HttpResponse):
            return found
        person = found
    if person is None and "watch" not in request.POST:
        raise FormError(Message("impossible", _("Tap your name"), text=_("Or say that you’re only watching.")))
    if not own.phone:
        own = join_by(keep_device(request, response), own)
        if not own.phone:
            raise TooManyLinks
    try:
        say_who(group.code, person, replace(caller, link=own.pk), takes_over="instead" in request.POST)
    except HasPhone as why:
        asked = {
            "title": filled(_("{name} already has a phone here."), name=why.name),
            "text": filled(
                _("Is this {name}’s new phone? Then the other one is asked again who it is."), name=why.name
            ),
            "fields": [("person", person), ("table", table), ("instead", 1)],
            "yes": filled(_("Yes, I’m {name}"), name=why.name),
        }
        return who_page(request, code, asked=asked, status=409)
    return response


def _named(request: HttpRequest, group: Group, name: str, caller: Caller, table: str) -> int | HttpResponse:
    """Return the id of the person with a name, adding a new one; or ask whether a similar name is the same person."""
    reader, people = Reader(), people_of(group)
    reader.text(name, "/name", LONGEST_NAME)
    reader.name(name, "/name")
    reader.check()
    known = person_named(people, name)
    if known is not None:
        return known.pk
    close = person_named(people, dict(strangers(people, [name])).get(name, ""))
    if close is None or "spelt" in request.POST:
        return add_person(group.code, name, caller, distinct_from=[close.pk] if close else []).pk
    asked = {
        "title": filled(_("Is {name} the same person as {known}?"), name=name, known=close.name),
        "fields": [("person", close.pk), ("table", table)],
        "yes": filled(_("Yes, I’m {name}"), name=close.name),
        "others": [("name", name), ("spelt", "new"), ("table", table)],
        "no": _("No, I’m new"),
    }
    return who_page(request, group.code, asked=asked, status=409)
