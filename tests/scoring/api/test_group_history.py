"""groups/{code}/tables/, evenings/ and season/: what a group has played, for whoever has a link to it."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from scoring.models import SeatScore, Table
from scoring.queries.results import results_of
from tests.scoring.conftest import holder
from tests.scoring.evenings import copies, on, played, result
from tests.scoring.groups import make_group

pytestmark = pytest.mark.django_db

MAY, JUNE = date(2026, 5, 7), date(2026, 6, 4)
PIT = {"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 1}
PIT_HAND = {"type": "result", "points": [235, 345]}


@pytest.fixture
def group():
    return make_group()


def codes(answer):
    return [table["code"] for table in answer.json()["tables"]]


def test_it_works(group):
    table = on(played(group, (5, 4, 3), (1, 2, 9)), MAY)
    people = group.people()
    [told] = group.member.get(f"{group.url}tables/").json()["tables"]
    assert (told["code"], told["game"], told["evening"]) == (table.code, "ace-trump", "2026-05-07")
    assert (told["points"], told["totals"], told["winners"]) == ([6, 6, 12], [6, 6, 12], [2])
    assert told["people"] == [people["Ann"], people["Bob"], people["Cy"]]
    assert (told["finished"], told["points_hidden"], told["next"]) == (True, False, None)
    assert group.member.get(told["links"]["self"]).json()["state"]["totals"] == told["totals"]


def test_a_viewer_reads_all_and_a_stranger_nothing(group):
    played(group, (5, 4, 3), private=True)
    viewer, stranger = holder(group.link("viewer")), holder(make_group(name="Others").token)
    for part in ("tables", "evenings", "season"):
        assert viewer.get(f"{group.url}{part}/").json() == group.member.get(f"{group.url}{part}/").json()
        assert stranger.get(f"{group.url}{part}/").status_code == 404
        assert APIClient().get(f"{group.url}{part}/").status_code == 401
    assert len(viewer.get(f"{group.url}tables/").json()["tables"]) == 1


def test_tables_come_in_pages_that_leave_nothing_out(group):
    first = on(played(group, (5, 4, 3)), JUNE)
    copies(first, 6)
    # Two that were opened in the very same moment.
    moment = Table.objects.earliest("created").created
    Table.objects.filter(pk__in=Table.objects.order_by("created").values("pk")[:3]).update(created=moment)
    seen, address = [], f"{group.url}tables/?limit=2"
    while address:
        answer = group.member.get(address).json()
        seen += [table["code"] for table in answer["tables"]]
        address = answer["next"]
    assert seen == list(Table.objects.order_by("-created", "-pk").values_list("code", flat=True))


@pytest.mark.parametrize("query", ["cursor=5", "cursor=x-1", "cursor=9-9-9", "from=May", "state=lost", "limit=0"])
def test_what_cannot_be_read_is_refused(group, query):
    assert group.member.get(f"{group.url}tables/?{query}").status_code == 400


def test_tables_are_found_by_game_day_state_and_person(group):
    people = group.people()
    may = on(played(group, (5, 4, 3)), MAY)
    june = on(played(group, **PIT), JUNE)
    running = on(group.open_table(seats=["Ann", "Zoe", "Cy"]), JUNE, 22)

    def found(**query):
        return codes(group.member.get(f"{group.url}tables/", query))

    assert found(game="ace-trump") == [running.code, may.code]
    assert found(to=str(MAY)) == [may.code]
    assert found(**{"from": str(JUNE)}) == [running.code, june.code]
    assert found(state="running") == [running.code]
    assert found(state="finished", game="ace-trump") == [may.code]
    assert found(person=people["Bob"]) == [june.code, may.code]


def test_whoever_is_merged_is_found_too(group):
    robert = group.member.post(f"{group.url}people/", {"name": "Robert"}).json()["id"]
    as_robert = played(group, (5, 4, 3), seats=["Ann", "Robert", "Cy"])
    as_bob = played(group, (1, 10, 1))
    bob = group.people()["Bob"]
    query = f"{group.url}tables/?person={bob}"
    assert codes(group.member.get(query)) == [as_bob.code]
    group.member.post(f"{group.url}people/{robert}/merge/", {"into": bob})
    assert codes(group.member.get(query)) == [as_bob.code, as_robert.code]
    assert bob in group.member.get(query).json()["tables"][1]["people"]
    ranking = {each["name"]: each["points"] for each in group.member.get(f"{group.url}season/").json()["people"]}
    assert ranking == {"Ann": 6, "Bob": 14, "Cy": 4}


def test_words_are_found_in_notes_and_nowhere_else(group):
    table = group.open_table()
    table.record({"type": "note", "text": "Cy spilt the Ölkanne over a “note”"})
    other = group.open_table()
    other.record({"type": "note", "text": "Taken back"})
    other.undo()
    search = f"{group.url}tables/?q="
    assert codes(group.member.get(f"{search}ölkanne+SPILT")) == [table.code]
    for words in ("spilt+wine", "taken", "type", "text"):
        assert codes(group.member.get(f"{search}{words}")) == []


def test_a_game_over_by_the_clock_is_over(group):
    table = group.open_table(end={"kind": "time", "value": 1})
    table.record(result(5, 4, 3))
    assert codes(group.member.get(f"{group.url}tables/?state=running")) == [table.code]
    table.row.log.update(at=table.row.created - timedelta(hours=1))
    assert codes(group.member.get(f"{group.url}tables/?state=running")) == []
    assert codes(group.member.get(f"{group.url}tables/?state=finished")) == [table.code]
    assert [each["points"] for each in group.member.get(f"{group.url}season/").json()["people"]] == [5, 4, 3]


def test_reading_writes_nothing(group):
    timed = group.open_table(end={"kind": "time", "value": 1})
    timed.record(result(5, 4, 3))
    timed.row.log.update(at=timed.row.created - timedelta(hours=1))
    played(group, (5, 4, 3))
    running = group.open_table()
    running.record(result(1, 2, 9))
    with CaptureQueriesContext(connection) as statements:
        for part in ("tables/", "tables/?state=finished", "evenings/", "season/"):
            assert group.member.get(f"{group.url}{part}").status_code == 200
    assert all(each["sql"].startswith("SELECT") for each in statements)


def test_whose_time_is_up_counts_once_the_next_table_is_opened(group, django_capture_on_commit_callbacks):
    timed = group.open_table(end={"kind": "time", "value": 1})
    timed.record(result(5, 4, 3))
    timed.row.log.update(at=timed.row.created - timedelta(hours=1))
    season = group.member.get(f"{group.url}season/").json()
    assert not SeatScore.objects.filter(finished_at__isnull=False).exists()
    with django_capture_on_commit_callbacks(execute=True):
        group.open_table()
    assert SeatScore.objects.filter(table=timed.row, finished_at__isnull=False).count() == 3
    assert group.member.get(f"{group.url}season/").json() == season


def test_a_correction_is_counted_at_once(group):
    table = played(group, (5, 4, 3))
    season = f"{group.url}season/"
    assert group.member.get(season).json()["people"][0]["points"] == 5
    table.undo()
    assert group.member.get(season).json()["people"] == []
    table.undo()
    table.record(result(2, 4, 6), {"type": "end"})
    assert [each["name"] for each in group.member.get(season).json()["people"]] == ["Cy", "Bob", "Ann"]
    kept = list(SeatScore.objects.order_by("seat").values_list("total", flat=True))
    assert list(results_of([table.row])[table.row.pk].points or ()) == kept == [2, 4, 6]
    SeatScore.objects.all().delete()
    assert list(results_of([table.row])[table.row.pk].points or ()) == [2, 4, 6]


def test_points_follow_people_through_an_evening_and_count_once(group):
    first = group.open_table()
    first.record(result(5, 4, 3), result(2, 8, 2))
    after = holder(first.token).post(f"/api/v1/tables/{first.code}/continue/", {"seats": ["Cy", "Ann", "Dee"]}).json()
    second = Table.objects.get(code=after["code"])
    holder(after["token"]).post(f"/api/v1/tables/{second.code}/events/", result(1, 1, 10))
    [evening] = group.member.get(f"{group.url}evenings/").json()["evenings"]
    points = {each["name"]: (each["rank"], each["points"], each["tables"]) for each in evening["people"]}
    assert points == {"Bob": (1, 12, 1), "Dee": (2, 10, 1), "Ann": (3, 8, 1), "Cy": (4, 6, 1)}
    bob, dee = (next(each for each in evening["people"] if each["name"] == name) for name in ("Bob", "Dee"))
    assert bob["left"] is not None
    assert (bob["plays"], dee["plays"], dee["left"], dee["person"]) == (False, True, None, None)
    assert evening["out"] == [group.people()["Bob"]]
    assert [table["next"] for table in evening["tables"]] == [second.code, None]
    assert (evening["tables"][1]["previous"], evening["tables"][1]["totals"]) == (first.code, [6, 8, 10])
    assert dee["came"] == evening["tables"][1]["created"] > evening["tables"][0]["created"]


def test_evenings_come_in_pages_the_last_one_first(group):
    copies(on(played(group, (5, 4, 3)), JUNE), 5, each_evening=2)
    first = group.member.get(f"{group.url}evenings/?limit=2").json()
    assert [evening["date"] for evening in first["evenings"]] == ["2026-06-04", "2024-01-18"]
    rest = group.member.get(first["next"]).json()
    assert [(evening["date"], len(evening["tables"])) for evening in rest["evenings"]] == [
        ("2024-01-11", 2),
        ("2024-01-04", 2),
    ]
    assert rest["next"] is None
    only = group.member.get(f"{group.url}evenings/?from=2024-01-05&to=2024-01-12").json()
    assert [evening["date"] for evening in only["evenings"]] == ["2024-01-11"]


def test_a_season_goes_from_one_evening_to_another(group):
    on(played(group, (5, 4, 3)), MAY)
    on(played(group, (0, 1, 11)), JUNE)
    season = group.member.get(f"{group.url}season/?to=2026-05-31").json()["people"]
    assert [(each["rank"], each["name"], each["points"]) for each in season] == [
        (1, "Ann", 5),
        (2, "Bob", 4),
        (3, "Cy", 3),
    ]
    whole = group.member.get(f"{group.url}season/").json()["people"]
    assert whole[0]["games"] == [{"game": "ace-trump", "points": 14, "tables": 2}]
    assert group.member.get(f"{group.url}season/?game=ransom-trump").json()["people"] == []


@pytest.mark.parametrize("part", ["tables/?limit=100", "tables/?state=finished&limit=100", "evenings/", "season/"])
def test_many_tables_take_as_many_statements_as_few(group, part):
    def asked():
        group.member.get(f"{group.url}{part}")  # results are worked out once
        with CaptureQueriesContext(connection) as statements:
            group.member.get(f"{group.url}{part}")
        return len(statements)

    table = played(group, (5, 4, 3))
    copies(table, 4)
    few = asked()
    copies(table, 45)
    assert asked() == few


def test_hidden_points_stay_hidden_even_at_the_table_before(group):
    first = group.open_table(**PIT, options={"totals": "hidden"})
    first.record(PIT_HAND)
    seats = {"seats": ["Bob", "Ann"]}
    after = holder(first.token).post(f"/api/v1/tables/{first.code}/continue/", seats).json()
    tables = group.member.get(f"{group.url}tables/").json()["tables"]
    assert [(each["points"], each["totals"], each["points_hidden"]) for each in tables] == [(None, None, True)] * 2
    [evening] = group.member.get(f"{group.url}evenings/").json()["evenings"]
    assert evening["points_hidden"] is True
    assert [each["points"] for each in evening["people"]] == [0, 0]
    assert group.member.get(f"{group.url}season/").json()["people"] == []
    holder(after["token"]).post(f"/api/v1/tables/{after['code']}/events/", {"type": "end"})
    told = group.member.get(f"{group.url}tables/").json()["tables"]
    assert [(each["points"], each["totals"]) for each in told] == [([0, 0], [345, 235]), ([235, 345], [235, 345])]
    season = group.member.get(f"{group.url}season/").json()["people"]
    assert [(each["name"], each["points"]) for each in season] == [("Bob", 345), ("Ann", 235)]
