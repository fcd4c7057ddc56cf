"""groups/{code}/what-if/: a season as it lay under other house rules."""

import pytest

from tests.scoring.conftest import OpenTable, holder, play
from tests.scoring.groups import make_group

CROWNS = [play(0, "8MS"), play(1, "XS"), play(2, "XM")]
REST = {"type": "result", "tricks": [4, 4, 4]}
END = {"type": "end"}


@pytest.fixture
def group(db):
    group = make_group()
    for _ in range(3):
        group.open_table(options={"ties": "late"}).record(*CROWNS, REST, END)
    group.open_table().record(*CROWNS)
    return group


def asked(group, **query):
    return group.member.get(f"{group.url}what-if/", query_params={"game": "ace-trump"} | query)


def test_it_works(group):
    answer = asked(group, ties="early")
    assert answer.status_code == 200, answer.json()
    told = answer.json()
    assert (told["progress"], told["next"]) == ({"done": 3, "of": 3}, None)
    assert [table["tricks"] for table in told["tables"]] == [1, 1, 1]
    assert told["tables"][0]["totals"] == {"then": [4, 4, 4], "now": [4, 5, 3]}
    by_name = {each["name"]: each for each in told["people"]}
    assert by_name["Bob"]["points"] == {"then": 12, "now": 15}
    assert by_name["Bob"]["wins"] == {"then": 3, "now": 3}
    assert by_name["Cy"]["wins"] == {"then": 3, "now": 0}


def test_it_comes_in_parts_that_follow_one_another(group):
    first = asked(group, ties="early", limit="2").json()
    assert (len(first["tables"]), first["progress"]) == (2, {"done": 2, "of": 3})
    second = group.member.get(first["next"]).json()
    assert (len(second["tables"]), second["next"]) == (1, None)
    assert asked(group, ties="early", **{"from": "2001-01-01", "to": "2001-12-31"}).json()["progress"]["of"] == 0


def test_each_table_says_what_it_says_by_itself(group):
    for table in asked(group, ties="early").json()["tables"]:
        alone = group.member.get(table["link"], query_params={"ties": "early"}).json()
        assert alone["totals"] == table["totals"]


def test_a_table_that_nobody_can_judge_so_says_why(group):
    told = asked(group, bidding="true").json()
    assert told["tables"][0]["totals"]["now"] is None
    assert told["tables"][0]["why"]
    assert told["people"][0]["points"]["then"] == told["people"][0]["points"]["now"]


def test_hidden_points_stay_hidden(db):
    group = make_group()
    pit = {"type": "result", "points": [70, 70]}
    hidden = group.open_table(game="ace-pit", seats=["Ann", "Bob"], first_dealer=0, options={"totals": "hidden"})
    hidden.record(pit)
    told = asked(group, game="ace-pit", ace_lead="60").json()
    assert told["tables"] == []


def test_what_cannot_be_asked_is_refused(group, stranger):
    assert asked(group, game="whist").json()["errors"][0]["code"] == "unknown-game"
    assert asked(group, no_such="1").json()["errors"][0]["code"] == "unknown-parameter"
    assert asked(group, game="ace-trump", ace_lead="60").json()["errors"][0]["code"] == "unknown-option"
    assert group.member.get(f"{group.url}what-if/?game=ace-trump&ties=early&ties=late").status_code == 400
    assert stranger.get(f"{group.url}what-if/").status_code == 401


def test_tables_known_by_their_results_are_named_and_count_as_they_were(db):
    group = make_group()
    group.open_table().record(REST, {**REST, "tricks": [2, 4, 6]}, END)
    told = asked(group, ties="early").json()
    [table] = told["tables"]
    assert (table["tricks"], table["unknown"], table["totals"]["now"], table["why"]) == (None, 2, None, None)
    assert told["people"][0]["points"]["then"] == told["people"][0]["points"]["now"]


def test_hands_of_which_some_cards_are_known_are_counted(group):
    [table, *_others] = asked(group, ties="early").json()["tables"]
    assert (table["tricks"], table["unknown"]) == (1, 1)


def test_a_game_that_went_on_is_one_also_by_other_rules(db):
    """By Early Bird Bob has 5 instead of 4 after the first table, and wins the game with them at the second."""
    group = make_group()
    first = group.open_table(options={"ties": "late"})
    first.record(*CROWNS, REST)
    keeper = holder(first.token)
    after = keeper.post(f"/api/v1/tables/{first.code}/continue/", {"seats": ["Ann", "Bob", "Cy"]}).json()
    OpenTable(after["code"], after["token"]).record({**REST, "tricks": [3, 4, 5]}, END)
    told = asked(group, ties="early").json()
    assert [table["totals"]["now"] for table in told["tables"]] == [[4, 5, 3], None]
    alone = group.member.get(f"/api/v1/tables/{after['code']}/what-if/?ties=early").json()
    assert (alone["totals"], alone["winners"]) == (
        {"then": [7, 8, 9], "now": [7, 9, 8]}, {"then": [2], "now": [1]},
    )  # fmt: skip
    assert {each["name"]: each["tables"] for each in told["people"]} == {"Ann": 1, "Bob": 1, "Cy": 1}
