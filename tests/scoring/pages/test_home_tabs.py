"""The front page of a device with groups: a tab for each, one for loose tables, what runs first."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.models import Device, Group, Table
from tests.scoring.pages.reading import text

pytestmark = pytest.mark.django_db


def group(device, name="Thursday"):
    code = device.post("/g/new/", {"name": name, "people": "Ann, Bob, Cy"})["Location"].split("/")[2]
    return Group.objects.get(code=code)


def of_group(device, found):
    device.open_table(group=found.code)
    return Table.objects.order_by("-pk")[0]


def tables_in(page):
    return re.findall(r'class="row" href="/t/(\w+)/"', page.content.decode())


def tabs_in(page):
    nav = re.search(r'<nav class="tabs home-tabs".*?</nav>', page.content.decode(), re.DOTALL)
    return [] if nav is None else re.findall(r'href="/\?tab=(\w+)"( aria-current="page")?', nav[0])


def device_cookies(device):
    return {name: len(cookie.value) for name, cookie in device.cookies.items() if name.startswith("device-")}


def test_without_a_group_there_are_no_tabs(device):
    assert tabs_in(device.get("/")) == []
    device.open_table()
    assert tabs_in(device.get("/")) == []


def test_each_group_has_a_tab_and_loose_tables_have_one(device):
    monday, thursday = group(device, "Monday"), group(device)
    device.open_table()
    loose = Table.objects.get()
    own = of_group(device, thursday)
    keys = [monday.code, thursday.code, "loose"]
    assert [key for key, _ in tabs_in(device.get("/"))] == keys
    for key, tables in zip(keys, [[], [own.code], [loose.code]], strict=True):
        page = device.get(f"/?tab={key}")
        assert [name for name, current in tabs_in(page) if current] == [key]
        assert tables_in(page) == tables


def test_the_tab_where_something_runs_is_open_and_what_runs_stands_first(device):
    group(device, "Monday")
    thursday = group(device)
    over, running = of_group(device, thursday), of_group(device, thursday)
    device.tap(f"/t/{over.code}/", "end")
    page = device.get("/")
    assert [name for name, current in tabs_in(page) if current] == [thursday.code]
    assert tables_in(page) == [running.code, over.code]
    device.open_table()
    assert [name for name, current in tabs_in(device.get("/")) if current] == ["loose"]


def test_a_tab_that_is_not_there_is_another_one(device, other):
    thursday = group(device)
    foreign = group(other, "Secret")
    for wrong in (foreign.code, "nonsense", "x" * 5000, "%00"):
        page = device.get("/", {"tab": wrong})
        assert "Secret" not in page.content.decode()
        assert [name for name, current in tabs_in(page) if current] == [thursday.code]


def test_a_group_that_is_forgotten_leaves_its_tables_of_this_device_loose(device):
    thursday = group(device)
    own = of_group(device, thursday)
    device.post(f"/g/{thursday.code}/forget/")
    page = device.get("/")
    assert (tabs_in(page), tables_in(page)) == ([], [own.code])


def test_forty_tables_and_more_are_all_there_and_the_cookie_does_not_grow(device):
    device.open_table()
    before = device_cookies(device)
    for _ in range(39):
        device.open_table()
    shown = tables_in(device.get("/")) + tables_in(device.get("/?page=2"))
    assert len(set(shown)) == 40
    assert device_cookies(device) == before


def test_more_groups_take_no_more_statements(device):
    def statements():
        with CaptureQueriesContext(
            connection,
        ) as seen:
            device.get("/")
        return len(seen)

    group(device)
    few = statements()
    for number in range(4):
        group(device, f"Group {number}")
    assert statements() == few


def given_away(device):
    page = device.post("/device/move/").content.decode()
    found = re.search(r'id="made-url">([^<]+)<', page)
    assert found is not None
    return found[1]


def test_everything_goes_to_another_phone_and_is_forgotten_here(device, other):
    thursday = group(device)
    address = device.open_table()
    other.open_table()
    code = device.post("/device/move/").content.decode()
    assert "Scan this with the other phone" in code
    assert other.open_link(given_away(device)).status_code == 200
    assert other.get(f"/g/{thursday.code}/").status_code == 200
    assert other.tap(address, "play", seat="0", cards="8MS").status_code == 302
    assert device.tap(address, "play", seat="1", cards="9MS").status_code == 403
    assert device.get(f"/g/{thursday.code}/").status_code == 404
    assert "0 groups, 0 tables" in text(device.get("/device/"))
    assert "1 group, 2 tables" in text(other.get("/device/"))


def test_a_phone_that_has_some_of_it_already_has_each_once(device, other):
    address = device.open_table()
    other.get(address)
    other.get("/find/", {"code": address.split("/")[2]})
    other.get(address)
    other.open_link(given_away(device))
    assert "0 groups, 1 table." in text(other.get("/device/"))
    assert other.tap(address, "play", seat="0", cards="8MS").status_code == 302


def test_a_code_that_nobody_made_or_that_is_old_gives_nothing(device, other, monkeypatch):
    address = device.open_table()
    url = given_away(device)
    assert other.post("/device/take/", {"token": url[:-1] + ("A" if url[-1] != "A" else "B")}).status_code == 404
    monkeypatch.setattr("scoring.services.moving.MINUTES", -1)
    assert "has run out" in other.post("/device/take/", {"token": url}).content.decode()
    assert other.tap(address, "play", seat="0", cards="8MS").status_code == 403


def test_everything_is_forgotten_by_who_says_so_twice_and_stays_elsewhere(device, other):
    thursday = group(device)
    address = device.open_table()
    assert "Nobody else opens it" in text(device.get("/device/"))
    link = device.post(f"/g/{thursday.code}/links/", {"role": "member", "name": ""}).content.decode()
    token = re.search(r'id="made-url">[^#]+#([^<]+)<', link)
    assert token is not None
    other.post(f"/g/{thursday.code}/join/", {"token": token[1]})
    assert "It opens elsewhere, too." in text(device.get("/device/"))
    assert device.post("/device/forget/").status_code == 422
    assert device.get(f"/g/{thursday.code}/").status_code == 200
    assert device.post("/device/forget/", {"sure": "1"})["Location"] == "/"
    assert device.get(f"/g/{thursday.code}/").status_code == 404
    assert device.tap(address, "play", seat="0", cards="8MS").status_code == 403
    assert other.get(f"/g/{thursday.code}/").status_code == 200
    assert Table.objects.count() == 1


def test_a_night_forgets_no_device_that_has_but_a_group(device, other):
    thursday = group(device)
    other.get("/find/", {"code": device.open_table().split("/")[2]})
    other.post("/device/forget/", {"sure": "1"})
    Device.objects.create(secret_hash="0" * 64)
    device.post(f"/t/{Table.objects.get().code}/forget/")
    Device.objects.update(created=timezone.now() - timedelta(days=30))
    call_command("forget_keys", stdout=StringIO())
    assert device.get(f"/g/{thursday.code}/").status_code == 200
    assert Device.objects.count() == 1
