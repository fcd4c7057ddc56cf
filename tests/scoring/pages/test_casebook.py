"""What was ruled is found again: by a group, and without names by everybody, where that is allowed."""

import pytest
from rest_framework.test import APIClient

from scoring.models import Dispute, Group, Table
from scoring.queries.casebook import CaseWanted, cases_of_everybody, without_names
from tests.scoring.conftest import holder, open_table, play


def ruled(table, claim="Bob, you had a Sun!", text="Bob revoked, says Zoe.", clause="AT-5", **about):
    """Raise a dispute at a table, and rule on it."""
    ann = holder(table.token)
    url = f"/api/v1/tables/{table.code}/disputes/"
    number = ann.post(url, {"claim": claim} | about).json()["dispute"]["id"]
    answer = ann.post(f"{url}{number}/ruling/", {"state": "upheld", "text": text, "clauses": [clause]})
    assert answer.status_code == 201, answer.json()


def shared(**wanted):
    return [case.claim for case in cases_of_everybody(CaseWanted(**wanted)).cases]


@pytest.fixture
def group(db):
    made = APIClient().post("/api/v1/groups/", {"name": "Thursday", "people": ["Ann", "Bob", "Zoe"]})
    return made.json()


@pytest.fixture
def of_group(group):
    """A table of the group at which something was ruled."""
    member = holder(group["token"])
    told = member.post("/api/v1/tables/", {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2})
    table = open_table()
    table.code, table.token = told.json()["code"], told.json()["token"]
    ruled(table)
    return table


def test_a_group_finds_what_it_has_ruled(group, of_group):
    member = holder(group["token"])
    url = f"/api/v1/groups/{group['code']}/rulings/"
    (case,) = member.get(url).json()["rulings"]
    assert (case["claim"], case["state"], case["clauses"], case["game"]) == (
        "Bob, you had a Sun!", "upheld", ["AT-5"], "ace-trump",
    )  # fmt: skip
    assert case["table"] == of_group.code
    for query, found in {
        "game=ace-trump": 1, "game=ace-pit": 0, "clause=AT-5": 1, "clause=AT-1": 0, "situation=words": 1,
        "situation=revoke": 0, "q=sun+bob": 1, "q=moon": 0,
    }.items():  # fmt: skip
        assert len(member.get(f"{url}?{query}").json()["rulings"]) == found, query
    assert APIClient().get(url).status_code == 401


def test_long_lists_come_in_pages(group, of_group):
    ruled(of_group, claim="Once more.")
    url = f"/api/v1/groups/{group['code']}/rulings/?limit=1"
    first = holder(group["token"]).get(url).json()
    second = holder(group["token"]).get(first["next"]).json()
    assert [each["rulings"][0]["claim"] for each in (first, second)] == ["Once more.", "Bob, you had a Sun!"]
    assert second["next"] is None


def test_the_page_of_a_group_shows_them(device, group, of_group):
    address = f"/g/{group['code']}/"
    device.open_link(f"{address}join/#{group['token']}")
    told = device.get(f"{address}rulings/?clause=at-5").content.decode()
    assert "Bob, you had a Sun!" in told
    assert f"/t/{of_group.code}/disputes/1/" in told
    assert "No ruling like this." in device.get(f"{address}rulings/?clause=AT-1").content.decode()


def test_nobody_else_reads_it_unless_the_group_wants_it(device, group, of_group):
    assert "you had a Sun" not in device.get("/rulings/").content.decode()
    assert shared() == []
    member = holder(group["token"])
    told = member.patch(f"/api/v1/groups/{group['code']}/", {"shares_rulings": True})
    assert told.json()["shares_rulings"] is True
    page = device.get("/rulings/").content.decode().partition("<main")[2]
    assert "…, you had a Sun!" in page
    assert not any(name in page for name in ("Bob", "Zoe", "Ann", of_group.code, group["code"]))
    assert shared(words="bob") == []
    assert shared(words="sun") == ["…, you had a Sun!"]
    Table.objects.filter(code=of_group.code).update(private=True)
    assert shared() == []


def test_a_table_without_a_group_lets_others_read_it_by_itself(table):
    ruled(table, text="Bob owes a point.")
    assert shared() == []
    ann = holder(table.token)
    assert ann.patch(f"/api/v1/tables/{table.code}/", {"shares_rulings": True}).json()["shares_rulings"] is True
    assert shared() == ["…, you had a Sun!"]


def test_what_a_table_shares_stays_when_its_group_does_not(group, of_group):
    Table.objects.filter(code=of_group.code).update(shares_rulings=True)
    assert shared() == []
    Group.objects.update(shares_rulings=True)
    assert len(shared()) == 1


def test_only_what_was_decided_is_a_ruling(table):
    ann = holder(table.token)
    url = f"/api/v1/tables/{table.code}/disputes/"
    table.record(play(0, "8MS"))
    ann.patch(f"/api/v1/tables/{table.code}/", {"shares_rulings": True})
    ann.post(url, {"claim": "Open."})
    ann.post(url, {"claim": "Withdrawn."})
    ann.post(f"{url}2/withdrawal/")
    assert Dispute.objects.count() == 2
    assert shared() == []


@pytest.mark.parametrize(
    ("text", "names", "nameless"),
    [
        ("ann and Anna", ["Ann"], "… and Anna"),
        ("Anna Maria led", ["Anna Maria"], "… led"),
        ("Maria led", ["Anna Maria"], "… led"),
        ("Bo+b led", ["Bo+b"], "… led"),
        ("nobody", [], "nobody"),
    ],
)
def test_a_name_is_left_out_however_it_is_spelt(text, names, nameless):
    assert without_names(text, names) == nameless


@pytest.mark.parametrize("odd", ["leave=x", "leave=-1", "leave=99999999", "clause=%00", "situation=" + "a" * 500])
def test_odd_searches_find_nothing_or_all(device, odd):
    assert device.get(f"/rulings/?{odd}").status_code in (200, 400)
