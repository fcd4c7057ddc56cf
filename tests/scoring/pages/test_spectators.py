"""What a spectator's page fetches when its table changes: the current table, under current rights."""

from scoring.models import Link
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.test_sharing import join, make_link

OPEN_LOG = {"Table-Open": "log"}


def fetch(device: Device, address: str, **headers: str) -> tuple[int, str]:
    answer = device.get(address, headers={"HX-Request": "true", **headers})
    return answer.status_code, answer.content.decode()


def test_all_spectators_see_every_change_identically(table, other):
    address, another = f"/t/{table.code}/", Device()
    for note in ("The first note.", "The second note."):
        table.record({"type": "note", "text": note})
        status, page = fetch(other, address, **OPEN_LOG)
        assert (status, page) == fetch(another, address, **OPEN_LOG)
        assert status == 200
        assert note in page


def test_each_page_gets_its_open_folds_in_its_language(table, other):
    address = f"/t/{table.code}/"
    table.record({"type": "note", "text": "The first note."})
    closed = fetch(other, address)[1]
    assert "The first note." not in closed
    assert "The first note." in fetch(other, address, **OPEN_LOG)[1]
    assert fetch(other, address, **{"Accept-Language": "de"})[1] != closed
    assert fetch(other, address)[1] == closed


def test_only_users_who_can_record_get_forms(device, other):
    address = device.open_table()
    player = join(make_link(device, address, "player:1"))
    for phone, records in ((device, True), (player, True), (other, False), (device, True)):
        assert ("<form" in fetch(phone, address)[1]) is records


def test_a_withdrawn_right_ends_at_once(device, other):
    address = device.open_table()
    invited = join(make_link(device, address, "spectator"))
    assert fetch(other, address)[0] == fetch(invited, address)[0] == 200
    assert device.post(f"{address}private/", {"private": "1"}).status_code == 302
    assert [fetch(phone, address)[0] for phone in (other, invited)] == [404, 200]
    number = max(link.pk for link in Link.objects.filter(role="spectator"))
    assert device.post(f"{address}links/{number}/revoke/").status_code == 302
    assert fetch(invited, address)[0] == 404
