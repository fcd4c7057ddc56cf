"""Seasons: standings computed by hand, champions, several games, and a large club."""

import time
from collections import defaultdict
from datetime import date, timedelta
from fractions import Fraction
from itertools import combinations

import pytest

from scoring.groups.reads.seasons import Finish, place_points
from scoring.models import SeatScore
from tests.scoring.groups import END, copies, make_group, on, played, result, round_trip, scored

pytestmark = pytest.mark.django_db
MAY = date(2026, 5, 7)
PIT = {"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 1}


def begin(group, **values):
    answer = group.member.post(f"{group.url}seasons/", {"name": "Spring", "first": "2026-05-01"} | values)
    assert answer.status_code == 201, answer.json()
    return answer.json()


def standings(group, season):
    return group.member.get(season["links"]["self"]).json()


def by_hand(games):
    """Compute wins and places another way: opponent by opponent, game by game."""
    wins, places = defaultdict[str, Fraction](Fraction), defaultdict[str, Fraction](Fraction)
    for totals in games:
        first = [who for who, total in totals.items() if total == max(totals.values())]
        for who in totals:
            wins[who] += Fraction(who in first, len(first))
        for one, other in combinations(totals, 2):
            share = Fraction(100, len(totals) - 1)
            ahead = (totals[one] > totals[other]) - (totals[one] < totals[other])
            places[one] += share * Fraction(ahead + 1, 2)
            places[other] += share * Fraction(1 - ahead, 2)
    return wins, places


GAMES = [
    {"Ann": 5, "Bob": 4, "Cy": 3},
    {"Ann": 2, "Bob": 5, "Cy": 5},
    {"Ann": 1, "Bob": 3, "Cy": 8},
    {"Ann": 6, "Bob": 3, "Cy": 3},
]


@pytest.mark.parametrize("by", ["wins", "places"])
def test_the_champion_matches_a_calculation_by_hand(group, by):
    for week, totals in enumerate(GAMES):
        on(played(group, tuple(totals.values())), MAY + timedelta(weeks=week))
    on(played(group, (12, 0, 0)), date(2026, 7, 1))  # after the season
    told = standings(group, begin(group, last="2026-06-30", ranked_by=by))
    wins, places = by_hand(GAMES)
    assert (wins, places) == (
        {"Ann": 2, "Bob": Fraction(1, 2), "Cy": Fraction(3, 2)},
        {"Ann": 200, "Bob": 200, "Cy": 200},
    )
    assert {each["name"]: (each["wins"], each["places"]) for each in told["people"]} == {
        who: (float(wins[who]), float(places[who])) for who in wins
    }
    assert [each["name"] for each in told["people"]] == ["Ann", "Cy", "Bob"]
    assert (told["over"], told["champions"]) == (True, [group.people()["Ann"]])
    assert (told["tables"], len(told["days"])) == (4, 4)


def test_equal_wins_and_places_share_the_title(group):
    on(played(group, (6, 4, 2)), MAY)
    on(played(group, (4, 6, 2)), MAY)
    told = standings(group, begin(group, last="2026-05-31"))
    people = group.people()
    assert told["champions"] == [people["Ann"], people["Bob"]]
    assert [each["rank"] for each in told["people"]] == [1, 1, 3]


def test_there_is_no_champion_before_a_season_is_over(group):
    table = played(group, (6, 4, 2))
    season = begin(group, first=table.row.evening.isoformat())
    told = standings(group, season)
    assert (told["over"], told["champions"], told["people"][0]["name"]) == (False, [], "Ann")


def test_a_season_counted_in_evenings_ends_with_the_last_one(group):
    for week, tricks in enumerate([(6, 4, 2), (6, 4, 2), (1, 2, 9), (1, 2, 9), (1, 2, 9)]):
        on(played(group, tricks), MAY + timedelta(weeks=week))
    told = standings(group, begin(group, evenings=2))
    assert (len(told["days"]), told["over"]) == (2, True)
    assert told["champions"] == [group.people()["Ann"]]
    assert standings(group, begin(group, evenings=9))["over"] is False


def test_points_of_two_games_are_never_added(group):
    on(played(group, (6, 4, 2)), MAY)
    pit = group.open_table(**PIT)
    pit.record(scored(235, 345), END)
    on(pit, MAY)
    told = standings(group, begin(group, last="2026-05-31"))
    ann = next(each for each in told["people"] if each["name"] == "Ann")
    assert {each["game"]: each["points"] for each in ann["games"]} == {"ace-pit": 235, "ace-trump": 6}
    assert "points" not in ann
    statistics = group.read("statistics/")
    for told in (str(statistics), str(group.evening()), group.export("calendar")):
        assert "241" not in told.replace("2410", "")
    [everything] = [row for row in statistics["people"] if (row["name"], row["game"]) == ("Ann", None)]
    assert (everything["points"], everything["best_hand"], everything["hands"]) == (None, None, 2)


def test_a_continued_game_counts_once_in_a_season(group):
    first = group.open_table()
    first.record(result(12, 0, 0))
    first.go_on("Ann", "Bob", "Cy", "Dee").record(result(0, 2, 2, 5), END)
    told = standings(group, begin(group, first=first.row.evening.isoformat()))
    ann = told["people"][0]
    assert told["tables"] == 1
    assert (ann["name"], ann["tables"], ann["wins"], ann["places"], ann["longest_streak"]) == ("Ann", 1, 1, 100, 1)
    assert ann["games"] == [{"game": "ace-trump", "points": 12, "tables": 1}]
    there = {each["name"]: (each["wins"], each["places"], each["tables"]) for each in group.evening()["people"]}
    assert there["Ann"] == (1, 100, 1)
    assert round(there["Dee"][1]) == 67, "Dee, a guest, came second of four"


def test_a_season_counts_attendance_and_runs_of_wins(group):
    for week, tricks in enumerate([(6, 4, 2), (6, 4, 2), (2, 6, 4)]):
        on(played(group, tricks), MAY + timedelta(weeks=week))
    on(played(group, (5, 4, 3), seats=["Ann", "Bob", "Zoe"]), MAY + timedelta(weeks=3))
    told = standings(group, begin(group, last="2026-06-30"))
    own = {each["name"]: (each["evenings"], each["longest_streak"], each["streak"]) for each in told["people"]}
    assert own == {"Ann": (4, 2, 1), "Bob": (4, 1, 0), "Cy": (3, 0, 0)}
    met = {tuple(pair["people"]): pair["ahead"] for pair in told["pairs"]}
    people = group.people()
    assert met[people["Ann"], people["Bob"]] == [3, 1]


def test_a_season_is_changed_and_deleted(group):
    season = begin(group, last="2026-05-31")
    address = season["links"]["self"]
    changed = group.member.patch(address, {"name": "Early", "evenings": 3}).json()
    assert (changed["name"], changed["last"], changed["evenings"]) == ("Early", None, 3)
    assert group.member.patch(address, {"last": "2026-04-01"}).status_code == 422
    assert group.member.patch(address, {"first": "May"}).status_code == 422
    assert [each["name"] for each in group.read("seasons/")["seasons"]] == ["Early"]
    assert group.member.delete(address).status_code == 204
    assert group.member.get(address).status_code == 404


def test_seasons_round_trip_in_the_archive(group):
    begin(group, last="2026-05-31", ranked_by="places")
    group.member.patch(group.url, {"ranked_by": "places"})
    [season] = round_trip(group).read("seasons/")["seasons"]
    assert (season["name"], season["last"], season["ranked_by"]) == ("Spring", "2026-05-31", "places")


def test_the_season_of_a_club_of_forty_is_ready_within_a_second():
    group = make_group(*(f"P{number:02}" for number in range(40)), name="Club")
    seats = [[f"P{number:02}" for number in range(at, at + 4)] for at in range(0, 40, 4)]
    for names in seats:
        copies(played(group, (4, 3, 1, 1), seats=names), 39, each_evening=4)
    assert SeatScore.objects.count() == 1600
    season = begin(group, first="2024-01-01", last="2024-12-31")
    outside = 10  # the ten originals of the copies were played today
    started = time.perf_counter()
    told = standings(group, season)
    assert time.perf_counter() - started < 1
    assert (told["tables"], len(told["people"])) == (400 - outside, 40)


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ([1, 2, 3, 4], [100, Fraction(200, 3), Fraction(100, 3), 0]),
        ([1, 2], [100, 0]),
        ([1, 1, 3, 4], [Fraction(500, 6), Fraction(500, 6), Fraction(100, 3), 0]),
        ([1, 1, 1], [50, 50, 50]),
    ],
)
def test_a_place_earns_the_share_of_opponents_beaten(places, points):
    assert place_points([Finish(seat, seat, place) for seat, place in enumerate(places)]) == points
