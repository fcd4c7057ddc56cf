"""Permissions of views that act, and a decorator that shows the page again if the act is refused."""

from collections.abc import Callable
from functools import wraps
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _

from referee.engine.rules import Refused
from scoring.models import Group, GroupLink, Table
from scoring.tables.acts.exceptions import NotDone
from scoring.tables.acts.keys import Caller
from scoring.tables.pages.device import caller_of, group_caller_of, visit, visit_group
from scoring.tables.presenters.formats import rendered
from scoring.tables.presenters.refusals import Message, group_refusal, members_only, not_allowed


class FormError(Exception):
    """Raised to show a form's page again with a message."""

    def __init__(self, message: Message, status: int = 422) -> None:
        super().__init__(message.title)
        self.message, self.status = message, status


class Member(NamedTuple):
    """A group, the device's link to it, and the caller."""

    group: Group
    link: GroupLink
    caller: Caller


def scorekeeper(request: HttpRequest, code: str) -> tuple[Table, Caller]:
    """Return a table and its scorekeeper as caller. Raises ``FormError`` for anyone else."""
    row, link, _known = visit(request, code, head_only=True)
    caller = caller_of(request, link, keeping=True)
    if caller is None:
        raise FormError(not_allowed(), 403)
    return row, caller


def member(request: HttpRequest, code: str) -> Member:
    """Return a group and its member as caller. Raises ``FormError`` for anyone else."""
    group, link = visit_group(request, code)
    caller = group_caller_of(request, link)
    if caller is None:
        raise FormError(members_only(), 403)
    return Member(group, link, caller)


def shows_refusals(
    page: Callable[..., HttpResponse], explain: Callable[[NotDone], Message] = group_refusal
) -> Callable[[Callable[..., HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """Decorate a view to show ``page`` again, with a message, if its act is refused."""

    def decorate(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def acting(request: HttpRequest, code: str, **address: object) -> HttpResponseBase:
            try:
                return view(request, code, **address)
            except FormError as why:
                message, status = why.message, why.status
            except Refused as refused:
                taken = all(problem.code == "same-name" for problem in refused.problems)
                title = _("That name is taken") if taken else _("That won’t work")
                message, status = Message("impossible", title, text=" ".join(rendered(refused.problems))), 422
            except NotDone as why:
                message, status = explain(why), 409
            return page(request, code, message=message, status=status)

        return acting

    return decorate
