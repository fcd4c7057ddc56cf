"""What was worked out of the finished tables of a group, kept until one of them changes, or its people do."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from scoring.models import Group
from scoring.queries.latest import Latest

Asked = ParamSpec("Asked")
Read = TypeVar("Read")
MOST = 50
"""Answers that a process keeps of each kind; those of a large club take a megabyte."""


def kept(read: Callable[Concatenate[Group, Asked], Read]) -> Callable[Concatenate[Group, Asked], Read]:
    """Have a function that reads the finished tables of a group do so once for each state in which they are.

    That state is asked for first, where the tables are read from: what is read then is as new, or newer. Nobody may
    change what was returned.
    """
    known: Latest[object, tuple[Read]] = Latest(MOST)

    @wraps(read)
    def reading(group: Group, /, *args: Asked.args, **kwargs: Asked.kwargs) -> Read:
        state = Group.objects.filter(pk=group.pk).values_list("code", "version", "score_mark__mark").get()
        asked = (state, args, tuple(sorted(kwargs.items())))
        found = known.get(asked)
        if found is None:
            found = (read(group, *args, **kwargs),)
            known.keep(asked, found)
        return found[0]

    return reading
