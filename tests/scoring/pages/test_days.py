"""Days on pages: in the time zone of the group, the way of whoever reads them, of when something was played."""

from datetime import UTC, datetime

import pytest
from django.utils import timezone

from scoring.models import Group, Person, Table
from tests.scoring.pages.reading import text

pytestmark = pytest.mark.django_db
LA = "America/Los_Angeles"
END = {"type": "end"}


@pytest.fixture
def at(monkeypatch):
    """Put the clock to a moment in UTC."""

    def put(moment):
        monkeypatch.setattr(timezone, "now", lambda: datetime.fromisoformat(moment).replace(tzinfo=UTC))

    return put


def finish(device, group, **more):
    """Play a table of a group, and return its address."""
    form = {"name": ["Ann", "Bob", "Cy"], "dealer": "0", "end": "hands", "end-hands": "1", "group": group} | more
    address = str(device.post("/new/ace-trump/", form)["Location"])
    assert device.tap(address, "result", tricks=["5", "4", "3"]).status_code == 302
    return address


def test_a_group_has_the_time_zone_of_the_device_that_makes_it(device):
    device.post("/g/new/", {"name": "Thursday", "people": "Ann", "time_zone": LA})
    assert Group.objects.get().time_zone == LA
    assert 'name="time_zone"' in device.get("/g/new/").content.decode()


def test_a_loose_table_has_that_of_the_device_that_opens_it(device, at):
    at("2026-11-25T08:52")
    device.open_table(time_zone=LA)
    assert (Table.objects.get().time_zone, Table.objects.get().evening.isoformat()) == (LA, "2026-11-24")
    assert device.open_table(time_zone="Etc/Unknown")
    device.post("/import/", {"text": "Game: ace-trump\nSeats: Ann, Bob\nFirst dealer: Bob\n", "time_zone": LA})
    assert {table.time_zone for table in Table.objects.all()} == {LA, ""}


def test_the_settings_of_a_group_change_its_time_zone(device, thursday):
    page = device.get(f"{thursday}settings/").content.decode()
    assert 'name="time_zone" maxlength="64" list="zones"' in page
    assert '<option value="Pacific/Auckland">' in page
    answer = device.post(f"{thursday}settings/", {"name": "Thursday", "time_zone": "Pacific/Auckland"})
    assert (answer.status_code, Group.objects.get().time_zone) == (302, "Pacific/Auckland")
    wrong = device.post(f"{thursday}settings/", {"name": "Thursday", "time_zone": "Auckland"})
    assert (wrong.status_code, "There is no such time zone" in text(wrong)) == (422, True)
    device.post(f"{thursday}settings/", {"name": "Thursday"})
    assert Group.objects.get().time_zone == "Pacific/Auckland"


@pytest.mark.parametrize(
    ("languages", "day", "short"),
    [
        ("en-GB,en;q=0.9", "Tuesday, 24 Nov 2026", "24 Nov 2026"),
        ("en-AU", "Tuesday, 24 Nov 2026", "24 Nov 2026"),
        ("en-US,en;q=0.9", "Tuesday, Nov 24, 2026", "Nov 24, 2026"),
        ("", "Tuesday, Nov 24, 2026", "Nov 24, 2026"),
        ("de-DE,de;q=0.9,en-GB;q=0.5", "Dienstag, 24. November 2026", "24. November 2026"),
    ],
)
def test_a_day_is_written_the_way_of_the_reader_everywhere(device, thursday, at, languages, day, short):
    device.post(f"{thursday}settings/", {"name": "Thursday", "time_zone": LA})
    at("2026-11-25T07:10")
    address = finish(device, thursday.split("/")[2])
    headers = {"Accept-Language": languages}
    assert day in text(device.get(f"{thursday}evenings/2026-11-24/", headers=headers))
    assert day in text(device.get(f"{thursday}history/", headers=headers))
    assert day in device.get(f"{thursday}evenings/2026-11-24/picture/", headers=headers).content.decode()
    assert short in text(device.get(f"{thursday}statistics/?first=2026-11-24", headers=headers))
    assert short in text(device.get("/", headers=headers))
    assert short in device.get(f"{address}picture/", headers=headers).content.decode()


def test_what_was_played_lately_is_shown_and_sorted_by_when_it_was_played(device, at):
    at("2026-11-19T20:00")
    first = device.open_table(end="hands", **{"end-hands": "1"})
    device.tap(first, "result", tricks=["5", "4", "3"])
    at("2026-11-20T20:00")
    second = device.open_table(names=("Dee", "Eve"), dealer=0, end="hands", **{"end-hands": "1"})
    device.tap(second, "result", tricks=["5", "4"])
    at("2026-11-25T20:00")
    device.post(f"{first}names/", {"name": ["Anna", "Bob", "Cy"]})
    page = text(device.get("/"))
    assert "Nov 19, 2026" in page
    assert "Nov 25, 2026" not in page
    assert page.index("Dee") < page.index("Anna")
    offered = text(device.get("/new/ace-trump/"))
    assert offered.index("Dee, Eve") < offered.index("Anna, Bob, Cy")


def test_a_renamed_person_and_a_table_given_to_a_group_stay_where_they_were(device, thursday, at):
    at("2026-11-19T20:00")
    loose = device.open_table(end="hands", **{"end-hands": "1"})
    device.tap(loose, "result", tricks=["5", "4", "3"])
    at("2026-11-25T20:00")
    device.post(f"{loose}group/", {"group": thursday.split("/")[2]})
    device.post(f"{thursday}people/{Person.objects.get(name='Ann').pk}/", {"name": "Annegret"})
    assert Table.objects.get().group is not None
    assert "Nov 19, 2026" in text(device.get("/?tab=" + thursday.split("/")[2]))
    assert "Thursday, Nov 19, 2026" in text(device.get(f"{thursday}history/"))
