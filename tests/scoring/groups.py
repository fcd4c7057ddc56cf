"""A group for tests: the Thursday round, for which Ann has a member's link."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db.models import Model
from rest_framework.test import APIClient

from scoring.groups.acts.groups import create_group
from scoring.models import Group, Table
from scoring.models.table import new_code
from tests.scoring.conftest import ACE_TRUMP, OpenTable, holder


@dataclass
class Thursday:
    """A group, and its first token."""

    code: str
    token: str

    @property
    def url(self) -> str:
        return f"/api/v1/groups/{self.code}/"

    @property
    def row(self) -> Group:
        return Group.objects.get(code=self.code)

    @property
    def member(self) -> APIClient:
        return holder(self.token)

    def link(self, role: str, name: str = "", scope: str | None = None) -> str:
        """Make a link and return its token."""
        made = self.member.post(f"{self.url}links/", {"role": role, "name": name, "scope": scope})
        token: str = made.json()["token"]
        return token

    def people(self) -> dict[str, int]:
        """Return the ids of the people by name."""
        return {person.name: person.pk for person in self.row.people.all()}

    def adopt(self, table: OpenTable, people: Sequence[int | None] | None = None, **more: Any) -> Any:
        """Move a table into the group, with the scorekeeper's token and a member's."""
        body = {"group": self.code, "group_token": self.token} | ({"people": people} if people else {})
        return holder(table.token).patch(f"/api/v1/tables/{table.code}/", body, **more)

    def archive(self) -> str:
        """Return the text of the group's archive."""
        text: str = self.member.get(f"{self.url}archive/").getvalue().decode()
        return text

    def open_table(self, **changes: Any) -> OpenTable:
        """Open a table of the group."""
        opened = self.member.post("/api/v1/tables/", ACE_TRUMP | changes).json()
        return OpenTable(opened["code"], opened["token"])


def brought(text: str) -> Thursday:
    """Import an archive as a new group."""
    answer = APIClient().post("/api/v1/groups/import/", {"text": text})
    assert answer.status_code == 201, answer.json()
    return Thursday(answer.json()["code"], answer.json()["token"])


def make_group(*people: str, name: str = "Thursday") -> Thursday:
    """Make a group."""
    made = create_group(name, people or ("Ann", "Bob", "Cy"))
    return Thursday(made.link.group.code, made.token)


def made_once(make: Callable[[], Thursday]) -> Callable[[], Thursday]:
    """Make a group by requests once in this process; for later tests, write its rows again.

    Its group and tables get new codes each time, because the caches of a process are kept by code.
    """
    rows: list[Model] = []
    tokens: list[str] = []

    def made() -> Thursday:
        if not tokens:
            first = make()
            models = apps.get_app_config("scoring").get_models(include_auto_created=True)
            rows.extend(row for model in models for row in model._base_manager.all())
            tokens.append(first.token)
            return first
        for row in rows:
            if isinstance(row, Group | Table):
                row.code = new_code()
            row.save_base(raw=True, force_insert=True)
        [code] = [row.code for row in rows if isinstance(row, Group)]
        return Thursday(code, tokens[0])

    return made
