"""What a device has, as its front page shows it: a tab for each of its groups, and one for loose tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, QuerySet

from scoring.models import Group, Table
from scoring.queries.access import Devices, open_tables
from scoring.queries.groups import groups_on
from scoring.queries.played import PLAYED


@dataclass(frozen=True, slots=True)
class Tab:
    """A group of a device, or its loose tables: how many of its tables run, and when the last card fell there."""

    group: Group | None
    running: int
    latest: datetime | None

    @property
    def key(self) -> str:
        """Return what an address names it by."""
        return LOOSE if self.group is None else self.group.code


LOOSE = "loose"


def tabs_of(devices: Devices) -> list[Tab]:
    """Return the tabs of a device: its groups by name, then loose tables. Four statements, however many there are."""
    groups = list(groups_on(devices))
    run = Table.objects.filter(group__in=groups, finished=False).values("group")
    running = {row["group"]: row for row in run.annotate(**_OF_RUNNING)}
    loose = loose_tables(devices, groups).order_by().filter(finished=False).aggregate(**_OF_RUNNING)
    none: dict[str, Any] = {"number": 0, "latest": None}
    found = [(group, running.get(group.pk, none)) for group in groups]
    return [Tab(group, row["number"], row["latest"]) for group, row in [*found, (None, loose)]]


_OF_RUNNING = {"number": Count("pk"), "latest": Max(PLAYED)}


def chosen_tab(tabs: Sequence[Tab], key: str) -> Tab:
    """Return the tab of an address; without one, that where something was played last and is not over."""
    for tab in tabs:
        if tab.key == key:
            return tab
    running = [(tab.latest, -place) for place, tab in enumerate(tabs) if tab.latest is not None]
    return tabs[-max(running, default=(None, 0))[1]]


def loose_tables(devices: Devices, groups: Sequence[Group]) -> QuerySet[Table]:
    """Return the tables of a device that are in none of its groups, running ones first."""
    return open_tables(devices).exclude(group__in=groups)


def finished_tables(group: Group) -> QuerySet[Table]:
    """Return the tables of a group that are over, the last opened first."""
    return Table.objects.filter(group=group, finished=True).order_by("-created")
