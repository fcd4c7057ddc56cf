"""Reading links: one table or one hand, on any phone, and nothing else."""

import re

import pytest

from scoring.models import Link, Table
from tests.scoring.pages.reading import text

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(device):
    """A private table with a finished hand of tricks and a second one in progress."""
    address = device.open_table(private="1")
    device.tap(address, "result", tricks=["6", "4", "2"])
    device.tap(address, "play", seat="1", cards="8MS")
    return address


def link(device, table, **form):
    answer = device.post(f"{table}readings/", form)
    found = re.search(r'id="made-url">([^<]+)<', answer.content.decode())
    assert found is not None, answer.content.decode()
    return found[1]


def test_a_table_reading_link_opens_the_whole_table_but_not_its_code(device, other, table):
    code = Table.objects.get().code
    url = link(device, table)
    page = other.open_link(url)
    assert code not in page.content.decode()
    assert Table.objects.get().spoken_code not in page.content.decode()
    path = url.split("#")[0]
    assert "Hand 1" in text(page)
    assert "6 4 2" in text(page)
    assert "Trick 1 of 1" in text(other.get(path, {"hand": "2"}))
    for odd in ("99", "0", "-1", "x", "9" * 5000):
        assert other.get(path, {"hand": odd, "trick": odd}).status_code == 200


def test_a_hand_reading_link_opens_only_that_hand(device, other, table):
    path = link(device, table, hand="2").split("#")[0]
    assert "Trick 1 of 1" not in text(other.get(path))
    other.open_link(link(device, table, hand="2"))
    shown = other.get(f"/read/{Link.objects.order_by('-pk')[0].pk}/", {"hand": "1"})
    assert "Trick 1 of 1" in text(shown)
    assert "Score sheet" not in text(shown)


def test_a_reading_link_grants_nothing_else(device, other, table):
    other.open_link(link(device, table))
    for part in ("", "log/", "hands/1/", "export/text/", "share/", "screen/", "what-if/"):
        assert other.get(table + part).status_code == 404, part
    assert other.tap(table, "play", seat="1", cards="9MS").status_code == 404
    assert other.post(f"{table}readings/").status_code == 404


def test_any_number_of_phones_can_use_a_reading_link_until_it_is_revoked(device, other, table, client):
    url = link(device, table)
    path, token = url.split("#")
    other.open_link(url)
    assert client.post(path, {"token": token}).status_code == 302
    number = Link.objects.get(role="reader").pk
    assert "View-only link" in text(device.get(f"{table}share/"))
    assert device.post(f"{table}links/{number}/revoke/").status_code == 302
    for phone in (other, client):
        assert "paste the link" in text(phone.get(path))
        assert phone.post(path, {"token": token}).status_code == 404
    assert device.post(f"{table}links/{number}/revoke/").status_code == 409


def test_answers_do_not_reveal_which_links_exist(device, other, table):
    path = link(device, table).split("#")[0]
    pages = [
        re.sub(r"/read/\d+/|value=\"\w{64}\"", "", other.get(each).content.decode()) for each in (path, "/read/9/")
    ]
    assert pages[0] == pages[1]
    assert other.post(path, {"token": "nonsense"}).status_code == other.post("/read/9/", {"token": "x"}).status_code
    assert other.get("/read/99999999999999999999/").status_code == 404  # no link can have this id


def test_a_missing_hand_gets_no_link(device, table):
    for wrong in ("3", "0", "99999999999999999999"):
        assert device.post(f"{table}readings/", {"hand": wrong}).status_code == 404
    assert not Link.objects.filter(role="reader").exists()


def test_hidden_points_are_not_revealed(device, other):
    house = {"option-totals": "1", "end": "hands", "end-hands": "2"}
    table = device.open_table("ace-pit", ("Ann", "Bob"), 1, **house)
    device.tap(table, "result", points=["235", "345"])
    shown = text(other.open_link(link(device, table)))
    assert "Points are hidden until the game is over." in shown
    assert "235" not in shown


def test_a_reading_page_is_forgotten_on_this_device_only(device, other, table):
    url = link(device, table)
    other.open_link(url)
    path = url.split("#")[0]
    assert other.post(path, {"forget": "1"})["Location"] == "/"
    assert "paste the link" in text(other.get(path))
    assert other.open_link(url).status_code == 200


def test_the_log_shows_who_recorded_what(device, other, table):
    for_bob = re.search(r'id="made-url">([^<]+)<', device.post(f"{table}links/", {"for": "player:2"}).content.decode())
    assert for_bob is not None
    other.open_link(for_bob[1])
    assert other.tap(table, "play", seat="2", cards="9MS").status_code == 302
    first, second = re.findall(r'class="muted who">([^<]+)<', device.get(f"{table}log/").content.decode())[:2]
    assert (first, second) == ("Cy", "Scorekeeper")


def test_a_record_can_be_downloaded_from_the_table_and_the_group(device):
    group = device.post("/g/new/", {"name": "Thursday", "people": "Ann, Bob, Cy"})["Location"].removesuffix("who/")
    address = device.open_table(group=group.split("/")[2])
    assert f'href="{address}export/text/" download' in device.get(address).content.decode()
    for part in ("history/", "more/"):
        assert f'href="{group}export/history/" download' in device.get(f"{group}{part}").content.decode()
