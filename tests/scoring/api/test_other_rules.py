"""Precedents, and tables and seasons under other house rules."""

import pytest

from scoring.models import Precedent
from tests.scoring.api.test_rulings import BEFORE, PROOF
from tests.scoring.api.test_secrets_of_hands import FIRST, PIT, SECOND, leaks
from tests.scoring.conftest import OpenTable, holder, open_table, play, refusal
from tests.scoring.groups import brought, make_group

# --- groups/{code}/precedents/: a group's permanent decisions

VOID = {"question": "Who deals after a void hand?", "decision": "The same dealer."}
EARLY = {"question": "Ties?", "decision": "Early Bird.", "game": "ace-trump", "option": "ties", "value": "early"}


def post(group, **body):
    return group.member.post(f"{group.url}precedents/", body)


def rule(table, text, *clauses):
    """Rule on the table's first dispute."""
    ruling = {"act": "rule", "status": "upheld", "text": text, "clauses": clauses}
    assert table.keeper.post(f"{table.url}disputes/1/acts/", ruling).status_code == 201


def listed(group):
    return group.member.get(f"{group.url}precedents/").json()["precedents"]


def test_a_group_can_set_and_change_a_house_rule(group):
    answer = post(group, **VOID)
    assert answer.status_code == 201, answer.json()
    (made,) = listed(group)
    assert (made["question"], made["decision"], made["game"], made["dispute"]) == (*VOID.values(), None, None)
    own = f"{group.url}precedents/{made['id']}/"
    changed = group.member.patch(own, {"decision": "The next one."}).json()
    assert (changed["decision"], changed["since"] > made["since"]) == ("The next one.", True)
    assert group.member.delete(own).status_code == 204
    assert listed(group) == []
    assert group.member.delete(own).json()["code"] == "no-such-precedent"


def test_a_ruling_becomes_the_groups_rule_by_its_number(group):
    table = group.open_table()
    dispute = {"table": table.code, "number": 1}
    table.keeper.post(f"{table.url}disputes/", {"claim": "The Excuse was led!"})
    assert post(group, dispute=dispute).status_code == 422, "nobody has decided it yet"
    rule(table, "Then the next suit counts.", "AT-Q10")
    made = post(group, dispute=dispute).json()
    assert (made["question"], made["decision"]) == (
        "What if the Excuse is your last card?",
        "Then the next suit counts.",
    )
    assert (made["game"], made["clause"], made["dispute"]) == ("ace-trump", "AT-Q10", dispute)
    assert post(make_group(name="Friday"), dispute=dispute).status_code == 422


def test_a_groups_house_rules_apply_to_the_next_table(group):
    post(group, **EARLY)
    assert group.open_table().row.options["ties"] == "early"
    assert group.open_table(options={"ties": "late"}).row.options["ties"] == "late"
    post(group, **EARLY | {"option": "hook", "value": True})
    assert group.open_table().row.options["hook"] is False, "the hook goes only with bidding"
    assert group.open_table(options={"bidding": True}).row.options["hook"] is True


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"decision": " "}, "bad-value"),
        ({"question": ""}, "bad-value"),
        ({"game": "poker"}, "unknown-game"),
        ({"clause": "AT-999"}, "bad-value"),
        ({"option": "no_such"}, "unknown-option"),
        ({"value": "never"}, "bad-option"),
        ({"option": "", "value": "early"}, "bad-value"),
    ],
)
def test_impossible_values_are_refused(group, changes, code):
    answer = post(group, **EARLY | changes)
    assert answer.status_code == 422, answer.json()
    assert answer.json()["errors"][0]["code"] == code
    assert not Precedent.objects.exists()


@pytest.mark.parametrize(
    "changes", [{"facts": []}, {"value": [1]}, {"dispute": {"table": "X"}}, {"facts": {"seat": {}}}]
)
def test_an_invalid_shape_is_malformed(group, changes):
    assert post(group, **EARLY | changes).status_code == 400


def test_decisions_survive_an_archive_round_trip(group):
    table = group.open_table()
    table.keeper.post(f"{table.url}disputes/", {"claim": "Out of turn"})
    rule(table, "Take it back.")
    post(group, dispute={"table": table.code, "number": 1})
    post(group, **EARLY | {"facts": {"seat": 1}, "code": "revoke"})
    text = group.archive()
    again = brought(text)
    assert again.archive() == text
    assert [each["question"] for each in listed(again)] == ["Ties?", "Out of turn"]


# --- GET tables/{code}/what-if/: a table under other house rules

CROWNS = (play(0, "8MS"), play(1, "XS"), play(2, "XM"))
REST = {"type": "result", "tricks": [4, 4, 4]}
END = {"type": "end"}


def path(table: OpenTable) -> str:
    return f"{table.url}what-if/"


def test_a_table_is_judged_under_other_rules(table, stranger):
    table.record(*CROWNS, play(2, "9LK"))
    answer = stranger.get(path(table), {"ties": "early"}).json()
    (hand,) = answer["hands"]
    assert hand["tricks"][0]["change"]["text"] == "With Early Bird, trick 1 goes to Bob, not to Cy."
    assert answer["totals"] == {"then": [0, 0, 1], "now": [0, 1, 0]}
    assert table.row.version == 4, "Looking changes nothing."


def test_a_what_if_accepts_every_kind_of_option(stranger):
    table = open_table(game="ace-pit", seats=["Ann", "Bob"], first_dealer=0)
    answer = stranger.get(path(table), {"fork_spoon": "false", "ace_lead": "60", "free_pairs": "true"}).json()
    changed = {each["key"]: each["now"] for each in answer["changed"]}
    assert changed == {"fork_spoon": False, "ace_lead": 60, "free_pairs": True}


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("ties=highest", 422, "bad-option"),
        ("colour=red", 400, "unknown-parameter"),
        ("ace_lead=60", 422, "unknown-option"),
        ("excuse=maybe", 400, "wrong-type"),
        ("ties=early&ties=late", 400, "duplicate-key"),
        ("partners=true", 422, "option-conflict"),
    ],
)
def test_an_impossible_option_is_refused(table, stranger, query, status, code):
    assert refusal(stranger.get(f"{path(table)}?{query}")) == (status, code)


@pytest.mark.parametrize("option", ["ace_lead=60", "totals=open", "fork_spoon=false"])
def test_hidden_points_stay_hidden(db, stranger, option):
    table = open_table(**PIT, end={"kind": "hands", "value": 2})
    table.record(*FIRST, *SECOND)
    for caller in (stranger, table.keeper):
        answer = caller.get(f"{path(table)}?{option}").json()
        assert answer["points_hidden"]
        assert answer["totals"] == {"then": [None, None], "now": [None, None]}
        assert leaks(answer) == []
        assert [each["now"]["winner"] for each in answer["hands"][1]["tricks"]] == [0, 0]


def test_findings_held_until_the_end_of_the_hand_stay_hidden(db, stranger):
    table = open_table()
    table.record(*BEFORE, PROOF)

    def found() -> list[str]:
        answer = stranger.get(path(table), {"ties": "early"}).json()
        return [each["code"] for each in answer["hands"][0]["irregularities"]]

    assert found() == []
    table.record({"type": "result", "tricks": [4, 5, 3]})
    assert found() == ["revoke"]


def test_a_secret_choice_stays_secret(db, stranger):
    table = open_table(game="wildcat-chicane")
    ann = holder(table.link("player", 0))
    sealed = {"type": "ruling-card", "seat": 0, "cards": ["XM"], "sealed": True}
    assert ann.post(f"{table.url}events/", sealed).status_code == 201
    answers = [caller.get(path(table), {"hook": "true"}) for caller in (stranger, table.keeper)]
    assert [(answer.status_code, "XM" in answer.content.decode()) for answer in answers] == [(200, False)] * 2


def test_a_what_if_at_a_table_that_ran_out_of_time_names_its_winner(db, stranger, monkeypatch):
    table = open_table(end={"kind": "time", "value": 5})
    table.record(*CROWNS, {"type": "result", "tricks": [3, 4, 5]})
    monkeypatch.setattr("scoring.rulings.reads.what_if.time_is_up", lambda row: True)
    answer = stranger.get(path(table), {"ties": "early"}).json()
    assert answer["winners"] == {"then": [2], "now": [1]}
    assert answer["finished"] == {"then": True, "now": True}


# --- groups/{code}/what-if/: a season under other house rules


@pytest.fixture
def winter(group):
    for _ in range(3):
        group.open_table(options={"ties": "late"}).record(*CROWNS, REST, END)
    group.open_table().record(*CROWNS)
    return group


def asked(group, **query):
    return group.member.get(f"{group.url}what-if/", query_params={"game": "ace-trump"} | query)


def test_a_season_is_judged_under_other_rules(winter):
    told = asked(winter, ties="early").json()
    assert (told["progress"], told["next"]) == ({"done": 3, "of": 3}, None)
    assert [table["tricks"] for table in told["tables"]] == [1, 1, 1]
    assert told["tables"][0]["totals"] == {"then": [4, 4, 4], "now": [4, 5, 3]}
    bob, ann, cy = told["people"]
    assert [each["name"] for each in (bob, ann, cy)] == ["Bob", "Ann", "Cy"], "who gains most is first"
    assert (bob["points"], bob["wins"]) == ({"then": 12, "now": 15}, {"then": 3, "now": 3})
    assert cy["wins"] == {"then": 3, "now": 0}


def test_a_season_what_if_is_paged_without_gaps(winter):
    first = asked(winter, ties="early", limit="2").json()
    assert (len(first["tables"]), first["progress"]) == (2, {"done": 2, "of": 3})
    second = winter.member.get(first["next"]).json()
    assert (len(second["tables"]), second["next"]) == (1, None)
    long_ago = {"from": "2001-01-01", "to": "2001-12-31"}
    assert asked(winter, ties="early", **long_ago).json()["progress"]["of"] == 0


def test_each_table_of_a_season_reads_the_same_alone(winter):
    for table in asked(winter, ties="early").json()["tables"]:
        alone = winter.member.get(table["link"], query_params={"ties": "early"}).json()
        assert alone["totals"] == table["totals"]


def test_a_table_that_cannot_be_judged_under_other_rules_gives_the_reason(winter):
    told = asked(winter, bidding="true").json()
    assert told["tables"][0]["totals"]["now"] is None
    assert told["tables"][0]["why"]
    assert told["people"][0]["points"]["then"] == told["people"][0]["points"]["now"]


def test_a_season_what_if_hides_hidden_points(group):
    group.open_table(**PIT).record(*FIRST)
    assert asked(group, game="ace-pit", ace_lead="60").json()["tables"] == []


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"game": "poker"}, "unknown-game"),
        ({"no_such": "1"}, "unknown-parameter"),
        ({"ace_lead": "60"}, "unknown-option"),
    ],
)
def test_invalid_questions_are_refused(group, query, code):
    assert asked(group, **query).json()["errors"][0]["code"] == code


def test_tables_recorded_by_results_are_named_and_count_unchanged(group):
    group.open_table().record(REST, {**REST, "tricks": [2, 4, 6]}, END)
    told = asked(group, ties="early").json()
    [table] = told["tables"]
    assert (table["tricks"], table["unknown"], table["totals"]["now"], table["why"]) == (None, 2, None, None)
    assert told["people"][0]["points"]["then"] == told["people"][0]["points"]["now"]
    alone = group.member.get(table["link"], query_params={"ties": "early"}).json()
    assert [(hand["judged"], hand["unknown"]["code"]) for hand in alone["hands"]] == [(False, "known-by-result")] * 2


def test_partly_known_hands_are_counted(winter):
    [table, *_others] = asked(winter, ties="early").json()["tables"]
    assert (table["tricks"], table["unknown"]) == (1, 1)


def test_a_continued_game_counts_once_under_other_rules(group):
    """Under Early Bird Bob has 5 instead of 4 points after the first table, and wins the game at the second."""
    first = group.open_table(options={"ties": "late"})
    first.record(*CROWNS, REST)
    second = first.go_on("Ann", "Bob", "Cy")
    second.record({**REST, "tricks": [3, 4, 5]}, END)
    told = asked(group, ties="early").json()
    assert [table["totals"]["now"] for table in told["tables"]] == [[4, 5, 3], None]
    alone = group.member.get(f"{second.url}what-if/?ties=early").json()
    assert (alone["totals"], alone["winners"]) == (
        {"then": [7, 8, 9], "now": [7, 9, 8]}, {"then": [2], "now": [1]},
    )  # fmt: skip
    assert {each["name"]: each["tables"] for each in told["people"]} == {"Ann": 1, "Bob": 1, "Cy": 1}
