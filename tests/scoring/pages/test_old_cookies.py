"""The cookie of earlier releases, which held codes and tokens: what it allowed is kept over the upgrade."""

import pytest
from django.core import signing

from scoring.models import Device as StoredDevice
from scoring.models import Link
from scoring.queries.access import token_hash
from scoring.services.devices import OLD_COOKIE, OLD_SALT
from tests.scoring.conftest import open_table
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.phones import address_of, tap, the_cookie


def old_phone(*kept):
    """Return a phone with a cookie as earlier releases gave it: codes and tokens."""
    phone = Device()
    phone.cookies[OLD_COOKIE] = signing.dumps(kept, salt=OLD_SALT, compress=True)
    return phone


def test_a_tap_with_an_old_cookie_is_recorded(table):
    """A page that was open over the upgrade: its next tap is the first that the new release sees of it."""
    assert tap(old_phone((table.code, table.token)), address_of(table)) == 302


def test_nothing_that_an_old_cookie_held_is_lost(table):
    kept, looked_at, closed = table, open_table(), open_table(private=True)
    revoked = closed.link("player", 0)
    Link.objects.filter(token_hash=token_hash(revoked)).update(revoked="2026-01-01T00:00Z")
    phone = old_phone((kept.code, kept.token), (looked_at.code, ""), (closed.code, revoked))
    page = phone.get("/")
    assert [address_of(each) in page.content.decode() for each in (kept, looked_at, closed)] == [True, True, False]
    assert page.cookies[OLD_COOKIE]["max-age"] == 0
    del phone.cookies[OLD_COOKIE]
    assert tap(phone, address_of(kept)) == 302
    assert tap(phone, address_of(looked_at)) == 403
    assert len(the_cookie(phone).value) < 200


def test_two_old_phones_with_one_link_both_keep_it(table):
    phones = [old_phone((table.code, table.token)), old_phone((table.code, table.token), (open_table().code, ""))]
    assert tap(phones[0], address_of(table)) == 302
    assert tap(phones[1], address_of(table), 1, "XS") == 302
    assert tap(Device(), f"{address_of(table)}", 2, "XM") == 403


def test_an_old_cookie_is_one_device_however_often_it_comes(table):
    phone = old_phone((table.code, table.token))
    for _ in range(3):
        assert phone.post(f"{address_of(table)}undo/").status_code == 412
    assert StoredDevice.objects.count() == 1


def test_what_was_forgotten_does_not_come_back_with_it(table):
    phone = old_phone((table.code, table.token))
    old = phone.cookies[OLD_COOKIE].value
    phone.post(f"{address_of(table)}forget/")
    phone.cookies[OLD_COOKIE] = old
    assert tap(phone, address_of(table)) == 403


@pytest.mark.parametrize(
    "cookie",
    ["forged", "", signing.dumps([1, 2], salt=OLD_SALT), signing.dumps([], salt="x")],
    ids=["forged", "empty", "another shape", "signed for something else"],
)
def test_what_is_no_old_cookie_is_none(device, cookie):
    device.cookies[OLD_COOKIE] = cookie
    assert device.get("/").status_code == 200
    assert not StoredDevice.objects.exists()
