"""What a group has decided before, found again where the same point comes up."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.db.models import Prefetch

from referee.engine.catalogue import find_game
from referee.engine.house_rules import playable
from referee.guides.reading import Guide
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


def fitting_guide(known: Iterable[Precedent], guide: Guide, clauses: Sequence[str]) -> tuple[Precedent, ...]:
    """Return those that are about what a guide is about, or about one of the clauses of its ruling."""
    codes = {guide.id, guide.irregular} - {""}
    return tuple(each for each in known if each.code in codes or (not each.code and each.clause in clauses))


def fitting(
    known: Iterable[Precedent], code: str, clauses: Sequence[str] = (), facts: Mapping[str, object] = NOTHING
) -> tuple[Precedent, ...]:
    """Return those that are about the same point: the same code with the same facts, or else one of the clauses."""
    return tuple(each for each in known if _is_about(each, code, clauses, facts))


def _is_about(each: Precedent, code: str, clauses: Sequence[str], facts: Mapping[str, object]) -> bool:
    if each.code:
        return each.code == code and all(facts.get(key) == value for key, value in each.facts.items())
    return bool(each.clause) and each.clause in clauses


def decided_rules(group: Group | None, game: str) -> list[Precedent]:
    """Return the house rules that a group has decided for its tables, each as it was decided last, the latest last."""
    found = () if group is None else precedents_in(group.pk, game)
    latest: dict[str, Precedent] = {}
    for each in found:
        if each.option:
            latest.setdefault(each.option, each)
    return list(reversed(latest.values()))


def decided_options(
    group: Group | None,
    game: str,
    players: Sequence[int],
    chosen: Mapping[str, object] = NOTHING,
    *,
    since: datetime | None = None,
) -> dict[str, object]:
    """Return the house rules that a group decided for its tables, ``since`` a moment; none that ``chosen`` excludes.

    What goes neither with what is chosen nor with any of these numbers of players stays as usual.
    """
    found = find_game(game)
    rules: dict[str, object] = {}
    for each in decided_rules(group, game):
        if found is None or each.option in chosen or (since is not None and each.since < since):
            continue
        if playable(found, {**rules, each.option: each.value, **chosen}, players):
            rules[each.option] = each.value
    return rules
