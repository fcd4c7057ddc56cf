"""A link is for one device, and of several on one phone the strongest counts."""

import pytest

from scoring.models import Device as StoredDevice
from scoring.models import DeviceTable, Link, Role, Table, TableEvent
from scoring.services import devices, seen
from scoring.services.tables import make_link
from tests.scoring.conftest import holder, play
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.phones import address_of, tap, with_link
from tests.scoring.pages.reading import text


def test_the_address_of_a_link_is_dead_once_a_phone_has_it(table):
    token = table.link("player", 1)
    bob, eve = Device(), Device()
    assert tap(bob_with(bob, table, token), address_of(table)) == 403
    table.record(play(0, "8MS"))
    assert tap(eve_with(eve, table, token), address_of(table), 1, "XS") == 403
    assert "You are watching" in text(eve.get(address_of(table)))
    assert tap(bob_with(bob, table, token), address_of(table), 1, "XS") == 302


def bob_with(device, table, token):
    device.post(f"{address_of(table)}join/", {"token": token}, follow=True)
    return device


eve_with = bob_with


def test_nor_does_it_open_a_private_table_again(table):
    token = table.link("spectator")
    Table.objects.update(private=True)
    bob_with(Device(), table, token)
    assert Device().post(f"{address_of(table)}join/", {"token": token}).status_code == 404


def test_who_only_looks_where_an_address_leads_to_does_not_use_it_up(table):
    """Messengers fetch an address to show a preview of it; they keep no cookie."""
    token = table.link("player", 0)
    for _ in range(3):
        preview = Device()
        preview.post(f"{address_of(table)}join/", {"token": token})
        preview.cookies.clear()
        preview.get(address_of(table))
    assert tap(bob_with(Device(), table, token), address_of(table)) == 302
    assert DeviceTable.objects.filter(link__role=Role.PLAYER).count() == 1


def test_of_two_that_open_it_at_once_the_first_to_come_back_has_it(table):
    token = table.link("player", 0)
    ann, eve = Device(), Device()
    for phone in (ann, eve):
        phone.post(f"{address_of(table)}join/", {"token": token})
    assert tap(ann, address_of(table)) == 302
    assert tap(eve, address_of(table)) == 403


def test_a_link_that_is_taken_is_not_taken_again(table):
    """Two that come back at the same moment: the second one finds that it is gone, and takes nothing away."""
    link = Link.objects.get()
    first, second = (
        DeviceTable.objects.create(table=link.table, link=link, device=StoredDevice.objects.create(secret_hash=name))
        for name in ("first", "second")
    )
    devices.take_link(link, first)
    devices.take_link(link, second)
    assert DeviceTable.objects.get() == first


def test_a_program_goes_on_with_the_token(table):
    token = table.link("player", 0)
    assert tap(bob_with(Device(), table, token), address_of(table)) == 302
    assert holder(token).get(f"/api/v1/tables/{table.code}/links/").status_code == 403
    assert holder(token).post(f"/api/v1/tables/{table.code}/undo/").status_code == 201


def test_the_scorekeeper_sees_which_links_nobody_has_opened(device):
    address = device.open_table()
    row = Table.objects.get()
    token = make_link(row, Role.PLAYER, seat=1)
    assert "not opened yet" in text(device.get(f"{address}share/"))
    Device().post(f"{address}join/", {"token": token}, follow=True)
    assert "not opened yet" not in text(device.get(f"{address}share/"))


# -- several links to one table -----------------------------------------------------------------


@pytest.mark.parametrize("order", [("player", "scorekeeper"), ("scorekeeper", "player")])
def test_of_two_links_on_one_phone_the_stronger_counts_and_the_log_names_it(table, order):
    phone = Device()
    for role in order:
        with_link(table, role, 1 if role == "player" else None, device=phone)
        phone.get(address_of(table))
    assert tap(phone, address_of(table)) == 302
    assert TableEvent.objects.get().by == "scorekeeper"


def test_without_the_stronger_one_the_other_still_counts(table):
    phone = with_link(table, "player", 1)
    phone.get(address_of(table))
    number = Link.objects.get(role=Role.PLAYER).pk
    with_link(table, "scorekeeper", device=phone)
    assert tap(phone, address_of(table)) == 302
    taken = Link.objects.filter(role=Role.SCOREKEEPER, taken__isnull=False).get()
    ann = holder(table.token)
    assert ann.delete(f"/api/v1/tables/{table.code}/links/{taken.pk}/").status_code == 204
    assert tap(phone, address_of(table), 2, "XM") == 403
    assert tap(phone, address_of(table), 1, "XS") == 302
    assert [entry.by for entry in TableEvent.objects.order_by("seq")] == ["scorekeeper", "player-1"]
    assert ann.delete(f"/api/v1/tables/{table.code}/links/{number}/").status_code == 204
    assert "You are watching" in text(phone.get(address_of(table)))


def test_a_player_becomes_the_scorekeeper_in_every_process(table):
    """What another process remembers of this phone is out of date; its next tap there is the scorekeeper's."""
    phone = with_link(table, "player", 1)
    phone.get(address_of(table))
    (known,) = (key for key in seen.link_cache._entries if key[:2] == (table.code, "device"))
    before = seen.link_cache._entries[known]
    with_link(table, "scorekeeper", device=phone)
    seen.link_cache.put(known, before)
    assert tap(phone, address_of(table)) == 302
    assert tap(phone, address_of(table), 1, "XS") == 302
    assert [entry.by for entry in TableEvent.objects.all()] == ["scorekeeper"] * 2


def test_revoking_ends_it_on_the_phone_and_leaves_the_log_as_it_was(table):
    bob = with_link(table, "player", 0)
    assert tap(bob, address_of(table)) == 302
    number = Link.objects.get(role=Role.PLAYER).pk
    assert holder(table.token).delete(f"/api/v1/tables/{table.code}/links/{number}/").status_code == 204
    assert tap(bob, address_of(table), 0, "XS") == 403
    assert TableEvent.objects.get().by == "player-0"
    assert address_of(table) in bob.get("/").content.decode()
    Table.objects.update(private=True)
    assert address_of(table) not in bob.get("/").content.decode()
    assert bob.get(address_of(table)).status_code == 404


@pytest.mark.parametrize(("role", "seat"), [("player", 0), ("scorekeeper", None), ("spectator", None)])
@pytest.mark.parametrize("htmx", [False, True], ids=["page", "fragment"])
def test_a_phone_is_told_that_its_link_was_turned_off(table, role, seat, htmx):
    told = "This phone’s link to the table was turned off."
    headers = {"HX-Request": "true"} if htmx else {}
    bob, eve = with_link(table, role, seat), Device()
    for phone in (bob, eve):
        assert told not in text(phone.get(address_of(table), headers=headers))
    number = Link.objects.get(taken__isnull=False).pk
    assert holder(table.token).delete(f"/api/v1/tables/{table.code}/links/{number}/").status_code == 204
    assert f"{told} You are watching." in text(bob.get(address_of(table), headers=headers))
    late = bob.tap(address_of(table), "play", seat="0", cards="8MS", htmx=htmx)
    assert (late.status_code, told in text(late)) == (403, True)
    for _ in range(2):
        assert told not in text(eve.get(address_of(table), headers=headers))
    Table.objects.update(private=True)
    assert told in text(bob.get(address_of(table), headers=headers))
    assert "turned off" not in text(eve.get(address_of(table), headers=headers))
