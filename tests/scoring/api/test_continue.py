"""Continuing a table, and games continued over several tables."""

from typing import Any

import pytest

from scoring.operating.reads import differences
from scoring.tables.acts.holding import notified
from tests.scoring.conftest import OpenTable, open_table, play
from tests.scoring.groups import END, result, scored

pytestmark = pytest.mark.django_db
OPEN_END = {"kind": "open"}


def up_to(points):
    """Return the end of a game that is over at this score."""
    return {"kind": "score", "value": points}


def after(*events, **changes):
    """Open a table, and record these events."""
    table = open_table(**changes)
    table.record(*events)
    return table


@pytest.fixture
def table():
    """A table of three with a house rule, after one hand dealt by Cy."""
    return after(result(5, 4, 3), options={"ties": "early"}, end=up_to(50))


@pytest.fixture
def url(table):
    return f"{table.url}continue/"


def test_staying_players_keep_their_points(ann, eve, table, url):
    answer = ann.post(url, {"seats": ["Ann", "Cy", "Dee"], "from": [0, 2, None]})
    assert answer.status_code == 201, answer.json()
    told = answer.json()
    assert (told["seats"], told["carried"], told["previous"]) == (["Ann", "Cy", "Dee"], [5, 3, 0], table.code)
    assert (told["state"]["options"]["ties"], told["state"]["end"]["value"]) == ("early", 50)
    assert told["state"]["totals"] == [5, 3, 0]
    assert told["token"]
    before = eve.get(table.url).json()
    assert (before["continued_by"], before["state"]["finished"]) == (told["code"], True)
    assert table.row.log.last().event == END


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
    told = ann.post(url, body).json()
    assert (told["carried"], told["first_dealer"]) == (carried, dealer)


def test_players_cannot_join_or_leave_during_a_hand(ann, table, url):
    table.record(play(1, "8MS"))
    answer = ann.post(url, {"seats": ["Ann", "Bob"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "hand-running")


def test_a_table_can_be_continued_only_once(ann, url):
    assert ann.post(url, {"seats": ["Ann", "Bob"]}).status_code == 201
    answer = ann.post(url, {"seats": ["Ann", "Bob"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "already-continued")


@pytest.mark.parametrize("events", [[END], [play(1, "8MS"), {"type": "redeal"}]], ids=["after the end", "redealt"])
def test_whose_deal_it_was_still_deals_at_the_next_table(ann, table, url, events):
    table.record(*events)
    assert ann.post(url, {"seats": ["Ann", "Bob"]}).json()["first_dealer"] == 0
    assert [row.event for row in table.row.log.all()].count(END) == 1


def test_no_points_are_carried_before_the_first_deal():
    table = open_table()
    following = table.go_on("Ann", "Bob", "Cy", "Di").row
    assert (following.carried, following.first_dealer) == ([0, 0, 0, 0], 2)
    assert table.row.finished


def test_a_private_table_continues_at_a_private_one(ann, table, url):
    ann.patch(table.url, {"private": True})
    assert ann.post(url, {"seats": ["Ann", "Bob"]}).json()["private"]


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
        ({"seats": ["Ann"]}, 422, "/seats"),
    ],
)
def test_invalid_requests_are_refused_with_a_pointer(ann, table, url, body, status, pointer):
    answer = ann.post(url, body)
    assert answer.status_code == status
    assert answer.json()["errors"][0]["pointer"] == pointer
    assert table.row.version == 1


def test_a_stale_client_gets_412(ann, url):
    assert ann.post(url, {"seats": ["Ann", "Bob"]}, HTTP_IF_MATCH='"0"').status_code == 412


PAIRS = {"seats": ["Ann", "Bob", "Cy", "Dot"], "options": {"partners": True}, "end": OPEN_END}


def test_players_with_different_totals_cannot_become_partners():
    table = open_table(**PAIRS, carried=[7, 3, 7, 3])
    answer = table.keeper.post(f"{table.url}continue/", {"seats": ["Ann", "Cy", "Bob", "Dot"]})
    assert answer.status_code == 422
    assert "are partners and start from one total" in str(answer.json())


# --- A game continued over several tables: its totals follow corrections at any of them


def amend(table: OpenTable, seq: int, event: object, *, dry_run: bool = False, **more: Any) -> Any:
    path = "amendments/?dry_run=1" if dry_run else "amendments/"
    return table.keeper.post(f"{table.url}{path}", {"seq": seq, "event": event, **more})


def totals(table: OpenTable) -> list[int]:
    state = table.keeper.get(table.url).json()["state"]
    return list(state["totals"])


def whole(*tables: OpenTable) -> None:
    """Check that the stored tables match their logs."""
    assert [differences(table.row) for table in tables] == [[]] * len(tables)


@pytest.fixture
def first():
    """Ace Trump: Ann 5, Bob 4, Cy 3."""
    return after(result(5, 4, 3), end=OPEN_END)


@pytest.fixture
def second(first):
    """The next table: Dee replaces Cy."""
    return first.go_on("Ann", "Bob", "Dee")


def test_a_correction_reaches_the_next_table(first, second):
    second.record(result(2, 2, 8))
    assert totals(second) == [7, 6, 8]
    answer = amend(first, 1, result(1, 8, 3))
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


def test_a_dry_run_reports_later_changes_and_makes_none(first, second):
    version = second.row.version
    answer = amend(first, 1, result(1, 8, 3), dry_run=True)
    assert answer.status_code == 200
    assert [table["code"] for table in answer.json()["tables"]] == [second.code]
    assert (totals(second), second.row.version) == ([5, 4, 0], version)


def test_a_correction_is_logged_at_the_later_table(first, second):
    second.record(result(2, 2, 8))
    amend(first, 1, result(1, 8, 3), reason="miscounted")
    assert second.row.version == 2
    row = second.keeper.get(f"{second.url}events/").json()["events"][-1]
    assert (row["event"], row["reason"]) == (None, "miscounted")
    assert row["hidden"] == {"carried": {"before": [5, 4, 0], "after": [1, 8, 0]}}


def test_a_correction_follows_a_returning_player_over_three_tables(first):
    """Cy skips the second table and returns with the points of the first; Dee starts with the lowest."""
    second = first.go_on("Ann", "Bob", "Dee", newcomer="lowest")
    second.record(result(1, 1, 10))
    third = second.go_on("Ann", "Cy", "Dee")
    third.record(result(4, 4, 4))
    assert (totals(second), totals(third)) == ([6, 5, 13], [10, 7, 17])
    amend(first, 1, result(4, 2, 6))
    assert third.row.carried == [5, 6, 12]
    assert (totals(second), totals(third)) == ([5, 3, 12], [9, 10, 16])
    amend(first, 3, result(6, 6, 0))
    assert (totals(second), totals(third)) == ([7, 7, 10], [11, 4, 14])
    amend(second, 1, result(12, 0, 0))
    assert (totals(second), totals(third)) == ([18, 6, 0], [22, 4, 4])
    whole(first, second, third)


def test_a_newcomer_starts_with_the_highest_total_if_the_lowest_wins():
    first = after(scored(5, 9, 3), game="any-game", title="Golf", options={"wins": "lowest"}, end=OPEN_END)
    second = first.go_on("Ann", "Cy", "Dee", newcomer="lowest")
    assert totals(second) == [5, 3, 9]
    amend(first, 1, scored(5, 4, 12))
    assert totals(second) == [5, 12, 12]
    whole(first, second)


def test_a_correction_reaches_a_player_who_skipped_a_table(first):
    second = first.go_on("Ann", "Dee")
    third = second.go_on("Cy", "Dee")
    assert totals(third) == [3, 0]
    answer = amend(first, 1, result(5, 5, 2))
    assert [table["code"] for table in answer.json()["tables"]] == [third.code]
    assert (totals(second), totals(third)) == ([5, 0], [2, 0])


def test_penalties_at_a_continued_table_carry_over_too(first, second):
    event = {"type": "penalty", "seat": 1, "points": -3, "reason": "late"}
    tried = first.keeper.post(f"{first.url}events/?dry_run=1", event)
    assert tried.json()["tables"][0]["totals"] == [{"seat": 1, "before": 4, "after": 1}]
    assert totals(second) == [5, 4, 0]
    assert first.keeper.post(f"{first.url}events/", event).json()["tables"] == tried.json()["tables"]
    assert totals(second) == [5, 1, 0]
    whole(first, second)


def test_undo_at_a_continued_table_is_refused_with_a_hint(first, second):
    answer = first.keeper.post(f"{first.url}undo/")
    assert answer.status_code == 409
    assert (answer.json()["code"], answer.json()["continued_by"]) == ("already-continued", second.code)
    assert second.keeper.post(f"{second.url}undo/").json()["code"] == "nothing-to-undo"


@pytest.mark.usefixtures("second")
@pytest.mark.parametrize("dry_run", [False, True])
def test_a_correction_does_not_reopen_a_continued_table(first, dry_run):
    answer = amend(first, 2, None, dry_run=dry_run)
    assert (answer.status_code, answer.json()["code"]) == (409, "already-continued")


def test_a_finished_table_stays_finished_when_continued():
    table = after(result(5, 4, 3), end=up_to(5))
    second = table.go_on("Ann", "Bob", "Dee")
    assert amend(table, 1, result(4, 4, 4)).status_code == 201
    assert table.row.finished
    assert totals(second) == [4, 4, 0]


def test_a_correction_can_change_the_winner_or_the_end_of_a_later_table():
    table = after(result(9, 2, 1), end=up_to(12))
    second = table.go_on("Ann", "Bob", "Dee")
    second.record(result(4, 4, 4))
    assert second.row.finished
    [changed] = amend(table, 1, result(2, 9, 1), dry_run=True).json()["tables"]
    assert changed["winners"] == {"before": [0], "after": [1]}
    [changed] = amend(table, 1, result(4, 4, 4)).json()["tables"]
    assert changed["winners"] == {"before": [0], "after": []}
    assert not second.row.finished
    whole(table, second)


def test_a_misfit_at_a_later_table_is_named_and_nothing_changes():
    """With 12 points carried, the game would have ended after the first hand of the second table."""
    table = after(result(5, 4, 3), end=up_to(12))
    second = table.go_on("Ann", "Bob", "Dee")
    second.record(result(4, 4, 4), result(4, 4, 4))
    tried = amend(table, 1, result(10, 1, 1), dry_run=True).json()["tables"]
    assert (tried[0]["later"]["hand"], tried[0]["later"]["seq"]) == (2, 2)
    answer = amend(table, 1, result(10, 1, 1))
    assert (answer.status_code, answer.json()["code"]) == (409, "later-event-not-taken")
    assert (answer.json()["table"], answer.json()["later"]["hand"]) == (second.code, 2)
    assert (totals(table), totals(second)) == ([5, 4, 3], [13, 12, 8])


def test_a_retried_correction_gets_the_first_answer(first, second):
    second.record(result(2, 2, 8))
    body = {"seq": 1, "event": result(1, 8, 3)}
    key = {"Idempotency-Key": "7d6d7d7e-6a0b-4b5a-9d4c-0d5a5e7f9a11"}
    done = first.keeper.post(f"{first.url}amendments/", body, headers=key).json()
    amend(first, 3, result(0, 0, 12))
    again = first.keeper.post(f"{first.url}amendments/", body, headers=key).json()
    assert again["tables"] == done["tables"]
    assert second.row.carried == [0, 0, 0]


def test_a_correction_reaches_partners_who_joined_later():
    table = after(result(3, 2, 2, 2), **PAIRS)
    second = table.go_on("Ann", "Bob", "Eve", "Dot")
    assert totals(second) == [5, 4, 5, 4]
    amend(table, 1, result(3, 1, 4, 1))
    assert totals(second) == [7, 2, 7, 2]


def test_correcting_the_first_table_needs_no_link_to_the_second(first, second):
    second.keeper.patch(second.url, {"private": True})
    [changed] = amend(first, 1, result(1, 8, 3)).json()["tables"]
    assert changed["code"] is None
    assert totals(second) == [1, 8, 0]


def test_carried_totals_stay_when_the_earlier_table_is_deleted(first, second):
    third = second.go_on("Ann", "Cy", "Dee")
    assert second.keeper.delete(second.url).status_code == 204
    amend(first, 1, result(1, 8, 3))
    assert totals(third) == [5, 3, 0]
    whole(first, third)


def test_a_table_out_of_time_stays_over_when_continued(monkeypatch):
    table = after(result(5, 4, 3), end={"kind": "time", "value": 1})
    monkeypatch.setattr("scoring.tables.reads.state.time_is_up", lambda _row: True)
    second = table.go_on("Ann", "Bob", "Dee")
    assert table.row.finished
    assert amend(table, 1, result(1, 8, 3)).status_code == 201
    assert second.row.carried == [1, 8, 0]


def test_followers_of_a_later_table_are_notified(first, django_capture_on_commit_callbacks):
    second = first.go_on("Ann", "Bob", "Dee")
    words: list[str] = []

    def hear(word: str, **_more: object) -> None:
        words.append(word)

    notified.connect(hear)
    with django_capture_on_commit_callbacks(execute=True):
        amend(first, 1, result(1, 8, 3))
    notified.disconnect(hear)
    assert f"version {second.row.pk} 1" in words
