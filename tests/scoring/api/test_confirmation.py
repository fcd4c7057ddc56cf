"""tables/{code}/hands/{n}/confirmation/: a player agrees with what a hand has brought."""

from uuid import uuid4

import pytest

from scoring.queries.verifying import differences
from tests.scoring.conftest import holder, play

RESULT = {"type": "result", "tricks": [12, 0, 0]}


@pytest.fixture
def url(table):
    return f"/api/v1/tables/{table.code}/"


@pytest.fixture
def cy(table):
    return holder(table.link("player", 2))


def seats(client, url, hand=1):
    return [each["seat"] for each in client.get(f"{url}hands/{hand}/confirmation/").json()["confirmed"]]


def test_it_works(ann, bob, cy, url, table):
    ann.post(f"{url}events/", RESULT)
    answer = bob.post(f"{url}hands/1/confirmation/")
    assert answer.status_code == 201
    assert [each["seat"] for each in answer.json()["confirmed"]] == [1]
    cy.post(f"{url}hands/1/confirmation/")
    assert seats(ann, url) == [1, 2]
    assert ann.get(url).json()["version"] == 3
    assert ann.get(f"{url}record/").json()["hands"][0]["x_confirmed"] == [1, 2]
    assert differences(table.row) == []


def test_it_holds_up_nothing(ann, bob, url):
    ann.post(f"{url}events/", RESULT)
    assert ann.post(f"{url}events/", RESULT).status_code == 201
    assert bob.post(f"{url}hands/1/confirmation/").status_code == 201
    assert ann.post(f"{url}undo/").status_code == 201
    assert seats(ann, url) == [1]


def test_a_corrected_result_is_to_be_agreed_with_again(ann, bob, url):
    ann.post(f"{url}events/", RESULT)
    bob.post(f"{url}hands/1/confirmation/")
    other = {"seq": 1, "event": {"type": "result", "tricks": [11, 1, 0]}}
    assert ann.post(f"{url}amendments/", other).status_code == 201
    assert seats(ann, url) == []
    assert "x_confirmed" not in ann.get(f"{url}record/").json()["hands"][0]
    bob.post(f"{url}hands/1/confirmation/")
    assert seats(ann, url) == [1]


def test_a_hand_that_runs_or_is_not_there_is_agreed_with_by_nobody(ann, bob, url):
    assert bob.post(f"{url}hands/1/confirmation/").status_code == 404
    ann.post(f"{url}events/", play(0, "8MS"))
    running = bob.post(f"{url}hands/1/confirmation/")
    assert (running.status_code, running.json()["code"]) == (409, "hand-running")
    assert bob.get(f"{url}hands/7/confirmation/").status_code == 404
    assert bob.get(f"{url}hands/0/confirmation/").status_code == 404


def test_only_players_agree(ann, dee, url):
    ann.post(f"{url}events/", RESULT)
    for client in (ann, dee):
        assert client.post(f"{url}hands/1/confirmation/").status_code == 403
    assert seats(ann, url) == []


def test_said_twice_it_is_said_once(ann, bob, url):
    ann.post(f"{url}events/", RESULT)
    headers = {"Idempotency-Key": str(uuid4())}
    for _ in range(2):
        assert bob.post(f"{url}hands/1/confirmation/", headers=headers).status_code == 201
    assert ann.get(url).json()["version"] == 2


def test_the_log_says_who(ann, bob, url):
    ann.post(f"{url}events/", RESULT)
    bob.post(f"{url}hands/1/confirmation/")
    row = ann.get(f"{url}events/").json()["events"][-1]
    assert (row["by"], row["event"], row["hidden"]) == ("player-1", None, {"seat": 1, "confirmed": 1})


def test_the_record_as_text_says_so_too(ann, bob, url, table):
    ann.post(f"{url}events/", RESULT)
    bob.post(f"{url}hands/1/confirmation/")
    assert "x_confirmed: [1]" in ann.get(f"{url}record/?as=text").content.decode()


def test_the_sheet_ticks_the_score_of_who_agrees(ann, bob, url, table, client):
    ann.post(f"{url}events/", RESULT)
    bob.post(f"{url}hands/1/confirmation/")
    sheet = client.get(f"/t/{table.code}/").content.decode().split('class="sheet"')[1].split("</table>")[0]
    assert "Agreed: Bob" in sheet
    cells = sheet.split("<tbody>")[1].split("<td>")[1:4]
    assert ["✓" in each for each in cells] == [False, True, False]
