"""Sharing a table from its page: who gets which link, and what it opens."""

import re

import pytest
from django.test import override_settings

from scoring.models import Link, Table
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.reading import tells, text


def make_link(device, address, whom):
    """Make a link on the page; return the address it shows."""
    answer = device.post(f"{address}links/", {"for": whom})
    assert answer.status_code == 200, text(answer)
    found = re.search(r'id="made-url">http://testserver([^<]+)<', answer.content.decode())
    assert found
    return found[1]


def join(url):
    """Open a link on a new device."""
    device = Device()
    path, token = url.split("#")
    answer = device.post(path, {"token": token})
    assert answer.status_code == 302
    assert "token" not in answer["Location"]
    return device


@pytest.fixture
def address(device):
    return device.open_table()


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("localhost:8000", "http://192.0.2.7:8000"),
        ("127.0.0.1:8000", "http://192.0.2.7:8000"),
        ("[::1]:8000", "http://192.0.2.7:8000"),
        ("cards.example", "http://cards.example"),
    ],
)
@override_settings(PHONE_ADDRESS="http://192.0.2.7:8000", ALLOWED_HOSTS=["*"])
def test_a_link_made_on_localhost_leads_a_phone_to_this_computer(device, address, host, shown):
    page = device.post(f"{address}links/", {"for": "spectator"}, HTTP_HOST=host).content.decode()
    assert f">{shown}{address}join/#" in page
    assert f">{shown}{address}<" in page
    assert f">{shown}{address}<" in device.get(address, HTTP_HOST=host).content.decode()


@pytest.fixture
def private(device):
    """Ann's private table."""
    return device.open_table(private="1")


def test_a_link_lets_its_phone_record(device, address):
    url = make_link(device, address, "player:0")
    page = device.get(f"{address}share/")
    assert url.split("#")[1] not in page.content.decode()
    assert text(page).count("Yes, turn it off") == 2
    ann = join(url)
    assert ann.tap(address, "play", seat="0", cards="8MS").status_code == 302
    assert Table.objects.get().log.get().by == "player-0"


def test_a_link_comes_with_a_qr_code(device, address):
    answer = device.post(f"{address}links/", {"for": "spectator"})
    assert 'src="data:image/svg+xml' in answer.content.decode()
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize("whom", ["", "player", "player:9", "player:x", "dealer"])
def test_a_link_needs_a_valid_seat(device, address, whom):
    assert device.post(f"{address}links/", {"for": whom}).status_code == 422


def test_the_last_scorekeeper_stays(device, address):
    answer = device.post(f"{address}links/{Link.objects.get().pk}/revoke/")
    assert answer.status_code == 409
    assert "This is the last link" in text(answer)


def test_a_device_with_more_rights_keeps_them(device, address):
    url = make_link(device, address, "spectator")
    device.get(url)
    assert device.tap(address, "play", seat="0", cards="8MS").status_code == 302


def test_a_link_opens_without_scripts_too(device, other, private):
    """Its token is in no address that a browser sends."""
    path, token = make_link(device, private, "player:0").split("#")
    page = other.get(path)
    assert (page.status_code, page["Cache-Control"]) == (200, "no-store")
    assert f'action="{path}"' in page.content.decode()
    wrong = other.post(path, {"token": token[::-1]})
    assert wrong.status_code == 404
    assert "This link doesn’t work, or it was turned off." in text(wrong)
    answer = other.post(path, {"token": f"https://cards.example{path}#{token}"})
    assert (answer.status_code, answer["Location"]) == (302, private)
    assert "You lead." in text(other.get(private))


def test_the_answer_does_not_reveal_whether_a_table_exists(other, private):
    ours, none = (text(other.get(f"/t/{code}/join/")) for code in (private.split("/")[2], "AAAAAAAA"))
    assert ours == none


def test_a_link_opens_one_device(device, other, private):
    url = make_link(device, private, "player:0")
    assert "You lead." in text(join(url).get(private))
    path, token = url.split("#")
    assert other.post(path, {"token": token}).status_code == 404


def test_an_invalid_link_leads_to_the_page_without_rights(other, address):
    answer = other.post(f"{address}join/", {"token": "wrong"})
    assert (answer.status_code, answer["Location"]) == (302, address)
    assert "You are watching" in text(other.get(address))


def test_players_can_tap_only_their_own_cards(device, address):
    bob = join(make_link(device, address, "player:1"))
    page = text(bob.get(address))
    assert "This is Bob’s phone." in page
    assert "End the game here" not in page
    assert bob.tap(address, "play", seat="0", cards="8MS").status_code == 403
    device.tap(address, "play", seat="0", cards="8MS")
    page = bob.get(address).content.decode()
    assert '<input type="hidden" name="seat" value="1">' in page
    assert "Who it was" not in page
    assert 'id="undo" disabled' in page
    bob.tap(address, "play", seat="1", cards="XS")
    assert 'id="undo">' in bob.get(address).content.decode()
    assert bob.post(f"{address}undo/", {}).status_code == 302
    assert bob.post(f"{address}undo/", {}).status_code == 403


def test_a_private_table_is_listed_nowhere(other, private):
    code = private.strip("/").split("/")[-1]
    other.get(private)
    assert other.get("/find/", {"code": code}).status_code == 404
    assert not tells(other.get("/new/ace-trump/", {"again": code}), "Bob")
    assert not tells(other.get("/"), "Bob")
    assert other.post(f"{private}record/", {"event": "play", "seat": "0", "cards": "8MS"}).status_code == 404


def test_a_spectator_link_opens_a_private_table_for_reading(device, private):
    dee = join(make_link(device, private, "spectator"))
    page = text(dee.get(private))
    assert "You are watching" in page
    assert "Private table" in page
    assert dee.tap(private, "play", seat="0", cards="8MS").status_code == 403
    assert tells(dee.get("/"), "Bob")


def test_a_table_can_be_made_private_and_public(device, other, address):
    for _ in range(2):
        other.get(address)
    assert tells(other.get("/"), "Bob")
    device.post(f"{address}private/", {"private": "1"})
    assert other.get(address).status_code == 404
    assert not tells(other.get("/"), "Bob")
    device.post(f"{address}private/", {"private": "0"})
    assert other.get(address).status_code == 200


def test_too_many_wrong_codes_are_rate_limited(device, other, address):
    with override_settings(WRONG_CODES_PER_HOUR=2):
        assert [other.get("/find/", {"code": f"ZZZZZZZ{last}"}).status_code for last in "XYZ"] == [404, 404, 429]
        answer = other.get(address)
        assert answer.status_code == 429
        assert int(answer["Retry-After"]) > 0
        assert "Too many wrong codes" in text(answer)
        for part in ("share/", "log/", "screen/", "points/", "continue/", "amend/", "hands/1/", "export/text/"):
            assert other.get(address + part).status_code == 429, part
        assert device.get(address).status_code == 200


def test_too_many_taps_are_rate_limited(device, address):
    with override_settings(WRITES_PER_MINUTE=1):
        device.tap(address, "play", seat="0", cards="8MS")
        answer = device.tap(address, "play", seat="1", cards="XS")
    assert "Too many tries in a minute" in text(answer)


def test_a_stale_page_of_a_table_made_private_locks_no_one_out(device, other):
    """It keeps requesting what it knew; that is not a guess, and the neighbors' table still opens."""
    address, neighbours = device.open_table(), device.open_table()
    other.get(address)
    assert other.get(address, headers={"HX-Request": "true"}).status_code == 200
    device.post(f"{address}private/", {"private": "1"})
    with override_settings(WRONG_CODES_PER_HOUR=2):
        for _ in range(5):
            assert other.get(address, headers={"HX-Request": "true"}).status_code == 404
        assert other.get(neighbours).status_code == 200
