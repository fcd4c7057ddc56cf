"""GET tables/{code}/record/"""

from tests.scoring.conftest import play


def test_it_works(stranger, table):
    result = {"type": "result", "tricks": [12, 0, 0]}
    table.record(play(0, "8MS"), play(1, "XS"))
    table.undo()
    table.record({"type": "redeal"}, result, play(1, "9MS"))
    told = stranger.get(f"/api/v1/tables/{table.code}/record/").json()
    assert told["format"] == "table-record/1"
    assert told["first_dealer"] == 2
    assert told["hands"] == [
        {"events": [play(0, "8MS"), {"type": "redeal"}]},
        {"events": [result]},
        {"events": [play(1, "9MS")]},
    ]


def test_the_stateless_referee_says_the_same_of_it(stranger, table):
    table.record(play(0, "8MS"), play(1, "AW"), play(2, "XM"), play(1, "9MS"))
    told = stranger.get(f"/api/v1/tables/{table.code}/record/").json()
    judged = stranger.post("/api/v1/referee/judge/", told, format="json").json()
    assert judged == stranger.get(f"/api/v1/tables/{table.code}/").json()["state"]
