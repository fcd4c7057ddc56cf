"""Time limits, evenings and time zones."""

import csv
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.utils import timezone
from icalendar import Calendar

from scoring.groups.reads.group_export import full_export
from scoring.models import SeatScore, Table, TableEvent
from tests.scoring.conftest import ACE_TRUMP, OpenTable, holder, open_table, play, refusal
from tests.scoring.groups import brought, make_group

RESULT = {"type": "result", "tricks": [4, 5, 3]}


@pytest.fixture
def table(db):
    """A table limited to half an hour."""
    return open_table(end={"kind": "time", "value": 30})


def pass_minutes(minutes):
    """Let time pass by moving everything recorded into the past."""
    TableEvent.objects.update(at=timezone.now() - timedelta(minutes=minutes))


def test_no_hand_begins_after_time_is_up(ann, eve, table):
    url = table.url
    table.record(RESULT)
    assert eve.get(url).json()["state"]["finished"] is False
    pass_minutes(30)
    state = eve.get(url).json()["state"]
    assert (state["finished"], state["winners"], state["next"]) == (True, [1], None)
    answer = ann.post(f"{url}events/", play(0, "8MS"))
    assert refusal(answer) == (422, "hand-finished")
    assert "REC-16" in answer.json()["ruling"]["reason"]["clauses"]
    assert table.row.version == 1


def test_a_running_hand_is_played_to_its_end(ann, table):
    url = f"{table.url}events/"
    table.record(play(0, "8MS"))
    pass_minutes(31)
    assert ann.post(url, play(1, "XS")).json()["state"]["finished"] is False
    ann.post(url, play(2, "XM"))
    state = ann.post(url, RESULT).json()["state"]
    assert (state["finished"], state["winners"]) == (True, [1])


def test_a_penalty_still_counts_after_time_is_up(ann, table):
    table.record(RESULT)
    pass_minutes(31)
    answer = ann.post(f"{table.url}events/", {"type": "penalty", "seat": 1, "points": -3})
    assert answer.json()["state"]["winners"] == [0]
    assert "ended" not in str(table.row.log.last().event)


def test_the_snapshot_does_not_depend_on_the_clock(ann, table):
    table.record(RESULT)
    pass_minutes(31)
    ann.post(f"{table.url}events/", {"type": "note", "text": "Late."})
    assert table.row.snapshot["hand"]["values"]["ended"] is False


def test_the_time_limit_starts_with_the_first_event(ann, table):
    Table.objects.update(created=timezone.now() - timedelta(hours=2))
    assert ann.post(f"{table.url}events/", play(0, "8MS")).status_code == 201


def test_running_out_of_time_changes_the_etag(eve, table):
    table.record(RESULT)
    tag = eve.get(table.url)["ETag"]
    pass_minutes(31)
    assert eve.get(table.url, HTTP_IF_NONE_MATCH=tag).status_code == 200


def test_a_secret_choice_begins_no_hand_after_time_is_up(db):
    table = open_table(game="ransom-trump", end={"kind": "time", "value": 30})
    table.record({"type": "result", "tricks": [3, 3, 3]})
    pass_minutes(31)
    bob = holder(table.link("player", 1))
    answer = bob.post(f"{table.url}events/", {"type": "ransom", "seat": 1, "cards": ["XM"]})
    assert answer.json()["code"] == "hand-finished"


# --- An evening is a day and the night until six, in the time zone of the group or the device that opened the table

pytestmark = pytest.mark.django_db
END = {"type": "end"}
LA, TOKYO, AUCKLAND, BERLIN = "America/Los_Angeles", "Asia/Tokyo", "Pacific/Auckland", "Europe/Berlin"


@pytest.fixture
def at(monkeypatch):
    """Set the clock to a moment in UTC."""

    def put(moment):
        monkeypatch.setattr(timezone, "now", lambda: datetime.fromisoformat(moment).replace(tzinfo=UTC))

    return put


def evening_of(table):
    return table.row.evening.isoformat()


def group_in(zone):
    group = make_group()
    assert group.member.patch(group.url, {"time_zone": zone}).status_code == 200
    return group


@pytest.mark.parametrize(
    ("zone", "moment", "evening"),
    [
        (LA, "2026-11-25T08:52", "2026-11-24"),  # Wednesday 00:52
        (LA, "2026-11-25T13:59", "2026-11-24"),  # 05:59
        (LA, "2026-11-25T14:00", "2026-11-25"),  # 06:00
        (TOKYO, "2026-11-25T00:30", "2026-11-25"),  # Wednesday 09:30
        (TOKYO, "2026-11-24T20:30", "2026-11-24"),  # Wednesday 05:30
        (AUCKLAND, "2026-11-28T02:00", "2026-11-28"),  # Saturday 15:00
        (AUCKLAND, "2026-11-27T16:59", "2026-11-27"),  # Saturday 05:59
        ("Asia/Kolkata", "2026-11-25T00:30", "2026-11-25"),  # 06:00
        ("UTC", "2026-11-25T05:59", "2026-11-24"),
        # The night the clock goes forward: 05:59 and 06:00 daylight saving time.
        (BERLIN, "2026-03-29T03:59", "2026-03-28"),
        (BERLIN, "2026-03-29T04:00", "2026-03-29"),
        # And back: 05:59 and 06:00 standard time.
        (BERLIN, "2026-10-25T04:59", "2026-10-24"),
        (BERLIN, "2026-10-25T05:00", "2026-10-25"),
        (LA, "2026-03-08T12:59", "2026-03-07"),
        (LA, "2026-03-08T13:00", "2026-03-08"),
        (LA, "2026-11-01T13:59", "2026-10-31"),
        (LA, "2026-11-01T14:00", "2026-11-01"),
    ],
)
def test_an_evening_ends_at_six_in_the_groups_time_zone(at, zone, moment, evening):
    group = group_in(zone)
    at(moment)
    assert evening_of(group.open_table(time_zone="Antarctica/Troll")) == evening
    assert evening_of(open_table(time_zone=zone)) == evening


def test_groups_and_tables_get_their_creators_time_zone(stranger):
    made = stranger.post("/api/v1/groups/", {"name": "Thursday", "people": ["Ann"], "time_zone": TOKYO}).json()
    opened = [each.post("/api/v1/tables/", ACE_TRUMP | {"time_zone": LA}) for each in (holder(made["token"]), stranger)]
    assert [made["time_zone"], *(each.json()["time_zone"] for each in opened)] == [TOKYO, TOKYO, LA]


def test_the_default_time_zone_is_the_installations(stranger, settings, at):
    assert stranger.post("/api/v1/tables/", ACE_TRUMP).json()["time_zone"] == "UTC"
    settings.TIME_ZONE = LA
    at("2026-11-25T08:52")
    told = stranger.post("/api/v1/tables/", ACE_TRUMP).json()
    assert (told["time_zone"], Table.objects.get(code=told["code"]).evening.isoformat()) == (LA, "2026-11-24")


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../etc/passwd", "utc+1", "x" * 65, 7, ["UTC"]])
def test_an_unknown_time_zone_is_refused(stranger, zone):
    group = make_group()
    for answer in (
        stranger.post("/api/v1/tables/", ACE_TRUMP | {"time_zone": zone}),
        stranger.post("/api/v1/groups/", {"name": "T", "time_zone": zone}),
        group.member.patch(group.url, {"time_zone": zone}),
    ):
        assert answer.status_code in (400, 422), answer.content
        assert answer.json()["errors"][0]["pointer"] == "/time_zone"


def test_changing_the_time_zone_recounts_the_evenings(at):
    group = group_in("UTC")
    at("2026-11-25T08:52")
    first = group.open_table()
    first.record(RESULT, END)
    at("2026-11-25T09:40")
    second = group.open_table()
    assert [evening_of(table) for table in (first, second)] == ["2026-11-25"] * 2
    assert group.member.patch(group.url, {"time_zone": LA}).json()["time_zone"] == LA
    assert [evening_of(table) for table in (first, second)] == ["2026-11-24"] * 2
    assert {each.evening.isoformat() for each in SeatScore.objects.filter(table=first.row)} == {"2026-11-24"}
    evenings = group.member.get(f"{group.url}evenings/?from=2026-11-24&to=2026-11-24").json()["evenings"]
    assert [(each["date"], len(each["tables"])) for each in evenings] == [("2026-11-24", 2)]
    history = group.member.get(f"{group.url}archive/?as=history").content.decode()
    assert {row["evening"] for row in csv.DictReader(StringIO(history))} == {"2026-11-24"}
    assert len(group.member.get(f"{group.url}statistics/?to=2026-11-24").json()["people"]) > 0
    assert group.member.get(f"{group.url}statistics/?by=evening&from=2026-11-25").json()["people"] == []


def test_a_table_moved_into_a_group_gets_the_groups_evening(at):
    group = group_in(AUCKLAND)
    at("2026-11-28T02:00")
    table = open_table(time_zone="UTC")
    assert evening_of(table) == "2026-11-27"
    group.adopt(table)
    assert evening_of(table) == "2026-11-28"


def test_a_table_without_a_group_can_have_its_own_time_zone(at):
    at("2026-11-25T08:52")
    table = open_table()
    answer = table.keeper.patch(table.url, {"time_zone": LA})
    assert (answer.json()["time_zone"], evening_of(table)) == (LA, "2026-11-24")
    owned = make_group().open_table()
    refused = owned.keeper.patch(owned.url, {"time_zone": LA})
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/time_zone")


def test_a_continued_table_keeps_its_time_zone():
    table = open_table(time_zone=TOKYO)
    table.record(RESULT)
    after = table.keeper.post(f"{table.url}continue/", {"seats": ["Ann", "Bob", "Dee"]})
    assert after.json()["time_zone"] == TOKYO


def test_the_archive_and_the_full_log_keep_the_time_zone(stranger):
    group = group_in(TOKYO)
    group.open_table(time_zone=LA).record(RESULT)
    back = brought(group.archive())
    assert back.row.time_zone == TOKYO
    assert back.archive() == group.archive()
    loose = open_table(time_zone=LA)
    told = full_export(loose.row)
    code = stranger.post("/api/v1/tables/import/", told).json()["code"]
    assert Table.objects.get(code=code).time_zone == LA


def test_renaming_a_person_does_not_start_a_new_evening(at):
    """A table opened two days later belongs to another evening, even after a rename."""
    group = group_in(BERLIN)
    at("2026-11-24T20:00")
    group.open_table().record(RESULT, END)
    at("2026-11-26T17:00")
    group.member.patch(f"{group.url}people/{group.people()['Ann']}/", {"name": "Annegret"})
    at("2026-11-26T19:00")
    assert evening_of(group.open_table(seats=["Annegret", "Bob", "Cy"])) == "2026-11-26"


# -- when it was played --------------------------------------------------------------------------------------------


def events_of(group):
    read = Calendar.from_ical(group.member.get(f"{group.url}archive/?as=calendar").content)
    return [(each.decoded("DTSTART"), each.decoded("DTEND")) for each in read.walk("VEVENT")]


def test_a_calendar_event_ends_after_it_begins(at, stranger):
    group = group_in(BERLIN)
    at("2026-11-24T20:00")
    at_once = group.open_table()
    at_once.record(RESULT, END)
    record = ACE_TRUMP | {"hands": [{"events": [RESULT, END]}]}
    at("2026-11-25T20:00")
    brought = stranger.post("/api/v1/tables/import/", record).json()
    group.adopt(OpenTable(brought["code"], brought["token"]))
    at("2026-12-24T20:00")
    assert all(timedelta(0) < end - start <= timedelta(minutes=1) for start, end in events_of(group))


def test_a_later_correction_does_not_extend_an_evening(at):
    group = group_in(BERLIN)
    at("2026-11-24T20:00")
    table = group.open_table(end={"kind": "score", "value": 6})
    table.record({"type": "result", "tricks": [4, 4, 4]})
    assert not table.row.finished
    at("2026-11-28T20:00")
    change = {"seq": 1, "event": {"type": "result", "tricks": [7, 3, 2]}, "reason": "read wrongly"}
    answer = table.keeper.post(f"{table.url}amendments/", change)
    assert answer.status_code == 201, answer.content
    then = datetime(2026, 11, 24, 20, tzinfo=UTC)
    assert (table.row.finished, table.row.finished_at) == (True, then)
    assert {each.finished_at for each in SeatScore.objects.filter(table=table.row)} == {then}


def test_an_abandoned_table_is_not_an_endless_calendar_event(at):
    group = group_in(BERLIN)
    at("2026-11-24T20:00")
    group.open_table().record(RESULT)
    at("2026-11-24T21:00")
    assert events_of(group)[0][1].isoformat() == "2026-11-24T21:00:00+00:00"
    at("2026-12-24T21:00")
    assert events_of(group)[0][1].isoformat() == "2026-11-24T20:01:00+00:00"
