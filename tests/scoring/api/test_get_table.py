"""GET tables/{code}/"""

import pytest

from tests.scoring.conftest import play


def test_it_works(stranger, table):
    table.record(play(0, "8MS"), play(1, "XS"), play(2, "XM"))
    answer = stranger.get(f"/api/v1/tables/{table.code}/")
    assert answer.status_code == 200
    told = answer.json()
    assert told["seats"] == ["Ann", "Bob", "Cy"]
    assert told["version"] == 3
    assert told["state"]["hands"][0]["tricks"][0]["winner"] == 2
    assert told["state"]["totals"] == [0, 0, 1]
    assert "token" not in told


def test_every_hand_is_there(stranger, table):
    result = {"type": "result", "tricks": [4, 4, 4]}
    table.record(result, result, play(2, "8MS"))
    hands = stranger.get(f"/api/v1/tables/{table.code}/").json()["state"]["hands"]
    assert [hand["number"] for hand in hands] == [1, 2, 3]
    assert [hand["phase"] for hand in hands] == ["finished", "finished", "play"]


def test_who_has_it_is_told_so(stranger, table):
    answer = stranger.get(f"/api/v1/tables/{table.code}/")
    same = stranger.get(f"/api/v1/tables/{table.code}/", HTTP_IF_NONE_MATCH=answer["ETag"])
    assert same.status_code == 304
    assert not same.content
    table.record(play(0, "8MS"))
    changed = stranger.get(f"/api/v1/tables/{table.code}/", HTTP_IF_NONE_MATCH=answer["ETag"])
    assert changed.status_code == 200


@pytest.mark.parametrize("tags", ["*", "W/{}", '"7", {}', '"of another, with a comma", W/{}'])
def test_a_cache_on_the_way_may_list_tags_and_weaken_them(stranger, table, tags):
    tag = stranger.get(f"/api/v1/tables/{table.code}/")["ETag"]
    answer = stranger.get(f"/api/v1/tables/{table.code}/", HTTP_IF_NONE_MATCH=tags.format(tag))
    assert answer.status_code == 304


@pytest.mark.parametrize("tags", ["", "0", '"1"', '"00"', '"1", "2"'])
def test_who_has_something_else_is_sent_the_table(stranger, table, tags):
    assert stranger.get(f"/api/v1/tables/{table.code}/", HTTP_IF_NONE_MATCH=tags).status_code == 200


def test_a_code_may_be_typed_as_it_is_read_out(stranger, table):
    typed = f"{table.code[:4].lower()}-{table.code[4:].lower()}"
    assert stranger.get(f"/api/v1/tables/{typed}/").json()["code"] == table.code


def test_a_wrong_code_is_not_found(stranger):
    answer = stranger.get("/api/v1/tables/ZZZZZZZZ/")
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"
