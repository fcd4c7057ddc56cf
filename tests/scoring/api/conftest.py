"""Shared by the tests of the tables' API: each answer is compared with the schema."""

from collections.abc import Collection, Iterator

import pytest
from django.apps import apps
from rest_framework.test import APIClient

from scoring.models import Group, Table
from tests.scoring.conftest import OpenTable, holder
from tests.scoring.groups import Thursday, make_group
from tests.strict_answers import compared


@pytest.fixture(autouse=True)
def _every_answer_is_as_the_schema_says() -> Iterator[None]:
    with compared():
        yield


@pytest.fixture
def group(db: None) -> Thursday:
    """The Thursday round: Ann, Bob and Cy."""
    return make_group()


@pytest.fixture
def url(table: OpenTable) -> str:
    """The address of the table."""
    return table.url


@pytest.fixture
def cy(table: OpenTable) -> APIClient:
    """Cy, who plays on seat 2 and has a link."""
    return holder(table.link("player", 2))


def kept(but: Collection[str] = ("Tally",)) -> dict[str, object]:
    """Return the number of stored rows of all models but these, and the versions of tables and groups."""
    models = [each for each in apps.get_app_config("scoring").get_models() if each.__name__ not in but]
    counts: dict[str, object] = {each.__name__: each._base_manager.count() for each in models}
    return counts | {"versions": [[*each.objects.values_list("version").order_by("pk")] for each in (Table, Group)]}
