"""The people of a group: adding somebody, names and colours, two spellings that are one person."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from referee.engine.options import Refused
from referee.engine.reader import as_seen
from scoring.models import Colour, Person
from scoring.pages.device.group_access import group_caller_of, visit_group
from scoring.pages.group_forms import PersonForm
from scoring.pages.show.numbers import whole
from scoring.pages.show.refusals import Message, group_refusal, members_only
from scoring.pages.show.translation import rendered
from scoring.queries.groups import people_of, spellings_alike
from scoring.services.exceptions import NotDone
from scoring.services.forgetting import forget_person
from scoring.services.keys import Caller
from scoring.services.people import add_person, change_person, merge_people


@dataclass(frozen=True, slots=True)
class PersonRow:
    """Somebody in the list, and who counts as this person."""

    person: Person
    spellings: str
    merged: tuple[Person, ...]


@require_http_methods(["GET", "POST"])
def people(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show who plays in a group, or add somebody."""
    if request.method != "POST":
        return _page(request, code)
    form = PersonForm(request.POST)

    def act(group: str, caller: Caller) -> None:
        read = form.cleaned_data
        add_person(group, read["name"], caller, aliases=read["aliases"], colour=read["colour"])

    return _do(request, code, act, form)


@require_POST
def person(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """Give somebody another name, other spellings or a colour."""
    form = PersonForm(request.POST)
    return _do(request, code, lambda group, caller: change_person(group, number, form.cleaned_data, caller), form)


@require_POST
def merge(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """Let somebody count as another person, or part them again."""
    into = whole(request.POST.get("into", ""))
    return _do(request, code, lambda group, caller: merge_people(group, number, into, caller))


@require_POST
def distinct(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """Remember that somebody is not the other person whose name is much alike."""
    other = whole(request.POST.get("other", "")) or 0

    def act(group: str, caller: Caller) -> None:
        known = Person.objects.filter(pk=number, group__code=group).values_list("distinct_from", flat=True).first()
        others = [*(each for each in known or () if each != other), other]
        change_person(group, number, {"distinct_from": others}, caller)

    return _do(request, code, act)


@require_POST
def forget_somebody(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """Forget somebody, where the name was typed once more."""
    group, link = visit_group(request, code)
    person = Person.objects.filter(pk=number, group=group).first()
    typed = as_seen(request.POST.get("name", ""))
    if person is not None and link.manages and typed != as_seen(person.name):
        return _page(request, code, retype=number, status=422)
    return _do(request, code, lambda group, caller: forget_person(group, number, caller))


def _do(
    request: HttpRequest, code: str, act: Callable[[str, Caller], object], form: PersonForm | None = None
) -> HttpResponseBase:
    """Do what only members may do, if the ``form`` says somebody there can be, and show the page again."""
    group, link = visit_group(request, code)
    caller = group_caller_of(request, link)
    if caller is None:
        return _page(request, code, message=members_only(), status=403)
    if form is not None and not form.is_valid():
        text = " ".join(str(each) for errors in form.errors.values() for each in errors)
        return _page(request, code, message=Message("impossible", _("That name won’t work"), text=text), status=422)
    try:
        act(group.code, caller)
    except Refused as refused:
        taken = all(problem.code == "same-name" for problem in refused.problems)
        title, text = _("That name is taken") if taken else _("That won’t work"), " ".join(rendered(refused.problems))
        return _page(request, code, message=Message("impossible", title, text=text), status=422)
    except NotDone as why:
        return _page(request, code, message=group_refusal(why), status=409)
    return redirect("scoring:people", code=group.code)


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
    """Return the two people whom the query asks about, if there are two."""
    by_id = {person.pk: person for person in people}
    one, other = (by_id.get(whole(request.GET.get(name, "")) or 0) for name in ("merge", "into"))
    return None if one is None or other is None or one == other else (one, other)
