"""POST tables/{code}/continue/"""

import pytest

from tests.scoring.conftest import holder, open_table, play

RESULT = {"type": "result", "tricks": [5, 4, 3]}


@pytest.fixture
def table(db):
    """A table of three with a house rule, after one hand dealt by Cy."""
    table = open_table(options={"ties": "early"}, end={"kind": "score", "value": 50})
    table.record(RESULT)
    return table


@pytest.fixture
def url(table):
    return f"/api/v1/tables/{table.code}/continue/"


def test_staying_players_keep_their_points(ann, eve, table, url):
    answer = ann.post(url, {"seats": ["Ann", "Cy", "Dee"], "from": [0, 2, None]})
    assert answer.status_code == 201, answer.json()
    after = answer.json()
    assert (after["seats"], after["carried"], after["previous"]) == (["Ann", "Cy", "Dee"], [5, 3, 0], table.code)
    assert (after["state"]["options"]["ties"], after["state"]["end"]["value"]) == ("early", 50)
    assert after["state"]["totals"] == [5, 3, 0]
    assert after["token"]
    before = eve.get(f"/api/v1/tables/{table.code}/").json()
    assert (before["continued_by"], before["state"]["finished"]) == (after["code"], True)
    assert table.row.log.last().event == {"type": "end"}


@pytest.mark.parametrize(
    ("body", "carried", "dealer"),
    [
        ({"seats": ["Cy", "Dee", "Ann"], "newcomer": "lowest"}, [3, 3, 5], 2),
        ({"seats": ["Dee", "Cy", "Ann"]}, [0, 3, 5], 2),
        ({"seats": ["Dee", "Cy", "Bob"]}, [0, 3, 4], 2),
        ({"seats": ["Ann", "Bob", "Cy"], "first_dealer": 1}, [5, 4, 3], 1),
        ({"seats": ["Bob", "Cy"]}, [4, 3], 0),
    ],
    ids=[
        "a newcomer starts with the lowest",
        "the next dealer in turn deals",
        "or the one after",
        "or the named one",
        "one player leaves",
    ],
)
def test_names_identify_staying_players_and_the_dealer(ann, url, body, carried, dealer):
    after = ann.post(url, body).json()
    assert (after["carried"], after["first_dealer"]) == (carried, dealer)


def test_players_cannot_join_or_leave_during_a_hand(ann, table, url):
    table.record(play(1, "8MS"))
    answer = ann.post(url, {"seats": ["Ann", "Bob"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "hand-running")


def test_a_continued_table_respects_the_games_player_limits(ann, table, url):
    answer = ann.post(url, {"seats": ["Ann"]})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-players")
    assert table.row.version == 1


def test_a_table_can_be_continued_only_once(ann, url):
    assert ann.post(url, {"seats": ["Ann", "Bob"]}).status_code == 201
    answer = ann.post(url, {"seats": ["Ann", "Bob"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "already-continued")


def test_a_finished_table_can_be_continued_too(ann, table, url):
    table.record({"type": "end"})
    assert ann.post(url, {"seats": ["Ann", "Bob"]}).json()["first_dealer"] == 0
    assert table.row.version == 2


def test_a_void_hand_is_redealt_by_its_dealer(ann, table, url):
    table.record(play(1, "8MS"), {"type": "redeal"})
    assert ann.post(url, {"seats": ["Ann", "Bob"]}).json()["first_dealer"] == 0


def test_no_points_are_carried_before_the_first_deal(db):
    table = open_table()
    after = holder(table.token).post(f"/api/v1/tables/{table.code}/continue/", {"seats": ["Ann", "Bob", "Cy", "Di"]})
    assert (after.json()["carried"], after.json()["first_dealer"]) == ([0, 0, 0, 0], 2)
    assert table.row.finished


def test_a_private_table_continues_at_a_private_one(ann, eve, table, url):
    ann.patch(f"/api/v1/tables/{table.code}/", {"private": True})
    after = ann.post(url, {"seats": ["Ann", "Bob"]}).json()
    assert after["private"]
    assert eve.get(f"/api/v1/tables/{after['code']}/").status_code == 404


@pytest.mark.parametrize(
    ("body", "status", "pointer"),
    [
        ({}, 400, "/seats"),
        ({"seats": ["Ann", "Bob"], "from": [0]}, 422, "/from"),
        ({"seats": ["Ann", "Bob"], "from": [0, 0]}, 422, "/from"),
        ({"seats": ["Ann", "Bob"], "from": [0, 3]}, 422, "/from"),
        ({"seats": ["Ann", "Bob"], "from": [0, "1"]}, 400, "/from/1"),
        ({"seats": ["Ann", "Bob"], "newcomer": "rich"}, 422, "/newcomer"),
        ({"seats": ["Ann", "Bob"], "newcomer": []}, 422, "/newcomer"),
        ({"seats": ["Ann", "Bob"], "first_dealer": 2}, 422, "/first_dealer"),
        ({"seats": ["Ann", "Bob"], "game": "chess"}, 400, "/game"),
    ],
)
def test_invalid_requests_are_refused_with_a_pointer(ann, table, url, body, status, pointer):
    answer = ann.post(url, body)
    assert answer.status_code == status
    assert answer.json()["errors"][0]["pointer"] == pointer
    assert table.row.version == 1


def test_a_stale_client_gets_412(ann, url):
    assert ann.post(url, {"seats": ["Ann", "Bob"]}, HTTP_IF_MATCH='"0"').status_code == 412


@pytest.fixture
def pairs(db):
    """A table of two pairs, Ann with Cy and Bob with Dot."""
    told = {"seats": ["Ann", "Bob", "Cy", "Dot"], "options": {"partners": True}, "carried": [7, 3, 7, 3]}
    table = open_table(**told)
    return holder(table.token), f"/api/v1/tables/{table.code}/continue/"


def test_a_player_joining_a_partnership_starts_with_its_total(pairs):
    keeper, url = pairs
    after = keeper.post(url, {"seats": ["Ann", "Bob", "Eve", "Dot"]}).json()
    assert after["carried"] == [7, 3, 7, 3]


def test_players_with_different_totals_cannot_become_partners(pairs):
    keeper, url = pairs
    answer = keeper.post(url, {"seats": ["Ann", "Cy", "Bob", "Dot"]})
    assert answer.status_code == 422
    assert "are partners and start from one total" in str(answer.json())
