"""groups/{code}/people/: names, spellings, and two names that are one person."""

import pytest
from rest_framework.test import APIClient

from scoring.models import HandSheet
from tests.scoring.conftest import holder
from tests.scoring.groups import make_group

pytestmark = pytest.mark.django_db


@pytest.fixture
def group():
    return make_group()


def test_it_works(group):
    made = group.member.post(f"{group.url}people/", {"name": "Dee", "aliases": ["Diana"], "colour": "teal"})
    assert made.status_code == 201
    assert made.json() == {
        "id": group.people()["Dee"], "name": "Dee", "aliases": ["Diana"], "colour": "teal", "merged_into": None,
        "distinct_from": [],
    }  # fmt: skip
    assert made.json() in group.member.get(f"{group.url}people/").json()["people"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"name": "ANN"}, "/name"),
        ({"name": "Dee", "aliases": ["Bob"]}, "/aliases/0"),
        ({"name": "Dee", "colour": "beige"}, "/colour"),
    ],
)
def test_two_people_have_two_names(group, body, pointer):
    answer = group.member.post(f"{group.url}people/", body)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, pointer)


def test_a_new_name_stands_at_every_table_and_in_every_sheet(group):
    table, ann = group.open_table(), group.people()["Ann"]
    keeper = holder(table.token)
    for _ in range(2):
        keeper.post(f"/api/v1/tables/{table.code}/events/", {"type": "result", "tricks": [12, 0, 0]})
    before = keeper.get(f"/api/v1/tables/{table.code}/").json()
    assert HandSheet.objects.get().sheet is not None
    group.member.patch(f"{group.url}people/{ann}/", {"name": "Annegret", "aliases": ["Ann"]})
    after = keeper.get(f"/api/v1/tables/{table.code}/")
    assert after.json()["seats"] == ["Annegret", "Bob", "Cy"]
    assert after.json()["state"]["totals"] == before["state"]["totals"]
    assert "Ann " not in after.content.decode().replace("Annegret", "")
    assert keeper.post(f"/api/v1/tables/{table.code}/undo/").status_code == 201


def test_two_spellings_become_one_person_and_are_parted_again(group):
    people = group.people() | {"Anne": group.member.post(f"{group.url}people/", {"name": "Anne"}).json()["id"]}
    merged = group.member.post(f"{group.url}people/{people['Anne']}/merge/", {"into": people["Ann"]})
    assert merged.json()["merged_into"] == people["Ann"]
    table = group.open_table(seats=["Anne", "Bob", "Cy"])
    told = group.member.get(f"/api/v1/tables/{table.code}/").json()
    assert told["people"][0] == people["Ann"]
    parted = group.member.post(f"{group.url}people/{people['Anne']}/merge/", {"into": None})
    assert parted.json()["merged_into"] is None


def test_who_sat_together_is_not_one_person(group):
    group.open_table()
    people = group.people()
    answer = group.member.post(f"{group.url}people/{people['Ann']}/merge/", {"into": people["Bob"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "sat-together")


def test_nobody_counts_as_somebody_who_counts_as_another(group):
    people = group.people()
    group.member.post(f"{group.url}people/{people['Ann']}/merge/", {"into": people["Bob"]})
    answer = group.member.post(f"{group.url}people/{people['Cy']}/merge/", {"into": people["Ann"]})
    assert answer.json()["code"] == "already-merged"
    itself = group.member.post(f"{group.url}people/{people['Cy']}/merge/", {"into": people["Cy"]})
    assert itself.json()["code"] == "already-merged"
    assert group.member.post(f"{group.url}people/0/merge/", {"into": people["Cy"]}).status_code == 404


def test_who_is_somebody_else_is_remembered_and_goes_along_with_the_archive(group):
    people = group.people() | {"Anne": group.member.post(f"{group.url}people/", {"name": "Anne"}).json()["id"]}
    url = f"{group.url}people/{people['Anne']}/"
    answer = group.member.patch(url, {"distinct_from": [people["Ann"]]})
    assert (answer.status_code, answer.json()["distinct_from"]) == (200, [people["Ann"]])
    archive = group.member.get(f"{group.url}archive/").getvalue().decode()
    back = APIClient().post("/api/v1/groups/import/", {"text": archive}).json()
    ids = {person["name"]: person["id"] for person in back["people"]}
    assert {person["name"]: person["distinct_from"] for person in back["people"]}["Anne"] == [ids["Ann"]]
    assert holder(back["token"]).get(back["links"]["archive"]).getvalue().decode() == archive
    group.member.delete(f"{group.url}people/{people['Ann']}/")
    told = group.member.get(f"{group.url}people/").json()["people"]
    assert {person["name"]: person["distinct_from"] for person in told}["Anne"] == []


@pytest.mark.parametrize("others", [["x"], [None], [10**8], "self", 7])
def test_nobody_is_distinct_from_who_is_not_there(group, others):
    ann = group.people()["Ann"]
    answer = group.member.patch(f"{group.url}people/{ann}/", {"distinct_from": [ann] if others == "self" else others})
    assert answer.status_code in (400, 422)
    assert answer.json()["errors"][0]["pointer"].startswith("/distinct_from")
