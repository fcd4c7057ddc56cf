"""Rate limits, and what clients are told while the database is unavailable."""

import logging
import re
import time
from hashlib import sha256
from itertools import cycle, product
from unittest import mock
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import InternalError, OperationalError
from django.test import Client, override_settings
from psycopg.errors import InFailedSqlTransaction, ReadOnlySqlTransaction

from deploy.middleware import warn_of_proxy
from scoring.models import Link, Tally
from scoring.operating import api
from scoring.operating.acts import database, limits
from scoring.operating.acts.limits import client_address
from scoring.tables.reads.state import RecentCache
from tests.scoring.conftest import open_table, play


@pytest.fixture
def three_codes():
    with override_settings(WRONG_CODES_PER_HOUR=3):
        yield


@pytest.fixture
def two_writes():
    with override_settings(WRITES_PER_MINUTE=2):
        yield


CODES = cycle("".join(letters) for letters in product("XYZ", repeat=8))


@pytest.fixture(autouse=True)
def _nothing_was_opened_before():
    limits._opened_cache = RecentCache(20_000)


def guess(client, code="", **more):
    """Request a code no table has, a different one each time."""
    return client.get(f"/api/v1/tables/{code or next(CODES)}/", **more)


def test_after_too_many_wrong_codes_none_is_answered(eve, table, three_codes):
    assert [guess(eve).status_code for _ in range(4)] == [404, 404, 404, 429]
    answer = eve.get(table.url)
    assert (answer.status_code, answer.json()["code"]) == (429, "throttled")
    assert answer["Content-Type"] == "application/problem+json"
    assert 3590 <= int(answer["Retry-After"]) <= 3600
    assert answer.json()["detail"].endswith(f"Expected available in {answer['Retry-After']} seconds.")


def test_link_holders_are_admitted_despite_wrong_codes(ann, eve, table, three_codes):
    for _ in range(5):
        guess(eve)
    assert ann.get(table.url).status_code == 200


def test_limits_apply_per_address(eve, three_codes):
    for _ in range(5):
        guess(eve)
    assert guess(eve, REMOTE_ADDR="192.0.2.7").status_code == 404


def test_a_private_table_counts_as_a_wrong_code(eve, three_codes):
    tables = [open_table(private=True) for _ in range(4)]
    answers = [guess(eve, table.code).status_code for table in tables]
    assert answers == [404, 404, 404, 429]


def test_the_limit_resets_after_an_hour(eve, three_codes):
    for _ in range(5):
        guess(eve)
    Tally.objects.update(until=1)
    assert guess(eve).status_code == 404
    assert Tally.objects.get(key__startswith="address-").count == 1


def test_repeating_the_same_wrong_code_counts_once(eve, three_codes):
    """A page still open when its table becomes private requests it again and again."""
    assert [guess(eve, "ZZZZZZZZ").status_code for _ in range(5)] == [404] * 5
    assert [guess(eve).status_code for _ in range(3)] == [404, 404, 429]


def test_a_malformed_code_is_not_counted_as_a_guess(eve, three_codes):
    assert [guess(eve, code).status_code for code in ("health", "ZZZZ", "ZZZZZZZZZ", "0000-0000")] == [404] * 4
    assert not Tally.objects.exists()


def test_a_followed_table_stays_open_after_too_many_wrong_codes(eve, table, three_codes):
    """A club shares one address: devices with an open table are not locked out."""
    guess(eve)
    assert guess(eve, table.code).status_code == 200
    limits._opened_cache = RecentCache(20_000)  # as in another process
    for _ in range(5):
        guess(eve)
    assert guess(eve, open_table().code).status_code == 429
    assert guess(eve, table.code).status_code == 200
    assert guess(eve, table.code, REMOTE_ADDR="192.0.2.7").status_code == 200


def test_a_clock_set_back_does_not_extend_a_limit(eve, three_codes):
    now = time.time()
    for jump in (86_400, -86_400):
        with mock.patch("time.time", lambda jump=jump: now + jump):
            for _ in range(5):
                guess(eve)
            assert guess(eve).status_code == 429
        assert guess(eve).status_code == 404
        Tally.objects.all().delete()


def test_the_operator_sees_and_lifts_the_limit(eve, three_codes, capsys, caplog):
    for _ in range(4):
        guess(eve, REMOTE_ADDR="192.0.2.7")
    guess(eve)
    (line,) = [each.getMessage() for each in caplog.records if "wrong codes" in each.getMessage()]
    assert re.match(r"address-[0-9a-f]{8} has tried 3 wrong codes", line)
    call_command("limits")
    first, second = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"address-[0-9a-f]{8}: 3 of 3 wrong codes, closed, until \d\d:\d\d UTC", first)
    assert "1 of 3 wrong codes, until" in second
    call_command("limits", "--address", first.partition(":")[0])
    assert capsys.readouterr().out == f"{first}\n"
    call_command("limits", "--lift", "--address", "192.0.2.7")
    assert "Limits lifted: 1." in capsys.readouterr().out
    assert guess(eve, REMOTE_ADDR="192.0.2.7").status_code == 404
    call_command("limits", "--lift", "--address", first.partition(":")[0])
    assert "Limits lifted: 1." in capsys.readouterr().out
    call_command("limits", "--lift")
    capsys.readouterr()
    call_command("limits")
    assert capsys.readouterr().out == "No address tried a wrong code or opened too much within the hour.\n"


def test_an_undeclared_proxy_is_reported_once(eve, caplog):
    warn_of_proxy.cache_clear()
    for _ in range(2):
        eve.get("/api/v1/games/", HTTP_X_FORWARDED_FOR="198.51.100.1")
    assert [each.getMessage()[:40] for each in caplog.records] == ["Requests come through a proxy (X-Forward"]
    warn_of_proxy.cache_clear()
    with override_settings(PROXIES=1):
        eve.get("/api/v1/games/", HTTP_X_FORWARDED_FOR="198.51.100.1")
    assert len(caplog.records) == 1


def test_addresses_are_stored_as_keyed_hashes(eve, three_codes):
    """Trying all addresses on a copy of the database finds none: the hash is keyed with the server's secret."""
    guess(eve, REMOTE_ADDR="192.0.2.7")
    with override_settings(SECRET_KEY="another server's"):
        guess(eve, REMOTE_ADDR="192.0.2.7")
    kept = {tally.key for tally in Tally.objects.all()}
    assert len(kept) == 4
    assert all(re.fullmatch("(address|code)-[0-9a-f]{48}", key) for key in kept)
    assert not any(sha256(b"192.0.2.7").hexdigest()[:48] in key for key in kept)


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
        *[
            ({"REMOTE_ADDR": "10.0.0.1", "HTTP_X_FORWARDED_FOR": written}, 1, address)
            for address, several in {
                "8.8.8.3": ["8.8.8.3:1001", "::ffff:8.8.8.3", "[::ffff:8.8.8.3]:1001", "::ffff:808:803",
                            "::ffff:8.8.8.3:1001", '"8.8.8.3:1001"', "1.1.1.1:5, 8.8.8.3:65535"],
                "2001:0db8:0001:0002::": ["2001:db8:1:2:3::4", "[2001:db8:1:2:3::4]", "[2001:db8:1:2:3::4]:1001",
                                          '"[2001:db8:1:2:9::4]:443"', "2001:db8:1:2::1.2.3.4"],
                "fe80:0000:0000:0000::": ["fe80::1%eth0", "[fe80::1%eth0]:1001"],
                "unknown": ["unknown"],
            }.items()
            for written in several
        ],
    ],
)  # fmt: skip
def test_an_ipv6_network_counts_as_one_address(meta, proxies, address):
    with override_settings(PROXIES=proxies):
        assert client_address(meta) == address


def test_writes_per_link_are_limited(ann, bob, table, two_writes):
    url = f"{table.url}events/"
    note = {"type": "note", "text": "Hm."}
    assert [ann.post(url, note).status_code for _ in range(3)] == [201, 201, 429]
    answer = ann.post(f"{table.url}undo/", {})
    assert answer.status_code == 429
    assert 1 <= int(answer["Retry-After"]) <= 60
    assert table.row.version == 2
    assert bob.post(url, play(1, "XS", accepted=True)).status_code == 201


def test_creating_links_is_rate_limited(ann, table, two_writes):
    url = f"{table.url}links/"
    answers = [ann.post(url, {"role": "spectator"}).status_code for _ in range(3)]
    assert answers == [201, 201, 429]


def test_limits_can_be_turned_off(eve, ann, table):
    with override_settings(WRITES_PER_MINUTE=0, WRONG_CODES_PER_HOUR=0):
        guess(eve)
        assert not Tally.objects.exists()
        ann.post(f"{table.url}events/", play(0, "8MS"))
        assert table.row.writes == {}


# --- Limits per address: tables, which are kept forever, and time for judging

TABLE = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 0}
RECORD = {**TABLE, "format": "table-record/1", "hands": []}


@pytest.fixture
def far(db: None):
    """A client elsewhere; clients on the machine itself have no limit."""
    with override_settings(OPENINGS_PER_HOUR=2, COSTLY_SECONDS_PER_MINUTE=1):
        yield Client(REMOTE_ADDR="192.0.2.7")


@pytest.fixture(autouse=True)
def _nothing_was_judged_before(monkeypatch):
    monkeypatch.setattr(api, "_seconds_cache", RecentCache(100))


def opening(client, address="tables/", body=TABLE, **headers):
    return client.post(f"/api/v1/{address}", body, content_type="application/json", headers=headers)


def test_one_address_opens_a_limited_number_of_tables_per_hour(far):
    answers = [opening(far) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert [answer["RateLimit"].split(";")[1] for answer in answers] == ["r=1", "r=0", "r=0"]
    assert answers[0]["RateLimit-Policy"] == '"openings";q=2;w=3600'
    assert (answers[2].json()["code"], 3590 < int(answers[2]["Retry-After"]) <= 3600) == ("throttled", True)


def test_every_way_of_opening_a_table_counts(far):
    assert opening(far, "tables/import/", RECORD).status_code == 201
    assert opening(far, "groups/", {"name": "Club", "people": []}).status_code == 201
    assert opening(far, "groups/import/", {"text": "{}"}).status_code == 429
    form = {"name": ["Ann", "Bob", "Cy"], "dealer": "0", "end": "open", "rule-ties": "late"}
    assert far.post("/new/ace-trump/", form).status_code == 429
    assert far.post("/g/new/", {"name": "Club", "people": "Ann"}).status_code == 429
    assert far.post("/import/", {"text": "{}"}).status_code == 429


def test_refused_and_repeated_requests_are_not_counted(far):
    again = {"Idempotency-Key": str(uuid4())}
    tries = [opening(far, body=TABLE | {"game": "poker"}), *(opening(far, **again) for _ in range(3)), opening(far)]
    assert [answer.status_code for answer in tries] == [422, 201, 201, 201, 201]


def test_other_addresses_and_localhost_still_open_tables(far, client):
    for _ in range(3):
        opening(far)
    assert opening(Client(REMOTE_ADDR="192.0.2.8")).status_code == 201
    assert "RateLimit" not in opening(client)


def test_continuing_a_table_does_not_count_as_opening_one(far):
    table = open_table()
    table.record({"type": "end", "reason": ""})
    for _ in range(3):
        opening(far)
    token = {"Authorization": f"Bearer {table.token}"}
    played_on = opening(far, f"tables/{table.code}/continue/", {"seats": ["Ann", "Bob", "Cy"]}, **token)
    assert played_on.status_code == 201, played_on.json()


def test_the_operator_can_see_and_lift_the_limit(far, capsys):
    for _ in range(3):
        opening(far)
    call_command("limits", "--address", "192.0.2.7", "--lift")
    assert "2 of 2 opened, closed, until" in capsys.readouterr().out
    assert opening(far).status_code == 201


def test_slow_judging_is_charged_by_time(far, monkeypatch):
    monkeypatch.setattr(api, "LEAST_SECONDS", 0)
    first = opening(far, "referee/judge/", RECORD)
    assert first["RateLimit-Policy"] == '"costly-seconds";q=1;w=60'
    api._seconds_cache.put("192.0.2.7", (api._standing("192.0.2.7")[0], 1.0))
    beyond = opening(far, "referee/judge/", RECORD)
    assert (first.status_code, beyond.status_code, beyond["RateLimit"][:20]) == (200, 429, '"costly-seconds";r=0')
    assert far.get("/api/v1/games/").status_code == 200, "what costs nothing is answered all the same"


def test_normal_judging_is_never_limited(far):
    for _ in range(5):
        assert opening(far, "referee/judge/", RECORD)["RateLimit"].startswith('"costly-seconds";r=1')


def test_a_write_reports_the_remaining_limit(ann, table):
    answer = ann.post(f"{table.url}events/", play(0, "8MS"))
    assert answer["RateLimit-Policy"] == '"writes";q=600;w=60'
    assert answer["RateLimit"].startswith('"writes";r=599;t=')


# --- While the database is unavailable, clients are told to retry, and the operator reads it once in the log


@pytest.fixture
def _away(monkeypatch):
    def gone(*_given, **_named):
        raise OperationalError("unable to open database file")

    monkeypatch.setattr(Link.objects, "select_related", gone)
    monkeypatch.setattr("scoring.tables.acts.holding.link_cache.get", lambda key: None)
    monkeypatch.setattr(database, "_logged", [float("-inf")])


@pytest.mark.usefixtures("_away")
def test_recording_returns_not_now_without_a_database(table, scorekeeper, caplog):
    with caplog.at_level(logging.WARNING):
        answers = [scorekeeper.post(f"{table.url}events/", play(0, "8MS")) for _ in range(5)]
    assert {(answer.status_code, answer.json()["code"], answer["Retry-After"]) for answer in answers} == {
        (503, "not-now", "5")
    }
    assert len(caplog.records) == 1


@pytest.mark.usefixtures("_away")
def test_a_page_reports_the_missing_database_as_html(table, client, caplog):
    with caplog.at_level(logging.WARNING):
        answer = client.post(f"/t/{table.code}/join/", {"token": table.token})
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "<h1>" in answer.content.decode()
    assert len(caplog.records) <= 1


@pytest.mark.parametrize(("cause", "away"), [(ReadOnlySqlTransaction, True), (InFailedSqlTransaction, False)])
def test_a_read_only_database_counts_as_unavailable_but_a_bug_does_not(cause, away):
    problem = InternalError()
    problem.__cause__ = cause()
    assert database.is_away(problem) is away
