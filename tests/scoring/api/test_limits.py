"""Limits: too many wrong codes, too many writes."""

import re
from hashlib import sha256

import pytest
from django.conf import settings as configured
from django.test import override_settings

from scoring.models import Tally
from scoring.services.addresses import client_address
from tests.scoring.conftest import open_table, play


@pytest.fixture
def three_codes():
    with override_settings(WRONG_CODES_PER_HOUR=3):
        yield


@pytest.fixture
def two_writes():
    with override_settings(WRITES_PER_MINUTE=2):
        yield


def guess(client, **more):
    return client.get("/api/v1/tables/ZZZZZZZZ/", **more)


def test_it_works(eve, table, three_codes):
    assert [guess(eve).status_code for _ in range(4)] == [404, 404, 404, 429]
    answer = eve.get(f"/api/v1/tables/{table.code}/")
    assert (answer.status_code, answer.json()["code"]) == (429, "throttled")
    assert answer["Content-Type"] == "application/problem+json"
    assert 3590 <= int(answer["Retry-After"]) <= 3600
    assert answer.json()["detail"].endswith(f"Expected available in {answer['Retry-After']} seconds.")


def test_who_holds_a_link_is_let_in_all_the_same(ann, eve, table, three_codes):
    for _ in range(5):
        guess(eve)
    assert ann.get(f"/api/v1/tables/{table.code}/").status_code == 200


def test_another_address_is_another_guest(eve, three_codes):
    for _ in range(5):
        guess(eve)
    assert guess(eve, REMOTE_ADDR="192.0.2.7").status_code == 404


def test_a_private_table_counts_as_a_wrong_code(eve, three_codes):
    table = open_table(private=True)
    answers = [eve.get(f"/api/v1/tables/{table.code}/").status_code for _ in range(4)]
    assert answers == [404, 404, 404, 429]


def test_the_hour_passes(eve, three_codes):
    for _ in range(5):
        guess(eve)
    Tally.objects.update(until=1)
    assert guess(eve).status_code == 404
    assert Tally.objects.get().count == 1


def test_addresses_are_kept_so_that_nobody_reads_them(eve, three_codes):
    """Whoever has the database and tries all addresses finds none: the key needs the server's secret."""
    guess(eve, REMOTE_ADDR="192.0.2.7")
    with override_settings(SECRET_KEY="another server's"):
        guess(eve, REMOTE_ADDR="192.0.2.7")
    kept = {tally.key for tally in Tally.objects.all()}
    assert len(kept) == 2
    assert all(re.fullmatch("[0-9a-f]{64}", key) for key in kept)
    assert sha256(b"192.0.2.7").hexdigest() not in kept


@pytest.mark.parametrize(
    ("meta", "proxies", "address"),
    [
        ({"REMOTE_ADDR": "192.0.2.7"}, 0, "192.0.2.7"),
        ({"REMOTE_ADDR": "192.0.2.7", "HTTP_X_FORWARDED_FOR": "198.51.100.1"}, 0, "192.0.2.7"),
        ({"REMOTE_ADDR": "10.0.0.1", "HTTP_X_FORWARDED_FOR": "203.0.113.9, 198.51.100.1"}, 1, "198.51.100.1"),
        ({"REMOTE_ADDR": "10.0.0.1"}, 1, "10.0.0.1"),
        ({"REMOTE_ADDR": "::ffff:192.0.2.7"}, 0, "192.0.2.7"),
        ({"REMOTE_ADDR": "2001:db8:1:2:3:4:5:6"}, 0, "2001:0db8:0001:0002::"),
        ({}, 0, ""),
    ],
)
def test_an_address_is_where_somebody_is(meta, proxies, address):
    with override_settings(PROXIES=proxies):
        assert client_address(meta) == address


def test_one_link_writes_only_so_often(ann, bob, table, two_writes):
    url = f"/api/v1/tables/{table.code}/events/"
    note = {"type": "note", "text": "Hm."}
    assert [ann.post(url, note).status_code for _ in range(3)] == [201, 201, 429]
    answer = ann.post(f"/api/v1/tables/{table.code}/undo/", {})
    assert answer.status_code == 429
    assert 1 <= int(answer["Retry-After"]) <= 60
    assert table.row.version == 2
    assert bob.post(url, play(1, "XS", accepted=True)).status_code == 201


def test_making_links_counts(ann, table, two_writes):
    url = f"/api/v1/tables/{table.code}/links/"
    answers = [ann.post(url, {"role": "spectator"}).status_code for _ in range(3)]
    assert answers == [201, 201, 429]


def test_the_limits_are_generous():
    assert configured.WRITES_PER_MINUTE >= 300
    assert configured.WRONG_CODES_PER_HOUR >= 50


def test_they_can_be_left_out(eve, ann, table):
    with override_settings(WRITES_PER_MINUTE=0, WRONG_CODES_PER_HOUR=0):
        guess(eve)
        assert not Tally.objects.exists()
        ann.post(f"/api/v1/tables/{table.code}/events/", play(0, "8MS"))
        assert table.row.writes == {}
