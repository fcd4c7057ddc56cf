"""The players of a table have names that people can tell apart, whichever way these come in."""

import pytest

from scoring.models import Group, SeatedPerson, Table
from scoring.queries.archiving import full_export
from tests.scoring.conftest import ACE_TRUMP, holder, open_table
from tests.scoring.groups import make_group

pytestmark = pytest.mark.django_db
LOOKS_LIKE_ANN = [
    "Ann",
    " ann ",
    "ANN",
    "Ann\u200b",
    "A\u00adnn",
    "Ann\ufe0f",
    "\uff21nn",
    "A\u200dn\u2060n",
    "Ann\u2800",
]
RESULT = {"type": "result", "tricks": [5, 4, 3]}


def refused(answer, pointer, code="same-name"):
    """Return whether an answer says which name is there twice, and what to do."""
    assert answer.status_code == 422, answer.content
    assert {(each["pointer"], each["code"]) for each in answer.json()["errors"]} == {(pointer, code)}
    assert "Tell them apart" in answer.json()["errors"][0]["detail"]
    return True


@pytest.mark.parametrize("name", LOOKS_LIKE_ANN)
def test_a_new_table_refuses_a_name_that_looks_like_another(stranger, name):
    answer = stranger.post("/api/v1/tables/", ACE_TRUMP | {"seats": ["Ann", "Bob", name]})
    assert refused(answer, "/seats/2")
    assert answer.json()["code"] == "same-name"
    assert not Table.objects.exists()


@pytest.mark.parametrize(
    "seats", [["Ann", "Anne", "Ann B"], ["Jos\u00e9", "Jose", "Joseph"], ["\u738b", "\u7389", "\U0001f0a1"]]
)
def test_names_that_look_different_are_taken(stranger, seats):
    assert stranger.post("/api/v1/tables/", ACE_TRUMP | {"seats": seats}).status_code == 201


@pytest.mark.parametrize("name", LOOKS_LIKE_ANN)
def test_no_name_becomes_one_of_another_player_later(name):
    table = open_table()
    answer = holder(table.token).patch(f"/api/v1/tables/{table.code}/", {"seats": ["Ann", name, "Cy"]})
    assert refused(answer, "/seats/1")
    assert table.row.seats == ["Ann", "Bob", "Cy"]


@pytest.mark.parametrize("address", ["tables/import/", "referee/judge/"])
def test_no_record_has_two_players_of_one_name(stranger, address):
    record = ACE_TRUMP | {"seats": ["Ann", "Bob", "ann"], "hands": []}
    assert refused(stranger.post(f"/api/v1/{address}", record), "/seats/2")


def test_no_text_has_two_players_of_one_name(stranger):
    written = "Game: ace-trump\nSeats: Ann, Bob, Ann\nFirst dealer: Bob\n"
    answer = stranger.post("/api/v1/tables/import/", written, content_type="text/plain")
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, "same-name")


def test_no_full_log_and_no_archive_has_two_players_of_one_name(stranger):
    group = make_group()
    table = group.open_table()
    table.record(RESULT)
    told = full_export(table.row) | {"seats": ["Ann", "Bob", "Ann"]}
    assert refused(stranger.post("/api/v1/tables/import/", told), "/seats/2")
    archive = group.member.get(f"{group.url}archive/").getvalue().decode()
    double = archive.replace('["Ann","Bob","Cy"]', '["Ann","Bob","Ann"]')
    assert double != archive
    answer = stranger.post("/api/v1/groups/import/", {"text": double})
    assert refused(answer, "/1/seats/2", "bad-archive")
    assert Group.objects.count() == 1


def test_who_goes_on_have_different_names():
    table = open_table()
    table.record(RESULT)
    answer = holder(table.token).post(f"/api/v1/tables/{table.code}/continue/", {"seats": ["Ann", "Bob", "ann"]})
    assert refused(answer, "/seats/2")


def test_nobody_in_a_group_gets_the_name_of_a_guest_at_the_same_table():
    group = make_group()
    table = group.open_table(seats=["Ann", "Bob", "Dee"])
    answer = group.member.patch(f"{group.url}people/{group.people()['Ann']}/", {"name": "dee"})
    assert (answer.status_code, answer.json()["code"]) == (422, "same-name")
    assert "At table" in answer.json()["errors"][0]["detail"]
    assert (table.row.seats, "Ann" in group.people()) == (["Ann", "Bob", "Dee"], True)


def test_a_guest_is_told_from_the_person_whose_name_a_merge_shows_at_the_same_table():
    group = make_group("Ann", "Bob", "Cy", "Anne")
    people = group.people()
    group.open_table(seats=["Ann", "Bob", "Anne"], people=[None, people["Bob"], people["Anne"]])
    answer = group.member.post(f"{group.url}people/{people['Anne']}/merge/", {"into": people["Ann"]})
    assert answer.status_code == 200
    (evening,) = group.member.get(f"{group.url}evenings/").json()["evenings"]
    assert sorted(each["name"] for each in evening["people"]) == ["Ann", "Ann (guest)", "Bob"]


def test_a_table_given_to_a_group_shows_no_name_twice():
    group, table = make_group(), open_table(seats=["Anne", "Bob", "Ann"])
    people = [group.people()["Ann"], None, None]
    answer = group.member.post(f"{group.url}tables/{table.code}/adopt/", {"token": table.token, "people": people})
    assert refused(answer, "/seats/2")
    assert table.row.group is None


def test_a_person_who_is_forgotten_leaves_no_name_twice():
    group = make_group()
    table = group.open_table(seats=["Player 2", "Bob", "Player 3"])
    group.member.delete(f"{group.url}people/{group.people()['Bob']}/")
    assert table.row.seats == ["Player 2", "Player 4", "Player 3"]


def test_a_table_whose_players_had_one_name_before_still_opens(stranger):
    table = open_table()
    table.record(RESULT)
    Table.objects.update(seats=["Ann", "Ann", "Cy"])
    keeper = holder(table.token)
    assert keeper.get(f"/api/v1/tables/{table.code}/").json()["seats"] == ["Ann", "Ann", "Cy"]
    assert keeper.get(f"/api/v1/tables/{table.code}/record/?as=text").status_code == 200
    assert keeper.post(f"/api/v1/tables/{table.code}/events/", RESULT).status_code == 201
    told = keeper.post(f"/api/v1/tables/{table.code}/continue/", {"seats": ["Ann", "Anna", "Cy"], "from": [0, 1, 2]})
    assert told.json()["carried"] == [10, 8, 6]
    assert stranger.get(f"/t/{table.code}/").status_code == 200


def test_names_that_are_swapped_stay_two():
    table = open_table()
    answer = holder(table.token).patch(f"/api/v1/tables/{table.code}/", {"seats": ["Bob", "Ann", "Cy"]})
    assert (answer.status_code, table.row.seats) == (200, ["Bob", "Ann", "Cy"])


def test_who_goes_on_is_told_by_id(db):
    group = make_group()
    table = group.open_table(seats=["Annie", "Bob", "Zoe"], people=[group.people()["Ann"], group.people()["Bob"], None])
    table.record(RESULT)
    people, url = group.people(), f"/api/v1/tables/{table.code}/continue/"
    keeper = holder(table.token)
    wrong = keeper.post(
        url, {"seats": ["Ann", "Cy", "Zoe"], "from": [0, None, 2], "people": [people["Bob"], people["Cy"], None]}
    )
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (422, "/people/0")
    after = keeper.post(url, {"seats": ["Zoe", "Ann", "Cy"], "people": [None, people["Ann"], people["Cy"]]}).json()
    assert (after["carried"], after["people"]) == ([3, 5, 0], [None, people["Ann"], people["Cy"]])


def test_people_belong_to_a_group_when_others_go_on():
    table = open_table()
    table.record(RESULT)
    answer = holder(table.token).post(
        f"/api/v1/tables/{table.code}/continue/", {"seats": ["Ann", "Bob"], "people": [1, 2]}
    )
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/people")
    assert not SeatedPerson.objects.exists()
