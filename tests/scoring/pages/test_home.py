"""The front page, and what belongs to the whole site."""

import json
import re
import struct
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import escape
from jinja2 import ChoiceLoader, DictLoader, FileSystemLoader

from referee.engine.game import all_games
from scoring.models import Device, Group, Table
from scoring.operating.pages.environment import environment
from tests.scoring.pages.phones import made_url
from tests.scoring.pages.reading import text

# --- The front page


def test_every_game_is_offered(device):
    for page in (device.get(path).content.decode() for path in ("/", "/new/")):
        for game in all_games():
            assert game.name in page
            assert escape(game.gist or game.tagline) in page
    assert {game.id for game in all_games() if not game.pack_name} == {"any-game"}
    for pack in {game.pack_name for game in all_games()} - {""}:
        assert page.count(f"<small>{pack}</small>") == sum(game.pack_name == pack for game in all_games())


def test_a_table_opened_by_its_code_is_remembered(device, other):
    address = device.open_table()
    assert address not in other.get("/").content.decode()
    code = address.split("/")[2]
    assert other.get("/find/", {"code": f" {code[:4].lower()}-{code[4:]} "})["Location"] == address
    other.get(address)
    assert address in other.get("/").content.decode()


def test_a_wrong_code_is_reported(device):
    answer = device.get("/find/", {"code": "ZZZZ-ZZZZ"})
    assert answer.status_code == 404
    assert "There is no table with this code." in text(answer)


def test_only_existing_data_can_be_forgotten(device, other):
    address = device.open_table()
    assert f'action="{address}forget/"' in device.get("/").content.decode()
    assert "Remove" not in other.get("/").content.decode()
    assert other.post("/t/ZZZZZZZZ/forget/").status_code == 302
    assert other.get(f"{address}forget/").status_code == 405


# --- The front page of a device with groups: running tables first, then groups

pytestmark = pytest.mark.django_db


def group(device, name="Thursday"):
    code = device.post("/g/new/", {"name": name, "people": "Ann, Bob, Cy"})["Location"].split("/")[2]
    return Group.objects.get(code=code)


def of_group(device, found):
    device.open_table(group=found.code)
    return Table.objects.order_by("-pk")[0]


def end(device, table):
    """End a game that the first player has won."""
    device.tap(f"/t/{table.code}/", "result", tricks=["9", "2", "1"])
    device.tap(f"/t/{table.code}/", "end")


def tables_in(page):
    return re.findall(r'class="(?:row|table-tile felted)" href="/t/(\w+)/"', page.content.decode())


def test_a_first_time_visitor_sees_what_this_is_and_can_start(client, db):
    page = text(client.get("/"))
    assert page.index("Honest scores.") < page.index("Start a game") < page.index("What is a Decktet?")
    assert "Finished games" not in page


def test_running_tables_come_first_and_the_latest_is_on_felt(device):
    thursday = group(device)
    older, over, latest = of_group(device, thursday), of_group(device, thursday), of_group(device, thursday)
    device.open_table()
    loose = Table.objects.get(group=None)
    end(device, over)
    device.tap(f"/t/{latest.code}/", "play", seat="0", cards="8MS")
    page = device.get("/")
    assert tables_in(page) == [latest.code, loose.code, older.code]
    tile = page.content.decode().partition('class="table-tile')[2].partition("</a>")[0]
    assert 'aria-label="Diplomat (8 of Moons and Suns)"' in tile
    assert "Bob’s turn" in tile
    assert text(page).index("Hand 1") < text(page).index("Thursday") < text(page).index("Start a game")


def test_start_stays_near_the_top_however_many_tables_run(device):
    for _number in range(5):
        device.open_table()
    page = device.get("/").content.decode()
    assert page.partition("<details")[0].count('href="/t/') == 3
    assert "2 more games" in page
    assert page.count("/forget/") == 5


def test_a_group_shows_how_its_evening_stands(device):
    thursday, monday = group(device), group(device, "Monday")
    end(device, of_group(device, thursday))
    page = text(device.get("/"))
    assert "Tonight: 1 game, Ann leads" in page
    assert "Monday 3 people" in page
    Table.objects.update(evening=timezone.now().date() - timedelta(days=9))
    later = device.get("/")
    assert "Last played" in text(later)
    assert f'href="/g/{monday.code}/"' in later.content.decode()


def test_other_devices_data_is_not_shown(device, other):
    group(other, "Secret")
    other.open_table()
    page = device.get("/", {"page": "2"})
    assert "Secret" not in page.content.decode()
    assert tables_in(page) == []


def test_forgetting_a_group_keeps_its_tables_on_this_device(device):
    thursday = group(device)
    own = of_group(device, thursday)
    device.post(f"/g/{thursday.code}/forget/")
    page = device.get("/")
    assert "Thursday" not in text(page)
    assert tables_in(page) == [own.code]


def test_query_count_does_not_grow_with_groups(device):
    asked = []
    for groups in (1, 4):
        for number in range(groups):
            group(device, f"Group {groups} {number}")
        with CaptureQueriesContext(connection) as statements:
            device.get("/")
        asked.append(len(statements))
    assert asked[0] == asked[1]


def test_all_data_can_move_to_another_phone_and_be_deleted_here(device, other):
    thursday = group(device)
    address = device.open_table()
    other.open_table()
    moving = device.post("/device/move/")
    assert "Scan this with the other phone" in text(moving)
    assert other.open_link(made_url(moving)).status_code == 200
    assert other.get(f"/g/{thursday.code}/").status_code == 200
    assert other.tap(address, "play", seat="0", cards="8MS").status_code == 302
    assert device.tap(address, "play", seat="1", cards="9MS").status_code == 403
    assert device.get(f"/g/{thursday.code}/").status_code == 404
    assert "0 groups, 0 tables" in text(device.get("/device/"))
    assert "1 group, 2 tables" in text(other.get("/device/"))


def test_importing_existing_data_creates_no_duplicates(device, other):
    address = device.open_table()
    other.get(address)
    other.get("/find/", {"code": address.split("/")[2]})
    other.get(address)
    other.open_link(made_url(device.post("/device/move/")))
    assert "0 groups, 1 table." in text(other.get("/device/"))
    assert other.tap(address, "play", seat="0", cards="8MS").status_code == 302


def test_unknown_and_expired_codes_are_refused(device, other, monkeypatch):
    address = device.open_table()
    url = made_url(device.post("/device/move/"))
    assert other.post("/device/take/", {"token": url[:-1] + ("A" if url[-1] != "A" else "B")}).status_code == 404
    monkeypatch.setattr("scoring.tables.acts.access.MINUTES", -1)
    assert "has expired" in other.post("/device/take/", {"token": url}).content.decode()
    assert other.tap(address, "play", seat="0", cards="8MS").status_code == 403


def test_deleting_everything_asks_twice_and_affects_only_this_device(device, other):
    thursday = group(device)
    address = device.open_table()
    assert "Only this phone can open it" in text(device.get("/device/"))
    link = device.post(f"/g/{thursday.code}/links/", {"role": "member", "name": ""})
    other.post(f"/g/{thursday.code}/join/", {"token": made_url(link)})
    assert "Other phones can open it, too." in text(device.get("/device/"))
    assert device.post("/device/forget/").status_code == 422
    assert device.get(f"/g/{thursday.code}/").status_code == 200
    assert device.post("/device/forget/", {"sure": "1"})["Location"] == "/"
    assert device.get(f"/g/{thursday.code}/").status_code == 404
    assert device.tap(address, "play", seat="0", cards="8MS").status_code == 403
    assert other.get(f"/g/{thursday.code}/").status_code == 200
    assert Table.objects.count() == 1


def test_cleanup_keeps_a_device_that_has_only_a_group(device, other):
    thursday = group(device)
    other.get("/find/", {"code": device.open_table().split("/")[2]})
    other.post("/device/forget/", {"sure": "1"})
    Device.objects.create(secret_hash="0" * 64)
    device.post(f"/t/{Table.objects.get().code}/forget/")
    Device.objects.update(created=timezone.now() - timedelta(days=30))
    call_command("forget_keys", stdout=StringIO())
    assert device.get(f"/g/{thursday.code}/").status_code == 200
    assert Device.objects.count() == 1


# --- The pages as an app on a home screen, and the files their service worker caches


def found(address):
    path = finders.find(address.removeprefix("/static/"))
    assert path, address
    return path


def test_the_site_can_be_installed_as_an_app(client, db):
    (manifest,) = re.findall(r'rel="manifest" href="([^"]+)"', client.get("/").content.decode())
    told = client.get(manifest)
    assert told["Content-Type"] == "application/manifest+json"
    manifest = told.json()
    assert (manifest["name"], manifest["start_url"], manifest["display"]) == ("Card table", "/", "standalone")
    assert {(icon["sizes"], icon.get("purpose")) for icon in manifest["icons"]} >= {
        (size, purpose) for size in ("192x192", "512x512") for purpose in ("any", "maskable")
    }


def test_icons_have_their_declared_sizes(client):
    for icon in client.get("/manifest.webmanifest").json()["icons"]:
        head = Path(found(icon["src"])).read_bytes()[:24]
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", head[16:])
            assert icon["sizes"] == f"{width}x{height}"


def test_the_service_worker_caches_every_file_of_a_table(device):
    page = device.get(device.open_table()).content.decode()
    worker = device.get("/worker.js")
    assert (worker["Content-Type"].partition(";")[0], worker["Cache-Control"]) == ("text/javascript", "no-cache")
    (files,) = re.findall(r"const FILES ?= ?(\[.*?\]);", worker.content.decode())
    kept = json.loads(files)
    assert all(map(found, kept))
    named = set(re.findall(r'(?:src|href)="(/static/[^"#]+\.(?:js|css|svg))', page))
    assert named
    assert named <= set(kept)


# --- The privacy page, and the links to it


def test_the_privacy_page_lists_what_is_stored_and_for_how_long(device, settings):
    page = text(device.get("/privacy/"))
    assert "Tables and groups stay until you delete them." in page
    assert "For 7 days, a key of each request" in page
    settings.KEEP_TABLES_DAYS = 400
    assert "deleted after 400 days without use" in text(device.get("/privacy/"))


def test_every_footer_links_to_the_privacy_page(device):
    for address in ("/", "/new/", "/ask/", device.open_table() + "share/"):
        assert 'href="/privacy/"' in device.get(address).content.decode()


# --- Templates: merged in production, file by file in development


@pytest.mark.parametrize(("auto_reload", "shown"), [(True, "<p>new</p>"), (False, "<p>old</p>")])
def test_an_edited_fragment_shows_at_once_in_development(auto_reload, shown, settings):
    texts = {"page.html": '<p>{% include "_part.html" %}</p>', "_part.html": "old"}
    folder = settings.TEMPLATES[0]["DIRS"][0]
    made = environment(loader=ChoiceLoader([DictLoader(texts), FileSystemLoader(folder)]), auto_reload=auto_reload)
    assert made.get_template("page.html").render() == "<p>old</p>"
    texts["_part.html"] = "new"
    assert made.get_template("page.html").render() == shown


def test_renaming_does_not_reorder_recent_tables(device):
    thursday = group(device)
    for name in ("Ann", "Bob"):
        device.open_table(names=[name, "Zoe"], dealer=0, group=thursday.code, **{"spelt-Zoe": "new"})
    first, last = Table.objects.order_by("pk")
    ann = thursday.people.get(name="Ann")
    device.post(f"/g/{thursday.code}/people/{ann.pk}/", {"name": "Anneliese", "aliases": ""})
    for page in ("/", f"/g/{thursday.code}/history/"):
        body = device.get(page).content.decode()
        assert body.index(f"/t/{last.code}/") < body.index(f"/t/{first.code}/")
