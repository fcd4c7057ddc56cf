"""What was worked out of the finished tables of a group, kept until one of them changes, or its people do."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from scoring.models import Group
from scoring.queries.latest import RecentCache

Params = ParamSpec("Params")
Read = TypeVar("Read")
MOST_GROUPS = 50
"""Groups whose answers a process keeps: those that were looked at last."""
MOST_ANSWERS = 12
"""Answers for each of them; the largest takes a megabyte where a hundred people have all met."""
_answer_cache: RecentCache[str, tuple[object, RecentCache[object, Any]]] = RecentCache(MOST_GROUPS)


def cached_for_group(read: Callable[Concatenate[Group, Params], Read]) -> Callable[Concatenate[Group, Params], Read]:
    """Have a function that reads the finished tables of a group do so once for each state in which they are.

    That state is asked for first, where the tables are read from: what is read then is as new, or newer. With the next
    look, whatever is asked, all goes that was worked out of another state, so that names that are gone do not stay.
    Nobody may change what was returned.
    """

    @wraps(read)
    def reading(group: Group, /, *args: Params.args, **kwargs: Params.kwargs) -> Read:
        state = Group.objects.filter(pk=group.pk).values_list("version", "score_mark__mark").first()
        if state is None:  # the group was deleted just now
            _answer_cache.drop(group.code)
            return read(group, *args, **kwargs)
        found = _answer_cache.get(group.code)
        if found is None or found[0] != state:
            found = (state, RecentCache(MOST_ANSWERS))
        _answer_cache.put(group.code, found)
        call = (read, args, tuple(sorted(kwargs.items())))
        answer = found[1].get(call)
        if answer is None:
            answer = (read(group, *args, **kwargs),)
            found[1].put(call, answer)
        known: Read = answer[0]
        return known

    return reading
