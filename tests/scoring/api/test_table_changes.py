"""tables/{code}/: names put right, a table given to a group, a table deleted."""

import pytest

from scoring.models import HandSheet, Link, Table, TableEvent
from tests.scoring.conftest import holder, open_table
from tests.scoring.groups import make_group

pytestmark = pytest.mark.django_db
RESULT = {"type": "result", "tricks": [12, 0, 0]}


@pytest.fixture
def url(table):
    return f"/api/v1/tables/{table.code}/"


def test_a_corrected_spelling_keeps_the_score(ann, url):
    for _ in range(2):
        assert ann.post(f"{url}events/", RESULT).status_code == 201
    before = ann.get(url).json()
    after = ann.patch(url, {"seats": ["Anne", "Bob", "Cy"]}).json()
    assert after["seats"] == ["Anne", "Bob", "Cy"]
    assert (after["version"], after["state"]["totals"]) == (before["version"], before["state"]["totals"])
    assert "Ann " not in str(after)
    assert HandSheet.objects.exclude(sheet=None).exists()  # drawn up again when it was read
    assert ann.post(f"{url}events/", RESULT).status_code == 201


@pytest.mark.parametrize(
    ("seats", "status", "pointer"),
    [
        (["Ann", "Bob"], 422, "/seats"),
        (["Ann", "Bob", " "], 422, "/seats/2"),
        (["Ann", "Bob", 3], 400, "/seats/2"),
        ("Ann", 400, "/seats"),
    ],
)
def test_names_are_put_right_for_all_seats_or_none(ann, url, seats, status, pointer):
    answer = ann.patch(url, {"seats": seats, "private": True})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (status, pointer)
    told = ann.get(url).json()
    assert (told["seats"], told["private"]) == (["Ann", "Bob", "Cy"], False)


def test_a_player_changes_no_names_and_deletes_nothing(bob, url):
    assert bob.patch(url, {"seats": ["Ann", "Rob", "Cy"]}).status_code == 403
    assert bob.delete(url).status_code == 403


def test_a_deleted_table_leaves_nothing(ann, url, table):
    ann.post(f"{url}events/", RESULT)
    assert ann.delete(url).status_code == 204
    assert ann.get(url).status_code == 404
    assert not Table.objects.exists()
    assert not TableEvent.objects.exists()
    assert not Link.objects.exists()


def test_who_has_not_seen_the_last_card_does_not_delete_the_table(ann, url):
    ann.post(f"{url}events/", RESULT)
    assert ann.delete(url, headers={"If-Match": '"0"'}).status_code == 412
    assert ann.get(url).status_code == 200


def test_a_table_from_before_is_adopted_by_who_keeps_its_score(db):
    group, table = make_group("Ann", "Bob", "Cyril"), open_table()
    people = group.people()
    adopt = f"{group.url}tables/{table.code}/adopt/"
    assert group.member.post(adopt, {"token": table.link("player", 0)}).status_code == 403
    assert group.member.post(adopt, {"token": "no"}).status_code == 403
    taken = group.member.post(adopt, {"token": table.token}).json()
    assert (taken["group"], taken["people"]) == (group.code, [people["Ann"], people["Bob"], None])
    named = [people["Ann"], people["Bob"], people["Cyril"]]
    assert group.member.post(adopt, {"token": table.token, "people": named}).json()["people"] == named
    other = make_group(name="Others")
    refused = other.member.post(f"{other.url}tables/{table.code}/adopt/", {"token": table.token})
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/group")
    viewer = holder(group.link("viewer"))
    assert viewer.post(adopt, {"token": table.token}).status_code == 403
