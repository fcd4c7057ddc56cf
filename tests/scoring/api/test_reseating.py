"""Rounds of American Deuce in which the score seats the players, and a score that is corrected afterwards (AD-Q23)."""

import pytest

from scoring.services.importing import import_record
from tests.scoring.conftest import holder

SEATS = ["Ann", "Bob", "Cy", "Dee"]


def left(*cards):
    return {"type": "result", "cards_left": list(cards)}


def suit(seat, named):
    return {"type": "suit", "seat": seat, "suit": named}


def penalty(seat, points):
    return {"type": "penalty", "seat": seat, "points": points, "reason": "late"}


def opened(reseat, *hands):
    told = {"game": "american-deuce", "options": {"reseat": reseat}, "seats": SEATS, "first_dealer": 0}
    return import_record(told | {"hands": [{"events": events} for events in hands]})


def amend(table, *, dry_run=False, **body):
    address = f"/api/v1/tables/{table.table.code}/amendments/{'?dry_run=1' if dry_run else ''}"
    return holder(table.token).post(address, body, format="json")


def state(table):
    return holder(table.token).get(f"/api/v1/tables/{table.table.code}/").json()["state"]


def record(table):
    return holder(table.token).get(f"/api/v1/tables/{table.table.code}/record/").json()


def test_without_it_the_next_round_no_longer_fits(db):
    table = opened("round", [left(0, 5, 3, 4)], [suit(0, "S"), suit(2, "H"), suit(3, "C"), left(2, 3, 0, 1)])
    answer = amend(table, seq=1, event=left(0, 3, 5, 4))
    assert (answer.status_code, answer.json()["code"]) == (409, "later-event-not-taken")


@pytest.mark.parametrize("reseat", ["round", "total", "no"])
def test_the_players_keep_the_seats_in_which_they_sat(db, reseat):
    """Two numbers were typed the wrong way round: only points change, and the record says how all sat."""
    seated = {"no": (0, 1, 2), "round": (0, 2, 3), "total": (0, 2, 3)}[reseat]
    suits = [suit(seat, named) for seat, named in zip(seated, "SHC", strict=True)]
    table = opened(reseat, [left(0, 5, 3, 4)], [*suits, left(2, 3, 0, 1)], [])
    before = state(table)
    right = left(4, 5, 3, 0) if reseat == "no" else left(0, 3, 5, 4)
    tried = amend(table, seq=1, event=right, keep_seats=True, dry_run=True)
    assert tried.json()["later"] is None
    assert tried.json()["reseated"] == []
    answer = amend(table, seq=1, event=right, keep_seats=True)
    assert answer.status_code == 201
    assert answer.json()["changes"] == tried.json()["changes"]
    after = state(table)
    assert [hand["seating"] for hand in after["hands"]] == [hand["seating"] for hand in before["hands"]]
    assert after["hands"][0]["scores"] != before["hands"][0]["scores"]
    assert after["hands"][1]["scores"] == before["hands"][1]["scores"]
    told = record(table)
    assert [event["type"] for event in told["hands"][0]["events"]] == ["result", "seating"]
    assert [hand["seating"] for hand in state(import_record(told))["hands"]] == [h["seating"] for h in after["hands"]]


def test_a_penalty_that_would_have_moved_somebody_moves_points_alone(db):
    suits = [suit(0, "S"), suit(2, "H"), suit(3, "C")]
    table = opened("total", [left(0, 5, 3, 4), penalty(1, -3)], [*suits, left(2, 3, 0, 1)])
    moves = amend(table, seq=2, event=penalty(2, -30), dry_run=True).json()
    assert moves["reseated"] == [{"hand": 2, "before": [0, 2, 3, 1], "after": [0, 3, 1, 2]}]
    assert moves["later"]["seq"] == 4
    assert amend(table, seq=2, event=penalty(2, -30), keep_seats=True).status_code == 201
    assert state(table)["hands"][1]["seating"] == [0, 2, 3, 1]


def test_what_the_corrected_score_seats_alike_needs_no_event(db):
    table = opened("round", [left(0, 5, 3, 4)], [suit(0, "S")])
    assert amend(table, seq=1, event=left(0, 6, 3, 4), keep_seats=True).status_code == 201
    assert [event["type"] for event in record(table)["hands"][0]["events"]] == ["result"]


def test_a_round_recorded_by_its_result_is_not_reseated_unsaid(db):
    table = opened("round", [left(0, 5, 3, 4)], [left(2, 3, 0, 1)])
    tried = amend(table, seq=1, event=left(0, 3, 5, 4), dry_run=True).json()
    assert tried["later"] is None
    assert tried["reseated"] == [{"hand": 2, "before": [0, 2, 3, 1], "after": [0, 1, 3, 2]}]


def test_who_sat_down_otherwise_says_so_after_the_round(db):
    table = opened("round", [left(0, 5, 3, 4)])
    address, keeper = f"/api/v1/tables/{table.table.code}/events/", holder(table.token)
    asked = keeper.get(f"/api/v1/tables/{table.table.code}/asks/").json()
    assert "seating" in [ask["event"] for ask in asked["beside"]]
    assert keeper.post(address, {"type": "seating", "places": [1, 2, 2, 4]}, format="json").status_code == 422
    assert keeper.post(address, {"type": "seating", "places": [2, 1, 3, 4]}, format="json").status_code == 201
    assert keeper.post(address, suit(1, "S"), format="json").status_code == 201
    assert state(table)["hands"][1]["seating"] == [1, 0, 2, 3]
    answer = keeper.post(address, {"type": "seating", "places": [2, 1, 3, 4]}, format="json")
    assert answer.json()["code"] == "wrong-phase"


def test_without_its_result_the_round_seats_nobody(db):
    table = opened("round", [left(0, 5, 3, 4)], [suit(0, "S")])
    answer = amend(table, seq=1, event=None, keep_seats=True)
    assert (answer.status_code, answer.json()["code"]) == (409, "later-event-not-taken")
    assert amend(table, seq=1, event={"type": "redeal", "reason": "x"}, keep_seats=True).status_code == 201
    assert state(table)["hands"][1]["seating"] == [0, 1, 2, 3], "a void round is dealt again as it was"
