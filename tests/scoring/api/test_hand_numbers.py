"""Hands of a table count from 1 wherever they are named; positions in a record count from 0."""

import pytest

from tests.scoring.conftest import ACE_TRUMP, play

pytestmark = pytest.mark.django_db
TRICK = [play(0, "8MS"), play(1, "XS"), play(2, "XM")]
WHOLE = {"type": "result", "tricks": [4, 4, 4]}


def hands_in(value, found=None):
    """Return every number under the key ``hand``, but not inside of events, which are the record's own."""
    found = [] if found is None else found
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "hand" and isinstance(inner, int):
                found.append(inner)
            elif key != "event":
                hands_in(inner, found)
    elif isinstance(value, list):
        for inner in value:
            hands_in(inner, found)
    return found


def test_the_first_hand_is_number_one_in_every_answer_of_a_table(table, ann, bob):
    url = f"/api/v1/tables/{table.code}/"
    table.record(*TRICK, WHOLE)
    claim = {"claim": "That was mine.", "about": {"hand": 1, "event": 1}}
    slip = {"seq": 3, "event": play(2, "2MK"), "rethread": True}
    answers = [
        ann.get(url), ann.get(f"{url}events/"), ann.post(f"{url}amendments/?dry_run=1", slip),
        bob.post(f"{url}hands/1/confirmation/", {}), ann.get(f"{url}hands/1/confirmation/"),
        ann.post(f"{url}disputes/", claim), ann.get(f"{url}disputes/"), ann.get(f"{url}disputes/1/"),
        ann.post(f"{url}readings/", {"hand": 1}), ann.get(f"{url}readings/"), ann.get(f"{url}events/"),
        ann.post(f"{url}amendments/", {"seq": 1, "event": None}),
    ]  # fmt: skip
    named = [number for answer in answers for number in hands_in(answer.json())]
    assert len(named) > 12
    assert set(named) == {1}
    agreed = [row["hidden"] for row in answers[10].json()["events"] if row["hidden"] and "confirmed" in row["hidden"]]
    assert agreed == [{"seat": 1, "confirmed": 1}]
    for path, status in (("hands/0/audit/", 404), ("hands/0/confirmation/", 404), ("hands/2/audit/", 404)):
        assert ann.get(f"{url}{path}").status_code == status
    for hand in (0, 3):
        refused = ann.post(f"{url}disputes/", {"claim": "x", "about": {"hand": hand}})
        assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/about/hand")


def test_a_record_that_is_not_taken_names_the_hand_and_points_at_its_place(stranger):
    record = ACE_TRUMP | {"format": "table-record/1", "hands": [{"events": [*TRICK, play(0, "8MS")]}]}
    told = stranger.post("/api/v1/tables/import/", record).json()
    assert (told["hand"], told["event"]) == (1, 3)
    assert told["errors"][0]["pointer"].startswith("/hands/0/events/3")


def test_the_stateless_judge_counts_positions_from_zero(stranger):
    record = ACE_TRUMP | {"hands": [{"events": [*TRICK, play(0, "8MS")]}]}
    told = stranger.post("/api/v1/referee/judge/", record).json()["rejected"]
    assert (told["hand"], told["event"]) == (0, 3)
