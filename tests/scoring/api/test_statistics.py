"""groups/{code}/statistics/: every number compared with one computed from exported records."""

import os

import pytest

from scoring.groups.acts.people import merge_people
from scoring.groups.acts.scores import statistics_differences
from scoring.groups.reads.statistics import statistics_of
from scoring.tables.acts.exceptions import SatTogether
from scoring.tables.acts.keys import Caller
from tests.scoring.conftest import open_table
from tests.scoring.groups import END, bids, make_group, played, result, scored
from tests.scoring.statistics import CONTRACTS, NAMES, random_tables, recomputed
from tests.seeds import FIRST, as_often_as

pytestmark = pytest.mark.django_db
RESULT = result(6, 4, 2)


def told(group, **asked):
    return group.read("statistics/", **asked)


def numbers(group, person, game=None, **asked):
    rows = [row for row in told(group, **asked)["people"] if (row["name"], row["game"]) == (person, game)]
    return rows[0]


def test_a_finished_table_counts(group):
    table = group.open_table()
    table.record(RESULT, RESULT)
    assert told(group)["people"] == [], "the table is not over"
    table.record(END)
    ann = numbers(group, "Ann", "ace-trump")
    assert {key: ann[key] for key in ("tables", "wins", "hands", "points", "best_hand", "tricks", "bids")} == {
        "tables": 1, "wins": 1, "hands": 2, "points": 12, "best_hand": 6, "tricks": 12, "bids": None,
    }  # fmt: skip
    assert ann["rating"]["ordinal"] == pytest.approx(ann["rating"]["mu"] - 3 * ann["rating"]["sigma"])
    assert numbers(group, "Ann")["rating"] == ann["rating"]


def test_a_shared_win_is_split(group):
    played(group, (5, 5, 2))
    assert [numbers(group, name)["wins"] for name in ("Ann", "Bob", "Cy")] == [0.5, 0.5, 0]
    assert told(group)["records"]["closest_games"][0]["margin"] == 0


def test_a_full_tie_is_the_closest_game_and_an_empty_table_is_none(group):
    played(group)
    assert told(group)["records"]["closest_games"] == []
    tied = played(group, (4, 4, 4))
    assert told(group)["records"]["closest_games"] == [{"table": tied.code, "game": "ace-trump", "margin": 0}]


def test_every_game_has_a_closest_table(group):
    far = group.open_table(game="any-game")
    far.record(scored(90, 30, 20), END)
    near = played(group, (6, 4, 2))
    assert told(group)["records"]["closest_games"] == [
        {"table": near.code, "game": "ace-trump", "margin": 2},
        {"table": far.code, "game": "any-game", "margin": 60},
    ]


def test_revokes_are_counted_if_the_group_enables_it(group):
    played(group, (6, 4, 2))
    assert numbers(group, "Ann")["revokes"] is None
    group.member.patch(group.url, {"counts_revokes": True})
    assert numbers(group, "Ann")["revokes"] == 0


def test_pairs_streaks_and_records_are_counted(group):
    first, second = played(group, (6, 4, 2)), played(group, (7, 1, 4))
    people, shown = group.people(), told(group)
    pair = next(each for each in shown["pairs"] if each["people"] == [people["Bob"], people["Cy"]])
    assert (pair["tables"], pair["ahead"], pair["together"]) == (2, [1, 1], 0)
    assert {"person": people["Ann"], "now": 2, "best": 2} in shown["streaks"]
    assert shown["records"]["best_hands"] == [
        {"person": people["Ann"], "table": second.code, "game": "ace-trump", "hand": 1, "points": 7}
    ]
    assert shown["records"]["closest_games"] == [{"table": first.code, "game": "ace-trump", "margin": 2}]
    only = told(group, person=people["Bob"])
    assert {row["name"] for row in only["people"]} == {"Bob"}


def test_a_hand_without_tricks_counts_once(group):
    table = group.open_table(game="ace-pit", seats=["Ann", "Bob"], first_dealer=0)
    table.record(scored(130, 105), END)
    assert told(group)["untold"] == 1
    assert numbers(group, "Ann")["untold"] == 1


def test_a_merged_person_redirects_to_the_survivor(group):
    played(group, (6, 4, 2))
    made = group.add("Anny")
    group.merge("Anny", "Ann")
    assert {row["name"] for row in told(group, person=made)["people"]} == {"Ann"}


def test_statistics_can_be_filtered_by_game_and_evening(group):
    played(group, (6, 4, 2))
    assert told(group, game="ransom-trump")["people"] == []
    assert told(group, **{"from": "2999-01-01"})["people"] == []
    assert group.member.get(f"{group.url}statistics/", {"game": "x" * 41}).status_code == 400


def test_another_groups_table_and_a_deleted_one_do_not_count(group):
    played(make_group("Ann", "Bob", "Cy", name="Others"), (6, 4, 2))
    own = played(group, (6, 4, 2))
    assert numbers(group, "Ann")["tables"] == 1
    assert own.keeper.delete(own.url).status_code == 204
    assert told(group)["people"] == []


def test_forgetting_a_person_keeps_the_others_scores(group):
    played(group, (6, 4, 2))
    group.forget("Ann")
    shown = told(group)
    assert {row["name"] for row in shown["people"]} == {"Bob", "Cy"}
    assert shown["records"]["best_hands"][0]["person"] is None
    assert [*statistics_differences(group.row)] == []


def test_statistics_equal_those_of_the_exported_records():
    group = make_group(*NAMES)
    people = group.people()
    count = int(os.environ.get("TABLES", as_often_as(always=40, quick=20)))
    assert len([*random_tables(group.row, [*people.values()], seed=FIRST + 11, count=count)]) == count
    merged = next(name for name in NAMES if _may_merge(group, people[name], people["Ann"]))
    counts_as = {people[merged]: people["Ann"]}
    wanted = recomputed(group.row, counts_as)
    got = {(row.person, row.game): row for row in statistics_of(group.row).people}
    assert {key for key in wanted if key[1]} == {key for key in got if key[1]}
    for key, right in wanted.items():
        row = got[key]
        assert row.rating == pytest.approx(right["rating"]), key
        if key[1]:
            assert (row.tables, row.wins, row.hands, row.points, row.best_hand, row.tricks, row.revokes) == tuple(
                right[name] for name in ("tables", "wins", "hands", "points", "best_hand", "tricks", "revokes")
            )
            if key[1] != CONTRACTS:
                assert row.bids == (None if right["bids"] is None else tuple(right["bids"].values()))


@pytest.fixture
def went_on(group):
    """Ann 5, Bob 4, Cy 3; then Dee replaces Cy, and Bob wins with 4 + 8."""
    first = group.open_table()
    first.record(result(5, 4, 3))
    second = first.go_on("Ann", "Bob", "Dee")
    second.record(result(1, 8, 3), END)
    return first, second


def test_continued_tables_count_as_one_game(group, went_on):
    _first, second = went_on
    ann, bob, cy = (numbers(group, name, "ace-trump") for name in ("Ann", "Bob", "Cy"))
    assert [(each["tables"], each["wins"], each["hands"], each["points"]) for each in (ann, bob, cy)] == [
        (1, 0, 2, 6), (1, 1, 2, 12), (0, 0, 1, 3),
    ]  # fmt: skip
    assert cy["rating"] is None
    assert bob["rating"]["mu"] > ann["rating"]["mu"]
    shown = told(group)
    assert [(pair["tables"], pair["ahead"]) for pair in shown["pairs"]] == [(1, [0, 1])]
    assert {each["person"]: each["best"] for each in shown["streaks"]} == {ann["person"]: 0, bob["person"]: 1}
    assert shown["records"]["closest_games"] == [{"table": second.code, "game": "ace-trump", "margin": 6}]
    assert [*statistics_differences(group.row)] == []


def test_a_continued_table_has_no_winner(group, went_on):
    first, second = went_on
    tables = {each["code"]: each["winners"] for each in group.read("tables/")["tables"]}
    assert tables == {first.code: [], second.code: [1]}
    season = {each["name"]: each["tables"] for each in told(group, by="evening")["people"]}
    assert season == {"Ann": 1, "Bob": 1, "Cy": 0}
    lines = group.export("history").splitlines()
    assert [line.split(",")[8:10] for line in lines[1:4]] == [["", ""]] * 3
    text = group.export("text")
    assert "Bob  1 of 1 won, 2 hands" in text, "points of several games would be added"
    assert "Cy   1 hand" in text
    assert "Ace Trump (goes on): Ann 5, Bob 4, Cy 3" in text
    assert first.keeper.get(f"{first.url}record/?as=bgstats").status_code == 404


def test_a_table_is_its_own_game_again_once_the_next_one_is_deleted(group, went_on):
    second = went_on[1]
    second.keeper.delete(second.url)
    assert (numbers(group, "Ann")["wins"], numbers(group, "Cy")["tables"]) == (1, 1)
    assert [*statistics_differences(group.row)] == []


def test_ending_a_continued_table_without_a_hand_counts_the_earlier_ones(group):
    first = group.open_table()
    first.record(RESULT)
    second = first.go_on("Ann", "Bob", "Cy")
    second.record(END)
    assert told(group)["records"]["closest_games"] == [{"table": second.code, "game": "ace-trump", "margin": 2}]
    assert (numbers(group, "Ann")["wins"], numbers(group, "Ann")["hands"]) == (1, 1)


def test_correcting_the_first_table_can_change_who_won_the_game(group, went_on):
    first, _second = went_on
    amendment = {"seq": 1, "event": result(12, 0, 0)}
    assert first.keeper.post(f"{first.url}amendments/", amendment).status_code == 201
    assert (numbers(group, "Ann")["wins"], numbers(group, "Bob")["wins"]) == (1, 0)
    assert [*statistics_differences(group.row)] == []


def test_a_loser_is_not_rated_above_joint_winners(group):
    """PlackettLuce rated the third above two who had tied for first place."""
    group.add("Dee")
    four = group.open_table(game="wildcat-chicane", seats=["Ann", "Bob", "Cy", "Dee"])
    for seat, points in enumerate((40, 40, 30, 28)):
        four.record({"type": "penalty", "seat": seat, "points": points, "reason": "as it stands"})
    four.record(END)
    rated = {
        name: numbers(group, name, game="wildcat-chicane")["rating"]["ordinal"] for name in ("Ann", "Bob", "Cy", "Dee")
    }
    assert rated["Ann"] == rated["Bob"] > rated["Cy"] > rated["Dee"]


def test_unrecorded_tricks_are_unknown_not_zero(group):
    table = group.open_table(game="american-deuce", seats=["Ann", "Bob", "Cy", "Dot"])
    table.record({"type": "result", "cards_left": [0, 5, 3, 4]}, END)
    assert numbers(group, "Ann", game="american-deuce")["tricks"] is None
    (hand,) = table.keeper.get(table.url).json()["state"]["hands"]
    assert hand["tricks_won"] == [None] * 4
    assert [line.split(",")[11] for line in group.export("history").splitlines()[1:]] == [""] * 4
    assert group.export("statistics").splitlines()[1].split(",")[7] == ""


def _may_merge(group, person, into):
    """Merge two people who never sat together, if there are any."""
    if person == into:
        return False
    try:
        merge_people(group.code, person, into, Caller())
    except SatTogether:
        return False
    return True


def test_ratings_over_time_end_with_the_current_ones(group):
    for _ in range(3):
        played(group, (6, 4, 2))
    shown = told(group, part="ratings")
    assert [moment["tables"] for moment in shown["moments"]] == [1, 2, 3]
    assert [each["name"] for each in shown["people"]] == ["Ann", "Bob", "Cy"]
    assert shown["moments"][-1]["ratings"][0] == numbers(group, "Ann")["rating"]
    few = told(group, part="ratings", moments=2, game="ace-trump")
    assert [moment["tables"] for moment in few["moments"]] == [1, 3]
    assert few["tables"] == 3
    ann = told(group, part="ratings", person=group.people()["Ann"])
    assert [each["name"] for each in ann["people"]] == ["Ann"]
    assert ann["moments"][-1]["ratings"] == [numbers(group, "Ann")["rating"]]


def test_a_player_without_games_has_the_initial_rating(group):
    played(group, (6, 4, 2))
    group.add("Dan")
    played(group, (6, 4, 2), seats=["Dan", "Bob", "Cy"])
    shown = told(group, part="ratings")
    place = [each["name"] for each in shown["people"]].index("Dan")
    assert shown["moments"][0]["ratings"][place]["ordinal"] == 0


def test_points_per_hand_and_made_bids_are_counted(group):
    group.open_table(options={"bidding": True}).record(*bids(6, 4, 3), RESULT, END)
    shown = told(group, part="hands", game="ace-trump")
    assert sum(each["hands"] for each in shown["scores"]) == 3
    assert shown["bids"] == [
        {"bid": 3, "won": 2, "hands": 1}, {"bid": 4, "won": 4, "hands": 1}, {"bid": 6, "won": 6, "hands": 1},
    ]  # fmt: skip
    own = told(group, part="hands", game="ace-trump", person=group.people()["Cy"])
    assert own["bids"] == [{"bid": 3, "won": 2, "hands": 1}]
    assert numbers(group, "Cy")["bids"] == {"made": 0, "over": 0, "under": 1}


def test_head_to_head_lists_games_from_the_first_persons_view(group):
    people = group.people()
    played(group, (6, 4, 2))
    played(group, (2, 4, 6))
    played(group, (6, 4, 2), seats=["Ann", "Cy", "Zoe"])
    shown = told(group, part="pair", person=people["Cy"], **{"with": people["Ann"]})
    assert shown["names"] == ["Cy", "Ann"]
    alike = {"tables": 3, "ahead": [1, 2], "together": 0, "wins": 0}
    assert shown["games"] == [{"game": None} | alike, {"game": "ace-trump"} | alike]
    none = told(group, part="pair", person=people["Cy"], **{"with": people["Ann"]}, game="ransom-trump")
    assert none["games"] == []
    for one, other in ((people["Ann"], people["Ann"]), (people["Ann"], 999999)):
        wrong = group.member.get(f"{group.url}statistics/?part=pair&person={one}&with={other}")
        assert (wrong.status_code, wrong.json()["errors"][0]["parameter"]) == (400, "with")


@pytest.mark.parametrize(
    ("asked", "wrong"),
    [
        ("part=pair", {"person", "with"}), ("part=pair&person={ann}", {"with"}), ("part=hands&moments=3", {"moments"}),
        ("moments=3", {"moments"}), ("with={ann}", {"with"}), ("by=evening&person={ann}", {"person"}),
        ("by=evening&part=hands", {"part"}), ("part=streaks", {"part"}), ("by=week", {"by"}),
    ],
)  # fmt: skip
def test_a_meaningless_filter_is_refused(group, asked, wrong):
    told = group.member.get(f"{group.url}statistics/?{asked.format(ann=group.people()['Ann'])}")
    assert (told.status_code, told.json()["code"]) == (400, "bad-query")
    assert {each["parameter"] for each in told.json()["errors"]} == wrong


def test_an_adopted_table_counts_for_its_players(group):
    loose = open_table(seats=["Bob", "Ann", "Zoe"])
    loose.record(RESULT, END)
    people = group.people()
    answer = group.adopt(loose, [people["Bob"], people["Ann"], None])
    assert answer.status_code in (200, 201), answer.json()
    assert (numbers(group, "Bob", "ace-trump")["points"], numbers(group, "Bob")["wins"]) == (6, 1)
    assert numbers(group, "Ann", "ace-trump")["points"] == 4
    assert {row["name"] for row in told(group)["people"]} == {"Ann", "Bob"}
    assert told(group, part="pair", person=people["Ann"], **{"with": people["Bob"]})["games"][0]["ahead"] == [0, 1]
    assert not [*statistics_differences(group.row)]
