"""The people of a group: adding somebody, names and colours, two spellings that are one person."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from referee.engine.reader import as_seen
from scoring.groups.acts.people import add_person, change_person, forget_person, merge_people
from scoring.groups.reads.groups import people_of, spellings_alike
from scoring.models import Colour, Person
from scoring.tables.pages.acting import FormError, member, shows_refusals
from scoring.tables.pages.device import visit_group
from scoring.tables.pages.forms import PersonForm
from scoring.tables.presenters.formats import whole
from scoring.tables.presenters.refusals import Message


@dataclass(frozen=True, slots=True)
class PersonRow:
    """Somebody in the list, and who counts as this person."""

    person: Person
    spellings: str
    merged: tuple[Person, ...]


def _page(
    request: HttpRequest, code: str, *, message: Message | None = None, retype: int | None = None, status: int = 200
) -> HttpResponse:
    """Show the people of a group.

    The query asks once more whether ``merge`` is the same person as ``into``; ``retype`` is who was not forgotten,
    because another name was typed.
    """
    group, link = visit_group(request, code)
    everybody = people_of(group)
    merged: dict[int, list[Person]] = {}
    for each in everybody:
        if each.merged_into_id:
            merged.setdefault(each.merged_into_id, []).append(each)
    rows = [
        PersonRow(each, ", ".join(each.aliases), tuple(merged.get(each.pk, ())))
        for each in everybody
        if each.merged_into_id is None
    ]
    context = {
        "group": group,
        "tab": "people",
        "manages": link.manages,
        "rows": rows,
        "colours": [(value, str(label)) for value, label in Colour.choices],
        "alike": spellings_alike([row.person for row in rows]),
        "message": message,
        "retype": retype,
        "joining": _two(request, [row.person for row in rows]),
    }
    return render(request, "scoring/group_people.html", context, status=status)


def _two(request: HttpRequest, people: Sequence[Person]) -> tuple[Person, Person] | None:
    by_id = {person.pk: person for person in people}
    one, other = (by_id.get(whole(request.GET.get(name, "")) or 0) for name in ("merge", "into"))
    return None if one is None or other is None or one == other else (one, other)


@require_http_methods(["GET", "POST"])
@shows_refusals(_page)
def people(request: HttpRequest, code: str) -> HttpResponseBase:
    if request.method != "POST":
        return _page(request, code)
    group, _link, caller = member(request, code)
    read = _somebody(request)
    add_person(group.code, read["name"], caller, aliases=read["aliases"], colour=read["colour"])
    return redirect("scoring:people", code=group.code)


@require_POST
@shows_refusals(_page)
def person(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    group, _link, caller = member(request, code)
    change_person(group.code, number, _somebody(request), caller)
    return redirect("scoring:people", code=group.code)


def _somebody(request: HttpRequest) -> dict[str, Any]:
    form = PersonForm(request.POST)
    if not form.is_valid():
        text = " ".join(str(each) for errors in form.errors.values() for each in errors)
        raise FormError(Message("impossible", _("That name won’t work"), text=text))
    return form.cleaned_data


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
    """Forget somebody, where the name was typed once more."""
    group, _link, caller = member(request, code)
    person = Person.objects.filter(pk=number, group=group).first()
    if person is not None and as_seen(request.POST.get("name", "")) != as_seen(person.name):
        return _page(request, code, retype=number, status=422)
    forget_person(group.code, number, caller)
    return redirect("scoring:people", code=group.code)
