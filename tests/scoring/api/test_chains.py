"""A game continued over several tables: its totals follow corrections at any of them."""

from typing import Any

import pytest

from scoring.models import Table
from scoring.operating.reads.verifying import differences
from scoring.tables.acts.notifications import notified
from tests.scoring.conftest import OpenTable, holder, open_table


def tricks(*won: int) -> dict[str, Any]:
    return {"type": "result", "tricks": [*won]}


def url(table: OpenTable, rest: str = "") -> str:
    return f"/api/v1/tables/{table.code}/{rest}"


def go_on(table: OpenTable, *seats: str, **more: Any) -> OpenTable:
    """Continue at another table with these people."""
    answer = holder(table.token).post(url(table, "continue/"), {"seats": [*seats], **more})
    assert answer.status_code == 201, answer.json()
    return OpenTable(answer.json()["code"], answer.json()["token"])


def amend(table: OpenTable, seq: int, event: object, *, dry_run: bool = False, **more: Any) -> Any:
    path = "amendments/?dry_run=1" if dry_run else "amendments/"
    return holder(table.token).post(url(table, path), {"seq": seq, "event": event, **more})


def totals(table: OpenTable) -> list[int]:
    state = holder(table.token).get(url(table)).json()["state"]
    return list(state["totals"])


def is_over(table: OpenTable) -> bool:
    return Table.objects.get(code=table.code).finished


def whole(*tables: OpenTable) -> None:
    """Check that the stored tables match their logs."""
    assert [differences(Table.objects.get(code=table.code)) for table in tables] == [[]] * len(tables)


@pytest.fixture
def first(db):
    """Ace Trump: Ann 5, Bob 4, Cy 3."""
    table = open_table(end={"kind": "open"})
    table.record(tricks(5, 4, 3))
    return table


def test_a_correction_reaches_the_next_table(first):
    second = go_on(first, "Ann", "Bob", "Dee")
    second.record(tricks(2, 2, 8))
    assert totals(second) == [7, 6, 8]
    answer = amend(first, 1, tricks(1, 8, 3))
    assert answer.status_code == 201, answer.json()
    assert answer.json()["tables"] == [
        {
            "code": second.code,
            "seats": ["Ann", "Bob", "Dee"],
            "totals": [{"seat": 0, "before": 7, "after": 3}, {"seat": 1, "before": 6, "after": 10}],
            "winners": None,
            "later": None,
        }
    ]
    told = holder(second.token).get(url(second)).json()
    assert (told["carried"], told["state"]["totals"]) == ([1, 8, 0], [3, 10, 8])
    whole(first, second)


def test_a_dry_run_reports_later_changes_and_makes_none(first):
    second = go_on(first, "Ann", "Bob", "Dee")
    version = second.row.version
    answer = amend(first, 1, tricks(1, 8, 3), dry_run=True)
    assert answer.status_code == 200
    assert [table["code"] for table in answer.json()["tables"]] == [second.code]
    assert (totals(second), second.row.version) == ([5, 4, 0], version)


def test_a_correction_is_logged_at_the_later_table(first):
    second = go_on(first, "Ann", "Bob", "Dee")
    second.record(tricks(2, 2, 8))
    amend(first, 1, tricks(1, 8, 3), reason="miscounted")
    assert second.row.version == 2
    row = holder(second.token).get(url(second, "events/")).json()["events"][-1]
    assert (row["event"], row["reason"]) == (None, "miscounted")
    assert row["hidden"] == {"carried": {"before": [5, 4, 0], "after": [1, 8, 0]}}


def test_a_correction_follows_a_returning_player_over_three_tables(first):
    """Cy skips the second table and returns with the points of the first; Dee starts with the lowest."""
    second = go_on(first, "Ann", "Bob", "Dee", newcomer="lowest")
    second.record(tricks(1, 1, 10))
    third = go_on(second, "Ann", "Cy", "Dee")
    third.record(tricks(4, 4, 4))
    assert (totals(second), totals(third)) == ([6, 5, 13], [10, 7, 17])
    amend(first, 1, tricks(4, 2, 6))
    assert third.row.carried == [5, 6, 12]
    assert (totals(second), totals(third)) == ([5, 3, 12], [9, 10, 16])
    amend(first, 3, tricks(6, 6, 0))
    assert (totals(second), totals(third)) == ([7, 7, 10], [11, 4, 14])
    amend(second, 1, tricks(12, 0, 0))
    assert (totals(second), totals(third)) == ([18, 6, 0], [22, 4, 4])
    whole(first, second, third)


def test_a_newcomer_starts_with_the_highest_total_if_the_lowest_wins(db):
    options = {"wins": "lowest"}
    first = open_table(game="any-game", title="Golf", options=options, end={"kind": "open"})
    first.record({"type": "result", "points": [5, 9, 3]})
    second = go_on(first, "Ann", "Cy", "Dee", newcomer="lowest")
    assert totals(second) == [5, 3, 9]
    amend(first, 1, {"type": "result", "points": [5, 4, 12]})
    assert totals(second) == [5, 12, 12]
    whole(first, second)


def test_a_correction_reaches_a_player_who_skipped_a_table(first):
    second = go_on(first, "Ann", "Dee")
    third = go_on(second, "Cy", "Dee")
    assert totals(third) == [3, 0]
    answer = amend(first, 1, tricks(5, 5, 2))
    assert [table["code"] for table in answer.json()["tables"]] == [third.code]
    assert (totals(second), totals(third)) == ([5, 0], [2, 0])


def test_penalties_at_a_continued_table_carry_over_too(first):
    second = go_on(first, "Ann", "Bob", "Dee")
    event = {"type": "penalty", "seat": 1, "points": -3, "reason": "late"}
    tried = holder(first.token).post(url(first, "events/?dry_run=1"), event)
    assert tried.json()["tables"][0]["totals"] == [{"seat": 1, "before": 4, "after": 1}]
    assert totals(second) == [5, 4, 0]
    assert holder(first.token).post(url(first, "events/"), event).json()["tables"] == tried.json()["tables"]
    assert totals(second) == [5, 1, 0]
    whole(first, second)


def test_undo_at_a_continued_table_is_refused_with_a_hint(first):
    second = go_on(first, "Ann", "Bob", "Dee")
    answer = holder(first.token).post(url(first, "undo/"))
    assert (answer.status_code, answer.json()["code"], answer.json()["continued_by"]) == (
        409,
        "already-continued",
        second.code,
    )
    assert holder(second.token).post(url(second, "undo/")).json()["code"] == "nothing-to-undo"


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_correction_does_not_reopen_a_continued_table(first, dry_run):
    go_on(first, "Ann", "Bob", "Dee")
    answer = amend(first, 2, None, dry_run=dry_run)
    assert (answer.status_code, answer.json()["code"]) == (409, "already-continued")


def test_a_finished_table_stays_finished_when_continued(db):
    table = open_table(end={"kind": "score", "value": 5})
    table.record(tricks(5, 4, 3))
    second = go_on(table, "Ann", "Bob", "Dee")
    assert amend(table, 1, tricks(4, 4, 4)).status_code == 201
    assert table.row.finished
    assert totals(second) == [4, 4, 0]


def test_a_correction_can_change_the_winner_or_the_end_of_a_later_table(db):
    table = open_table(end={"kind": "score", "value": 12})
    table.record(tricks(9, 2, 1))
    second = go_on(table, "Ann", "Bob", "Dee")
    second.record(tricks(4, 4, 4))
    assert is_over(second)
    [changed] = amend(table, 1, tricks(2, 9, 1), dry_run=True).json()["tables"]
    assert changed["winners"] == {"before": [0], "after": [1]}
    [changed] = amend(table, 1, tricks(4, 4, 4)).json()["tables"]
    assert changed["winners"] == {"before": [0], "after": []}
    assert not is_over(second)
    whole(table, second)


def test_a_misfit_at_a_later_table_is_named_and_nothing_changes(db):
    """With 12 points carried, the game would have ended after the first hand of the second table."""
    table = open_table(end={"kind": "score", "value": 12})
    table.record(tricks(5, 4, 3))
    second = go_on(table, "Ann", "Bob", "Dee")
    second.record(tricks(4, 4, 4), tricks(4, 4, 4))
    tried = amend(table, 1, tricks(10, 1, 1), dry_run=True).json()["tables"]
    assert (tried[0]["later"]["hand"], tried[0]["later"]["seq"]) == (2, 2)
    answer = amend(table, 1, tricks(10, 1, 1))
    assert (answer.status_code, answer.json()["code"]) == (409, "later-event-not-taken")
    assert (answer.json()["table"], answer.json()["later"]["hand"]) == (second.code, 2)
    assert (totals(table), totals(second)) == ([5, 4, 3], [13, 12, 8])


def test_a_retried_correction_gets_the_first_answer(first):
    second = go_on(first, "Ann", "Bob", "Dee")
    second.record(tricks(2, 2, 8))
    body = {"seq": 1, "event": tricks(1, 8, 3)}
    key = {"Idempotency-Key": "7d6d7d7e-6a0b-4b5a-9d4c-0d5a5e7f9a11"}
    done = holder(first.token).post(url(first, "amendments/"), body, headers=key).json()
    amend(first, 3, tricks(0, 0, 12))
    again = holder(first.token).post(url(first, "amendments/"), body, headers=key).json()
    assert again["tables"] == done["tables"]
    assert second.row.carried == [0, 0, 0]


def test_a_correction_reaches_partners_who_joined_later(db):
    seats = ["Ann", "Bob", "Cy", "Dot"]
    table = open_table(seats=seats, options={"partners": True}, end={"kind": "open"})
    table.record({"type": "result", "tricks": [3, 2, 2, 2]})
    second = go_on(table, "Ann", "Bob", "Eve", "Dot")
    assert totals(second) == [5, 4, 5, 4]
    amend(table, 1, {"type": "result", "tricks": [3, 1, 4, 1]})
    assert totals(second) == [7, 2, 7, 2]


def test_correcting_the_first_table_needs_no_link_to_the_second(first):
    second = go_on(first, "Ann", "Bob", "Dee")
    holder(second.token).patch(url(second), {"private": True})
    [changed] = amend(first, 1, tricks(1, 8, 3)).json()["tables"]
    assert changed["code"] is None
    assert totals(second) == [1, 8, 0]


def test_carried_totals_stay_when_the_earlier_table_is_deleted(first):
    second = go_on(first, "Ann", "Bob", "Dee")
    third = go_on(second, "Ann", "Cy", "Dee")
    assert holder(second.token).delete(url(second)).status_code == 204
    amend(first, 1, tricks(1, 8, 3))
    assert totals(third) == [5, 3, 0]
    whole(first, third)


def test_a_table_out_of_time_stays_over_when_continued(db, monkeypatch):
    table = open_table(end={"kind": "time", "value": 1})
    table.record(tricks(5, 4, 3))
    monkeypatch.setattr("scoring.tables.reads.state.time_is_up", lambda _row: True)
    second = go_on(table, "Ann", "Bob", "Dee")
    assert table.row.finished
    assert amend(table, 1, tricks(1, 8, 3)).status_code == 201
    assert second.row.carried == [1, 8, 0]


def test_followers_of_a_later_table_are_notified(first, django_capture_on_commit_callbacks):
    second = go_on(first, "Ann", "Bob", "Dee")
    words: list[str] = []

    def hear(word: str, **_more: object) -> None:
        words.append(word)

    notified.connect(hear)
    with django_capture_on_commit_callbacks(execute=True):
        amend(first, 1, tricks(1, 8, 3))
    notified.disconnect(hear)
    assert f"version {second.row.pk} 1" in words
