"""Continuing a table, and games continued over several tables."""

from typing import Any

import pytest

from scoring.models import Table
from scoring.operating.reads import differences
from scoring.tables.acts.holding import notified
from tests.scoring.conftest import OpenTable, open_table, play

RESULT = {"type": "result", "tricks": [5, 4, 3]}


@pytest.fixture
def table(db):
    """A table of three with a house rule, after one hand dealt by Cy."""
    table = open_table(options={"ties": "early"}, end={"kind": "score", "value": 50})
    table.record(RESULT)
    return table


@pytest.fixture
def url(table):
    return f"{table.url}continue/"


def test_staying_players_keep_their_points(ann, eve, table, url):
    answer = ann.post(url, {"seats": ["Ann", "Cy", "Dee"], "from": [0, 2, None]})
    assert answer.status_code == 201, answer.json()
    after = answer.json()
    assert (after["seats"], after["carried"], after["previous"]) == (["Ann", "Cy", "Dee"], [5, 3, 0], table.code)
    assert (after["state"]["options"]["ties"], after["state"]["end"]["value"]) == ("early", 50)
    assert after["state"]["totals"] == [5, 3, 0]
    assert after["token"]
    before = eve.get(table.url).json()
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
    after = table.keeper.post(f"{table.url}continue/", {"seats": ["Ann", "Bob", "Cy", "Di"]})
    assert (after.json()["carried"], after.json()["first_dealer"]) == ([0, 0, 0, 0], 2)
    assert table.row.finished


def test_a_private_table_continues_at_a_private_one(ann, eve, table, url):
    ann.patch(table.url, {"private": True})
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
    return table.keeper, f"{table.url}continue/"


def test_a_player_joining_a_partnership_starts_with_its_total(pairs):
    keeper, url = pairs
    after = keeper.post(url, {"seats": ["Ann", "Bob", "Eve", "Dot"]}).json()
    assert after["carried"] == [7, 3, 7, 3]


def test_players_with_different_totals_cannot_become_partners(pairs):
    keeper, url = pairs
    answer = keeper.post(url, {"seats": ["Ann", "Cy", "Bob", "Dot"]})
    assert answer.status_code == 422
    assert "are partners and start from one total" in str(answer.json())


# --- A game continued over several tables: its totals follow corrections at any of them


def tricks(*won: int) -> dict[str, Any]:
    return {"type": "result", "tricks": [*won]}


def amend(table: OpenTable, seq: int, event: object, *, dry_run: bool = False, **more: Any) -> Any:
    path = "amendments/?dry_run=1" if dry_run else "amendments/"
    return table.keeper.post(f"{table.url}{path}", {"seq": seq, "event": event, **more})


def totals(table: OpenTable) -> list[int]:
    state = table.keeper.get(table.url).json()["state"]
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
    second = first.go_on("Ann", "Bob", "Dee")
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
    told = second.keeper.get(second.url).json()
    assert (told["carried"], told["state"]["totals"]) == ([1, 8, 0], [3, 10, 8])
    whole(first, second)


def test_a_dry_run_reports_later_changes_and_makes_none(first):
    second = first.go_on("Ann", "Bob", "Dee")
    version = second.row.version
    answer = amend(first, 1, tricks(1, 8, 3), dry_run=True)
    assert answer.status_code == 200
    assert [table["code"] for table in answer.json()["tables"]] == [second.code]
    assert (totals(second), second.row.version) == ([5, 4, 0], version)


def test_a_correction_is_logged_at_the_later_table(first):
    second = first.go_on("Ann", "Bob", "Dee")
    second.record(tricks(2, 2, 8))
    amend(first, 1, tricks(1, 8, 3), reason="miscounted")
    assert second.row.version == 2
    row = second.keeper.get(f"{second.url}events/").json()["events"][-1]
    assert (row["event"], row["reason"]) == (None, "miscounted")
    assert row["hidden"] == {"carried": {"before": [5, 4, 0], "after": [1, 8, 0]}}


def test_a_correction_follows_a_returning_player_over_three_tables(first):
    """Cy skips the second table and returns with the points of the first; Dee starts with the lowest."""
    second = first.go_on("Ann", "Bob", "Dee", newcomer="lowest")
    second.record(tricks(1, 1, 10))
    third = second.go_on("Ann", "Cy", "Dee")
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
    second = first.go_on("Ann", "Cy", "Dee", newcomer="lowest")
    assert totals(second) == [5, 3, 9]
    amend(first, 1, {"type": "result", "points": [5, 4, 12]})
    assert totals(second) == [5, 12, 12]
    whole(first, second)


def test_a_correction_reaches_a_player_who_skipped_a_table(first):
    second = first.go_on("Ann", "Dee")
    third = second.go_on("Cy", "Dee")
    assert totals(third) == [3, 0]
    answer = amend(first, 1, tricks(5, 5, 2))
    assert [table["code"] for table in answer.json()["tables"]] == [third.code]
    assert (totals(second), totals(third)) == ([5, 0], [2, 0])


def test_penalties_at_a_continued_table_carry_over_too(first):
    second = first.go_on("Ann", "Bob", "Dee")
    event = {"type": "penalty", "seat": 1, "points": -3, "reason": "late"}
    tried = first.keeper.post(f"{first.url}events/?dry_run=1", event)
    assert tried.json()["tables"][0]["totals"] == [{"seat": 1, "before": 4, "after": 1}]
    assert totals(second) == [5, 4, 0]
    assert first.keeper.post(f"{first.url}events/", event).json()["tables"] == tried.json()["tables"]
    assert totals(second) == [5, 1, 0]
    whole(first, second)


def test_undo_at_a_continued_table_is_refused_with_a_hint(first):
    second = first.go_on("Ann", "Bob", "Dee")
    answer = first.keeper.post(f"{first.url}undo/")
    assert (answer.status_code, answer.json()["code"], answer.json()["continued_by"]) == (
        409,
        "already-continued",
        second.code,
    )
    assert second.keeper.post(f"{second.url}undo/").json()["code"] == "nothing-to-undo"


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_correction_does_not_reopen_a_continued_table(first, dry_run):
    first.go_on("Ann", "Bob", "Dee")
    answer = amend(first, 2, None, dry_run=dry_run)
    assert (answer.status_code, answer.json()["code"]) == (409, "already-continued")


def test_a_finished_table_stays_finished_when_continued(db):
    table = open_table(end={"kind": "score", "value": 5})
    table.record(tricks(5, 4, 3))
    second = table.go_on("Ann", "Bob", "Dee")
    assert amend(table, 1, tricks(4, 4, 4)).status_code == 201
    assert table.row.finished
    assert totals(second) == [4, 4, 0]


def test_a_correction_can_change_the_winner_or_the_end_of_a_later_table(db):
    table = open_table(end={"kind": "score", "value": 12})
    table.record(tricks(9, 2, 1))
    second = table.go_on("Ann", "Bob", "Dee")
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
    second = table.go_on("Ann", "Bob", "Dee")
    second.record(tricks(4, 4, 4), tricks(4, 4, 4))
    tried = amend(table, 1, tricks(10, 1, 1), dry_run=True).json()["tables"]
    assert (tried[0]["later"]["hand"], tried[0]["later"]["seq"]) == (2, 2)
    answer = amend(table, 1, tricks(10, 1, 1))
    assert (answer.status_code, answer.json()["code"]) == (409, "later-event-not-taken")
    assert (answer.json()["table"], answer.json()["later"]["hand"]) == (second.code, 2)
    assert (totals(table), totals(second)) == ([5, 4, 3], [13, 12, 8])


def test_a_retried_correction_gets_the_first_answer(first):
    second = first.go_on("Ann", "Bob", "Dee")
    second.record(tricks(2, 2, 8))
    body = {"seq": 1, "event": tricks(1, 8, 3)}
    key = {"Idempotency-Key": "7d6d7d7e-6a0b-4b5a-9d4c-0d5a5e7f9a11"}
    done = first.keeper.post(f"{first.url}amendments/", body, headers=key).json()
    amend(first, 3, tricks(0, 0, 12))
    again = first.keeper.post(f"{first.url}amendments/", body, headers=key).json()
    assert again["tables"] == done["tables"]
    assert second.row.carried == [0, 0, 0]


def test_a_correction_reaches_partners_who_joined_later(db):
    seats = ["Ann", "Bob", "Cy", "Dot"]
    table = open_table(seats=seats, options={"partners": True}, end={"kind": "open"})
    table.record({"type": "result", "tricks": [3, 2, 2, 2]})
    second = table.go_on("Ann", "Bob", "Eve", "Dot")
    assert totals(second) == [5, 4, 5, 4]
    amend(table, 1, {"type": "result", "tricks": [3, 1, 4, 1]})
    assert totals(second) == [7, 2, 7, 2]


def test_correcting_the_first_table_needs_no_link_to_the_second(first):
    second = first.go_on("Ann", "Bob", "Dee")
    second.keeper.patch(second.url, {"private": True})
    [changed] = amend(first, 1, tricks(1, 8, 3)).json()["tables"]
    assert changed["code"] is None
    assert totals(second) == [1, 8, 0]


def test_carried_totals_stay_when_the_earlier_table_is_deleted(first):
    second = first.go_on("Ann", "Bob", "Dee")
    third = second.go_on("Ann", "Cy", "Dee")
    assert second.keeper.delete(second.url).status_code == 204
    amend(first, 1, tricks(1, 8, 3))
    assert totals(third) == [5, 3, 0]
    whole(first, third)


def test_a_table_out_of_time_stays_over_when_continued(db, monkeypatch):
    table = open_table(end={"kind": "time", "value": 1})
    table.record(tricks(5, 4, 3))
    monkeypatch.setattr("scoring.tables.reads.state.time_is_up", lambda _row: True)
    second = table.go_on("Ann", "Bob", "Dee")
    assert table.row.finished
    assert amend(table, 1, tricks(1, 8, 3)).status_code == 201
    assert second.row.carried == [1, 8, 0]


def test_followers_of_a_later_table_are_notified(first, django_capture_on_commit_callbacks):
    second = first.go_on("Ann", "Bob", "Dee")
    words: list[str] = []

    def hear(word: str, **_more: object) -> None:
        words.append(word)

    notified.connect(hear)
    with django_capture_on_commit_callbacks(execute=True):
        amend(first, 1, tricks(1, 8, 3))
    notified.disconnect(hear)
    assert f"version {second.row.pk} 1" in words
