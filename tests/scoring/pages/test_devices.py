"""What a device may do lies in the database; its cookie says only which device it is."""

import re
from datetime import timedelta

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.test.utils import CaptureQueriesContext, override_settings
from django.utils import timezone

from scoring.models import Device as StoredDevice
from scoring.models import DeviceTable, Link, Role, Table, TableEvent
from scoring.services import devices, seen
from scoring.services.devices import cookie_for, new_secret
from tests.scoring.conftest import open_table
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.phones import address_of, tap, the_cookie, with_link

# -- as many tables as there are ----------------------------------------------------------------


def test_forty_tables_on_one_phone_all_stay_writable(device):
    first = device.open_table()
    size = len(the_cookie(device).value)
    opened = [first, *(device.open_table() for _ in range(39))]
    assert len(the_cookie(device).value) == size < 200
    assert {tap(device, address) for address in opened} == {302}


def test_tables_that_are_looked_at_take_no_right_away(device):
    own = device.open_table()
    for _ in range(31):
        device.get(address_of(open_table()))
    assert tap(device, own) == 302


def test_the_front_page_has_all_of_them_in_pages(device):
    opened = {device.open_table() for _ in range(33)}
    pages = [device.get("/", {"page": str(number)}).content.decode() for number in (1, 2)]
    listed = [set(re.findall(r'class="row" href="(/t/\w+/)"', page)) for page in pages]
    assert [len(each) for each in listed] == [30, 3]
    assert listed[0] | listed[1] == opened
    assert "Earlier tables" in pages[0]
    assert "Later tables" in pages[1]


def test_a_table_that_another_process_has_deleted_is_gone_for_a_tap(device):
    address = device.open_table()
    assert tap(device, address) == 302  # from now on this process knows the table and the right
    Table.objects.filter(code=address.split("/")[2]).delete()
    assert tap(device, address) == 404


def test_running_tables_come_first(device):
    kept, ended = (device.open_table() for _ in range(2))
    tap(device, ended)
    device.tap(ended, "end", reason="Late.")
    page = device.get("/").content.decode()
    assert page.index(f'class="row" href="{kept}"') < page.index(f'class="row" href="{ended}"')


@pytest.mark.parametrize(
    "kind",
    [
        {},
        {"end": {"kind": "time", "value": 60}},
        {"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 0, "options": {"totals": "hidden"}},
    ],
)
def test_a_list_of_many_takes_no_more_statements_than_one_of_few(device, kind):
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
def test_scripts_and_other_sites_do_not_get_a_cookie_and_tls_keeps_it_to_itself(device, proto):
    """The proxy says how the phone asks. A page that the browser has kept reads the language that was chosen since."""
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


def test_a_phone_that_comes_over_tls_for_the_first_time_keeps_all_it_has(device):
    """From then on its cookie has a name that no other host can give; what another one put beside it counts nothing."""
    address = device.open_table()
    plain = the_cookie(device)
    over_tls = override_settings(COOKIE_PREFIX="__Host-", SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https"))
    with over_tls:
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


def test_what_a_stranger_says_of_tls_counts_for_nothing_without_a_proxy(device):
    device.get(device.open_table(), headers={"X-Forwarded-Proto": "https"})
    assert not the_cookie(device)["secure"]


def test_nothing_that_is_stored_opens_anything(device):
    """Who reads the database, or a copy of it, has nobody's right."""
    address = device.open_table(private="1")
    kept = StoredDevice.objects.get().secret_hash
    assert kept not in the_cookie(device).value
    for value in (kept, cookie_for(kept)[1]):
        thief = Device()
        thief.cookies[the_cookie(device).key] = value
        assert thief.get(address).status_code == 404
        assert thief.get(address, headers={"Authorization": f"Bearer {kept}"}).status_code == 404


def test_a_guessed_device_has_nothing(device):
    address = device.open_table(private="1")
    eve = Device()
    name, signed = cookie_for(new_secret())
    for value in ("guessed", new_secret(), signed, ""):
        eve.cookies[name] = value
        assert eve.get(address).status_code == 404
        assert tap(eve, address) == 404


def test_a_device_that_lost_its_cookie_has_nothing(device):
    address = device.open_table()
    assert tap(device, address) == 302
    device.cookies.clear()
    assert tap(device, address, 1, "XS") == 403
    assert address not in device.get("/").content.decode()


def test_two_first_visits_at_once_lose_neither(table, db):
    """Two tabs that are opened at once bring no cookie; each answer gives one, and the browser keeps both."""
    tables = [table, open_table()]
    tabs = [with_link(each, "scorekeeper") for each in tables]
    phone = Device()
    for tab in tabs:
        phone.cookies.update(tab.cookies)
    assert [tap(phone, address_of(each)) for each in tables] == [302, 302]
    assert {address_of(each) in phone.get("/").content.decode() for each in tables} == {True}
    third = phone.open_table()
    assert tap(phone, third) == 302
    assert len([name for name in phone.cookies if name.startswith("device-")]) == 2


@pytest.mark.parametrize("why", [OperationalError("database or disk is full"), InterfaceError("connection is closed")])
def test_pages_go_on_while_nothing_can_be_noted_down(device, other, monkeypatch, why):
    """A disk that is full keeps nobody from looking on."""

    def away(*_values):
        raise why

    address = device.open_table()
    monkeypatch.setattr("scoring.services.devices.put_on_device", away)
    assert [other.get(address).status_code for _ in range(2)] == [200, 200]


def test_a_page_that_only_asks_what_is_new_writes_nothing(device, other):
    address = device.open_table()
    for _ in range(3):
        other.get(address, headers={"HX-Request": "true"})
    assert DeviceTable.objects.count() == 1


def test_what_walks_through_the_net_and_keeps_no_cookie_leaves_nothing(device):
    address = device.open_table()
    for _ in range(3):
        assert Device().get(address).status_code == 200
        assert Device().get("/find/", {"code": address.split("/")[2]}).status_code == 302
    assert StoredDevice.objects.count() == DeviceTable.objects.count() == 1


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_device_that_comes_back_with_its_cookie_has_the_table(device, other, headers):
    address = device.open_table()
    other.get(address)
    assert address not in other.get("/").content.decode()
    other.get(address, headers=headers)
    assert address in other.get("/").content.decode()


def test_a_device_without_a_table_is_forgotten_after_a_week_and_known_when_it_comes_back(device):
    address = device.open_table()
    device.post(f"{address}forget/")
    week_ago = timezone.now() - timedelta(days=7)
    assert devices.forget_empty_devices(week_ago) == 0
    StoredDevice.objects.update(created=week_ago - timedelta(seconds=1))
    assert devices.forget_empty_devices(week_ago) == 1
    cookie = the_cookie(device).value
    device.get(address)
    assert (the_cookie(device).value, DeviceTable.objects.count()) == (cookie, 1)


JUNK = ("", "x" * 8_000, "\xe9\x80\xff", "\x00", ":" * 50, '"\\777"', "=", f"{'a' * 43}:{'a' * 43}")


def test_junk_beside_the_cookie_of_a_device_takes_nothing_from_it_and_asks_no_database(device):
    """Another site under the same name can put cookies there; by their names they come first."""
    address = device.open_table()
    junk = "; ".join(f"device-!{number}={value}" for number, value in enumerate((*JUNK, *JUNK[-1:] * 8)))
    own = f"{the_cookie(device).key}={the_cookie(device).value}"
    assert address in device.get("/", headers={"Cookie": f"{junk}; {own}"}).content.decode()
    with CaptureQueriesContext(connection) as statements:
        assert Device().get("/", headers={"Cookie": f"{junk}; {own}junk"}).status_code == 200
    assert not [each for each in statements if "secret_hash" in each["sql"]]


# -- forgetting ---------------------------------------------------------------------------------


def test_forgetting_here_keeps_it_there(table):
    here, there = with_link(table, "scorekeeper"), with_link(table, "scorekeeper")
    assert tap(here, address_of(table)) == 302
    here.post(f"{address_of(table)}forget/")
    assert tap(here, address_of(table), 1, "XS") == 403
    assert address_of(table) not in here.get("/").content.decode()
    assert tap(there, address_of(table), 1, "XS") == 302
    assert Link.objects.filter(revoked=None).count() == 3


def test_what_was_forgotten_is_gone_in_every_process(table):
    """Another process remembers the right; the statement that writes finds out."""
    phone = with_link(table, "scorekeeper")
    assert tap(phone, address_of(table)) == 302
    remembered = dict(seen.link_cache._entries)
    phone.post(f"{address_of(table)}forget/")
    for key, link in remembered.items():
        seen.link_cache.put(key, link)
    assert tap(phone, address_of(table), 1, "XS") == 403
    assert TableEvent.objects.count() == 1


# -- what it costs ------------------------------------------------------------------------------


def test_a_tap_looks_for_no_device(device):
    """The statement that writes asks for the right; nothing else does."""
    address = device.open_table()
    device.get(address)
    device.tap(address, "play", htmx=True, seat="0", cards="8MS")
    with CaptureQueriesContext(connection) as statements:
        assert device.tap(address, "play", htmx=True, seat="1", cards="XS").status_code == 200
    named = [each["sql"] for each in statements if "scoring_device" in each["sql"]]
    assert len(named) == 1
    assert named[0].startswith("UPDATE")


def test_a_phone_is_let_in_by_one_statement(device):
    address = device.open_table()
    device.get(address)
    code = address.strip("/").split("/")[-1]
    from scoring.services.table_access import Known, admit

    known = devices.devices_of({the_cookie(device).key: the_cookie(device).value})
    with CaptureQueriesContext(connection) as statements:
        admission = admit(code, {}, devices=known)
        assert admission.link is not None
        assert (admission.table.code, admission.link.role, admission.known) == (code, Role.SCOREKEEPER, Known.YES)
    assert len(statements) == 1
