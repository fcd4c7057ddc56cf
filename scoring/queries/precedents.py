"""What a group has decided before, found again where the same point comes up."""

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Prefetch

from referee.engine.catalogue import find_game
from referee.engine.options import Refused
from scoring.models import Group, Precedent, Table

TABLES = Prefetch("table", Table.objects.defer("snapshot", "hand_start"))
"""Where something was ruled, looked for by itself: a group may lie elsewhere than its tables."""
NOTHING: Mapping[str, object] = {}


def precedents_of(group: Group) -> list[Precedent]:
    """Return everything that a group has decided, the latest first."""
    return list(
        Precedent.objects.filter(group=group).select_related("group").prefetch_related(TABLES).order_by("-since", "-pk")
    )


def precedents_in(group: int | None, game: str) -> tuple[Precedent, ...]:
    """Return what a group, if it is one, has decided for a game or for every game, the latest first."""
    if group is None:
        return ()
    found = Precedent.objects.filter(group=group, game__in=("", game)).select_related("group")
    return tuple(found.prefetch_related(TABLES).order_by("-since", "-pk"))


def fitting(
    known: Iterable[Precedent], code: str, clauses: Sequence[str] = (), facts: Mapping[str, object] = NOTHING
) -> tuple[Precedent, ...]:
    """Return those that are about the same point: the same code with the same facts, or else one of the clauses."""
    return tuple(each for each in known if _is_about(each, code, clauses, facts))


def _is_about(each: Precedent, code: str, clauses: Sequence[str], facts: Mapping[str, object]) -> bool:
    if each.code:
        return each.code == code and all(facts.get(key) == value for key, value in each.facts.items())
    return bool(each.clause) and each.clause in clauses


def decided_options(group: Group | None, game: str, players: int, chosen: Mapping[str, object]) -> dict[str, object]:
    """Return the house rules that a group has decided for its tables, the latest last; none that ``chosen`` excludes.

    What goes neither with what is chosen nor with so many players stays as usual.
    """
    found = find_game(game)
    if group is None or found is None:
        return {}
    rules: dict[str, object] = {}
    for each in reversed(precedents_in(group.pk, game)):
        if not each.option or each.option in chosen:
            continue
        try:
            found.rules({**rules, each.option: each.value, **chosen}, players)
        except Refused:
            continue
        rules[each.option] = each.value
    return rules
