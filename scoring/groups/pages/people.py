"""Pages of a group's people: adding, names and colors, merging two spellings."""

from collections import defaultdict
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from referee.engine.reader import as_seen
from scoring.groups.acts.people import add_person, change_person, forget_person, merge_people
from scoring.groups.reads.groups import people_of, spellings_alike
from scoring.groups.reads.looks import COLOURS
from scoring.models import Colour, Person
from scoring.tables.pages.device import FormError, member, shows_refusals, visit_group
from scoring.tables.pages.forms import PersonForm
from scoring.tables.presenters.formats import whole
from scoring.tables.presenters.people import of_group
from scoring.tables.presenters.refusals import Message


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
        "group": group,
        "tab": "more",
        "manages": link.manages,
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
