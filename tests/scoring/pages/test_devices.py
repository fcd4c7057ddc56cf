"""Devices and their links."""

import re
from datetime import timedelta

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.test.utils import CaptureQueriesContext, override_settings
from django.utils import timezone

from scoring.models import Device as StoredDevice
from scoring.models import DeviceTable, Link, Role, Table, TableEvent
from scoring.tables.acts import access, holding
from scoring.tables.acts.access import Known, admit, cookie_for, new_secret
from tests.scoring.conftest import holder, open_table, play
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.phones import address_of, code_of, of_a_player, tap, the_cookie, with_link
from tests.scoring.pages.reading import text

# --- A device's rights are in the database; its cookie only identifies it


def test_one_phone_can_record_at_forty_tables(device):
    first = device.open_table()
    size = len(the_cookie(device).value)
    opened = [first, *(device.open_table() for _ in range(39))]
    assert len(the_cookie(device).value) == size < 200
    assert {tap(device, address) for address in opened} == {302}


def test_the_front_page_lists_all_tables_in_pages(device):
    opened = {device.open_table() for _ in range(33)}
    Table.objects.update(finished=True)
    pages = [device.get("/", {"page": str(number)}).content.decode() for number in (1, 2)]
    listed = [set(re.findall(r'class="row" href="(/t/\w+/)"', page)) for page in pages]
    assert [len(each) for each in listed] == [30, 3]
    assert listed[0] | listed[1] == opened
    assert ("Earlier games" in pages[0], "Later games" in pages[1]) == (True, True)


def test_a_tap_at_a_table_deleted_by_another_process_is_refused(device):
    address = device.open_table()
    assert tap(device, address) == 302  # from now on this process has cached the table and the right
    Table.objects.filter(code=code_of(address)).delete()
    assert tap(device, address) == 404


@pytest.mark.parametrize(
    "kind",
    [
        {},
        {"end": {"kind": "time", "value": 60}},
        {"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 0, "options": {"totals": "hidden"}},
    ],
)
def test_query_count_does_not_grow_with_the_list(device, kind):
    def statements(more):
        for _ in range(more):
            table = open_table(**kind)
            table.record({"type": "note", "text": "Hm."})
            table.record({"type": "end", "reason": "Late."})
            device.post(f"{address_of(table)}join/", {"token": table.token})
        with CaptureQueriesContext(connection) as asked:
            assert device.get("/").status_code == 200
        return len(asked)

    few = statements(3)
    assert statements(12) == few <= 6


# -- the cookie ---------------------------------------------------------------------------------


@pytest.mark.parametrize("proto", ["http", "https"])
def test_scripts_other_sites_and_plain_http_never_see_a_cookie(device, proto):
    """The proxy reports the phone's scheme. A page from the browser's cache reads the language chosen since."""
    with override_settings(SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https")):
        device.defaults["HTTP_X_FORWARDED_PROTO"] = proto
        address = device.open_table()
        device.get(address, {"depth": "result"}, follow=True)
        device.post("/language/", {"language": "de"})
    for name in (the_cookie(device).key, "csrftoken", "language", "depth"):
        cookie = device.cookies[name]
        kept = (bool(cookie["httponly"]), cookie["samesite"], bool(cookie["secure"]))
        assert kept == (name != "language", "Lax", proto == "https")
    assert the_cookie(device)["max-age"] > 365 * 24 * 3600


def test_a_phone_keeps_everything_when_it_moves_to_https(device):
    """From then on its cookie has the __Host- prefix."""
    address = device.open_table()
    plain = the_cookie(device)
    with override_settings(COOKIE_PREFIX="__Host-", SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https")):
        device.defaults["HTTP_X_FORWARDED_PROTO"] = "https"
        assert device.get(address).status_code == 200
        assert tap(device, address) == 302
        named = device.cookies[f"__Host-{plain.key}"]
        assert (named.value, bool(named["secure"]), named["path"], named["domain"]) == (plain.value, True, "/", "")
        assert device.cookies[plain.key]["max-age"] == 0
        other = Device()
        elsewhere = other.open_table(private="1")
        stranger = the_cookie(other, "__Host-device-")
        device.cookies[stranger.key.removeprefix("__Host-")] = stranger.value
        assert device.get(elsewhere).status_code == 404


def test_forwarded_proto_is_ignored_without_a_trusted_proxy(device):
    device.get(device.open_table(), headers={"X-Forwarded-Proto": "https"})
    assert not the_cookie(device)["secure"]


def test_a_guessed_device_id_has_nothing(device):
    address = device.open_table(private="1")
    eve = Device()
    name, signed = cookie_for(new_secret())
    for value in ("guessed", new_secret(), signed, ""):
        eve.cookies[name] = value
        assert eve.get(address).status_code == 404
        assert tap(eve, address) == 404


def test_two_concurrent_first_visits_keep_both_their_tables(table, db):
    """Two tabs opened at once send no cookie, and each gets one."""
    tables = [table, open_table()]
    tabs = [with_link(each, "scorekeeper") for each in tables]
    phone = Device()
    for tab in tabs:
        phone.cookies.update(tab.cookies)
    assert [tap(phone, address_of(each)) for each in tables] == [302, 302]
    assert all(address_of(each) in phone.get("/").content.decode() for each in tables)
    assert tap(phone, phone.open_table()) == 302
    assert len([name for name in phone.cookies if name.startswith("device-")]) == 2


@pytest.mark.parametrize("why", [OperationalError("database or disk is full"), InterfaceError("connection is closed")])
def test_pages_work_while_visits_cannot_be_stored(device, other, monkeypatch, why):
    def away(*_values):
        raise why

    address = device.open_table()
    monkeypatch.setattr("scoring.tables.acts.access.put_on_device", away)
    assert [other.get(address).status_code for _ in range(2)] == [200, 200]


def test_polling_for_changes_writes_nothing(device, other):
    address = device.open_table()
    for _ in range(3):
        other.get(address, headers={"HX-Request": "true"})
    assert DeviceTable.objects.count() == 1


def test_crawlers_without_cookies_leave_no_rows(device):
    address = device.open_table()
    for _ in range(3):
        assert Device().get(address).status_code == 200
        assert Device().get("/find/", {"code": code_of(address)}).status_code == 302
    assert StoredDevice.objects.count() == DeviceTable.objects.count() == 1


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_device_that_returns_with_its_cookie_has_the_table(device, other, headers):
    address = device.open_table()
    other.get(address)
    assert address not in other.get("/").content.decode()
    other.get(address, headers=headers)
    assert address in other.get("/").content.decode()


def test_a_device_without_a_table_is_purged_after_a_week_but_recognized_on_return(device):
    address = device.open_table()
    device.post(f"{address}forget/")
    week_ago = timezone.now() - timedelta(days=7)
    assert access.forget_empty_devices(week_ago) == 0
    StoredDevice.objects.update(created=week_ago - timedelta(seconds=1))
    assert access.forget_empty_devices(week_ago) == 1
    cookie = the_cookie(device).value
    device.get(address)
    assert (the_cookie(device).value, DeviceTable.objects.count()) == (cookie, 1)


JUNK = ("", "x" * 8_000, "\xe9\x80\xff", "\x00", ":" * 50, '"\\777"', "=", f"{'a' * 43}:{'a' * 43}")


def test_junk_cookies_cost_no_query_and_keep_the_device(device):
    """Another site under the same domain can set cookies there, with names that sort first."""
    address = device.open_table()
    junk = "; ".join(f"device-!{number}={value}" for number, value in enumerate((*JUNK, *JUNK[-1:] * 8)))
    own = f"{the_cookie(device).key}={the_cookie(device).value}"
    assert address in device.get("/", headers={"Cookie": f"{junk}; {own}"}).content.decode()
    with CaptureQueriesContext(connection) as statements:
        assert Device().get("/", headers={"Cookie": f"{junk}; {own}junk"}).status_code == 200
    assert not [each for each in statements if "secret_hash" in each["sql"]]


# -- forgetting ---------------------------------------------------------------------------------


def test_forgetting_a_table_on_one_device_keeps_it_elsewhere(table):
    here, there = with_link(table, "scorekeeper"), with_link(table, "scorekeeper")
    assert tap(here, address_of(table)) == 302
    here.post(f"{address_of(table)}forget/")
    assert tap(here, address_of(table), 1, "XS") == 403
    assert address_of(table) not in here.get("/").content.decode()
    assert tap(there, address_of(table), 1, "XS") == 302
    assert Link.objects.filter(revoked=None).count() == 3


def test_a_forgotten_table_is_gone_in_every_process(table):
    phone = with_link(table, "scorekeeper")
    assert tap(phone, address_of(table)) == 302
    remembered = dict(holding.link_cache._entries)
    phone.post(f"{address_of(table)}forget/")
    for key, link in remembered.items():
        holding.link_cache.put(key, link)
    assert tap(phone, address_of(table), 1, "XS") == 403
    assert TableEvent.objects.count() == 1


# -- what it costs ------------------------------------------------------------------------------


def test_a_tap_needs_no_device_query(device):
    address = device.open_table()
    device.get(address)
    device.tap(address, "play", htmx=True, seat="0", cards="8MS")
    with CaptureQueriesContext(connection) as statements:
        assert device.tap(address, "play", htmx=True, seat="1", cards="XS").status_code == 200
    (named,) = [each["sql"] for each in statements if "scoring_device" in each["sql"]]
    assert named.startswith("UPDATE")


def test_admitting_a_phone_takes_one_query(device):
    address = device.open_table()
    device.get(address)
    known = access.devices_of({the_cookie(device).key: the_cookie(device).value})
    with CaptureQueriesContext(connection) as statements:
        admission = admit(code_of(address), {}, devices=known)
        assert admission.link is not None
        told = (admission.table.code, admission.link.role, admission.known)
    assert (told, len(statements)) == ((code_of(address), Role.SCOREKEEPER, Known.YES), 1)


# --- A link is for one device, and the strongest of several on a phone counts


def opened_on(device, table, token):
    device.post(f"{address_of(table)}join/", {"token": token}, follow=True)
    return device


def test_a_links_address_stops_working_once_a_phone_has_claimed_it(table):
    token = table.link("player", 1)
    bob, eve = Device(), Device()
    assert tap(opened_on(bob, table, token), address_of(table)) == 403
    table.record(play(0, "8MS"))
    assert tap(opened_on(eve, table, token), address_of(table), 1, "XS") == 403
    assert "You are watching" in text(eve.get(address_of(table)))
    assert tap(opened_on(bob, table, token), address_of(table), 1, "XS") == 302


def test_a_used_link_does_not_reopen_a_private_table(table):
    token = table.link("spectator")
    Table.objects.update(private=True)
    opened_on(Device(), table, token)
    assert Device().post(f"{address_of(table)}join/", {"token": token}).status_code == 404


def test_a_link_preview_does_not_use_up_the_link(table):
    """Messengers fetch an address to show a preview; they keep no cookie."""
    token = table.link("player", 0)
    for _ in range(3):
        preview = Device()
        preview.post(f"{address_of(table)}join/", {"token": token})
        preview.cookies.clear()
        preview.get(address_of(table))
    assert tap(opened_on(Device(), table, token), address_of(table)) == 302
    assert DeviceTable.objects.filter(link__role=Role.PLAYER).count() == 1


def test_the_first_phone_to_confirm_keeps_the_link(table):
    token = table.link("player", 0)
    ann, eve = Device(), Device()
    for phone in (ann, eve):
        phone.post(f"{address_of(table)}join/", {"token": token})
    assert tap(ann, address_of(table)) == 302
    assert tap(eve, address_of(table)) == 403


def test_a_claimed_link_is_not_claimed_again(table):
    """Two phones return at the same moment; the second finds the link claimed."""
    link = Link.objects.get()
    first, second = (
        DeviceTable.objects.create(table=link.table, link=link, device=StoredDevice.objects.create(secret_hash=name))
        for name in ("first", "second")
    )
    access.take_link(link, first)
    access.take_link(link, second)
    assert DeviceTable.objects.get() == first


def test_a_program_can_keep_using_the_token(table):
    token = table.link("player", 0)
    assert tap(opened_on(Device(), table, token), address_of(table)) == 302
    assert holder(token).get(f"/api/v1/tables/{table.code}/links/").status_code == 403
    assert holder(token).post(f"/api/v1/tables/{table.code}/undo/").status_code == 201


def test_the_scorekeeper_sees_unopened_links(device):
    address = device.open_table()
    phone = of_a_player(address, 1)
    assert "not opened yet" in text(device.get(f"{address}share/"))
    phone.get(address)
    assert "not opened yet" not in text(device.get(f"{address}share/"))


# -- several links to one table -----------------------------------------------------------------


def turn_off(table, **which):
    """Revoke the one link described."""
    link = Link.objects.get(**which)
    assert table.keeper.delete(f"{table.url}links/{link.pk}/").status_code == 204


@pytest.mark.parametrize("order", [("player", "scorekeeper"), ("scorekeeper", "player")])
def test_the_stronger_of_two_links_on_a_phone_counts(table, order):
    phone = Device()
    for role in order:
        with_link(table, role, 1 if role == "player" else None, device=phone)
        phone.get(address_of(table))
    assert tap(phone, address_of(table)) == 302
    assert TableEvent.objects.get().by == "scorekeeper"


def test_without_the_stronger_link_the_other_still_counts(table):
    phone = with_link(table, "player", 1)
    phone.get(address_of(table))
    with_link(table, "scorekeeper", device=phone)
    assert tap(phone, address_of(table)) == 302
    turn_off(table, role=Role.SCOREKEEPER, taken__isnull=False)
    assert tap(phone, address_of(table), 2, "XM") == 403
    assert tap(phone, address_of(table), 1, "XS") == 302
    assert [entry.by for entry in TableEvent.objects.order_by("seq")] == ["scorekeeper", "player-1"]
    turn_off(table, role=Role.PLAYER)
    assert "You are watching" in text(phone.get(address_of(table)))


def test_a_player_becomes_the_scorekeeper_in_every_process(table):
    """Another process has cached this phone's old role; the next tap there is the scorekeeper's."""
    phone = with_link(table, "player", 1)
    phone.get(address_of(table))
    (known,) = (key for key in holding.link_cache._entries if key[:2] == (table.code, "device"))
    before = holding.link_cache._entries[known]
    with_link(table, "scorekeeper", device=phone)
    holding.link_cache.put(known, before)
    assert [tap(phone, address_of(table), *play) for play in ((0, "8MS"), (1, "XS"))] == [302, 302]
    assert [entry.by for entry in TableEvent.objects.all()] == ["scorekeeper"] * 2


def test_revoking_a_link_locks_its_phone_and_keeps_the_log(table):
    bob = with_link(table, "player", 0)
    assert tap(bob, address_of(table)) == 302
    turn_off(table, role=Role.PLAYER)
    assert tap(bob, address_of(table), 0, "XS") == 403
    assert TableEvent.objects.get().by == "player-0"
    assert address_of(table) in bob.get("/").content.decode()
    Table.objects.update(private=True)
    assert address_of(table) not in bob.get("/").content.decode()
    assert bob.get(address_of(table)).status_code == 404


@pytest.mark.parametrize(("role", "seat"), [("player", 0), ("scorekeeper", None), ("spectator", None)])
@pytest.mark.parametrize("htmx", [False, True], ids=["page", "fragment"])
def test_a_phone_sees_that_its_link_was_turned_off(table, role, seat, htmx):
    told = "This phone’s link to the table was turned off."
    headers = {"HX-Request": "true"} if htmx else {}
    bob, eve = with_link(table, role, seat), Device()

    def page(phone):
        return text(phone.get(address_of(table), headers=headers))

    assert told not in page(bob) + page(eve)
    turn_off(table, taken__isnull=False)
    assert f"{told} You are watching." in page(bob)
    late = bob.tap(address_of(table), "play", seat="0", cards="8MS", htmx=htmx)
    assert (late.status_code, told in text(late)) == (403, True)
    assert told not in page(eve) + page(eve)
    Table.objects.update(private=True)
    assert told in page(bob)
    assert "turned off" not in page(eve)
