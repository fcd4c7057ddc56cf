"""Forgetting a person: the name is gone everywhere, and the scores stay."""

import pytest
from django.db import connection

from scoring.models import Person
from scoring.models.fields import unpacked
from scoring.operating.reads.verifying import differences
from tests.scoring.conftest import holder, play
from tests.scoring.groups import make_group

NAME = "Wilhelmine"
RESULT = {"type": "result", "tricks": [3, 4, 5]}


@pytest.fixture
def group(db):
    return make_group("Ann", NAME, "Cy")


@pytest.fixture
def table(group):
    """A table with two hands, and the name in every text people can write."""
    table = group.open_table(seats=["Ann", NAME, "Cy"], x_note=f"for {NAME}’s birthday")
    keeper, url = holder(table.token), f"/api/v1/tables/{table.code}/"
    for _ in range(2):
        keeper.post(f"{url}events/", play(0, "8MS", x_why=f"{NAME} said so"))
        keeper.post(f"{url}events/", {"type": "note", "text": f"{NAME.upper()} was late"})
        keeper.post(f"{url}undo/", {})
        keeper.post(f"{url}events/", {"type": "note", "text": f"{NAME}'s deal, not Wilhelmines"})
        keeper.post(f"{url}undo/", {})
        keeper.post(f"{url}undo/", {})
        assert keeper.post(f"{url}events/", RESULT).status_code == 201
        keeper.post(f"{url}events/", {"type": "note", "text": f"{NAME} again"})
    group.member.post(f"{group.url}links/", {"role": "viewer", "name": f"{NAME}’s phone"})
    return table


def everything():
    """Return everything in the database as text, packed data included."""
    tables = connection.introspection.table_names()
    with connection.cursor() as cursor:
        found = []
        for name in tables:
            cursor.execute(f'SELECT * FROM "{name}"')
            found += [unpacked(str(value)) for row in cursor.fetchall() for value in row]
    return "\n".join(found)


def test_a_forgotten_name_is_gone_everywhere_and_the_scores_stay(group, table):
    keeper, url = holder(table.token), f"/api/v1/tables/{table.code}/"
    before = keeper.get(url).json()
    assert NAME in everything()
    answer = group.member.delete(f"{group.url}people/{group.people()[NAME]}/")
    assert answer.status_code == 204
    assert NAME.lower() not in everything().lower()
    after = keeper.get(url).json()
    assert after["seats"] == ["Ann", "Player 2", "Cy"]
    assert after["people"][1] is None
    assert after["state"]["totals"] == before["state"]["totals"]
    assert differences(table.row) == []
    assert keeper.post(f"{url}events/", RESULT).status_code == 201


def test_the_law_book_forgets_the_name_too(group):
    group.member.post(f"{group.url}precedents/", {"question": f"May {NAME} look?", "decision": f"{NAME}s look counts."})
    group.member.delete(f"{group.url}people/{group.people()[NAME]}/")
    assert NAME not in everything()


def test_a_name_that_ends_in_s_is_kept(db):
    group = make_group("Luca", "Lucas", "Cy")
    group.member.post(f"{group.url}precedents/", {"question": "Does Lucas deal?", "decision": "Luca does."})
    group.member.delete(f"{group.url}people/{group.people()['Luca']}/")
    [left] = group.member.get(f"{group.url}precedents/").json()["precedents"]
    assert (left["question"], left["decision"]) == ("Does Lucas deal?", "… does.")


def test_forgetting_a_person_includes_merged_ones(group, table):
    anne = group.member.post(f"{group.url}people/", {"name": "Minchen"}).json()["id"]
    group.member.post(f"{group.url}people/{anne}/merge/", {"into": group.people()[NAME]})
    group.member.delete(f"{group.url}people/{group.people()[NAME]}/")
    assert sorted(Person.objects.values_list("name", flat=True)) == ["Ann", "Cy"]


def test_only_members_forget_a_person_and_only_once(group):
    person = f"{group.url}people/{group.people()[NAME]}/"
    assert holder(group.link("viewer")).delete(person).status_code == 403
    assert group.member.delete(person).status_code == 204
    assert group.member.delete(person).status_code == 404
