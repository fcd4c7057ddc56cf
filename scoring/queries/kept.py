"""What was worked out of the finished tables of a group, kept until one of them changes, or its people do."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from scoring.models import Group
from scoring.queries.latest import Latest

Asked = ParamSpec("Asked")
Read = TypeVar("Read")
MOST = 50
"""Answers that a process keeps of each kind; one takes a megabyte where a hundred people have all met."""


def kept(read: Callable[Concatenate[Group, Asked], Read]) -> Callable[Concatenate[Group, Asked], Read]:
    """Have a function that reads the finished tables of a group do so once for each state in which they are.

    That state is asked for first, where the tables are read from: what is read then is as new, or newer. Of what was
    asked, only the newest answer is kept, so that names that are gone do not stay. Nobody may change what was returned.
    """
    known: Latest[object, tuple[object, Read]] = Latest(MOST)

    @wraps(read)
    def reading(group: Group, /, *args: Asked.args, **kwargs: Asked.kwargs) -> Read:
        state = Group.objects.filter(pk=group.pk).values_list("version", "score_mark__mark").first()
        asked = (group.code, args, tuple(sorted(kwargs.items())))
        found = known.get(asked)
        if found is None or found[0] != state:  # no state at all: the group was deleted just now
            found = (state, read(group, *args, **kwargs))
            known.keep(asked, found)
        return found[1]

    return reading
