"""A group for tests: the Thursday round, for which Ann has a member's link."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rest_framework.test import APIClient

from scoring.groups.acts.groups import create_group
from scoring.models import Group
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
