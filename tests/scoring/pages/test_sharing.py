"""Sharing a table: who gets which link, what it opens, and what spectators and readers see."""

import re

import pytest
from django.test import override_settings

from scoring.models import Link, Table
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.phones import address_of, code_of, join, made_url, make_link
from tests.scoring.pages.reading import tells, text


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
    assert join(url).tap(address, "play", seat="0", cards="8MS").status_code == 302
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
    assert (answer.status_code, "This is the last link" in text(answer)) == (409, True)


def test_a_link_opens_without_scripts_too(device, other, private):
    """Its token is in no address that a browser sends."""
    path, token = make_link(device, private, "player:0").split("#")
    page = other.get(path)
    assert (page.status_code, page["Cache-Control"]) == (200, "no-store")
    assert f'action="{path}"' in page.content.decode()
    wrong = other.post(path, {"token": token[::-1]})
    assert (wrong.status_code, "This link doesn’t work, or it was turned off." in text(wrong)) == (404, True)
    answer = other.post(path, {"token": f"https://cards.example{path}#{token}"})
    assert (answer.status_code, answer["Location"]) == (302, private)
    assert "You lead." in text(other.get(private))


def test_the_answer_does_not_reveal_whether_a_table_exists(other, private):
    ours, none = (text(other.get(f"/t/{code}/join/")) for code in (code_of(private), "AAAAAAAA"))
    assert ours == none


def test_an_invalid_link_leads_to_the_page_without_rights(other, address):
    answer = other.post(f"{address}join/", {"token": "wrong"})
    assert (answer.status_code, answer["Location"]) == (302, address)
    assert "You are watching" in text(other.get(address))


def test_players_can_tap_only_their_own_cards(device, address):
    bob = join(make_link(device, address, "player:1"))
    page = text(bob.get(address))
    assert ("This is Bob’s phone." in page, "End the game here" in page) == (True, False)
    assert bob.tap(address, "play", seat="0", cards="8MS").status_code == 403
    device.tap(address, "play", seat="0", cards="8MS")
    page = bob.get(address).content.decode()
    assert '<input type="hidden" name="seat" value="1">' in page
    assert 'id="undo" disabled' in page
    bob.tap(address, "play", seat="1", cards="XS")
    assert 'id="undo">' in bob.get(address).content.decode()
    assert bob.post(f"{address}undo/", {}).status_code == 302
    assert bob.post(f"{address}undo/", {}).status_code == 403


def test_a_private_table_is_listed_nowhere(other, private):
    other.get(private)
    assert other.get("/find/", {"code": code_of(private)}).status_code == 404
    for page in (other.get("/new/ace-trump/", {"again": code_of(private)}), other.get("/")):
        assert not tells(page, "Bob")
    assert other.post(f"{private}record/", {"event": "play", "seat": "0", "cards": "8MS"}).status_code == 404


def test_a_spectator_link_opens_a_private_table_for_reading(device, private):
    dee = join(make_link(device, private, "spectator"))
    page = text(dee.get(private))
    assert all(words in page for words in ("You are watching", "Private table"))
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
        assert (answer.status_code, "Too many wrong codes" in text(answer)) == (429, True)
        assert int(answer["Retry-After"]) > 0
        for part in ("share/", "log/", "screen/", "points/", "continue/", "amend/", "hands/1/", "export/text/"):
            assert other.get(address + part).status_code == 429, part
        assert device.get(address).status_code == 200


def test_too_many_taps_are_rate_limited(device, address):
    with override_settings(WRITES_PER_MINUTE=1):
        device.tap(address, "play", seat="0", cards="8MS")
        assert "Too many tries in a minute" in text(device.tap(address, "play", seat="1", cards="XS"))


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


# --- What a spectator's page fetches when its table changes: the current table, under current rights


def fetch(device: Device, address: str, **headers: str) -> tuple[int, str]:
    answer = device.get(address, headers={"HX-Request": "true", **headers})
    return answer.status_code, answer.content.decode()


def with_log(device: Device, address: str) -> str:
    """Return what a page gets that shows the log."""
    return fetch(device, address, **{"Table-Open": "log"})[1]


def test_all_spectators_see_every_change_identically(table, other):
    address = address_of(table)
    for note in ("The first note.", "The second note."):
        table.record({"type": "note", "text": note})
        page = with_log(other, address)
        assert note in page
        assert page == with_log(Device(), address)


def test_each_page_gets_its_open_folds_in_its_language(table, other):
    address = address_of(table)
    table.record({"type": "note", "text": "The first note."})
    closed = fetch(other, address)
    assert "The first note." not in closed[1]
    assert "The first note." in with_log(other, address)
    assert fetch(other, address, **{"Accept-Language": "de"}) != closed
    assert fetch(other, address) == closed


def test_only_users_who_can_record_get_forms(device, other):
    address = device.open_table()
    player = join(make_link(device, address, "player:1"))
    pages = [fetch(phone, address)[1] for phone in (device, player, other, device)]
    assert ["<form" in page for page in pages] == [True, True, False, True]


def test_a_withdrawn_right_ends_at_once(device, other):
    address = device.open_table()
    invited = join(make_link(device, address, "spectator"))
    assert fetch(other, address)[0] == fetch(invited, address)[0] == 200
    assert device.post(f"{address}private/", {"private": "1"}).status_code == 302
    assert [fetch(phone, address)[0] for phone in (other, invited)] == [404, 200]
    number = max(link.pk for link in Link.objects.filter(role="spectator"))
    assert device.post(f"{address}links/{number}/revoke/").status_code == 302
    assert fetch(invited, address)[0] == 404


# --- Reading links: one table or one hand, on any phone, and nothing else

pytestmark = pytest.mark.django_db


@pytest.fixture
def in_play(device):
    """A private table with a finished hand and a second one in progress."""
    address = device.open_table(private="1")
    device.tap(address, "result", tricks=["6", "4", "2"])
    device.tap(address, "play", seat="1", cards="8MS")
    return address


def reading_link(device, table, **form):
    return made_url(device.post(f"{table}readings/", form))


def test_a_table_reading_link_opens_the_whole_table_but_not_its_code(device, other, in_play):
    url = reading_link(device, in_play)
    page = other.open_link(url)
    for code in (code_of(in_play), Table.objects.get().spoken_code):
        assert code not in page.content.decode()
    path = url.split("#")[0]
    assert all(words in text(page) for words in ("Hand 1", "6 4 2"))
    assert "Trick 1 of 1" in text(other.get(path, {"hand": "2"}))
    for odd in ("99", "0", "-1", "x", "9" * 5000):
        assert other.get(path, {"hand": odd, "trick": odd}).status_code == 200


def test_a_hand_reading_link_opens_only_that_hand(device, other, in_play):
    url = reading_link(device, in_play, hand="2")
    path = url.split("#")[0]
    assert "Trick 1 of 1" not in text(other.get(path))
    other.open_link(url)
    shown = text(other.get(path, {"hand": "1"}))
    assert ("Trick 1 of 1" in shown, "Score sheet" in shown) == (True, False)


def test_a_reading_link_grants_nothing_else(device, other, in_play):
    other.open_link(reading_link(device, in_play))
    for part in ("", "log/", "hands/1/", "export/text/", "share/", "screen/", "what-if/"):
        assert other.get(in_play + part).status_code == 404, part
    assert other.tap(in_play, "play", seat="1", cards="9MS").status_code == 404
    assert other.post(f"{in_play}readings/").status_code == 404


def test_any_number_of_phones_can_use_a_reading_link_until_it_is_revoked(device, other, in_play, client):
    url = reading_link(device, in_play)
    path, token = url.split("#")
    other.open_link(url)
    assert client.post(path, {"token": token}).status_code == 302
    number = Link.objects.get(role="reader").pk
    assert "View-only link" in text(device.get(f"{in_play}share/"))
    assert device.post(f"{in_play}links/{number}/revoke/").status_code == 302
    for phone in (other, client):
        assert "paste the link" in text(phone.get(path))
        assert phone.post(path, {"token": token}).status_code == 404
    assert device.post(f"{in_play}links/{number}/revoke/").status_code == 409


def test_answers_do_not_reveal_which_links_exist(device, other, in_play):
    path = reading_link(device, in_play).split("#")[0]
    ours, none = (
        re.sub(r"/read/\d+/|value=\"\w{64}\"", "", other.get(each).content.decode()) for each in (path, "/read/9/")
    )
    assert ours == none
    assert other.post(path, {"token": "nonsense"}).status_code == other.post("/read/9/", {"token": "x"}).status_code


def test_a_missing_hand_gets_no_link(device, in_play):
    for wrong in ("3", "0", "99999999999999999999"):
        assert device.post(f"{in_play}readings/", {"hand": wrong}).status_code == 404
    assert not Link.objects.filter(role="reader").exists()


def test_hidden_points_are_not_revealed(device, other):
    house = {"option-totals": "1", "end": "hands", "end-hands": "2"}
    hiding = device.open_table("ace-pit", ("Ann", "Bob"), 1, **house)
    device.tap(hiding, "result", points=["235", "345"])
    shown = text(other.open_link(reading_link(device, hiding)))
    assert ("Points are hidden until the game is over." in shown, "235" in shown) == (True, False)


def test_a_reading_page_is_forgotten_on_this_device_only(device, other, in_play):
    url = reading_link(device, in_play)
    other.open_link(url)
    path = url.split("#")[0]
    assert other.post(path, {"forget": "1"})["Location"] == "/"
    assert "paste the link" in text(other.get(path))
    assert other.open_link(url).status_code == 200


def test_the_log_shows_who_recorded_what(device, other, in_play):
    other.open_link(make_link(device, in_play, "player:2"))
    assert other.tap(in_play, "play", seat="2", cards="9MS").status_code == 302
    log = device.get(f"{in_play}log/").content.decode()
    assert re.findall(r'class="muted who">([^<]+)<', log)[:2] == ["Cy", "Scorekeeper"]


def test_a_record_can_be_downloaded_from_the_table_and_the_group(device, thursday):
    address = device.open_table(group=code_of(thursday))
    assert f'href="{address}export/text/" download' in device.get(address).content.decode()
    for part in ("history/", "more/"):
        assert f'href="{thursday}export/history/" download' in device.get(f"{thursday}{part}").content.decode()
