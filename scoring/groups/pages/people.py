"""Pages of a group's people: adding, names and colors, merging two spellings, and *Who are you?*"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from referee.engine.reader import Reader, as_seen
from scoring.groups.acts.group_access import join_by, say_who
from scoring.groups.acts.people import add_person, change_person, forget_person, merge_people
from scoring.groups.pages.group import in_tab
from scoring.groups.reads.groups import (
    COLOURS,
    people_of,
    person_named,
    spellings_alike,
    standing_group_links,
    strangers,
)
from scoring.models import Colour, Group, Person
from scoring.models.table import normal_code
from scoring.operating.pages.environment import url
from scoring.tables.acts.exceptions import HasPhone, TooManyLinks
from scoring.tables.acts.keys import Caller
from scoring.tables.pages.device import FormError, fresh_page, keep_device, member, shows_refusals, visit_group
from scoring.tables.pages.forms import PersonForm
from scoring.tables.pages.links import pick
from scoring.tables.presenters.formats import whole
from scoring.tables.presenters.people import of_group
from scoring.tables.presenters.refusals import Message
from scoring.wording import filled


def _page(
    request: HttpRequest, code: str, *, message: Message | None = None, retype: bool = False, status: int = 200
) -> HttpResponse:
    """Show the people of a group, or the one whose ``number`` is in the path.

    ``merge`` and ``into`` in the query ask to confirm a merge; ``retype`` says that the name typed to confirm deletion
    was wrong.
    """
    group, link = visit_group(request, code)
    members = people_of(group)
    rows, merged = list[Person](), defaultdict[int, list[Person]](list)
    for each in members:
        (merged[each.merged_into_id] if each.merged_into_id else rows).append(each)
    by_id = {person.pk: person for person in rows}
    one, other = (by_id.get(whole(request.GET.get(name, "")) or 0) for name in ("merge", "into"))
    context = {
        **in_tab("more", group, link),
        "rows": rows,
        "who": of_group(members),
        "merged": merged,
        "message": message,
    }
    number = request.resolver_match.kwargs.get("number") if request.resolver_match else None
    if number is None or not link.manages:
        context |= {
            "alike": spellings_alike(rows),
            "joining": (one, other) if one and other and one != other else None,
        }
        return render(request, "scoring/group_people.html", context, status=status)
    if number not in by_id:
        raise Http404
    labels = dict(Colour.choices)
    context |= {"row": by_id[number], "retype": retype, "colours": [(each, str(labels[each])) for each in COLOURS]}
    return render(request, "scoring/group_somebody.html", context, status=status)


@require_http_methods(["GET", "POST"])
@shows_refusals(_page)
def people(request: HttpRequest, code: str) -> HttpResponseBase:
    if request.method != "POST":
        return _page(request, code)
    group, _link, caller = member(request, code)
    add_person(group.code, caller=caller, **_somebody(request))
    return redirect("scoring:people", code=group.code)


@require_http_methods(["GET", "POST"])
@shows_refusals(_page)
def person(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    if request.method != "POST":
        return _page(request, code)
    group, _link, caller = member(request, code)
    change_person(group.code, number, _somebody(request), caller)
    return redirect("scoring:people", code=group.code)


def _somebody(request: HttpRequest) -> dict[str, Any]:
    form = PersonForm(request.POST)
    if not form.is_valid():
        text = " ".join(str(each) for errors in form.errors.values() for each in errors)
        raise FormError(Message("impossible", _("That name won’t work"), text=text))
    return {name: value for name, value in form.cleaned_data.items() if value or name != "colour"}


@require_POST
@shows_refusals(_page)
def merge(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    group, _link, caller = member(request, code)
    merge_people(group.code, number, whole(request.POST.get("into", "")), caller)
    return redirect("scoring:people", code=group.code)


@require_POST
@shows_refusals(_page)
def distinct(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    group, _link, caller = member(request, code)
    other = whole(request.POST.get("other", "")) or 0
    known = Person.objects.filter(pk=number, group=group).values_list("distinct_from", flat=True).first()
    others = [*(each for each in known or () if each != other), other]
    change_person(group.code, number, {"distinct_from": others}, caller)
    return redirect("scoring:people", code=group.code)


@require_POST
@shows_refusals(_page)
def forget_somebody(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    group, _link, caller = member(request, code)
    person = Person.objects.filter(pk=number, group=group).first()
    if person is not None and as_seen(request.POST.get("name", "")) != as_seen(person.name):
        return _page(request, code, retype=True, status=422)
    forget_person(group.code, number, caller)
    return redirect("scoring:people", code=group.code)


# --- *Who are you?*, asked once of each phone that opens a group; the answer applies at all its tables

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
    members = people_of(group)
    who = of_group(members)
    links = standing_group_links(group).filter(person__isnull=False).exclude(pk=own.pk).select_related("person")
    others = {link.person.counts_as for link in links if link.person is not None}
    mine = own.person.counts_as if own.person else None
    shown = [each for each in members if each.merged_into_id is None]
    table = normal_code(request.POST.get("table") or request.GET.get("table", ""))[:8]
    context = {
        "action": url("scoring:who", group.code),
        "back": url("scoring:table", table) if table else url("scoring:group", group.code),
        "about": group.name,
        "picks": [
            pick(who[each.pk], "person", each.pk, mine=each.pk == mine, taken=each.pk in others) for each in shown
        ],
        "many": len(shown) > FEW,
        "new": True,
        "allowed": own.manages,
        "table": table,
        "message": message,
        "asked": asked,
    }
    return fresh_page(request, "scoring/who.html", context, status=status)


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
