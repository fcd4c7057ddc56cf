"""Groups in the API, and their history."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from scoring.groups.acts.group_access import make_recovery_code, recover_group
from scoring.models import Group, GroupLink, SeatScore, Table
from scoring.operating.acts.operating import close
from scoring.tables.acts.keys import Caller
from scoring.tables.reads.access import token_hash
from scoring.tables.reads.results import results_of
from tests.scoring.api.test_links import opens
from tests.scoring.conftest import ACE_TRUMP, AS_ONE, OpenTable, holder, open_table, play
from tests.scoring.groups import END, Thursday, copies, on, played, result, scored

# --- groups/, and the rights of members and viewers

pytestmark = pytest.mark.django_db


def test_a_group_is_created():
    answer = APIClient().post("/api/v1/groups/", {"name": "Thursday", "people": ["Ann", "Bob"]})
    assert answer.status_code == 201
    made = answer.json()
    assert (made["name"], made["role"], made["version"]) == ("Thursday", "member", 0)
    assert [person["name"] for person in made["people"]] == ["Ann", "Bob"]
    read = holder(made["token"]).get(made["links"]["self"])
    assert read.json() == {key: value for key, value in made.items() if key != "token"}
    assert GroupLink.objects.get().token_hash == token_hash(made["token"])


@pytest.mark.parametrize(
    ("body", "status", "pointer"),
    [
        ({}, 400, "/name"),
        ({"name": "  "}, 422, "/name"),
        ({"name": 3}, 400, "/name"),
        ({"name": "T", "people": "Ann"}, 400, "/people"),
        ({"name": "T", "people": ["Ann", "ann "]}, 422, "/people/1"),
        ({"name": "T", "people": [""]}, 422, "/people/0"),
    ],
)
def test_an_invalid_group_is_refused_with_a_pointer(body, status, pointer):
    answer = APIClient().post("/api/v1/groups/", body)
    assert answer.status_code == status
    assert [problem["pointer"] for problem in answer.json()["errors"]] == [pointer]
    assert not Group.objects.exists()


def test_a_wrong_token_cannot_tell_a_group_from_none(group):
    wrong, nobody = (holder("x").get(url, headers=AS_ONE) for url in (group.url, "/api/v1/groups/ABCDEFGH/"))
    assert (wrong.status_code, nobody.status_code) == (404, 404)
    assert wrong.json() == nobody.json()


def test_a_link_has_a_name_and_can_be_revoked_alone(group):
    made = group.member.post(f"{group.url}links/", {"role": "member", "name": "Bob’s phone"}).json()
    assert made["url"] == f"http://testserver/g/{group.code}/#{made['token']}"
    bob = holder(made["token"])
    assert bob.get(group.url).status_code == 200
    assert group.member.patch(f"{group.url}links/{made['id']}/", {"name": "Bob"}).json()["name"] == "Bob"
    group.turn_off("Bob")
    assert bob.get(group.url).status_code == 404


def test_a_change_requires_the_latest_version(group):
    seen = {"If-Match": '"0"'}
    assert group.member.patch(group.url, {"name": "Friday"}, headers=seen).status_code == 200
    late = group.member.patch(group.url, {"name": "Monday"}, headers=seen)
    assert (late.status_code, group.row.name) == (412, "Friday")


def test_a_groups_table_knows_who_sits_where(group):
    people = group.people()
    table = group.open_table(people=[people["Cy"], None, people["Ann"]])
    told = group.member.get(table.url).json()
    assert (told["group"], told["people"]) == (group.code, [people["Cy"], None, people["Ann"]])
    by_name = group.open_table(seats=["bob", "Zoe", "Ann"])
    assert group.member.get(by_name.url).json()["people"] == [people["Bob"], None, people["Ann"]]


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"people": [1]}, "/people"),
        ({"people": ["Ann", "Ann", None]}, "/people"),
        ({"people": [0, None, None]}, "/people/0"),
        ({"group": "ABCDEFGH"}, "/group"),
    ],
)
def test_a_table_with_unknown_people_is_refused(group, changes, pointer):
    people = [group.people().get(person, person) for person in changes.get("people", [])]
    answer = group.member.post("/api/v1/tables/", ACE_TRUMP | changes | ({"people": people} if people else {}))
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == pointer
    assert not Table.objects.exists()


def test_a_group_survives_a_lost_phone(group):
    table = group.open_table(private=True)
    bob = holder(group.link("member", "Bob’s phone"))
    assert bob.post(f"{table.url}events/", play(0, "AM")).status_code == 201
    row = bob.get(f"{table.url}events/").json()["events"][0]
    assert row["who"] == {"role": "scorekeeper", "seat": None, "name": "Bob’s phone"}


def test_a_viewer_sees_private_tables_until_the_link_is_revoked(group):
    table, viewer = group.open_table(private=True), holder(group.link("viewer", "TV"))
    assert viewer.get(table.url).status_code == 200
    group.turn_off("TV")
    assert viewer.get(table.url).status_code == 404


def kept_by(phone, group):
    """Give a phone of the group every right a member's link brings at its tables; return them with its tokens."""
    opened, adopted = phone.open_table(), open_table()
    assert phone.adopt(adopted).status_code == 200
    return [OpenTable(group.open_table().code, phone.token), opened, opened.go_on("Bob", "Ann", "Cy"), adopted]


def linked(table, role, seat=None):
    """Make a link with a table's token; return the answer, and the table with the new token."""
    made = table.keeper.post(f"{table.url}links/", {"role": role, "seat": seat}).json()
    return made, OpenTable(table.code, made["token"])


def note_at(table):
    return table.keeper.post(f"{table.url}events/", {"type": "note", "text": "Still here."}).status_code


def call_at(table):
    return table.keeper.post(f"{table.url}disputes/", {"claim": "Ann looked!"}).status_code


@pytest.mark.parametrize("way", ["cancel", "recover", "close"])
def test_revoking_a_phone_ends_its_rights_at_the_groups_tables(group, way):
    own, elsewhere = group.open_table(), open_table()
    tables = kept_by(Thursday(group.code, group.link("member", "Bob’s phone")), group)
    tables += [linked(table, "scorekeeper")[1] for table in tables]
    players = [linked(table, "player", 1)[1] for table in tables]
    readers = [linked(table, "reader")[0] for table in tables]
    assert [note_at(table) for table in tables] == [201] * len(tables)
    assert [call_at(table) for table in players] == [201] * len(players)
    assert all(map(opens, readers))
    if way == "cancel":
        group.turn_off("Bob’s phone")
    elif way == "recover":
        recover_group(make_recovery_code(group.code, Caller(by="Ann")), {}, cancel_older=True)
    else:
        close(group.row)
    assert note_at(own) == (201 if way == "cancel" else 401), "another phone's rights"
    assert note_at(elsewhere) == 201
    assert [note_at(table) for table in tables] == [401] * len(tables)
    assert [table.keeper.post(f"{table.url}undo/").status_code for table in tables] == [401] * len(tables)
    assert [call_at(table) for table in players] == [401] * len(players)
    assert not any(map(opens, readers))


def test_another_phone_can_replace_one_that_was_turned_off(group):
    table = group.open_table()
    bob = holder(group.link("member", "Bob’s phone"))
    group.turn_off("")
    assert note_at(table) == 401, "Nobody keeps this score now."
    assert bob.post(f"{table.url}events/", {"type": "note", "text": "Mine now."}).status_code == 201


def test_a_continued_table_stays_in_the_group_with_its_people(group):
    people, following = group.people(), group.open_table().go_on("Bob", "Ann", "Dee")
    told = group.member.get(following.url).json()
    assert (told["group"], told["people"]) == (group.code, [people["Bob"], people["Ann"], None])


def test_deleting_a_group_deletes_its_tables(group):
    group.open_table()
    assert group.member.delete(group.url).status_code == 204
    assert group.member.get(group.url).status_code == 404
    assert not Group.objects.exists()
    assert not Table.objects.exists()


# --- groups/{code}/tables/, evenings/ and statistics/?by=evening: a group's history

MAY, JUNE = date(2026, 5, 7), date(2026, 6, 4)
PIT = {"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 1}


def found(group, **query):
    """Return the codes of the tables that a query finds."""
    return [table["code"] for table in group.read("tables/", **query)["tables"]]


def season_of(group, **query):
    return group.read("statistics/", by="evening", **query)["people"]


def test_a_table_is_listed_with_people_points_and_winners(group):
    table = on(played(group, (5, 4, 3), (1, 2, 9)), MAY)
    people = group.people()
    [told] = group.read("tables/")["tables"]
    assert (told["code"], told["game"], told["evening"]) == (table.code, "ace-trump", "2026-05-07")
    assert (told["points"], told["totals"], told["winners"]) == ([6, 6, 12], [6, 6, 12], [2])
    assert told["people"] == [people["Ann"], people["Bob"], people["Cy"]]
    assert (told["finished"], told["points_hidden"], told["continued_by"]) == (True, False, None)
    assert group.member.get(told["links"]["self"]).json()["state"]["totals"] == told["totals"]


def test_a_viewer_can_read_what_a_member_can(group):
    played(group, (5, 4, 3), private=True)
    viewer = holder(group.link("viewer"))
    for part in ("tables", "evenings", "statistics"):
        assert viewer.get(f"{group.url}{part}/").json() == group.read(f"{part}/")
    assert len(viewer.get(f"{group.url}tables/").json()["tables"]) == 1
    assert viewer.get(f"{group.url}archive/?as=history").content.count(b"\n") == 4


def test_tables_are_paged_without_gaps(group):
    first = on(played(group, (5, 4, 3)), JUNE)
    copies(first, 6)
    # Two that were opened at the same moment.
    moment = Table.objects.earliest("created").created
    Table.objects.filter(pk__in=Table.objects.order_by("created").values("pk")[:3]).update(created=moment)
    seen, address = [], f"{group.url}tables/?limit=2"
    while address:
        answer = group.member.get(address).json()
        seen += [table["code"] for table in answer["tables"]]
        address = answer["next"]
    assert seen == list(Table.objects.order_by("-created", "-pk").values_list("code", flat=True))


def test_tables_are_found_by_game_date_state_and_person(group):
    people = group.people()
    may = on(played(group, (5, 4, 3)), MAY)
    june = on(played(group, **PIT), JUNE)
    running = on(group.open_table(seats=["Ann", "Zoe", "Cy"]), JUNE, 22)

    assert found(group, game="ace-trump") == [running.code, may.code]
    assert found(group, to=str(MAY)) == [may.code]
    assert found(group, **{"from": str(JUNE)}) == [running.code, june.code]
    assert found(group, status="running") == [running.code]
    assert found(group, status="finished", game="ace-trump") == [may.code]
    assert found(group, person=people["Bob"]) == [june.code, may.code]


def test_merged_people_are_found_too(group):
    group.add("Robert")
    as_robert = played(group, (5, 4, 3), seats=["Ann", "Robert", "Cy"])
    as_bob = played(group, (1, 10, 1))
    bob = group.people()["Bob"]
    assert found(group, person=bob) == [as_bob.code]
    group.merge("Robert", "Bob")
    assert found(group, person=bob) == [as_bob.code, as_robert.code]
    assert bob in group.read("tables/", person=bob)["tables"][1]["people"]
    ranking = {each["name"]: each["games"][0]["points"] for each in season_of(group)}
    assert ranking == {"Ann": 6, "Bob": 14, "Cy": 4}


def test_a_text_search_covers_notes_only(group):
    table = group.open_table()
    table.record({"type": "note", "text": "Cy spilt the Ölkanne over a “note”"})
    other = group.open_table()
    other.record({"type": "note", "text": "Taken back"})
    other.undo()
    assert found(group, q="ölkanne SPILT") == [table.code]
    for words in ("spilt wine", "taken", "type", "text"):
        assert found(group, q=words) == []


@pytest.fixture
def timed(group):
    """A table of the group with a game of one minute and one hand."""
    table = group.open_table(end={"kind": "time", "value": 1})
    table.record(result(5, 4, 3))
    return table


def expire(table):
    table.row.log.update(at=table.row.created - timedelta(hours=1))


def test_a_game_that_ran_out_of_time_is_over(group, timed):
    assert found(group, status="running") == [timed.code]
    expire(timed)
    assert found(group, status="running") == []
    assert found(group, status="finished") == [timed.code]
    assert [each["games"][0]["points"] for each in season_of(group)] == [5, 4, 3]


def test_reading_writes_nothing(group, timed):
    expire(timed)
    played(group, (5, 4, 3))
    group.open_table().record(result(1, 2, 9))
    with CaptureQueriesContext(connection) as statements:
        for part in ("tables/", "tables/?status=finished", "evenings/", "statistics/?by=evening"):
            group.read(part)
    assert all(each["sql"].startswith("SELECT") for each in statements)


def test_an_expired_table_counts_once_the_next_one_opens(group, timed, django_capture_on_commit_callbacks):
    expire(timed)
    season = season_of(group)
    assert not SeatScore.objects.filter(finished_at__isnull=False).exists()
    with django_capture_on_commit_callbacks(execute=True):
        group.open_table()
    assert SeatScore.objects.filter(table=timed.row, finished_at__isnull=False).count() == 3
    counted = season_of(group)
    assert [{**each, "streak": 0, "longest_streak": 0} for each in counted] == season
    assert counted[0]["longest_streak"] == 1


def test_a_correction_is_counted_at_once(group):
    table = played(group, (5, 4, 3))
    assert season_of(group)[0]["games"][0]["points"] == 5
    table.undo()
    assert season_of(group) == []
    table.undo()
    table.record(result(2, 4, 6), END)
    assert [each["name"] for each in season_of(group)] == ["Cy", "Bob", "Ann"]
    kept = list(SeatScore.objects.order_by("seat").values_list("total", flat=True))
    assert list(results_of([table.row])[table.row.pk].points or ()) == kept == [2, 4, 6]
    SeatScore.objects.all().delete()
    assert list(results_of([table.row])[table.row.pk].points or ()) == [2, 4, 6]


def test_points_carried_through_an_evening_count_once(group):
    first = group.open_table()
    first.record(result(5, 4, 3), result(2, 8, 2))
    second = first.go_on("Cy", "Ann", "Dee")
    second.record(result(1, 1, 10))
    evening = group.evening()
    points = {each["name"]: (each["rank"], each["points"], each["tables"]) for each in evening["people"]}
    assert points == {
        name: (1, [{"game": "ace-trump", "points": made}], 1)
        for name, made in {"Bob": 12, "Dee": 10, "Ann": 8, "Cy": 6}.items()
    }
    bob, dee = (next(each for each in evening["people"] if each["name"] == name) for name in ("Bob", "Dee"))
    assert bob["left"] is not None
    assert (bob["plays"], dee["plays"], dee["left"], dee["person"]) == (False, True, None, None)
    assert evening["out"] == [group.people()["Bob"]]
    assert [table["continued_by"] for table in evening["tables"]] == [second.code, None]
    assert (evening["tables"][1]["previous"], evening["tables"][1]["totals"]) == (first.code, [6, 8, 10])
    assert dee["came"] == evening["tables"][1]["created"] > evening["tables"][0]["created"]


def test_evenings_are_paged_latest_first(group):
    copies(on(played(group, (5, 4, 3)), JUNE), 5, each_evening=2)
    first = group.read("evenings/", limit=2)
    assert [evening["date"] for evening in first["evenings"]] == ["2026-06-04", "2024-01-18"]
    rest = group.member.get(first["next"]).json()
    assert [(evening["date"], len(evening["tables"])) for evening in rest["evenings"]] == [
        ("2024-01-11", 2),
        ("2024-01-04", 2),
    ]
    assert rest["next"] is None
    only = group.read("evenings/?from=2024-01-05&to=2024-01-12")
    assert [evening["date"] for evening in only["evenings"]] == ["2024-01-11"]


def test_a_page_has_at_most_a_month_of_evenings(group):
    copies(on(played(group, (5, 4, 3)), JUNE), 34, each_evening=1)
    first = group.read("evenings/", limit=500)
    rest = group.member.get(first["next"]).json()
    assert (len(first["evenings"]), len(rest["evenings"]), rest["next"]) == (30, 5, None)


def test_a_season_runs_from_one_evening_to_another(group):
    on(played(group, (5, 4, 3)), MAY)
    on(played(group, (0, 1, 11)), JUNE)
    season = season_of(group, to="2026-05-31")
    assert [(each["rank"], each["name"], each["wins"], each["places"]) for each in season] == [
        (1, "Ann", 1, 100),
        (2, "Bob", 0, 50),
        (3, "Cy", 0, 0),
    ]
    whole = season_of(group)
    assert [(each["rank"], each["name"], each["places"]) for each in whole] == [
        (1, "Ann", 100),
        (1, "Cy", 100),
        (3, "Bob", 100),
    ]
    assert whole[1]["games"] == [{"game": "ace-trump", "points": 14, "tables": 2}]
    assert season_of(group, game="ransom-trump") == []


@pytest.mark.parametrize(
    "path",
    [
        "tables/?limit=100", "tables/?status=finished&limit=100", "evenings/", "statistics/", "statistics/?by=evening",
        "statistics/?part=ratings", "statistics/?part=hands", "statistics/?part=pair&person={Ann}&with={Bob}",
        "archive/?as=history", "archive/?as=statistics", "archive/?as=text", "archive/?as=calendar",
    ],
)  # fmt: skip
def test_query_count_does_not_grow_with_tables(group, path):
    address = f"{group.url}{path.format(**group.people())}"

    def asked():
        group.member.get(address)  # results are worked out once
        Group.objects.update(version=F("version") + 1)  # and statistics again
        with CaptureQueriesContext(connection) as statements:
            assert group.member.get(address).status_code == 200
        return len(statements)

    table = played(group, (5, 4, 3))
    copies(table, 4)
    few = asked()
    copies(table, 45)
    assert asked() == few


def test_hidden_points_stay_hidden_at_the_previous_table_too(group):
    first = group.open_table(**PIT, options={"totals": "hidden"})
    first.record(scored(235, 345))
    second = first.go_on("Bob", "Ann")
    tables = group.read("tables/")["tables"]
    assert [(each["points"], each["totals"], each["points_hidden"]) for each in tables] == [(None, None, True)] * 2
    evening = group.evening()
    assert evening["points_hidden"] is True
    assert [(each["points"], each["places"]) for each in evening["people"]] == [([], 0), ([], 0)]
    assert season_of(group) == []
    second.record(END)
    told = group.read("tables/")["tables"]
    assert [(each["points"], each["totals"]) for each in told] == [([0, 0], [345, 235]), ([235, 345], [235, 345])]
    season = season_of(group)
    assert [(each["name"], each["wins"], each["games"][0]["points"]) for each in season] == [
        ("Bob", 1, 345),
        ("Ann", 0, 235),
    ]
