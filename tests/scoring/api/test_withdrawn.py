"""A finding disproved by a later card moves no points; decisions based on it are named and can be undone."""

import pytest

from tests.games.american_deuce.told_rounds import NAMED, drop
from tests.referee.telling import plays
from tests.scoring.conftest import holder, open_table

pytestmark = pytest.mark.django_db

DENIED = [*NAMED, drop(1, "9C", "4D", constipated=True), *plays("0:5D 1:2S")]
CLEARED = plays("2:- 3:- 0:- 1:6H 2:KD")
PENALTY = {"type": "penalty", "seat": 1, "points": -7, "reason": "denied deuce", "x_settles": [0, 3]}


@pytest.fixture
def table():
    """A table at which Bob, named as the King's holder, is proved to have denied a 2."""
    opened = open_table(game="american-deuce", seats=["Ann", "Bob", "Cy", "Dot"], first_dealer=0)
    opened.record(*DENIED)
    return opened


def state(table):
    return holder(table.token).get(f"/api/v1/tables/{table.code}/").json()["state"]


def test_a_remedy_based_on_a_disproved_finding_is_named_with_its_undo(table):
    client = holder(table.token)
    table.record(PENALTY)
    (settled,) = state(table)["hands"][0]["irregularities"]
    assert (settled["code"], settled["settled"]["seq"]) == ("denied-deuce", 7)
    table.record(*CLEARED)
    hand = state(table)["hands"][0]
    (elsewhere,) = hand["irregularities"]
    assert (elsewhere["code"], elsewhere["seat"], elsewhere["settled"]) == ("king-elsewhere", 2, None)
    (gone,) = hand["withdrawn"]
    assert (gone["code"], gone["seat"], gone["seq"], gone["withdrawn_by_seq"]) == ("denied-deuce", 1, 4, 12)
    assert (gone["settled"]["how"], gone["settled"]["seq"], gone["undo"]) == ("penalty", 7, [7])
    assert state(table)["totals"][1] == -7
    for seq in gone["undo"]:
        done = client.post(f"/api/v1/tables/{table.code}/amendments/", {"seq": seq, "event": None})
        assert done.status_code == 201
    assert state(table)["totals"] == [0, 0, 0, 0]
    assert state(table)["hands"][0]["withdrawn"][0]["settled"] is None


def test_without_a_remedy_nothing_depends_on_a_disproved_finding(table):
    table.record(*CLEARED)
    (gone,) = state(table)["hands"][0]["withdrawn"]
    assert (gone["settled"], gone["undo"]) == (None, [])


def test_a_ruling_after_the_card_settles_the_finding(table):
    table.record(*CLEARED, PENALTY | {"seat": 2})
    hand = state(table)["hands"][0]
    assert hand["irregularities"][0]["settled"]["how"] == "penalty"
    assert hand["withdrawn"][0]["undo"] == []


def test_a_remedy_with_deletions_is_carried_out_step_by_step():
    table = open_table(game="american-deuce", seats=["Ann", "Bob", "Cy", "Dot"], first_dealer=0)
    table.record(*DENIED)
    client = holder(table.token)
    (found,) = state(table)["hands"][0]["irregularities"]
    (again,) = [remedy for remedy in found["remedies"] if remedy["code"] == "redo-exchange"]
    rows = client.get(f"/api/v1/tables/{table.code}/events/").json()["events"]
    for position in again["strikes"]:
        (seq,) = [row["seq"] for row in rows if row["position"] == position]
        done = client.post(f"/api/v1/tables/{table.code}/amendments/", {"seq": seq, "event": None})
        assert done.status_code == 201, done.json()
    answer = client.post(f"/api/v1/tables/{table.code}/events/", {"events": again["events"]})
    assert answer.status_code == 201, answer.json()
    hand = state(table)["hands"][0]
    assert (hand["irregularities"], hand["withdrawn"], hand["exchange"], hand["tricks"]) == ([], [], None, [])
